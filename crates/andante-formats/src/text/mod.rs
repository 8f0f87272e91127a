//! What the text formats share: numbers, words, line numbers and safe names.

mod cursor;
mod fixed;
mod names;
mod number;

pub(crate) use cursor::{Cursor, LineCounter, is_break, is_space, trim};
pub(crate) use fixed::write_numbers;
pub(crate) use names::{UniqueNames, decode, shown};
pub(crate) use number::{Fault, number};
