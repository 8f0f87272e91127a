//! One file per command.

pub mod bench;
mod bone_map;
pub mod characters;
pub mod check;
pub mod clips;
pub mod convert;
pub mod demo;
pub mod edit;
pub mod gait;
mod gait_report;
mod gait_watch;
pub mod ground;
pub mod inspect;
pub mod modes;
pub mod plan;
pub mod push;
mod push_take;
mod push_walk;
pub mod render;
pub mod repertoire;
pub mod retarget;
pub mod run;
pub mod scenes;
mod select;
pub mod simulate;
pub mod sketches;
pub mod studio;
