//! Any bytes as a character file.

#[path = "written_body.rs"]
mod written_body;

/// Reads the bytes; what can be read must survive being written and read again.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    written_body::check(andante_body::read_body(text));
}
