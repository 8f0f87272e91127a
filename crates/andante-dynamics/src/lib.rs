#![doc = include_str!("../README.md")]

mod aba;
mod contact;
mod flight;
mod inverse;
mod joint_factor;
mod joint_forces;
mod kinematics;
mod link;
mod link_joint;
mod math;
mod measure;
mod model;
mod physics_settings;
mod quarantine;
mod real;
pub mod samples;
mod shape;
mod simulation;
mod spatial;
mod state;

pub use aba::Aba;
pub use contact::{
    ContactTerrain, ContactTerrainError, GroundMotion, HeightGrid, HeightSurface, Surface,
    SurfacePoint,
};
#[cfg(feature = "mesh")]
pub use contact::{MeshSurface, SolidMesh};
pub use inverse::Inverse;
pub use kinematics::Kinematics;
pub use link::{JointAxis, ModelLink};
pub use link_joint::LinkJoint;
pub use math::{Mat3, Quat, Sym3, Vec3, vec3};
pub use measure::ContactReading;
pub use model::{Model, ModelError};
pub use physics_settings::{PhysicsSettings, SimulationError};
pub use quarantine::{Quarantine, Reason};
pub use real::Real;
pub use shape::{CollisionForm, CollisionShape};
pub use simulation::{Simulation, Snapshot, StepReport};
pub use spatial::{Articulated, Force, Inertia, MotionVector};
pub use state::{Controls, JointState};
pub use wide::{f64x4, f64x8};
