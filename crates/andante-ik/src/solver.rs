//! What all solvers have in common, so that one can be exchanged for another.

use andante_skeleton::Transform;
use glam::{Quat, Vec3};

/// The target of an effector, in the model's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IkTarget {
    /// Position of the effector's point.
    pub position: Vec3,
    /// Orientation of the effector's joint; `None` leaves it free.
    pub rotation: Option<Quat>,
    /// How much this target counts against the others of the same priority (0…1, or more). Zero
    /// switches it off: its effector goes where the others take it, and is not reported.
    pub weight: f32,
}

impl IkTarget {
    /// A position, with full weight.
    pub fn position(position: Vec3) -> Self {
        Self { position, rotation: None, weight: 1.0 }
    }

    /// A position and an orientation, with full weight.
    pub fn placement(placement: Transform) -> Self {
        Self { position: placement.translation, rotation: Some(placement.rotation), weight: 1.0 }
    }

    /// The same target with another weight.
    pub fn weighted(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    /// Whether the target asks for anything.
    pub(crate) fn active(&self) -> bool {
        self.weight > 0.0
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.position.is_finite()
            && self.rotation.is_none_or(|rotation| {
                rotation.is_finite() && (rotation.length_squared() - 1.0).abs() < 0.1
            })
            && self.weight.is_finite()
    }
}

/// The report of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IkReport {
    /// Whether every effector is at its target, to the solver's tolerance.
    pub reached: bool,
    /// Largest distance between an effector and its target in metres; infinite if the targets were
    /// refused.
    pub residual: f32,
    /// Sweeps, steps or descents made; 0 if the targets were refused or met already.
    pub iterations: usize,
}

impl IkReport {
    /// The report for targets that are not numbers, are too few or too many: the pose stays as it was.
    pub const REFUSED: Self = Self { reached: false, residual: f32::INFINITY, iterations: 0 };
}

/// A solver that is ready for one skeleton and one set of effectors.
///
/// Everything it needs beside the pose was allocated when it was made. The pose that comes in is the
/// one to stay close to; solvers differ in how close they stay. Targets that are not finite leave
/// the pose as it was and are reported as [`IkReport::REFUSED`].
pub trait Solver {
    /// Moves the effectors towards `targets`, given in the order of the effectors.
    ///
    /// `locals` and `models` describe the same pose, before and after; `models` is brought up to date for
    /// the joints the solver moves, not for those that merely hang on them.
    ///
    /// # Panics
    /// If a slice is shorter than the skeleton.
    fn solve(
        &mut self,
        targets: &[IkTarget],
        locals: &mut [Transform],
        models: &mut [Transform],
    ) -> IkReport;

    /// The joints the solver moves, parents first.
    fn joints(&self) -> &[usize];
}
