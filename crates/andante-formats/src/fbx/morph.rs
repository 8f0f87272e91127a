//! Blend shapes.

use super::mesh::{MeshLosses, of_mesh, three};
use crate::ReadError;
use crate::gltf::{BufferTarget, Builder};
use serde_json::{Value, json};
use std::collections::HashMap;
use ufbx::{BlendChannel, Mesh};

/// The channels of a mesh that have a shape.
pub(super) fn shapes<'a>(mesh: &'a Mesh, losses: &mut MeshLosses) -> Vec<&'a BlendChannel> {
    let channels = mesh.blend_deformers.iter().flat_map(|deformer| deformer.channels.iter());
    let shapes: Vec<&BlendChannel> = channels
        .map(|channel| &**channel)
        .filter(|channel| channel.target_shape.is_some())
        .collect();
    losses.between += shapes.iter().filter(|shape| shape.keyframes.len() > 1).count();
    shapes
}

/// How far each corner of a part is from where it is without the shape.
pub(super) fn target(
    mesh: &Mesh,
    channel: &BlendChannel,
    corners: &[u32],
    builder: &mut Builder,
) -> Result<Value, ReadError> {
    let mut offsets: HashMap<u32, [f32; 3]> = HashMap::new();
    if let Some(shape) = &channel.target_shape {
        for (&vertex, &offset) in shape.offset_vertices.iter().zip(shape.position_offsets.iter()) {
            offsets.insert(vertex, three(offset));
        }
    }
    let of = |corner: &u32| {
        let vertex = mesh.vertex_position.indices.get(*corner as usize)?;
        offsets.get(vertex).copied()
    };
    let moved: Vec<[f32; 3]> =
        corners.iter().map(|corner| of(corner).unwrap_or_default()).collect();
    if !moved.iter().flatten().all(|number| number.is_finite()) {
        return Err(of_mesh(mesh, "a blend shape has a corner at no finite place"));
    }
    let target = Some(BufferTarget::Vertices);
    Ok(json!({ "POSITION": builder.bounded_floats(target, &moved) }))
}

/// How much of a shape there is.
pub(super) fn weight(weight: f64) -> f32 {
    let weight = weight as f32;
    if weight.is_finite() { weight } else { 0.0 }
}
