//! What the joints of a skeleton are for.

use crate::{Skeleton, Transform};
use glam::Vec3;
use std::ops::Range;

/// A skeleton and the roles of its joints.
#[derive(Clone, Debug, PartialEq)]
pub struct Character {
    /// Short name, as typed on a command line.
    pub name: String,
    /// One sentence for lists.
    pub description: String,
    /// The joints.
    pub skeleton: Skeleton,
    /// Which of them are hips, feet, hands.
    pub rig: Rig,
}

impl Character {
    /// A character without a description.
    pub fn new(name: impl Into<String>, skeleton: Skeleton, rig: Rig) -> Self {
        Self { name: name.into(), description: String::new(), skeleton, rig }
    }

    /// [`Rig::upper_body`] of it.
    pub fn upper_body(&self) -> Range<usize> {
        self.rig.upper_body(&self.skeleton)
    }
}

/// The roles of a skeleton's joints: what turns a tree of joints into something that can walk.
#[derive(Clone, Debug, PartialEq)]
pub struct Rig {
    /// The joint that carries the trunk and the legs; root motion is taken from it.
    pub hips: usize,
    /// From the first joint above the hips up to the one below the head.
    pub spine: Vec<usize>,
    /// The head, if there is one.
    pub head: Option<usize>,
    /// Feet, left before right, front before back.
    pub feet: Vec<Foot>,
    /// Arms, left before right.
    pub arms: Vec<Arm>,
}

impl Rig {
    /// The longest row of joints that are no part of hips, legs and feet, nor between them and the root: where feet
    /// are does not depend on them.
    pub fn upper_body(&self, skeleton: &Skeleton) -> Range<usize> {
        let mut carries = vec![false; skeleton.len()];
        let points = self.feet.iter().flat_map(|foot| [foot.heel, foot.ball, foot.tip]);
        let feet = self.feet.iter().flat_map(|foot| skeleton.subtree(foot.ankle()));
        for joint in feet.chain(points.map(|point| point.joint)).chain([self.hips]) {
            skeleton.ancestors(joint).for_each(|joint| carries[joint] = true);
        }
        let mut longest = 0..0;
        let mut from = 0;
        for joint in 0..=carries.len() {
            if carries.get(joint).is_none_or(|carries| *carries) {
                if joint - from > longest.len() {
                    longest = from..joint;
                }
                from = joint + 1;
            }
        }
        longest
    }
}

/// A leg and its foot.
#[derive(Clone, Debug, PartialEq)]
pub struct Foot {
    /// Name of the foot, such as `left foot`.
    pub name: String,
    /// Which side of the body it is on.
    pub side: Side,
    /// From the hip joint down to the ankle.
    pub leg: Vec<usize>,
    /// The joint that bends the toes, if there is one.
    pub toes: Option<usize>,
    /// The lowest point of the heel.
    pub heel: BodyPoint,
    /// The sole below the toe joint, about which the heel rises.
    pub ball: BodyPoint,
    /// The sole at the tip of the toes.
    pub tip: BodyPoint,
}

impl Foot {
    /// The joint the foot turns about.
    pub fn ankle(&self) -> usize {
        self.leg[self.leg.len() - 1]
    }

    /// The joint the leg hangs on.
    pub fn hip(&self) -> usize {
        self.leg[0]
    }
}

/// An arm from the shoulder joint to the hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// Which side of the body it is on.
    pub side: Side,
    /// From the shoulder joint to the hand.
    pub chain: Vec<usize>,
}

/// A side of the body; left is +X at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The character's own left.
    Left,
    /// The character's own right.
    Right,
    /// On the plane of symmetry, or without a side.
    Middle,
}

/// A point that moves with a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyPoint {
    /// The joint it is fixed to.
    pub joint: usize,
    /// Its position in that joint's frame.
    pub offset: Vec3,
}

impl BodyPoint {
    /// The position of the point, given the placement of every joint in the model.
    #[inline]
    pub fn position(&self, models: &[Transform]) -> Vec3 {
        models[self.joint].transform_point(self.offset)
    }
}
