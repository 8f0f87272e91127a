//! What a search may change, each in an interval.

use serde::{Deserialize, Serialize};

/// One number that the search chooses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variable {
    /// Such as `period` or `left thigh x`.
    pub name: String,
    /// The least it may be.
    pub low: f64,
    /// The most it may be.
    pub high: f64,
    /// Where the search begins.
    pub start: f64,
}

impl Variable {
    /// In an interval.
    pub fn new(name: impl Into<String>, low: f64, high: f64, start: f64) -> Self {
        Self { name: name.into(), low, high, start: start.clamp(low, high) }
    }

    /// The nearest value in the interval.
    pub(crate) fn clamped(&self, value: f64) -> f64 {
        value.clamp(self.low, self.high)
    }

    /// The value at a place in the unit interval.
    pub fn value(&self, unit: f64) -> f64 {
        self.low + (self.high - self.low) * unit.clamp(0.0, 1.0)
    }

    /// The place of a value in the unit interval.
    pub fn unit(&self, value: f64) -> f64 {
        if self.high > self.low {
            ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
        } else {
            0.5
        }
    }
}
