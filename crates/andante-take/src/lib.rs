#![doc = include_str!("../README.md")]

mod codec;
mod coded;
mod collisions;
mod condition;
mod event;
mod export;
mod file;
mod frames;
mod measure;
mod of_clip;
mod presence;
mod record;
mod take;
mod thing;

pub use collisions::{BodyEnvelope, Collisions, ObstacleTouches, collisions};
pub use condition::{BodyDrive, TakeCondition};
pub use event::{Event, EventKind};
pub use export::{ExportError, ExportSettings, bvh, write_csv, write_glb};
pub use file::{TakeFile, TakeFileError};
pub use frames::BodyFrame;
pub(crate) use measure::foot_heights_of;
pub use measure::{TrackMetrics, foot_heights, measure};
pub use of_clip::ground_around;
pub use presence::{Presence, presences};
pub use record::TakeRecorder;
pub use take::{
    ScalarCurve, Take, TakeHead, TakeSource, Track, TrackGoal, TrackView, VectorCurve, slug,
};
pub use thing::{RigidTrack, ball_mesh, cube_mesh};
