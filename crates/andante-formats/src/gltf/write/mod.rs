//! Writing.

mod builder;
mod clip;
mod into;
mod mesh;
mod reduce;

pub use into::GltfDocument;

use crate::Asset;
use andante_skeleton::{Clip, Skeleton, SkinnedMesh, SkinnedMeshError, capsule_body};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
#[cfg(feature = "fbx")]
pub(crate) use builder::BufferTarget;
pub(crate) use builder::Builder;
use glam::{Quat, Vec3};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::io::{self, Seek, Write};
use thiserror::Error;

/// The visible body of a written character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum GltfBody {
    /// The asset's own mesh, or the generated one if it has none.
    #[default]
    Original,
    /// A mannequin generated from the bones ([`capsule_body`]).
    Capsules,
    /// Joints alone: smallest, and invisible in most viewers.
    None,
}

/// Options of writing a glTF file.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct GltfWriteOptions {
    /// What the character looks like.
    pub body: GltfBody,
    /// Things beside the character that do not move: ground, obstacles.
    pub extra: Vec<StaticMesh>,
    /// Metres by which joints and tips may be off at most for keys that are left out; 0 writes every frame (0.0005…0.005).
    pub key_error: f32,
}

/// A mesh that does not move, in world space.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct StaticMesh {
    /// Name of its node.
    pub name: String,
    /// Positions in metres.
    pub positions: Vec<Vec3>,
    /// One unit normal per position, or none at all for flat shading.
    pub normals: Vec<Vec3>,
    /// Triangles: three indices into `positions` each, counter-clockwise seen from outside.
    pub indices: Vec<u32>,
    /// Linear RGBA.
    pub color: [f32; 4],
}

/// An error that keeps a file from being written.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum WriteError {
    /// The mesh does not fit the skeleton.
    #[error(transparent)]
    Mesh(#[from] SkinnedMeshError),
    /// A clip belongs to another skeleton.
    #[error("clip `{clip}` has {found} joints and the skeleton has {joints}")]
    Clip {
        /// Name of the clip.
        clip: String,
        /// Joints of the clip.
        found: usize,
        /// Joints of the skeleton.
        joints: usize,
    },
    /// A [`StaticMesh`] has arrays of the wrong length, an index out of range or a number that is
    /// not finite.
    #[error("mesh `{mesh}`: {what}")]
    Static {
        /// Name of the mesh.
        mesh: String,
        /// What is wrong.
        what: &'static str,
    },
    /// A texture is neither PNG nor JPEG.
    #[error("the texture of material `{0}` is neither PNG nor JPEG")]
    Texture(String),
    /// The document that the asset was read from cannot be read again.
    #[error("the document it was read from: {0}")]
    Document(String),
    /// GLB counts bytes with 32 bits.
    #[error("{0} bytes are more than a GLB file can have (4 GiB): write fewer clips")]
    TooLarge(usize),
}

/// Writes the skeleton, its mesh and all clips as a binary `.glb` file. An asset that was read from glTF and has its joints and
/// its mesh still is written into that document: everything else in it stays.
pub fn write_glb(asset: &Asset, options: &GltfWriteOptions) -> Result<Vec<u8>, WriteError> {
    if let Some(into::Patched { document, binary }) = patched(asset, options)? {
        return glb(document, binary);
    }
    let (mut document, mut binary) = document(asset, options)?;
    binary.resize(binary.len().next_multiple_of(4), 0);
    document["buffers"] = json!([{ "byteLength": binary.len() }]);
    glb(document, Some(binary))
}

/// A document and its buffer, if it has one, in one file.
pub(crate) fn glb(document: Value, binary: Option<Vec<u8>>) -> Result<Vec<u8>, WriteError> {
    let Some(mut binary) = binary else { return glb_header(document, None) };
    binary.resize(binary.len().next_multiple_of(4), 0);
    let mut bytes = glb_header(document, Some(binary.len()))?;
    bytes.extend(binary);
    Ok(bytes)
}

/// The document that an asset was read from with its clips, if it is to be written as it looks there.
fn patched(asset: &Asset, options: &GltfWriteOptions) -> Result<Option<into::Patched>, WriteError> {
    let original = asset.original.as_ref();
    let original =
        original.filter(|_| options.body == GltfBody::Original && options.extra.is_empty());
    original.map_or(Ok(None), |original| original.with_clips(asset, options.key_error))
}

