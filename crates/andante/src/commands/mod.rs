//! One file per command.

pub mod characters;
pub mod convert;
pub mod inspect;
mod select;
