//! Closing a cycle by least squares.

use crate::evaluator::Evaluator;
use crate::rollout::Trial;
use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

/// How a cycle is closed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClosingOptions {
    /// Change of a variable from which slopes are taken, of its interval.
    pub difference: f64,
}

impl Default for ClosingOptions {
    fn default() -> Self {
        Self { difference: 3e-4 }
    }
}

/// Damped Gauss-Newton steps on the residuals of the cycle, the violated soft constraints and the effort together.
///
/// A sampling search gets near a cycle and takes its time to close it: seventy residuals, each of a different slope. Slopes by
/// finite differences cost one simulation for each variable, and a few steps along them close the cycle for good
/// (K. Levenberg 1944, D. Marquardt 1963).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Closing {
    options: ClosingOptions,
    point: Vec<f64>,
    trial: Trial,
    damping: f64,
    evaluations: u64,
    steps: u32,
    stalled: u32,
}

/// Dampings tried at once, as factors.
const FACTORS: [f64; 8] = [1e-3, 1e-2, 0.1, 1.0, 10.0, 1e2, 1e3, 1e4];
/// Damping in the middle of the first ones: errors change by hundreds of tolerances over the interval of a variable.
const FIRST: f64 = 100.0;

impl Closing {
    /// From a place in the unit cube.
    pub fn new(point: Vec<f64>, trial: Trial, options: ClosingOptions) -> Self {
        Self { options, point, trial, damping: FIRST, evaluations: 0, steps: 0, stalled: 0 }
    }

    /// One step: slopes, then the best of several damped moves. Whether it got better.
    pub fn step(&mut self, evaluator: &Evaluator) -> bool {
        let problem = evaluator.problem();
        // Away from the nearer end of the interval.
        let h = self.options.difference;
        let differences: Vec<f64> =
            self.point.iter().map(|unit| if *unit > 0.5 { -h } else { h }).collect();
        let moved = |(variable, difference): (usize, &f64)| {
            let mut point = self.point.clone();
            point[variable] += difference;
            point
        };
        let points: Vec<Vec<f64>> = differences.iter().enumerate().map(moved).collect();
        let trials = evaluator.evaluate(&points);
        let errors = DVector::from_vec(problem.errors(&self.trial));
        let mut slopes = DMatrix::zeros(errors.len(), differences.len());
        for (column, (trial, difference)) in trials.iter().zip(&differences).enumerate() {
            if !trial.exploded {
                let change = DVector::from_vec(problem.errors(trial)) - &errors;
                slopes.set_column(column, &(change / *difference));
            }
        }
        let normal = slopes.transpose() * &slopes;
        let gradient = slopes.transpose() * &errors;
        let candidates: Vec<Vec<f64>> = FACTORS
            .iter()
            .filter_map(|factor| {
                let mut damped = normal.clone();
                for k in 0..differences.len() {
                    damped[(k, k)] += self.damping * factor * (1.0 + 1e-3 * normal[(k, k)]);
                }
                let step = damped.cholesky()?.solve(&gradient);
                let mut point = self.point.clone();
                for (unit, step) in point.iter_mut().zip(step.iter()) {
                    *unit = (*unit - step).clamp(0.0, 1.0);
                }
                Some(point)
            })
            .collect();
        let results = evaluator.evaluate(&candidates);
        self.evaluations += (points.len() + candidates.len()) as u64;
        self.steps += 1;
        let now = problem.merit(&self.trial);
        let best = results
            .into_iter()
            .zip(candidates)
            .zip(FACTORS)
            .map(|((trial, point), factor)| (problem.merit(&trial), trial, point, factor))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        match best {
            Some((merit, trial, point, factor)) if merit < now => {
                self.stalled = if merit > 0.999 * now { self.stalled + 1 } else { 0 };
                self.damping = (self.damping * factor).clamp(1e-8, 1e8);
                (self.point, self.trial) = (point, trial);
                true
            }
            _ => {
                self.damping = (self.damping * 100.0).min(1e8);
                self.stalled += 1;
                false
            }
        }
    }

    /// Where it is.
    pub fn point(&self) -> &[f64] {
        &self.point
    }

    /// What becomes of that.
    pub fn trial(&self) -> &Trial {
        &self.trial
    }

    /// Simulations so far.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// Steps so far.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// Steps in a row that made next to no difference.
    pub fn stalled(&self) -> u32 {
        self.stalled
    }

    /// Whether all vectors fit a problem of this size.
    pub(crate) fn fits(&self, variables: usize, constraints: usize) -> bool {
        self.point.len() == variables && self.trial.residuals.len() == constraints
    }
}
