//! What became of a candidate, and what is to become small.

use crate::problem::trunk_swing::TrunkSwing;
use serde::{Deserialize, Serialize};

/// Names of the soft constraints, in the order of [`CandidateTrial::soft`].
pub const SOFT_CONSTRAINTS: [&str; 10] = [
    "keeps moving forwards",
    "mean velocity",
    "joint speeds",
    "effort",
    "priority of sketched modes",
    "upright",
    "support foot down",
    "push-off",
    "legs do not trip",
    "swing feet above ground",
];

/// The soft constraints, in the order of [`SOFT_CONSTRAINTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SoftConstraint {
    Forwards,
    MeanVelocity,
    JointSpeeds,
    Effort,
    Priority,
    Upright,
    SupportDown,
    PushOff,
    LegLengths,
    SwingClear,
}

/// No candidate is worse than one that explodes.
pub(crate) const EXPLODED: f64 = 1e15;

/// The trial of a candidate: what its simulation came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CandidateTrial {
    /// Effort × slowness: 1/v² · mean of the sum of squared active torques.
    pub objective: f64,
    /// How much each of [`SOFT_CONSTRAINTS`] is violated; all zero for a valid gait.
    pub soft: [f64; 10],
    /// Violations of thresholds that are stricter by a margin, one by one and in parts of the time, each in units that are just
    /// tolerable: which way to go.
    pub leads: Vec<f64>,
    /// φ: how far the end is from the beginning.
    pub residuals: Vec<f64>,
    /// Mean velocity of the centre of mass, m/s.
    pub velocity: [f64; 3],
    /// Mean of the sum of squared active torques, (N·m)².
    pub effort: f64,
    /// Mechanical work of the active torques, its positive part, J.
    pub work: f64,
    /// How far the trunk swings.
    pub trunk: TrunkSwing,
    /// Whether the simulation could not be carried through.
    pub exploded: bool,
}

impl CandidateTrial {
    /// True if no soft constraint is violated.
    pub fn is_sound(&self) -> bool {
        !self.exploded && self.soft.iter().all(|soft| *soft == 0.0)
    }

    /// Of a cycle whose halves were evaluated apart: everything that is wrong with either.
    pub(crate) fn joined(first: Self, second: Self) -> Self {
        let mean = |a: f64, b: f64| 0.5 * (a + b);
        let velocity: [f64; 3] =
            std::array::from_fn(|k| mean(first.velocity[k], second.velocity[k]));
        let effort = mean(first.effort, second.effort);
        Self {
            objective: effort_and_slowness(effort, velocity[2]),
            soft: std::array::from_fn(|k| first.soft[k] + second.soft[k]),
            leads: [first.leads, second.leads].concat(),
            residuals: [first.residuals, second.residuals].concat(),
            velocity,
            effort,
            work: first.work + second.work,
            trunk: first.trunk.max(second.trunk),
            exploded: first.exploded || second.exploded,
        }
    }

    pub(crate) fn exploded(constraints: usize) -> Self {
        Self {
            objective: f64::MAX,
            soft: [0.0; 10],
            leads: Vec::new(),
            residuals: vec![100.0; constraints],
            velocity: [0.0; 3],
            effort: 0.0,
            work: 0.0,
            trunk: TrunkSwing::default(),
            exploded: true,
        }
    }
}

/// What a gait costs.
pub(crate) fn effort_and_slowness(effort: f64, speed: f64) -> f64 {
    effort / speed.powi(2).max(1e-4)
}

/// Squared violations by constraint and, within it, by part.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leads([Vec<f64>; 10]);

impl Leads {
    pub(crate) fn add(&mut self, constraint: SoftConstraint, part: usize, square: f64) {
        let parts = &mut self.0[constraint as usize];
        if parts.len() <= part {
            parts.resize(part + 1, 0.0);
        }
        parts[part] += square;
    }

    /// As many as there are, each in units that are just tolerable.
    pub(crate) fn finish(self, parts: [usize; 10], units: &[f64; 10]) -> Vec<f64> {
        let all = self.0.into_iter().zip(parts).zip(units);
        all.flat_map(|((mut squares, parts), unit)| {
            squares.resize(parts, 0.0);
            squares.into_iter().map(move |square| square.sqrt() / unit)
        })
        .collect()
    }
}
