#![doc = include_str!("../README.md")]

mod cma;
mod multipliers;
mod restarts;

pub use cma::{Best, Cma, CmaOptions, CmaStop, automatic_population};
pub use multipliers::{Judged, Multipliers, MultipliersOptions, Outcome, Stage};
pub use restarts::{Restarts, RestartsOptions};
