//! Which room a file belongs to, and what it becomes there.

use crate::home::StudioHome;
use crate::motion_plan::MotionPlan;
use crate::project::StudioProject;
use crate::room::StudioRoom;
use andante_formats::{Asset, Format, ReadError, ReadLimits, ReadOptions, gate};
use andante_stage::built_in_scenes;
use andante_take::Take;
use std::path::{Path, PathBuf};

/// A project with a file in it.
#[derive(Debug)]
pub struct Opened {
    /// What to work on.
    pub project: StudioProject,
    /// Where.
    pub room: StudioRoom,
}

/// Opens a project, or puts a file where it belongs. What is wrong with it is told, with its place.
pub fn open(path: &Path, project: &StudioProject) -> Result<Opened, String> {
    #[cfg(not(target_arch = "wasm32"))]
    {
        let is_table = path.file_name().is_some_and(|name| name == "project.toml");
        let folder = if is_table { path.parent() } else { path.is_dir().then_some(path) };
        if let Some(folder) = folder {
            let (project, room) =
                crate::home::read_project(folder).map_err(|error| error.to_string())?;
            return Ok(Opened { project, room });
        }
    }
    let known =
        path.to_str().and_then(|name| built_in_scenes().iter().find(|scene| scene.name == name));
    if let Some(scene) = known.filter(|_| !path.exists()) {
        return Ok(Opened { project: project.in_scene(scene), room: StudioRoom::Stage });
    }
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    if Format::of(path).is_some() {
        let asset = andante_formats::read_file(path, &ReadOptions::default(), None);
        return motion(whole, &asset.map_err(|error| error.to_string())?, project);
    }
    if is_take(path) {
        let limits = ReadLimits::default();
        let bytes = gate::read_bytes(path, &limits).map_err(|error| error.to_string())?;
        return take(whole, &bytes, project);
    }
    let text = gate::read_text(path, &ReadLimits::default()).map_err(|error| error.to_string())?;
    let folder = path.parent().map(Path::to_path_buf);
    let opened = place(path, &text, StudioProject { scene_folder: folder, ..project.clone() });
    opened.map_err(|error| error.in_file(path).to_string())
}

fn is_take(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("take"))
}

/// The first motion of a file. A body that brings none borrows those of the built-in human, if it has two legs.
fn motion(path: PathBuf, asset: &Asset, project: &StudioProject) -> Result<Opened, String> {
    let clip = asset.clips.first().map(|clip| clip.name().to_owned());
    let clip = clip.unwrap_or_else(|| {
        let rig = andante_motion::rig::detect(&asset.skeleton, &[]);
        let legs = rig.map_or(0, |rig| rig.feet.len());
        if legs == 2 { "walk".to_owned() } else { crate::rooms::motion::REST.to_owned() }
    });
    let file = Some(path);
    let motion = MotionPlan { file, clip, ..MotionPlan::default() };
    let project = StudioProject { motion, ..project.clone() };
    Ok(Opened { project, room: StudioRoom::Motion })
}

