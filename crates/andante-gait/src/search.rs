//! Searches: optimisers, and what they make of a problem.

pub(crate) mod checkpoint;
pub(crate) mod closing;
pub(crate) mod cma;
pub(crate) mod gait_search;
pub(crate) mod multipliers;
pub(crate) mod random;
pub(crate) mod restarts;

pub use checkpoint::CheckpointError;
pub use closing::{Closing, ClosingOptions};
pub use cma::{Best, Cma, CmaOptions, CmaStop, automatic_population};
pub use gait_search::{Method, Progress, Search, SearchOptions, SearchResult};
pub use multipliers::{
    Judged, Multipliers, MultipliersOptions, MultipliersOutcome, MultipliersStage,
};
pub use restarts::{Restarts, RestartsOptions};
