//! Feet at run time: legs, soles, footholds, swings, reach.

pub(crate) mod foothold;
mod footprint;
pub(crate) mod leg;
mod limb;
pub(crate) mod reach;
pub(crate) mod shaped;
pub(crate) mod shaping;
pub(crate) mod sole;
pub(crate) mod swing;

pub use footprint::Footprint;
pub use limb::{Bend, LimbJoints};
