//! Periodic curves with continuous accelerations.

/// Several uniform cubic B-splines through the same number of samples of one period.
#[derive(Clone, Debug)]
pub struct Spline {
    columns: usize,
    knots: usize,
    /// Knot after knot, each with all columns.
    control: Vec<f64>,
    /// What a column gains in a period.
    gain: Vec<f64>,
}

impl Spline {
    /// Through rows of samples, spread evenly over a period; `gain` is what each column has more of after one.
    pub fn through(rows: &[Vec<f64>], gain: Vec<f64>) -> Self {
        let (knots, columns) = (rows.len(), gain.len());
        // Without the gain the samples are periodic.
        let level = |knot: usize, column: usize| {
            rows[knot][column] - gain[column] * knot as f64 / knots as f64
        };
        let mut control: Vec<f64> =
            (0..knots * columns).map(|k| level(k / columns, k % columns)).collect();
        // The system (1 4 1)/6 is diagonally dominant: each sweep gains more than half a digit.
        for _ in 0..40 {
            for knot in 0..knots {
                let (before, after) = ((knot + knots - 1) % knots, (knot + 1) % knots);
                for column in 0..columns {
                    let around =
                        control[before * columns + column] + control[after * columns + column];
                    control[knot * columns + column] = (6.0 * level(knot, column) - around) / 4.0;
                }
            }
        }
        Spline { columns, knots, control, gain }
    }

    /// Values, first and second derivatives by phase, at a phase that may be of any period.
    pub fn at(&self, phase: f64, value: &mut [f64], first: &mut [f64], second: &mut [f64]) {
        let n = self.knots as f64;
        let round = phase.floor();
        let place = (phase - round) * n;
        let knot = (place as usize).min(self.knots - 1);
        let t = place - knot as f64;
        let s = 1.0 - t;
        let weights = [
            s * s * s / 6.0,
            (4.0 - 6.0 * t * t + 3.0 * t * t * t) / 6.0,
            (4.0 - 6.0 * s * s + 3.0 * s * s * s) / 6.0,
            t * t * t / 6.0,
        ];
        let slopes = [-0.5 * s * s, -2.0 * t + 1.5 * t * t, 2.0 * s - 1.5 * s * s, 0.5 * t * t];
        let bends = [s, 3.0 * t - 2.0, 3.0 * s - 2.0, t];
        let rows = [self.knots - 1, 0, 1, 2].map(|off| (knot + off) % self.knots * self.columns);
        for column in 0..self.columns {
            let points = rows.map(|row| self.control[row + column]);
            let dot = |w: &[f64; 4]| {
                w[0] * points[0] + w[1] * points[1] + w[2] * points[2] + w[3] * points[3]
            };
            value[column] = dot(&weights) + self.gain[column] * phase;
            first[column] = dot(&slopes) * n + self.gain[column];
            second[column] = dot(&bends) * n * n;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_that_travels_is_followed_with_its_derivatives() {
        const TURN: f64 = std::f64::consts::TAU;
        let wave = |p: f64| (TURN * p).sin() + 3.0 * p;
        let rows: Vec<Vec<f64>> = (0..60).map(|k| vec![wave(f64::from(k) / 60.0)]).collect();
        let spline = Spline::through(&rows, vec![3.0]);
        for phase in [0.0, 0.13, 0.5, 0.999, 1.4, 7.77, -0.3] {
            let (mut a, mut b, mut c) = ([0.0], [0.0], [0.0]);
            spline.at(phase, &mut a, &mut b, &mut c);
            assert!((a[0] - wave(phase)).abs() < 1e-5, "{phase}");
            assert!((b[0] - TURN * (TURN * phase).cos() - 3.0).abs() < 1e-3, "{phase}");
            assert!((c[0] + TURN * TURN * (TURN * phase).sin()).abs() < 0.1, "{phase}");
        }
    }
}
