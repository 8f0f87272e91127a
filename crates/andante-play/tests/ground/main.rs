//! Characters over the ground.
#![allow(clippy::unwrap_used)]

mod behaviour;
#[path = "../../examples/common/mod.rs"]
mod common;
mod fades;
mod moving;
mod player;
mod properties;
