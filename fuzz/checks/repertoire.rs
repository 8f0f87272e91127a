//! Any bytes as a repertoire.

use andante_play::archive::ArchiveKind;
use andante_play::repertoire::Repertoire;

/// Magic, version and length in front of the content, a checksum behind it.
const LENGTH: std::ops::Range<usize> = 10..18;
const CHECKSUM: usize = 8;

/// Reads the bytes, and reads them again with the length and the checksum that match; what can be read has finite
/// clips and can be written and read again.
pub fn check(bytes: &[u8]) {
    read(bytes);
    let Some(content) = bytes.len().checked_sub(LENGTH.end + CHECKSUM).filter(|&n| n > 0) else {
        return;
    };
    let mut sized = bytes.to_vec();
    sized[LENGTH].copy_from_slice(&(content as u64).to_le_bytes());
    read(&ArchiveKind::forge(&sized, 0, sized[LENGTH.end]));
}

fn read(bytes: &[u8]) {
    let repertoire = match Repertoire::from_bytes(bytes) {
        Ok(repertoire) => repertoire,
        Err(error) => {
            let _ = error.to_string();
            return;
        }
    };
    for clip in repertoire.clips() {
        assert!(clip.period() > 0.0 && clip.speed().is_finite() && clip.turn_rate().is_finite());
    }
    let again = Repertoire::from_bytes(&repertoire.to_bytes());
    let again = again.unwrap_or_else(|error| panic!("what was written cannot be read: {error}"));
    assert_eq!(repertoire.clips().len(), again.clips().len());
    for (clip, other) in repertoire.clips().iter().zip(again.clips()) {
        assert_eq!((clip.name(), clip.class()), (other.name(), other.class()));
    }
}
