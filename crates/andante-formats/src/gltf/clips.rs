//! Animations become clips: full poses at a fixed rate.

use super::accessor::DocumentData;
use super::graph::Local;
use super::json::Property;
use super::rate;
use super::rig::NodeRig;
use super::rigid::Rigid;
use super::track::{self, PropertyTrack};
use crate::budget::Budget;
use crate::text::{UniqueNames, shown};
use crate::{ReadError, ReadOptions, Warning};
use andante_skeleton::{Clip, Skeleton, Transform};

/// Reads every animation that moves a joint.
pub(super) fn read(
    data: &DocumentData,
    rig: &NodeRig,
    skeleton: &Skeleton,
    name: &str,
    options: &ReadOptions,
    file_length: usize,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Clip>, ReadError> {
    let mut is_used = vec![false; data.root.nodes.len()];
    rig.nodes.iter().for_each(|&node| is_used[node] = true);
    // A file may have long clips of few keys, but not endless ones.
    let mut allowance = Budget::new(file_length, &options.limits).transforms as u64;
    let mut names = UniqueNames::default();
    let mut clips = Vec::new();
    let mut losses = ClipLosses::default();
    let count = data.root.animations.len();
    for (index, animation) in data.root.animations.iter().enumerate() {
        let element = format!("animations[{index}]");
        let given = match &animation.name {
            Some(given) if !given.is_empty() => given.clone(),
            _ if count == 1 => name.to_owned(),
            _ => format!("{name}_{index}"),
        };
        let label = shown(given.as_bytes());
        if animation.channels.iter().any(|channel| channel.target.path == Property::Weights) {
            losses.morphs.push(label.clone());
        }
        let (tracks, times) = track::read(data, index, animation, |node| is_used[node])?;
        if tracks.is_empty() {
            losses.idle.push(label);
            continue;
        }
        let schedule = FrameTimes::new(&tracks, &times, options);
        // Nodes above the root take time too.
        let width = rig.nodes.len().max(skeleton.len()).max(options.limits.transforms_per_frame);
        let work = (schedule.frames as u64).saturating_mul(width as u64);
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
        let (transforms, scaled) = bake(rig, &tracks, &schedule, options.guesses.scale_change);
        if let Some(joint) = scaled {
            losses.scales.push((label, shown(rig.joints.names[joint].as_bytes())));
        }
        let clip = Clip::new(names.claim(given), skeleton, schedule.fps as f32, transforms)
            .map_err(|error| ReadError::element(&element, error.to_string()))?;
        clips.push(clip);
    }
    losses.tell(warnings);
    Ok(clips)
}

/// What clips do not keep, told once per file.
#[derive(Default)]
struct ClipLosses {
    morphs: Vec<String>,
    idle: Vec<String>,
    /// With the first joint whose scale changes.
    scales: Vec<(String, String)>,
}

impl ClipLosses {
    fn tell(&self, warnings: &mut Vec<Warning>) {
        let mut tell = |message: String| warnings.push(Warning::new(message));
        if let Some(first) = self.morphs.first() {
            let count = self.morphs.len();
            tell(format!("morph targets in {count} animations (`{first}`) were left out"));
        }
        if let Some(first) = self.idle.first() {
            let count = self.idle.len();
            tell(format!("{count} animations move no joint and were left out (`{first}`)"));
        }
        if let Some((first, joint)) = self.scales.first() {
            let count = self.scales.len();
            tell(format!(
                "{count} animations (`{first}`) change the scale of joints (`{joint}`): joints move \
                 as in the file, but the mesh keeps its size"
            ));
        }
    }
}

/// The times of the frames of a clip.
struct FrameTimes {
    start: f64,
    duration: f64,
    frames: usize,
    fps: f64,
}

impl FrameTimes {
    /// A clip starts at the first key and ends at the last. If they are not a whole number of
    /// frames apart, time is stretched by less than half a frame over the whole clip, so that a
    /// cycle stays one.
    fn new(tracks: &[PropertyTrack], times: &[f64], options: &ReadOptions) -> Self {
        let is_curved = tracks.iter().any(PropertyTrack::is_curved);
        let fps =
            options.fps.map_or_else(|| rate::guess(times, is_curved, &options.guesses), f64::from);
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

/// The pose of every frame, and the first joint whose scale changes visibly.
fn bake(
    rig: &NodeRig,
    tracks: &[PropertyTrack],
    schedule: &FrameTimes,
    scale_change: f64,
) -> (Vec<Transform>, Option<usize>) {
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
            let visible = now.iter().zip(rest).any(|(a, b)| (a - b).abs() > scale_change * size);
            is_scaled[joint] |= visible;
        }
        transforms.extend((0..joints).map(|joint| rig.local(joint, &placed)));
    }
    (transforms, is_scaled.iter().position(|&is_scaled| is_scaled))
}
