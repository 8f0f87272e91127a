//! Conditional quadratics: zero where all is well, steep where it is not.

use std::ops::{Add, AddAssign, Mul};

/// How much a limit is violated. After J. Wang, D. Fleet and A. Hertzmann, "Optimizing walking controllers" (2009).
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct Penalty {
    /// One for every violation, however small: satisfying a limit is worth more than any improvement elsewhere.
    pub steps: f64,
    /// How far beyond the limit, squared: which way to go.
    pub slope: f64,
    /// The same, of a limit that is stricter by a margin: who follows it down ends up within the limit proper.
    pub strict: f64,
}

impl Add for Penalty {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            steps: self.steps + other.steps,
            slope: self.slope + other.slope,
            strict: self.strict + other.strict,
        }
    }
}

impl AddAssign for Penalty {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<f64> for Penalty {
    type Output = Self;
    fn mul(self, by: f64) -> Self {
        Self { steps: self.steps * by, slope: self.slope * by, strict: self.strict * by }
    }
}

/// Q_u: penalises a number below a threshold.
pub(crate) fn below(value: f64, threshold: f64, margin: f64) -> Penalty {
    let square = |short: f64| short.max(0.0).powi(2);
    Penalty {
        steps: if value < threshold { 1.0 } else { 0.0 },
        slope: square(threshold - value),
        strict: square(threshold + margin - value),
    }
}

/// Q_u with signs exchanged: penalises a number above a threshold.
pub(crate) fn above(value: f64, threshold: f64, margin: f64) -> Penalty {
    below(-value, -threshold, margin)
}

/// Q_b: penalises a number whose magnitude is above a threshold.
pub(crate) fn beyond(value: f64, threshold: f64, margin: f64) -> Penalty {
    above(value, threshold, margin) + below(value, -threshold, margin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn penalties_are_zero_up_to_the_threshold_and_at_least_one_past_it() {
        let total = |penalty: Penalty| penalty.steps + penalty.slope;
        for (value, expected) in [(2.0, 0.0), (0.5, 0.0), (0.4, 1.01), (-0.5, 2.0)] {
            assert!((total(below(value, 0.5, 0.0)) - expected).abs() < 1e-12, "{value}");
        }
        for (value, expected) in [(-3.0, 0.0), (0.5, 0.0), (0.6, 1.01), (1.5, 2.0)] {
            assert!((total(above(value, 0.5, 0.0)) - expected).abs() < 1e-12, "{value}");
        }
        for (value, expected) in [(0.25, 0.0), (-0.25, 0.0), (1.25, 2.0), (-1.25, 2.0)] {
            assert!((total(beyond(value, 0.25, 0.0)) - expected).abs() < 1e-12, "{value}");
        }
        assert!(total(below(0.5 - 1e-12, 0.5, 0.0)) > 1.0 - 1e-9);
    }

    #[test]
    fn the_strict_part_vanishes_only_past_the_margin() {
        assert_eq!(below(0.55, 0.5, 0.1).steps, 0.0);
        assert!((below(0.55, 0.5, 0.1).strict - 0.0025).abs() < 1e-12);
        assert_eq!(below(0.6001, 0.5, 0.1), Penalty::default());
        assert!((beyond(-0.95, 1.0, 0.1).strict - 0.0025).abs() < 1e-12);
    }
}
