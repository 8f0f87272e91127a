//! Meshes and materials.

use super::builder::{BufferTarget, Builder};
use super::{StaticMesh, WriteError};
use crate::gltf::influence::strongest;
use crate::gltf::material::mime_type;
use crate::gltf::primitive::unit_normal;
use andante_skeleton::{Material, Primitive, Skeleton, SkinnedMesh, Texture};
use glam::Vec3;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The meshes of a document with what they refer to.
#[derive(Default)]
pub(super) struct Meshes<'a> {
    pub meshes: Vec<Value>,
    pub materials: Vec<Value>,
    pub textures: Vec<Value>,
    pub images: Vec<Value>,
    /// The place of each image among the textures, by content.
    known_images: HashMap<&'a [u8], usize>,
}

impl<'a> Meshes<'a> {
    /// Adds a mesh; `None` if nothing of it is visible, because glTF has no empty meshes.
    pub fn add_skinned(
        &mut self,
        mesh: &'a SkinnedMesh,
        skeleton: &Skeleton,
        builder: &mut Builder,
    ) -> Result<Option<usize>, WriteError> {
        // Without texture coordinates a texture cannot be shown: such parts get a plain material.
        let mut materials: HashMap<(usize, bool), usize> = HashMap::new();
        let mut primitives = Vec::new();
        for part in mesh.primitives.iter().filter(|part| !part.indices.is_empty()) {
            let mut primitive = primitive(part, skeleton.len(), builder);
            if let Some(index) = part.material {
                let has_uvs = !part.vertices.uvs.is_empty();
                let place = match materials.get(&(index, has_uvs)) {
                    Some(&place) => place,
                    None => self.add_material(&mesh.materials[index], has_uvs, builder)?,
                };
                materials.insert((index, has_uvs), place);
                primitive["material"] = json!(place);
            }
            primitives.push(primitive);
        }
        if primitives.is_empty() {
            return Ok(None);
        }
        self.meshes.push(json!({ "name": "body", "primitives": primitives }));
        Ok(Some(self.meshes.len() - 1))
    }

    /// Adds a mesh that does not move, likewise.
    pub fn add_static(
        &mut self,
        mesh: &StaticMesh,
        builder: &mut Builder,
    ) -> Result<Option<usize>, WriteError> {
        let fail = |what| Err(WriteError::Static { mesh: mesh.name.clone(), what });
        let count = mesh.positions.len();
        if !(mesh.normals.is_empty() || mesh.normals.len() == count) {
            return fail("attributes of different lengths");
        }
        if !mesh.positions.iter().chain(&mesh.normals).all(|value| value.is_finite())
            || !mesh.color.iter().all(|value| value.is_finite())
        {
            return fail("not a finite number");
        }
        if !mesh.indices.len().is_multiple_of(3) {
            return fail("indices are not whole triangles");
        }
        if mesh.indices.iter().any(|&index| index as usize >= count) {
            return fail("a triangle uses a vertex that does not exist");
        }
        if mesh.indices.is_empty() {
            return Ok(None);
        }
        let material = Material { base_color: mesh.color, ..Default::default() };
        let material = self.add_material_plain(&material);
        let attributes = geometry(&mesh.positions, &mesh.normals, builder);
        let indices = builder.indices(&mesh.indices, count);
        self.meshes.push(json!({
            "name": mesh.name,
            "primitives": [{ "attributes": attributes, "indices": indices, "material": material }],
        }));
        Ok(Some(self.meshes.len() - 1))
    }

    fn add_material(
        &mut self,
        material: &'a Material,
        has_uvs: bool,
        builder: &mut Builder,
    ) -> Result<usize, WriteError> {
        let place = self.add_material_plain(material);
        if let (Some(texture), true) = (&material.base_color_texture, has_uvs) {
            let texture = self
                .add_texture(texture, builder)
                .ok_or_else(|| WriteError::Texture(material.name.clone()))?;
            let pbr = &mut self.materials[place]["pbrMetallicRoughness"];
            pbr["baseColorTexture"] = json!({ "index": texture });
        }
        Ok(place)
    }

    fn add_material_plain(&mut self, material: &Material) -> usize {
        let color = material.base_color.map(unit);
        let mut value = json!({
            "pbrMetallicRoughness": {
                "baseColorFactor": color,
                "metallicFactor": unit(material.metallic),
                "roughnessFactor": unit(material.roughness),
            },
        });
        if !material.name.is_empty() {
            value["name"] = json!(material.name);
        }
        if material.double_sided {
            value["doubleSided"] = json!(true);
        }
        if color[3] < 1.0 {
            value["alphaMode"] = json!("BLEND");
        }
        self.materials.push(value);
        self.materials.len() - 1
    }

    fn add_texture(&mut self, texture: &'a Texture, builder: &mut Builder) -> Option<usize> {
        if let Some(&known) = self.known_images.get(texture.bytes.as_slice()) {
            return Some(known);
        }
        let mime_type = mime_type(&texture.bytes)?;
        let view = builder.view(None, texture.bytes.iter().copied());
        self.images.push(json!({ "bufferView": view, "mimeType": mime_type }));
        self.textures.push(json!({ "source": self.images.len() - 1 }));
        let place = self.textures.len() - 1;
        self.known_images.insert(&texture.bytes, place);
        Some(place)
    }
}

fn primitive(part: &Primitive, joints: usize, builder: &mut Builder) -> Value {
    let vertices = &part.vertices;
    let target = Some(BufferTarget::Vertices);
    let mut attributes = geometry(&vertices.positions, &vertices.normals, builder);
    if !vertices.uvs.is_empty() {
        let uvs = vertices.uvs.iter().map(|uv| uv.to_array());
        attributes["TEXCOORD_0"] = json!(builder.floats(target, uvs));
    }
    if !vertices.colors.is_empty() {
        let colors = vertices.colors.iter().map(|color| color.map(unit));
        attributes["COLOR_0"] = json!(builder.floats(target, colors));
    }
    let influences = vertices.joints.iter().zip(&vertices.weights);
    let (carriers, weights): (Vec<_>, Vec<_>) =
        influences.map(|(joints, weights)| tidy(*joints, *weights)).unzip();
    attributes["JOINTS_0"] = json!(builder.joints(&carriers, joints));
    attributes["WEIGHTS_0"] = json!(builder.floats(target, weights));
    let indices = builder.indices(&part.indices, vertices.positions.len());
    json!({ "attributes": attributes, "indices": indices })
}

fn geometry(positions: &[Vec3], normals: &[Vec3], builder: &mut Builder) -> Value {
    let target = Some(BufferTarget::Vertices);
    let positions: Vec<_> = positions.iter().map(|position| position.to_array()).collect();
    let mut attributes = json!({ "POSITION": builder.bounded_floats(target, &positions) });
    if !normals.is_empty() {
        let normals = normals.iter().map(|&normal| unit_normal(normal).to_array());
        attributes["NORMAL"] = json!(builder.floats(target, normals));
    }
    attributes
}

/// Each joint once, weights that are positive and sum to 1, and joint 0 where there is no weight.
fn tidy(joints: [u16; 4], weights: [f32; 4]) -> ([u16; 4], [f32; 4]) {
    let influences: [(u32, f32); 8] = std::array::from_fn(|slot| {
        if slot < 4 { (u32::from(joints[slot]), weights[slot]) } else { (0, 0.0) }
    });
    strongest(influences, usize::from(u16::MAX) + 1).unwrap_or(([0; 4], [1.0, 0.0, 0.0, 0.0]))
}

fn unit(value: f32) -> f32 {
    value.clamp(0.0, 1.0)
}
