//! What scripts are about: who is there by name, and where one can stand.

use super::cues::{self, Numbers};
use super::read::{Problem, near, refused, waypoint};
use super::schema::{GivenPlace, SceneFile, WaypointTable};
use super::{GroundPatch, STEP, Scene, Waypoint};
use crate::live::covers;
use crate::{BodyDrive, Command, CommandError, Cue, GazeTarget, MovingPlatform, Order};
use andante_world::{Ground, Obstacle};
use glam::{Vec2, Vec3, Vec3Swizzles};
use serde::Deserialize;
use std::collections::HashMap;
use std::ops::Range;
use toml::Spanned;

/// An obstacle that begins above this is ducked under or passed, in metres over the ground; one that ends less than a step
/// above it is stepped on.
const DUCKED: f32 = 1.0;

/// Stands for all characters.
const EVERYONE: &str = "everyone";

/// One name or several.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a name or a list of names")]
pub(super) enum Names {
    One(String),
    Several(Vec<String>),
}

impl Names {
    pub fn all(&self) -> &[String] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Several(names) => names,
        }
    }
}

/// A heading in degrees, a place, a point, or somebody's name.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected a heading in degrees, a place `[x, z]`, a point `[x, y, z]` or a name"
)]
pub(super) enum TargetValue {
    Heading(f32),
    Place([f32; 2]),
    Point([f32; 3]),
    Name(String),
}

/// Puts the orders of a file into its scene, and the last place everybody is sent to into their parts.
pub(super) fn read(file: &SceneFile, scene: &mut Scene) -> Result<(), Problem> {
    let script = Script::new(file, scene)?;
    let mut orders: Vec<Order> = Vec::new();
    let mut starts = Vec::with_capacity(file.character.len());
    for (who, entry) in file.character.iter().enumerate() {
        let start = scene.characters[who].start;
        let span = entry.get_ref().start.span();
        let start = script.on_ground(start, &span)?;
        script.ground_of(&start, &span)?;
        starts.push(start);
        if let Some(goal) = &entry.get_ref().goal {
            let span = goal.span();
            let goal = script.standing(waypoint(goal.get_ref(), &span)?, &span)?;
            let command = if scene.characters[who].run { Command::RunTo } else { Command::WalkTo };
            orders.push(Order { name: None, who, cue: Cue::Next, command: command(goal) });
        }
    }
    let numbers = script.orders(file, orders.len())?;
    for entry in &file.command {
        let (span, given) = (entry.span(), entry.get_ref());
        let command = script.command(given, &span)?;
        let cue = script.cue(given, &span, &numbers)?;
        for who in script.names(&given.who)? {
            if matches!(command, Command::Follow { whom, .. } if whom == who.into()) {
                return refused(&span, "nobody can follow themselves");
            }
            let part = &scene.characters[who];
            if command.is_suffered() && part.nature == BodyDrive::Kinematic {
                let message = format!(
                    "`{}` is kinematic and feels nothing; `body = \"physical_when_touched\"` changes that",
                    part.name
                );
                return refused(&span, message);
            }
            let name = given.name.as_ref().map(|name| name.get_ref().clone());
            orders.push(Order { name, who, cue: cue.clone(), command: command.clone() });
        }
    }
    cues::refuse_circles(file, &orders)?;
    for (part, start) in scene.characters.iter_mut().zip(starts) {
        if part.goal == part.start {
            part.goal = start;
        }
        part.start = start;
    }
    for order in &orders {
        if let Some(goal) = order.command.leads_to() {
            scene.characters[order.who].goal = goal;
        }
    }
    scene.orders = orders;
    Ok(())
}

/// What a script is about: a scene, and everybody's number by name.
pub(super) struct Script<'a> {
    pub scene: &'a Scene,
    /// The ground, and platforms that move where they begin.
    ground: Vec<GroundPatch>,
    numbers: HashMap<&'a str, usize>,
}

impl<'a> Script<'a> {
    fn new(file: &SceneFile, scene: &'a Scene) -> Result<Self, Problem> {
        let mut numbers = HashMap::new();
        for (number, (part, entry)) in scene.characters.iter().zip(&file.character).enumerate() {
            let name = part.name.as_str();
            if numbers.insert(name, number).is_some() {
                let message = "nobody could tell them apart";
                return refused(
                    &entry.span(),
                    format!("two characters are called `{name}`: {message}"),
                );
            }
        }
        let decks = scene.moving.iter().map(MovingPlatform::deck);
        let ground = scene.ground.iter().cloned().chain(decks).collect();
        Ok(Self { scene, ground, numbers })
    }

