//! Evolution with an adapted covariance (CMA-ES), one generation at a time.

use crate::search::optimiser::{Judged, Optimiser};
use crate::search::random::{Normals, mix};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

mod learning;
#[cfg(test)]
mod tests;

andante_skeleton::settings! {
    /// Options of a [`Cma`].
    pub struct CmaOptions: Copy, Serialize, Deserialize {
        /// Samples a generation; `None` for the usual 4 + 3 ln n.
        population: Option<usize> = None;
        /// Spread of the first generation, of the unit interval in which every variable lives.
        sigma: f64 = 0.3, 0.0..;
        /// Ends when no variable spreads farther than this (stopTolX).
        tolerance: f64 = 1e-4, 0.0..;
        /// Ends after so many generations.
        generations: u64 = 1000;
        /// Decides all samples, together with the number of the generation.
        seed: u64 = 1;
    }
}

/// The reason for which a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CmaStop {
    /// No variable spreads farther than the tolerance.
    Tolerance,
    /// All generations are used up.
    Generations,
    /// The covariance degenerated: no more can be learnt.
    Degenerate,
}

/// The best sample so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Best {
    /// Where, within the unit cube.
    pub point: Vec<f64>,
    /// How good, less is better.
    pub value: f64,
}

/// A search for the least value in the unit cube, after N. Hansen, "The CMA evolution strategy: a comparing review" (2006).
///
/// Samples outside the cube are mirrored back at its faces. The state is plain data: written after any
/// [`tell`](Cma::tell) and read again, the search goes on bit by bit as if it had never stopped, because the random
/// numbers of a generation depend on the seed and its number alone.
///
/// ```
/// use andante_gait::{Cma, CmaOptions, Optimiser};
///
/// let mut search = Cma::new(&[0.9; 5], &CmaOptions::default());
/// while search.stop().is_none() {
///     let values: Vec<f64> =
///         search.ask().iter().map(|x| x.iter().map(|x| (x - 0.2).powi(2)).sum()).collect();
///     search.tell(&values);
/// }
/// assert!(search.best().value < 1e-7);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cma {
    options: CmaOptions,
    weights: Vec<f64>,
    mu_eff: f64,
    /// Not folded into the cube.
    mean: Vec<f64>,
    sigma: f64,
    /// Row by row.
    covariance: Vec<f64>,
    /// Columns of the covariance's eigenvectors, one after the other, and roots of its eigenvalues.
    axes: Vec<f64>,
    lengths: Vec<f64>,
    /// Generation of the last decomposition.
    decomposed: u64,
    path_sigma: Vec<f64>,
    path: Vec<f64>,
    generation: u64,
    evaluations: u64,
    best: Best,
    degenerate: bool,
}

/// Mirrors a number back into the unit interval, as often as it takes.
pub(crate) fn fold(x: f64) -> f64 {
    let wrapped = x.rem_euclid(2.0);
    if wrapped > 1.0 { 2.0 - wrapped } else { wrapped }
}

