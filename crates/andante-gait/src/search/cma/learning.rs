//! What a generation teaches.

use super::{Best, Cma, fold};
use nalgebra::{DMatrix, SymmetricEigen};

impl Cma {
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
        let settled = 1.0 - libm::pow(1.0 - c_sigma, 2.0 * (self.generation + 1) as f64);
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
        self.sigma *= libm::exp(((c_sigma / d_sigma) * (norm / chi - 1.0)).min(1.0));
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
}

/// How fast the covariance is learnt (Hansen 2006, with mu_cov = mu_eff).
fn covariance_rate(n: f64, mu_eff: f64) -> f64 {
    let one = 2.0 / (n + std::f64::consts::SQRT_2).powi(2);
    let mu = ((2.0 * mu_eff - 1.0) / ((n + 2.0).powi(2) + mu_eff)).min(1.0);
    one / mu_eff + (1.0 - 1.0 / mu_eff) * mu
}
