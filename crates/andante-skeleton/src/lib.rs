//! Skeletons, poses and clips.

mod capsules;
mod clip;
mod limits;
mod pose;
pub mod rotation;
mod skeleton;
mod skin;
mod transform;

pub use capsules::capsule_body;
pub use clip::{Clip, ClipError, Wrap};
pub use limits::JointLimit;
pub use pose::Pose;
pub use skeleton::{Joint, Skeleton, SkeletonError};
pub use skin::{Material, Primitive, SkinnedMesh, SkinnedMeshError, Texture, Vertices};
pub use transform::Transform;
