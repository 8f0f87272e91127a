//! The body that a motion comes from or goes to, and its measures.

use super::{RetargetError, positive};
use andante_play::Contacts;
use andante_play::feet::{Bend, LimbJoints};
use andante_skeleton::{BodyPoint, Character, Clip, Foot, Rig, Skeleton, Transform};
use glam::{Quat, Vec3};

/// A skeleton and the roles of its joints.
#[derive(Clone, Copy, Debug)]
pub struct RetargetRig<'a> {
    /// The joints.
    pub skeleton: &'a Skeleton,
    /// Which of them are hips, feet, hands.
    pub rig: &'a Rig,
}

impl<'a> From<&'a Character> for RetargetRig<'a> {
    fn from(character: &'a Character) -> Self {
        Self { skeleton: &character.skeleton, rig: &character.rig }
    }
}

/// An actor with what is derived from its rest pose.
pub(super) struct RestMeasures<'a> {
    pub actor: RetargetRig<'a>,
    /// Placement of every joint at rest.
    pub rest: Vec<Transform>,
    /// Turns a body that faces +Z with its head up into the one of the rest pose.
    pub facing: Quat,
    /// The bending bones of each leg and arm, where there are two.
    pub legs: Vec<Option<LimbJoints>>,
    pub arms: Vec<Option<LimbJoints>>,
}

/// Rest poses that deviate less than this from upright and facing +Z are taken for that.
const UPRIGHT: f32 = 0.5;

impl<'a> RestMeasures<'a> {
    /// A clip, if there is one, shows how limbs bend.
    pub fn new(actor: RetargetRig<'a>, clip: Option<&Clip>) -> Self {
        let rest = actor.skeleton.rest_models();
        let facing = facing(actor.rig, &rest);
        let forward = facing * Vec3::Z;
        let limb = |chain: &[usize], bend| {
            LimbJoints::of_chain(actor.skeleton, chain, clip, bend, forward)
        };
        let legs = actor.rig.feet.iter().map(|foot| limb(&foot.leg, Bend::Back)).collect();
        let arms = actor.rig.arms.iter().map(|arm| limb(&arm.chain, Bend::Forward)).collect();
        Self { actor, rest, facing, legs, arms }
    }

    /// The placement of every joint in the model, frame by frame.
    pub fn model_frames(&self, clip: &Clip) -> Vec<Vec<Transform>> {
        andante_skeleton::model_frames(self.actor.skeleton, clip)
    }

    /// The joint a leg turns about: the root of its bending bones.
    fn leg_root(&self, foot: usize) -> usize {
        self.legs[foot].map_or(self.actor.rig.feet[foot].hip(), |limb| limb.joints[0])
    }

    /// The legs that hang on the hips and not on the spine.
    fn hip_legs(&self) -> impl Iterator<Item = usize> {
        let rig = self.actor.rig;
        (0..rig.feet.len()).filter(move |&foot| {
            let mut above = self.actor.skeleton.ancestors(self.leg_root(foot));
            above.find(|joint| *joint == rig.hips || rig.spine.contains(joint)) == Some(rig.hips)
        })
    }

    /// The middle of the hip joints, or the hips themselves where no leg hangs on them.
    pub fn hip_centre(&self, models: &[Transform]) -> Vec3 {
        let (mut sum, mut count) = (Vec3::ZERO, 0);
        for foot in self.hip_legs() {
            sum += models[self.leg_root(foot)].translation;
            count += 1;
        }
        if count > 0 { sum / count as f32 } else { models[self.actor.rig.hips].translation }
    }

    /// [`Body::hip_centre`] as the hips see it at rest.
    pub fn hip_centre_in_hips(&self) -> Vec3 {
        self.rest[self.actor.rig.hips].inverse().transform_point(self.hip_centre(&self.rest))
    }

    /// The length by which motions are scaled: the mean length of the legs from hip joint to sole; of the trunk if there
    /// are none.
    pub fn measured_size(&self) -> Result<f32, RetargetError> {
        let legs: Vec<usize> = self.hip_legs().collect();
        if !legs.is_empty() {
            let sum: f32 = legs.iter().map(|&foot| self.leg_length(foot)).sum();
            return positive("the length of the legs", sum / legs.len() as f32);
        }
        let (low, high) = self.actor.skeleton.rest_bounds();
        positive("the size of the body", (high - low).length())
    }

