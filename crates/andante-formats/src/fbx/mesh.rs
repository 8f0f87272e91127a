//! Meshes and what they hang on.

use super::document::{Nodes, of_node, typed};
use super::material::Pictures;
use super::morph;
use crate::gltf::{BufferTarget, Builder, strongest};
use crate::text::shown;
use crate::{ReadError, Warning};
use glam::Vec3;
use serde_json::{Value, json};
use std::collections::HashMap;
use ufbx::{Matrix, Mesh, Node, SkinDeformer, SkinningMethod};

/// What can be dropped from meshes, told once per file.
#[derive(Default)]
pub(super) struct MeshLosses {
    /// Shapes between none and all of a blend shape.
    pub between: usize,
    dual: usize,
    several: usize,
    caches: usize,
    weightless: usize,
}

impl MeshLosses {
    pub fn tell(&self, warnings: &mut Vec<Warning>) {
        for (count, what) in [
            (self.between, "blend shapes have shapes in between, which were left out"),
            (self.dual, "skins bend by dual quaternions: they are taken for linear ones"),
            (self.several, "meshes have several skins, of which the first is taken"),
            (self.caches, "meshes have shapes in a file of their own, which was left out"),
            (self.weightless, "corners have no weights and now follow a single joint"),
        ] {
            if count > 0 {
                warnings.push(Warning::new(format!("{count} {what}")));
            }
        }
    }
}

/// The corners of a part: each different one once.
struct Part {
    /// Index in the mesh of the first corner that is like this.
    corners: Vec<u32>,
    indices: Vec<u32>,
}

/// A mesh as glTF has it; none without triangles.
pub(super) fn mesh(
    nodes: &Nodes,
    mesh: &Mesh,
    pictures: &mut Pictures,
    builder: &mut Builder,
    losses: &mut MeshLosses,
) -> Result<Option<Value>, ReadError> {
    if mesh.element.instances.is_empty() || !mesh.vertex_position.exists {
        return Ok(None);
    }
    let skin = mesh.skin_deformers.first().map(|skin| (&**skin, carriers(nodes, skin)));
    losses.several += usize::from(mesh.skin_deformers.len() > 1);
    losses.caches += usize::from(!mesh.cache_deformers.is_empty());
    let dual = |(skin, _): &(&SkinDeformer, _)| {
        matches!(
            skin.skinning_method,
            SkinningMethod::DualQuaternion | SkinningMethod::BlendedDqLinear
        )
    };
    losses.dual += usize::from(skin.as_ref().is_some_and(dual));
    let shapes = morph::shapes(mesh, losses);
    let owner = mesh.element.instances.first();
    let mut primitives = Vec::new();
    let mut triangles = Vec::new();
    for part in &mesh.material_parts {
        let corners = part_of(mesh, &part.face_indices, &mut triangles)?;
        if corners.indices.is_empty() {
            continue;
        }
        // Places, normals, coordinates, colours, joints and weights, and three indices.
        nodes.room(builder, corners.corners.len(), 76)?;
        nodes.room(builder, corners.indices.len(), 4)?;
        let mut primitive = primitive(mesh, &corners, skin.as_ref(), builder, losses)?;
        let number = part.index as usize;
        let own = owner.and_then(|node| node.materials.get(number));
        let material = own.or_else(|| mesh.materials.get(number));
        if let Some(material) = material {
            primitive["material"] = json!(pictures.place(material));
        }
        if !shapes.is_empty() {
            let mut targets = Vec::new();
            for shape in &shapes {
                nodes.room(builder, corners.corners.len(), 12)?;
                targets.push(morph::target(mesh, shape, &corners.corners, builder)?);
            }
            primitive["targets"] = targets.into();
        }
        primitives.push(primitive);
    }
    if primitives.is_empty() {
        return Ok(None);
    }
    let mut value = json!({ "primitives": primitives });
    let name = if mesh.element.name.is_empty() {
        owner.map_or("", |node| &*node.element.name)
    } else {
        &*mesh.element.name
    };
    if !name.is_empty() {
        value["name"] = json!(name);
    }
    if !shapes.is_empty() {
        value["weights"] = shapes.iter().map(|shape| json!(morph::weight(shape.weight))).collect();
        let names: Vec<&str> = shapes.iter().map(|shape| &*shape.element.name).collect();
        value["extras"] = json!({ "targetNames": names });
    }
    Ok(Some(value))
}

