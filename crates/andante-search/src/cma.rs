//! Evolution with an adapted covariance (CMA-ES), one generation at a time.

use crate::random::{Normals, mix};
use nalgebra::{DMatrix, SymmetricEigen};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

/// How a [`Cma`] searches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CmaOptions {
    /// Samples a generation; `None` for the usual 4 + 3 ln n.
    pub population: Option<usize>,
    /// Spread of the first generation, of the unit interval in which every variable lives.
    pub sigma: f64,
    /// Ends when no variable spreads farther than this (stopTolX).
    pub tolerance: f64,
    /// Ends after so many generations.
    pub generations: u64,
    /// Decides all samples, together with the number of the generation.
    pub seed: u64,
}

impl Default for CmaOptions {
    fn default() -> Self {
        Self { population: None, sigma: 0.3, tolerance: 1e-4, generations: 1000, seed: 1 }
    }
}

/// Why a search ended.
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
/// use andante_search::{Cma, CmaOptions};
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
            (1..=mu).map(|rank| ((mu + 1) as f64).ln() - (rank as f64).ln()).collect();
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

    /// How many samples a generation has.
    pub fn population(&self) -> usize {
        self.options.population.unwrap_or(automatic_population(self.mean.len()))
    }

    /// The samples of this generation, all within the unit cube. Asking again gives the same ones.
    pub fn ask(&self) -> Vec<Vec<f64>> {
        let (samples, _) = self.sample();
        samples.into_iter().map(|x| x.into_iter().map(fold).collect()).collect()
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

    /// Takes the values of the samples last asked for, in their order. A value that is no number counts as the worst;
    /// missing ones too.
    pub fn tell(&mut self, values: &[f64]) {
        let n = self.mean.len();
        let (points, steps) = self.sample();
        let value =
            |k: usize| values.get(k).copied().filter(|v| !v.is_nan()).unwrap_or(f64::INFINITY);
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by(|&a, &b| value(a).total_cmp(&value(b)));
        if let Some(&first) = order.first()
            && value(first) < self.best.value
        {
            self.best = Best {
                point: points[first].iter().map(|x| fold(*x)).collect(),
                value: value(first),
            };
        }
        let (nf, mu_eff) = (n as f64, self.mu_eff);
        let chi = nf.sqrt() * (1.0 - 1.0 / (4.0 * nf) + 1.0 / (21.0 * nf * nf));
        let c_sigma = (mu_eff + 2.0) / (nf + mu_eff + 3.0);
        let d_sigma = 1.0 + 2.0 * (((mu_eff - 1.0) / (nf + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma;
        let c_c = 4.0 / (nf + 4.0);
        let c_cov = covariance_rate(nf, mu_eff);

        let mut step = vec![0.0; n];
        for (weight, &rank) in self.weights.iter().zip(&order) {
            for (to, from) in step.iter_mut().zip(&steps[rank]) {
                *to += weight * from;
            }
        }
        for (mean, step) in self.mean.iter_mut().zip(&step) {
            *mean += self.sigma * step;
        }
        // C^(-1/2) y = B D^-1 B' y.
        let gain = (c_sigma * (2.0 - c_sigma) * mu_eff).sqrt();
        for path in &mut self.path_sigma {
            *path *= 1.0 - c_sigma;
        }
        for axis in 0..n {
            let direction = &self.axes[axis * n..(axis + 1) * n];
            let along: f64 = direction.iter().zip(&step).map(|(a, b)| a * b).sum();
            let scaled = gain * along / self.lengths[axis];
            for (path, direction) in self.path_sigma.iter_mut().zip(direction) {
                *path += scaled * direction;
            }
        }
        let norm = self.path_sigma.iter().map(|x| x * x).sum::<f64>().sqrt();
        let settled = 1.0 - (1.0 - c_sigma).powf(2.0 * (self.generation + 1) as f64);
        let still = norm / settled.sqrt() < (1.5 + 1.0 / (nf - 0.5)) * chi;
        let gain = if still { (c_c * (2.0 - c_c) * mu_eff).sqrt() } else { 0.0 };
        for (path, step) in self.path.iter_mut().zip(&step) {
            *path = (1.0 - c_c) * *path + gain * step;
        }
        let rank_one = c_cov / mu_eff;
        let rank_mu = c_cov * (1.0 - 1.0 / mu_eff);
        let keep = 1.0 - c_cov + if still { 0.0 } else { rank_one * c_c * (2.0 - c_c) };
        for row in 0..n {
            for column in 0..=row {
                let mut sum = rank_one * self.path[row] * self.path[column];
                for (weight, &rank) in self.weights.iter().zip(&order) {
                    sum += rank_mu * weight * steps[rank][row] * steps[rank][column];
                }
                let value = keep * self.covariance[row * n + column] + sum;
                self.covariance[row * n + column] = value;
                self.covariance[column * n + row] = value;
            }
        }
        self.sigma *= ((c_sigma / d_sigma) * (norm / chi - 1.0)).min(1.0).exp();
        self.generation += 1;
        self.evaluations += points.len() as u64;
        // The axes may be as old as it takes the covariance to change by a tenth.
        let patience = (0.1 / (c_cov * nf)).floor().max(1.0) as u64;
        if self.generation >= self.decomposed + patience {
            self.decompose();
        }
    }

    fn decompose(&mut self) {
        let n = self.mean.len();
        self.decomposed = self.generation;
        let matrix = DMatrix::from_row_slice(n, n, &self.covariance);
        let eigen = SymmetricEigen::try_new(matrix, f64::EPSILON, 200 * n.max(1));
        let Some(eigen) = eigen.filter(|eigen| {
            let (low, high) = eigen
                .eigenvalues
                .iter()
                .fold((f64::MAX, 0.0f64), |(low, high), v| (low.min(*v), high.max(*v)));
            low > 0.0 && high.is_finite() && high / low < 1e14
        }) else {
            self.degenerate = true;
            return;
        };
        self.lengths = eigen.eigenvalues.iter().map(|value| value.sqrt()).collect();
        self.axes = eigen.eigenvectors.as_slice().to_vec();
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

    /// Whether and why the search is over.
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

    /// Where the search is centred, within the unit cube.
    pub fn mean(&self) -> Vec<f64> {
        self.mean.iter().map(|x| fold(*x)).collect()
    }

    /// How far it spreads.
    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    /// Generations so far.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Samples so far.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
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

/// No population is as large as this.
pub(crate) const MAX_POPULATION: usize = 1 << 16;

/// The usual number of samples a generation for a number of variables.
pub fn automatic_population(variables: usize) -> usize {
    4 + (3.0 * (variables.max(1) as f64).ln()).floor() as usize
}

/// How fast the covariance is learnt (Hansen 2006, with mu_cov = mu_eff).
fn covariance_rate(n: f64, mu_eff: f64) -> f64 {
    let one = 2.0 / (n + std::f64::consts::SQRT_2).powi(2);
    let mu = ((2.0 * mu_eff - 1.0) / ((n + 2.0).powi(2) + mu_eff)).min(1.0);
    one / mu_eff + (1.0 - 1.0 / mu_eff) * mu
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minimise(n: usize, options: &CmaOptions, f: impl Fn(&[f64]) -> f64) -> Cma {
        let mut search = Cma::new(&vec![0.5; n], options);
        while search.stop().is_none() {
            let values: Vec<f64> = search.ask().iter().map(|x| f(x)).collect();
            search.tell(&values);
        }
        search
    }

    fn precise() -> CmaOptions {
        CmaOptions { tolerance: 1e-9, generations: 20_000, ..CmaOptions::default() }
    }

    #[test]
    fn the_population_is_the_published_one() {
        assert_eq!(automatic_population(90), 17);
        assert_eq!(Cma::new(&[0.5; 90], &CmaOptions::default()).ask().len(), 17);
    }

    #[test]
    fn a_sphere_is_descended_to_its_middle() {
        let search = minimise(10, &precise(), |x| x.iter().map(|x| (x - 0.3).powi(2)).sum());
        assert!(search.best().value < 1e-15, "{:e}", search.best().value);
        // Log-linear convergence: about a hundred evaluations for each variable and decade would be poor.
        assert!(search.evaluations() < 10_000, "{}", search.evaluations());
    }

    #[test]
    fn an_ellipsoid_a_thousand_times_longer_than_wide_is_learnt() {
        let search = minimise(8, &precise(), |x| {
            x.iter()
                .enumerate()
                .map(|(k, x)| 10f64.powf(6.0 * k as f64 / 7.0) * (x - 0.6).powi(2))
                .sum()
        });
        assert!(search.best().value < 1e-12, "{:e}", search.best().value);
    }

    /// Rosenbrock's curved valley; its variables run from −2 to 2.
    #[test]
    fn rosenbrocks_valley_is_followed_to_its_end() {
        let search = minimise(6, &precise(), |x| {
            let x: Vec<f64> = x.iter().map(|x| 4.0 * x - 2.0).collect();
            x.windows(2).map(|p| 100.0 * (p[1] - p[0] * p[0]).powi(2) + (1.0 - p[0]).powi(2)).sum()
        });
        assert!(search.best().value < 1e-12, "{:e}", search.best().value);
        for x in &search.best().point {
            assert!((x - 0.75).abs() < 1e-6, "{x}");
        }
    }

    #[test]
    fn a_least_value_on_a_face_of_the_cube_is_found_there() {
        let search = minimise(6, &precise(), |x| x.iter().map(|x| x + 2.0 * (x - 0.5)).sum());
        for x in &search.best().point {
            assert!((0.0..1e-6).contains(x), "{x}");
        }
    }

    #[test]
    fn samples_stay_in_the_cube_and_values_that_are_no_numbers_lose() {
        let mut search = Cma::new(&[0.0, 1.0, 7.3, f64::NAN], &CmaOptions::default());
        for _ in 0..50 {
            let samples = search.ask();
            assert!(samples.iter().flatten().all(|x| (0.0..=1.0).contains(x)));
            let values: Vec<f64> =
                samples.iter().map(|x| if x[0] > 0.5 { f64::NAN } else { x[1] }).collect();
            search.tell(&values);
        }
        assert!(search.best().point[0] <= 0.5 && search.best().value < 0.1);
    }

    #[test]
    fn a_search_written_and_read_again_goes_on_bit_by_bit() {
        let f = |x: &[f64]| x.iter().enumerate().map(|(k, x)| (k + 1) as f64 * x.sin()).sum();
        let mut whole = Cma::new(&[0.4; 12], &CmaOptions::default());
        let mut copy = None;
        for generation in 0..120 {
            if generation == 60 {
                let bytes = postcard::to_allocvec(&whole).unwrap();
                copy = Some(postcard::from_bytes::<Cma>(&bytes).unwrap());
            }
            for search in [Some(&mut whole), copy.as_mut()].into_iter().flatten() {
                let values: Vec<f64> = search.ask().iter().map(|x| f(x)).collect();
                search.tell(&values);
            }
        }
        assert_eq!(Some(whole), copy);
    }

    #[test]
    fn a_search_moved_goes_on_from_there() {
        let f = |x: &[f64]| x.iter().map(|x| (x - 0.3).powi(2)).sum::<f64>();
        let mut search = Cma::new(&[0.9; 4], &CmaOptions { sigma: 0.01, ..Default::default() });
        search.move_to(&[0.3; 4], 0.0);
        search.move_to(&[0.3; 5], -1.0);
        assert_eq!(search.best().value, 0.0);
        let values: Vec<f64> = search.ask().iter().map(|x| f(x)).collect();
        assert!(values.iter().all(|value| *value < 0.01), "{values:?}");
    }

    #[test]
    fn another_seed_is_another_search() {
        let other = CmaOptions { seed: 2, ..CmaOptions::default() };
        let first = Cma::new(&[0.5; 3], &CmaOptions::default());
        assert_eq!(first.ask(), first.ask());
        assert_ne!(first.ask(), Cma::new(&[0.5; 3], &other).ask());
    }
}
