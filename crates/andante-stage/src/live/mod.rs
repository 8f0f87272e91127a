//! Characters that do what they are told, frame by frame.

mod actor;
mod actor_id;
pub(crate) mod avoid;
mod behavior;
mod body;
pub(crate) mod decks;
mod disc;
mod floor;
mod gates;
mod half_planes;
mod kind;
mod neighbours;
mod physics;
mod planning;
mod press;
mod record;
mod sensors;
mod stage;
mod steering;
mod torque_walk;
mod touch;
pub(crate) mod way;

pub(crate) use sensors::{covers, overhead};

pub use actor::Actor;
pub use actor_id::ActorId;
pub use disc::{Disc, Gains};
pub use record::{FPS, Recorder};
pub use sensors::{Perception, RAYS};
pub use stage::{Footfall, Stage, StageError, StageSnapshot};
