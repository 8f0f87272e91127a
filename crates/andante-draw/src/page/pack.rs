//! Numbers as text.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

pub(super) fn bytes(bytes: impl IntoIterator<Item = u8>) -> String {
    STANDARD.encode(bytes.into_iter().collect::<Vec<u8>>())
}

pub(super) fn floats(values: impl IntoIterator<Item = f32>) -> String {
    bytes(values.into_iter().flat_map(f32::to_le_bytes))
}

pub(super) fn shorts(values: impl IntoIterator<Item = i16>) -> String {
    bytes(values.into_iter().flat_map(i16::to_le_bytes))
}

/// Indices of so many vertices: two bytes each where they fit.
pub(super) fn words(values: &[u32], vertices: usize) -> String {
    if vertices <= usize::from(u16::MAX) {
        return bytes(values.iter().flat_map(|&value| (value as u16).to_le_bytes()));
    }
    bytes(values.iter().flat_map(|value| value.to_le_bytes()))
}
