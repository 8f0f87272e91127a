//! Strides: from one strike of the leading foot to the next.

use super::contact::FootRuns;
use super::motion::FootMotion;
use crate::signal::smooth;
use andante_play::Interval;
use andante_skeleton::rotation;
use glam::{Quat, Vec3};
use std::ops::Range;

/// One stride: from a strike of the first foot (the left one of a biped) to its next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cycle {
    /// From strike to strike; in a cyclic clip it may end in the next round.
    pub interval: Interval,
    /// Way of the hips over the ground in metres.
    pub stride_length: f32,
    /// Stride length over duration, in metres per second.
    pub speed: f32,
    /// Turn of the body in radians, positive to its left.
    pub heading_change: f32,
    /// Part of the cycle for which a foot is down, mean over the feet.
    pub duty_factor: f32,
}

/// The place where a clip can be cut so that the end leads on to the beginning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopPoint {
    /// The piece to repeat: about one stride, or the whole of a cyclic clip.
    pub interval: Interval,
    /// How unlike the two ends are: root mean square over the joints of distance plus distance gained in
    /// a natural time by the difference in velocity, as a fraction of leg length. Below 0.05 it hardly shows.
    pub mismatch: f32,
}

/// The strikes between which a stride may lie, in natural times.
const STRIDE: Range<f32> = 0.8..12.0;

/// Strides as ranges of frames.
pub(super) fn strides(motion: &FootMotion, foot: &FootRuns) -> Vec<Range<usize>> {
    let strikes: Vec<usize> =
        foot.stance.iter().map(|run| run.start).filter(|&start| start > 0).collect();
    let plausible = |stride: &Range<usize>| {
        let time = stride.len() as f32 / motion.fps / motion.units.time;
        STRIDE.contains(&time)
    };
    strikes.windows(2).map(|pair| pair[0]..pair[1]).filter(plausible).collect()
}

/// How much of a range of frames a foot is down.
pub(super) fn duty(foot: &FootRuns, stride: &Range<usize>) -> f32 {
    let down: usize = foot
        .stance
        .iter()
        .map(|run| run.end.min(stride.end).saturating_sub(run.start.max(stride.start)))
        .sum();
    down as f32 / stride.len().max(1) as f32
}

pub(super) fn cycle(motion: &FootMotion, feet: &[FootRuns], stride: &Range<usize>) -> Cycle {
    let duration = stride.len() as f32 / motion.fps;
    let across = motion.hips[stride.end] - motion.hips[stride.start];
    let stride_length = Vec3::new(across.x, 0.0, across.z).length();
    let duty_factor =
        feet.iter().map(|foot| duty(foot, stride)).sum::<f32>() / feet.len().max(1) as f32;
    Cycle {
        interval: Interval::new(motion.time(stride.start), motion.time(stride.end)),
        stride_length,
        speed: stride_length / duration,
        heading_change: motion.heading[stride.end] - motion.heading[stride.start],
        duty_factor,
    }
}

/// The phase of every frame: 0 at a strike of the first foot, 1 at its next. Half a stride before the
/// first strike and after the last, the neighbouring stride tells; elsewhere there is none.
pub(super) fn phases(motion: &FootMotion, strides: &[Range<usize>]) -> Vec<Option<f32>> {
    let mut phases = vec![None; motion.frames()];
    for stride in strides {
        let length = stride.len();
        for (frame, phase) in phases.iter_mut().enumerate() {
            let beyond = frame + length / 2 >= stride.start && frame < stride.end + length / 2;
            if stride.contains(&frame) || (phase.is_none() && beyond) {
                let along = (frame as f32 - stride.start as f32) / length as f32;
                *phase = Some(along.rem_euclid(1.0));
            }
        }
    }
    phases
}

/// The best place to cut the clip into a loop of one stride, near a strike.
pub(super) fn best_loop(motion: &FootMotion, strides: &[Range<usize>]) -> Option<LoopPoint> {
    if strides.is_empty() {
        return None;
    }
    let poses = Poses::new(motion);
    // One round of a cycle is its own loop; of several rounds one is enough.
    if motion.period.is_some() && strides.len() < 2 {
        let last = motion.own.end - 1;
        return Some(LoopPoint {
            interval: Interval::new(motion.time(motion.own.start), motion.time(last)),
            mismatch: poses.mismatch(motion.own.start, last),
        });
    }
    let mut best: Option<(f32, Range<usize>)> = None;
    for stride in strides {
        // A tenth of a stride to each side, in at most eight steps.
        let reach = stride.len() / 10;
        let step = (reach / 8).max(1);
        let around = |centre: usize| {
            let from = centre.saturating_sub(reach).max(motion.own.start);
            (from..(centre + reach + 1).min(motion.own.end)).step_by(step)
        };
        for start in around(stride.start) {
            for end in around(stride.end) {
                let mismatch = poses.mismatch(start, end);
                if end > start && best.as_ref().is_none_or(|(least, _)| mismatch < *least) {
                    best = Some((mismatch, start..end));
                }
            }
        }
    }
    best.map(|(mismatch, frames)| LoopPoint {
        interval: Interval::new(motion.time(frames.start), motion.time(frames.end)),
        mismatch,
    })
}

/// Joint positions and velocities seen from the hips, facing ahead.
struct Poses {
    joints: usize,
    /// In leg lengths, and leg lengths per natural time.
    place: Vec<Vec3>,
    velocity: Vec<Vec3>,
}

impl Poses {
    fn new(motion: &FootMotion) -> Self {
        let joints = motion.joints;
        let mut place = vec![Vec3::ZERO; motion.models.len()];
        for (frame, models) in motion.models.chunks_exact(joints).enumerate() {
            let turn = Quat::from_rotation_y(-rotation::wrap_angle(motion.heading[frame]));
            let hips = motion.hips[frame];
            let below = Vec3::new(hips.x, 0.0, hips.z);
            for (joint, model) in models.iter().enumerate() {
                place[frame * joints + joint] =
                    turn * (model.translation - below) / motion.units.length;
            }
        }
        let mut velocity = vec![Vec3::ZERO; place.len()];
        let rate = motion.fps * motion.units.time;
        for joint in 0..joints {
            let track: Vec<Vec3> = place.iter().skip(joint).step_by(joints).copied().collect();
            for (frame, slope) in smooth(&track, rate, 0.1).slope.into_iter().enumerate() {
                velocity[frame * joints + joint] = slope;
            }
        }
        Self { joints, place, velocity }
    }

    fn mismatch(&self, a: usize, b: usize) -> f32 {
        let range = |frame: usize| frame * self.joints..(frame + 1) * self.joints;
        let sum = |values: &[Vec3]| -> f32 {
            let (from, to) = (&values[range(a)], &values[range(b)]);
            from.iter().zip(to).map(|(a, b)| a.distance_squared(*b)).sum()
        };
        ((sum(&self.place) + sum(&self.velocity)) / self.joints as f32).sqrt()
    }
}
