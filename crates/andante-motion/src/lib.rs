//! What clips mean.

mod contacts;
pub mod edit;
pub mod metrics;
pub mod synth;
pub mod retarget;

pub use contacts::{Contacts, FootContacts, Interval};
