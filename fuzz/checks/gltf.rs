//! Any bytes as a glTF file.

use andante_formats::gltf::{self, GltfWriteOptions};
use andante_formats::{Asset, ReadOptions, UpAxis};

/// Reads the bytes; what can be read must be whole, and survive being written and read again.
pub fn check(bytes: &[u8]) {
    let turned =
        ReadOptions { scale: Some(0.5), up: UpAxis::Z, fps: Some(30.0), ..Default::default() };
    let _ = gltf::read(bytes, None, "clip", &turned);
    match gltf::read(bytes, None, "clip", &ReadOptions::default()) {
        Ok(asset) => round_trip(&asset),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn round_trip(asset: &Asset) {
    if let Some(mesh) = &asset.mesh {
        assert_eq!(mesh.validate(&asset.skeleton), Ok(()));
    }
    let written = gltf::write_glb(asset, &GltfWriteOptions::default());
    let written = written.unwrap_or_else(|error| panic!("cannot be written: {error}"));
    let again = gltf::read(&written, None, "clip", &ReadOptions::default());
    let again = again.unwrap_or_else(|error| panic!("cannot be read again: {error}"));
    assert_eq!(again.skeleton.len(), asset.skeleton.len());
    assert_eq!(again.clips.len(), asset.clips.len());

    let size = |asset: &Asset| asset.skeleton.rest_bounds().1.abs().max_element();
    let (mut before, mut after) = (asset.skeleton.rest_models(), again.skeleton.rest_models());
    for (a, b) in asset.clips.iter().zip(&again.clips) {
        // Key times in single precision cannot tell the frames of very long clips apart, and sums of
        // very different lengths not the short ones.
        let lengths = a.transforms().iter().map(|transform| transform.translation.length());
        let longest = lengths.fold(size(asset).max(1.0), f32::max);
        if a.duration() > 100.0 || longest > 1e6 {
            continue;
        }
        assert_eq!(a.frame_count(), b.frame_count());
        for frame in [0, a.frame_count() / 2, a.frame_count() - 1] {
            asset.skeleton.local_to_model(a.frame(frame), &mut before);
            again.skeleton.local_to_model(b.frame(frame), &mut after);
            for (joint, (from, to)) in before.iter().zip(&after).enumerate() {
                let distance = from.translation.distance(to.translation);
                assert!(distance < 1e-4 * longest, "frame {frame}, joint {joint}: {distance}");
            }
        }
    }
}
