//! What holds for the solvers, seen from outside.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod descent_statistics;
mod full_body;
mod golden;
mod no_allocation;
mod solvers;
mod support;