/// Writes several characters that play together as one `.glb` file, with one clip for each asset that is asked for when its
/// turn comes: memory holds one of them at a time. Clips that the assets have themselves are left out. Names of joints begin
/// with the name of the character.
pub fn stream_group_glb<E: From<WriteError> + From<io::Error>>(
    group: &[(&str, &Asset)],
    options: &GltfWriteOptions,
    mut clip: impl FnMut(usize) -> Result<Clip, E>,
    out: &mut impl Write,
) -> Result<(), E> {
    let mut spool = tempfile::tempfile()?;
    let clips = |index: usize| Ok(Cow::Owned(vec![clip(index)?]));
    let spill = |builder: &mut Builder| Ok(builder.spill(&mut spool)?);
    let (mut document, mut builder) = assemble::<E>(group, options, 1, clips, spill)?;
    builder.spill(&mut spool)?;
    document["buffers"] = json!([{ "byteLength": builder.written }]);
    out.write_all(&glb_header(document, Some(builder.written))?)?;
    spool.rewind()?;
    io::copy(&mut spool, out)?;
    Ok(())
}

/// Everything before a buffer of so many bytes, if there is one.
fn glb_header(document: Value, binary: Option<usize>) -> Result<Vec<u8>, WriteError> {
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');

    let length = 12 + 8 + text.len() + binary.map_or(0, |binary| 8 + binary);
    let word = |value: usize| u32::try_from(value).map(u32::to_le_bytes);
    let too_large = |_| WriteError::TooLarge(length);
    let mut bytes = Vec::with_capacity(12 + 8 + text.len() + 8);
    bytes.extend(b"glTF");
    bytes.extend(2u32.to_le_bytes());
    bytes.extend(word(length).map_err(too_large)?);
    bytes.extend(word(text.len()).map_err(too_large)?);
    bytes.extend(b"JSON");
    bytes.extend(text);
    if let Some(binary) = binary {
        bytes.extend(word(binary).map_err(too_large)?);
        bytes.extend(b"BIN\0");
    }
    Ok(bytes)
}

/// Writes the same as [`write_glb`] as `.gltf` text, the buffer embedded.
pub fn write_gltf(asset: &Asset, options: &GltfWriteOptions) -> Result<Vec<u8>, WriteError> {
    // Handed on and not copied: a buffer in letters is a third longer than its bytes.
    let uri = |binary: Vec<u8>| {
        let mut text = String::from("data:application/octet-stream;base64,");
        STANDARD.encode_string(binary, &mut text);
        Value::String(text)
    };
    let document = if let Some(into::Patched { mut document, binary }) = patched(asset, options)? {
        if let Some(binary) = binary {
            document["buffers"][0]["uri"] = uri(binary);
        }
        document
    } else {
        let (mut document, binary) = document(asset, options)?;
        document["buffers"] = json!([{ "byteLength": binary.len() }]);
        document["buffers"][0]["uri"] = uri(binary);
        document
    };
    let mut text = format!("{document:#}").into_bytes();
    text.push(b'\n');
    Ok(text)
}

/// The document without its buffer, and the buffer.
fn document(asset: &Asset, options: &GltfWriteOptions) -> Result<(Value, Vec<u8>), WriteError> {
    let (group, most) = (&[("", asset)], asset.clips.len());
    let clips = |_| Ok(Cow::Borrowed(asset.clips.as_slice()));
    let (document, builder) = assemble::<WriteError>(group, options, most, clips, |_| Ok(()))?;
    Ok((document, builder.bytes))
}

