//! A rest pose that stands, made from what a body does.
//!
//! Files rest as their makers like: arms level or hanging, in the middle of a stride, or with every bone along an axis of its
//! joint, which is no pose at all. How a body is held on average while it is upright is seen alike in all of them.

use crate::signal::tame;
use andante_skeleton::{Clip, Foot, Joint, Rig, Side, Skeleton, Transform, rotation};
use glam::{Mat3, Quat, Vec3};

andante_skeleton::settings! {
    /// Thresholds by which a rest pose is believed, and by which frames tell a better one.
    pub struct UprightOptions: Copy {
        /// Frames of each clip that are looked at.
        frames_per_clip: usize = 240, 10..=2000;
        /// Cosine of the largest angle between the trunk and the vertical in a frame that counts as upright.
        upright: f32 = 0.7, 0.5..=0.95;
        /// Upright frames that are needed, as a fraction of all of them.
        least: f32 = 0.1, 0.0..=1.0;
        /// Cosine of the largest angle between the trunk and the vertical in a rest pose that stands.
        straight: f32 = 0.9, 0.5..=1.0;
        /// How far left and right may be from mirroring each other in a rest pose, as a part of the length of a leg.
        mirrored: f32 = 0.08, 0.0..=0.5;
        /// How far hips or spine may be turned at rest, in radians, from how they are held on average if left and right
        /// do not mirror each other: what is farther off is some moment of a motion.
        believed: f32 = 0.1, 0.0..=1.5;
        /// A rest pose that stands and is farther off than this is of somebody who does not stand straight in the motion.
        another: f32 = 0.6, 0.0..=3.2;
        /// How far the line from the hip joints to the neck leans back in somebody who stands straight, in radians. It is 0
        /// in drawn figures and 0.1 in captured people.
        lean_back: f32 = 0.03, 0.0..=0.2;
    }
}

/// The verdict on a rest pose: it stands, a better one was seen, or none is known.
#[derive(Clone, Debug, PartialEq)]
pub enum StandingRest {
    /// It stands.
    Stands,
    /// It does not: the same skeleton with a rest pose that does, facing +Z, which is how its trunk and limbs are held on
    /// average while it is upright. The joints' own frames stay what they are, so that clips of the one are clips of the other.
    Seen(Skeleton),
    /// It does not, and no clip shows the body upright.
    Unknown,
}

/// The standing rest pose of a skeleton: its own if that can be believed, and if not, one that is seen in its clips.
pub fn rest_pose(
    skeleton: &Skeleton,
    rig: &Rig,
    clips: &[Clip],
    options: &UprightOptions,
) -> StandingRest {
    let rest = skeleton.rest_models();
    let frame = body_frame(rig, &rest);
    let stands = frame.is_some_and(|(_, up)| up > options.straight)
        && (rig.feet.len() > 2 || is_straight(rig, &rest, options));
    let Some(mean) = mean_posture(skeleton, rig, clips, options) else {
        return if stands { StandingRest::Stands } else { StandingRest::Unknown };
    };
    let mut models = mean.clone();
    skeleton.local_to_model(&mean, &mut models);
    // Rest poses may face anywhere; only how they are turned otherwise counts.
    let turn = frame.map(|frame| frame.0).unwrap_or_default().conjugate();
    let turned =
        |joint: usize| rotation::angle_between(turn * rest[joint].rotation, models[joint].rotation);
    let trunk = std::iter::once(rig.hips).chain(rig.spine.iter().copied());
    let off = trunk.map(turned).fold(0.0, f32::max);
    let posed = !is_mirrored(rig, &rest, turn, options);
    if stands && !(posed && (options.believed..options.another).contains(&off)) {
        return StandingRest::Stands;
    }
    let stand = |(joint, rest): (&Joint, &Transform)| Joint { rest: *rest, ..joint.clone() };
    let standing = Skeleton::new(skeleton.joints().iter().zip(&mean).map(stand).collect());
    standing.map_or(StandingRest::Unknown, StandingRest::Seen)
}

/// Whether left and right mirror each other in a rest pose that is turned to face +Z: nobody moves like that.
fn is_mirrored(rig: &Rig, rest: &[Transform], turn: Quat, options: &UprightOptions) -> bool {
    let feet = rig.feet.iter().map(|foot| (foot.side, foot.leg.as_slice()));
    let arms = rig.arms.iter().map(|arm| (arm.side, arm.chain.as_slice()));
    let limbs: Vec<(Side, &[usize])> = feet.chain(arms).collect();
    let centre = hip_centre(rig, rest);
    let at = |joint: usize| turn * (rest[joint].translation - centre);
    let bones = |chain: &[usize]| -> f32 {
        chain.windows(2).map(|bone| at(bone[0]).distance(at(bone[1]))).sum()
    };
    let leg = rig.feet.iter().map(|foot| bones(&foot.leg)).fold(0.0, f32::max);
    let alike = |(left, right): (&usize, &usize)| {
        let mirrored = at(*right) * Vec3::new(-1.0, 1.0, 1.0);
        at(*left).distance(mirrored) <= options.mirrored * leg
    };
    limbs.chunks(2).all(|pair| match pair {
        [(Side::Left, left), (Side::Right, right)] => {
            left.len() == right.len() && left.iter().zip(*right).all(alike)
        }
        _ => false,
    })
}

