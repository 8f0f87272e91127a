//! Any bytes as an archive of poses.

use andante_formats::{ReadOptions, UpAxis, npz};

/// Reads the bytes; what can be read is a body with a motion of finite numbers.
pub fn check(bytes: &[u8]) {
    let turned = ReadOptions { scale: Some(0.5), up: UpAxis::Z, ..Default::default() };
    let _ = npz::read(bytes, "clip", &turned);
    let asset = match npz::read(bytes, "clip", &ReadOptions::default()) {
        Ok(asset) => asset,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    assert!([22, 24].contains(&asset.skeleton.len()));
    for local in asset.clips.iter().flat_map(|clip| clip.transforms()) {
        assert!(local.translation.is_finite() && local.rotation.is_normalized());
    }
}
