//! Walking by joint torques: a clip made possible for a body, and the feedback that keeps it up.

pub(crate) mod bounce;
#[cfg(feature = "walks")]
mod built_in;
pub(crate) mod cast;
mod course;
pub(crate) mod cycle;
pub(crate) mod cycle_settings;
pub(crate) mod foot_path;
pub(crate) mod options;
pub(crate) mod spline;
mod stroll;
pub(crate) mod walk_controller;

pub use bounce::Swinging;
pub use cast::WalkError;
pub use course::Ladder;
pub use cycle::{Momenta, Standing, WalkCycle};
pub use cycle_settings::CycleSettings;
pub use options::WalkOptions;
pub use stroll::{Stroll, StrollOutcome, stroll_pushes};
pub use walk_controller::WalkController;
