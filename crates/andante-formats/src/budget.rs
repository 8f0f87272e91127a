//! Memory in proportion to the file.

use crate::ReadError;

/// How many transforms a file of a given length may become.
///
/// A joint that nothing moves takes no space in a frame of a text file and 32 bytes in memory. A small
/// file with thousands of such joints and very short frames would fill the memory of any machine; real
/// files are far below the limit.
#[derive(Clone, Copy)]
pub(crate) struct Budget {
    transforms: usize,
}

impl Budget {
    /// For a file of this many bytes (or of which so many have been read).
    pub fn new(bytes: usize) -> Self {
        /// Transforms that any file may have: 64 MiB of memory.
        const ALWAYS: usize = 1 << 21;
        /// Further transforms per byte. A frame of real data has about 8 bytes per number and 3 numbers
        /// per joint.
        const PER_BYTE: usize = 4;
        Self { transforms: bytes.saturating_mul(PER_BYTE).saturating_add(ALWAYS) }
    }

    /// As many of these as the file may have.
    pub fn min(self, transforms: usize) -> usize {
        self.transforms.min(transforms)
    }

    /// Whether the file may have this many.
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