    pub(super) fn number(&self, name: &str, span: &Range<usize>) -> Result<usize, Problem> {
        self.numbers.get(name).copied().map_or_else(
            || {
                let mut names: Vec<&str> = self.numbers.keys().copied().collect();
                names.sort_unstable();
                let there = if names.is_empty() { "nobody".into() } else { names.join(", ") };
                refused(span, format!("there is no character `{name}`; there is {there}"))
            },
            Ok,
        )
    }

    pub(super) fn names(&self, names: &Spanned<Names>) -> Result<Vec<usize>, Problem> {
        match names.get_ref() {
            Names::One(name) if name == EVERYONE && !self.numbers.contains_key(EVERYONE) => {
                let mut all: Vec<usize> = self.numbers.values().copied().collect();
                all.sort_unstable();
                Ok(all)
            }
            given => given.all().iter().map(|name| self.number(name, &names.span())).collect(),
        }
    }

    /// The orders of a file by name; so many come before.
    pub(super) fn orders(&self, file: &SceneFile, mut next: usize) -> Result<Numbers, Problem> {
        let mut numbers = Numbers::new();
        for entry in &file.command {
            let given = entry.get_ref();
            let count = self.names(&given.who)?.len();
            if let Some(name) = &given.name {
                let own = (next..next + count).collect();
                if numbers.insert(name.get_ref().clone(), own).is_some() {
                    let message = format!("two commands are named `{}`", name.get_ref());
                    return refused(&name.span(), message);
                }
            }
            next += count;
        }
        Ok(numbers)
    }

    /// A place as it was given.
    pub(super) fn post(
        &self,
        what: &str,
        given: &GivenPlace,
        span: &Range<usize>,
    ) -> Result<Waypoint, Problem> {
        let place = Vec2::from(near(what, given.place, span)?);
        near(what, [given.height.unwrap_or(0.0)], span)?;
        Ok(Waypoint { place, height: given.height, heading: None })
    }

    pub(super) fn target(
        &self,
        target: &TargetValue,
        span: &Range<usize>,
    ) -> Result<GazeTarget, Problem> {
        Ok(match target {
            TargetValue::Heading(degrees) => {
                let [degrees] = near("heading", [*degrees], span)?;
                GazeTarget::Heading(degrees.to_radians())
            }
            TargetValue::Place(place) => {
                let [x, z] = near("place", *place, span)?;
                GazeTarget::Point(Vec3::new(x, 1.5, z))
            }
            TargetValue::Point(point) => GazeTarget::Point(near("point", *point, span)?.into()),
            TargetValue::Name(name) => GazeTarget::Character(self.number(name, span)?.into()),
        })
    }

    pub(super) fn place(
        &self,
        place: &WaypointTable,
        span: &Range<usize>,
    ) -> Result<Waypoint, Problem> {
        self.standing(waypoint(place, span)?, span)
    }

    /// Refuses goals where nobody can stand, whatever their size.
    pub(super) fn standing(
        &self,
        goal: Waypoint,
        span: &Range<usize>,
    ) -> Result<Waypoint, Problem> {
        let goal = self.on_ground(goal, span)?;
        let (scene, at) = (self.scene, goal.place);
        let ground = self.ground_of(&goal, span)?;
        let inside = |obstacle: &&Obstacle| {
            let stands = obstacle.bottom() - ground < DUCKED && obstacle.top() - ground > STEP;
            stands && covers(&obstacle.footprint(), at, at, 0.0)
        };
        match scene.obstacles.iter().find(inside) {
            Some(obstacle) => {
                refused(span, format!("[{}, {}] is inside `{}`", at.x, at.y, obstacle.name))
            }
            None => Ok(goal),
        }
    }

    /// The height of a place that is on the ground; there is no standing elsewhere.
    fn ground_of(&self, post: &Waypoint, span: &Range<usize>) -> Result<f32, Problem> {
        let below = || self.below(post.place.extend(1e6).xzy(), f32::INFINITY);
        let none = || (span.clone(), CommandError::NoGround(post.place).to_string());
        post.height.or_else(below).ok_or_else(none)
    }

    /// The post at the height of its ground.
    pub(super) fn on_ground(
        &self,
        post: Waypoint,
        span: &Range<usize>,
    ) -> Result<Waypoint, Problem> {
        let settled = post.on_ground(|from, depth| self.below(from, depth));
        settled.map_err(|error| (span.clone(), error.to_string()))
    }

    /// The ground below a point to some depth; platforms that move are where they begin.
    pub(super) fn below(&self, from: Vec3, depth: f32) -> Option<f32> {
        self.ground.iter().filter_map(|patch| patch.height_below(from, depth)).reduce(f32::max)
    }
}
