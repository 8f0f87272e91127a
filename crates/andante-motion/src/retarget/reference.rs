//! The target in the rest pose of the source.
//!
//! Rest poses differ: arms level or hanging, legs straight or splayed, feet flat or not. Here the
//! target is put into the pose that looks like the source's rest pose; from there on every joint
//! turns as its counterpart does.

use super::actor::RestMeasures;
use super::joint_map::{JointMap, JointSource};
use super::trunk::SpineChain;
use andante_play::Contacts;
use andante_play::feet::LimbJoints;
use andante_skeleton::{Clip, Side, Skeleton, Transform, rotation};
use glam::{Mat3, Quat, Vec3};

/// The world rotation of every joint of the target in that pose.
pub(super) fn matched_pose(
    from: &RestMeasures,
    to: &RestMeasures,
    map: &JointMap,
    clip: &Clip,
    frames: &[Vec<Transform>],
    contacts: &Contacts,
) -> Vec<Quat> {
    let skeleton = to.actor.skeleton;
    let upright = from.facing * to.facing.conjugate();
    let mut matched: Vec<Option<Quat>> = vec![None; skeleton.len()];

    // Trunk: both stand upright at rest. Back, neck and head lean as those of the source.
    let (theirs, ours) = (SpineChain::new(from), SpineChain::new(to));
    for &joint in &ours.chain {
        matched[joint] = Some(upright * to.rest[joint].rotation);
    }
    for section in 0..2 {
        let lean =
            rotation::arc(upright * ours.direction(to, section), theirs.direction(from, section));
        if let [joints @ .., _] = ours.sections()[section] {
            for &joint in joints.iter().filter(|&&joint| joint != to.actor.rig.hips) {
                matched[joint] = Some(lean * upright * to.rest[joint].rotation);
            }
        }
    }
    if let (Some(source), Some(head)) = (from.actor.rig.head, to.actor.rig.head) {
        let lean = rotation::arc(upright * reach_of(to, head), reach_of(from, source));
        matched[head] = Some(lean * upright * to.rest[head].rotation);
    }
    for (arm, other) in map.arms.iter().enumerate() {
        let (Some(other), Some(limb)) = (*other, to.arms[arm]) else { continue };
        if let Some(collar) = skeleton.parent(limb.joints[0]) {
            let lean = lopsided(from, other) * lopsided(to, arm).conjugate();
            matched[collar].get_or_insert(lean * upright * to.rest[collar].rotation);
        }
        let Some(source) = from.arms[other] else { continue };
        limb_pose(from, to, &source, &limb, &mut matched);
        // Palms face the same way if thumbs, or else the arms' front sides, do.
        let ends = [(from, source.joints[2]), (to, limb.joints[2])];
        let [ours, theirs] = ends.map(|(body, hand)| {
            bone_frame(reach_of(body, hand), body.facing * Vec3::Z, body.facing * Vec3::Y)
        });
        if let (Some(source), Some(target)) = (ours, theirs) {
            let hand = limb.joints[2];
            matched[hand] = Some(source * target.conjugate() * to.rest[hand].rotation);
        }
    }
    for (foot, other) in map.feet.iter().enumerate() {
        let Some(other) = *other else { continue };
        if let (Some(source), Some(limb)) = (from.legs[other], to.legs[foot]) {
            limb_pose(from, to, &source, &limb, &mut matched);
        }
        let feet = FootPair { from, to, foot, other };
        feet.pose(clip, frames, contacts, &mut matched);
    }

    // The rest follow their parents; those with a counterpart point where it points.
    let mut world: Vec<Quat> = Vec::with_capacity(skeleton.len());
    for (joint, matched) in matched.into_iter().enumerate() {
        let above = match skeleton.parent(joint) {
            Some(parent) => world[parent] * skeleton.joint(joint).rest.rotation,
            None => upright * to.rest[joint].rotation,
        };
        let turned = matched.unwrap_or_else(|| match map.drives[joint] {
            JointSource::One(source) => {
                let now = above * to.rest[joint].rotation.conjugate() * reach_of(to, joint);
                rotation::arc(now, reach_of(from, source)) * above
            }
            _ => above,
        });
        world.push(turned.normalize());
    }
    world
}

/// How far the collar bone of an arm leans away from what both sides of the body have in common.
/// Captured people stand with level shoulders on skeletons that were measured with one of them
/// higher; that is no motion.
fn lopsided(body: &RestMeasures, arm: usize) -> Quat {
    let collar_bone = |arm: usize| {
        let shoulder = body.arms[arm]?.joints[0];
        let collar = body.actor.skeleton.parent(shoulder)?;
        Some(body.rest[shoulder].translation - body.rest[collar].translation)
    };
    let arms = &body.actor.rig.arms;
    let opposite = |other: &usize| {
        let sides = [arms[arm].side, arms[*other].side];
        sides.contains(&Side::Left) && sides.contains(&Side::Right)
    };
    let other = (0..arms.len()).find(opposite).and_then(collar_bone);
    let (Some(own), Some(other)) = (collar_bone(arm), other) else { return Quat::IDENTITY };
    let mirror = body.facing * Vec3::X;
    let mirrored = other - mirror * (2.0 * other.dot(mirror));
    rotation::arc(own.normalize_or_zero() + mirrored.normalize_or_zero(), own)
}

