//! The rooms.

pub mod creature;
pub mod motion;
pub mod physics;
pub mod stage;
pub mod welcome;