/// The triangles of some faces.
fn part_of(mesh: &Mesh, faces: &[u32], triangles: &mut Vec<u32>) -> Result<Part, ReadError> {
    let mut known: HashMap<[u32; 4], u32> = HashMap::new();
    let mut part = Part { corners: Vec::new(), indices: Vec::new() };
    let index = |list: &[u32], exists: bool, corner: u32| {
        if exists { list.get(corner as usize).copied() } else { Some(0) }
    };
    for face in faces.iter().filter_map(|&face| mesh.faces.get(face as usize)) {
        let end = u64::from(face.index_begin) + u64::from(face.num_indices);
        if face.num_indices < 3 || end > mesh.num_indices as u64 {
            continue;
        }
        ufbx::triangulate_face_vec(triangles, mesh, *face);
        for &corner in triangles.iter() {
            let key = [
                index(&mesh.vertex_position.indices, true, corner),
                index(&mesh.vertex_normal.indices, mesh.vertex_normal.exists, corner),
                index(&mesh.vertex_uv.indices, mesh.vertex_uv.exists, corner),
                index(&mesh.vertex_color.indices, mesh.vertex_color.exists, corner),
            ];
            let [Some(a), Some(b), Some(c), Some(d)] = key else {
                return Err(of_mesh(mesh, "a face has a corner that does not exist"));
            };
            let place = *known.entry([a, b, c, d]).or_insert_with(|| {
                part.corners.push(corner);
                part.corners.len() as u32 - 1
            });
            part.indices.push(place);
        }
    }
    Ok(part)
}

fn primitive(
    mesh: &Mesh,
    part: &Part,
    skin: Option<&(&SkinDeformer, Vec<Option<u32>>)>,
    builder: &mut Builder,
    losses: &mut MeshLosses,
) -> Result<Value, ReadError> {
    let target = Some(BufferTarget::Vertices);
    let corners = || part.corners.iter().map(|&corner| corner as usize);
    let positions: Vec<[f32; 3]> = corners().map(|at| three(mesh.vertex_position[at])).collect();
    if !positions.iter().flatten().all(|number| number.is_finite()) {
        return Err(of_mesh(mesh, "a corner is at no finite place"));
    }
    let mut attributes = json!({ "POSITION": builder.bounded_floats(target, &positions) });
    if mesh.vertex_normal.exists {
        let normal = |at| Vec3::from(three(mesh.vertex_normal[at])).normalize_or(Vec3::Y);
        attributes["NORMAL"] = json!(builder.floats(target, corners().map(|at| normal(at).into())));
    }
    if mesh.vertex_uv.exists {
        let uvs = corners().map(|at| {
            let uv = mesh.vertex_uv[at];
            // Pictures begin at the top there and at the bottom here.
            [finite(uv.x), finite(1.0 - uv.y)]
        });
        attributes["TEXCOORD_0"] = json!(builder.floats(target, uvs));
    }
    if mesh.vertex_color.exists {
        let colors = corners().map(|at| {
            let c = mesh.vertex_color[at];
            [c.x, c.y, c.z, c.w].map(|part| finite(part).clamp(0.0, 1.0))
        });
        attributes["COLOR_0"] = json!(builder.floats(target, colors));
    }
    if let Some((skin, carriers)) = skin {
        let vertices = corners().map(|at| mesh.vertex_position.indices[at] as usize);
        let (joints, weights): (Vec<_>, Vec<_>) =
            vertices.map(|vertex| influences(skin, carriers, vertex, losses)).unzip();
        attributes["JOINTS_0"] = json!(builder.joints(&joints, skin.clusters.len()));
        attributes["WEIGHTS_0"] = json!(builder.floats(target, weights));
    }
    let indices = builder.indices(&part.indices, part.corners.len());
    Ok(json!({ "attributes": attributes, "indices": indices }))
}

