//! Repertoires as files.
//!
//! The character and its clips as they are in memory, in an [`archive`](crate::archive). What follows from the
//! clips is worked out again when a file is read.

mod clips;

use super::{Repertoire, RepertoireError};
use crate::archive::{ArchiveError, ArchiveKind, ArchiveWriter};
use thiserror::Error;

const KIND: ArchiveKind = ArchiveKind { name: "repertoire", magic: *b"ANDREP\r\n", version: 1 };

/// An error that keeps bytes from being read as a repertoire.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RepertoireFileError {
    /// The file is not whole, or not what it should be.
    #[error(transparent)]
    File(#[from] ArchiveError),
    /// The clips are no repertoire.
    #[error(transparent)]
    Repertoire(#[from] RepertoireError),
}

impl Repertoire {
    /// The repertoire as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut content = ArchiveWriter::default();
        content.character(&self.character);
        content.count(self.clips.len());
        for clip in &self.clips {
            clips::write(&mut content, clip);
        }
        KIND.seal(content)
    }

    /// The repertoire of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RepertoireFileError> {
        let mut content = KIND.open(bytes)?;
        let character = content.character()?;
        let count = content.count(clips::LEAST)?;
        let mut clips = Vec::with_capacity(count);
        for _ in 0..count {
            clips.push(clips::read(&mut content, &character)?);
        }
        if !content.is_empty() {
            return Err(ArchiveError::Invalid("something follows the last clip").into());
        }
        Ok(Self::new(character, clips)?)
    }
}
