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
pub use andante_take::{
    Collisions, Event, EventKind, Take, TakeFile, TakeSource, Track, collisions,
};
pub use andante_world::{GroundPatch, SceneGround};

mod built_in;
mod command;
mod live;
mod moving_platform;
mod part_plan;
mod physical;
mod plan_take;
mod play;
mod room;
mod scene;
mod settings;

pub use built_in::{BuiltIn, built_in_scenes};
pub use command::{Command, Cue, GazeTarget, Occurrence, Order};
pub use live::{Actor, Disc, FPS, Gains, Perception, RAYS, Recorder, Stage, StageError};
pub use moving_platform::MovingPlatform;
pub use part_plan::{Draft, PartPlan, PartPlanner, PlanFailure, PlanTimings, plan_part};
pub use physical::{BodyDrive, PhysicalBodyError, ProbedSurface, PushOrder, ThrowOrder};
pub use plan_take::take_of_plans;
pub use play::{PlayOptions, play, play_to_file};
pub use scene::{CharacterSpec, Scene, Waypoint, read_scene, read_scene_file};
pub use settings::{AvoidanceSettings, StageSettings};
