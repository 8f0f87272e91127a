//! What a scene is.

mod commands;
mod cues;
mod demand;
mod moving;
mod read;
mod schema;
mod script;

pub(crate) use cues::LONGEST;
pub(crate) use read::FAR;
pub use read::{read_scene, read_scene_file, read_scene_file_within, read_scene_in};

use crate::{BodyDrive, CommandError, MovingPlatform, Order, StageSettings};
use andante_plan::route::RouteMethod;
use andante_world::{Ground, GroundPatch, Obstacle, SceneGround};
use glam::{Vec2, Vec3};
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

impl Scene {
    /// The ground with the tops of what is low: those are stepped on, or over.
    pub(crate) fn stepped_on(&self) -> Vec<GroundPatch> {
        let ground = SceneGround::new(&self.ground);
        let tops = self.obstacles.iter().filter_map(|thing| low_top(thing, &ground));
        self.ground.iter().cloned().chain(tops).collect()
    }
}

/// The top of something that stands on the ground and is no higher than a step.
pub(crate) fn low_top(thing: &Obstacle, ground: &SceneGround) -> Option<GroundPatch> {
    let from = Vec3::new(thing.at.x, thing.top(), thing.at.z);
    let floor = ground.height_below(from, 2.0 * STEP)?;
    let is_low = thing.top() - floor <= STEP && thing.bottom() <= floor + 0.02;
    thing.top_platform().filter(|_| is_low).map(GroundPatch::from)
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

/// The method by which footsteps are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FootstepMethod {
    /// Along a route, as the clips step.
    #[default]
    Route,
    /// In a roadmap of places for feet, by A*. It knows the ground and no obstacles.
    Roadmap,
}

/// How far the ground may be from a height that was said, in metres: a step.
pub(crate) const STEP: f32 = 0.35;

/// A place and a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    /// As `(x, z)`.
    pub place: Vec2,
    /// Height of the ground there, to within a step; the highest ground if it is not given.
    pub height: Option<f32>,
    /// Where it faces, from +Z towards +X, in radians. Free to choose if it is not given.
    pub heading: Option<f32>,
}

impl Waypoint {
    /// A place that is come to from anywhere, on its highest ground.
    pub fn at(place: Vec2) -> Self {
        Self { place, height: None, heading: None }
    }

    /// The same with the height of its ground: the highest surface within a step of the height that was said. What is below a
    /// point to some depth is asked for.
    pub(crate) fn on_ground(
        self,
        below: impl Fn(Vec3, f32) -> Option<f32>,
    ) -> Result<Self, CommandError> {
        let probe =
            |from: f32, depth: f32| below(Vec3::new(self.place.x, from, self.place.y), depth);
        let highest = probe(1e6, f32::INFINITY).ok_or(CommandError::NoGround(self.place))?;
        let Some(height) = self.height else { return Ok(self) };
        if let Some(found) = probe(height + STEP, 2.0 * STEP) {
            return Ok(Self { height: Some(found), ..self });
        }
        let away = |level: &f32| (level - height).abs();
        let nearest = probe(height, f32::INFINITY).filter(|lower| away(lower) < away(&highest));
        let nearest = nearest.unwrap_or(highest);
        Err(CommandError::NoGroundAt { place: self.place, height, nearest })
    }
}
