//! Files of our own: how repertoires, takes and searches are kept.
//!
//! Little endian: eight bytes that say what it is, a version, the length of what follows, the content, and a
//! checksum over all of it. The same content is always the same bytes.

mod character;
mod reader;
mod writer;

pub use reader::ArchiveReader;
pub use writer::ArchiveWriter;

use andante_skeleton::{ClipError, SkeletonError};
use thiserror::Error;

/// Magic, version and length.
const HEADER: usize = 8 + 2 + 8;
const CHECKSUM: usize = 8;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchiveKind {
    /// What people call it.
    pub name: &'static str,
    /// Its first bytes.
    pub magic: [u8; 8],
    /// The version that is written, and the only one that is read.
    pub version: u16,
}

/// An error that keeps bytes from being read as a file of some kind.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ArchiveError {
    /// Another kind of file.
    #[error("this is not a {0} file")]
    Foreign(&'static str),
    /// Written by a later version.
    #[error("{name} file of version {found}; this program reads up to version {known}")]
    Version {
        /// The kind of file.
        name: &'static str,
        /// Its version.
        found: u16,
        /// The latest version that can be read.
        known: u16,
    },
    /// The file ends too early, or goes on.
    #[error("the {name} file has {found} bytes instead of {expected}: copied incompletely?")]
    Length {
        /// The kind of file.
        name: &'static str,
        /// Bytes there are.
        found: u64,
        /// Bytes there should be.
        expected: u64,
    },
    /// The file ends before its end; how long it should be stands there, and is not known.
    #[error("the {name} file ends after {found} bytes, in the middle: copied incompletely?")]
    Cut {
        /// The kind of file.
        name: &'static str,
        /// Bytes there are.
        found: u64,
    },
    /// The checksum does not match.
    #[error("the {0} file is damaged: its checksum does not match")]
    Damaged(&'static str),
    /// Something in it makes no sense.
    #[error("the file makes no sense: {0}")]
    Invalid(&'static str),
    /// The joints are no skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// Frames are no clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

impl ArchiveKind {
    /// The file around some content.
    pub fn seal(&self, content: ArchiveWriter) -> Vec<u8> {
        let content = content.into_bytes();
        let mut bytes = Vec::with_capacity(HEADER + content.len() + CHECKSUM);
        bytes.extend(self.magic);
        bytes.extend(self.version.to_le_bytes());
        bytes.extend((content.len() as u64).to_le_bytes());
        bytes.extend(content);
        let checksum = fnv1a(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// The content of a file, once everything around it is as it should be.
    pub fn open<'a>(&self, bytes: &'a [u8]) -> Result<ArchiveReader<'a>, ArchiveError> {
        let name = self.name;
        let rest = bytes.strip_prefix(&self.magic).ok_or(ArchiveError::Foreign(name))?;
        let found = bytes.len() as u64;
        if bytes.len() < HEADER + CHECKSUM {
            return Err(ArchiveError::Cut { name, found });
        }
        let mut header = ArchiveReader::new(rest);
        let version = header.u16()?;
        if version != self.version {
            return Err(ArchiveError::Version { name, found: version, known: self.version });
        }
        let expected = header.u64()?.saturating_add((HEADER + CHECKSUM) as u64);
        if found != expected {
            return Err(ArchiveError::Length { name, found, expected });
        }
        let (signed, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
        if fnv1a(signed).to_le_bytes() != *checksum {
            return Err(ArchiveError::Damaged(name));
        }
        Ok(ArchiveReader::new(&signed[HEADER..]))
    }

    /// The file with one byte of its content changed by somebody who knows the checksum: what readers are tested
    /// with.
    pub fn forge(bytes: &[u8], at: usize, value: u8) -> Vec<u8> {
        let mut forged = bytes[..bytes.len().saturating_sub(CHECKSUM)].to_vec();
        if let Some(byte) =
            forged.get_mut(HEADER..).and_then(|content| content.get_mut(at % content.len().max(1)))
        {
            *byte = value;
        }
        let checksum = fnv1a(&forged);
        forged.extend(checksum.to_le_bytes());
        forged
    }
}

/// The 64-bit hash of Fowler, Noll and Vo, variant 1a.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
