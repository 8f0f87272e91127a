//! A scene as a glTF document.

use super::clips;
use super::material::Pictures;
use super::mesh::{self, MeshLosses};
use crate::gltf::Builder;
use crate::text::shown;
use crate::{ReadError, ReadOptions, Warning};
use serde_json::{Map, Value, json};
use std::path::Path;
use ufbx::{Element, ElementType, Node, Ref, Scene};

/// The nodes of a scene and what they are for.
pub(super) struct Nodes<'a> {
    pub scene: &'a Scene,
    /// The number in the document of each node of the scene; none for its root, which is at the origin.
    pub places: Vec<Option<usize>>,
    /// Nodes that an animation stack moves.
    pub moved: Vec<bool>,
    /// Nodes that joints are made of or hang on.
    pub skeleton: Vec<bool>,
    /// Bones that no skin is bound to and that are joints all the same.
    bare: Vec<usize>,
    /// Bytes that the buffer of the document may have.
    most: u64,
}

impl<'a> Nodes<'a> {
    fn new(scene: &'a Scene, most: u64) -> Self {
        let count = scene.nodes.len();
        let mut number = 0;
        let places = scene.nodes.iter().map(|node| {
            (!node.is_root).then(|| {
                number += 1;
                number - 1
            })
        });
        let places = places.collect();
        let moved = moved(scene);
        let mut bound = vec![false; count];
        for cluster in &scene.skin_clusters {
            if let Some(place) = cluster.bone_node.as_ref().and_then(|bone| at(bone, count)) {
                bound[place] = true;
            }
        }
        // What is used tells tips from joints; where nothing is, every bone is one.
        let used: Vec<bool> = bound.iter().zip(&moved).map(|(a, b)| *a || *b).collect();
        let any = (0..count).any(|node| used[node] && scene.nodes[node].bone.is_some());
        let tip = |node: &Node, place: usize| any && node.children.is_empty() && !used[place];
        let bones = scene.nodes.iter().enumerate();
        let bare: Vec<usize> = bones
            .filter(|(place, node)| node.bone.is_some() && !bound[*place] && !tip(node, *place))
            .map(|(place, _)| place)
            .collect();
        let mut wanted = bound;
        bare.iter().for_each(|&place| wanted[place] = true);
        if !wanted.contains(&true) {
            wanted.clone_from(&moved);
        }
        let mut skeleton = wanted.clone();
        // Animated nodes below joints are joints, and whatever is above them moves them.
        for (place, node) in scene.nodes.iter().enumerate() {
            let above = ancestors(node, count);
            skeleton[place] |= moved[place] && above.clone().any(|parent| wanted[parent]);
            if skeleton[place] {
                above.for_each(|parent| skeleton[parent] = true);
            }
        }
        Self { scene, places, moved, skeleton, bare, most }
    }

    /// Refuses so many bytes more in the buffer if the file is not long enough for them.
    pub fn room(&self, builder: &Builder, count: usize, each: usize) -> Result<(), ReadError> {
        let more = (count as u64).saturating_mul(each as u64);
        match more.saturating_add(builder.bytes.len() as u64) <= self.most {
            true => Ok(()),
            false => Err(ReadError::file("would take more memory than a file of this size may")),
        }
    }

    /// The nodes as they are at rest, with what hangs on them.
    fn values(&self, meshes: &[Option<(usize, Option<usize>)>]) -> Result<Vec<Value>, ReadError> {
        let mut values = Vec::new();
        for node in self.scene.nodes.iter().filter(|node| !node.is_root) {
            let rest = &node.local_transform;
            let (t, r, s) = (rest.translation, rest.rotation, rest.scale);
            let numbers = [t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z];
            if !numbers.iter().all(|number| number.is_finite()) {
                return Err(of_node(node, "is at no finite place"));
            }
            let mut value = json!({
                "translation": [t.x, t.y, t.z],
                "rotation": [r.x, r.y, r.z, r.w],
                "scale": [s.x, s.y, s.z],
            });
            if !node.element.name.is_empty() {
                value["name"] = json!(&*node.element.name);
            }
            let children: Vec<usize> = node.children.iter().filter_map(|c| self.place(c)).collect();
            if !children.is_empty() {
                value["children"] = json!(children);
            }
            let mesh = node.mesh.as_ref().and_then(|mesh| *meshes.get(typed(&mesh.element))?);
            if let Some((mesh, skin)) = mesh {
                value["mesh"] = json!(mesh);
                if let Some(skin) = skin {
                    value["skin"] = json!(skin);
                }
            }
            values.push(value);
        }
        Ok(values)
    }

