//! Which frames of a clip are motion: an added rest pose, dropouts, jumps and frozen stretches are
//! found and, where they can be, mended.

use super::AnalysisOptions;
use crate::oddities;
use crate::signal::percentile;
use andante_skeleton::{Clip, Skeleton, Transform, rotation};
use std::ops::Range;

/// Something odd about a clip, and what was done about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// The first frames are a pose from which the motion does not follow, as capture systems add it. They are left out, and
    /// so are frames that lead over from it.
    AddedFrames {
        /// How many there are.
        count: usize,
    },
    /// Frames that belong neither to what comes before nor to what comes after: a lost marker, a root at
    /// the origin. They are bridged.
    Dropout {
        /// The frames.
        frames: Range<usize>,
    },
    /// The pose or the place changes within one frame more than any body can. It is left as it is.
    Jump {
        /// The first frame after it.
        frame: usize,
    },
    /// The same pose over and over in the middle of a motion: capture was lost. It is left as it is.
    Frozen {
        /// The frames.
        frames: Range<usize>,
    },
}

impl std::fmt::Display for Oddity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AddedFrames { count: 1 } => {
                write!(f, "the first frame is an added pose and is left out")
            }
            Self::AddedFrames { count } => {
                write!(f, "the first {count} frames are an added pose and are left out")
            }
            Self::Dropout { frames } => {
                write!(f, "dropout in {}: bridged", FrameRange(frames))
            }
            Self::Jump { frame } => write!(f, "the motion jumps at frame {}", frame + 1),
            Self::Frozen { frames } => write!(f, "the motion is frozen in {}", FrameRange(frames)),
        }
    }
}

/// In words, in which the first frame is number 1, as in the messages of readers.
struct FrameRange<'a>(&'a Range<usize>);

impl std::fmt::Display for FrameRange<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.len() {
            1 => write!(f, "frame {}", self.0.start + 1),
            _ => write!(f, "frames {} to {}", self.0.start + 1, self.0.end),
        }
    }
}

/// A clip with its bad frames mended.
pub(super) struct MendedFrames {
    /// Placements relative to the parents, frame after frame, without those that were put in front.
    pub locals: Vec<Transform>,
    /// The first frame of the clip that is in `locals`.
    pub first: usize,
    pub oddities: Vec<Oddity>,
}

/// `length` and `time` are the natural units of the body.
pub(super) fn examine(
    skeleton: &Skeleton,
    clip: &Clip,
    [length, time]: [f32; 2],
    options: &AnalysisOptions,
) -> MendedFrames {
    let joints = skeleton.len();
    let count = clip.frame_count();
    let mut found = Vec::new();
    let limit = Limit::new(clip.fps(), length, time, options);
    let change: Vec<f32> =
        (1..count).map(|frame| limit.change(clip.frame(frame - 1), clip.frame(frame))).collect();
    // What is usual for this clip: jerky capture moves a lot in every frame.
    let usual = percentile(change.iter().skip(1).copied(), 0.9);
    let jumps = |amount: f32| amount > 1.0 && amount > 5.0 * usual;

    // With two frames there is nothing to compare the step with. A clip that was resampled with its
    // added first frame has frames between it and the motion.
    let leap = |step: usize| jumps(change[step]) || change[step] > 3.0 * usual;
    let leading = (0..count.saturating_sub(2).min(3)).take_while(|&step| leap(step)).count();
    let smeared = leading > 0 && change[leading - 1] > 2.0 * change[leading] && jumps(change[0]);
    let first = match oddities::added_frames(skeleton, clip) {
        0 if smeared => leading,
        added => added,
    };
    if first > 0 {
        found.push(Oddity::AddedFrames { count: first });
    }
    let mut locals = clip.transforms()[first * joints..].to_vec();

    let longest = ((options.longest_dropout * time * clip.fps()) as usize).max(1);
    let mut frame = first + 1;
    while frame < count {
        if !jumps(change[frame - 1]) {
            frame += 1;
            continue;
        }
        // Bad frames end where the motion is back to where it can have got to.
        let back = (frame + 1..count.min(frame + 1 + longest)).find(|&later| {
            let steps = (later - frame + 1) as f32;
            jumps(change[later - 1])
                && limit.change(clip.frame(frame - 1), clip.frame(later)) < steps.max(5.0 * usual)
        });
        match back {
            Some(back) => {
                bridge(&mut locals, joints, frame - first..back - first);
                found.push(Oddity::Dropout { frames: frame..back });
                frame = back + 1;
            }
            None => {
                found.push(Oddity::Jump { frame });
                frame += 1;
            }
        }
    }
    let frozen =
        oddities::frozen_stretches(clip).into_iter().filter(|frames| frames.start >= first);
    found.extend(frozen.map(|frames| Oddity::Frozen { frames }));
    MendedFrames { locals, first, oddities: found }
}

/// How much a body can change in one frame.
struct Limit {
    turn: f32,
    travel: f32,
}