/// A take, beside those that are there.
fn take(path: PathBuf, bytes: &[u8], project: &StudioProject) -> Result<Opened, String> {
    Take::from_bytes(bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut project = project.clone();
    project.takes.retain(|other| *other != path);
    project.takes.push(path);
    Ok(Opened { project, room: StudioRoom::Stage })
}

/// A motion in a file that has no path: one that needs no other beside it.
pub fn read_motion(path: &Path, bytes: &[u8]) -> Result<Asset, ReadError> {
    match Format::of(path) {
        Some(Format::Acclaim) | None => Err(ReadError::file(
            "this kind of motion is read with the files beside it: open it by its path, or convert it to .bvh or .glb",
        )
        .in_file(path)),
        Some(_) => andante_formats::read_memory(path, bytes, &ReadOptions::default()),
    }
}

/// Puts a file that has no path where it belongs.
pub fn open_bytes(
    name: &str,
    bytes: &[u8],
    project: &StudioProject,
    home: &StudioHome,
) -> Result<Opened, String> {
    let path = Path::new(name);
    if Format::of(path).is_some() || is_take(path) {
        let opened = match is_take(path) {
            true => take(path.to_path_buf(), bytes, project),
            false => read_motion(path, bytes)
                .map_err(|error| error.to_string())
                .and_then(|asset| motion(path.to_path_buf(), &asset, project)),
        };
        home.take_in(path, bytes.to_vec());
        return opened;
    }
    let text = std::str::from_utf8(bytes).map_err(|error| format!("{name}: {error}"))?;
    place(path, text, project.clone()).map_err(|error| error.in_file(path).to_string())
}

fn place(path: &Path, text: &str, mut project: StudioProject) -> Result<Opened, ReadError> {
    if path.extension().is_none_or(|end| !end.eq_ignore_ascii_case("toml")) {
        if let Some(why) = andante_formats::refused(path) {
            return Err(ReadError::file(why));
        }
        let message = "not a file of the studio: it opens projects, scenes, character files and sketches (.toml) and motions (.bvh, .amc, .glb, .gltf, .vrm, .fbx, .npz) and takes (.take)";
        return Err(ReadError::file(message));
    }
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| match error.span() {
        Some(span) => ReadError::at(text.as_bytes(), span.start, error.message()),
        None => ReadError::file(error.message()),
    })?;
    let has = |key: &str| table.contains_key(key);
    let room = if has("segment") {
        andante_body::read_body(text)?;
        project.body = text.to_owned();
        StudioRoom::Creature
    } else if has("step") {
        andante_gait::read_sketch(text)?;
        project.sketch = text.to_owned();
        StudioRoom::Creature
    } else if has("platform") || has("stairs") || has("character") {
        project.scene = text.to_owned();
        project.read_scene()?;
        StudioRoom::Stage
    } else {
        let message = "neither a scene ([[platform]]), nor a character ([[segment]]), nor a sketch ([[step]])";
        return Err(ReadError::file(message));
    };
    project.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    project.folder = None;
    Ok(Opened { project, room })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{body_text, sketch_text};

    #[test]
    fn a_file_opens_in_the_room_it_belongs_to() {
        let folder = tempfile::tempdir().unwrap();
        let project = StudioProject::default();
        let hills =
            andante_stage::built_in_scenes().iter().find(|scene| scene.name == "hills").unwrap();
        for (text, room) in [
            (hills.text.to_owned(), StudioRoom::Stage),
            (body_text("dog").unwrap(), StudioRoom::Creature),
            (sketch_text("kangaroo-hop").unwrap(), StudioRoom::Creature),
        ] {
            let path = folder.path().join("mine.toml");
            std::fs::write(&path, &text).unwrap();
            let opened = open(&path, &project).unwrap();
            assert_eq!((opened.room, opened.project.name.as_str()), (room, "mine"));
            assert!(
                [opened.project.scene, opened.project.body, opened.project.sketch].contains(&text)
            );
        }
    }

    #[test]
    fn built_in_scenes_open_by_their_names() {
        let opened = open(Path::new("stairs"), &StudioProject::default()).unwrap();
        assert_eq!((opened.room, opened.project.name.as_str()), (StudioRoom::Stage, "stairs"));
    }

    #[test]
    fn a_file_that_is_wrong_is_refused_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("yard.toml");
        std::fs::write(&path, "version = 1\nname = \"yard\"\n[[platform]]\noutlined = 3\n")
            .unwrap();
        let error = open(&path, &StudioProject::default()).unwrap_err();
        assert!(
            error.contains("yard.toml") && error.contains("outlined") && error.contains('4'),
            "{error}"
        );
        let error =
            open(&folder.path().join("nothing.toml"), &StudioProject::default()).unwrap_err();
        assert!(error.contains("nothing.toml"), "{error}");
        let home = StudioHome::nowhere();
        let error = open_bytes("a.FBX", b"Kaydara", &StudioProject::default(), &home).unwrap_err();
        assert!(error.contains("a.FBX") && error.contains("FBX file"), "{error}");
        let error = open_bytes("a.exe", b"MZ", &StudioProject::default(), &home).unwrap_err();
        assert!(error.contains("a.exe"), "{error}");
    }
}
