//! Takes for other programs.

use crate::{TakeFileError, TakeSource, Track, foot_heights_of};
use andante_formats::gltf::{self, GltfWriteOptions, WriteError};
use andante_formats::{Asset, RotationOrder, bvh as bvh_format};
use andante_skeleton::Clip;
use andante_world::SceneGround;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;
use thiserror::Error;

andante_skeleton::settings! {
    /// The look of exported worlds.
    pub struct ExportSettings {
        /// Size of the triangles of uneven ground in metres, from 0.02 to 1: small ones are exact and make large files.
        ground_cell_m: f32 = 0.2, 0.0..;
        /// Linear colour of the ground.
        ground_color: [f32; 4] = [0.35, 0.42, 0.3, 1.0], 0.0..;
        /// Linear colour of obstacles.
        obstacle_color: [f32; 4] = [0.5, 0.47, 0.42, 1.0], 0.0..;
        /// Linear colour of things that move.
        thing_color: [f32; 4] = [0.72, 0.16, 0.08, 1.0], 0.0..;
    }
}

/// An error that keeps a take from being exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// It cannot be read.
    #[error(transparent)]
    Take(#[from] TakeFileError),
    /// It is no glTF.
    #[error(transparent)]
    Gltf(#[from] WriteError),
    /// The file system refuses.
    #[error(transparent)]
    Disk(#[from] io::Error),
}

/// Writes everybody, the world as it is at the beginning and one animation as a `.glb` file, one track after the other.
pub fn write_glb(
    take: &dyn TakeSource,
    settings: &ExportSettings,
    out: &mut impl Write,
) -> Result<(), ExportError> {
    let (count, head) = (take.names().len(), take.head());
    let mut assets = Vec::new();
    for index in 0..count {
        let track = take.part(index, 0..1)?;
        let mut asset = Asset::new(track.character.skeleton, Vec::new());
        asset.mesh = track.mesh.map(|mesh| (*mesh).clone());
        assets.push(asset);
    }
    let frames = take.frames();
    let thing = |thing: &crate::RigidTrack| thing.asset(frames, head.fps, settings.thing_color);
    assets.extend(take.things().iter().filter_map(thing));
    // Alone, joints keep their names.
    let mut names = if assets.len() > 1 { take.file_names() } else { vec![String::new(); count] };
    names.extend((1..=assets.len() - count).map(|thing| format!("prop-{thing}")));
    let group: Vec<(&str, &Asset)> = names.iter().map(String::as_str).zip(&assets).collect();
    let mut options = GltfWriteOptions::default();
    // A take without ground is one of bodies in the air.
    if let Ok(ground) = SceneGround::new(&head.ground).mesh(settings.ground_cell_m) {
        options.extra.push(ground.to_static("ground", settings.ground_color));
    }
    let stones = head.obstacles.iter();
    let stone = |thing: &andante_world::Obstacle| {
        thing.mesh().to_static(&thing.name, settings.obstacle_color)
    };
    options.extra.extend(stones.map(stone));
    let clip = |index: usize| -> Result<Clip, ExportError> {
        match assets[index].clips.first() {
            Some(clip) => Ok(clip.clone()),
            None => Ok(take.track(index)?.into_owned().clip),
        }
    };
    gltf::stream_group_glb(&group, &options, clip, out)
}

/// A track as a `.bvh` file, with the heading of its root in a channel of its own.
pub fn bvh(track: &Track) -> String {
    let root_order = Some(RotationOrder::Yxz);
    let options = bvh_format::BvhWriteOptions { root_order, ..Default::default() };
    bvh_format::write(&track.character.skeleton, &track.clip, &options)
}

/// Frames of all tracks that are turned into rows together.
const ROWS: usize = 128;

/// Writes curves as a table: a row for each frame; for each track place, heading, curves, which feet are down, how high
/// heels and balls are above the ground, vectors, torques and whether forces move it. Empty where a track has ended,
/// or there is no ground or no such vector.
pub fn write_csv(take: &dyn TakeSource, out: &mut impl Write) -> Result<(), ExportError> {
    let count = take.names().len();
    let mut text = String::from("time");
    let mut widths = Vec::with_capacity(count);
    for (index, name) in take.file_names().iter().enumerate() {
        widths.push(header(take.view(index, 0..1)?.track(), name, &mut text));
    }
    text.push('\n');
    let frames = take.frames();
    for first in (0..frames).step_by(ROWS) {
        let last = (first + ROWS).min(frames);
        let mut rows: Vec<String> =
            (first..last).map(|frame| (frame as f32 / take.head().fps).to_string()).collect();
        for (index, width) in widths.iter().enumerate() {
            columns(take, (index, *width), first..last, &mut rows)?;
        }
        rows.iter().for_each(|row| {
            text.push_str(row);
            text.push('\n');
        });
        out.write_all(text.as_bytes())?;
        text.clear();
    }
    Ok(out.write_all(text.as_bytes())?)
}

/// A name without what would end a cell.
fn word(name: &str) -> String {
    name.replace([' ', ',', '"'], "-")
}

/// Writes the names of a track's columns; says how many there are.
fn header(track: &Track, name: &str, text: &mut String) -> usize {
    let mut count = 0;
    let mut put = |column: String| {
        let _ = write!(text, ",{name}.{column}");
        count += 1;
    };
    ["x", "z", "heading"].iter().for_each(|column| put((*column).into()));
    track.curves.iter().for_each(|curve| put(word(&curve.name)));
    for foot in &track.character.rig.feet {
        for part in ["heel-down", "ball-down", "heel-height", "ball-height"] {
            put(format!("{}.{part}", word(&foot.name)));
        }
    }
    for vector in &track.vectors {
        ["x", "y", "z"].iter().for_each(|axis| put(format!("{}.{axis}", word(&vector.name))));
    }
    track.torques.iter().for_each(|torque| put(format!("torque.{}", word(&torque.name))));
    if !track.physical.is_empty() {
        put("physical".into());
    }
    count
}

/// What one track has in some rows.
fn columns(
    take: &dyn TakeSource,
    (index, empty): (usize, usize),
    frames: Range<usize>,
    rows: &mut [String],
) -> Result<(), ExportError> {
    let last = frames.end.min(take.frames_of(index));
    if last <= frames.start {
        rows.iter_mut().for_each(|row| row.extend(std::iter::repeat_n(',', empty)));
        return Ok(());
    }
    let track = take.part(index, frames.start..last)?;
    let heights = foot_heights_of(take, &track, frames.start);
    for (at, row) in rows.iter_mut().enumerate() {
        if at >= track.body.len() {
            row.extend(std::iter::repeat_n(',', empty));
            continue;
        }
        let time = (frames.start + at) as f32 / take.head().fps;
        let place = track.body[at];
        let _ = write!(row, ",{},{},{}", place.position.x, place.position.y, place.heading);
        track.curves.iter().for_each(|curve| number(curve.values[at], row));
        for (down, [heel, ball]) in track.contacts.feet.iter().zip(&heights) {
            let (heel_down, ball_down) = (down.heel_down(time) as u8, down.toe_down(time) as u8);
            let _ = write!(row, ",{heel_down},{ball_down}");
            [heel[at], ball[at]].into_iter().for_each(|height| number(height, row));
        }
        for vector in &track.vectors {
            vector.values[at].to_array().into_iter().for_each(|value| number(value, row));
        }
        track.torques.iter().for_each(|torque| number(torque.values[at], row));
        if !track.physical.is_empty() {
            let forced = track.physical.iter().any(|interval| interval.contains(time));
            let _ = write!(row, ",{}", u8::from(forced));
        }
    }
    Ok(())
}

/// A number, or an empty cell if it is none.
fn number(value: f32, row: &mut String) {
    match value.is_finite() {
        true => drop(write!(row, ",{value}")),
        false => row.push(','),
    }
}
