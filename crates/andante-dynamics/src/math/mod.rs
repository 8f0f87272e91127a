//! Three-vectors, matrices and quaternions over [`Real`](crate::Real).

mod matrix;
mod quat;
mod vector;

pub use matrix::{Mat3, Sym3};
pub use quat::Quat;
pub use vector::{Vec3, vec3};
