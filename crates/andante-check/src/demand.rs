//! What was asked for, told by whoever asked and not by whoever made the take.

use andante_world::{GroundPatch, Obstacle};
use glam::Vec2;

/// A world and the parts of everybody in it.
#[derive(Clone, Debug, Default)]
pub struct Demand {
    /// The ground, piece by piece.
    pub ground: Vec<GroundPatch>,
    /// What stands or hangs in the way at the beginning.
    pub obstacles: Vec<Obstacle>,
    /// What is asked of each track, in the order of the take.
    pub parts: Vec<PartDemand>,
}

/// The demands on one character of a take.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartDemand {
    /// Its name; any if not given.
    pub name: Option<String>,
    /// How tall it is, in metres; any if not given.
    pub height: Option<f32>,
    /// Whether forces move it from beginning to end.
    pub physical: bool,
    /// Where it is to begin.
    pub start: Option<DemandedSpot>,
    /// Where it is to end; none for who is sent nowhere.
    pub goal: Option<DemandedSpot>,
}

/// A place to be at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DemandedSpot {
    /// As `(x, z)`.
    pub place: Vec2,
    /// The storey: the highest ground that is not higher than this. The highest of all if not given.
    pub height: Option<f32>,
    /// Where to face, from +Z towards +X, in radians; anywhere if not given.
    pub heading: Option<f32>,
}
