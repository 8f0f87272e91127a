//! Scenes: a world, characters in it, and what they are to do.
//!
//! A scene is a TOML file that a person can write, or one of those that are built in:
//!
//! ```
//! let scene = andante_stage::Scene::built_in("jumps")?;
//! assert_eq!(scene.characters.len(), 1);
//! # Ok::<(), andante_formats::ReadError>(())
//! ```

pub use andante_body::PropForm;

mod built_in;
mod collisions;
mod command;
mod live;
mod moving_platform;
mod part_plan;
mod physical;
mod play;
mod room;
mod scene;
mod scene_ground;
mod take;

pub use built_in::{BuiltIn, built_in_scenes};
pub use collisions::{Collisions, collisions};
pub use command::{Command, Cue, GazeTarget, Occurrence, Order};
pub use live::{Actor, Disc, FPS, Gains, Perception, RAYS, Recorder, Stage, StageError};
pub use moving_platform::MovingPlatform;
pub use part_plan::{Draft, PartPlan, PartPlanner, PlanFailure, PlanTimings, plan_part};
pub use physical::{BodyDrive, PhysicalBodyError, ProbedSurface, PushOrder, ThrowOrder};
pub use play::{PlayOptions, play};
pub use scene::{CharacterSpec, GroundPatch, Scene, Waypoint, read_scene, read_scene_file};
pub use scene_ground::SceneGround;
pub use take::{
    CharacterTrack, Event, EventKind, PlatformTrack, Presence, PropTrack, Take, TakeFileError,
    TrackMetrics,
};