/// The document without its buffer. `clips` gives those of one of the group, at most so many; what is in the buffer
/// may be spilled after each.
fn assemble<'a, E: From<WriteError>>(
    group: &[(&str, &Asset)],
    options: &GltfWriteOptions,
    most: usize,
    mut clips: impl FnMut(usize) -> Result<Cow<'a, [Clip]>, E>,
    mut spill: impl FnMut(&mut Builder) -> Result<(), E>,
) -> Result<(Value, Builder), E> {
    let body = |asset: &'_ Asset| match (options.body, &asset.mesh) {
        (GltfBody::None, _) => None,
        (GltfBody::Original, Some(mesh)) => Some(mesh.clone()),
        (GltfBody::Original, None) | (GltfBody::Capsules, _) => Some(capsule_body(&asset.skeleton)),
    };
    let bodies: Vec<Option<SkinnedMesh>> = group.iter().map(|(_, asset)| body(asset)).collect();

    let mut builder = Builder::default();
    let mut nodes: Vec<Value> = Vec::new();
    let (mut scene, mut skins) = (Vec::new(), Vec::new());
    let mut meshes = mesh::Meshes::default();
    let mut animations: Vec<(String, clip::Animation)> = Vec::new();
    animations.resize_with(most, Default::default);
    for (index, ((name, asset), body)) in group.iter().zip(&bodies).enumerate() {
        let (skeleton, first) = (&asset.skeleton, nodes.len());
        scene.push(first);
        nodes.extend(joint_nodes(skeleton, first, name));
        if let Some(body) = body {
            body.validate(skeleton).map_err(WriteError::from)?;
            if let Some(mesh) = meshes.add_skinned(body, skeleton, &mut builder)? {
                scene.push(nodes.len());
                let name = prefixed(name, "body");
                nodes.push(json!({ "name": name, "mesh": mesh, "skin": skins.len() }));
            }
        }
        skins.push(skin(skeleton, first, body.as_ref(), &mut builder));
        for (clip, (title, animation)) in clips(index)?.iter().zip(&mut animations) {
            let (found, joints) = (clip.joint_count(), skeleton.len());
            if found != joints {
                let clip = clip.name().to_owned();
                return Err(WriteError::Clip { clip, found, joints }.into());
            }
            if title.is_empty() {
                clip.name().clone_into(title);
            }
            let nodes: Vec<_> = (first..first + joints).map(Some).collect();
            clip::animate(animation, clip, skeleton, &nodes, options.key_error, &mut builder);
        }
        spill(&mut builder)?;
    }
    for extra in &options.extra {
        if let Some(mesh) = meshes.add_static(extra, &mut builder)? {
            scene.push(nodes.len());
            nodes.push(json!({ "name": extra.name, "mesh": mesh }));
        }
    }
    let animations: Vec<Value> =
        animations.into_iter().map(|(name, animation)| animation.named(&name)).collect();

    let mut document = Map::new();
    document.insert("asset".into(), json!({ "version": "2.0", "generator": "Andante" }));
    document.insert("scene".into(), json!(0));
    document.insert("scenes".into(), json!([{ "nodes": scene }]));
    // glTF has no empty arrays.
    for (name, values) in [
        ("nodes", nodes),
        ("skins", skins),
        ("animations", animations),
        ("meshes", meshes.meshes),
        ("materials", meshes.materials),
        ("textures", meshes.textures),
        ("images", meshes.images),
        ("accessors", std::mem::take(&mut builder.accessors)),
        ("bufferViews", std::mem::take(&mut builder.views)),
    ] {
        if !values.is_empty() {
            document.insert(name.into(), values.into());
        }
    }
    Ok((document.into(), builder))
}

/// A name within a group.
fn prefixed(group: &str, name: &str) -> String {
    if group.is_empty() { name.to_owned() } else { format!("{group}/{name}") }
}

/// A node for each joint, in the same order, and after them one for each tip. The root is node `first`.
fn joint_nodes(skeleton: &Skeleton, first: usize, group: &str) -> Vec<Value> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); skeleton.len()];
    for joint in 1..skeleton.len() {
        if let Some(parent) = skeleton.parent(joint) {
            children[parent].push(first + joint);
        }
    }
    let mut tips = Vec::new();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        if let Some(tip) = joint.tip {
            children[index].push(first + skeleton.len() + tips.len());
            let name = prefixed(group, &format!("{}_tip", joint.name));
            tips.push(json!({ "name": name, "translation": tip.to_array() }));
        }
    }
    let nodes = skeleton.joints().iter().zip(children).map(|(joint, children)| {
        let mut node = json!({ "name": prefixed(group, &joint.name) });
        if joint.rest.translation != Vec3::ZERO {
            node["translation"] = json!(joint.rest.translation.to_array());
        }
        if joint.rest.rotation != Quat::IDENTITY {
            node["rotation"] = json!(joint.rest.rotation.normalize().to_array());
        }
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        node
    });
    nodes.chain(tips).collect()
}

/// All joints in the order of the skeleton. It is written without a mesh too: it tells readers
/// which nodes are joints.
fn skin(
    skeleton: &Skeleton,
    first: usize,
    body: Option<&SkinnedMesh>,
    builder: &mut Builder,
) -> Value {
    let joints: Vec<_> = (first..first + skeleton.len()).collect();
    let mut skin = json!({ "joints": joints, "skeleton": first });
    if let Some(body) = body {
        let binds = body.inverse_binds.iter().map(|bind| {
            let mut m = bind.to_cols_array();
            // Products of affine matrices are affine, but for rounding.
            [m[3], m[7], m[11], m[15]] = [0.0, 0.0, 0.0, 1.0];
            m
        });
        skin["inverseBindMatrices"] = json!(builder.floats(None, binds));
    }
    skin
}
