//! A sketch and a body, as a problem for a search.

pub(crate) mod candidate;
pub(crate) mod candidate_trial;
pub(crate) mod draft;
pub(crate) mod encoding;
pub(crate) mod energy;
pub(crate) mod evaluator;
pub(crate) mod gait_problem;
pub(crate) mod judgement;
pub(crate) mod landing_schedule;
pub(crate) mod penalty;
pub(crate) mod problem_error;
pub(crate) mod residuals;
pub(crate) mod rollout;
pub(crate) mod setup;
pub(crate) mod stride_pattern;
pub(crate) mod variable;

pub use candidate::{Candidate, Phasing, Share, StepPlan};
pub use candidate_trial::{CandidateTrial, SOFT_CONSTRAINTS};
pub use draft::ModeShare;
pub use energy::EnergyMoment;
pub use evaluator::{Evaluator, LANES};
pub use gait_problem::{GaitProblem, ProblemOptions};
pub use problem_error::ProblemError;
pub use stride_pattern::StridePattern;
pub use variable::Variable;