/// Turns the two bones of a limb into the directions of their counterparts, knees and elbows bending
/// in the same plane.
fn limb_pose(
    from: &RestMeasures,
    to: &RestMeasures,
    source: &LimbJoints,
    target: &LimbJoints,
    matched: &mut [Option<Quat>],
) {
    for bone in 0..2 {
        let frame = |body: &RestMeasures, limb: &LimbJoints| {
            let [start, end] = [limb.joints[bone], limb.joints[bone + 1]];
            let along = body.rest[end].translation - body.rest[start].translation;
            let axis = body.rest[limb.joints[1]].rotation * limb.axis;
            bone_frame(along, axis, body.facing * Vec3::Z)
        };
        if let (Some(theirs), Some(ours)) = (frame(from, source), frame(to, target)) {
            let joint = target.joints[bone];
            matched[joint] = Some(theirs * ours.conjugate() * to.rest[joint].rotation);
        }
    }
}

/// A foot of the target and its counterpart.
struct FootPair<'a, 'b> {
    from: &'a RestMeasures<'b>,
    to: &'a RestMeasures<'b>,
    /// Index of the target's foot.
    foot: usize,
    /// Index of the source's foot.
    other: usize,
}

impl FootPair<'_, '_> {
    /// Flat on the ground where the source is flat on the ground, which the frames tell in which both
    /// of its ends are down. Bones from ankle to toes say nothing about it: they slope as every
    /// maker of skeletons likes.
    fn pose(
        &self,
        clip: &Clip,
        frames: &[Vec<Transform>],
        contacts: &Contacts,
        matched: &mut [Option<Quat>],
    ) {
        let (from, to) = (self.from, self.to);
        let (ours, theirs) = (&to.actor.rig.feet[self.foot], &from.actor.rig.feet[self.other]);
        let (ankle, source_ankle) = (ours.ankle(), theirs.ankle());
        let Some(flat) = flat_rotation(to, self.foot) else { return };
        let contact = &contacts.feet[self.other];
        let mut foot = Sum::default();
        let mut toes = Sum::default();
        // Without such frames the source is as flat as its rest pose, legs hanging, tells.
        let mut count = |models: &[Transform], level: Quat| {
            // The target's foot in the world, and from there in the frame of the source's.
            let unturned =
                |joint: usize| from.rest[joint].rotation * models[joint].rotation.conjugate();
            foot.add(unturned(source_ankle) * level * flat);
            if let (Some(own), Some(source)) = (ours.toes, theirs.toes) {
                let bent = to.rest[ankle].rotation.conjugate() * to.rest[own].rotation;
                toes.add(unturned(source) * level * flat * bent);
            }
        };
        let mut seen = false;
        for (frame, models) in frames.iter().enumerate() {
            let time = clip.frame_time(frame);
            if !(contact.heel_down(time) && contact.toe_down(time)) {
                continue;
            }
            let (heel, ball) = from.sole(theirs, models);
            let along = ball - heel;
            if Vec3::new(along.x, 0.0, along.z).length() > 1e-4 {
                count(models, Quat::from_rotation_y(libm::atan2f(along.x, along.z)));
                seen = true;
            }
        }
        if !seen && let Some(source_flat) = flat_rotation(from, self.other) {
            let level = from.rest[source_ankle].rotation * source_flat.conjugate();
            count(&from.rest, level);
        }
        matched[ankle] = foot.mean();
        if let Some(own) = ours.toes {
            matched[own] = toes.mean();
        }
    }
}

/// The rotation of an ankle joint in a foot that is flat on the ground and points to +Z. In a rest
/// pose with splayed legs the sole is not level; it is with hanging legs, whose knees bend about
/// a level axis.
fn flat_rotation(body: &RestMeasures, foot: usize) -> Option<Quat> {
    let feet = &body.actor.rig.feet[foot];
    let (heel, ball) = body.sole(feet, &body.rest);
    let limb = body.legs[foot]?;
    let knee = body.rest[limb.joints[1]].rotation * limb.axis;
    // Knees of animals bend either way.
    let across = if (body.facing.conjugate() * knee).x < 0.0 { -knee } else { knee };
    let now = bone_frame(ball - heel, across, body.facing * Vec3::Z)?;
    let level = bone_frame(Vec3::Z, Vec3::X, Vec3::Y)?;
    Some(level * now.conjugate() * body.rest[feet.ankle()].rotation)
}

/// From a joint to the farthest end below it, at rest: where it points.
pub(super) fn reach_of(body: &RestMeasures, joint: usize) -> Vec3 {
    let skeleton: &Skeleton = body.actor.skeleton;
    let start = body.rest[joint].translation;
    let ends = skeleton.subtree(joint).flat_map(|below| {
        let tip = skeleton.joint(below).tip.map(|tip| body.rest[below].transform_point(tip));
        [Some(body.rest[below].translation), tip]
    });
    let farther = |a: Vec3, b: Vec3| {
        if b.length_squared() > a.length_squared() + 1e-10 { b } else { a }
    };
    ends.flatten().map(|end| end - start).fold(Vec3::ZERO, farther)
}

/// The rotation whose Z axis is along a bone and whose X axis is as close to `across` as can be, or
/// to `instead` if that is along the bone.
fn bone_frame(along: Vec3, across: Vec3, instead: Vec3) -> Option<Quat> {
    let z = along.try_normalize().filter(|_| along.length() > 1e-6)?;
    let sideways = |axis: Vec3| {
        let x = axis.reject_from_normalized(z);
        if x.length() > 0.1 { x.try_normalize() } else { None }
    };
    let x = sideways(across).or_else(|| sideways(instead)).unwrap_or(z.any_orthonormal_vector());
    Some(Quat::from_mat3(&Mat3::from_cols(x, z.cross(x), z)).normalize())
}

/// A mean of rotations that are close to each other.
#[derive(Default)]
struct Sum(Option<Quat>);

impl Sum {
    fn add(&mut self, q: Quat) {
        self.0 = Some(self.0.map_or(q, |sum| sum + rotation::nearest_sign(q, sum)));
    }

    fn mean(&self) -> Option<Quat> {
        self.0.filter(|sum| sum.length() > 1e-6).map(Quat::normalize)
    }
}
