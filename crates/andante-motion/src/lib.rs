//! What clips mean.

pub mod blend_space;
mod contacts;
pub mod metrics;
pub mod repertoire;
pub mod synth;

pub use contacts::{Contacts, FootContacts, Interval};
