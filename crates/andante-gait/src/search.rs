//! Searches: optimisers, and what they make of a problem.

pub(crate) mod checkpoint;
pub(crate) mod closing;
pub(crate) mod cma;
pub(crate) mod gait_search;
pub(crate) mod levenberg_marquardt;
pub(crate) mod multipliers;
pub(crate) mod optimiser;
pub(crate) mod random;

pub use checkpoint::CheckpointError;
pub use closing::Closing;
pub use cma::{Best, Cma, CmaOptions, CmaStop, automatic_population};
pub use gait_search::direct::DirectOptions;
pub use gait_search::{Method, Progress, Search, SearchOptions, SearchResult};
pub use levenberg_marquardt::{LevenbergMarquardt, LevenbergMarquardtOptions};
pub use multipliers::{Multipliers, MultipliersOptions, MultipliersOutcome, MultipliersStage};
pub use optimiser::{Judged, Optimiser};
