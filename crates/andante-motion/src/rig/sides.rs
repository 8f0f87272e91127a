//! Whether left and right are where the shape of a body has them.

use super::posture::FARTHEST;
use super::upright::body_frame;
use crate::signal::{percentile, tame};
use andante_skeleton::{Clip, Foot, Rig, Side, Skeleton, Transform};
use glam::Vec3;
use std::fmt;

/// A reason to doubt what a file calls left and right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideDoubt {
    /// Toes point behind a body whose left and right are as they are called.
    Toes,
    /// The left arm is on the side of the right leg.
    Arms,
}

impl fmt::Display for SideDoubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Toes => {
                "toes point behind the body, if its left and right are what they are called: they may be mixed up"
            }
            Self::Arms => {
                "the arm that is called left is on the side of the right leg: left and right may be mixed up"
            }
        })
    }
}

andante_skeleton::settings! {
    /// Thresholds beyond which left and right of a body on two legs are doubted.
    pub struct SideOptions: Copy {
        /// Cosine of the angle between toes and the way ahead below which they point backwards.
        backwards: f32 = -0.3, -1.0..=0.0;
        /// How upright a trunk is that tells: 1 standing, 0 lying.
        upright: f32 = 0.7, 0.0..=1.0;
        /// Part of the frames in which they have to.
        most: f32 = 0.75, 0.5..=1.0;
        /// Frames of all clips that are looked at.
        frames: usize = 200, 1..;
    }
}

/// The doubt about left and right that contradict the shape of a body on two legs, at rest and in most frames of its clips.
pub fn side_doubt(
    skeleton: &Skeleton,
    rig: &Rig,
    clips: &[Clip],
    options: &SideOptions,
) -> Option<SideDoubt> {
    if rig.feet.len() != 2 {
        return None;
    }
    let own = clips.iter().filter(|clip| clip.joint_count() == skeleton.len());
    let all: usize = own.clone().map(Clip::frame_count).sum();
    let step = all.div_ceil(options.frames.max(1)).max(1);
    let mut postures = vec![skeleton.rest_models()];
    for pose in own.flat_map(Clip::frames).step_by(step) {
        let mut models = pose.to_vec();
        skeleton.local_to_model(pose, &mut models);
        tame(&mut models, FARTHEST);
        postures.push(models);
    }
    let (mut toes, mut arms): (Vec<f32>, Vec<f32>) = (Vec::new(), Vec::new());
    for models in &postures {
        let Some((facing, up)) = body_frame(rig, models) else { continue };
        if up < options.upright {
            continue;
        }
        let level = |v: Vec3| v.with_y(0.0).try_normalize();
        // A foot that swings behind the body points anywhere: the lower one stands.
        let height = |foot: &Foot| models[foot.ankle()].translation.y;
        let lower = rig.feet.iter().min_by(|a, b| height(a).total_cmp(&height(b)));
        let along = lower.and_then(|foot| level(foot_line(skeleton, foot, models)?));
        toes.extend(along.map(|along| along.dot(facing * Vec3::Z)));
        let shoulder = |side: Side| {
            let arm = rig.arms.iter().find(|arm| arm.side == side)?;
            Some(models[*arm.chain.first()?].translation)
        };
        let across = shoulder(Side::Left).zip(shoulder(Side::Right));
        arms.extend(across.and_then(|(a, b)| level(a - b)).map(|a| a.dot(facing * Vec3::X)));
    }
    let contradicts =
        |seen: Vec<f32>| !seen.is_empty() && percentile(seen, options.most) < options.backwards;
    match (contradicts(toes), contradicts(arms)) {
        (true, _) => Some(SideDoubt::Toes),
        (false, true) => Some(SideDoubt::Arms),
        (false, false) => None,
    }
}

/// From the ankle to the toes by joints alone: where the sole is was told by left and right.
fn foot_line(skeleton: &Skeleton, foot: &Foot, models: &[Transform]) -> Option<Vec3> {
    let ankle = foot.ankle();
    let end = match foot.toes {
        Some(toes) => models[toes].translation,
        None => models[ankle].transform_point(skeleton.joint(ankle).tip?),
    };
    let along = end - models[ankle].translation;
    let bone = |joint: &usize| skeleton.joint(*joint).rest.translation.length();
    let leg: f32 = foot.leg[1..].iter().map(bone).sum();
    (along.with_y(0.0).length() > 0.03 * leg).then_some(along)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{rig, synth};
    use andante_skeleton::{Joint, humanoid};

    /// The built-in human with some of its joints called otherwise, and its walk.
    fn called(swap: impl Fn(&str) -> bool) -> (Skeleton, Rig, Clip) {
        let human = humanoid();
        let walk = synth::clip(&human, "walk").unwrap().clip;
        let other = |name: &str| match name.strip_prefix("Left") {
            Some(rest) => format!("Right{rest}"),
            None => name.replacen("Right", "Left", 1),
        };
        let joint = |joint: &Joint| match swap(&joint.name) {
            true => Joint { name: other(&joint.name), ..joint.clone() },
            false => joint.clone(),
        };
        let skeleton = Skeleton::new(human.skeleton.joints().iter().map(joint).collect()).unwrap();
        let clip = Clip::new("walk", &skeleton, walk.fps(), walk.transforms().to_vec()).unwrap();
        let rig = rig::detect(&skeleton, std::slice::from_ref(&clip)).unwrap();
        (skeleton, rig, clip)
    }

    #[test]
    fn left_and_right_that_contradict_the_shape_are_doubted() {
        let of_arm =
            |name: &str| ["Arm", "Hand", "Shoulder"].iter().any(|part| name.contains(part));
        let options = SideOptions::default();
        for with_clip in [false, true] {
            let doubt = |(skeleton, rig, clip): (Skeleton, Rig, Clip)| {
                let clips = if with_clip { vec![clip] } else { Vec::new() };
                side_doubt(&skeleton, &rig, &clips, &options)
            };
            assert_eq!(doubt(called(|_| false)), None);
            assert_eq!(doubt(called(|_| true)), Some(SideDoubt::Toes));
            assert_eq!(doubt(called(of_arm)), Some(SideDoubt::Arms));
        }
    }
}
