//! Falling, lying and getting up.

pub(crate) mod fall_controller;
pub(crate) mod fall_trial;
pub(crate) mod get_up_controller;
pub(crate) mod muscles;
pub(crate) mod recovery_controller;
