#![doc = include_str!("../../../README.md")]

pub use andante_draw as draw;
pub use andante_formats as formats;
pub use andante_skeleton as skeleton;

/// What most programs need: `use andante::prelude::*`.
pub mod prelude {
    pub use andante_formats::{Asset, ReadOptions};
    pub use andante_skeleton::{
        BlendLayer, Character, Clip, CompactClip, CrossFade, Inertializer, Joint, MirrorTable,
        Planar, Pose, RootMotion, Skeleton, Transform, Wrap, blend, humanoid,
    };
}
