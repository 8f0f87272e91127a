//! How a clip becomes a cycle that a body can walk.

use crate::table::default_table;
use serde::{Deserialize, Serialize};

/// Settings by which a clip becomes a cycle of a body with stiff feet. The defaults are the table
/// `controllers/cycle.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CycleSettings {
    /// How straight a leg may become in a walk: part of its length. Near 1 knees snap.
    pub stretch: f64,
    /// The same in a run, whose legs must give way at once when they strike.
    pub running_stretch: f64,
    /// Where toes bear: part of their way to the edge.
    pub tip: f64,
    /// Where a runner's sole bears when it strikes, as part of the way from ankle to toe.
    pub runner_strike: f64,
    /// Where it bears before its heel rises.
    pub runner_spring: f64,
    /// Part of the stance in which the pressure goes on to the toes when a runner's heel rises.
    pub over: f64,
    /// Inertia of a trunk whose limbs keep their directions, about the axes across, up and ahead: parts of the mass times
    /// the square of the height of its centre.
    pub trunk: [f64; 3],
    /// How much flatter than half a sine a runner's push is: the third harmonic in it.
    pub flat: f64,
    /// Heel rise below which a stiff foot stays flat, m: a soft foot spreads its roll over the whole stance.
    pub soft: f64,
    /// How high a walker's foot swings at least, m.
    pub clearance: f64,
    /// The same of a runner's, whose toes hang down.
    pub running_clearance: f64,
    /// Part of a runner's stance after which its heel begins to rise. Sooner, its stiff toes would be too long a lever for
    /// the ankle; later, the ankle would have to bend too far.
    pub heel_rise: f64,
    /// By how much the heel has risen when the toes leave, rad.
    pub toe_off: f64,
    /// How far a runner's foot hangs down in the air, against the clip's: that has toes that bend.
    pub hanging: f64,
    /// Pitch at which a heel has risen, rad: only the toes bear.
    pub risen: f64,
    /// The slowest walk of a [`Ladder`](crate::Ladder), m/s.
    pub slowest: f64,
    /// How much faster each next one is, m/s.
    pub faster: f64,
}

default_table!(CycleSettings, "cycle.toml");
