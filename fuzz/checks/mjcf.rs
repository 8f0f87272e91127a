//! Any bytes as a robot in MuJoCo's XML.

#[path = "written_body.rs"]
mod written_body;

/// Reads the bytes; what can be read must survive being written as a character file and read again.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    written_body::check(andante_body::read_mjcf(text));
}
