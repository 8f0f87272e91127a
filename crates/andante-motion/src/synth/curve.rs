//! Curves that motions are drawn with: smooth steps, polynomials that meet their ends in position,
//! velocity and acceleration, and periodic functions through samples.

use std::f32::consts::TAU;

/// From 0 to 1 with zero velocity and acceleration at both ends; constant outside.
pub(super) fn ease(u: f32) -> f32 {
    let u = u.clamp(0.0, 1.0);
    u * u * u * (10.0 + u * (6.0 * u - 15.0))
}

/// [`ease`] between two moments.
pub(super) fn ease_between(from: f32, to: f32, t: f32) -> f32 {
    ease((t - from) / (to - from))
}

/// The way travelled at a speed that rises from 0 to 1 between two moments, by [`ease`].
pub(super) fn ramp(from: f32, to: f32, t: f32) -> f32 {
    let length = to - from;
    let u = ((t - from) / length).clamp(0.0, 1.0);
    let risen = u * u * u * u * (2.5 + u * (u - 3.0));
    length * risen + (t - to).max(0.0)
}

/// A hump of height 1 between 0 and 1 that leaves and reaches zero with zero velocity and
/// acceleration; zero outside.
pub(super) fn hump(u: f32) -> f32 {
    let u = u.clamp(0.0, 1.0);
    let product = 4.0 * u * (1.0 - u);
    product * product * product
}

/// Position, velocity and acceleration at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Jet {
    pub p: f32,
    pub v: f32,
    pub a: f32,
}

impl Jet {
    pub const fn still(p: f32) -> Self {
        Self { p, v: 0.0, a: 0.0 }
    }
}

/// The polynomial of fifth degree between two [`Jet`]s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quintic {
    start: f32,
    length: f32,
    c: [f32; 6],
}

impl Quintic {
    /// Between two different moments.
    pub fn new(start: f32, end: f32, from: Jet, to: Jet) -> Self {
        let length = end - start;
        let (v0, v1) = (from.v * length, to.v * length);
        let (a0, a1) = (from.a * length * length, to.a * length * length);
        let d = to.p - from.p;
        let c = [
            from.p,
            v0,
            0.5 * a0,
            10.0 * d - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1,
            -15.0 * d + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1,
            6.0 * d - 3.0 * (v0 + v1) - 0.5 * (a0 - a1),
        ];
        Self { start, length, c }
    }

    /// The value at a moment; outside the ends the polynomial goes on.
    pub fn at(&self, t: f32) -> f32 {
        let u = (t - self.start) / self.length;
        self.c.iter().rev().fold(0.0, |sum, &c| sum * u + c)
    }
}

/// Harmonics kept of a sampled curve: enough for the knee of a runner, few enough to be smooth.
const HARMONICS: usize = 7;

/// A function of period 1 through equidistant samples, as a Fourier series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Periodic {
    mean: f32,
    cos: [f32; HARMONICS],
    sin: [f32; HARMONICS],
}

impl Periodic {
    /// The series that is closest to the samples, of which the first is at 0.
    pub fn through(samples: &[f32]) -> Self {
        let count = samples.len() as f32;
        let mean = samples.iter().sum::<f32>() / count;
        let mut series = Self { mean, cos: [0.0; HARMONICS], sin: [0.0; HARMONICS] };
        for (index, sample) in samples.iter().enumerate() {
            for h in 0..HARMONICS {
                let (sin, cos) = libm::sincosf(TAU * (h + 1) as f32 * index as f32 / count);
                series.cos[h] += 2.0 * sample * cos / count;
                series.sin[h] += 2.0 * sample * sin / count;
            }
        }
        series
    }

    /// The same with the lowest harmonics alone.
    pub fn smooth(samples: &[f32], harmonics: usize) -> Self {
        let mut series = Self::through(samples);
        for h in harmonics..HARMONICS {
            (series.cos[h], series.sin[h]) = (0.0, 0.0);
        }
        series
    }

    /// The same with a multiple of its variation.
    pub fn exaggerated(mut self, factor: f32) -> Self {
        self.cos = self.cos.map(|c| c * factor);
        self.sin = self.sin.map(|s| s * factor);
        self
    }

    /// The value at a phase, of which the fraction counts.
    pub fn at(&self, phase: f32) -> f32 {
        let (sin, cos) = libm::sincosf(TAU * phase);
        let (mut s, mut c) = (sin, cos);
        let mut sum = self.mean;
        for h in 0..HARMONICS {
            sum += self.cos[h] * c + self.sin[h] * s;
            (s, c) = (s * cos + c * sin, c * cos - s * sin);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quintic_meets_both_ends() {
        let (from, to) = (Jet { p: 1.0, v: -2.0, a: 3.0 }, Jet { p: -0.5, v: 0.7, a: -4.0 });
        let curve = Quintic::new(0.5, 1.3, from, to);
        for (t, jet) in [(0.5, from), (1.3, to)] {
            let h = 0.01;
            let (before, here, after) = (curve.at(t - h), curve.at(t), curve.at(t + h));
            assert!((here - jet.p).abs() < 1e-5);
            assert!(((after - before) / (2.0 * h) - jet.v).abs() < 0.02);
            assert!(((after + before - 2.0 * here) / (h * h) - jet.a).abs() < 0.1);
        }
    }

    #[test]
    fn a_periodic_curve_passes_through_smooth_samples() {
        let wave = |u: f32| 3.0 + (TAU * u).sin() - 0.5 * (2.0 * TAU * u).cos();
        let samples: Vec<f32> = (0..20).map(|i| wave(i as f32 / 20.0)).collect();
        let curve = Periodic::through(&samples);
        for phase in [-0.7, 0.0, 0.13, 0.5, 2.31] {
            assert!((curve.at(phase) - wave(phase)).abs() < 1e-4);
        }
    }
}
