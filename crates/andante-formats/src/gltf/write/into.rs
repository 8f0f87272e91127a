//! Clips written into the document that they belong to.
//!
//! Whatever a document has beyond joints and motions stays as it is: materials, textures, morph targets, cameras, extensions,
//! extras, and what nobody has heard of.

use super::WriteError;
use super::builder::Builder;
use super::clip::{Animation, animate};
use crate::gltf::graph::Graph;
use crate::gltf::joints::NodeJoints;
use crate::gltf::json::{Property, Root};
use crate::gltf::rig::NodeRig;
use crate::gltf::rigid::Rigid;
use crate::gltf::{container, read, uri, vrm};
use crate::{Asset, ReadError, ReadOptions};
use andante_skeleton::{Clip, Joint, Skeleton, Transform};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glam::{DAffine3, DMat3, DQuat, DVec3};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A document as it was read, for clips to be written into.
#[derive(Clone, Debug, PartialEq)]
pub struct GltfDocument {
    bytes: Vec<u8>,
    base: Option<PathBuf>,
    name: String,
    options: ReadOptions,
}

impl GltfDocument {
    pub(in crate::gltf) fn new(
        bytes: &[u8],
        base: Option<&Path>,
        name: &str,
        options: &ReadOptions,
    ) -> Self {
        let (bytes, base) = (bytes.to_vec(), base.map(Path::to_path_buf));
        Self { bytes, base, name: name.to_owned(), options: options.clone() }
    }

    /// The document with the clips of an asset in place of its own, and its buffer. `None` if the asset has other
    /// joints or another skin than the document, or joints that are sheared.
    pub(super) fn with_clips(
        &self,
        asset: &Asset,
        key_error: f32,
    ) -> Result<Option<Patched>, WriteError> {
        self.patched(asset, key_error).map_err(|error| WriteError::Document(error.to_string()))
    }

    fn patched(&self, asset: &Asset, key_error: f32) -> Result<Option<Patched>, ReadError> {
        let base = self.base.as_deref();
        let own = read(&self.bytes, base, &self.name, &self.options)?;
        if own.skeleton != asset.skeleton || own.mesh != asset.mesh {
            return Ok(None);
        }
        let opened = container::open(&self.bytes)?;
        let root = &opened.root;
        let mut document: Value = serde_json::from_slice(container::text(&self.bytes)?)
            .map_err(|error| ReadError::file(error.to_string()))?;
        self.embed(&mut document, root)?;
        let graph = Graph::new(root)?;
        let joints = NodeJoints::choose(root, &graph, &mut Vec::new())?;
        let rig = NodeRig::new(&graph, joints, vrm::facing(root), &self.options)?;
        let Some(nodes) = Nodes::new(&rig, &own.skeleton) else { return Ok(None) };

        let list = |document: &mut Value, name: &str| match document.get_mut(name).map(Value::take)
        {
            Some(Value::Array(values)) => values,
            _ => Vec::new(),
        };
        let mut buffers = list(&mut document, "buffers");
        let binary =
            opened.binary.filter(|_| buffers.first().is_some_and(|b| b.get("uri").is_none()));
        let mut builder = Builder {
            buffer: if binary.is_some() { 0 } else { buffers.len() },
            bytes: binary.map(<[u8]>::to_vec).unwrap_or_default(),
            views: list(&mut document, "bufferViews"),
            accessors: list(&mut document, "accessors"),
            written: 0,
        };
        let before = builder.bytes.len();
        let originals = list(&mut document, "animations");
        let Some(animations) =
            animations(&originals, (&own, asset), (root, &rig, &nodes), key_error, &mut builder)
        else {
            return Ok(None);
        };
        if builder.bytes.len() > before {
            nodes.make_movable(&rig, &mut document);
        }
        if binary.is_none() && !builder.bytes.is_empty() {
            let data = STANDARD.encode(&builder.bytes);
            let uri = format!("data:application/octet-stream;base64,{data}");
            buffers.push(json!({ "byteLength": builder.bytes.len(), "uri": uri }));
            builder.bytes.clear();
        } else if binary.is_some() && builder.bytes.len() > before {
            buffers[0]["byteLength"] = json!(builder.bytes.len());
        }
        for (name, values) in [
            ("animations", animations),
            ("buffers", buffers),
            ("bufferViews", builder.views),
            ("accessors", builder.accessors),
        ] {
            if values.is_empty() {
                document.as_object_mut().map(|document| document.remove(name));
            } else {
                document[name] = values.into();
            }
        }
        Ok(Some(Patched { document, binary: binary.is_some().then_some(builder.bytes) }))
    }

