//! Meshes in `.3ds`, the format of 3D Studio: triangles of a world with materials, textures by name; read, not written.
//!
//! Z is up in such files and Y is here; lengths are taken for metres, as those of OBJ are. Normals are made from smoothing groups:
//! faces that share a group and a corner bend into each other there, others meet in an edge. Cameras, lights and key frames are left
//! out.

mod chunk;
mod id;
mod normals;

use crate::gltf::StaticMesh;
use crate::magnitude::mesh_within;
use crate::text::{decode, shown};
use crate::{ReadError, ReadLimits};
use chunk::Chunk;
use glam::{Vec2, Vec3};
use id::*;
use std::collections::{BTreeMap, BTreeSet};

/// A surface of a `.3ds` file; colours are red, green and blue from 0 to 1, as they stand there.
#[derive(Clone, Debug, PartialEq)]
pub struct TdsMaterial {
    /// Name by which faces refer to it.
    pub name: String,
    /// Colour in the shade.
    pub ambient: [f32; 3],
    /// Colour in the light.
    pub diffuse: [f32; 3],
    /// Colour of highlights.
    pub specular: [f32; 3],
    /// 1 = solid, 0 = not to be seen.
    pub opacity: f32,
    /// Name of the picture on it; it is not opened.
    pub texture: Option<String>,
}

/// The faces of an object that have one material.
#[derive(Clone, Debug, PartialEq)]
pub struct TdsPart {
    /// Called like the object, in the colour of the material.
    pub mesh: StaticMesh,
    /// Texture coordinates for each position, from the bottom left; may be empty.
    pub uvs: Vec<Vec2>,
    /// What the faces are made of, where the file says so.
    pub material: Option<TdsMaterial>,
}

/// Reads all objects of a file, each cut into one part for every material.
pub fn read(bytes: &[u8], limits: &ReadLimits) -> Result<Vec<TdsPart>, ReadError> {
    let main = Chunk::first(bytes).filter(|main| main.id == MAIN);
    let main = main.ok_or_else(|| ReadError::file("is not a .3ds file"))?;
    let mut materials = BTreeMap::new();
    let mut objects = Vec::new();
    for editor in main.inside(0)? {
        let editor = editor?;
        if editor.id != EDITOR {
            continue;
        }
        for chunk in editor.inside(0)? {
            let chunk = chunk?;
            match chunk.id {
                MATERIAL => {
                    let material = material(&chunk)?;
                    // Of several with a name the first counts.
                    materials.entry(material.name.clone()).or_insert(material);
                }
                OBJECT => objects.extend(meshes(&chunk)?),
                _ => {}
            }
        }
    }
    let mut parts = Vec::new();
    for object in &objects {
        for part in object.parts(&materials)? {
            mesh_within(&part.mesh, limits.reach)?;
            parts.push(part);
        }
    }
    Ok(parts)
}

fn material(chunk: &Chunk) -> Result<TdsMaterial, ReadError> {
    let mut made = TdsMaterial {
        name: String::new(),
        ambient: [0.0; 3],
        diffuse: [1.0; 3],
        specular: [0.0; 3],
        opacity: 1.0,
        texture: None,
    };
    for part in chunk.inside(0)? {
        let part = part?;
        match part.id {
            MATERIAL_NAME => made.name = decode(part.text(0)?.0),
            AMBIENT => made.ambient = color(&part)?.unwrap_or(made.ambient),
            DIFFUSE => made.diffuse = color(&part)?.unwrap_or(made.diffuse),
            SPECULAR => made.specular = color(&part)?.unwrap_or(made.specular),
            TRANSPARENCY => {
                for share in part.inside(0)? {
                    let share = share?;
                    let percent = match share.id {
                        BYTE_PERCENT => f32::from(share.word(0)?) / 100.0,
                        FLOAT_PERCENT => finite(&share, 0)?,
                        _ => continue,
                    };
                    made.opacity = (1.0 - percent).clamp(0.0, 1.0);
                }
            }
            TEXTURE => {
                for name in part.inside(0)? {
                    let name = name?;
                    if name.id == TEXTURE_FILE {
                        made.texture = Some(decode(name.text(0)?.0));
                    }
                }
            }
            _ => {}
        }
    }
    Ok(made)
}

/// The first colour inside of a chunk, from 0 to 1.
fn color(chunk: &Chunk) -> Result<Option<[f32; 3]>, ReadError> {
    for part in chunk.inside(0)? {
        let part = part?;
        let mut rgb = [0.0; 3];
        for (index, channel) in rgb.iter_mut().enumerate() {
            *channel = match part.id {
                FLOAT_COLOR | FLOAT_COLOR_LINEAR => finite(&part, 4 * index)?,
                BYTE_COLOR | BYTE_COLOR_LINEAR => f32::from(part.byte(index)?) / 255.0,
                _ => continue,
            };
        }
        if matches!(part.id, FLOAT_COLOR | FLOAT_COLOR_LINEAR | BYTE_COLOR | BYTE_COLOR_LINEAR) {
            return Ok(Some(rgb.map(|channel| channel.clamp(0.0, 1.0))));
        }
    }
    Ok(None)
}

/// A number of a colour.
fn finite(chunk: &Chunk, at: usize) -> Result<f32, ReadError> {
    let number = chunk.float(at)?;
    if number.is_finite() { Ok(number) } else { Err(chunk.error("has no finite number")) }
}

