//! glTF 2.0: `.glb` and `.gltf`.

mod accessor;
mod clips;
mod container;
mod graph;
mod influence;
mod joints;
mod json;
mod material;
mod mesh;
mod names;
mod primitive;
mod rate;
mod read;
mod rig;
mod rigid;
mod skin;
mod track;
mod uri;
mod write;

pub use read::read;
pub use write::{Body, StaticMesh, WriteError, WriteOptions, write_glb, write_gltf};
