//! What clips mean.

mod contacts;
pub mod metrics;

pub use contacts::{Contacts, FootContacts, Interval};
