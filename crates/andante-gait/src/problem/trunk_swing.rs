//! How far the trunk swings in a cycle.

use crate::problem::gait_problem::GaitProblem;
use crate::problem::pulse_motion::{PulseError, PulseMotion};
use andante_body::{Body, RigidPlacement};
use andante_dynamics::{PhysicsSettings, vec3};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Ranges of the trunk over a cycle, from one side to the other: what is seen of a style first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrunkSwing {
    /// Of its middle, sideways, m.
    pub sway: f64,
    /// About the vertical, rad.
    pub yaw: f64,
    /// Towards its sides, rad.
    pub roll: f64,
}

impl TrunkSwing {
    /// Of a body that was seen in many places.
    pub fn along(body: &Body, places: impl IntoIterator<Item = Vec<RigidPlacement>>) -> Self {
        let torso = body.torso();
        let middle = body.segments()[torso].mass.center;
        let mut range = TrunkRange::default();
        for placed in places {
            let at = &placed[torso];
            let [left, front] = [DVec3::X, DVec3::Z].map(|axis| (at.rotation * axis).to_array());
            range.note(at.transform_point(middle).x, left, front);
        }
        range.swing(false)
    }

    /// The swing that the modes of a sketch give the trunk: in its second cycle, without gravity.
    pub fn sketched(problem: &GaitProblem) -> Result<Self, PulseError> {
        let physics =
            PhysicsSettings { gravity: vec3(0.0, 0.0, 0.0), ..problem.options().physics.clone() };
        let mut motion = PulseMotion::new(problem.body(), problem.pose(), &physics)?;
        let controller = problem.sketched();
        let cycle = controller.length();
        motion.drive(controller)?;
        let moments = (0..=100u32).map(|k| {
            motion.run_until(cycle * (1.0 + f64::from(k) / 100.0));
            motion.placed()
        });
        Ok(Self::along(problem.body(), moments))
    }

    /// The larger ones of two halves of a cycle.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            sway: self.sway.max(other.sway),
            yaw: self.yaw.max(other.yaw),
            roll: self.roll.max(other.roll),
        }
    }

    /// As a list: sway, yaw, roll.
    pub fn to_array(self) -> [f64; 3] {
        [self.sway, self.yaw, self.roll]
    }
}

/// Where a trunk has been so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrunkRange {
    low: [f64; 3],
    high: [f64; 3],
    first: f64,
    last: f64,
}

impl Default for TrunkRange {
    fn default() -> Self {
        Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3], first: f64::NAN, last: 0.0 }
    }
}

impl TrunkRange {
    /// Takes in where the middle of a trunk is sideways, and where its left and its front point.
    pub(crate) fn note(&mut self, aside: f64, left: [f64; 3], front: [f64; 3]) {
        let yaw = libm::atan2(front[0], front[2]);
        let roll = libm::asin(left[1].clamp(-1.0, 1.0));
        for (k, value) in [aside, yaw, roll].into_iter().enumerate() {
            (self.low[k], self.high[k]) = (self.low[k].min(value), self.high[k].max(value));
        }
        if self.first.is_nan() {
            self.first = aside;
        }
        self.last = aside;
    }

    /// Of the whole cycle; `mirrored` if half of it was seen, whose mirror image is the other half.
    pub(crate) fn swing(&self, mirrored: bool) -> TrunkSwing {
        if self.first.is_nan() {
            return TrunkSwing::default();
        }
        let middles = [0.5 * (self.first + self.last), 0.0, 0.0];
        let [sway, yaw, roll] = [0, 1, 2].map(|k| {
            let (low, high) = (self.low[k] - middles[k], self.high[k] - middles[k]);
            if mirrored { 2.0 * high.max(-low) } else { high - low }
        });
        TrunkSwing { sway, yaw, roll }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trunk that is known: so far aside, turned and leaning.
    fn seen(parts: impl Iterator<Item = f64>, mirrored: bool) -> TrunkSwing {
        let mut range = TrunkRange::default();
        for part in parts {
            let swing = libm::cos(std::f64::consts::PI * part);
            let (yaw, roll): (f64, f64) = (0.3 * swing, -0.1 * swing);
            let front = [libm::sin(yaw), 0.0, libm::cos(yaw)];
            let left = [libm::cos(roll) * libm::cos(yaw), libm::sin(roll), 0.0];
            range.note(7.0 + 0.05 * swing, left, front);
        }
        range.swing(mirrored)
    }

    #[test]
    fn half_a_cycle_tells_the_swing_of_all_of_it() {
        let half = seen((0..=50).map(|k| f64::from(k) / 50.0), true);
        let whole = seen((0..=100).map(|k| f64::from(k) / 50.0), false);
        for (half, whole, known) in
            [(half.sway, whole.sway, 0.1), (half.yaw, whole.yaw, 0.6), (half.roll, whole.roll, 0.2)]
        {
            assert!((half - known).abs() < 1e-9, "{half}, {known}");
            assert!((whole - known).abs() < 1e-9, "{whole}, {known}");
        }
        assert_eq!(TrunkRange::default().swing(true), TrunkSwing::default());
    }
}
