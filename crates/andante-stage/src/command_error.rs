//! Why a stage does not do what it is told, and what it takes.

use crate::scene::{FAR, LONGEST};
use crate::{
    ActorId, CharacterSpec, Cue, GazeTarget, MovingPlatform, Occurrence, PushOrder, Scene,
    StageError, SteeringSettings, ThrowOrder, Waypoint,
};
use andante_body::PropForm;
use andante_plan::steps::PlacedFootprints;
use andante_world::{GroundPatch, Obstacle, ObstacleShape};
use glam::{Vec2, Vec3};
use std::ops::RangeInclusive;
use thiserror::Error;

/// The error of a command that a stage does not carry out. What was asked for changes nothing then.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum CommandError {
    /// Somebody is meant who is not on the stage: taken away, or never there.
    #[error("{0} is not on the stage")]
    Gone(ActorId),
    /// A number is not one that it may be.
    #[error("{argument} is {}; it is {least} to {most}{unit}", *value as f32)]
    Number {
        /// What it is called.
        argument: &'static str,
        /// What it was.
        value: f64,
        /// The least it may be.
        least: f64,
        /// The most it may be.
        most: f64,
        /// What it is measured in.
        unit: &'static str,
    },
    /// There are too few or too many of something.
    #[error("{count} {argument}; there are {least} to {most}")]
    Count {
        /// What they are called.
        argument: &'static str,
        /// How many there were.
        count: usize,
        /// The fewest.
        least: usize,
        /// The most.
        most: usize,
    },
    /// Somebody is to follow itself.
    #[error("nobody can follow themselves")]
    Own,
    /// There is nothing to stand on.
    #[error("there is no ground at [{}, {}]", .0.x, .0.y)]
    NoGround(Vec2),
    /// There is ground, but not at the height that was said.
    #[error("there is no ground at a height of {height} m at [{}, {}]; there it is at {nearest:.2} m", .place.x, .place.y)]
    NoGroundAt {
        /// Where, as `(x, z)`.
        place: Vec2,
        /// The height that was said, in metres.
        height: f32,
        /// Height of the ground that is nearest above or below.
        nearest: f32,
    },
    /// Nothing has that name.
    #[error("there is no {what} named `{name}`")]
    Unknown {
        /// What was looked for.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// It cannot be done, and why.
    #[error("{0}")]
    Impossible(String),
}

/// How fast characters can be told to go, in m/s.
const SPEEDS: RangeInclusive<f64> = 0.05..=20.0;

/// Corners of a line or a patch of ground, at most.
const MOST_PLACES: usize = 10_000;

/// Headings, in radians.
const TURNS: RangeInclusive<f64> = -1e4..=1e4;

/// Metres up and down, or far from the middle of the world.
pub(crate) fn everywhere() -> RangeInclusive<f64> {
    -f64::from(FAR)..=f64::from(FAR)
}

/// How long or large things are, in metres.
fn sizes() -> RangeInclusive<f64> {
    1e-3..=f64::from(FAR)
}

pub(crate) fn number(
    argument: &'static str,
    value: impl Into<f64>,
    range: RangeInclusive<f64>,
    unit: &'static str,
) -> Result<(), CommandError> {
    let (value, least, most) = (value.into(), *range.start(), *range.end());
    // Numbers of scenes have fewer digits than bounds: the least and the most as they are read are within.
    let is_bound = [least, most].iter().any(|bound| value == f64::from(*bound as f32));
    if range.contains(&value) || is_bound {
        return Ok(());
    }
    Err(CommandError::Number { argument, value, least, most, unit })
}

fn count(
    argument: &'static str,
    count: usize,
    range: RangeInclusive<usize>,
) -> Result<(), CommandError> {
    let (least, most) = (*range.start(), *range.end());
    if range.contains(&count) {
        return Ok(());
    }
    Err(CommandError::Count { argument, count, least, most })
}

pub(crate) fn place(argument: &'static str, place: Vec2) -> Result<(), CommandError> {
    place.to_array().into_iter().try_for_each(|value| number(argument, value, everywhere(), " m"))
}

pub(crate) fn point(argument: &'static str, point: Vec3) -> Result<(), CommandError> {
    point.to_array().into_iter().try_for_each(|value| number(argument, value, everywhere(), " m"))
}

fn heading(argument: &'static str, heading: f32) -> Result<(), CommandError> {
    number(argument, heading, TURNS, " rad")
}

pub(crate) fn seconds(argument: &'static str, value: f32) -> Result<(), CommandError> {
    number(argument, value, 0.0..=f64::from(LONGEST), " s")
}

pub(crate) fn speed(value: f32) -> Result<(), CommandError> {
    number("speed", value, SPEEDS, " m/s")
}

/// Nobody who stands sets off at less.
pub(crate) fn walks(value: f32, steering: &SteeringSettings) -> Result<(), CommandError> {
    // A little more, in round numbers.
    let slowest = (1e3 * f64::from(steering.set_off_above)).round() / 1e3 + 1e-3;
    number("speed", value, slowest..=*SPEEDS.end(), " m/s")
}

pub(crate) fn distance(value: f32) -> Result<(), CommandError> {
    number("distance", value, 0.0..=f64::from(FAR), " m")
}

