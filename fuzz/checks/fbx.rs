//! Any bytes as an FBX file.

use andante_formats::gltf::{self, GltfWriteOptions};
use andante_formats::{ReadOptions, UpAxis, fbx};

/// Reads the bytes; what can be read is whole, and can be written as glTF and read again.
pub fn check(bytes: &[u8]) {
    let turned =
        ReadOptions { scale: Some(0.5), up: UpAxis::Z, fps: Some(30.0), ..Default::default() };
    let _ = fbx::read(bytes, None, "clip", &turned);
    let asset = match fbx::read(bytes, None, "clip", &ReadOptions::default()) {
        Ok(asset) => asset,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    if let Some(mesh) = &asset.mesh {
        assert_eq!(mesh.validate(&asset.skeleton), Ok(()));
    }
    for clip in &asset.clips {
        assert_eq!(clip.joint_count(), asset.skeleton.len());
        assert!(clip.fps().is_finite() && clip.frame_count() > 0);
    }
    let written = gltf::write_glb(&asset, &GltfWriteOptions::default());
    let written = written.unwrap_or_else(|error| panic!("cannot be written: {error}"));
    let again = gltf::read(&written, None, "clip", &ReadOptions::default());
    let again = again.unwrap_or_else(|error| panic!("cannot be read again: {error}"));
    assert_eq!(again.skeleton.len(), asset.skeleton.len());
    assert_eq!(again.clips.len(), asset.clips.len());
}
