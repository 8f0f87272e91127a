//! FBX, text and binary, versions 3.0 to 7.7; read, not written.
//!
//! A file is parsed by [ufbx](https://github.com/ufbx/ufbx) and put as a glTF document, which the one reader of joints, clips and
//! meshes takes from there: what holds for glTF ([`crate::gltf`]) about joints, scale, skins and rest poses holds for FBX too.
//!
//! # Lengths and axes
//!
//! The file says its unit and its axes, and both are believed: what comes out is in metres with Y up. A scale that is given is
//! metres per unit of the file, as for every format, in place of the unit that it states.
//!
//! # Joints
//!
//! Joints are the nodes that skins are bound to, the bones of the file, and what is animated below them. A bone at the end of a
//! chain that carries no skin and is never moved is the tip of the last one. Pivots, orders of rotation, pre-rotations, geometric
//! transforms and the ways in which scale is inherited are resolved.
//!
//! # Clips
//!
//! Every animation stack is a clip, its layers blended, at the rate that the file states or that is asked for.
//!
//! # Meshes
//!
//! Parts keep their material's colour, roughness and PNG or JPEG pictures, in the file or beside it. Blend shapes go with the
//! document, so that they are in what is written as glTF; shapes between two are left out, with a warning.
//!
//! # Bits
//!
//! Angles become rotations in double precision by the mathematics of the platform's C library. Rounded to single precision they
//! are nearly always the same elsewhere, but that is not promised, as it is of every other format.

mod clips;
mod document;
mod material;
mod mesh;
mod morph;
mod scene;

use crate::gltf::{glb, read_bare, size_warning};
use crate::{Asset, ReadError, ReadOptions, UnitSource, Units, UpAxis, Warning};
use std::path::Path;

/// Reads an FBX file.
///
/// `base` is the folder in which pictures outside the file are looked for; `name` names a clip that has no name of its own.
pub fn read(
    bytes: &[u8],
    base: Option<&Path>,
    name: &str,
    options: &ReadOptions,
) -> Result<Asset, ReadError> {
    let scene = scene::load(bytes, options)?;
    let mut warnings = scene_warnings(&scene, options);
    let fps = clips::rate(&scene, options, &mut warnings);
    let (document, binary) =
        document::assemble(&scene, bytes.len(), base, fps, options, &mut warnings)?;
    let whole = glb(document, Some(binary)).map_err(|error| ReadError::file(error.to_string()))?;
    // It is in metres by now, and axes that were not believed are turned as those of glTF are.
    let told = ReadOptions { scale: None, fps: Some(fps), ..options.clone() };
    let mut asset = read_bare(&whole, None, name, &told)?;
    warnings.append(&mut asset.warnings);
    let stated = scene.settings.original_unit_meters as f32;
    asset.units = match options.scale {
        Some(scale) => Units { scale, source: UnitSource::Given },
        None => Units { scale: stated, source: UnitSource::Stated },
    };
    if options.scale.is_none() {
        warnings.extend(size_warning(&asset.skeleton, stated));
    }
    asset.warnings = warnings;
    Ok(asset)
}

/// What is odd about the file as a whole.
fn scene_warnings(scene: &ufbx::Scene, options: &ReadOptions) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for odd in &scene.metadata.warnings {
        let times = if odd.count > 1 { format!(" ({} times)", odd.count) } else { String::new() };
        warnings.push(Warning::new(format!("{}{times}", odd.description.trim_end_matches('.'))));
    }
    // As it stands there; the axes of the scene are ours by now.
    let number =
        |name: &str| ufbx::find_prop(&scene.settings.props, name).map(|prop| prop.value_int);
    let up = match (number("UpAxis"), number("UpAxisSign")) {
        (Some(0), Some(-1)) => "−X",
        (Some(0), _) => "X",
        (Some(1), Some(-1)) => "−Y",
        (Some(2), Some(-1)) => "−Z",
        (Some(2), _) => "Z",
        (Some(1), _) | (None, _) => return warnings,
        _ => {
            warnings.push(Warning::new("its axis that is up makes no sense: Y is taken for it"));
            return warnings;
        }
    };
    if options.up == UpAxis::Y {
        warnings
            .push(Warning::new(format!("{up} is up, as the file says: it is turned so that Y is")));
    }
    warnings
}
