//! The ground characters walk on.
//!
//! Everything that adapts motion to the ground asks one question: what is met going straight down from here?
//! [`Ground`] answers it, for a formula ([`HeightFunction`]) as for anything else, overhangs and holes included.

mod ground;
mod height_function;
mod obstacle;
mod platform;

pub use ground::{Ground, Hit};
pub use height_function::HeightFunction;
pub use obstacle::{Footprint, Obstacle, Shape};
pub use platform::Platform;
