//! How a walk or a run is kept up.

use super::cycle::WalkCycle;
use crate::control::whole_body::Weights;
use crate::table::{default_table, table};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// Gains and limits of the walk controller. The defaults suit a human; they are the tables `controllers/walk.toml` and
/// `run.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WalkOptions {
    /// How fast the capture point is drawn to where the walk has it, 1/s.
    pub centring: f64,
    /// How fast angular momentum comes to the walk's, 1/s.
    pub spin_decay: f64,
    /// Stiffness of height, 1/s²; critically damped.
    pub height_stiffness: f64,
    /// Stiffness of the trunk's attitude, 1/s²; critically damped.
    pub trunk_stiffness: f64,
    /// Stiffness of a swinging foot's way, 1/s²; critically damped.
    pub swing_stiffness: f64,
    /// Part of the capture point's error at the next strike that the foot makes up for.
    pub placement: f64,
    /// How far a foot may land before or behind where the walk has it, m.
    pub reach: f64,
    /// How far it may land farther out, m.
    pub aside: f64,
    /// Least distance of the feet across the body, m.
    pub apart: f64,
    /// How far beyond the feet hips and arms may bring the effective pressure, m.
    pub hip_reach: f64,
    /// Largest rate of angular momentum that is asked for, N·m.
    pub moment: f64,
    /// What a step that is a tenth quicker than usual is worth, as a foot's way aside, m.
    pub haste: f64,
    /// Quickest pace of a step that is in a hurry, against the usual one.
    pub hurry: f64,
    /// How fast it turns to its goal, rad/s.
    pub turn: f64,
    /// Pace at which somebody sets off, against the usual: weight has to go over first.
    pub first_pace: f64,
    /// Weight on a foot that counts as a strike, N.
    pub strike_load: f64,
    /// Corners of the walk's sole this near to its lowest bear, m.
    pub bears: f64,
    /// Most that a step to a goal is made longer or shorter to end where it should, m.
    pub stretch: f64,
    /// Most that it goes aside, m.
    pub sidestep: f64,
    /// Most that the last one goes aside, m.
    pub widen: f64,
    /// What matters against what.
    pub weights: Weights,
}

default_table!(WalkOptions, "walk.toml");

impl WalkOptions {
    /// For a run of a human.
    pub fn run() -> Self {
        static TABLE: LazyLock<WalkOptions> =
            LazyLock::new(|| table(include_str!("../../controllers/run.toml")));
        *TABLE
    }

    /// The defaults that suit a cycle.
    pub fn of(cycle: &WalkCycle) -> Self {
        if cycle.flies { Self::run() } else { Self::default() }
    }
}
