//! Characters that are moved by forces: pushed, hit, thrown off their feet.

mod beside;
mod compliance;
mod condition;
mod episode;
mod errand;
mod felt;
mod footing;
mod framing;
mod gait;
mod mass_points;
mod order;
mod physical_body;
mod probed_surface;
mod ride;
mod solids;
mod things;

pub(crate) use compliance::{Compliance, Touch, TouchedMass};
pub(crate) use condition::PhysicalCondition;
pub(crate) use episode::{Before, PhysicsEpisode};
pub(crate) use felt::FeltForces;
pub(crate) use footing::{MovingGround, SimulationGround, Site};
pub(crate) use gait::Cycles;
pub(crate) use mass_points::MassPoints;
pub(crate) use physical_body::PhysicalBody;
pub(crate) use ride::RidingFrame;
pub(crate) use solids::Solids;
pub(crate) use things::{StageProp, Things};

pub use order::{PushOrder, ThrowOrder};
pub use physical_body::PhysicalBodyError;
pub use probed_surface::ProbedSurface;
