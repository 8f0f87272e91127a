//! Any bytes as a take.

use andante_play::archive::fnv1a;
use andante_take::{Take, TakeFile, TakeSource};

/// Magic and version; then frames, the tail, and at the end where the tail is, its length, its checksum and a mark.
const HEADER: usize = 10;
const TRAILER: usize = 32;

/// Reads the bytes, and reads them again with checksums that match; what can be read is the same once it was written.
pub fn check(bytes: &[u8]) {
    read(bytes);
    if let Some(signed) = signed(bytes) {
        read(&signed);
    }
}

fn read(bytes: &[u8]) {
    let Ok(file) = TakeFile::from_bytes(bytes.to_vec()) else { return };
    for index in 0..file.names().len() {
        let _ = file.part(index, 0..1);
    }
    let Ok(take) = file.load() else { return };
    let Ok(written) = take.to_bytes() else { return };
    let again =
        Take::from_bytes(&written).unwrap_or_else(|error| panic!("not read again: {error}"));
    let again = again.to_bytes().unwrap_or_else(|error| panic!("not written again: {error}"));
    assert!(written == again, "a take changes by being written");
}

/// The bytes as somebody would send them who knows the checksums: of the tail, and of frames in one piece.
fn signed(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut signed = bytes.to_vec();
    let end = bytes.len().checked_sub(TRAILER)?;
    let number = |at: usize| Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?) as usize);
    let tail = number(end)?;
    if tail < HEADER + 8 || tail.checked_add(number(end + 8)?)? != end {
        return None;
    }
    let frames = fnv1a(&bytes[HEADER..tail - 8]).to_le_bytes();
    signed[tail - 8..tail].copy_from_slice(&frames);
    let checksum = fnv1a(&bytes[tail..end]).to_le_bytes();
    signed[end + 16..end + 24].copy_from_slice(&checksum);
    Some(signed)
}
