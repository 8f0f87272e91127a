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
    /// The widest budget that was seen to keep all joints and tips of a clip within an error in metres: errors of a chain hardly ever
    /// add up.
    pub fn fitting(clip: &Clip, skeleton: &Skeleton, error: f32) -> Self {
        let sure = Self::new(clip, skeleton, error);
        let wider = |times: f32| Self {
            angles: sure.angles.iter().map(|angle| times * angle).collect(),
            shifts: sure.shifts.iter().map(|shift| times * shift).collect(),
        };
        let tried = [16.0, 11.0, 8.0, 5.6, 4.0, 2.8, 2.0, 1.4].map(wider).into_iter();
        // A little is left for rounding.
        let fits = |budget: &Self| budget.error(clip, skeleton) < 0.98 * error;
        tried.into_iter().find(fits).unwrap_or(sure)
    }

    /// How far a joint or a tip is off at most without the keys that the budget spares.
    fn error(&self, clip: &Clip, skeleton: &Skeleton) -> f32 {
        let joints = skeleton.len();
        let mut all = clip.transforms().to_vec();
        for joint in 0..joints {
            let turns: Vec<Quat> =
                clip.frames().map(|frame| frame[joint].rotation.normalize()).collect();
            between(&needed_rotations(&turns, self.angles[joint]), |frame, from, to, share| {
                all[frame * joints + joint].rotation = turns[from].slerp(turns[to], share);
            });
            if joint > 0 {
                let places: Vec<Vec3> =
                    clip.frames().map(|frame| frame[joint].translation).collect();
                between(&needed_places(&places, self.shifts[joint]), |frame, from, to, share| {
                    all[frame * joints + joint].translation = places[from].lerp(places[to], share);
                });
            }
        }
        let (mut own, mut made) = (clip.frame(0).to_vec(), clip.frame(0).to_vec());
        let mut worst = 0.0f32;
        for (before, after) in clip.frames().zip(all.chunks_exact(joints)) {
            skeleton.local_to_model(before, &mut own);
            skeleton.local_to_model(after, &mut made);
            for (joint, (a, b)) in own.iter().zip(&made).enumerate() {
                worst = worst.max(a.translation.distance(b.translation));
                // What nothing is known of at the end of a chain is about as long as its own bone.
                let last = skeleton.subtree(joint).len() == 1;
                let own = last.then(|| Vec3::Y * skeleton.joint(joint).rest.translation.length());
                if let Some(tip) = skeleton.joint(joint).tip.or(own) {
                    worst = worst.max(a.transform_point(tip).distance(b.transform_point(tip)));
                }
            }
        }
        worst
    }

    /// Shares an error in metres among the channels of a clip.
    fn new(clip: &Clip, skeleton: &Skeleton, error: f32) -> Self {
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

/// Calls with every frame between two that are kept, those, and how far it is from the one to the other.
fn between(kept: &[usize], mut tell: impl FnMut(usize, usize, usize, f32)) {
    for pair in kept.windows(2) {
        for frame in pair[0] + 1..pair[1] {
            let share = (frame - pair[0]) as f32 / (pair[1] - pair[0]) as f32;
            tell(frame, pair[0], pair[1], share);
        }
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