/// Whether every bone of the back leads up, and every bone of the legs down.
fn is_straight(rig: &Rig, rest: &[Transform], options: &UprightOptions) -> bool {
    let leads = |joints: &mut dyn Iterator<Item = usize>, way: f32| {
        let places: Vec<Vec3> = joints.map(|joint| rest[joint].translation).collect();
        places.windows(2).all(|bone| {
            let along = bone[1] - bone[0];
            way * along.y >= options.upright * along.length() || along.length() < 1e-4
        })
    };
    let mut back = std::iter::once(rig.hips).chain(rig.spine.iter().copied()).chain(rig.head);
    let leg = |foot: &Foot| leads(&mut foot.leg.iter().copied(), -1.0);
    leads(&mut back, 1.0) && rig.feet.iter().all(leg)
}

/// Placements relative to the parents, averaged over the frames in which the body is upright, facing +Z.
fn mean_posture(
    skeleton: &Skeleton,
    rig: &Rig,
    clips: &[Clip],
    options: &UprightOptions,
) -> Option<Vec<Transform>> {
    let count = skeleton.len();
    let (mut trunk, legs) = (Vec3::ZERO, legs_of(skeleton, rig));
    let top = rig.spine.last().copied().or(rig.head);
    let mut sums = vec![(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), Vec3::ZERO); count];
    let (mut seen, mut all) = (0, 0);
    for clip in clips.iter().filter(|clip| clip.joint_count() == count) {
        let step = clip.frame_count().div_ceil(options.frames_per_clip).max(1);
        for pose in clip.frames().step_by(step) {
            all += 1;
            let mut models = pose.to_vec();
            skeleton.local_to_model(pose, &mut models);
            tame(&mut models, super::posture::FARTHEST);
            let Some((facing, up)) = body_frame(rig, &models) else { continue };
            if up < options.upright {
                continue;
            }
            seen += 1;
            let back = facing.conjugate();
            let line =
                top.map_or(Vec3::Y, |top| models[top].translation - hip_centre(rig, &models));
            trunk += back * line.normalize_or(Vec3::Y);
            for ((sum, model), local) in sums.iter_mut().zip(&models).zip(pose) {
                let turned = back * model.rotation;
                // Placement in the world for rotations, on the parent for positions.
                sum.0 += rotation::nearest_sign(turned, sum.0);
                sum.1 += local.translation;
            }
        }
    }
    if seen == 0 || (seen as f32) < options.least * all as f32 {
        return None;
    }
    // People lean into their way. Who stands does not: what is above the legs is put upright.
    let straight = Vec3::new(0.0, libm::cosf(options.lean_back), -libm::sinf(options.lean_back));
    let up = if rig.feet.len() > 2 { Quat::IDENTITY } else { rotation::arc(trunk, straight) };
    let above = |(joint, sum): (usize, &(Quat, Vec3))| {
        let lean = if legs.contains(&joint) { Quat::IDENTITY } else { up };
        (lean * sum.0).normalize()
    };
    let world: Vec<Quat> = sums.iter().enumerate().map(above).collect();
    if !world.iter().all(|turn| turn.is_finite()) {
        return None;
    }
    let local = |joint: usize| {
        let above = skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| world[parent]);
        // The root stays over the origin.
        let place = sums[joint].1 / seen as f32;
        let place = if joint == 0 { Vec3::Y * place.y } else { place };
        Transform::new((above.conjugate() * world[joint]).normalize(), place)
    };
    Some((0..count).map(local).collect())
}

/// Everything that hangs on the legs.
fn legs_of(skeleton: &Skeleton, rig: &Rig) -> Vec<usize> {
    rig.feet.iter().flat_map(|foot| skeleton.subtree(foot.hip())).collect()
}

/// The middle of the hip joints.
fn hip_centre(rig: &Rig, models: &[Transform]) -> Vec3 {
    let sum: Vec3 = rig.feet.iter().map(|foot| models[foot.hip()].translation).sum();
    sum / rig.feet.len().max(1) as f32
}

/// Where a body faces on the ground, and how upright its trunk is: 1 standing, 0 lying, −1 upside down. By its hip joints
/// and by where the trunk leads from them.
pub(crate) fn body_frame(rig: &Rig, models: &[Transform]) -> Option<(Quat, f32)> {
    let at = |joint: usize| models[joint].translation;
    let of = |side: Side| {
        let hips = rig.feet.iter().rev().filter(move |foot| foot.side == side);
        hips.map(|foot| at(foot.hip())).next()
    };
    let (left, right) = (of(Side::Left)?, of(Side::Right)?);
    let top = rig.head.or(rig.spine.last().copied())?;
    let up = if rig.feet.len() > 2 { Vec3::Y } else { at(top) - 0.5 * (left + right) };
    let up = up.try_normalize()?;
    let across = (left - right).reject_from_normalized(Vec3::Y).try_normalize()?;
    let ahead = across.cross(Vec3::Y);
    Some((Quat::from_mat3(&Mat3::from_cols(across, Vec3::Y, ahead)), up.y))
}