    /// Puts files that a document points to into it: it may be written elsewhere.
    fn embed(&self, document: &mut Value, root: &Root) -> Result<(), ReadError> {
        let limits = &self.options.limits;
        let lengths = root.buffers.iter().map(|buffer| buffer.byte_length);
        let images = std::iter::repeat_n(limits.image, root.images.len());
        for (list, most) in [("buffers", lengths.collect::<Vec<_>>()), ("images", images.collect())]
        {
            for (index, most) in most.into_iter().enumerate() {
                let element = &mut document[list][index];
                let Some(address) = element.get("uri").and_then(Value::as_str) else { continue };
                if address.starts_with("data:") {
                    continue;
                }
                let bytes = uri::load(address, self.base.as_deref(), most, limits)?;
                let kind = match list {
                    "buffers" => "application/octet-stream",
                    _ if bytes.starts_with(b"\x89PNG") => "image/png",
                    _ if bytes.starts_with(b"\xff\xd8") => "image/jpeg",
                    // Whatever it is, it stays where it was.
                    _ => continue,
                };
                element["uri"] = format!("data:{kind};base64,{}", STANDARD.encode(&bytes)).into();
            }
        }
        Ok(())
    }
}

/// A document and the buffer that comes with it in a `.glb` file.
pub(super) struct Patched {
    pub document: Value,
    pub binary: Option<Vec<u8>>,
}

/// The animations of a document with the clips of an asset in place of its own: those that are as they were stay, and so do
/// those that move no joint. `None` if a node would have to be sheared.
fn animations(
    originals: &[Value],
    (own, asset): (&Asset, &Asset),
    (root, rig, nodes): (&Root, &NodeRig, &Nodes),
    key_error: f32,
    builder: &mut Builder,
) -> Option<Vec<Value>> {
    // Nodes may be in centimetres below one that is scaled.
    let bones = |skeleton: &Skeleton| -> f32 {
        skeleton.joints().iter().skip(1).map(|joint| joint.rest.translation.length()).sum()
    };
    let units = bones(&nodes.skeleton) / bones(&asset.skeleton).max(1e-9);
    let clips = clip_animations(root, rig);
    let mut animations = Vec::new();
    for clip in &asset.clips {
        let same = own.clips.iter().position(|other| other.name() == clip.name());
        let original = same.and_then(|index| Some((index, clips.get(index).copied()?)));
        if let Some((index, at)) = original
            && own.clips[index] == *clip
            && key_error <= 0.0
        {
            animations.push(originals[at].clone());
            continue;
        }
        let moved = nodes.clip(rig, clip)?;
        let mut animation = Animation::default();
        let error = key_error * units;
        animate(&mut animation, &moved, &nodes.skeleton, &rig.joints.nodes, error, builder);
        let mut animation = animation.named(clip.name());
        let lasting = |&(index, _): &(usize, usize)| {
            (own.clips[index].duration() - clip.duration()).abs() < 1e-3
        };
        if let Some((_, at)) = original.filter(lasting) {
            keep_others(&mut animation, &originals[at], &root.animations[at], rig);
        }
        animations.push(animation);
    }
    let others = (0..originals.len()).filter(|index| !clips.contains(index));
    animations.extend(others.map(|index| originals[index].clone()));
    Some(animations)
}

/// The animations that are read as clips, in the order of the clips.
fn clip_animations(root: &Root, rig: &NodeRig) -> Vec<usize> {
    let moves = |index: &usize| {
        root.animations[*index].channels.iter().any(|channel| {
            !matches!(channel.target.path, Property::Weights | Property::Other)
                && channel.target.node.is_some_and(|node| rig.nodes.contains(&node))
        })
    };
    (0..root.animations.len()).filter(moves).collect()
}