pub(crate) fn waypoint(post: &Waypoint) -> Result<(), CommandError> {
    place("place", post.place)?;
    post.height.map_or(Ok(()), |height| number("height", height, everywhere(), " m"))?;
    post.heading.map_or(Ok(()), |own| heading("heading", own))
}

pub(crate) fn character(part: &CharacterSpec) -> Result<(), CommandError> {
    waypoint(&part.start)?;
    waypoint(&part.goal)?;
    part.height.map_or(Ok(()), |tall| number("height", tall, 0.5..=3.0, " m"))
}

/// Whatever an engine has put together: files are checked where they are read.
pub(crate) fn scene(scene: &Scene) -> Result<(), StageError> {
    scene.settings.check()?;
    scene.ground.iter().try_for_each(patch)?;
    scene.obstacles.iter().try_for_each(obstacle)?;
    scene.moving.iter().try_for_each(platform)?;
    scene.characters.iter().try_for_each(character)?;
    let present = |who: ActorId| who.generation() == 0 && who.number() < scene.characters.len();
    for order in &scene.orders {
        order.command.check()?;
        let mut about = vec![Some(order.who.into()), order.command.about()];
        match &order.cue {
            Cue::Next => {}
            Cue::At(time) => seconds("at", *time)?,
            Cue::After(others) => {
                let last = scene.orders.len() as f64 - 1.0;
                let order = |other: usize| number("after", other as f64, 0.0..=last, "");
                others.iter().try_for_each(|&other| order(other))?;
            }
            Cue::When(Occurrence::Arrived(who) | Occurrence::Blocked(who)) => {
                about.push(Some((*who).into()));
            }
            Cue::When(Occurrence::Near { who, whom, within }) => {
                distance(*within)?;
                about.extend([Some((*who).into()), Some((*whom).into())]);
            }
        }
        if let Some(nobody) = about.into_iter().flatten().find(|&who| !present(who)) {
            return Err(CommandError::Gone(nobody).into());
        }
    }
    Ok(())
}

pub(crate) fn posts(posts: &[Waypoint]) -> Result<(), CommandError> {
    count("places", posts.len(), 1..=MOST_PLACES)?;
    posts.iter().try_for_each(waypoint)
}

pub(crate) fn gaze(target: &GazeTarget) -> Result<(), CommandError> {
    match target {
        GazeTarget::Heading(own) => heading("heading", *own),
        GazeTarget::Point(at) => point("point", *at),
        GazeTarget::Character(_) => Ok(()),
    }
}

pub(crate) fn footprints(prints: &[PlacedFootprints]) -> Result<(), CommandError> {
    count("footprints", prints.len(), 2..=MOST_PLACES)?;
    prints.iter().try_for_each(|print| {
        number("foot", u32::try_from(print.foot).unwrap_or(u32::MAX), 0.0..=1.0, "")?;
        place("footprint", print.place.position)?;
        heading("heading", print.place.heading)
    })
}

pub(crate) fn push(order: &PushOrder) -> Result<(), CommandError> {
    order.problem().map_or(Ok(()), |problem| Err(CommandError::Impossible(problem)))
}

pub(crate) fn throw(order: &ThrowOrder) -> Result<(), CommandError> {
    let (argument, size) = match order.form {
        PropForm::Ball { radius } => ("radius", radius),
        PropForm::Cube { side } => ("side", side),
    };
    number(argument, size, 5e-3..=20.0, " m")?;
    number("mass", order.mass, 1e-3..=1e4, " kg")?;
    number("speed", order.speed, 0.1..=100.0, " m/s")?;
    point("from", order.from)
}

pub(crate) fn obstacle(thing: &Obstacle) -> Result<(), CommandError> {
    point("at", thing.at)?;
    heading("heading", thing.heading)?;
    match &thing.shape {
        ObstacleShape::Box(size) => {
            size.to_array().into_iter().try_for_each(|side| number("size", side, sizes(), " m"))
        }
        ObstacleShape::Cylinder { radius, height } => {
            number("radius", *radius, sizes(), " m")?;
            number("height", *height, sizes(), " m")
        }
        // Triangles are checked where they become a shape.
        ObstacleShape::Mesh(_) => number("reach", thing.shape.reach(), sizes(), " m"),
    }
}

pub(crate) fn patch(patch: &GroundPatch) -> Result<(), CommandError> {
    let own = &patch.platform;
    count("corners", own.outline.len(), 3..=MOST_PLACES)?;
    own.outline.iter().try_for_each(|&corner| place("corner", corner))?;
    number("height", own.height, everywhere(), " m")?;
    own.slope.to_array().into_iter().try_for_each(|rise| number("slope", rise, -1e3..=1e3, ""))
}

pub(crate) fn platform(own: &MovingPlatform) -> Result<(), CommandError> {
    own.size.to_array().into_iter().try_for_each(|side| number("size", side, sizes(), " m"))?;
    count("stops", own.stops.len(), 1..=1000)?;
    own.stops.iter().try_for_each(|&(at, turned)| {
        point("stop", at)?;
        heading("heading", turned)
    })?;
    number("speed", own.speed, 0.01..=10.0, " m/s")?;
    number("acceleration", own.acceleration, 0.01..=20.0, " m/s²")?;
    seconds("wait", own.wait)
}
