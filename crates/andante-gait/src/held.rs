//! Found gaits: as files, as motion, and held on their way.

pub(crate) mod feedback;
pub(crate) mod found_gait;
pub(crate) mod gait_clock;
pub(crate) mod gait_cycle;
pub(crate) mod held_run;
pub(crate) mod lap_course;
pub(crate) mod periodic_gains;
pub(crate) mod pipeline;
pub(crate) mod polish;
pub(crate) mod variation;

pub use feedback::{Feedback, FeedbackOptions, Landing};
pub use found_gait::{FoundGait, GaitMisfit, StartFile, StepFile, read_gait_file};
pub use gait_cycle::GaitCycle;
pub use held_run::{CyclePush, HeldMoment, HeldRun};
pub use pipeline::{PipelineError, character};
pub use polish::{Polish, PolishOptions};
pub use variation::{Variation, VariationGoal, VariationOptions};
