//! Feet of motions that somebody else makes, frame by frame, on the ground.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "../../examples/common/mod.rs"]
mod common;
mod contract;
mod level;
mod moving;
mod natural;
mod oracle;
mod source;
mod terrains;
mod turning;