    /// The number of a node in the document.
    pub fn place(&self, node: &Node) -> Option<usize> {
        *self.places.get(typed(&node.element))?
    }
}

/// The document of a scene, and its buffer.
pub(super) fn assemble(
    scene: &Scene,
    length: usize,
    base: Option<&Path>,
    fps: f32,
    options: &ReadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<(Value, Vec<u8>), ReadError> {
    let limits = &options.limits;
    let more = limits.decoded_per_byte.saturating_mul(length as u64);
    let nodes = Nodes::new(scene, limits.decoded.saturating_add(more));
    let mut builder = Builder::default();
    let mut pictures = Pictures::new(scene, base, &options.limits);
    let mut losses = MeshLosses::default();
    let (mut meshes, mut skins) = (Vec::new(), Vec::new());
    // For each mesh of the scene its number in the document, and that of its skin.
    let mut known: Vec<Option<(usize, Option<usize>)>> = Vec::new();
    for mesh in &scene.meshes {
        let skin = mesh.skin_deformers.first();
        let made = mesh::mesh(&nodes, mesh, &mut pictures, &mut builder, &mut losses)?;
        let skin = match (&made, skin) {
            (Some(_), Some(skin)) => mesh::skin(&nodes, skin, &mut builder)?,
            _ => None,
        };
        known.push(made.map(|made| {
            meshes.push(made);
            let skin = skin.map(|skin| {
                skins.push(skin);
                skins.len() - 1
            });
            (meshes.len() - 1, skin)
        }));
    }
    if !nodes.bare.is_empty() {
        skins.push(mesh::bare_skin(&nodes, &nodes.bare, &mut builder)?);
    }
    let animations =
        clips::animations(&nodes, length, fps, &known, options, &mut builder, warnings)?;
    losses.tell(warnings);
    pictures.tell(warnings);
    let [materials, textures, images] = pictures.finish(&mut builder);

    let shown: Vec<usize> =
        scene.root_node.children.iter().filter_map(|child| nodes.place(child)).collect();
    let mut document = Map::new();
    document.insert("asset".into(), json!({ "version": "2.0", "generator": "Andante" }));
    document.insert("scene".into(), json!(0));
    document.insert("scenes".into(), json!([{ "nodes": shown }]));
    document.insert("buffers".into(), json!([{ "byteLength": builder.bytes.len() }]));
    for (name, values) in [
        ("nodes", nodes.values(&known)?),
        ("skins", skins),
        ("animations", animations),
        ("meshes", meshes),
        ("materials", materials),
        ("textures", textures),
        ("images", images),
        ("accessors", builder.accessors),
        ("bufferViews", builder.views),
    ] {
        if !values.is_empty() {
            document.insert(name.into(), values.into());
        }
    }
    Ok((document.into(), builder.bytes))
}

/// Which nodes have a curve for where they are.
fn moved(scene: &Scene) -> Vec<bool> {
    let mut moved = vec![false; scene.nodes.len()];
    for prop in scene.anim_layers.iter().flat_map(|layer| &layer.anim_props) {
        let node = prop.element.type_ == ElementType::Node
            && ["Lcl Translation", "Lcl Rotation", "Lcl Scaling"].contains(&&*prop.prop_name);
        if let Some(moved) = moved.get_mut(typed(&prop.element)).filter(|_| node) {
            *moved = true;
        }
    }
    moved
}

/// The nodes above one, nearest first, as numbers of the scene.
fn ancestors(node: &Node, count: usize) -> impl Iterator<Item = usize> + Clone {
    std::iter::successors(node.parent.as_ref(), |parent| parent.parent.as_ref())
        .filter_map(move |parent| at(parent, count))
}

fn at(node: &Ref<Node>, count: usize) -> Option<usize> {
    Some(typed(&node.element)).filter(|&place| place < count)
}

/// The number of an element among those of its type.
pub(super) fn typed(element: &Element) -> usize {
    element.typed_id as usize
}

/// An error of a node, by its name.
pub(super) fn of_node(node: &Node, message: &str) -> ReadError {
    ReadError::element(format!("node `{}`", shown(node.element.name.as_bytes())), message)
}
