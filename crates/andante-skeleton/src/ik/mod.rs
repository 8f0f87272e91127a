//! Inverse kinematics in closed form: limbs of two bones.

mod chain_error;
mod two_bone;

pub use chain_error::ChainError;
pub use two_bone::{TwoBone, TwoBoneError, TwoBoneOptions, TwoBoneReport};
