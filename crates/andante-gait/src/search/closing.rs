//! Closing a cycle by least squares.

use crate::problem::candidate_trial::CandidateTrial;
use crate::problem::evaluator::Evaluator;
use crate::problem::gait_problem::GaitProblem;
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
    trial: CandidateTrial,
    /// Of each error; none for all alike.
    weights: Vec<f64>,
    weighings: u32,
    damping: f64,
    evaluations: u64,
    steps: u32,
    stalled: u32,
}

/// Differences tried one after the other while steps fail, as factors: feet catch and slip, so that slopes depend on how far
/// one looks.
const DIFFERENCES: [f64; 4] = [1.0, 10.0, 0.1, 40.0];
/// Dampings tried at once, as factors.
const FACTORS: [f64; 8] = [1e-3, 1e-2, 0.1, 1.0, 10.0, 1e2, 1e3, 1e4];
/// Damping in the middle of the first ones: errors change by hundreds of tolerances over the interval of a variable.
const FIRST: f64 = 100.0;

impl Closing {
    /// From a place in the unit cube.
    pub fn new(point: Vec<f64>, trial: CandidateTrial, options: ClosingOptions) -> Self {
        Self {
            options,
            point,
            trial,
            weights: Vec::new(),
            weighings: 0,
            damping: FIRST,
            evaluations: 0,
            steps: 0,
            stalled: 0,
        }
    }

    /// Gives what is still wrong more weight, the more wrong the more. Where steps no longer help, the sum of squares has a
    /// minimum that is no solution; with other weights it is elsewhere, and the way there often passes one
    /// (P. Morris, "The breakout method for escaping from local minima", 1993).
    pub fn weigh(&mut self, problem: &GaitProblem) {
        let errors = problem.errors(&self.trial);
        let largest = errors.iter().fold(0.0f64, |largest, error| largest.max(error.abs()));
        self.weights.resize(errors.len(), 1.0);
        for (weight, error) in self.weights.iter_mut().zip(&errors) {
            *weight *= 1.0 + error.abs() / largest.max(1e-9);
        }
        self.weighings += 1;
        self.damping = FIRST;
        self.stalled = 0;
    }

    /// How often errors have been weighed.
    pub fn weighings(&self) -> u32 {
        self.weighings
    }

    fn errors(&self, problem: &GaitProblem, trial: &CandidateTrial) -> DVector<f64> {
        let weights = self.weights.iter().copied().chain(std::iter::repeat(1.0));
        let errors = problem.errors(trial).into_iter().zip(weights);
        DVector::from_vec(errors.map(|(error, weight)| weight * error).collect())
    }

    /// One step: slopes, then the best of several damped moves. Whether it got better.
    pub fn step(&mut self, evaluator: &Evaluator) -> bool {
        let problem = evaluator.problem();
        // Away from the nearer end of the interval.
        let h = self.options.difference * DIFFERENCES[self.stalled as usize % DIFFERENCES.len()];
        let differences: Vec<f64> =
            self.point.iter().map(|unit| if *unit > 0.5 { -h } else { h }).collect();
        let moved = |(variable, difference): (usize, &f64)| {
            let mut point = self.point.clone();
            point[variable] += difference;
            point
        };
        let points: Vec<Vec<f64>> = differences.iter().enumerate().map(moved).collect();
        let trials = evaluator.evaluate(&points);
        let errors = self.errors(problem, &self.trial);
        let mut slopes = DMatrix::zeros(errors.len(), differences.len());
        for (column, (trial, difference)) in trials.iter().zip(&differences).enumerate() {
            if !trial.exploded {
                let change = self.errors(problem, trial) - &errors;
                slopes.set_column(column, &(change / *difference));
            }
        }
        let normal = slopes.transpose() * &slopes;
        let gradient = slopes.transpose() * &errors;
        let candidates: Vec<Vec<f64>> = FACTORS
            .iter()
            .filter_map(|factor| self.damped(&normal, &gradient, self.damping * factor))
            .collect();
        let results = evaluator.evaluate(&candidates);
        self.evaluations += (points.len() + candidates.len()) as u64;
        self.steps += 1;
        let merit = |trial: &CandidateTrial| {
            if trial.exploded { f64::INFINITY } else { self.errors(problem, trial).norm_squared() }
        };
        let now = merit(&self.trial);
        let best = results
            .into_iter()
            .zip(candidates)
            .zip(FACTORS)
            .map(|((trial, point), factor)| (merit(&trial), trial, point, factor))
            .min_by(|a, b| {
                let (valid, than) = (problem.is_valid(&a.1), problem.is_valid(&b.1));
                than.cmp(&valid).then(a.0.total_cmp(&b.0))
            });
        match best {
            Some((merit, trial, point, factor)) if merit < now || problem.is_valid(&trial) => {
                self.stalled = if merit > 0.999 * now { self.stalled + 1 } else { 0 };
                self.damping = (self.damping * factor).clamp(1e-8, 1e8);
                (self.point, self.trial) = (point, trial);
                true
            }
            _ => {
                self.stalled += 1;
                false
            }
        }
    }

