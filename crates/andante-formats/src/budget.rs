//! Memory in proportion to the file.

use crate::{ReadError, ReadLimits};

/// How many transforms a file of a given length may become.
///
/// A joint that nothing moves takes no space in a frame of a text file and 32 bytes in memory. A small
/// file with thousands of such joints and very short frames would fill the memory of any machine; real
/// files are far below the limit.
#[derive(Clone, Copy)]
pub(crate) struct Budget {
    pub transforms: usize,
}

impl Budget {
    /// For a file of this many bytes (or of which so many have been read).
    pub fn new(bytes: usize, limits: &ReadLimits) -> Self {
        let more = bytes.saturating_mul(limits.transforms_per_byte);
        Self { transforms: more.saturating_add(limits.transforms) }
    }

    /// As many of these as the file may have.
    pub fn min(self, transforms: usize) -> usize {
        self.transforms.min(transforms)
    }

    /// Checks that the file may have this many.
    pub fn check(self, transforms: usize) -> Result<(), ReadError> {
        if transforms <= self.transforms {
            return Ok(());
        }
        Err(ReadError::file(
            "the frames would take more than a hundred times as much memory as the file: nearly all of its \
             joints have no channels",
        ))
    }
}
