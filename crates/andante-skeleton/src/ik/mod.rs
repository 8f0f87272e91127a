//! Inverse kinematics in closed form: limbs of two bones, and chains that look at a target.

mod aim;
mod chain_error;
mod two_bone;

pub use aim::{Aim, AimOptions, AimReport};
pub use chain_error::ChainError;
pub use two_bone::{TwoBone, TwoBoneError, TwoBoneOptions, TwoBoneReport, TwoBoneTask};
