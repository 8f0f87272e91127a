//! Meshes of a document that stand still: a world without a character.

use super::accessor::{DocumentData, in_element, missing};
use super::container;
use super::graph::Graph;
use super::material::Materials;
use super::primitive::{finite, geometry, move_vertex};
use super::write::StaticMesh;
use crate::magnitude::mesh_within;
use crate::{ReadError, ReadLimits};
use glam::DAffine3;
use std::path::Path;

/// Reads the meshes of the scene that have no skin from a `.glb` or `.gltf` file, in world space, one for each
/// part. Textures are left out. A file without any gives none.
///
/// `base` is the folder in which buffers outside the file are looked for.
pub fn read_meshes(
    bytes: &[u8],
    base: Option<&Path>,
    limits: &ReadLimits,
) -> Result<Vec<StaticMesh>, ReadError> {
    let container = container::open(bytes)?;
    let root = &container.root;
    let data = DocumentData::load(root, container.binary, base, bytes.len(), limits)?;
    let graph = Graph::new(root)?;
    let mut worlds = vec![DAffine3::IDENTITY; root.nodes.len()];
    for &node in &graph.order {
        let above = graph.parents[node].map_or(DAffine3::IDENTITY, |parent| worlds[parent]);
        worlds[node] = above * graph.rest[node].affine();
    }
    let materials = Materials::new(&data, base, limits);
    let mut found = Vec::new();
    for (index, node) in root.nodes.iter().enumerate() {
        let shown = graph.in_scene[index] && node.skin.is_none();
        let Some(mesh_index) = node.mesh.filter(|_| shown) else { continue };
        let element = format!("meshes[{mesh_index}]");
        let mesh = root.meshes.get(mesh_index).ok_or_else(|| missing(element.clone()))?;
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            if !matches!(primitive.mode, 4..=6) {
                continue;
            }
            let in_part = |error| in_element(error, format!("{element}.primitives[{number}]"));
            let part = geometry(&data, primitive, &materials).map_err(in_part)?;
            let Some(mut part) = part else { continue };
            for vertex in 0..part.vertices.positions.len() {
                move_vertex(&mut part.vertices, vertex, &worlds[index], 1.0);
            }
            finite(&part.vertices).map_err(in_part)?;
            if worlds[index].matrix3.determinant() < 0.0 {
                part.indices.chunks_exact_mut(3).for_each(|triangle| triangle.swap(1, 2));
            }
            let material = primitive.material.and_then(|material| root.materials.get(material));
            let mesh = StaticMesh {
                name: node.name.clone().or_else(|| mesh.name.clone()).unwrap_or_default(),
                positions: part.vertices.positions,
                normals: part.vertices.normals,
                indices: part.indices,
                color: material.map_or([1.0; 4], |m| m.pbr_metallic_roughness.base_color_factor),
            };
            mesh_within(&mesh, limits.reach).map_err(in_part)?;
            found.push(mesh);
        }
    }
    Ok(found)
}
