//! The natural modes of a body at rest.

use crate::CoordinateLayout;
use crate::modes::coordinate_layout::joint_values;
use crate::modes::{maximal, reduced};
use andante_body::{Body, BodyFoot, RestPose, RigidPlacement};
use glam::DVec3;
use nalgebra::{DMatrix, DVector, Matrix6xX};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;
use thiserror::Error;

/// A point of the body that the ground holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PinnedPoint {
    /// The segment it belongs to.
    pub segment: usize,
    /// In the segment's frame.
    pub point: DVec3,
}

impl PinnedPoint {
    /// The toe of a foot: it stays, the foot turns about it.
    pub fn toe(foot: &BodyFoot) -> Self {
        Self { segment: foot.segment, point: foot.toe }
    }
}

/// The method by which modes are computed; both give the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ModesMethod {
    /// Six coordinates for each segment and constraints for joints and pins, as published.
    Constraints,
    /// Six coordinates of the root and the joints' angles: the same, faster.
    #[default]
    Reduced,
}

/// The basis that multiplies amplitudes to make torques (K5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// K·Φ: the torques that would hold the modes' shapes. Each excites its own mode alone.
    #[default]
    Static,
    /// Φ, as published: shapes taken for torques. Modes are independent only if all joints are
    /// equally stiff.
    Shape,
}

/// An error that keeps modes from being computed.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum ModesError {
    /// A single segment cannot vibrate.
    #[error("a body without joints has no modes")]
    NoJoints,
    /// The pose is of another body.
    #[error("the pose has {0} rotations, the body {1} segments")]
    Pose(usize, usize),
    /// A pin on a segment that is not there, or at no finite place.
    #[error("a pin is on segment {0}, which does not exist, or at a place that is not finite")]
    Pin(usize),
    /// The mass matrix cannot be factored, or eigenvalues do not converge.
    #[error("masses or stiffnesses are so far apart that the eigenproblem cannot be solved")]
    Numbers,
}

/// One natural vibration.
#[derive(Clone, Debug, PartialEq)]
pub struct VibrationMode {
    /// In rad/s, without damping.
    pub omega: f64,
    /// Deflection of each joint in the order of [`CoordinateLayout`]: of unit length, its largest entry positive.
    pub shape: Vec<f64>,
    /// What the root does meanwhile: its turn, then its shift, along the axes of the world.
    pub root: [f64; 6],
    /// Kinetic energy is ½·mass·ṗ² for the amplitude p of `shape`.
    pub mass: f64,
    /// Elastic energy is ½·stiffness·p².
    pub stiffness: f64,
    /// Power lost is damping·ṗ². Exact if joints are damped in proportion to their stiffness; otherwise it
    /// leaves out that modes damp each other.
    pub damping: f64,
}

impl VibrationMode {
    /// Natural frequency in hertz.
    pub fn hz(&self) -> f64 {
        self.omega / TAU
    }
}

/// The vibrations of a body in a pose, slowest first (M3, M4).
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// How many motions meet no spring at all: six in the air, three about a pinned toe, and one more for every
    /// joint axis without stiffness. They are not in `modes`.
    pub rigid: usize,
    /// By ascending frequency.
    pub modes: Vec<VibrationMode>,
    /// Stiffness of each joint angle.
    stiffness: Vec<f64>,
}

/// What a route delivers: eigenvalues in ascending order and their vectors in columns.
pub(crate) struct EigenSolution {
    pub values: DVector<f64>,
    pub shapes: DMatrix<f64>,
    pub roots: Matrix6xX<f64>,
}

/// Below this part of the largest eigenvalue a motion counts as rigid.
const RIGID: f64 = 1e-10;

