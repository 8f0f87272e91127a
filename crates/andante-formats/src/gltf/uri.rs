//! Data that a document points to: embedded, or in files beside it.

use crate::ReadError;
use crate::text::shown;
use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Exporters disagree about padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The bytes behind a URI: a `data:` URI, or a file in or below the folder `base`. Errors do not say
/// which element asked for it.
///
/// At most `limit` bytes of a file are read.
pub(super) fn load(uri: &str, base: Option<&Path>, limit: u64) -> Result<Vec<u8>, ReadError> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, encoded) = data.split_once(";base64,").ok_or_else(|| {
            ReadError::file("a data URI that is not base64; only base64 can be read")
        })?;
        return BASE64
            .decode(encoded.trim_end())
            .map_err(|error| ReadError::file(format!("broken base64 in a data URI: {error}")));
    }
    let relative = relative_path(uri)?;
    let Some(base) = base else {
        return Err(ReadError::file(format!(
            "the data is in the file `{}`, and the folder to look in is not known",
            shown(uri.as_bytes())
        )));
    };
    let path = base.join(relative);
    read_file(&path, limit).map_err(|error| ReadError::io(&path, error))
}

fn read_file(path: &Path, limit: u64) -> std::io::Result<Vec<u8>> {
    let file = std::fs::File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a file"));
    }
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A path that stays below the folder it is joined to: no root, no drive, no `..`.
fn relative_path(uri: &str) -> Result<PathBuf, ReadError> {
    let refuse = |why: &str| ReadError::file(format!("`{}` {why}", shown(uri.as_bytes())));
    let decoded = percent_decoded(uri).ok_or_else(|| refuse("is not a valid file name"))?;
    if decoded.starts_with(['/', '\\']) || decoded.contains(':') {
        return Err(refuse("is not beside the glTF file; only files in its folder are read"));
    }
    let mut path = PathBuf::new();
    for part in decoded.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => return Err(refuse("leads out of the folder of the glTF file")),
            part => path.push(part),
        }
    }
    if path.as_os_str().is_empty() {
        return Err(refuse("names no file"));
    }
    Ok(path)
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        if *first == b'%' {
            let digit = |at: usize| char::from(*tail.get(at)?).to_digit(16);
            bytes.push((digit(0)? * 16 + digit(1)?) as u8);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_in_the_folder() {
        for bad in [
            "/etc/passwd",
            "../x.bin",
            "a/../../x",
            "a/%2e%2e/x",
            "..%2Fx",
            "C:\\x",
            "\\\\host\\x",
            "file:///x",
            "http://host/x.bin",
            "a\\..\\x",
            "",
            ".",
            "%",
            "%zz",
            "%+1",
            "a%00b",
        ] {
            assert!(relative_path(bad).is_err(), "{bad}");
        }
        for (good, expected) in
            [("x.bin", "x.bin"), ("./a/x%20y.bin", "a/x y.bin"), ("a\\b.png", "a/b.png")]
        {
            assert_eq!(relative_path(good).unwrap(), Path::new(expected));
        }
    }

    #[test]
    fn data_uris_are_decoded_with_and_without_padding() {
        for uri in ["data:application/octet-stream;base64,AQI=", "data:;base64,AQI"] {
            assert_eq!(load(uri, None, 10).unwrap(), [1, 2]);
        }
        for uri in ["data:,abc", "data:;base64,A!", "x.bin"] {
            assert!(load(uri, None, 10).is_err(), "{uri}");
        }
    }
}
