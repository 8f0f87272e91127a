//! What clips mean.

pub mod analysis;
pub mod archive;
pub mod blend_space;
mod contacts;
pub mod edit;
pub mod metrics;
pub mod oddities;
pub mod repertoire;
pub mod retarget;
pub mod rig;
mod signal;
pub mod synth;

pub use contacts::{Contacts, FootContacts, Interval};
