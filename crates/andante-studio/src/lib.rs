#![doc = include_str!("../README.md")]

mod action;
mod app;
mod bench;
mod command_lines;
mod gamepad;
mod history;
mod home;
mod job;
mod look;
mod monkey;
mod motion_plan;
mod opening;
#[cfg(target_arch = "wasm32")]
mod page;
mod palette;
mod paths;
mod project;
mod room;
mod rooms;
mod scene_move;
mod scene_text;
mod view;

pub use action::{ACTIONS, ActionEntry, GroundKind, StudioAction};
pub use app::{StudioApp, StudioStart};
pub use bench::{Notice, Notices};
pub use command_lines::{COMMAND_LINES, CommandLine};
pub use gamepad::{Gamepad, PadSticks};
pub use home::{KeptProject, StudioHome};
pub use monkey::StudioMonkey;
pub use motion_plan::{ContactSpans, MotionBody, MotionEdit, MotionPlan};
#[cfg(target_arch = "wasm32")]
pub use page::start as start_page;
pub use project::{StageLight, StudioProject};
pub use room::StudioRoom;
pub use rooms::creature::{
    CreatureDesk, CreatureRoom, GaitHunt, HuntNews, ModeRole, StepPhaseKind,
};
pub use rooms::motion::{ClipDesk, MotionRoom, MotionTab, OddMoment, RetargetDesk};
pub use rooms::physics::{
    BalanceSample, ClipFollowing, ClipToFollow, GroundTrouble, PhysicsRoom, PushEnvelope, PushTool,
    PushWorld,
};
pub use rooms::stage::{
    ExportWish, LiveEdit, PlannedWay, ShownTake, StageChoice, StageFrame, StageOutlook,
    StageOverlays, StagePlayer, StageRoom, TakeReel,
};
pub use rooms::welcome::WelcomeRoom;
pub use scene_move::{SceneThing, ThingMove};
pub use scene_text::SceneText;
pub use view::{Orbit, ViewSide};
