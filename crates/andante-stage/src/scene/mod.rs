//! What a scene is.

mod commands;
mod demand;
mod moving;
mod read;
mod schema;

pub(crate) use commands::LONGEST;
pub(crate) use read::FAR;
pub use read::{read_scene, read_scene_file, read_scene_file_within, read_scene_in};

use crate::{BodyDrive, MovingPlatform, Order, StageSettings};
use andante_plan::route::RouteMethod;
use andante_world::{GroundPatch, Obstacle};
use glam::Vec2;
use std::path::PathBuf;

/// A world, and who does what in it.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Its name.
    pub name: String,
    /// One sentence about it.
    pub about: String,
    /// The ground, piece by piece.
    pub ground: Vec<GroundPatch>,
    /// What stands or hangs in the way.
    pub obstacles: Vec<Obstacle>,
    /// Platforms that move.
    pub moving: Vec<MovingPlatform>,
    /// Who takes part.
    pub characters: Vec<CharacterSpec>,
    /// What they are told to do.
    pub orders: Vec<Order>,
    /// Numbers that shape what they do.
    pub settings: StageSettings,
}

impl CharacterSpec {
    /// The built-in character of a name, which begins somewhere and may walk.
    pub fn new(name: impl Into<String>, start: Waypoint) -> Self {
        Self {
            name: name.into(),
            character: "humanoid".into(),
            repertoire: None,
            height: None,
            start,
            goal: start,
            run: false,
            jump: false,
            nature: BodyDrive::default(),
            route: RouteMethod::default(),
            footsteps: FootstepMethod::default(),
        }
    }
}

/// A character's part in a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct CharacterSpec {
    /// What it is called here.
    pub name: String,
    /// The built-in character or file it is.
    pub character: String,
    /// Clips to move with: a repertoire file or a directory; otherwise the built-in ones.
    pub repertoire: Option<PathBuf>,
    /// How tall the built-in character is, in metres; as it is if not given.
    pub height: Option<f32>,
    /// Where it begins.
    pub start: Waypoint,
    /// The last place it is sent to; its start if it is sent nowhere.
    pub goal: Waypoint,
    /// Whether it may run.
    pub run: bool,
    /// Whether it may jump.
    pub jump: bool,
    /// What moves it.
    pub nature: BodyDrive,
    /// How its ways are found.
    pub route: RouteMethod,
    /// How its footsteps are found.
    pub footsteps: FootstepMethod,
}

/// How footsteps are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FootstepMethod {
    /// Along a route, as the clips step.
    #[default]
    Route,
    /// In a roadmap of places for feet, by A*. It knows the ground and no obstacles.
    Roadmap,
}

/// A place and a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    /// As `(x, z)`.
    pub place: Vec2,
    /// Not higher than this, where one level lies above another.
    pub height: Option<f32>,
    /// Where it faces, from +Z towards +X, in radians. Free to choose if it is not given.
    pub heading: Option<f32>,
}

impl Waypoint {
    /// A place that is come to from anywhere, on whatever level.
    pub fn at(place: Vec2) -> Self {
        Self { place, height: None, heading: None }
    }
}