/// Channels of an animation that move no joint, such as those of morph targets, with everything else it has.
fn keep_others(
    animation: &mut Value,
    original: &Value,
    parsed: &crate::gltf::json::GltfAnimation,
    rig: &NodeRig,
) {
    let ours = |channel: &crate::gltf::json::GltfChannel| {
        !matches!(channel.target.path, Property::Weights | Property::Other)
            && channel.target.node.is_some_and(|node| rig.nodes.contains(&node))
    };
    let (Some(made), Some(object)) = (animation.as_object_mut(), original.as_object()) else {
        return;
    };
    for (index, channel) in parsed.channels.iter().enumerate().filter(|(_, channel)| !ours(channel))
    {
        let (Some(mut kept), Some(sampler)) = (
            original["channels"].get(index).cloned(),
            original["samplers"].get(channel.sampler).cloned(),
        ) else {
            continue;
        };
        if let Some(samplers) = made.get_mut("samplers").and_then(Value::as_array_mut) {
            kept["sampler"] = json!(samplers.len());
            samplers.push(sampler);
        }
        if let Some(channels) = made.get_mut("channels").and_then(Value::as_array_mut) {
            channels.push(kept);
        }
    }
    for (key, value) in object {
        made.entry(key.clone()).or_insert_with(|| value.clone());
    }
}

/// The nodes of the joints: how each is placed on its parent node, in the file's unit and axes.
struct Nodes {
    /// With the placements of nodes for a rest pose.
    skeleton: Skeleton,
    scales: Vec<DVec3>,
}

impl Nodes {
    fn new(rig: &NodeRig, skeleton: &Skeleton) -> Option<Self> {
        let parts =
            rig.joints.nodes.iter().map(|node| node.map(|node| rig.graph.rest[node].parts()));
        let joint = |(joint, parts): (&Joint, Option<crate::gltf::graph::Parts>)| {
            let rest = parts.map_or(Transform::IDENTITY, |parts| {
                Transform::new(parts.rotation.as_quat(), parts.translation.as_vec3())
            });
            Joint { rest, ..joint.clone() }
        };
        let joints = skeleton.joints().iter().zip(parts.clone()).map(joint).collect();
        let scales = parts.map(|parts| parts.map_or(DVec3::ONE, |parts| parts.scale)).collect();
        Some(Self { skeleton: Skeleton::new(joints).ok()?, scales })
    }

    /// A clip of joints as one of nodes; `None` if a node would have to be sheared.
    fn clip(&self, rig: &NodeRig, clip: &Clip) -> Option<Clip> {
        let count = self.skeleton.len();
        let mut transforms = Vec::with_capacity(clip.transforms().len());
        let mut placed = vec![Rigid::IDENTITY; count];
        let mut worlds = rig.rest_worlds.clone();
        for frame in clip.frames() {
            for (joint, local) in frame.iter().enumerate() {
                let local = Rigid {
                    rotation: local.rotation.as_dquat().normalize(),
                    translation: local.translation.as_dvec3(),
                };
                placed[joint] = match rig.joints.parents[joint] {
                    Some(parent) => local.on(&placed[parent]),
                    None => local,
                };
                let Some(node) = rig.joints.nodes[joint] else {
                    transforms.push(Transform::IDENTITY);
                    continue;
                };
                worlds[node] = rig.world(joint, &placed[joint]);
                let local = match rig.graph.parents[node] {
                    Some(parent) => worlds[parent].inverse() * worlds[node],
                    None => worlds[node],
                };
                transforms.push(self.parts(joint, &local)?);
            }
        }
        Clip::new(clip.name(), &self.skeleton, clip.fps(), transforms).ok()
    }

    fn parts(&self, joint: usize, local: &DAffine3) -> Option<Transform> {
        let scale = self.scales[joint];
        if scale.min_element().abs().min(scale.max_element().abs()) < 1e-12 {
            return None;
        }
        let turn = local.matrix3 * DMat3::from_diagonal(scale.recip());
        let rotation = DQuat::from_mat3(&turn).normalize();
        let left = (DMat3::from_quat(rotation) - turn).to_cols_array();
        let straight = left.iter().all(|value| value.abs() < 1e-3);
        straight.then(|| Transform::new(rotation.as_quat(), local.translation.as_vec3()))
    }

    /// Nodes that are animated have parts instead of a matrix.
    fn make_movable(&self, rig: &NodeRig, document: &mut Value) {
        for (joint, node) in rig.joints.nodes.iter().enumerate() {
            let Some(element) = node.and_then(|node| document["nodes"].get_mut(node)) else {
                continue;
            };
            let Some(object) = element.as_object_mut() else { continue };
            if object.remove("matrix").is_some() {
                let rest = self.skeleton.joint(joint).rest;
                object.insert("translation".into(), json!(rest.translation.to_array()));
                object.insert("rotation".into(), json!(rest.rotation.to_array()));
                object.insert("scale".into(), json!(self.scales[joint].to_array()));
            }
        }
    }
}
