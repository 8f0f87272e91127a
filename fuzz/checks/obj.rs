//! Any bytes as a Wavefront OBJ file.

use andante_formats::{ReadLimits, obj};
use std::fmt::Write;

/// Reads the bytes; what can be read has finite places and whole triangles, and survives being
/// written plainly and read again.
pub fn check(bytes: &[u8]) {
    let mesh = match obj::read(bytes, &ReadLimits::default()) {
        Ok(mesh) => mesh,
        Err(error) => {
            let _ = (error.to_string(), error.detail());
            return;
        }
    };
    assert!(mesh.positions.iter().all(|position| position.is_finite()));
    assert_eq!(mesh.indices.len() % 3, 0);
    let mut text = String::new();
    for position in &mesh.positions {
        let _ = writeln!(text, "v {} {} {}", position.x, position.y, position.z);
    }
    for corners in mesh.indices.chunks(3) {
        assert!(corners.iter().all(|&corner| (corner as usize) < mesh.positions.len()));
        let [a, b, c] = [0, 1, 2].map(|corner| corners[corner] + 1);
        let _ = writeln!(text, "f {a} {b} {c}");
    }
    match obj::read(text.as_bytes(), &ReadLimits::default()) {
        Ok(again) => {
            assert_eq!(mesh.positions, again.positions);
            assert_eq!(mesh.indices, again.indices);
        }
        Err(error) => panic!("what was written cannot be read: {error}"),
    }
}
