//! Articulated rigid-body dynamics in reduced coordinates.

mod aba;
mod inverse;
mod joint_forces;
mod kinematics;
mod math;
mod model;
mod real;
pub mod samples;
mod spatial;
mod state;

pub use aba::Aba;
pub use inverse::Inverse;
pub use kinematics::Kinematics;
pub use math::{Mat3, Quat, Sym3, Vec3, vec3};
pub use model::{Axis, Form, Joint, Link, Model, ModelError, Shape};
pub use real::Real;
pub use spatial::{Articulated, Force, Inertia, Motion};
pub use state::{Controls, State};
