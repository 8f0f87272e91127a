#![doc = include_str!("../README.md")]

mod blend;
mod capsules;
mod character;
mod clip;
mod compact;
mod ellipse;
mod footprint;
mod ground;
mod height_function;
mod humanoid;
mod ik;
mod limits;
mod mirror;
mod names;
pub mod parallel;
mod planar;
mod polyline;
mod pose;
mod recent_poses;
mod root_motion;
pub mod rotation;
mod settings;
mod skeleton;
mod skin;
mod told_apart;
mod transform;
mod transition;

pub use blend::{BlendLayer, add_layer, additive_delta, blend};
pub use capsules::{
    BodyCapsules, CapsuleSettings, body_capsules, capsule_body, light_capsule_body,
};
pub use character::{Arm, BodyPoint, Character, Foot, Rig, Side};
pub use clip::{Clip, ClipError, Wrap, model_frames, model_frames_but};
pub use compact::{CompactClip, CompactParts};
pub use footprint::PlannedFootprint;
pub use ground::{ClosestPoint, Ground, Hit, Ray, closest_on_sheet};
pub use height_function::HeightFunction;
pub use humanoid::{HUMANOID_HEIGHT, humanoid, humanoid_of_height};
pub use ik::*;
pub use limits::JointLimit;
pub use mirror::MirrorTable;
pub use names::{joint_sides, name_words};
pub use planar::Planar;
pub use polyline::Polyline;
pub use pose::Pose;
pub use recent_poses::RecentPoses;
pub use root_motion::RootMotion;
pub use settings::{SettingError, SettingNumbers, check_setting};
pub use skeleton::{Joint, Skeleton, SkeletonError};
pub use skin::{Material, Primitive, SkinnedMesh, SkinnedMeshError, Texture, Vertices};
pub use told_apart::told_apart;
pub use transform::Transform;
pub use transition::{CrossFade, Inertializer, ease};
