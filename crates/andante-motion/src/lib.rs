//! What clips mean.

mod contacts;
pub mod edit;
pub mod metrics;
pub mod retarget;

pub use contacts::{Contacts, FootContacts, Interval};