impl Limit {
    fn new(fps: f32, length: f32, time: f32, options: &AnalysisOptions) -> Self {
        let frame = 1.0 / (fps * time);
        Self { turn: options.fastest_turn * frame, travel: options.fastest_travel * frame * length }
    }

    /// The change from one pose to another; 1 is as much as can be in one frame.
    fn change(&self, from: &[Transform], to: &[Transform]) -> f32 {
        let angle =
            |(a, b): (&Transform, &Transform)| rotation::angle_between(a.rotation, b.rotation);
        let turn: f32 = from.iter().zip(to).map(angle).sum::<f32>() / from.len() as f32;
        let travel = from[0].translation.distance(to[0].translation);
        (turn / self.turn).max(travel / self.travel)
    }
}

/// Replaces frames by what lies between their neighbours.
fn bridge(locals: &mut [Transform], joints: usize, bad: Range<usize>) {
    let span = (bad.len() + 1) as f32;
    for frame in bad.clone() {
        let t = (frame + 1 - bad.start) as f32 / span;
        for joint in 0..joints {
            let before = locals[(bad.start - 1) * joints + joint];
            let after = locals[bad.end * joints + joint];
            locals[frame * joints + joint] = Transform::new(
                rotation::nlerp(before.rotation, after.rotation, t),
                before.translation.lerp(after.translation, t),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::{Pose, humanoid};
    use glam::{Quat, Vec3};

    /// Somebody who glides ahead waving, at 60 frames a second.
    fn gliding(frames: usize) -> (Skeleton, Vec<Transform>) {
        let human = humanoid();
        let mut transforms = Vec::new();
        for frame in 0..frames {
            let mut pose = Pose::rest(&human.skeleton);
            let time = frame as f32 / 60.0;
            pose[0].translation.z += 1.2 * time;
            for joint in &mut pose[1..] {
                joint.rotation = Quat::from_rotation_x(0.5 + 0.2 * (4.0 * time).sin());
            }
            transforms.extend_from_slice(&pose);
        }
        (human.skeleton, transforms)
    }

    fn examined(skeleton: &Skeleton, transforms: Vec<Transform>) -> MendedFrames {
        let clip = Clip::new("clip", skeleton, 60.0, transforms).unwrap();
        examine(skeleton, &clip, [0.9, 0.3], &AnalysisOptions::default())
    }

    #[test]
    fn a_clean_clip_is_left_alone() {
        let (skeleton, transforms) = gliding(60);
        let frames = examined(&skeleton, transforms.clone());
        assert_eq!((frames.first, frames.oddities.len()), (0, 0));
        assert_eq!(frames.locals.len(), transforms.len());
    }

    #[test]
    fn a_root_at_the_origin_for_a_few_frames_is_bridged() {
        let (skeleton, mut transforms) = gliding(90);
        let joints = skeleton.len();
        let known = transforms[61 * joints].translation;
        for frame in 60..63 {
            transforms[frame * joints].translation = Vec3::ZERO;
        }
        let frames = examined(&skeleton, transforms);
        assert_eq!(frames.oddities, [Oddity::Dropout { frames: 60..63 }]);
        assert!(frames.locals[61 * joints].translation.distance(known) < 1e-3);
        assert_eq!(frames.oddities[0].to_string(), "dropout in frames 61 to 63: bridged");
    }

    #[test]
    fn a_step_to_another_place_is_a_jump() {
        let (skeleton, mut transforms) = gliding(90);
        let joints = skeleton.len();
        for pose in transforms[40 * joints..].chunks_exact_mut(joints) {
            pose[0].translation.x += 3.0;
        }
        assert_eq!(examined(&skeleton, transforms).oddities, [Oddity::Jump { frame: 40 }]);
    }

    #[test]
    fn frames_that_repeat_are_frozen() {
        let (skeleton, mut transforms) = gliding(90);
        let joints = skeleton.len();
        let held = transforms[30 * joints..31 * joints].to_vec();
        for pose in transforms[31 * joints..38 * joints].chunks_exact_mut(joints) {
            pose.copy_from_slice(&held);
        }
        let frozen = Oddity::Frozen { frames: 30..38 };
        assert!(examined(&skeleton, transforms).oddities.contains(&frozen));
    }

    #[test]
    fn an_added_rest_pose_is_left_out_even_after_resampling() {
        let (skeleton, mut transforms) = gliding(90);
        let joints = skeleton.len();
        let place = transforms[0].translation;
        transforms[..joints].copy_from_slice(&Pose::rest(&skeleton));
        transforms[0].translation = place;
        let frames = examined(&skeleton, transforms.clone());
        assert_eq!((frames.first, frames.oddities), (1, vec![Oddity::AddedFrames { count: 1 }]));
        let clip =
            Clip::new("clip", &skeleton, 60.0, transforms).unwrap().resampled(120.0).unwrap();
        assert_eq!(examine(&skeleton, &clip, [0.9, 0.3], &AnalysisOptions::default()).first, 2);
    }
}
