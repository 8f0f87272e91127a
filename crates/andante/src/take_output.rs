//! Takes of single bodies, and the files that are made from takes.

use crate::failure::Failure;
use andante_body::{Body, RigidPartsMesh, RigidPlacement};
use andante_draw::{Page, PageSettings, take_report};
use andante_formats::{Asset, Format, gltf, write_file};
use andante_play::Contacts;
use andante_skeleton::{Character, Clip, Rig, SkinnedMesh};
use andante_take::{
    ExportError, ExportSettings, Take, TakeSource, bvh, measure, write_csv, write_glb,
};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Writes the files other programs read into a folder, one track after the other, and says their names.
pub fn export(
    take: &dyn TakeSource,
    folder: &Path,
    stem: &str,
) -> Result<Vec<String>, ExportError> {
    let names = take.names();
    let mut files = vec![format!("{stem}.glb")];
    let mut out = BufWriter::new(File::create(folder.join(&files[0]))?);
    write_glb(take, &ExportSettings::default(), &mut out)?;
    out.flush()?;
    for index in 0..names.len() {
        let name = match names.len() {
            1 => format!("{stem}.bvh"),
            _ => format!("{stem}-{}.bvh", take.file_name(index)),
        };
        std::fs::write(folder.join(&name), bvh(&*take.track(index)?))?;
        files.push(name);
    }
    let mut out = BufWriter::new(File::create(folder.join("curves.csv"))?);
    write_csv(take, &mut out)?;
    out.flush()?;
    files.push("curves.csv".into());
    Ok(files)
}

/// A take of a body of rigid segments, from where they are in each frame, on level ground.
pub fn body_take(
    body: &Body,
    frames: &[Vec<RigidPlacement>],
    fps: f32,
    about: String,
) -> Result<Take, Failure> {
    let fail = |error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", body.name()));
    let puppet = RigidPartsMesh::new(body).map_err(|error| fail(&error))?;
    let poses = frames.iter().flat_map(|placed| puppet.pose(placed)).collect();
    let clip =
        Clip::new(body.name(), &puppet.skeleton, fps, poses).map_err(|error| fail(&error))?;
    Ok(puppet_take(&puppet, &clip, about))
}

/// The same for the clip of a puppet.
pub fn puppet_take(puppet: &RigidPartsMesh, clip: &Clip, about: String) -> Take {
    let rig = Rig { hips: 0, spine: Vec::new(), head: None, feet: Vec::new(), arms: Vec::new() };
    let character = Character {
        name: clip.name().into(),
        description: String::new(),
        skeleton: puppet.skeleton.clone(),
        rig,
    };
    let mut take = Take::of_clip(&character, clip, Contacts { feet: Vec::new() }, None);
    // Bodies are simulated on level ground.
    take.head.ground.iter_mut().for_each(|patch| patch.platform.height = 0.0);
    take.head.about = about;
    take.tracks[0].mesh = Some(Arc::new(puppet.skin.clone()));
    take
}

/// Writes a take to where it is asked for: a `.take`, a motion file, or everything about it into a folder, with `more` at
/// the end of its report. Says what was written.
pub fn write_take(
    take: &Take,
    path: &Path,
    stem: &str,
    more: impl FnOnce(&mut Page),
) -> Result<Vec<PathBuf>, Failure> {
    let fail = |error: &dyn std::fmt::Display| {
        Failure::new(format!("{}: {error}", path.display())).about(path)
    };
    if path.extension().is_some_and(|extension| extension == "take") {
        take.save(path).map_err(|error| fail(&error))?;
        return Ok(vec![path.into()]);
    }
    if Format::of(path).is_some() {
        return motion_file(take, path);
    }
    std::fs::create_dir_all(path).map_err(|error| Failure::write(path, &error))?;
    let walks = take.tracks.iter().any(|track| !track.character.rig.feet.is_empty());
    let metrics = if walks { measure(take).map_err(|error| fail(&error))? } else { Vec::new() };
    let page = take_report(take, &metrics, &[], &PageSettings::default());
    let mut page = page.map_err(|error| fail(&error))?;
    more(&mut page);
    let report = path.join("report.html");
    std::fs::write(&report, page.to_html()).map_err(|error| Failure::write(&report, &error))?;
    let file = path.join(format!("{stem}.take"));
    take.save(&file).map_err(|error| fail(&error))?;
    let mut written = vec![report, file];
    let files = export(take, path, stem).map_err(|error| fail(&error))?;
    written.extend(files.iter().map(|name| path.join(name)));
    Ok(written)
}

/// The first track as a motion file; in glTF with the ground around its way.
fn motion_file(take: &Take, path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let Some(track) = take.tracks.first() else { return Ok(Vec::new()) };
    let mesh: Option<SkinnedMesh> = track.mesh.as_deref().cloned();
    let settings = ExportSettings::default();
    let ground = andante_world::SceneGround::new(&take.head.ground);
    let ground = ground.mesh(settings.ground_cell_m).ok();
    let options = gltf::GltfWriteOptions {
        extra: ground.iter().map(|mesh| mesh.to_static("ground", settings.ground_color)).collect(),
        ..Default::default()
    };
    let clip = track.clip.clone().renamed(&take.head.name);
    let asset = Asset { mesh, ..Asset::new(track.character.skeleton.clone(), vec![clip]) };
    Ok(write_file(path, &asset, &options)?)
}
