//! A foot that stays where it came down.

use super::PlayerOptions;
use super::anchor::Anchor;
use super::mix::flat;
use super::turn::{PlacementMatrix, PlanarTurn};
use crate::feet::bend_toes;
use crate::repertoire::SolePhase;
use andante_skeleton::{Foot, Skeleton, Transform};
use andante_skeleton::{TwoBone, TwoBoneOptions};
use glam::{Quat, Vec2, Vec3};
use std::f32::consts::FRAC_PI_2;

/// Firmness that heel and ball both have in the air, so that neither decides there.
pub(super) const EITHER: f32 = 0.01;

/// What one foot of a player remembers.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct PlayerFoot {
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

impl PlayerFoot {
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
    pub fn land(&mut self, frame: &PlacementMatrix, foot: &Foot, models: &[Transform]) {
        for (index, point) in [foot.heel, foot.ball].iter().enumerate() {
            if self.down[index] && self.ground[index].is_none() {
                self.ground[index] = Some(frame.to_world(flat(point.position(models))));
            }
        }
    }

    /// Works out the correction for the frame: what keeps the points that are down where they came
    /// down; otherwise what is left of the last one.
    pub fn correct(&mut self, frame: &PlacementMatrix, dt: f32, options: &PlayerOptions) {
        let world = self.own.map(|own| frame.to_world(flat(own)));
        let middle = 0.5 * (world[0] + world[1]);
        match self.ground {
            [None, None] => {
                let left = libm::expf(-dt / options.release * std::f32::consts::LN_2);
                self.shift *= left;
                self.yaw *= left;
                return;
            }
            [Some(heel), Some(ball)] => {
                let (is, was) = (world[1] - world[0], ball - heel);
                // As headings turn: from the second axis towards the first.
                self.yaw = libm::atan2f(was.x * is.y - was.y * is.x, was.dot(is));
                // Where they are not as far apart as they were, the firmer one stays.
                let share = self.ball_share();
                let pivot = world[0].lerp(world[1], share);
                self.shift = self.pinned(heel.lerp(ball, share), pivot, middle);
            }
            [Some(ground), None] => self.shift = self.pinned(ground, world[0], middle),
            [None, Some(ground)] => self.shift = self.pinned(ground, world[1], middle),
        }
        if !(self.shift.length() <= options.longest_correction && self.yaw.abs() <= 1.0) {
            self.ground = [None; 2];
            (self.shift, self.yaw) = (Vec2::ZERO, 0.0);
        }
    }

    /// How much the ball counts, against the heel.
    fn ball_share(&self) -> f32 {
        let [heel, ball] = self.firm.map(|firm| firm + EITHER);
        ball / (heel + ball)
    }

    fn pinned(&self, ground: Vec2, point: Vec2, middle: Vec2) -> Vec2 {
        ground - middle - PlanarTurn::by(self.yaw).apply(point - middle)
    }

    /// Takes over where the clips have the sole. A mean of feet is no foot: heel and ball of the mean
    /// are not as far apart as those of the foot, and the one that is down decides. Toes whose tip
    /// would be in the ground are lifted, for they are mixed by their joint, not in space.
    pub fn aim(
        &mut self,
        sole: &SolePhase,
        skeleton: &Skeleton,
        foot: &Foot,
        pose: &mut [Transform],
        models: &[Transform],
    ) {
        self.aim_flat(sole, foot, pose, models);
        let level = |joint: Vec3, _| (joint.y > 0.0).then_some(0.0);
        if bend_toes(skeleton, foot, &self.ankle, FRAC_PI_2, level, pose).is_some() {
            self.aim_flat(sole, foot, pose, models);
        }
    }

    fn aim_flat(
        &mut self,
        sole: &SolePhase,
        foot: &Foot,
        pose: &[Transform],
        models: &[Transform],
    ) {
        let ankle = foot.ankle();
        let [heel, ball] = [foot.heel, foot.ball].map(|point| {
            let in_ankle = match point.joint {
                joint if joint == ankle => point.offset,
                joint if Some(joint) == foot.toes => pose[joint].transform_point(point.offset),
                _ => models[ankle].inverse().transform_point(point.position(models)),
            };
            sole.rotation * in_ankle
        });
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
        frame: &PlacementMatrix,
        pose: &mut [Transform],
        models: &mut [Transform],
    ) {
        let shift = frame.turn.undo(self.shift);
        let middle = 0.5 * (flat(self.own[0]) + flat(self.own[1]));
        let ankle = self.ankle.translation;
        let moved = middle + PlanarTurn::by(self.yaw).apply(flat(ankle) - middle) + shift;
        let target = Transform::new(
            Quat::from_rotation_y(self.yaw) * self.ankle.rotation,
            Vec3::new(moved.x, ankle.y, moved.y),
        );
        leg.solve(&target, &TwoBoneOptions::default(), pose, models);
        for joint in skeleton.subtree(foot.ankle()).skip(1) {
            if let Some(parent) = skeleton.parent(joint) {
                models[joint] = models[parent] * pose[joint];
            }
        }
    }
}
