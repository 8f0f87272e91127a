//! glTF 2.0: `.glb` and `.gltf`.
//!
//! # Joints
//!
//! Joints are the joints of all skins, animated nodes below them and the nodes between; without skins
//! the animated nodes, and in a file of nothing but nodes all of them. They form one skeleton: separate
//! trees are joined at their lowest common ancestor, or else by a new root at the origin. The rest pose
//! is the one that the nodes have in the document, which need not be the one the mesh was bound in. A
//! plain node at the end of a chain is the tip of the last bone.
//!
//! Nodes have scale and joints have not. Joints are put exactly where the matrices of the nodes put
//! them, at rest and in every frame, so that scale becomes offsets; whatever is above the root (a
//! turned or scaled armature, also an animated one) becomes part of it. Scale at rest goes to the mesh
//! as well. Scale that changes moves the joints below and is otherwise lost, with a warning.
//!
//! # Clips
//!
//! Every animation that moves a joint is a clip. It begins at its first key, not at time zero: many
//! exporters start at frame 1, and a cycle must not wait there. Evenly spaced keys keep their rate;
//! for others the first usual rate is taken whose frames meet all keys, or else a dense one. Steps and
//! cubic splines are sampled at the frames.
//!
//! # Meshes
//!
//! Skinned meshes of the scene and meshes that hang on joints become one skinned mesh with up to four
//! joints per vertex, in metres. Skins that bind the same joints differently are brought to one space.
//! Materials keep base colour, its texture, metalness and roughness. Morph targets are left out, with a
//! warning.
//!
//! # VRM
//!
//! What an avatar in VRM (0.x and 1.0) says its nodes are for is kept with the skeleton
//! ([`Skeleton::said_role`](andante_skeleton::Skeleton::said_role)). Bodies of VRM 0 face −Z and are turned.
//!
//! # Safety
//!
//! Files may be damaged or hostile: every index and range is checked, errors name the element, and
//! memory stays in proportion to the file. Data outside the file is read from its own folder only.

mod accessor;
mod clips;
mod container;
mod graph;
mod influence;
mod joints;
mod json;
mod material;
mod mesh;
mod primitive;
mod rate;
mod read;
mod rig;
mod rigid;
mod skin;
mod statics;
mod track;
mod uri;
mod vrm;
mod write;

#[cfg(feature = "fbx")]
pub(crate) use influence::strongest;
#[cfg(feature = "fbx")]
pub(crate) use material::mime_type;
pub use read::read;
#[cfg(feature = "fbx")]
pub(crate) use read::{read_bare, size_warning};
pub use statics::read_meshes;
pub use uri::named_files;
#[cfg(feature = "fbx")]
pub(crate) use write::{BufferTarget, Builder, glb};
pub use write::{
    GltfBody, GltfDocument, GltfWriteOptions, StaticMesh, WriteError, stream_group_glb, write_glb,
    write_gltf,
};
