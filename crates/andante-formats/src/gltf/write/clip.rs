//! Clips as animations.

use super::builder::Builder;
use super::reduce::{KeyBudget, needed_places, needed_rotations};
use andante_skeleton::{Clip, Skeleton, rotation};
use glam::{Quat, Vec3};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Differences that are rounding, in the numbers of a quaternion.
const SAME_ROTATION: f32 = 5e-7;
/// The same in metres, per metre.
const SAME_TRANSLATION: f32 = 1e-6;

/// An animation while it is collected, of one skeleton or of several.
#[derive(Default)]
pub(super) struct Animation {
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

impl Animation {
    pub fn named(self, name: &str) -> Value {
        json!({ "name": name, "samplers": self.samplers, "channels": self.channels })
    }
}

/// The channels of one clip while they are collected.
struct Channels<'a> {
    builder: &'a mut Builder,
    animation: &'a mut Animation,
    /// The node of each joint.
    nodes: &'a [Option<usize>],
    count: usize,
    /// Accessor of the times of all frames.
    times: usize,
    /// Accessor of a single time at the start, once it is needed.
    start: Option<usize>,
    has_all_times: bool,
    /// Accessors of the times of some frames.
    some: HashMap<Vec<usize>, usize>,
    fps: f32,
}

/// The keys of a channel that are written.
enum Keys {
    All,
    These(Vec<usize>),
}

/// Adds a clip of a skeleton whose joints are these nodes. Properties that stay as in the rest pose are left
/// out, and others that do not change get a single key; but one property has all keys, so that the clip keeps
/// its length. With an error in metres keys are left out, too, but those of the root's way, by which the rate is known.
pub(super) fn animate(
    animation: &mut Animation,
    clip: &Clip,
    skeleton: &Skeleton,
    nodes: &[Option<usize>],
    key_error: f32,
    builder: &mut Builder,
) {
    let times: Vec<_> = (0..clip.frame_count()).map(|frame| [clip.frame_time(frame)]).collect();
    let times = builder.bounded_floats(None, &times);
    let budget = (key_error > 0.0).then(|| KeyBudget::fitting(clip, skeleton, key_error));
    let mut channels = Channels {
        builder,
        animation,
        nodes,
        count: 0,
        times,
        start: None,
        has_all_times: false,
        some: HashMap::new(),
        fps: clip.fps(),
    };
    for (joint, info) in skeleton.joints().iter().enumerate() {
        let values: Vec<Quat> =
            clip.frames().map(|frame| frame[joint].rotation.normalize()).collect();
        let rest = rotation::nearest_sign(info.rest.rotation, clip.rotation(0, joint)).to_array();
        let keys = budget.as_ref().map_or(Keys::All, |budget| {
            Keys::These(needed_rotations(&values, budget.angles[joint]))
        });
        let values = values.iter().map(|value| value.to_array()).collect();
        channels.add(joint, "rotation", (values, keys), rest, SAME_ROTATION);
        if joint > 0 {
            let most = budget.as_ref().map(|budget| budget.shifts[joint]);
            channels.add_translation(joint, clip, skeleton, most);
        }
    }
    if channels.has_all_times || clip.frame_count() == 1 && channels.count > 0 {
        channels.add_translation(0, clip, skeleton, None);
    } else {
        let values = clip.frames().map(|frame| frame[0].translation.to_array());
        channels.push(0, "translation", times, values.collect());
    }
}

impl Channels<'_> {
    fn add_translation(
        &mut self,
        joint: usize,
        clip: &Clip,
        skeleton: &Skeleton,
        most: Option<f32>,
    ) {
        let values: Vec<Vec3> = clip.frames().map(|frame| frame[joint].translation).collect();
        let keys = most.map_or(Keys::All, |most| Keys::These(needed_places(&values, most)));
        let values = values.iter().map(|value| value.to_array()).collect();
        let size = clip.frames().fold(Vec3::ZERO, |size, f| size.max(f[joint].translation.abs()));
        let tolerance = SAME_TRANSLATION * (1.0 + size.max_element());
        let rest = skeleton.joint(joint).rest.translation.to_array();
        self.add(joint, "translation", (values, keys), rest, tolerance);
    }

    fn add<const N: usize>(
        &mut self,
        joint: usize,
        path: &str,
        (values, keys): (Vec<[f32; N]>, Keys),
        rest: [f32; N],
        tolerance: f32,
    ) {
        let same =
            |a: &[f32; N], b: &[f32; N]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance);
        let first = values[0];
        if values.iter().all(|value| same(value, &rest)) {
            return;
        }
        if values.iter().all(|value| same(value, &first)) {
            let start = match self.start {
                Some(start) => start,
                None => *self.start.insert(self.builder.bounded_floats(None, &[[0.0]])),
            };
            self.push(joint, path, start, vec![first]);
            return;
        }
        match keys {
            // Times of their own are a number more for each key, and some text.
            Keys::These(frames) if frames.len() * (N + 1) + 64 < values.len() * N => {
                let some = frames.iter().map(|&frame| values[frame]).collect();
                let times = self.times_of(frames);
                self.push(joint, path, times, some);
            }
            _ => {
                self.has_all_times = true;
                self.push(joint, path, self.times, values);
            }
        }
    }

    /// The accessor of the times of some frames: several channels may have the same.
    fn times_of(&mut self, frames: Vec<usize>) -> usize {
        if let Some(&known) = self.some.get(&frames) {
            return known;
        }
        let times: Vec<_> = frames.iter().map(|&frame| [frame as f32 / self.fps]).collect();
        let accessor = self.builder.bounded_floats(None, &times);
        self.some.insert(frames, accessor);
        accessor
    }

    fn push<const N: usize>(
        &mut self,
        joint: usize,
        path: &str,
        times: usize,
        values: Vec<[f32; N]>,
    ) {
        let Some(node) = self.nodes[joint] else { return };
        let output = self.builder.floats(None, values);
        self.count += 1;
        self.animation.channels.push(json!({
            "sampler": self.animation.samplers.len(),
            "target": { "node": node, "path": path },
        }));
        let sampler = json!({ "input": times, "output": output, "interpolation": "LINEAR" });
        self.animation.samplers.push(sampler);
    }
}
