//! Smooth curves by least squares: every wish is about a few neighbouring samples, so the matrix is a band.

/// What a sample has to do with itself and its neighbours before it: third differences reach over four samples.
type BandRow = [f64; 4];

/// Minimises `Σ weight (Σ row · x - target)²` over samples of a curve.
#[derive(Clone, Debug)]
pub(super) struct BandedSquares {
    /// Of each row of the lower triangle the diagonal, and what is left of it.
    matrix: Vec<BandRow>,
    right: Vec<f64>,
}

impl BandedSquares {
    pub fn new(n: usize) -> Self {
        BandedSquares { matrix: vec![BandRow::default(); n], right: vec![0.0; n] }
    }

    /// A wish about samples from `first` on; left out where the curve is over.
    pub fn add(&mut self, first: usize, row: &[f64], target: f64, weight: f64) {
        if first + row.len() > self.right.len() {
            return;
        }
        for (i, &a) in row.iter().enumerate() {
            self.right[first + i] += weight * a * target;
            for (j, &b) in row[..=i].iter().enumerate() {
                self.matrix[first + i][i - j] += weight * a * b;
            }
        }
    }

    /// The curve that comes nearest to all wishes.
    pub fn solve(mut self) -> Vec<f64> {
        let (n, band) = (self.right.len(), BandRow::default().len() - 1);
        // Cholesky within the band.
        for i in 0..n {
            for back in (0..=band.min(i)).rev() {
                let j = i - back;
                let from = i.saturating_sub(band).max(j.saturating_sub(band));
                let dot: f64 =
                    (from..j).map(|k| self.matrix[i][i - k] * self.matrix[j][j - k]).sum();
                let rest = self.matrix[i][back] - dot;
                self.matrix[i][back] =
                    if back > 0 { rest / self.matrix[j][0] } else { rest.max(1e-12).sqrt() };
            }
        }
        let mut x = self.right;
        for i in 0..n {
            let dot: f64 = (1..=band.min(i)).map(|b| self.matrix[i][b] * x[i - b]).sum();
            x[i] = (x[i] - dot) / self.matrix[i][0];
        }
        for i in (0..n).rev() {
            let most = band.min(n - 1 - i);
            let dot: f64 = (1..=most).map(|b| self.matrix[i + b][b] * x[i + b]).sum();
            x[i] = (x[i] - dot) / self.matrix[i][0];
        }
        x
    }
}

/// Samples weighed with a bell curve of this width; beyond its ends a curve goes on as its mirror image through them.
pub(super) fn smoothed(values: &[f64], width: f64) -> Vec<f64> {
    let n = values.len() as isize;
    if n < 2 || width < 1e-3 {
        return values.to_vec();
    }
    let reach = (3.0 * width).ceil() as isize;
    let bell: Vec<f64> =
        (0..=reach).map(|k| libm::exp(-0.5 * (k as f64 / width) * (k as f64 / width))).collect();
    let total: f64 = bell[0] + 2.0 * bell[1..].iter().sum::<f64>();
    let at = |k: isize| match k {
        k if k < 0 => 2.0 * values[0] - values[(-k).min(n - 1) as usize],
        k if k >= n => 2.0 * values[n as usize - 1] - values[(2 * n - 2 - k).max(0) as usize],
        k => values[k as usize],
    };
    let one = |k: isize| (-reach..=reach).map(|j| bell[j.unsigned_abs()] * at(k + j)).sum::<f64>();
    (0..n).map(|k| one(k) / total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LeastSquares;

    #[test]
    fn a_band_gives_what_the_full_matrix_gives() {
        let n = 23;
        let wishes: Vec<(usize, Vec<f64>, f64, f64)> = (0..n)
            .flat_map(|k| {
                let x = k as f64;
                [
                    (k, vec![1.0], (0.7 * x).sin(), 1.0),
                    (k, vec![-1.0, 3.0, -3.0, 1.0], 0.1 * x.cos(), 4.0),
                    (k, vec![1.0, -2.1, 1.2], 0.2, 0.5),
                ]
            })
            .filter(|(k, row, ..)| k + row.len() <= n)
            .collect();
        let (mut band, mut full) = (BandedSquares::new(n), LeastSquares::new(n));
        for (first, row, target, weight) in &wishes {
            band.add(*first, row, *target, *weight);
            let place = |k: usize| k.checked_sub(*first).and_then(|k| row.get(k)).copied();
            full.add(|k| place(k).unwrap_or(0.0), *target, *weight);
        }
        let mut expected = vec![0.0; n];
        full.solve(&mut expected);
        for (a, b) in band.solve().iter().zip(&expected) {
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
    }

    #[test]
    fn a_straight_line_stays_what_it_is() {
        let line: Vec<f64> = (0..40).map(|k| 3.0 - 0.2 * f64::from(k)).collect();
        for (a, b) in smoothed(&line, 2.5).iter().zip(&line) {
            assert!((a - b).abs() < 1e-12);
        }
    }
}
