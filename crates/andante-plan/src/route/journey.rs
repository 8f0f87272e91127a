//! A way from a start to a goal, as it was found and as it is gone.

use super::{Curve, JumpLink, TreeBranch};
use glam::Vec2;

/// A leg of a journey: a part of it that is walked or jumped.
#[derive(Clone, Debug, PartialEq)]
pub enum RouteLeg {
    /// On foot along places `(x, z)` that may be joined by straight lines.
    Walk(Vec<Vec2>),
    /// Over a gap.
    Jump(Jump),
}

/// A gap that is jumped.
#[derive(Clone, Debug, PartialEq)]
pub struct Jump {
    /// Where the way leaves the near rim.
    pub from: Vec2,
    /// Where it meets the far rim, straight ahead.
    pub to: Vec2,
    /// The clip to jump with; the shortest that reaches if none is named.
    pub clip: Option<String>,
}

/// The search behind one walk of a journey.
#[derive(Clone, Debug, PartialEq)]
pub struct RouteWalk {
    /// The level it begins on.
    pub level: usize,
    /// Its corners, from the shortest way.
    pub corners: Vec<Vec2>,
    /// The way with its corners rounded.
    pub curve: Curve,
    /// The trees that found it, in the order in which they grew; none on the navigation mesh.
    pub branches: Vec<TreeBranch>,
}

/// A journey from a start to a goal. Walks and jumps alternate; it begins and ends with a walk.
#[derive(Clone, Debug, PartialEq)]
pub struct RouteJourney {
    /// Its parts in order: each walk along its curve, each jump from rim to rim.
    pub legs: Vec<RouteLeg>,
    /// How its walks were found, in order.
    pub walks: Vec<RouteWalk>,
    /// Its jumps, in order.
    pub jumps: Vec<JumpLink>,
    /// Length of everything walked and jumped, in metres.
    pub length: f32,
}
