//! Walking by joint torques: a clip made possible for a body, and the feedback that keeps it up.

mod bounce;
#[cfg(feature = "walks")]
mod built_in;
mod cast;
mod course;
mod cycle;
mod cycle_settings;
mod foot_path;
mod options;
mod spline;
mod stroll;
mod walk_controller;

pub use bounce::Swinging;
pub use cast::WalkError;
pub use course::Ladder;
pub use cycle::{Momenta, Standing, WalkCycle};
pub use cycle_settings::CycleSettings;
pub use options::WalkOptions;
pub use stroll::{Stroll, StrollOutcome, stroll_pushes};
pub use walk_controller::WalkController;
