//! What clips mean.

mod contacts;
pub mod metrics;
pub mod synth;

pub use contacts::{Contacts, FootContacts, Interval};
