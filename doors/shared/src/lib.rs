//! What the doors have in common: one kind of error with the words of the library, characters and motions that can be shared,
//! numbers that stand for people on a stage, and bodies with what keeps them on their feet. It adds nothing that
//! the library does not do.

mod body;
mod character;
mod error;
mod motions;
mod stage;
mod walker;

pub use body::{Condition, SimulatedBody};
pub use character::SharedCharacter;
pub use error::{DoorError, DoorErrorKind, within};
pub use motions::SharedMotions;
pub use stage::{DoorStage, PlannedWay, StageEvent};
pub use walker::Walker;
