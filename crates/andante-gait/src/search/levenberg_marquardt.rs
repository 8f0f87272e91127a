//! Least squares by damped Gauss-Newton steps.

use crate::search::optimiser::{Judged, Optimiser};
use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

andante_skeleton::settings! {
    /// Options of a [`LevenbergMarquardt`].
    pub struct LevenbergMarquardtOptions: Copy, Serialize, Deserialize {
        /// Change of a variable from which slopes are taken, of its interval. Usually 1e-5 to 1e-3: less is lost in
        /// rounding, more misses what is between.
        difference: f64 = 3e-4, 0.0..;
        /// Differences tried one after the other while steps fail, as factors: feet catch and slip, so that slopes
        /// depend on how far one looks.
        differences: [f64; 4] = [1.0, 10.0, 0.1, 40.0], 0.0..;
        /// Damping in the middle of the first ones: residuals change by hundreds over the interval of a variable.
        damping: f64 = 100.0, 0.0..;
        /// Dampings tried at once, as factors.
        factors: [f64; 8] = [1e-3, 1e-2, 0.1, 1.0, 10.0, 1e2, 1e3, 1e4], 0.0..;
        /// Steps in a row that may make next to no difference before it is over.
        patience: u32 = 4;
    }
}

/// Damped Gauss-Newton steps that make residuals small (K. Levenberg 1944, D. Marquardt 1963).
///
/// Slopes by finite differences cost one sample for each variable, and a few steps along them close for good what a sampling search
/// only gets near. A step is two questions: samples for the slopes, then several damped moves, of which the best is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevenbergMarquardt {
    options: LevenbergMarquardtOptions,
    point: Vec<f64>,
    judged: Judged,
    /// Of each residual; none for all alike.
    weights: Vec<f64>,
    weighings: u32,
    damping: f64,
    evaluations: u64,
    steps: u32,
    stalled: u32,
    /// Factors of the damping and where they lead, once slopes are known.
    moves: Option<Vec<(f64, Vec<f64>)>>,
    /// Which of the samples last told it has moved to.
    moved: Option<usize>,
}

impl LevenbergMarquardt {
    /// From a place in the unit cube and what it is worth.
    pub fn new(point: Vec<f64>, judged: Judged, options: LevenbergMarquardtOptions) -> Self {
        Self {
            options,
            point,
            judged,
            weights: Vec::new(),
            weighings: 0,
            damping: options.damping,
            evaluations: 0,
            steps: 0,
            stalled: 0,
            moves: None,
            moved: None,
        }
    }

    /// Gives what is still wrong more weight, the more wrong the more. Where steps no longer help, the sum of squares has a
    /// minimum that is no solution; with other weights it is elsewhere, and the way there often passes one
    /// (P. Morris, "The breakout method for escaping from local minima", 1993).
    pub fn weigh(&mut self) {
        let errors = &self.judged.residuals;
        let largest = errors.iter().fold(0.0f64, |largest, error| largest.max(error.abs()));
        self.weights.resize(errors.len(), 1.0);
        for (weight, error) in self.weights.iter_mut().zip(errors) {
            *weight *= 1.0 + error.abs() / largest.max(1e-9);
        }
        self.weighings += 1;
        self.damping = self.options.damping;
        self.stalled = 0;
    }

    /// Residuals times their weights.
    pub(crate) fn weighed(&self, judged: &Judged) -> DVector<f64> {
        let weights = self.weights.iter().copied().chain(std::iter::repeat(1.0));
        let errors = judged.residuals.iter().zip(weights);
        DVector::from_vec(errors.map(|(error, weight)| weight * error).collect())
    }

    fn merit(&self, judged: &Judged) -> f64 {
        if judged.value.is_finite() { self.weighed(judged).norm_squared() } else { f64::INFINITY }
    }

    /// For each variable how far it is moved for its slope: away from the nearer end of the interval.
    fn differences(&self) -> Vec<f64> {
        let factors = self.options.differences;
        let h = self.options.difference * factors[self.stalled as usize % factors.len()];
        self.point.iter().map(|unit| if *unit > 0.5 { -h } else { h }).collect()
    }

    /// Where dampings lead, from what the samples for slopes are worth.
    fn plan(&self, judged: &[Judged]) -> Vec<(f64, Vec<f64>)> {
        let differences = self.differences();
        let errors = self.weighed(&self.judged);
        let mut slopes = DMatrix::zeros(errors.len(), differences.len());
        for (column, (judged, difference)) in judged.iter().zip(&differences).enumerate() {
            if judged.value.is_finite() {
                let change = self.weighed(judged) - &errors;
                slopes.set_column(column, &(change / *difference));
            }
        }
        let normal = slopes.transpose() * &slopes;
        let gradient = slopes.transpose() * &errors;
        let led =
            |factor: f64| Some((factor, self.damped(&normal, &gradient, self.damping * factor)?));
        self.options.factors.into_iter().filter_map(led).collect()
    }

    /// Makes the best of the moves, if it is any good.
    fn go(&mut self, moves: Vec<(f64, Vec<f64>)>, judged: &[Judged]) {
        self.steps += 1;
        let now = self.merit(&self.judged);
        let tried = judged.iter().zip(moves).enumerate();
        let best = tried
            .map(|(index, (judged, led))| (self.merit(judged), judged, led, index))
            .min_by(|a, b| b.1.solved.cmp(&a.1.solved).then(a.0.total_cmp(&b.0)));
        match best {
            Some((merit, judged, (factor, point), index)) if merit < now || judged.solved => {
                self.stalled = if merit > 0.999 * now { self.stalled + 1 } else { 0 };
                self.damping = (self.damping * factor).clamp(1e-8, 1e8);
                (self.point, self.judged) = (point, judged.clone());
                self.moved = Some(index);
            }
            _ => self.stalled += 1,
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

    /// The current point and its worth.
    pub fn place(&self) -> (&[f64], &Judged) {
        (&self.point, &self.judged)
    }

    /// The index, among the samples last told, of the one it has moved to.
    pub fn moved(&self) -> Option<usize> {
        self.moved
    }

    /// The number of times residuals have been weighed.
    pub fn weighings(&self) -> u32 {
        self.weighings
    }

    /// Steps so far.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// Steps in a row that made next to no difference.
    pub fn stalled(&self) -> u32 {
        self.stalled
    }
}

impl Optimiser for LevenbergMarquardt {
    fn ask(&self) -> Vec<Vec<f64>> {
        if let Some(moves) = &self.moves {
            return moves.iter().map(|(_, point)| point.clone()).collect();
        }
        let moved = |(variable, difference): (usize, &f64)| {
            let mut point = self.point.clone();
            point[variable] += difference;
            point
        };
        self.differences().iter().enumerate().map(moved).collect()
    }

    fn tell(&mut self, judged: &[Judged]) {
        self.evaluations += judged.len() as u64;
        self.moved = None;
        match self.moves.take() {
            None => self.moves = Some(self.plan(judged)),
            Some(moves) => self.go(moves, judged),
        }
    }

    fn is_over(&self) -> bool {
        self.judged.solved || self.stalled >= self.options.patience
    }

    fn best_point(&self) -> &[f64] {
        &self.point
    }

    fn evaluations(&self) -> u64 {
        self.evaluations
    }
}