impl Cma {
    /// From a first guess. Coordinates outside the unit interval are brought inside.
    pub fn new(start: &[f64], options: &CmaOptions) -> Self {
        let n = start.len();
        let population = options.population.unwrap_or(automatic_population(n)).max(4);
        let mu = population / 2;
        let raw: Vec<f64> =
            (1..=mu).map(|rank| libm::log((mu + 1) as f64) - libm::log(rank as f64)).collect();
        let total: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|weight| weight / total).collect();
        let mu_eff = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        let mean: Vec<f64> =
            start.iter().map(|x| if x.is_finite() { fold(*x) } else { 0.5 }).collect();
        let identity: Vec<f64> =
            (0..n * n).map(|k| if k / n == k % n { 1.0 } else { 0.0 }).collect();
        Self {
            best: Best { point: mean.clone(), value: f64::INFINITY },
            mean,
            sigma: options.sigma,
            covariance: identity.clone(),
            axes: identity,
            lengths: vec![1.0; n],
            decomposed: 0,
            path_sigma: vec![0.0; n],
            path: vec![0.0; n],
            generation: 0,
            evaluations: 0,
            degenerate: false,
            weights,
            mu_eff,
            options: CmaOptions { population: Some(population), ..*options },
        }
    }

    /// The number of samples in a generation.
    pub fn population(&self) -> usize {
        self.options.population.unwrap_or(automatic_population(self.mean.len()))
    }

    /// Samples before folding, and their steps from the mean over sigma.
    fn sample(&self) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
        let n = self.mean.len();
        let mut rng = Pcg64Mcg::seed_from_u64(mix(self.options.seed, self.generation));
        let mut normals = Normals::default();
        let mut points = Vec::with_capacity(self.population());
        let mut steps = Vec::with_capacity(self.population());
        for _ in 0..self.population() {
            let mut step = vec![0.0; n];
            for axis in 0..n {
                let along = self.lengths[axis] * normals.draw(&mut rng);
                let direction = &self.axes[axis * n..(axis + 1) * n];
                for (to, from) in step.iter_mut().zip(direction) {
                    *to += along * from;
                }
            }
            let point = self.mean.iter().zip(&step).map(|(m, y)| m + self.sigma * y).collect();
            points.push(point);
            steps.push(step);
        }
        (points, steps)
    }

    /// Goes on elsewhere with what has been learnt of the landscape: as when something else has found a better place.
    pub fn move_to(&mut self, point: &[f64], value: f64) {
        if point.len() != self.mean.len() {
            return;
        }
        self.mean.copy_from_slice(point);
        self.path.fill(0.0);
        self.path_sigma.fill(0.0);
        if value < self.best.value {
            self.best = Best { point: point.to_vec(), value };
        }
    }

    /// The reason for which the search is over, if it is.
    pub fn stop(&self) -> Option<CmaStop> {
        let n = self.mean.len();
        let tolerance = self.options.tolerance;
        let narrow = (0..n).all(|k| {
            self.sigma * self.covariance[k * n + k].sqrt() < tolerance
                && self.sigma * self.path[k].abs() < tolerance
        });
        if self.degenerate || !self.sigma.is_finite() {
            Some(CmaStop::Degenerate)
        } else if self.generation > 0 && narrow {
            Some(CmaStop::Tolerance)
        } else if self.generation >= self.options.generations {
            Some(CmaStop::Generations)
        } else {
            None
        }
    }

    /// The best sample so far.
    pub fn best(&self) -> &Best {
        &self.best
    }

    /// The mean of the search distribution, within the unit cube.
    pub fn mean(&self) -> Vec<f64> {
        self.mean.iter().map(|x| fold(*x)).collect()
    }

    /// The overall standard deviation of the search distribution.
    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    /// Generations so far.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Whether all vectors fit each other, as they do unless the state was read from a damaged file.
    pub(crate) fn is_consistent(&self) -> bool {
        let n = self.mean.len();
        let population = self.population();
        n > 0
            && (4..=MAX_POPULATION).contains(&population)
            && self.weights.len() == population / 2
            && [&self.covariance, &self.axes].iter().all(|matrix| matrix.len() == n * n)
            && [&self.lengths, &self.path_sigma, &self.path, &self.best.point]
                .iter()
                .all(|vector| vector.len() == n)
    }
}

impl Optimiser for Cma {
    fn ask(&self) -> Vec<Vec<f64>> {
        let (samples, _) = self.sample();
        samples.into_iter().map(|x| x.into_iter().map(fold).collect()).collect()
    }

    fn tell(&mut self, judged: &[Judged]) {
        let values: Vec<f64> = judged.iter().map(|judged| judged.value).collect();
        self.tell(&values);
    }

    fn is_over(&self) -> bool {
        self.stop().is_some()
    }

    fn best_point(&self) -> &[f64] {
        &self.best.point
    }

    fn evaluations(&self) -> u64 {
        self.evaluations
    }
}

/// No population is as large as this.
const MAX_POPULATION: usize = 1 << 16;

/// The usual number of samples a generation for a number of variables.
pub fn automatic_population(variables: usize) -> usize {
    4 + (3.0 * libm::log(variables.max(1) as f64)).floor() as usize
}
