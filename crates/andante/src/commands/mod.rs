//! One file per command.

pub mod characters;
pub mod convert;
pub mod demo;
pub mod inspect;
mod select;
