//! Why a chain of joints cannot be solved.

use crate::SettingError;
use thiserror::Error;

/// An error that keeps a solver from being made.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ChainError {
    /// A joint's index is beyond the skeleton.
    #[error("there is no joint {0}")]
    NoSuchJoint(usize),
    /// An effector does not hang on the root of the chain.
    #[error("joint {joint} does not hang on joint {root}")]
    NotBelow {
        /// Where the chain was to begin.
        root: usize,
        /// The effector's joint.
        joint: usize,
    },
    /// There is nothing to move anywhere.
    #[error("a solver needs at least one effector")]
    NoEffector,
    /// An option is out of its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A number among the effectors is not finite, or out of its range.
    #[error("{0} is out of range")]
    OutOfRange(&'static str),
}
