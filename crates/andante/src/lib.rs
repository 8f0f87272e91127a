#![doc = include_str!("../README.md")]

/// The examples of the project's first page, tested with the others.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct FirstPage;

pub use andante_body as body;
pub use andante_check as check;
pub use andante_draw as draw;
pub use andante_dynamics as dynamics;
pub use andante_formats as formats;
pub use andante_gait as gait;
pub use andante_ik as ik;
pub use andante_motion as motion;
pub use andante_plan as plan;
pub use andante_play as play;
pub use andante_skeleton as skeleton;
pub use andante_stage as stage;
pub use andante_take as take;
pub use andante_world as world;

/// The names most programs need: `use andante::prelude::*`.
pub mod prelude {
    pub use andante_formats::{Asset, ReadOptions, read_file, write_file};
    pub use andante_motion::{analysis, edit, retarget, rig, synth};
    pub use andante_play::measure;
    pub use andante_play::{Contacts, GroundClip, Grounding, GroundingOptions};
    pub use andante_skeleton::{
        BlendLayer, Character, Clip, CompactClip, CrossFade, Inertializer, Joint, MirrorTable,
        Planar, Pose, RootMotion, Skeleton, Transform, Wrap, blend, humanoid,
    };
    pub use andante_stage::Scene;
    pub use andante_world::{Ground, Terrain};
}
