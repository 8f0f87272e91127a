//! What clips mean.

pub mod analysis;
mod contacts;
pub mod edit;
pub mod metrics;
pub mod synth;
pub mod retarget;
pub mod rig;
mod signal;
pub mod retarget;
pub mod rig;
mod signal;
pub mod synth;
pub mod retarget;
pub mod rig;
mod signal;

pub use contacts::{Contacts, FootContacts, Interval};
