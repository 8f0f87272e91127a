//! One part of a mesh.

use super::accessor::DocumentData;
use super::influence::strongest;
use super::json::{self, AccessorKind};
use super::material::Materials;
use super::rig::NodeRig;
use super::skin::{Skin, Skins};
use crate::ReadError;
use andante_skeleton::{Primitive, Vertices};
use glam::{DAffine3, DMat3, DVec3, Vec2, Vec3};

/// Joints of the skin and weights, for each vertex.
type Influences = (Vec<[u32; 4]>, Vec<[f32; 4]>);

/// Reads one primitive. Errors do not name it; the caller does.
pub(super) struct PrimitiveReader<'a> {
    pub data: &'a DocumentData<'a>,
    pub rig: &'a NodeRig<'a>,
    pub skins: &'a Skins,
    pub primitive: &'a json::GltfPrimitive,
}

impl PrimitiveReader<'_> {
    /// A primitive that bends with its skin. Counts vertices without weights.
    pub fn skinned(
        &self,
        skin: &Skin,
        materials: &Materials,
        weightless: &mut usize,
    ) -> Result<Option<Primitive>, ReadError> {
        let Some(mut part) = geometry(self.data, self.primitive, materials)? else {
            return Ok(None);
        };
        let vertices = &mut part.vertices;
        let count = vertices.positions.len();
        let attributes = &self.primitive.attributes;
        let first = self.influences(attributes.joints_0, attributes.weights_0, count)?;
        let second = self.influences(attributes.joints_1, attributes.weights_1, count)?;
        for vertex in 0..count {
            let mut influences = [(0, 0.0); 8];
            for (set, half) in [&first, &second].into_iter().zip(influences.chunks_exact_mut(4)) {
                if let Some((joints, weights)) = set {
                    let both = joints[vertex].into_iter().zip(weights[vertex]);
                    half.iter_mut().zip(both).for_each(|(slot, pair)| *slot = pair);
                }
            }
            let Some((joints, weights)) = strongest(influences, skin.joints.len()) else {
                return fail(format!(
                    "vertex {vertex} hangs on a joint beyond the {} of its skin",
                    skin.joints.len()
                ));
            };
            *weightless += usize::from(influences.iter().all(|(_, weight)| *weight <= 0.0));
            let matrix = skin.to_common(self.rig, &joints, &weights);
            move_vertex(vertices, vertex, &matrix, self.skins.mesh_scale);
            vertices.joints.push(std::array::from_fn(|slot| {
                if weights[slot] > 0.0 { skin.joints[usize::from(joints[slot])] as u16 } else { 0 }
            }));
            vertices.weights.push(weights);
        }
        finite(&part.vertices)?;
        Ok(Some(part))
    }

    /// A primitive that is stiff: all of it follows the joint that its node is or hangs on.
    pub fn rigid(
        &self,
        node: usize,
        joint: usize,
        materials: &Materials,
    ) -> Result<Option<Primitive>, ReadError> {
        let Some(mut part) = geometry(self.data, self.primitive, materials)? else {
            return Ok(None);
        };
        // From the space of the node to where the inverse bind matrix takes it back from. World
        // matrices are in the file's unit, `rest` in metres.
        let rig = self.rig;
        let world = rig.rest_world_in_metres(node);
        let placed = rig.rest[joint].affine().inverse() * world;
        let matrix = self.skins.inverse_binds[joint].inverse() * placed;
        if !matrix.is_finite() {
            return fail("hangs on a joint whose inverse bind matrix cannot be inverted");
        }
        let count = part.vertices.positions.len();
        for vertex in 0..count {
            move_vertex(&mut part.vertices, vertex, &matrix, 1.0);
        }
        if matrix.matrix3.determinant() < 0.0 {
            part.indices.chunks_exact_mut(3).for_each(|triangle| triangle.swap(1, 2));
        }
        part.vertices.joints = vec![[joint as u16, 0, 0, 0]; count];
        part.vertices.weights = vec![[1.0, 0.0, 0.0, 0.0]; count];
        finite(&part.vertices)?;
        Ok(Some(part))
    }

    fn influences(
        &self,
        joints: Option<usize>,
        weights: Option<usize>,
        count: usize,
    ) -> Result<Option<Influences>, ReadError> {
        let (joints, weights) = match (joints, weights) {
            (Some(joints), Some(weights)) => {
                (self.data.integers::<4>(joints)?, self.data.floats::<4>(weights)?)
            }
            (None, None) => return Ok(None),
            _ => return fail("has joints without weights or weights without joints"),
        };
        if joints.len() != count || weights.len() != count {
            return fail(format!(
                "{} joints and {} weights for {count} positions",
                joints.len(),
                weights.len()
            ));
        }
        Ok(Some((joints, weights)))
    }
}

