//! Whole bodies.

mod full;
mod limb;
mod masses;
mod trunk;

pub use full::{Balance, BodyPlan, FullBody, FullBodyOptions};
pub use masses::Masses;
