//! Characters that are moved by forces: pushed, hit, thrown off their feet.

mod episode;
mod flesh;
mod footing;
mod order;
mod things;

pub(crate) use episode::{Before, Condition, Cycles, Episode};
pub(crate) use flesh::Flesh;
pub(crate) use footing::Footing;
pub(crate) use things::{Thing, Things};

pub use flesh::FleshError;
pub use order::{Nature, Shove, Throw};
