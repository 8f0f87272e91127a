#![doc = include_str!("../README.md")]

mod align;
mod body;
mod ccd;
mod descent;
mod fabrik;
mod jacobian;
mod linear;
mod reach;
mod solver;
mod tree;
mod two_bone_solver;

pub use andante_skeleton::ChainError;
pub use body::*;
pub use ccd::{Ccd, CcdOptions};
pub use descent::*;
pub use fabrik::{Fabrik, FabrikOptions};
pub use jacobian::{Jacobian, JacobianOptions};
pub use reach::{Reach, ReachError, SolverChoice, reach};
pub use solver::{IkReport, IkTarget, Solver};
pub use two_bone_solver::TwoBoneSolver;
