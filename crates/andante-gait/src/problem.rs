//! A sketch and a body, as a problem for a search.

pub(crate) mod candidate_trial;
pub(crate) mod cycle_closure;
pub(crate) mod energy_moment;
pub(crate) mod evaluator;
pub(crate) mod gait_problem;
pub(crate) mod gait_setup;
pub(crate) mod judgement;
pub(crate) mod landing_schedule;
pub(crate) mod options;
pub(crate) mod penalty;
pub(crate) mod problem_error;
pub(crate) mod pulse_controller;
pub(crate) mod pulse_motion;
pub(crate) mod pulse_simulator;
pub(crate) mod rollout;
pub(crate) mod search_space;
pub(crate) mod stride_pattern;
pub(crate) mod trunk_swing;
pub(crate) mod variable;

pub use candidate_trial::{CandidateTrial, SOFT_CONSTRAINTS};
pub use energy_moment::EnergyMoment;
pub use evaluator::{Evaluator, LANES};
pub use gait_problem::GaitProblem;
pub use options::{GaitLimits, MeritWeights, PlaybackOptions, ProblemOptions, VariableBounds};
pub use problem_error::ProblemError;
pub use pulse_controller::{ControllerError, PulseController, PulsePhase, PulseShare, StepPlan};
pub use pulse_motion::{PulseError, PulseMotion};
pub use stride_pattern::StridePattern;
pub use trunk_swing::TrunkSwing;
pub use variable::Variable;
