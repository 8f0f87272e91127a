//! Wavefront OBJ: triangles of a world. Materials, texture coordinates and normals are left out.

use crate::gltf::StaticMesh;
use crate::magnitude::mesh_within;
use crate::text::{Fault, is_space, number, shown};
use crate::{ReadError, ReadLimits};
use glam::Vec3;

/// Reads all faces of a file as one mesh, in metres, Y up. Faces of more than three corners are cut into a fan.
pub fn read(bytes: &[u8], limits: &ReadLimits) -> Result<StaticMesh, ReadError> {
    let mut mesh = StaticMesh { color: [1.0; 4], ..Default::default() };
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let line = Line { number: index + 1, text: line };
        let mut words = line.words();
        match words.next() {
            Some((_, b"v")) => {
                let position = line.position(&mut words)?;
                mesh.positions.push(position);
            }
            Some((_, b"f")) => line.face(words, &mut mesh)?,
            _ => {}
        }
    }
    mesh_within(&mesh, limits.reach)?;
    Ok(mesh)
}

#[derive(Clone, Copy)]
struct Line<'a> {
    number: usize,
    text: &'a [u8],
}

impl<'a> Line<'a> {
    /// The words of the line with where they begin.
    fn words(self) -> impl Iterator<Item = (usize, &'a [u8])> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let rest = &self.text[at..];
            let start = at + rest.iter().position(|&byte| !is_space(byte) && byte != b'\r')?;
            let word = &self.text[start..];
            let length = word.iter().position(|&byte| is_space(byte) || byte == b'\r');
            let word = &word[..length.unwrap_or(word.len())];
            at = start + word.len();
            Some((start, word))
        })
    }

    fn position(
        self,
        words: &mut impl Iterator<Item = (usize, &'a [u8])>,
    ) -> Result<Vec3, ReadError> {
        let mut values = [0.0; 3];
        for value in &mut values {
            let Some((at, word)) = words.next() else {
                return Err(self.error(self.text.len(), "a vertex has three coordinates"));
            };
            *value = match number(word) {
                Ok((value, length)) if length == word.len() => value as f32,
                Ok(_) => return Err(self.wrong(at, word, Fault::Malformed.as_str())),
                Err(fault) => return Err(self.wrong(at, word, fault.as_str())),
            };
        }
        Ok(Vec3::from(values))
    }

    fn face(
        self,
        words: impl Iterator<Item = (usize, &'a [u8])>,
        mesh: &mut StaticMesh,
    ) -> Result<(), ReadError> {
        let count = mesh.positions.len();
        let mut corners: [u32; 2] = [0; 2];
        let mut seen = 0;
        for (at, word) in words {
            // `position/texture/normal`, of which the first counts.
            let first = word.split(|&byte| byte == b'/').next().unwrap_or_default();
            let index = std::str::from_utf8(first).ok().and_then(|text| text.parse::<i64>().ok());
            let Some(index) = index else {
                return Err(self.wrong(at, word, "is not a vertex number"));
            };
            // From 1, or from the last one backwards.
            let vertex = match index {
                1.. => usize::try_from(index - 1).ok(),
                _ => usize::try_from(index.unsigned_abs())
                    .ok()
                    .filter(|&back| back > 0)
                    .and_then(|back| count.checked_sub(back)),
            };
            let Some(vertex) = vertex.filter(|&vertex| vertex < count) else {
                let message = format!("vertex {index} does not exist; there are {count} so far");
                return Err(self.error(at, message));
            };
            let vertex = vertex as u32;
            if seen >= 2 {
                mesh.indices.extend([corners[0], corners[1], vertex]);
                corners[1] = vertex;
            } else {
                corners[seen] = vertex;
            }
            seen += 1;
        }
        if seen < 3 {
            return Err(self.error(0, "a face has three corners or more"));
        }
        Ok(())
    }

    fn wrong(self, at: usize, word: &[u8], what: &str) -> ReadError {
        self.error(at, format!("`{}` {what}", shown(word)))
    }

    fn error(self, at: usize, message: impl Into<String>) -> ReadError {
        ReadError::in_line(self.number, self.text, at, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn faces_of_all_kinds_become_triangles() {
        let text =
            b"# a house\r\no wall\r\nv 0 0 0\nv 1 0 0\n v 1 1 0 1.0\nv 0 1 0\nvt 0 0\nf 1 2 3\n\
                     f 1/1 2/1/1 3//1 4\nf -4 -3 -2\n";
        let mesh = read(text, &ReadLimits::default()).unwrap();
        assert_eq!(mesh.positions.len(), 4);
        assert_eq!(mesh.indices, [0, 1, 2, 0, 1, 2, 0, 2, 3, 0, 1, 2]);
    }

    #[test]
    fn errors_name_the_line_and_the_word() {
        let error =
            |text: &str| read(text.as_bytes(), &ReadLimits::default()).unwrap_err().to_string();
        assert_eq!(error("v 0 0\n"), "line 1, column 6: a vertex has three coordinates");
        assert_eq!(error("\nv 0 x 0"), "line 2, column 5: `x` is not a number");
        assert_eq!(error("v 0 nan 0"), "line 1, column 5: `nan` is not a finite number");
        assert!(error("v 0 0 0\nf 1 1 2").contains("vertex 2 does not exist"));
        assert!(error("v 0 0 0\nf 1 1 0").contains("vertex 0 does not exist"));
        assert!(error("v 0 0 0\nf 1 1").contains("three corners"));
        assert!(error("v 0 0 0\nf 1 1 -9223372036854775808").contains("does not exist"));
        assert!(error("v 0 0 0\nf 1 1 a").contains("`a` is not a vertex number"));
    }

    proptest! {
        #[test]
        fn no_text_causes_a_panic(text in "([vf][-0-9. /\\n]{0,12}){0,20}|\\PC{0,80}") {
            if let Ok(mesh) = read(text.as_bytes(), &ReadLimits::default()) {
                prop_assert!(mesh.indices.iter().all(|&i| (i as usize) < mesh.positions.len()));
            }
        }
    }
}
