//! A foot that stays where it came down.

use super::anchor::Anchor;
use super::mix::flat;
use crate::repertoire::Sole;
use andante_ik::{TwoBone, TwoBoneOptions};
use andante_skeleton::{Foot, Planar, Skeleton, Transform};
use glam::{Quat, Vec2, Vec3};

/// Seconds in which half of a correction is gone after the foot has left the ground.
const RELEASE: f32 = 0.06;

/// A correction longer than this, in metres, is no correction: the foot lets go.
const LONGEST: f32 = 0.25;

/// Firmness that heel and ball both have in the air, so that neither decides there.
const EITHER: f32 = 0.01;

/// What one foot of a player remembers.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct Footing {
    /// Where heel and ball came down, while they are down, as (x, z).
    pub ground: [Option<Vec2>; 2],
    /// Whether they are down.
    pub down: [bool; 2],
    /// How firmly they are.
    pub firm: [f32; 2],
    /// Heel and ball in the character's frame, before correction.
    pub own: [Vec3; 2],
    /// The ankle in the character's frame, before correction.
    ankle: Transform,
    /// The shift of the sole's middle that keeps the foot where it is, in the world.
    shift: Vec2,
    /// The turn about it.
    yaw: f32,
}

impl Footing {
    /// Points that are down and were down.
    pub fn anchors(&self) -> impl Iterator<Item = Anchor> + '_ {
        (0..2).filter_map(|point| {
            let ground = self.ground[point]?;
            let weight = self.firm[point];
            (weight > 0.0).then(|| Anchor { own: flat(self.own[point]), ground, weight })
        })
    }

    /// Forgets where the foot was.
    pub fn release(&mut self) {
        *self = Self::default();
    }

    /// Lets go of what is no longer down.
    pub fn lift(&mut self) {
        for point in 0..2 {
            if !self.down[point] {
                self.ground[point] = None;
            }
        }
    }

    /// Remembers where heel and ball are once they are down.
    pub fn land(&mut self, placement: &Planar, points: [Vec3; 2]) {
        for point in 0..2 {
            if self.down[point] && self.ground[point].is_none() {
                let landed = placement.then(&Planar::new(flat(points[point]), 0.0));
                self.ground[point] = Some(landed.position);
            }
        }
    }

    /// Works out the correction for the frame: what keeps the points that are down where they came
    /// down; otherwise what is left of the last one.
    pub fn correct(&mut self, placement: &Planar, dt: f32) {
        let world = self.own.map(|own| placement.then(&Planar::new(flat(own), 0.0)).position);
        let middle = 0.5 * (world[0] + world[1]);
        match self.ground {
            [None, None] => {
                let left = (-dt / RELEASE * std::f32::consts::LN_2).exp();
                self.shift *= left;
                self.yaw *= left;
                return;
            }
            [Some(heel), Some(ball)] => {
                let (is, was) = (world[1] - world[0], ball - heel);
                // As headings turn: from the second axis towards the first.
                self.yaw = (was.x * is.y - was.y * is.x).atan2(was.dot(is));
                self.shift = 0.5 * (heel + ball) - middle;
            }
            [Some(ground), None] => self.shift = self.pinned(ground, world[0], middle),
            [None, Some(ground)] => self.shift = self.pinned(ground, world[1], middle),
        }
        if !(self.shift.length() <= LONGEST && self.yaw.abs() <= 1.0) {
            self.ground = [None; 2];
            (self.shift, self.yaw) = (Vec2::ZERO, 0.0);
        }
    }

    fn pinned(&self, ground: Vec2, point: Vec2, middle: Vec2) -> Vec2 {
        ground - middle - turned(point - middle, self.yaw)
    }

    /// Takes over where the clips have the sole. A mean of feet is no foot: heel and ball of the mean
    /// are not as far apart as those of the foot, and the one that is down decides.
    pub fn aim(&mut self, sole: &Sole, foot: &Foot, models: &[Transform]) {
        let inverse = models[foot.ankle()].inverse();
        let [heel, ball] = [foot.heel, foot.ball]
            .map(|point| sole.rotation * inverse.transform_point(point.position(models)));
        let [heel_firm, ball_firm] = self.firm.map(|firm| firm + EITHER);
        let share = ball_firm / (heel_firm + ball_firm);
        self.ankle =
            Transform::new(sole.rotation, (sole.heel - heel).lerp(sole.ball - ball, share));
        self.own = [heel, ball].map(|point| self.ankle.translation + point);
    }

    /// Bends the leg so that the foot is where it was aimed at, corrected.
    pub fn reach(
        &self,
        skeleton: &Skeleton,
        foot: &Foot,
        leg: &TwoBone,
        heading: f32,
        pose: &mut [Transform],
        models: &mut [Transform],
    ) {
        let shift = turned(self.shift, -heading);
        let middle = 0.5 * (flat(self.own[0]) + flat(self.own[1]));
        let ankle = self.ankle.translation;
        let moved = middle + turned(flat(ankle) - middle, self.yaw) + shift;
        let target = Transform::new(
            Quat::from_rotation_y(self.yaw) * self.ankle.rotation,
            Vec3::new(moved.x, ankle.y, moved.y),
        );
        leg.solve(&target, &TwoBoneOptions::default(), pose, models);
        let below = skeleton.subtree(foot.ankle()).skip(1);
        for joint in below {
            if let Some(parent) = skeleton.parent(joint) {
                models[joint] = models[parent] * pose[joint];
            }
        }
        let Some(toes) = foot.toes.filter(|&toes| foot.tip.joint == toes) else { return };
        let lift = self.toe_lift(models[toes].translation, foot.tip.position(models));
        if let (Some(turn), Some(parent)) = (lift, skeleton.parent(toes)) {
            models[toes].rotation = turn * models[toes].rotation;
            pose[toes].rotation = models[parent].rotation.conjugate() * models[toes].rotation;
            for joint in skeleton.subtree(toes).skip(1) {
                if let Some(parent) = skeleton.parent(joint) {
                    models[joint] = models[parent] * pose[joint];
                }
            }
        }
    }

    /// The turn that takes the tip of swinging toes out of the ground. Feet are mixed in space, toes
    /// by their joint.
    fn toe_lift(&self, joint: Vec3, tip: Vec3) -> Option<Quat> {
        let free = 1.0 - self.firm[1];
        if tip.y >= 0.0 || free <= 0.0 || joint.y <= 0.0 {
            return None;
        }
        let toe = tip - joint;
        let ahead = flat(toe).length();
        let length = toe.length();
        let axis = Vec3::new(toe.x, 0.0, toe.z).cross(Vec3::Y).try_normalize()?;
        let wanted = (-joint.y / length).clamp(-1.0, 1.0).asin();
        Some(Quat::from_axis_angle(axis, (wanted - toe.y.atan2(ahead)) * free))
    }
}

fn turned(v: Vec2, heading: f32) -> Vec2 {
    Planar::new(Vec2::ZERO, heading).then(&Planar::new(v, 0.0)).position
}
