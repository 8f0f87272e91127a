#![doc = include_str!("../README.md")]

mod controller;
mod convert;
mod describe;
mod eigen;
mod layout;
mod maximal;
mod mirror;
mod modes;
mod performance;
mod preview;
mod reduced;
mod response;
mod state;

pub use controller::{
    ControlState, Controller, ControllerError, FootPhase, FootStep, Pulse, Sketch,
};
pub use describe::{Description, Parity};
pub use layout::CoordinateLayout;
pub use mirror::Mirror;
pub use modes::{Basis, Modes, ModesError, ModesMethod, PinnedPoint, VibrationMode};
pub use performance::{PerformanceError, PerformanceOptions, PulseMotion};
pub use preview::Wave;
pub use reduced::mass_matrix;
pub use response::{Oscillator, State};
pub use state::BodyState;
