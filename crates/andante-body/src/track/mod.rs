//! Following a clip by joint torques: the clip made possible for a body, and the feedback that keeps it up.

mod banded;
mod clip_cast;
mod clip_controller;
mod clip_plan;
mod foot_way;
mod footing;
mod making;
mod track_trial;

pub use clip_controller::{ClipControlOptions, ClipController};
pub use clip_plan::{ClipPlan, ClipPlanSettings};
pub use track_trial::{EnergyBook, TrackEnd, TrackError, TrackLimits, TrackOutcome, TrackTrial};
