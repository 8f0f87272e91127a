//! What became of a candidate, and what is to become small.

use crate::problem::gait_problem::GaitProblem;
use crate::sketch::gait_sketch::TouchingFeet;
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
/// Weight of effort × slowness.
const OBJECTIVE: f64 = 1e-5;
/// Weight of every soft constraint.
const SOFT: f64 = 2e5;
/// No candidate is worse than one that explodes.
const EXPLODED: f64 = 1e15;
/// What a violation of each soft constraint is measured with. How feet land and push off weighs most: it has to be right before the
/// rest is, because no small change makes a heel that lands first a toe that does.
const UNITS: [f64; 10] = [0.1, 0.05, 1.0, 0.05, 0.05, 0.02, 0.0008, 0.0007, 0.04, 0.02];
/// Parts of the evaluated time in which violations are told apart.
pub(crate) const PARTS: usize = 12;
/// The part of a tolerance that a residual may have for nothing: whoever closes one better has less left for the others.
const CLOSED: f64 = 0.7;
/// What the root of effort × slowness is multiplied with among the errors.
const EFFORT_ERROR: f64 = 1e-3;

/// What became of a candidate.
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
    /// Whether the simulation could not be carried through.
    pub exploded: bool,
}

impl CandidateTrial {
    /// f: what is minimised besides the residuals.
    pub fn value(&self) -> f64 {
        if self.exploded {
            return EXPLODED;
        }
        OBJECTIVE * self.objective + SOFT * self.soft.iter().sum::<f64>()
    }

    /// Whether no soft constraint is violated.
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
            exploded: true,
        }
    }
}

/// What a gait costs.
pub(crate) fn effort_and_slowness(effort: f64, speed: f64) -> f64 {
    effort / speed.powi(2).max(1e-4)
}

/// Values of [`CandidateTrial::value`] below this mean that every soft constraint holds.
pub(crate) const SETTLED: f64 = SOFT;

/// Squared violations by constraint and, within it, by part.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leads([Vec<f64>; 10]);

impl Leads {
    pub(crate) fn add(&mut self, constraint: usize, part: usize, square: f64) {
        let parts = &mut self.0[constraint];
        if parts.len() <= part {
            parts.resize(part + 1, 0.0);
        }
        parts[part] += square;
    }

    /// As many as there are, each in units that are just tolerable.
    pub(crate) fn finish(self, parts: [usize; 10]) -> Vec<f64> {
        let all = self.0.into_iter().zip(parts).zip(UNITS);
        all.flat_map(|((mut squares, parts), unit)| {
            squares.resize(parts, 0.0);
            squares.into_iter().map(move |square| square.sqrt() / unit)
        })
        .collect()
    }
}

impl GaitProblem {
    /// How many leads there are for each soft constraint.
    pub(crate) fn parts(&self) -> [usize; 10] {
        // Of what is evaluated at a time.
        let steps = self.steps.len() / if self.unrolled.is_some() { 2 } else { 1 };
        let pushes = match self.sketch.touch {
            TouchingFeet::Step => 4 * steps * self.feet.len(),
            TouchingFeet::All => PARTS,
        };
        [PARTS, 3, PARTS, 1, 2 * steps, PARTS, PARTS, pushes, PARTS, PARTS]
    }

    /// Everything that is to become small, each in units that are just tolerable: residuals of the cycle, violations of soft
    /// constraints, and a little of the effort.
    pub fn errors(&self, trial: &CandidateTrial) -> Vec<f64> {
        let cycle = trial.residuals.iter().zip(self.tolerances()).map(|(residual, tolerance)| {
            let size = residual / tolerance;
            size - size.clamp(-CLOSED, CLOSED)
        });
        let soft = trial.leads.iter().copied();
        let effort = std::iter::once(EFFORT_ERROR * (trial.objective / self.strength).sqrt());
        cycle.chain(soft).chain(effort).collect()
    }

    /// Sum of the squares of [`errors`](Self::errors): one smooth number that leads to a closed cycle.
    pub fn merit(&self, trial: &CandidateTrial) -> f64 {
        if trial.exploded {
            return EXPLODED;
        }
        self.errors(trial).iter().map(|error| error * error).sum()
    }
}
