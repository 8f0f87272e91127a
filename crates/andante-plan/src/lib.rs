#![doc = include_str!("../README.md")]

mod clock;
pub mod route;
pub mod steps;

pub use clock::Clock;
