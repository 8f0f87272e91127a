#![doc = include_str!("../README.md")]

pub use andante_body::PropForm;
pub use andante_plan::Clock;
pub use andante_plan::route::RouteMethod;
pub use andante_take::{
    BodyDrive, Collisions, Event, EventKind, Take, TakeFile, TakeSource, Track, collisions,
};
pub use andante_world::{GroundPatch, SceneGround};

mod built_in;
mod character_file;
mod character_plan;
mod command;
mod command_error;
mod head_room;
mod live;
mod moving_platform;
mod physical;
mod play;
mod room;
mod scene;
mod settings;
mod stage_timings;

pub use built_in::{BuiltIn, built_in_scenes};
pub use character_file::{CharacterFile, CharacterFileError, on_its_feet};
pub use character_plan::{
    CharacterPlan, CharacterPlanner, Draft, PlanFailure, PlanTimings, plan_character,
};
pub use command::{Command, Cue, GazeTarget, Occurrence, Order};
pub use command_error::CommandError;
pub use live::{
    Actor, ActorId, Disc, FPS, Footfall, Gains, Perception, RAYS, Recorder, Stage, StageError,
    StageSnapshot,
};
pub use moving_platform::MovingPlatform;
pub use physical::{PhysicalBodyError, ProbedSurface, PushOrder, ThrowOrder};
pub use play::{PlayOptions, play, play_to_file};
pub use scene::{
    CharacterSpec, FootstepMethod, Scene, Waypoint, read_scene, read_scene_file,
    read_scene_file_within, read_scene_in,
};
pub use settings::{
    AvoidanceSettings, BehaviorSettings, ComplianceSettings, DetailSettings, DoorwaySettings,
    MovingPlatformSettings, PhysicalSettings, PlannerSettings, PursuitSettings,
    ScenePhysicsSettings, SeparationSettings, StageSettings, SteeringSettings, ThingSettings,
    TorqueWalkSettings,
};
pub use stage_timings::StageTimings;
