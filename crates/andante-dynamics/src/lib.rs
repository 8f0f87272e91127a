#![doc = include_str!("../README.md")]

mod aba;
mod character;
mod contact;
mod inverse;
mod joint_forces;
mod kinematics;
mod math;
mod model;
mod real;
mod runge_kutta;
pub mod samples;
mod simulation;
mod spatial;
mod state;

pub use aba::Aba;
pub use character::{Character, CharacterError};
pub use contact::{Height, HeightGrid, Mesh, Surface, SurfacePoint, Terrain, TerrainError};
pub use inverse::Inverse;
pub use kinematics::Kinematics;
pub use math::{Mat3, Quat, Sym3, Vec3, vec3};
pub use model::{Axis, Form, Joint, Link, Model, ModelError, Shape};
pub use real::Real;
pub use runge_kutta::RungeKutta;
pub use simulation::{Contact, Options, Simulation, SimulationError, Snapshot, StepReport};
pub use spatial::{Articulated, Force, Inertia, Motion};
pub use state::{Controls, State};

/// One thread, four characters.
pub type Simulation4 = Simulation<wide::f64x4>;
/// One thread, eight characters.
pub type Simulation8 = Simulation<wide::f64x8>;
pub use wide::{f64x4, f64x8};
