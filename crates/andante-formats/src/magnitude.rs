//! Coordinates that are still places: a number may be finite and yet too large to square or to add to another.

use crate::gltf::StaticMesh;
use crate::{Asset, ReadError};
use andante_skeleton::Skeleton;
use glam::Vec3;

/// The asset, unless a joint, a frame or the skin is farther off than `reach`.
pub(crate) fn asset_within(asset: Asset, reach: f32) -> Result<Asset, ReadError> {
    skeleton_within(&asset.skeleton, reach)?;
    for clip in &asset.clips {
        for (number, frame) in clip.frames().enumerate() {
            for (joint, local) in asset.skeleton.joints().iter().zip(frame) {
                near(local.translation, reach, || {
                    format!("joint `{}` in frame {} of `{}`", joint.name, number + 1, clip.name())
                })?;
            }
        }
    }
    for (index, part) in asset.mesh.iter().flat_map(|mesh| &mesh.primitives).enumerate() {
        let what = || format!("a corner of part {} of the skin", index + 1);
        part.vertices.positions.iter().try_for_each(|&place| near(place, reach, what))?;
    }
    Ok(asset)
}

/// Refuses a skeleton with a bone longer than `reach`.
pub(crate) fn skeleton_within(skeleton: &Skeleton, reach: f32) -> Result<(), ReadError> {
    for joint in skeleton.joints() {
        let what = || format!("joint `{}`", joint.name);
        near(joint.rest.translation, reach, what)?;
        near(joint.tip.unwrap_or_default(), reach, what)?;
    }
    // Bones add up.
    skeleton
        .rest_models()
        .iter()
        .try_for_each(|model| near(model.translation, reach, || "the skeleton at rest".to_owned()))
}

/// Refuses a mesh with a corner farther off than `reach`.
pub(crate) fn mesh_within(mesh: &StaticMesh, reach: f32) -> Result<(), ReadError> {
    let what = || format!("a corner of the mesh `{}`", mesh.name);
    mesh.positions.iter().try_for_each(|&place| near(place, reach, what))
}

fn near(place: Vec3, reach: f32, what: impl Fn() -> String) -> Result<(), ReadError> {
    let far = place.abs().max_element();
    if far <= reach {
        return Ok(());
    }
    Err(ReadError::element(what(), format!("is {far:e} m away; {reach:e} m is the farthest")))
}