/// Everything but joints and weights, in the space of the node.
pub(super) fn geometry(
    data: &DocumentData,
    primitive: &json::GltfPrimitive,
    materials: &Materials,
) -> Result<Option<Primitive>, ReadError> {
    let attributes = &primitive.attributes;
    let Some(positions) = attributes.position else { return Ok(None) };
    let positions: Vec<_> = data.floats::<3>(positions)?.into_iter().map(Vec3::from).collect();
    let count = positions.len();
    let normals = vectors(data, attributes.normal, "normals", count)?;
    let normals = normals.into_iter().map(|n| unit_normal(Vec3::from_array(n))).collect();
    let uvs = match materials.uv_set(primitive.material) {
        0 => attributes.texcoord_0,
        1 => attributes.texcoord_1,
        _ => None,
    };
    let uvs = vectors(data, uvs, "texture coordinates", count)?;
    let uvs = uvs.into_iter().map(Vec2::from_array).collect();
    let colors = match attributes.color_0 {
        Some(accessor) if data.kind_of(accessor)? == AccessorKind::Vec3 => {
            let colors = vectors(data, Some(accessor), "colours", count)?;
            colors.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect()
        }
        accessor => vectors(data, accessor, "colours", count)?,
    };
    let indices = match primitive.indices {
        Some(accessor) => data.integers::<1>(accessor)?.into_iter().map(|[index]| index).collect(),
        None => (0..count as u32).collect::<Vec<_>>(),
    };
    if let Some(index) = indices.iter().find(|&&index| index as usize >= count) {
        return fail(format!("index {index} is beyond the {count} vertices"));
    }
    let vertices = Vertices { positions, normals, uvs, colors, ..Default::default() };
    let indices = triangles(primitive.mode, indices);
    Ok(Some(Primitive { vertices, indices, material: None }))
}

/// An attribute, one element for each of `count` vertices, or nothing.
fn vectors<const N: usize>(
    data: &DocumentData,
    accessor: Option<usize>,
    what: &str,
    count: usize,
) -> Result<Vec<[f32; N]>, ReadError> {
    let Some(accessor) = accessor else { return Ok(Vec::new()) };
    let values = data.floats(accessor)?;
    if values.len() != count {
        return fail(format!("{} {what} for {count} positions", values.len()));
    }
    Ok(values)
}

fn fail<T>(message: impl Into<String>) -> Result<T, ReadError> {
    Err(ReadError::file(message))
}

pub(super) fn finite(vertices: &Vertices) -> Result<(), ReadError> {
    if vertices.positions.iter().chain(&vertices.normals).all(|value| value.is_finite()) {
        return Ok(());
    }
    fail("a vertex ends up at no finite position")
}

/// The normal itself if its length is 1 up to rounding, so that it stays the same through any number
/// of files.
pub(super) fn unit_normal(normal: Vec3) -> Vec3 {
    if normal.is_normalized() { normal } else { normal.normalize_or(Vec3::Y) }
}

pub(super) fn move_vertex(vertices: &mut Vertices, vertex: usize, matrix: &DAffine3, scale: f64) {
    let is_identity = *matrix == DAffine3::IDENTITY;
    if !is_identity || scale != 1.0 {
        let position = &mut vertices.positions[vertex];
        *position = (matrix.transform_point3(position.as_dvec3()) * scale).as_vec3();
    }
    if let (false, Some(normal)) = (is_identity, vertices.normals.get_mut(vertex)) {
        let linear = matrix.matrix3;
        // The cofactor matrix turns normals as planes turn, and exists for flat matrices too. It
        // turns them inside out in mirrors, where the inverse transpose does not.
        let cofactors = DMat3::from_cols(
            linear.y_axis.cross(linear.z_axis),
            linear.z_axis.cross(linear.x_axis),
            linear.x_axis.cross(linear.y_axis),
        );
        let side = if linear.determinant() < 0.0 { -1.0 } else { 1.0 };
        let turned = cofactors * normal.as_dvec3() * side;
        *normal = turned.normalize_or(DVec3::Y).as_vec3();
    }
}

/// Triangles from a list (mode 4), strip (5) or fan (6).
fn triangles(mode: u32, indices: Vec<u32>) -> Vec<u32> {
    match mode {
        5 => indices
            .windows(3)
            .enumerate()
            .flat_map(
                |(number, t)| if number % 2 == 0 { [t[0], t[1], t[2]] } else { [t[1], t[0], t[2]] },
            )
            .collect(),
        6 => match indices.split_first() {
            Some((&hub, rim)) => rim.windows(2).flat_map(|pair| [pair[0], pair[1], hub]).collect(),
            None => indices,
        },
        _ => {
            let mut indices = indices;
            indices.truncate(indices.len() / 3 * 3);
            indices
        }
    }
}
