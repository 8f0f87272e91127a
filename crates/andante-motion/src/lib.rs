//! What clips mean.

pub mod adapt;
pub mod analysis;
pub mod edit;
pub mod oddities;
mod planted;
pub mod repertoire;
pub mod retarget;
pub mod rig;
mod signal;
pub mod synth;

pub use planted::{PlantedError, planted_ground_clip};
