//! The two forms of a glTF file: JSON text, or a GLB with JSON and a binary chunk.

use super::json::Root;
use crate::ReadError;
use crate::text::shown;

/// A parsed document and the binary chunk that came with it.
pub(super) struct Container<'a> {
    pub root: Root,
    pub binary: Option<&'a [u8]>,
}

const MAGIC: &[u8] = b"glTF";
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;

/// Extensions that a document may require without changing what is read here, by how they begin:
/// they concern shading, or store numbers in types that are read anyway.
const HARMLESS: [&str; 8] = [
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "KHR_mesh_quantization",
    "KHR_xmp",
    "EXT_texture_",
    "EXT_lights_",
    "MSFT_texture_",
];

/// Splits and parses a file.
pub(super) fn open(bytes: &[u8]) -> Result<Container<'_>, ReadError> {
    let container = if bytes.starts_with(MAGIC) {
        open_glb(bytes)?
    } else {
        let text = text(bytes)?;
        if text.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
            return Err(ReadError::file(
                "not a glTF file: it starts neither with `glTF` nor with `{`",
            ));
        }
        let root = parse(text).map_err(|e| at_line(text, e.line(), e.column(), &e))?;
        Container { root, binary: None }
    };
    check(&container.root)?;
    Ok(container)
}

/// The parts of a document that are read. What is no text in the others could not be written again.
fn parse(text: &[u8]) -> Result<Root, serde_json::Error> {
    let root = serde_json::from_slice(text)?;
    std::str::from_utf8(text).map_err(|error| {
        let place = error.valid_up_to();
        serde::de::Error::custom(format!("byte {place} of the text is none of UTF-8"))
    })?;
    Ok(root)
}

/// The text of a document, in either form.
pub(super) fn text(bytes: &[u8]) -> Result<&[u8], ReadError> {
    if bytes.starts_with(MAGIC) {
        return Ok(chunks(bytes)?.0);
    }
    Ok(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
}

fn open_glb(bytes: &[u8]) -> Result<Container<'_>, ReadError> {
    let (json, binary) = chunks(bytes)?;
    let root = parse(json).map_err(|error| ReadError::element("JSON chunk", error.to_string()))?;
    Ok(Container { root, binary })
}

/// The two chunks of a `.glb` file.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), ReadError> {
    let header = |at: usize| word(bytes, at).ok_or_else(|| truncated("header", bytes.len()));
    let version = header(4)?;
    if version != 2 {
        return Err(ReadError::file(format!(
            "GLB version {version}; only version 2 can be read: export the file again as glTF 2.0"
        )));
    }
    let length = header(8)? as usize;
    // Some tools pad the file after its end; a file shorter than it says has lost data.
    let bytes = bytes.get(..length).ok_or_else(|| {
        ReadError::file(format!(
            "the file is cut off: it should have {length} bytes and has {}",
            bytes.len()
        ))
    })?;

    let mut json = None;
    let mut binary = None;
    let mut at = HEADER;
    while at + CHUNK_HEADER <= bytes.len() {
        let (Some(length), Some(kind)) = (word(bytes, at), word(bytes, at + 4)) else { break };
        let start = at + CHUNK_HEADER;
        let chunk = start
            .checked_add(length as usize)
            .and_then(|end| bytes.get(start..end))
            .ok_or_else(|| truncated("chunk", bytes.len() - start))?;
        match &kind.to_le_bytes() {
            b"JSON" if json.is_none() => json = Some(chunk),
            b"BIN\0" if binary.is_none() => binary = Some(chunk),
            _ => {}
        }
        at = start + chunk.len();
    }
    Ok((json.ok_or_else(|| ReadError::file("the GLB file has no JSON chunk"))?, binary))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}

fn truncated(what: &str, left: usize) -> ReadError {
    ReadError::file(format!(
        "the GLB file is cut off: a {what} is longer than the {left} bytes left"
    ))
}

/// A syntax error with the line that holds it.
fn at_line(text: &[u8], line: usize, column: usize, error: &serde_json::Error) -> ReadError {
    let starts = text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::len);
    let start: usize = starts.take(line.saturating_sub(1)).sum();
    let message = error.to_string();
    // The place is part of our own message.
    let message = message.split(" at line ").next().unwrap_or(&message).to_owned();
    ReadError::at(text, start + column.saturating_sub(1), message)
}

/// Refuses what would be read wrongly.
fn check(root: &Root) -> Result<(), ReadError> {
    let version = root.asset.version.as_str();
    if !version.starts_with("2.") {
        return Err(ReadError::element(
            "asset.version",
            format!(
                "`{}` cannot be read: export the file again as glTF 2.0",
                shown(version.as_bytes())
            ),
        ));
    }
    let unknown = root
        .extensions_required
        .iter()
        .find(|name| !HARMLESS.iter().any(|harmless| name.starts_with(harmless)));
    if let Some(name) = unknown {
        let advice = if name.contains("compression") {
            "export the file again without compression"
        } else {
            "export the file again without it"
        };
        return Err(ReadError::element(
            "extensionsRequired",
            format!(
                "the file needs the extension {}, which is not supported: {advice}",
                shown(name.as_bytes())
            ),
        ));
    }
    Ok(())
}
