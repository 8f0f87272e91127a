//! What a file is by how it begins, whatever it is called.

use crate::ReadError;
use crate::gate::read_start;
use std::path::Path;

/// The kind of a file, told by its first bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Nothing is in it.
    Empty,
    /// Motion capture in BVH.
    Bvh,
    /// An Acclaim skeleton.
    Asf,
    /// An Acclaim motion.
    Amc,
    /// A JSON document; glTF is one.
    Json,
    /// A drawing.
    Svg,
    /// A page.
    Html,
    /// Other text, by its first word in small letters.
    Text(String),
    /// Everything else, by its first four bytes; as many as there are.
    Data(Vec<u8>),
}

impl FileKind {
    /// The kind of a file that begins like this.
    pub fn of(start: &[u8]) -> Self {
        let start = &start[..start.len().min(Self::looked_at())];
        let text = match std::str::from_utf8(start) {
            Ok(text) => text,
            // A letter may be cut in half at the end.
            Err(error) if error.error_len().is_none() => {
                std::str::from_utf8(&start[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(_) => return Self::data(start),
        };
        if text.contains('\0') {
            return Self::data(start);
        }
        Self::of_text(text.trim_start_matches('\u{feff}').trim_start())
    }

    /// The kind of a file.
    pub fn of_file(path: &Path) -> Result<Self, ReadError> {
        Ok(Self::of(&read_start(path, Self::looked_at() as u64)?))
    }

    /// Bytes of the beginning that are looked at.
    fn looked_at() -> usize {
        4096
    }

    fn data(start: &[u8]) -> Self {
        Self::Data(start[..start.len().min(4)].to_vec())
    }

    fn of_text(text: &str) -> Self {
        let small = text.to_ascii_lowercase();
        let has_line = |begun: &str| small.lines().any(|line| line.trim_start().starts_with(begun));
        match small.as_bytes().first() {
            None => Self::Empty,
            Some(b'{') => Self::Json,
            Some(b'[') if !is_table(&small) => Self::Json,
            Some(b'<') if small.starts_with("<!doctype html") || small.contains("<html") => {
                Self::Html
            }
            Some(b'<') if small.contains("<svg") => Self::Svg,
            Some(b':' | b'#') if has_line(":") => {
                let skeleton = [":version", ":name", ":units", ":root", ":bonedata"];
                if skeleton.iter().any(|word| has_line(word)) { Self::Asf } else { Self::Amc }
            }
            Some(_) => {
                let is_letter = |c: char| c.is_alphanumeric() || c == '_';
                let from = small.find(is_letter).unwrap_or(small.len());
                match small[from..].split(|c| !is_letter(c)).next().unwrap_or_default() {
                    "hierarchy" if from == 0 => Self::Bvh,
                    word => Self::Text(word.to_owned()),
                }
            }
        }
    }

    /// True if a file with this extension is of this kind; none where the extension does not tell.
    pub fn is_called(&self, extension: &str) -> Option<bool> {
        let data = |start: &[u8]| matches!(self, Self::Data(own) if own == start);
        Some(match extension {
            "html" => *self == Self::Html,
            "svg" => *self == Self::Svg,
            "json" | "jsonl" | "gltf" => *self == Self::Json,
            "png" => data(b"\x89PNG"),
            "gif" => data(b"GIF8"),
            "bvh" | "asf" | "amc" | "glb" | "take" | "repertoire" => {
                self.extension() == Some(extension)
            }
            _ => return None,
        })
    }

    /// The extension that such a file has where names tell what is in it; text that is nothing else is taken for a scene.
    pub fn extension(&self) -> Option<&'static str> {
        match self {
            Self::Bvh => Some("bvh"),
            Self::Asf => Some("asf"),
            Self::Amc => Some("amc"),
            Self::Json => Some("gltf"),
            Self::Text(word) if word == "fbx" => Some("fbx"),
            Self::Text(_) => Some("toml"),
            Self::Data(start) => match start.as_slice() {
                b"glTF" => Some("glb"),
                b"ANDT" => Some("take"),
                b"ANDR" => Some("repertoire"),
                b"Kayd" => Some("fbx"),
                b"PK\x03\x04" => Some("npz"),
                _ => None,
            },
            Self::Empty | Self::Svg | Self::Html => None,
        }
    }
}

/// Whether what begins with a bracket is a table of TOML and no JSON.
fn is_table(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    let name = line.trim_start_matches('[');
    name.starts_with(|c: char| c.is_alphabetic() || c == '_') && line.trim_end().ends_with(']')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_by_how_they_begin() {
        let text = |word: &str| FileKind::Text(word.into());
        let data = |start: &[u8]| FileKind::Data(start.to_vec());
        for (start, kind, extension) in [
            (&b""[..], FileKind::Empty, None),
            (b" \r\n", FileKind::Empty, None),
            (b"HIERARCHY\r\nROOT Hips", FileKind::Bvh, Some("bvh")),
            (b"\xef\xbb\xbf\nhierarchy ROOT", FileKind::Bvh, Some("bvh")),
            (b"# a hierarchy of needs", text("a"), Some("toml")),
            (b"# made by hand\n:version 1.10\n:name x", FileKind::Asf, Some("asf")),
            (b"#!OML:ASF F:\\x\n:FULLY-SPECIFIED\n:DEGREES\n1\n", FileKind::Amc, Some("amc")),
            (b"{\"asset\":{}}", FileKind::Json, Some("gltf")),
            (b"[[character]]\nname = 1", text("character"), Some("toml")),
            (b"[1, 2]", FileKind::Json, Some("gltf")),
            (b"<svg xmlns=\"\">", FileKind::Svg, None),
            (b"<?xml version=\"1.0\"?>\n<!-- x -->\n<svg>", FileKind::Svg, None),
            (b"<!DOCTYPE html><svg>", FileKind::Html, None),
            (b"<!-- x -->\n<html><svg>", FileKind::Html, None),
            (b"# A yard\nversion = 1\n", text("a"), Some("toml")),
            (b"time_s,ann speed\n0,1", text("time_s"), Some("toml")),
            (b"glTF\x02\0\0\0", data(b"glTF"), Some("glb")),
            (b"ANDTAKE\n\x06\0", data(b"ANDT"), Some("take")),
            (b"\x89PNG\r\n\x1a\n", data(b"\x89PNG"), None),
            (b"Kaydara FBX Binary  \0\x1a\0", data(b"Kayd"), Some("fbx")),
            (b"; FBX 7.4.0 project file\n", text("fbx"), Some("fbx")),
            (b"PK\x03\x04\x14\0", data(b"PK\x03\x04"), Some("npz")),
        ] {
            let found = FileKind::of(start);
            assert_eq!(found, kind, "{:?}", String::from_utf8_lossy(start));
            assert_eq!(found.extension(), extension, "{found:?}");
        }
        // A letter at the end of what is looked at.
        let letters = "a".repeat(FileKind::looked_at() - 1);
        assert_eq!(FileKind::of(format!("{letters}é").as_bytes()), text(&letters));
    }
}
