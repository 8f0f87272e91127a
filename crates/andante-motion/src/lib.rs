//! What clips mean.

pub mod analysis;
mod contacts;
pub mod metrics;
pub mod rig;
mod signal;

pub use contacts::{Contacts, FootContacts, Interval};
