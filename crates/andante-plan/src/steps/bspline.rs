//! Smooth curves through scattered values, coarse first (S. Lee, G. Wolberg and S. Y. Shin 1997).

use glam::Vec3;

/// A hierarchy of uniform cubic B-splines over frames: each level takes up what the coarser ones
/// have left.
#[derive(Clone, Debug)]
pub(super) struct SplineHierarchy {
    levels: Vec<SplineLevel>,
}

#[derive(Clone, Debug)]
struct SplineLevel {
    /// Frames between knots.
    spacing: f32,
    control: Vec<Vec3>,
}

impl SplineHierarchy {
    /// Fits values given at frames, of `frames`, by splines with knots so many frames apart.
    pub fn fit(samples: &[(usize, Vec3)], frames: usize, spacings: &[f32]) -> Self {
        let mut left: Vec<Vec3> = samples.iter().map(|sample| sample.1).collect();
        let mut levels = Vec::with_capacity(spacings.len());
        for &spacing in spacings {
            let level = SplineLevel::fit(samples, &left, frames, spacing);
            for (left, sample) in left.iter_mut().zip(samples) {
                *left -= level.at(sample.0 as f32);
            }
            levels.push(level);
        }
        Self { levels }
    }

    pub fn at(&self, frame: f32) -> Vec3 {
        self.levels.iter().map(|level| level.at(frame)).sum()
    }
}

impl SplineLevel {
    /// Each sample asks its four control points for what gives its value with the least change; a
    /// control point takes the mean, weighted by the square of its influence.
    fn fit(samples: &[(usize, Vec3)], values: &[Vec3], frames: usize, spacing: f32) -> Self {
        let count = (frames as f32 / spacing).ceil() as usize + 4;
        let mut sums = vec![(Vec3::ZERO, 0.0f32); count];
        for ((frame, _), value) in samples.iter().zip(values) {
            let (first, weights) = basis(*frame as f32 / spacing);
            let squares: f32 = weights.iter().map(|w| w * w).sum();
            for (offset, w) in weights.iter().enumerate() {
                let asked = *value * (w / squares);
                let (sum, total) = &mut sums[first + offset];
                *sum += asked * (w * w);
                *total += w * w;
            }
        }
        let control = sums
            .into_iter()
            .map(|(sum, total)| if total > 1e-9 { sum / total } else { Vec3::ZERO })
            .collect();
        Self { spacing, control }
    }

    fn at(&self, frame: f32) -> Vec3 {
        let (first, weights) = basis(frame / self.spacing);
        weights.iter().enumerate().map(|(k, w)| self.control[first + k] * *w).sum()
    }
}

/// The first of four control points and their weights.
fn basis(at: f32) -> (usize, [f32; 4]) {
    let first = at.max(0.0) as usize;
    let t = at - first as f32;
    let (s, tt) = (1.0 - t, t * t);
    let ttt = tt * t;
    let weights =
        [s * s * s, 3.0 * ttt - 6.0 * tt + 4.0, -3.0 * ttt + 3.0 * tt + 3.0 * t + 1.0, ttt];
    (first, weights.map(|w| w / 6.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_constant_is_met_wherever_it_is_given(value in -0.2f32..0.2, frames in 30usize..400, every in 1usize..7) {
            let samples: Vec<(usize, Vec3)> =
                (0..frames).step_by(every).map(|frame| (frame, Vec3::splat(value))).collect();
            let fit = SplineHierarchy::fit(&samples, frames, &[40.0, 20.0, 10.0]);
            for (frame, wanted) in &samples {
                prop_assert!(fit.at(*frame as f32).abs_diff_eq(*wanted, 0.05 * value.abs() + 1e-5));
            }
        }
    }

    #[test]
    fn slow_changes_are_followed_and_a_sawtooth_is_not() {
        let frames = 600;
        let slow = |frame: usize| 0.05 * (frame as f32 / 60.0).sin();
        let samples: Vec<(usize, Vec3)> =
            (0..frames).map(|frame| (frame, Vec3::X * slow(frame))).collect();
        let fit = SplineHierarchy::fit(&samples, frames, &[40.0, 20.0]);
        let worst = (30..570).map(|f| (fit.at(f as f32).x - slow(f)).abs()).fold(0.0, f32::max);
        assert!(worst < 0.003, "{worst}");
        let teeth: Vec<(usize, Vec3)> = (0..frames)
            .map(|frame| (frame, Vec3::X * 0.02 * ((frame % 30) as f32 / 15.0 - 1.0)))
            .collect();
        let fit = SplineHierarchy::fit(&teeth, frames, &[60.0, 40.0]);
        let most = (60..540).map(|f| fit.at(f as f32).x.abs()).fold(0.0, f32::max);
        assert!(most < 0.006, "{most}");
    }
}