    fn leg_length(&self, foot: usize) -> f32 {
        let (root, rig) = (self.leg_root(foot), &self.actor.rig.feet[foot]);
        let bones = rig.leg.iter().skip_while(|&&joint| joint != root).skip(1);
        let bones: f32 =
            bones.map(|&joint| self.actor.skeleton.joint(joint).rest.translation.length()).sum();
        // Distance of the ankle from the line of the sole.
        let (heel, ball) = self.sole(rig, &self.rest);
        let ankle = self.rest[rig.ankle()].translation;
        let below = match (ball - heel).try_normalize() {
            Some(sole) => (heel - ankle).reject_from_normalized(sole),
            None => heel - ankle,
        };
        bones + below.length()
    }

    /// Heel and ball of a foot.
    pub fn sole(&self, foot: &Foot, models: &[Transform]) -> (Vec3, Vec3) {
        (foot.heel.position(models), foot.ball.position(models))
    }

    /// The mean height of points that are down; flat feet alone count if there are any, because heels
    /// and balls that are about to leave the ground are less sure.
    pub fn level(
        &self,
        clip: &Clip,
        frames: &[Vec<Transform>],
        contacts: &Contacts,
    ) -> Option<f32> {
        let (mut flat, mut any) = (MeanHeight::default(), MeanHeight::default());
        for (foot, contact) in self.actor.rig.feet.iter().zip(&contacts.feet) {
            for (frame, models) in frames.iter().enumerate() {
                let time = clip.frame_time(frame);
                let down = [contact.heel_down(time), contact.toe_down(time)];
                for (point, down_now) in [foot.heel, foot.ball].iter().zip(down) {
                    if down_now {
                        any.add(point, models);
                    }
                    if down[0] && down[1] {
                        flat.add(point, models);
                    }
                }
            }
        }
        flat.mean().or(any.mean())
    }

    /// The height of the ground: that of feet that are down, or else of the lowest foot ever.
    pub fn ground(&self, clip: &Clip, frames: &[Vec<Transform>], contacts: &Contacts) -> f32 {
        let feet = &self.actor.rig.feet;
        let points = || feet.iter().flat_map(|foot| [foot.heel, foot.ball, foot.tip]);
        let lowest = || {
            let heights = frames
                .iter()
                .flat_map(|models| points().map(move |point| point.position(models).y));
            heights.fold(f32::INFINITY, f32::min)
        };
        let level = self.level(clip, frames, contacts).unwrap_or_else(lowest);
        if level.is_finite() { level } else { 0.0 }
    }
}

/// A running mean of heights.
#[derive(Default)]
struct MeanHeight {
    sum: f64,
    count: usize,
}

impl MeanHeight {
    fn add(&mut self, point: &BodyPoint, models: &[Transform]) {
        self.sum += f64::from(point.position(models).y);
        self.count += 1;
    }

    fn mean(&self) -> Option<f32> {
        (self.count > 0).then(|| (self.sum / self.count as f64) as f32)
    }
}

/// Which way a body faces at rest. By convention upright and towards +Z; rest poses that are far
/// from it are understood by where head and left side are.
fn facing(rig: &Rig, rest: &[Transform]) -> Quat {
    let at = |joint: usize| rest[joint].translation;
    let left = rig.feet.windows(2).find_map(|pair| {
        let across = at(pair[0].hip()) - at(pair[1].hip());
        let paired = pair[0].side == andante_skeleton::Side::Left
            && pair[1].side == andante_skeleton::Side::Right;
        if paired { across.try_normalize() } else { None }
    });
    let above = rig.head.or(rig.spine.last().copied());
    // Quadrupeds carry their heads in front: only two legs tell that the head is up.
    let up = above
        .filter(|_| rig.feet.len() <= 2)
        .and_then(|joint| (at(joint) - at(rig.hips)).try_normalize());
    let up = up.filter(|up| up.angle_between(Vec3::Y) > UPRIGHT).unwrap_or(Vec3::Y);
    let left = left.map_or(Vec3::X, |left| left.reject_from_normalized(up));
    let left =
        left.try_normalize().filter(|left| left.angle_between(Vec3::X) > UPRIGHT || up != Vec3::Y);
    match left {
        Some(left) => Quat::from_mat3(&glam::Mat3::from_cols(left, up, left.cross(up))).normalize(),
        None => Quat::IDENTITY,
    }
}
