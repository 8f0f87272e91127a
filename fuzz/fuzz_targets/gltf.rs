//! Any bytes are read or refused, and what was read can be written and read again.

#![no_main]

use andante_formats::gltf::{self, WriteOptions};
use andante_formats::{ReadOptions, UpAxis};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let turned = ReadOptions { scale: Some(0.5), up: UpAxis::Z, fps: Some(30.0) };
    let _ = gltf::read(bytes, None, "fuzz", &turned);
    let Ok(asset) = gltf::read(bytes, None, "fuzz", &ReadOptions::default()) else { return };
    if let Some(mesh) = &asset.mesh {
        mesh.validate(&asset.skeleton).expect("a mesh that was read is valid");
    }
    let written = gltf::write_glb(&asset, &WriteOptions::default()).expect("what was read can be written");
    let again = gltf::read(&written, None, "fuzz", &ReadOptions::default())
        .expect("what was written can be read");
    assert_eq!(again.skeleton.len(), asset.skeleton.len());
    assert_eq!(again.clips.len(), asset.clips.len());
});
