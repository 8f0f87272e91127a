//! Formats that are known and refused, with what to use instead.

use crate::Format;
use std::path::Path;

/// Extensions, and why files that are called so are neither read nor written.
const REFUSED: [(&[&str], &str); 9] = [
    (
        &["usd", "usda", "usdc", "usdz"],
        "USD is neither read nor written: its own library is C++, and the one in Rust asks for a newer compiler than this is \
         built with; use .glb, which Blender and Houdini turn into USD, and back",
    ),
    (
        &["c3d"],
        "C3D holds places of markers and no joints: solve them for a skeleton in the capture program and export .bvh, .fbx \
         or .asf with .amc",
    ),
    (
        &["trc"],
        "TRC holds places of markers and no joints: solve them for a skeleton in the capture program and export .bvh or .fbx",
    ),
    (&["dae"], "Collada is not read: export .glb or .fbx from the program that opens it"),
    (&["blend"], "a project of Blender is read by Blender alone: export .glb or .fbx there"),
    (&["ma", "mb"], "a scene of Maya is read by Maya alone: export .fbx there"),
    (&["max"], "a scene of 3ds Max is read by 3ds Max alone: export .fbx there"),
    (&["abc"], "Alembic holds moving meshes and no joints: export .glb or .fbx"),
    (
        &["obj", "3ds"],
        "a mesh without joints is no motion: it is what scenes take as an obstacle and `--terrain` as ground",
    ),
];

/// The reason why a file that is called like this cannot be read or written, with what to use instead; none where there is no more to say
/// than that the format is not known.
pub fn refused(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    let known = REFUSED.iter().find(|(names, _)| names.contains(&extension.as_str()))?;
    Some(known.1)
}

/// The reason why a file that is called like this cannot be written, with what to write instead.
pub fn unwritten(path: &Path) -> &'static str {
    match Format::of(path) {
        Some(Format::Fbx) => {
            "FBX is read and not written: use .glb, which what reads FBX mostly reads too, or .bvh"
        }
        Some(Format::Npz) => "poses of SMPL are read and not written: use .bvh or .glb",
        Some(Format::Vrm) => {
            "VRM is read and not written: use .glb, in which what makes it a VRM stays"
        }
        _ => refused(path)
            .unwrap_or("not a format that can be written; use .bvh, .amc, .glb or .gltf"),
    }
}
