//! Inverse kinematics for limbs.

mod two_bone;

pub use two_bone::{TwoBone, TwoBoneError, TwoBoneOptions, TwoBoneReport};
