//! What becomes of a motion: a file, or somebody on the stage.

use super::MotionRoom;
use crate::bench::Workbench;
use crate::home::StudioHome;
use crate::job::{JobState, SideJob};
use crate::look::command_line;
use crate::room::StudioRoom;
use crate::scene_move::SceneThing;
use crate::scene_text::{SceneText, named_files};
use andante_formats::{Asset, ReadLimits, gate};
use andante_motion::repertoire;
use andante_skeleton::{Character, Clip, SkinnedMesh};
use andante_stage::CharacterFile;
use eframe::egui::{self, RichText};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Somebody who is getting ready for the stage.
type CastingJob = SideJob<Result<Vec<u8>, String>>;

/// The panel that makes a motion's body a character of the stage.
#[derive(Default)]
pub struct MotionCasting {
    path: String,
    own_clips: bool,
    job: Option<(String, CastingJob)>,
}

/// The character of a file, as tall as people are and on its feet.
fn character_in(path: &Path, home: &StudioHome) -> Result<CharacterFile, String> {
    let limits = ReadLimits::default();
    let read = match home.dropped(path) {
        Some(bytes) => CharacterFile::from_memory(path, &bytes, None, &limits),
        None => CharacterFile::read(path, None, &limits),
    };
    read.map_err(|error| error.to_string())
}

/// The body that a motion file has, if it has one.
pub fn skin_in(path: &Path, home: &StudioHome) -> Option<Arc<SkinnedMesh>> {
    character_in(path, home).ok()?.skin
}

/// Writing, and sending to the stage.
pub fn panel(room: &mut MotionRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    let plan = bench.project.motion.clone();
    if room.casting.path.is_empty() {
        room.casting.path = format!("out/{}.glb", andante_take::slug(&plan.clip));
    }
    let label = ui.label(RichText::new("Write to (.glb, .gltf, .bvh, .amc)").small());
    ui.text_edit_singleline(&mut room.casting.path)
        .labelled_by(label.id)
        .on_hover_text("Its ending says the format");
    ui.horizontal_wrapped(|ui| {
        let named = !room.casting.path.trim().is_empty();
        let ready = room.desk.is_some() && room.retargeting.is_none() && named;
        let button = ui.add_enabled(ready, egui::Button::new("Write the motion"));
        if button
            .on_hover_text("As it is after all edits; on the other body if there is one")
            .clicked()
        {
            match write(room) {
                Ok(path) => bench.notices.done(format!("Wrote {path}")),
                Err(error) => bench.notices.failed(error),
            }
        }
        if let Some(file) = &plan.file {
            command_line(ui, &format!("andante convert {} {}", file.display(), room.casting.path));
        }
    });
}

/// Sends this body to the stage.
pub fn send(room: &mut MotionRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    let ready = room.desk.is_some() && room.casting.job.is_none();
    let button = egui::Button::new(RichText::new("Send to the stage").strong());
    let button = ui.add_enabled(ready, button);
    if button
        .on_hover_text("This body takes the part of the first character of the scene")
        .clicked()
    {
        begin(room, ui.ctx(), bench);
    }
    ui.checkbox(&mut room.casting.own_clips, "Moves by its own clips")
        .on_hover_text("Strides of this file; otherwise the built-in gaits, fitted to this body");
}

