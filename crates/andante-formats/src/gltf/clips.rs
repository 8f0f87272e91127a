//! Animations become clips: full poses at a fixed rate.

use super::accessor::Data;
use super::graph::Local;
use super::json::Property;
use super::names::Names;
use super::rate;
use super::rig::Rig;
use super::rigid::Rigid;
use super::track::{self, Track};
use crate::{ReadError, ReadOptions, Warning};
use andante_skeleton::{Clip, Skeleton, Transform};

/// Transforms that the clips of any file may have together.
const BASE_TRANSFORMS: u64 = 4 << 20;

/// How far scale may change before it is worth a warning, as a ratio.
const VISIBLE_SCALE: f64 = 1e-3;

/// Reads every animation that moves a joint.
pub(super) fn read(
    data: &Data,
    rig: &Rig,
    skeleton: &Skeleton,
    name: &str,
    options: &ReadOptions,
    file_length: usize,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Clip>, ReadError> {
    let mut is_used = vec![false; data.root.nodes.len()];
    rig.nodes.iter().for_each(|&node| is_used[node] = true);
    // A file may have long clips of few keys, but not endless ones.
    let mut allowance = BASE_TRANSFORMS + file_length as u64;
    let mut names = Names::default();
    let mut clips = Vec::new();
    let count = data.root.animations.len();
    for (index, animation) in data.root.animations.iter().enumerate() {
        let element = format!("animations[{index}]");
        let given = match &animation.name {
            Some(given) if !given.is_empty() => given.clone(),
            _ if count == 1 => name.to_owned(),
            _ => format!("{name}_{index}"),
        };
        if animation.channels.iter().any(|channel| channel.target.path == Property::Weights) {
            let message = format!("animation `{given}` has morph targets, which were left out");
            warnings.push(Warning::new(message));
        }
        let (tracks, times) = track::read(data, index, animation, |node| is_used[node])?;
        if tracks.is_empty() {
            let message = format!("animation `{given}` moves no joint and was left out");
            warnings.push(Warning::new(message));
            continue;
        }
        let schedule = Schedule::new(&tracks, &times, options.fps);
        // Nodes above the root take time too.
        let work =
            (schedule.frames as u64).saturating_mul(rig.nodes.len().max(skeleton.len()) as u64);
        allowance = allowance.checked_sub(work).ok_or_else(|| {
            let message = format!(
                "{} frames at {} frames/s of {} joints are more than a file of this size can \
                 hold; read it at a lower rate",
                schedule.frames,
                schedule.fps,
                skeleton.len()
            );
            ReadError::element(&element, message)
        })?;
        let (transforms, scaled) = bake(rig, &tracks, &schedule);
        if let Some(&first) = scaled.first() {
            warnings.push(Warning::new(format!(
                "animation `{given}` changes the scale of {} joints (`{}`): joints move as in the \
                 file, but the mesh keeps its size",
                scaled.len(),
                rig.joints.names[first]
            )));
        }
        let clip = Clip::new(names.unique(&given), skeleton, schedule.fps as f32, transforms)
            .map_err(|error| ReadError::element(&element, error.to_string()))?;
        clips.push(clip);
    }
    Ok(clips)
}

/// The times of the frames of a clip.
struct Schedule {
    start: f64,
    duration: f64,
    frames: usize,
    fps: f64,
}

impl Schedule {
    /// A clip starts at the first key and ends at the last. If they are not a whole number of
    /// frames apart, time is stretched by less than half a frame over the whole clip, so that a
    /// cycle stays one.
    fn new(tracks: &[Track], times: &[f64], fps: Option<f32>) -> Self {
        let is_curved = tracks.iter().any(Track::is_curved);
        let fps = fps.map_or_else(|| rate::guess(times, is_curved), f64::from);
        let start = times.first().copied().unwrap_or(0.0);
        let duration = times.last().copied().unwrap_or(0.0) - start;
        let frames = (duration * fps).round() as usize;
        Self { start, duration, frames: frames.saturating_add(1), fps }
    }

    fn time(&self, frame: usize) -> f64 {
        let last = self.frames - 1;
        if last == 0 {
            self.start
        } else {
            self.start + self.duration * (frame as f64 / last as f64)
        }
    }
}

/// The pose of every frame, and the joints whose scale changes visibly.
fn bake(rig: &Rig, tracks: &[Track], schedule: &Schedule) -> (Vec<Transform>, Vec<usize>) {
    let joints = rig.joints.len();
    let mut locals = rig.graph.rest.clone();
    for track in tracks {
        locals[track.node] = Local::Parts(locals[track.node].parts());
    }
    let mut worlds = rig.rest_worlds.clone();
    let mut placed = vec![Rigid::IDENTITY; joints];
    let mut is_scaled = vec![false; joints];
    let mut transforms = Vec::with_capacity(schedule.frames * joints);
    for frame in 0..schedule.frames {
        let time = schedule.time(frame);
        for track in tracks {
            if let Local::Parts(parts) = &mut locals[track.node] {
                track.apply(time, 0.02 / schedule.fps, parts);
            }
        }
        rig.worlds(&locals, &mut worlds);
        for joint in 0..joints {
            let (rigid, residual) = rig.split(joint, &worlds, &locals, &placed);
            placed[joint] = rigid;
            let (now, rest) = (residual.to_cols_array(), rig.residuals[joint].to_cols_array());
            let size = rest.iter().fold(0.0, |size: f64, value| size.max(value.abs()));
            let visible = now.iter().zip(rest).any(|(a, b)| (a - b).abs() > VISIBLE_SCALE * size);
            is_scaled[joint] |= visible;
        }
        transforms.extend((0..joints).map(|joint| rig.local(joint, &placed)));
    }
    let scaled = (0..joints).filter(|&joint| is_scaled[joint]).collect();
    (transforms, scaled)
}
