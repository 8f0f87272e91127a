//! Skeletons, poses and clips.

mod character;
mod clip;
mod humanoid;
mod limits;
mod planar;
mod pose;
mod root_motion;
pub mod rotation;
mod skeleton;
mod skin;
mod transform;

pub use character::{Arm, BodyPoint, Character, Foot, Rig, Side};
pub use clip::{Clip, ClipError, Wrap};
pub use humanoid::{HUMANOID_HEIGHT, humanoid, humanoid_of_height};
pub use limits::JointLimit;
pub use planar::Planar;
pub use pose::Pose;
pub use root_motion::RootMotion;
pub use skeleton::{Joint, Skeleton, SkeletonError};
pub use skin::{Material, Primitive, SkinnedMesh, SkinnedMeshError, Texture, Vertices};
pub use transform::Transform;