/// A mesh of an object as it stands in the file, Y up.
#[derive(Default)]
struct Object {
    name: String,
    positions: Vec<Vec3>,
    uvs: Vec<Vec2>,
    faces: Vec<[u32; 3]>,
    /// The groups that each face is smooth in, as bits.
    groups: Vec<u32>,
    /// The number of the name that each face is made of, from 1; 0 for none.
    made_of: Vec<usize>,
    names: Vec<String>,
}

/// The meshes of an object chunk, mostly one; none of lights and cameras.
fn meshes(chunk: &Chunk) -> Result<Vec<Object>, ReadError> {
    let (name, length) = chunk.text(0)?;
    let mut objects = Vec::new();
    for mesh in chunk.inside(length)? {
        let mesh = mesh?;
        if mesh.id != MESH {
            continue;
        }
        let mut object = Object { name: decode(name), ..Object::default() };
        let mut lists = BTreeSet::new();
        for part in mesh.inside(0)? {
            let part = part?;
            // Faces of one list would be those of the vertices of another.
            if [VERTICES, COORDINATES, FACES].contains(&part.id) && !lists.insert(part.id) {
                return Err(part.error("is there twice in a mesh"));
            }
            match part.id {
                VERTICES => object.read_vertices(&part)?,
                COORDINATES => {
                    let count = usize::from(part.word(0)?);
                    let at = |index| {
                        Ok(Vec2::new(part.float(2 + 8 * index)?, part.float(6 + 8 * index)?))
                    };
                    object.uvs = (0..count).map(at).collect::<Result<_, ReadError>>()?;
                }
                FACES => object.read_faces(&part)?,
                _ => {}
            }
        }
        objects.push(object);
    }
    Ok(objects)
}

/// The place in a part of each vertex with the bits of its normal.
type Corners = BTreeMap<(u32, [u32; 3]), u32>;

impl Object {
    fn read_vertices(&mut self, chunk: &Chunk) -> Result<(), ReadError> {
        for index in 0..usize::from(chunk.word(0)?) {
            let [x, y, z] = [0, 4, 8].map(|axis| chunk.float(2 + 12 * index + axis));
            let place = Vec3::new(x?, z?, -y?);
            if !place.is_finite() {
                return Err(self.error(format!("vertex {index} is at no finite place")));
            }
            self.positions.push(place);
        }
        Ok(())
    }

    fn read_faces(&mut self, chunk: &Chunk) -> Result<(), ReadError> {
        let count = usize::from(chunk.word(0)?);
        for index in 0..count {
            let [a, b, c] = [0, 2, 4].map(|corner| chunk.word(2 + 8 * index + corner));
            self.faces.push([a?, b?, c?].map(u32::from));
        }
        self.groups = vec![0; count];
        self.made_of = vec![0; count];
        for part in chunk.inside(2 + 8 * count)? {
            let part = part?;
            match part.id {
                SMOOTHING => {
                    for (index, groups) in self.groups.iter_mut().enumerate() {
                        *groups = part.double_word(4 * index)?;
                    }
                }
                FACE_MATERIAL => {
                    let (name, length) = part.text(0)?;
                    self.names.push(decode(name));
                    for index in 0..usize::from(part.word(length)?) {
                        let face = usize::from(part.word(length + 2 + 2 * index)?);
                        match self.made_of.get_mut(face) {
                            Some(made_of) => *made_of = self.names.len(),
                            None => {
                                let message =
                                    format!("face {face} does not exist; there are {count}");
                                return Err(self.error(message));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// One part for every material.
    fn parts(&self, materials: &BTreeMap<String, TdsMaterial>) -> Result<Vec<TdsPart>, ReadError> {
        let count = self.positions.len();
        for (index, face) in self.faces.iter().enumerate() {
            if let Some(corner) = face.iter().find(|&&corner| corner as usize >= count) {
                let message = format!("face {index} has vertex {corner}; there are {count}");
                return Err(self.error(message));
            }
        }
        let normals = normals::smoothed(&self.positions, &self.faces, &self.groups);
        // Fewer coordinates than corners are those of another mesh.
        let has_uvs = self.uvs.len() == count && self.uvs.iter().all(|uv| uv.is_finite());
        let mut parts: BTreeMap<usize, (TdsPart, Corners)> = BTreeMap::new();
        for (index, face) in self.faces.iter().enumerate() {
            let made_of = self.made_of[index];
            let (part, known) = parts.entry(made_of).or_insert_with(|| {
                let name = made_of.checked_sub(1).and_then(|number| self.names.get(number));
                let material = name.and_then(|name| materials.get(name));
                let [r, g, b] = material.map_or([1.0; 3], |material| material.diffuse);
                let color = [r, g, b, material.map_or(1.0, |material| material.opacity)];
                let mesh = StaticMesh { name: self.name.clone(), color, ..StaticMesh::default() };
                let part = TdsPart { mesh, uvs: Vec::new(), material: material.cloned() };
                (part, Corners::new())
            });
            for (&corner, normal) in face.iter().zip(normals[index]) {
                let key = (corner, normal.to_array().map(f32::to_bits));
                let place = *known.entry(key).or_insert_with(|| {
                    part.mesh.positions.push(self.positions[corner as usize]);
                    part.mesh.normals.push(normal);
                    if has_uvs {
                        part.uvs.push(self.uvs[corner as usize]);
                    }
                    part.mesh.positions.len() as u32 - 1
                });
                part.mesh.indices.push(place);
            }
        }
        Ok(parts.into_values().map(|(part, _)| part).collect())
    }

    fn error(&self, message: String) -> ReadError {
        ReadError::element(format!("object `{}`", shown(self.name.as_bytes())), message)
    }
}
