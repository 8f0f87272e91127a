//! What clips mean.

pub mod analysis;
mod contacts;
pub mod edit;
pub mod metrics;
pub mod retarget;
pub mod rig;
mod signal;
pub mod synth;

pub use contacts::{Contacts, FootContacts, Interval};
