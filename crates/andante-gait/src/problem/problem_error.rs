//! What can be wrong with a sketch and a body.

use crate::ModesError;
use crate::problem::pulse_controller::ControllerError;
use crate::problem::pulse_motion::PulseError;
use andante_body::{BodyError, CharacterError};
use andante_dynamics::SimulationError;
use andante_skeleton::SettingError;
use thiserror::Error;

/// An error that keeps a sketch from being searched.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ProblemError {
    /// An option is out of its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The body has no feet, or all are disregarded.
    #[error("`{0}` has no feet to stand on, or all of them are disregarded")]
    NoFeet(String),
    /// A body that cannot always stand on some of its feet.
    #[error("`{0}` has fewer than two feet on either side: a walk takes four or more feet")]
    FewFeet(String),
    /// A foot that the body does not have.
    #[error("`{body}` has no foot `{foot}`; it has {known}")]
    Foot {
        /// The body.
        body: String,
        /// As given.
        foot: String,
        /// What there is.
        known: String,
    },
    /// A rest pose that the body does not have.
    #[error("`{body}` has no rest pose `{pose}`; it has {known}")]
    Pose {
        /// The body.
        body: String,
        /// As given.
        pose: String,
        /// What there is.
        known: String,
    },
    /// A mode that does not exist.
    #[error("step {step}, {phase}: there is no mode {mode}; `{body}` has 1 to {count}")]
    Mode {
        /// From 1.
        step: usize,
        /// `air` or `ground`.
        phase: &'static str,
        /// From 1.
        mode: usize,
        /// The body.
        body: String,
        /// How many there are.
        count: usize,
    },
    /// Nothing is left to drive the body.
    #[error("every mode of every phase is excluded: nothing drives the body")]
    Nothing,
    /// A sketch without a step.
    #[error("there is no step: at least one foot has to land")]
    NoSteps,
    /// Half a cycle needs a symmetric body.
    #[error("`{0}` or its rest pose is not symmetric: half a cycle cannot be mirrored")]
    NotSymmetric(String),
    /// A gait with other steps than the sketch asks for.
    #[error("the gait is not one of `{0}`")]
    OtherGait(String),
    /// A number that makes no sense.
    #[error("{what} is {value}; it must be {expected}")]
    Number {
        /// Which.
        what: String,
        /// As given.
        value: f64,
        /// What it has to be.
        expected: &'static str,
    },
    /// The body cannot do without the feet.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// It has no modes.
    #[error(transparent)]
    Modes(#[from] ModesError),
    /// It cannot be simulated.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// It cannot be driven so.
    #[error(transparent)]
    Controller(#[from] ControllerError),
    /// Nor so.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
}

impl From<PulseError> for ProblemError {
    fn from(error: PulseError) -> Self {
        match error {
            PulseError::Character(error) => error.into(),
            PulseError::Simulation(error) => error.into(),
            PulseError::Controller(error) => error.into(),
        }
    }
}
