//! Who is meant.

use std::fmt;

/// A character on a stage, for as long as it is there. Whoever has been taken away is gone: its id never means another.
///
/// The characters of a scene have the numbers 0, 1, 2… in the order of the scene. Wherever an id is asked for, a number
/// stands for the first who had it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ActorId {
    slot: u32,
    generation: u32,
}

impl ActorId {
    pub(crate) fn new(slot: usize, generation: u32) -> Self {
        Self { slot: u32::try_from(slot).unwrap_or(u32::MAX), generation }
    }

    /// Its place in [`Stage::actors`](crate::Stage::actors), and the track of its events. Once it is gone, that may be
    /// another's.
    pub fn number(self) -> usize {
        self.slot as usize
    }

    pub(crate) fn generation(self) -> u32 {
        self.generation
    }
}

impl From<usize> for ActorId {
    /// The first character of that number.
    fn from(number: usize) -> Self {
        Self::new(number, 0)
    }
}

impl fmt::Display for ActorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "character {}", u64::from(self.slot) + 1)?;
        match self.generation {
            0 => Ok(()),
            generation => write!(f, ", {} in that place", u64::from(generation) + 1),
        }
    }
}