impl Modes {
    /// The modes of a body whose springs rest in `pose`, with the pinned points held by the ground.
    ///
    /// ```
    /// use andante_gait::{Modes, PinnedPoint};
    /// let human = andante_body::creature("humanoid")?;
    /// let air = Modes::find(&human, &human.poses()[0], &[])?;
    /// let ground = Modes::find(&human, &human.poses()[0], &[PinnedPoint::toe(&human.feet()[0])])?;
    /// assert_eq!((air.rigid, air.modes.len()), (6, 30));
    /// assert_eq!((ground.rigid, ground.modes.len()), (3, 30));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(body: &Body, pose: &RestPose, pins: &[PinnedPoint]) -> Result<Self, ModesError> {
        Self::find_by(ModesMethod::default(), body, pose, pins)
    }

    /// As [`Modes::find`], by a given route.
    pub fn find_by(
        route: ModesMethod,
        body: &Body,
        pose: &RestPose,
        pins: &[PinnedPoint],
    ) -> Result<Self, ModesError> {
        let count = body.segments().len();
        if count < 2 {
            return Err(ModesError::NoJoints);
        }
        if pose.rotations.len() != count {
            return Err(ModesError::Pose(pose.rotations.len(), count));
        }
        let wrong = |pin: &&PinnedPoint| pin.segment >= count || !pin.point.is_finite();
        if let Some(pin) = pins.iter().find(wrong) {
            return Err(ModesError::Pin(pin.segment));
        }
        let placed = body.place(DVec3::ZERO, &pose.rotations);
        let layout = CoordinateLayout::new(body);
        let solve: fn(
            &Body,
            &[RigidPlacement],
            &[PinnedPoint],
            &CoordinateLayout,
        ) -> Option<EigenSolution> = match route {
            ModesMethod::Constraints => maximal::solve,
            ModesMethod::Reduced => reduced::solve,
        };
        let solution = solve(body, &placed, pins, &layout).ok_or(ModesError::Numbers)?;
        let damping = joint_values(body, |joint| joint.damping);
        Ok(Self::from_solution(&solution, joint_values(body, |joint| joint.stiffness), &damping))
    }

    fn from_solution(solution: &EigenSolution, stiffness: Vec<f64>, damping: &[f64]) -> Self {
        let largest = solution.values.iter().fold(0.0f64, |largest, value| largest.max(*value));
        let rigid = solution.values.iter().filter(|value| **value <= RIGID * largest).count();
        let mode = |index: usize| {
            let omega = solution.values[index].sqrt();
            let column = solution.shapes.column(index);
            let length = column.norm();
            let peak = column.iter().fold(0.0f64, |peak, value| peak.max(value.abs()));
            // Both sides of a body move equally far: the first of such peaks decides.
            let first = column.iter().find(|value| value.abs() > (1.0 - 1e-6) * peak);
            let scale = first.map_or(1.0, |value| value.signum()) / length;
            let shape: Vec<f64> = column.iter().map(|value| value * scale).collect();
            let mass = scale * scale;
            let losses = shape.iter().zip(damping).map(|(value, damping)| value * value * damping);
            VibrationMode {
                omega,
                root: std::array::from_fn(|axis| solution.roots[(axis, index)] * scale),
                mass,
                stiffness: mass * omega * omega,
                damping: losses.sum(),
                shape,
            }
        };
        let modes = (rigid..solution.values.len()).map(mode).collect();
        Self { rigid, modes, stiffness }
    }

    /// Joint torques, in the order of [`CoordinateLayout`], for an amplitude of each mode; modes beyond the end of
    /// `amplitudes` have none.
    pub fn torques(&self, basis: Basis, amplitudes: &[f64]) -> Vec<f64> {
        let mut torques = vec![0.0; self.stiffness.len()];
        for (mode, amplitude) in self.modes.iter().zip(amplitudes) {
            for (torque, shape) in torques.iter_mut().zip(&mode.shape) {
                *torque += shape * amplitude;
            }
        }
        if basis == Basis::Static {
            for (torque, stiffness) in torques.iter_mut().zip(&self.stiffness) {
                *torque *= stiffness;
            }
        }
        torques
    }

    /// The force that joint torques put on each mode: what they do to its amplitude.
    pub fn forces(&self, torques: &[f64]) -> Vec<f64> {
        let force = |mode: &VibrationMode| mode.shape.iter().zip(torques).map(|(a, b)| a * b).sum();
        self.modes.iter().map(force).collect()
    }

    /// The amplitude of each mode in joint deflections: φᵀ·K·θ / φᵀ·K·φ, because shapes are orthogonal
    /// with respect to stiffness.
    pub fn amplitudes(&self, deflections: &[f64]) -> Vec<f64> {
        let amplitude = |mode: &VibrationMode| {
            let work = mode.shape.iter().zip(deflections).zip(&self.stiffness);
            work.map(|((shape, angle), stiffness)| shape * angle * stiffness).sum::<f64>()
                / mode.stiffness
        };
        self.modes.iter().map(amplitude).collect()
    }

    /// For each mode the amplitude at which the first joint reaches its torque limit; 0 for modes that move no
    /// joint that has one.
    pub fn full_amplitudes(&self, body: &Body, basis: Basis) -> Vec<f64> {
        let limits = joint_values(body, |joint| joint.torque_limit);
        let full = |index: usize| {
            let mut unit = vec![0.0; index + 1];
            unit[index] = 1.0;
            let torques = self.torques(basis, &unit);
            let room = torques.iter().zip(&limits).filter(|(torque, _)| torque.abs() > 1e-9);
            let least = room.map(|(torque, limit)| limit / torque.abs()).fold(f64::MAX, f64::min);
            if least < f64::MAX { least } else { 0.0 }
        };
        (0..self.modes.len()).map(full).collect()
    }
}
