//! Repertoires as files.
//!
//! Little endian: eight bytes that say what it is, a version, the length of what follows, the
//! character and its clips as they are in memory, and a checksum over all of it. What follows from the
//! clips is worked out again when a file is read. The same repertoire is always the same bytes.

mod character;
mod clips;
mod reader;
mod writer;

use super::{Repertoire, RepertoireError};
use andante_skeleton::{ClipError, SkeletonError};
use reader::Reader;
use thiserror::Error;
use writer::Writer;

const MAGIC: [u8; 8] = *b"ANDREP\r\n";
const VERSION: u16 = 1;

/// Magic, version and length.
const HEADER: usize = 8 + 2 + 8;
const CHECKSUM: usize = 8;

/// Why bytes are not a repertoire.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RepertoireFileError {
    /// Another kind of file.
    #[error("this is not a repertoire file")]
    Foreign,
    /// Written by a later version.
    #[error("repertoire file of version {0}; this program reads up to version {VERSION}")]
    Version(u16),
    /// The file ends too early, or goes on.
    #[error("the repertoire file has {found} bytes instead of {expected}: copied incompletely?")]
    Length {
        /// Bytes there are.
        found: u64,
        /// Bytes there should be.
        expected: u64,
    },
    /// The checksum does not match.
    #[error("the repertoire file is damaged: its checksum does not match")]
    Damaged,
    /// Something in it makes no sense.
    #[error("the repertoire file makes no sense: {0}")]
    Invalid(&'static str),
    /// The joints are no skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// Frames are no clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// The clips are no repertoire.
    #[error(transparent)]
    Repertoire(#[from] RepertoireError),
}

impl Repertoire {
    /// The repertoire as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut content = Writer::default();
        character::write(&mut content, &self.character);
        content.count(self.clips.len());
        for clip in &self.clips {
            clips::write(&mut content, clip);
        }
        let content = content.into_bytes();
        let mut bytes = Vec::with_capacity(HEADER + content.len() + CHECKSUM);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((content.len() as u64).to_le_bytes());
        bytes.extend(content);
        let checksum = fnv1a(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// The repertoire of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RepertoireFileError> {
        let Some(rest) = bytes.strip_prefix(&MAGIC) else {
            return Err(RepertoireFileError::Foreign);
        };
        let mut header = Reader::new(rest);
        let version = header.u16()?;
        if version != VERSION {
            return Err(RepertoireFileError::Version(version));
        }
        let length = header.u64()?;
        let found = bytes.len() as u64;
        let expected = length.saturating_add((HEADER + CHECKSUM) as u64);
        if found != expected {
            return Err(RepertoireFileError::Length { found, expected });
        }
        let (signed, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
        if fnv1a(signed).to_le_bytes() != *checksum {
            return Err(RepertoireFileError::Damaged);
        }
        let mut content = Reader::new(&signed[HEADER..]);
        let character = character::read(&mut content)?;
        let count = content.count(clips::LEAST)?;
        let mut clips = Vec::with_capacity(count);
        for _ in 0..count {
            clips.push(clips::read(&mut content, &character)?);
        }
        if !content.is_empty() {
            return Err(RepertoireFileError::Invalid("something follows the last clip"));
        }
        Ok(Self::assemble(character, clips)?)
    }
}

/// The 64-bit hash of Fowler, Noll and Vo, variant 1a.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repertoire::{ClipClass, ClipSource};
    use crate::synth::{self, Gait};
    use andante_skeleton::humanoid;
    use proptest::prelude::*;
    use std::sync::OnceLock;

    fn small() -> &'static (Repertoire, Vec<u8>) {
        static SMALL: OnceLock<(Repertoire, Vec<u8>)> = OnceLock::new();
        SMALL.get_or_init(|| {
            let human = humanoid();
            let mut sources = Vec::new();
            for (name, speed) in [("slow", 0.8), ("fast", 1.5)] {
                let made = synth::locomotion(&human, &Gait::ahead(speed)).unwrap();
                let clip = made.clip.renamed(name);
                sources.push(ClipSource {
                    clip,
                    contacts: made.contacts,
                    cyclic: true,
                    class: None,
                });
            }
            let mut once = sources[0].clone();
            once.clip = once.clip.renamed("once");
            once.class = Some(ClipClass::Action);
            sources.push(once);
            let repertoire = Repertoire::from_clips(&human, &sources).unwrap();
            let bytes = repertoire.to_bytes();
            (repertoire, bytes)
        })
    }

    #[test]
    fn what_is_written_is_read_and_written_again_the_same() {
        let (repertoire, bytes) = small();
        let back = Repertoire::from_bytes(bytes).unwrap();
        assert_eq!(back, *repertoire);
        assert_eq!(back.to_bytes(), *bytes);
    }

    #[test]
    fn a_cycle_takes_a_few_bytes_per_joint_and_phase() {
        let (_, bytes) = small();
        assert!(bytes.len() < 3 * 16_000 + 8_000, "{} bytes", bytes.len());
    }

    #[test]
    fn foreign_newer_short_long_and_damaged_files_are_told_apart() {
        let (_, bytes) = small();
        assert_eq!(Repertoire::from_bytes(b""), Err(RepertoireFileError::Foreign));
        assert_eq!(Repertoire::from_bytes(b"glTF binary"), Err(RepertoireFileError::Foreign));
        let mut newer = bytes.clone();
        newer[8] = 9;
        assert_eq!(Repertoire::from_bytes(&newer), Err(RepertoireFileError::Version(9)));
        let short = &bytes[..bytes.len() - 1];
        assert!(matches!(Repertoire::from_bytes(short), Err(RepertoireFileError::Length { .. })));
        let mut long = bytes.clone();
        long.push(0);
        assert!(matches!(Repertoire::from_bytes(&long), Err(RepertoireFileError::Length { .. })));
        let mut damaged = bytes.clone();
        damaged[bytes.len() / 2] ^= 4;
        assert_eq!(Repertoire::from_bytes(&damaged), Err(RepertoireFileError::Damaged));
    }

    /// A file whose content was changed by somebody who knows the checksum.
    fn forged(bytes: &[u8], at: usize, value: u8) -> Vec<u8> {
        let mut forged = bytes[..bytes.len() - CHECKSUM].to_vec();
        let at = HEADER + at % (forged.len() - HEADER);
        forged[at] = value;
        let checksum = fnv1a(&forged);
        forged.extend(checksum.to_le_bytes());
        forged
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn no_forged_byte_makes_a_reader_panic(at in any::<usize>(), value in any::<u8>()) {
            let (_, bytes) = small();
            if let Ok(read) = Repertoire::from_bytes(&forged(bytes, at, value)) {
                let mut pose = vec![Default::default(); read.character().skeleton.len()];
                for clip in read.clips() {
                    clip.sample(0.3, &mut pose);
                    prop_assert!(clip.velocity().is_finite());
                }
            }
        }

        #[test]
        fn no_forged_start_makes_a_reader_panic(at in 0usize..4000, value in any::<u8>()) {
            // The character, where a byte is a count or an index more often.
            let (_, bytes) = small();
            let _ = Repertoire::from_bytes(&forged(bytes, at, value));
        }

        #[test]
        fn no_truncation_makes_a_reader_panic(length in any::<usize>()) {
            let (_, bytes) = small();
            prop_assert!(Repertoire::from_bytes(&bytes[..length % bytes.len()]).is_err());
        }
    }
}
