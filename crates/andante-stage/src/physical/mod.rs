//! Characters that are moved by forces: pushed, hit, thrown off their feet.

mod beside;
mod condition;
mod episode;
mod errand;
mod flesh;
mod footing;
mod framing;
mod gait;
mod order;
mod ride;
mod solids;
mod things;

pub(crate) use condition::Condition;
pub(crate) use episode::{Before, Episode};
pub(crate) use flesh::Flesh;
pub(crate) use footing::{Below, Footing, Site};
pub(crate) use gait::Cycles;
pub(crate) use ride::Ride;
pub(crate) use solids::Solids;
pub(crate) use things::{Thing, Things};

pub use flesh::FleshError;
pub use order::{Nature, Shove, Throw};
