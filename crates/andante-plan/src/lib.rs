//! From a goal to footsteps.
//!
//! A route is found in the horizontal plane, for a character that is a disc: places are `(x, z)`. [`route::Walls`]
//! says exactly where the disc fits; [`route::TwoTrees`] grows random trees through it and
//! [`route::shorten`] and [`route::Curve`] make of what they find a way a person would walk.
//! [`steps::StepPlanner`] then lets a character go it.

mod clock;
pub mod route;
pub mod steps;

pub use clock::Clock;