    /// The damped step to where the cube ends: a variable that would leave it stays on its face, and the others make up for
    /// that.
    fn damped(
        &self,
        normal: &DMatrix<f64>,
        gradient: &DVector<f64>,
        damping: f64,
    ) -> Option<Vec<f64>> {
        let mut held: Vec<Option<f64>> = vec![None; self.point.len()];
        loop {
            let free: Vec<usize> = (0..held.len()).filter(|&k| held[k].is_none()).collect();
            let matrix = DMatrix::from_fn(free.len(), free.len(), |row, column| {
                let (row, column) = (free[row], free[column]);
                let extra =
                    if row == column { damping * (1.0 + 1e-3 * normal[(row, row)]) } else { 0.0 };
                normal[(row, column)] + extra
            });
            let wanted = DVector::from_fn(free.len(), |row, _| {
                let row = free[row];
                let shifts = held.iter().enumerate();
                let shift: f64 =
                    shifts.filter_map(|(k, held)| held.map(|by| normal[(row, k)] * by)).sum();
                -gradient[row] - shift
            });
            let step = matrix.cholesky()?.solve(&wanted);
            let mut left = false;
            for (&k, step) in free.iter().zip(step.iter()) {
                let to = self.point[k] + step;
                if !(0.0..=1.0).contains(&to) {
                    held[k] = Some(to.clamp(0.0, 1.0) - self.point[k]);
                    left = true;
                }
            }
            if !left {
                let mut point = self.point.clone();
                for (k, by) in held.iter().enumerate() {
                    point[k] += by.unwrap_or(0.0);
                }
                for (&k, step) in free.iter().zip(step.iter()) {
                    point[k] += step;
                }
                return Some(point);
            }
        }
    }

    /// Where it is.
    pub fn point(&self) -> &[f64] {
        &self.point
    }

    /// What becomes of that.
    pub fn trial(&self) -> &CandidateTrial {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GaitSketch, ProblemOptions};
    use std::sync::Arc;

    #[test]
    fn what_is_most_wrong_gains_most_weight_and_steps_follow_it() {
        let sketch = GaitSketch::built_in("kangaroo-hop").unwrap();
        let body = andante_body::creature(&sketch.character).unwrap();
        let options = ProblemOptions { step: 0.005, ..ProblemOptions::default() };
        let problem = Arc::new(GaitProblem::new(&body, &sketch, &options).unwrap());
        let evaluator = Evaluator::new(Arc::clone(&problem), 1).unwrap();
        let start = problem.start();
        let trial = evaluator.evaluate(std::slice::from_ref(&start)).remove(0);
        let errors = DVector::from_vec(problem.errors(&trial));
        let mut closing = Closing::new(start, trial, ClosingOptions::default());
        assert_eq!(closing.errors(&problem, closing.trial()), errors);
        closing.weigh(&problem);
        closing.weigh(&problem);
        let weighed = closing.errors(&problem, closing.trial());
        let worst = errors.iamax();
        assert!((weighed[worst] - 4.0 * errors[worst]).abs() < 1e-9 * errors[worst].abs());
        for (weighed, error) in weighed.iter().zip(errors.iter()) {
            assert!(weighed.abs() >= error.abs() && weighed.abs() <= 4.0 * error.abs() + 1e-9);
        }
        assert!(closing.step(&evaluator));
        let after = closing.errors(&problem, closing.trial()).norm_squared();
        assert!(after < weighed.norm_squared(), "{after} from {}", weighed.norm_squared());
    }
}
