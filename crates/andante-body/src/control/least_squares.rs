//! Weighted least squares by the normal equations.

/// Minimises `Σ weight (row · x - target)²`.
///
/// The matrix is kept between solutions, so nothing allocates.
#[derive(Clone, Debug)]
pub struct LeastSquares {
    n: usize,
    matrix: Vec<f64>,
    right: Vec<f64>,
    /// Places of the numbers in a row that are not zero.
    places: Vec<usize>,
}

impl LeastSquares {
    /// For `n` unknowns.
    pub fn new(n: usize) -> Self {
        LeastSquares {
            n,
            matrix: vec![0.0; n * n],
            right: vec![0.0; n],
            places: Vec::with_capacity(n),
        }
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.matrix.fill(0.0);
        self.right.fill(0.0);
    }

    /// One wish about one unknown. Every unknown needs one, or the solution is not unique.
    pub fn prefer(&mut self, k: usize, target: f64, weight: f64) {
        self.matrix[k * self.n + k] += weight;
        self.right[k] += weight * target;
    }

    /// One wish about a sum of unknowns.
    pub fn add(&mut self, row: impl Fn(usize) -> f64, target: f64, weight: f64) {
        self.places.clear();
        self.places.extend((0..self.n).filter(|&k| row(k) != 0.0));
        for (count, &i) in self.places.iter().enumerate() {
            let scaled = weight * row(i);
            self.right[i] += scaled * target;
            for &j in &self.places[..=count] {
                self.matrix[i * self.n + j] += scaled * row(j);
            }
        }
    }

    /// The minimum (Cholesky). A direction that nobody has a wish about is left at rest.
    pub fn solve(&mut self, x: &mut [f64]) {
        let n = self.n;
        for i in 0..n {
            for j in 0..=i {
                let (above, below) = self.matrix.split_at(i * n);
                let (row_i, row_j) = (&below[..n], if j < i { &above[j * n..] } else { below });
                let dot: f64 = row_i[..j].iter().zip(&row_j[..j]).map(|(a, b)| a * b).sum();
                let rest = below[j] - dot;
                self.matrix[i * n + j] = if j < i {
                    rest * self.matrix[j * n + j]
                } else if rest > 1e-12 {
                    1.0 / rest.sqrt()
                } else {
                    0.0
                };
            }
        }
        // The diagonal holds reciprocals.
        for i in 0..n {
            let dot: f64 = (0..i).map(|k| self.matrix[i * n + k] * x[k]).sum();
            x[i] = (self.right[i] - dot) * self.matrix[i * n + i];
        }
        for i in (0..n).rev() {
            let dot: f64 = (i + 1..n).map(|k| self.matrix[k * n + i] * x[k]).sum();
            x[i] = (x[i] - dot) * self.matrix[i * n + i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_gradient_vanishes_at_the_solution(
            rows in prop::collection::vec((prop::collection::vec(-2.0f64..2.0, 5), -5.0f64..5.0), 1..12),
        ) {
            let mut problem = LeastSquares::new(5);
            for (row, target) in &rows {
                problem.add(|k| row[k], *target, 3.0);
            }
            for k in 0..5 {
                problem.prefer(k, 0.5, 0.1);
            }
            let mut x = [0.0; 5];
            problem.solve(&mut x);
            for k in 0..5 {
                let mut gradient = 0.1 * (x[k] - 0.5);
                for (row, target) in &rows {
                    let off: f64 = row.iter().zip(&x).map(|(a, b)| a * b).sum::<f64>() - target;
                    gradient += 3.0 * off * row[k];
                }
                prop_assert!(gradient.abs() < 1e-8);
            }
        }
    }

    #[test]
    fn an_unknown_nobody_cares_about_stays_at_rest() {
        let mut problem = LeastSquares::new(2);
        problem.prefer(0, 2.0, 1.0);
        let mut x = [9.0; 2];
        problem.solve(&mut x);
        assert_eq!(x, [2.0, 0.0]);
    }
}
