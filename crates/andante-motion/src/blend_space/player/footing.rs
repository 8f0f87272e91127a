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

/// What one foot of a player remembers.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct Footing {
    /// Where heel and ball came down, while they are down, as (x, z).
    pub ground: [Option<Vec2>; 2],
    /// How firmly they are down.
    pub firm: [f32; 2],
    /// Heel and ball in the character's frame, before correction.
    pub own: [Vec3; 2],
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
            if self.firm[point] <= 0.0 {
                self.ground[point] = None;
            }
        }
    }

    /// Remembers where heel and ball are once they are down.
    pub fn land(&mut self, placement: &Planar, points: [Vec3; 2]) {
        for point in 0..2 {
            if self.firm[point] > 0.0 && self.ground[point].is_none() {
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

    /// Bends the leg so that the sole is where the clips have it, corrected.
    #[expect(clippy::too_many_arguments, reason = "a pose and what surrounds it")]
    pub fn reach(
        &self,
        skeleton: &Skeleton,
        foot: &Foot,
        leg: &TwoBone,
        sole: &Sole,
        placement: &Planar,
        pose: &mut [Transform],
        models: &mut [Transform],
    ) -> f32 {
        let ankle = foot.ankle();
        let inverse = models[ankle].inverse();
        let rotation = Quat::from_rotation_y(self.yaw) * sole.rotation;
        let shift = turned(self.shift, -placement.heading);
        let middle = 0.5 * (flat(self.own[0]) + flat(self.own[1]));
        let corrected = |point: Vec3| {
            let flat = middle + turned(flat(point) - middle, self.yaw) + shift;
            Vec3::new(flat.x, point.y, flat.y)
        };
        // The ankle as seen from the heel and from the ball; they differ by what a mean of feet is no
        // foot. The point that is down decides.
        let from =
            |point: Vec3, part: Vec3| corrected(point) - rotation * inverse.transform_point(part);
        let heel = from(self.own[0], foot.heel.position(models));
        let ball = from(self.own[1], foot.ball.position(models));
        let [heel_firm, ball_firm] = self.firm.map(|firm| firm + 0.01);
        let target = Transform::new(rotation, heel.lerp(ball, ball_firm / (heel_firm + ball_firm)));
        let report = leg.solve(&target, &TwoBoneOptions::default(), pose, models);
        for joint in skeleton.subtree(ankle).skip(1) {
            if let Some(parent) = skeleton.parent(joint) {
                models[joint] = models[parent] * pose[joint];
            }
        }
        report.residual
    }
}

fn turned(v: Vec2, heading: f32) -> Vec2 {
    Planar::new(Vec2::ZERO, heading).then(&Planar::new(v, 0.0)).position
}
