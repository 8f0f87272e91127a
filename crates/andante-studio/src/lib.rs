#![doc = include_str!("../README.md")]

mod action;
mod app;
mod bench;
mod history;
mod home;
mod job;
mod look;
mod motion_plan;
mod opening;
#[cfg(target_arch = "wasm32")]
mod page;
mod palette;
mod paths;
mod project;
mod room;
mod rooms;
mod scene_text;
mod view;

pub use action::{ACTIONS, ActionEntry, StudioAction};
pub use app::{StudioApp, StudioStart};
pub use bench::{Notice, Notices};
pub use home::StudioHome;
pub use motion_plan::{MotionEdit, MotionPlan};
#[cfg(target_arch = "wasm32")]
pub use page::start as start_page;
pub use project::StudioProject;
pub use room::StudioRoom;
pub use rooms::creature::{
    CreatureDesk, CreatureRoom, GaitHunt, HuntNews, ModeRole, StepPhaseKind,
};
pub use rooms::motion::{ClipDesk, MotionRoom};
pub use rooms::physics::{BalanceSample, PhysicsRoom, PushTool, PushWorld};
pub use rooms::stage::{
    LiveEdit, PlannedWay, StageChoice, StageFrame, StageOutlook, StageOverlays, StagePlayer,
    StageRoom,
};
pub use view::{Orbit, ViewSide};
