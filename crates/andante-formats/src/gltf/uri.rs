//! Data that a document points to: embedded, or in files beside it.

use super::container;
use crate::text::shown;
use crate::{ReadError, ReadLimits, gate};
use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::path::Path;

/// Exporters disagree about padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The bytes behind a URI: a `data:` URI, or a file that [`gate::path_in`] finds in the folder `base`. Errors do not say
/// which element asked for it.
///
/// At most `count` bytes of a file are read.
pub(super) fn load(
    uri: &str,
    base: Option<&Path>,
    count: u64,
    limits: &ReadLimits,
) -> Result<Vec<u8>, ReadError> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, encoded) = data.split_once(";base64,").ok_or_else(|| {
            ReadError::file("a data URI that is not base64; only base64 can be read")
        })?;
        return BASE64
            .decode(encoded.trim_end())
            .map_err(|error| ReadError::file(format!("broken base64 in a data URI: {error}")));
    }
    let name = percent_decoded(uri).ok_or_else(|| {
        ReadError::file(format!("`{}` is not a valid file name", shown(uri.as_bytes())))
    })?;
    let Some(base) = base else {
        return Err(ReadError::file(format!(
            "the data is in the file `{}`, and the folder to look in is not known",
            shown(uri.as_bytes())
        )));
    };
    gate::read_start(&gate::path_in(base, &name, limits)?, count.min(limits.file))
}

/// The files beside it that a document names, as they are written there and not confined to any folder: its buffers and images.
/// Nothing of what is no glTF.
pub fn named_files(bytes: &[u8]) -> Vec<String> {
    let Ok(container) = container::open(bytes) else { return Vec::new() };
    let root = container.root;
    let buffers = root.buffers.iter().filter_map(|buffer| buffer.uri.as_deref());
    let images = root.images.iter().filter_map(|image| image.uri.as_deref());
    let files = buffers.chain(images).filter(|uri| !uri.starts_with("data:"));
    files.filter_map(percent_decoded).collect()
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
    fn names_are_decoded_before_they_are_judged() {
        let limits = ReadLimits::default();
        let of = |uri| load(uri, Some(Path::new("folder")), 10, &limits).unwrap_err().to_string();
        for bad in ["a/%2e%2e/x", "..%2Fx", "%2fetc/passwd"] {
            assert!(of(bad).contains("the folder of the file that names it"), "{}", of(bad));
        }
        for bad in ["%", "%zz", "%+1", "a%00b"] {
            assert!(of(bad).contains("not a valid file name"), "{}", of(bad));
        }
        assert!(of("./a/x%20y.bin").contains("x y.bin: cannot be read"), "{}", of("./a/x%20y.bin"));
    }

    #[test]
    fn data_uris_are_decoded_with_and_without_padding() {
        for uri in ["data:application/octet-stream;base64,AQI=", "data:;base64,AQI"] {
            assert_eq!(load(uri, None, 10, &ReadLimits::default()).unwrap(), [1, 2]);
        }
        for uri in ["data:,abc", "data:;base64,A!", "x.bin"] {
            assert!(load(uri, None, 10, &ReadLimits::default()).is_err(), "{uri}");
        }
    }
}
