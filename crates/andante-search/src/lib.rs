#![doc = include_str!("../README.md")]

mod built_in;
mod candidate;
mod checkpoint;
mod closing;
mod cma;
mod cycle;
mod evaluator;
mod gait;
mod multipliers;
mod penalty;
mod pipeline;
mod problem;
mod restarts;
mod rollout;
mod search;
mod setup;
mod sketch;
mod sketch_file;
mod variables;

pub use built_in::SKETCHES;
pub use candidate::{Candidate, Phasing, StepPlan};
pub use checkpoint::CheckpointError;
pub use closing::{Closing, ClosingOptions};
pub use cma::{Best, Cma, CmaOptions, CmaStop, automatic_population};
pub use cycle::Cycle;
pub use evaluator::{Evaluator, LANES};
pub use gait::{Gait, PhaseFile, StartFile, StepFile};
pub use multipliers::{Judged, Multipliers, MultipliersOptions, Outcome, Stage};
pub use pipeline::{PipelineError, character};
pub use problem::{GaitProblem, ProblemError, ProblemOptions};
pub use restarts::{Restarts, RestartsOptions};
pub use rollout::{SOFT_CONSTRAINTS, Trial};
pub use search::{Found, Method, Progress, Search, SearchOptions};
pub use sketch::{GaitSketch, PhaseSketch, StepSketch};
pub use sketch_file::{read_sketch, read_sketch_file};
pub use variables::Variable;
