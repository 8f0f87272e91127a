//! Keys that can be left out, because what is between their neighbours is where they are.

use andante_skeleton::{Clip, Skeleton, rotation};
use glam::{Quat, Vec3};

/// How far each joint's own rotation and translation may be off, so that no joint and no tip is off by more than an error.
///
/// A turn by an angle moves whatever hangs on the joint by at most the angle times its distance, and what is off along a chain
/// adds up at most: every channel of a chain gets an equal share of the error.
pub(super) struct KeyBudget {
    /// Radians, per joint.
    pub angles: Vec<f32>,
    /// Metres, per joint.
    pub shifts: Vec<f32>,
}

impl KeyBudget {
    /// Shares an error in metres among the channels of a clip.
    pub fn new(clip: &Clip, skeleton: &Skeleton, error: f32) -> Self {
        let count = skeleton.len();
        let first = clip.frame(0);
        let turns =
            |joint: usize| clip.frames().any(|pose| pose[joint].rotation != first[joint].rotation);
        // The root's way keeps all of its keys.
        let moves = |joint: usize| {
            joint > 0
                && clip.frames().any(|pose| pose[joint].translation != first[joint].translation)
        };
        let own: Vec<usize> =
            (0..count).map(|joint| usize::from(turns(joint)) + usize::from(moves(joint))).collect();
        let bone = |joint: usize| {
            clip.frames().map(|pose| pose[joint].translation.length()).fold(0.0, f32::max)
        };
        let bones: Vec<f32> = (0..count).map(bone).collect();
        let (mut above, mut below) = (own.clone(), vec![0; count]);
        let mut reach: Vec<f32> =
            skeleton.joints().iter().map(|joint| joint.tip.map_or(0.0, Vec3::length)).collect();
        for joint in 1..count {
            if let Some(parent) = skeleton.parent(joint) {
                above[joint] += above[parent];
            }
        }
        for joint in (1..count).rev() {
            if let Some(parent) = skeleton.parent(joint) {
                below[parent] = below[parent].max(below[joint] + own[joint]);
                reach[parent] = reach[parent].max(reach[joint] + bones[joint]);
            }
        }
        let share = |joint: usize| error / (above[joint] + below[joint]).max(1) as f32;
        let angle = |joint: usize| {
            // Skin hangs on the last joint of a chain, too: about as far as its own bone is long.
            let far = if reach[joint] > 0.0 { reach[joint] } else { bones[joint] };
            share(joint) / far.max(1e-3)
        };
        Self { angles: (0..count).map(angle).collect(), shifts: (0..count).map(share).collect() }
    }
}

/// The frames whose rotations are needed for all others to be within an angle of the arcs between them.
pub(super) fn needed_rotations(values: &[Quat], angle: f32) -> Vec<usize> {
    needed(values.len(), angle, |from, to, at| {
        let share = (at - from) as f32 / (to - from) as f32;
        rotation::angle_between(values[from].slerp(values[to], share), values[at])
    })
}

/// The frames whose places are needed for all others to be within a distance of the lines between them.
pub(super) fn needed_places(values: &[Vec3], distance: f32) -> Vec<usize> {
    needed(values.len(), distance, |from, to, at| {
        let share = (at - from) as f32 / (to - from) as f32;
        values[from].lerp(values[to], share).distance(values[at])
    })
}

/// The first and the last frame, and, again and again, the one that is farthest off (D. H. Douglas and T. K. Peucker 1973, with
/// distances at the same time).
fn needed(count: usize, most: f32, off: impl Fn(usize, usize, usize) -> f32) -> Vec<usize> {
    let last = count.saturating_sub(1);
    let mut kept = vec![0, last];
    let mut open = vec![(0, last)];
    while let Some((from, to)) = open.pop() {
        let worst =
            (from + 1..to).map(|at| (off(from, to, at), at)).max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((by, at)) = worst
            && by > most
        {
            kept.push(at);
            open.extend([(from, at), (at, to)]);
        }
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}
