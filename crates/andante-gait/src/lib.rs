#![doc = include_str!("../README.md")]

mod held;
mod modes;
mod problem;
mod search;
mod sketch;

// What is public is listed in each of them.
pub use held::*;
pub use modes::*;
pub use problem::*;
pub use search::*;
pub use sketch::*;