/// Writes the motion; where to.
fn write(room: &MotionRoom) -> Result<String, String> {
    let (shelf, desk) = (room.shelf.as_ref(), room.desk.as_ref());
    let (shelf, desk) = (shelf.ok_or("there is no motion")?, desk.ok_or("there is no motion")?);
    let (skeleton, clip, skin) = match (&desk.plan.target, &room.retargeted) {
        (None, _) => (&shelf.skeleton, &desk.clip, &shelf.skin),
        (_, Some(Ok(other))) if other.is_of(desk) => (&other.skeleton, &other.clip, &other.skin),
        (Some(target), Some(Err((_, error)))) => {
            return Err(format!("it is not on {target}: {error}"));
        }
        (Some(target), _) => return Err(format!("it is not on {target} yet")),
    };
    let mut asset = Asset::new(skeleton.clone(), vec![clip.clone()]);
    asset.mesh = Some(skin.as_ref().clone());
    let path = PathBuf::from(room.casting.path.trim());
    #[cfg(not(target_arch = "wasm32"))]
    {
        let above = path.parent().filter(|above| !above.as_os_str().is_empty());
        above
            .map_or(Ok(()), std::fs::create_dir_all)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        andante_formats::write_file(&path, &asset, &Default::default())
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    #[cfg(target_arch = "wasm32")]
    {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = match name.ends_with(".bvh") {
            true => {
                andante_formats::bvh::write(&asset.skeleton, clip, &Default::default()).into_bytes()
            }
            false => andante_formats::gltf::write_glb(&asset, &Default::default())
                .map_err(|error| error.to_string())?,
        };
        crate::page::offer(&name, &bytes)?;
    }
    Ok(path.display().to_string())
}

/// Begins to make a repertoire for the body of the file.
fn begin(room: &mut MotionRoom, context: &egui::Context, bench: &mut Workbench) {
    let Some(shelf) = &room.shelf else { return };
    let rig = room.desk.as_ref().and_then(|desk| desk.rig.clone());
    let Some(rig) = rig else {
        bench.notices.failed("nobody knows which joints are legs: say so under Roles of joints");
        return;
    };
    let file = bench.project.motion.file.clone();
    let name = file
        .as_deref()
        .and_then(Path::file_stem)
        .map_or("humanoid".into(), |stem| stem.to_string_lossy().into_owned());
    let shown = Character::new(&name, shelf.skeleton.clone(), rig);
    let (clips, own) = (shelf.clips.clone(), room.casting.own_clips);
    // What somebody has said about joints counts more than what is found in the file.
    let file = file.filter(|_| bench.project.motion.roles.is_empty());
    let home = bench.home.clone();
    let job = bench.jobs.start(context, "fitting gaits to this body", move |_| {
        Some(fitted(&shown, &clips, own, file.as_deref(), &home))
    });
    room.casting.job = Some((name, job));
}

/// The repertoire of a body: of its own clips if that is asked for or if nobody can teach it.
fn fitted(
    shown: &Character,
    clips: &[Clip],
    own: bool,
    file: Option<&Path>,
    home: &StudioHome,
) -> Result<Vec<u8>, String> {
    let read = file.map(|file| character_in(file, home)).transpose()?;
    let (character, clips) = match &read {
        Some(read) => (&read.character, read.clips.as_slice()),
        None => (shown, clips),
    };
    let used = if own || character.rig.feet.len() != 2 { clips } else { &[] };
    let made = match (&read, own) {
        (None, false) => repertoire::built_in(shown),
        _ => {
            let skin = read.as_ref().and_then(|read| read.skin.as_deref());
            repertoire::for_character(character, used, skin)
        }
    };
    made.map(|made| made.to_bytes()).map_err(|error| error.to_string())
}

/// Looks whether somebody is ready, and lets them come on.
pub fn follow(room: &mut MotionRoom, bench: &mut Workbench) {
    let Some((name, job)) = &mut room.casting.job else { return };
    let name = name.clone();
    match job.poll() {
        JobState::Running => {}
        JobState::Stopped => room.casting.job = None,
        JobState::Done(done) => {
            room.casting.job = None;
            if let Err(error) = done.and_then(|bytes| come_on(bench, &name, &bytes)) {
                bench.notices.failed(error);
            }
        }
    }
}

/// Puts a repertoire where the files of the scene are, and gives it to the first character.
fn come_on(bench: &mut Workbench, name: &str, bytes: &[u8]) -> Result<(), String> {
    let file = format!("{}.repertoire", andante_take::slug(name));
    let folder = bench.project.folder.clone().map_or_else(|| bench.home.found(name), Ok)?;
    let from = bench.project.scene_folder.clone().or_else(|| bench.project.folder.clone());
    let fail = |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    std::fs::create_dir_all(&folder).map_err(|error| fail(&folder, &error))?;
    // What else the scene names comes along.
    for other in from.iter().flat_map(|_| named_files(&bench.project.scene)) {
        let (source, copy) = (from.clone().unwrap_or_default().join(&other), folder.join(&other));
        if source != copy {
            let bytes = gate::read_bytes(&source, &ReadLimits::default())
                .map_err(|error| error.to_string())?;
            andante_formats::write_atomically(&copy, &bytes)
                .map_err(|error| fail(&copy, &error))?;
        }
    }
    let path = folder.join(&file);
    andante_formats::write_atomically(&path, bytes).map_err(|error| fail(&path, &error))?;
    let mut text = SceneText::new(&bench.project.scene)?;
    let part = SceneThing::Start(0);
    let done =
        text.set_word(&part, "repertoire", &file).and_then(|()| text.set_word(&part, "height", ""));
    done.ok_or("the scene has no character")?;
    bench.project.scene = text.finish();
    bench.project.scene_folder = Some(folder);
    if let Some(motion) = &bench.project.motion.file {
        bench.project.skins.insert(file, motion.clone());
    }
    *bench.next_room = Some(StudioRoom::Stage);
    Ok(())
}