/// The four strongest joints of a vertex; the first joint where it has none.
fn influences(
    skin: &SkinDeformer,
    carriers: &[Option<u32>],
    vertex: usize,
    losses: &mut MeshLosses,
) -> ([u16; 4], [f32; 4]) {
    let all = skin.vertices.get(vertex).and_then(|range| {
        let from = range.weight_begin as usize;
        skin.weights.get(from..from.saturating_add(range.num_weights as usize))
    });
    let weights = all.unwrap_or_default().iter().filter_map(|weight| {
        let joint = (*carriers.get(weight.cluster_index as usize)?)?;
        let weight = weight.weight as f32;
        (weight > 0.0 && weight.is_finite()).then_some((joint, weight))
    });
    let mut slots = [(0, 0.0); 8];
    let mut count = 0;
    // The strongest come first.
    for (slot, weight) in slots.iter_mut().zip(weights) {
        *slot = weight;
        count += 1;
    }
    losses.weightless += usize::from(count == 0);
    strongest(slots, carriers.len()).unwrap_or(([0; 4], [1.0, 0.0, 0.0, 0.0]))
}

/// The joint of a skin that each of its clusters is: those without a bone are left out.
fn carriers(nodes: &Nodes, skin: &SkinDeformer) -> Vec<Option<u32>> {
    let mut number = 0;
    let bones = skin.clusters.iter().map(|cluster| {
        cluster.bone_node.as_ref().and_then(|bone| nodes.place(bone)).map(|_| {
            number += 1;
            number - 1
        })
    });
    bones.collect()
}

/// A skin as glTF has it; none without any bone.
pub(super) fn skin(
    nodes: &Nodes,
    skin: &SkinDeformer,
    builder: &mut Builder,
) -> Result<Option<Value>, ReadError> {
    let mut joints = Vec::new();
    let mut binds = Vec::new();
    for cluster in &skin.clusters {
        let Some(bone) = cluster.bone_node.as_ref() else { continue };
        let Some(place) = nodes.place(bone) else { continue };
        joints.push(place);
        binds.push(matrix(&cluster.geometry_to_bone, bone)?);
    }
    if joints.is_empty() {
        return Ok(None);
    }
    let binds = builder.floats(None, binds);
    Ok(Some(json!({ "joints": joints, "inverseBindMatrices": binds })))
}

/// Bones that nothing is bound to, as a skin that no mesh has: it tells which nodes are joints.
pub(super) fn bare_skin(
    nodes: &Nodes,
    bones: &[usize],
    builder: &mut Builder,
) -> Result<Value, ReadError> {
    let mut binds = Vec::new();
    for &bone in bones {
        let node = &nodes.scene.nodes[bone];
        binds.push(matrix(&ufbx::matrix_invert(&node.node_to_world), node)?);
    }
    let joints: Vec<Option<usize>> = bones.iter().map(|&bone| nodes.places[bone]).collect();
    Ok(json!({ "joints": joints, "inverseBindMatrices": builder.floats(None, binds) }))
}

fn matrix(m: &Matrix, bone: &Node) -> Result<[f32; 16], ReadError> {
    let matrix = [
        m.m00, m.m10, m.m20, 0.0, m.m01, m.m11, m.m21, 0.0, m.m02, m.m12, m.m22, 0.0, m.m03, m.m13,
        m.m23, 1.0,
    ]
    .map(|number| number as f32);
    if !matrix.iter().all(|number| number.is_finite()) {
        return Err(of_node(bone, "is bound at no finite place"));
    }
    Ok(matrix)
}

/// An error of a mesh, by its name or that of its node.
pub(super) fn of_mesh(mesh: &Mesh, message: &str) -> ReadError {
    let name = match mesh.element.instances.first() {
        Some(node) if mesh.element.name.is_empty() => &*node.element.name,
        _ => &*mesh.element.name,
    };
    let number = typed(&mesh.element);
    ReadError::element(format!("mesh {number} (`{}`)", shown(name.as_bytes())), message)
}

pub(super) fn three(v: ufbx::Vec3) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

fn finite(number: f64) -> f32 {
    let number = number as f32;
    if number.is_finite() { number } else { 0.0 }
}
