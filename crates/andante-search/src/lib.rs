#![doc = include_str!("../README.md")]

mod candidate;
mod closing;
mod cma;
mod evaluator;
mod multipliers;
mod penalty;
mod problem;
mod restarts;
mod rollout;
mod sketch;
mod variables;

pub use candidate::{Candidate, Phasing, StepPlan};
pub use closing::{Closing, ClosingOptions};
pub use cma::{Best, Cma, CmaOptions, CmaStop, automatic_population};
pub use evaluator::{Evaluator, LANES};
pub use multipliers::{Judged, Multipliers, MultipliersOptions, Outcome, Stage};
pub use problem::{GaitProblem, ProblemError, ProblemOptions};
pub use restarts::{Restarts, RestartsOptions};
pub use rollout::{SOFT_CONSTRAINTS, Trial};
pub use sketch::{GaitSketch, PhaseSketch, StepSketch};
pub use variables::Variable;
