//! Keeping balance: standing, stepping, reaching, trials by pushes.

pub(crate) mod balance_controller;
pub(crate) mod equilibrium;
pub(crate) mod foothold;
pub(crate) mod push_trial;
pub(crate) mod reaching;
pub(crate) mod sole_swing;
pub(crate) mod stepper;
