//! What a character is doing.

use super::floor::FoundRoute;
use super::gates::Narrow;
use super::way::LiveRoute;
use crate::{Command, GazeTarget, Waypoint};
use andante_plan::steps::StepLeg;
use andante_skeleton::Planar;
use glam::Vec2;

/// What a character is doing.
#[derive(Clone, Debug)]
pub(crate) enum ActorTask {
    /// Nothing: it stands, or comes to a stand.
    Idle,
    /// It comes to a stop, and that is what it was told.
    Stop,
    /// It stands until a time.
    Wait(f64),
    /// It goes somewhere.
    Go(Box<Travelling>),
    /// It turns on the spot.
    Face { target: GazeTarget, begun: bool },
    /// It goes after somebody.
    Follow { whom: usize, distance: f32, way: LiveRoute, planned: f64 },
    /// From post to post.
    Patrol { posts: Vec<Waypoint>, next: usize, going: Option<Box<Travelling>> },
    /// A user leads it: speed and turn rate.
    Steer(Vec2),
}

/// On the way somewhere.
#[derive(Clone, Debug)]
pub(crate) struct Travelling {
    pub to: Destination,
    /// Whether it runs.
    pub run: bool,
    pub way: LiveRoute,
    pub legs: Vec<StepLeg>,
    pub passages: Vec<Narrow>,
    /// Where it ends, and how it faces there.
    pub goal: Planar,
    /// Whether nothing but a planned performance can do it: jumps, or ground that is not level.
    pub planned: bool,
    pub step: TravelStep,
    /// When it last came forward, and how far it was.
    pub progress: (f64, f32),
    /// When it may next try to go over to a performance.
    pub again: f64,
    /// How often it has looked for a way around others.
    pub detours: usize,
    /// When it may next look for a way around those who stand in its way.
    pub around: f64,
    /// Whether others are in its way and it does not get ahead.
    pub stuck: bool,
    /// Where it goes back to make room, and until when.
    pub back: Option<(Vec2, f64)>,
    /// When it may next turn or step on the spot.
    pub shuffle: f64,
    /// How often that could not be done.
    pub tries: usize,
    /// What has changed since it was planned.
    pub stale: Option<Stale>,
}

/// What makes a plan an old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stale {
    /// Something stands elsewhere.
    World,
    /// Its speed, or how it moves.
    Pace,
}

impl Travelling {
    /// A trip by a way that was found.
    pub fn new(
        to: Destination,
        run: bool,
        route: FoundRoute,
        passages: Vec<Narrow>,
        goal: Planar,
        planned: bool,
        time: f64,
    ) -> Self {
        Self {
            to,
            run,
            way: route.way,
            legs: route.legs,
            passages,
            goal,
            planned,
            step: TravelStep::Halting,
            progress: (time, 0.0),
            again: time,
            detours: 0,
            around: time,
            stuck: false,
            back: None,
            shuffle: time,
            tries: 0,
            stale: None,
        }
    }

    /// Whether it has to face a certain way in the end.
    pub fn faces(&self) -> bool {
        matches!(&self.to, Destination::Post(post) if post.heading.is_some())
    }
}

/// Where somebody goes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Destination {
    Post(Waypoint),
    Path(Vec<Vec2>),
    Jump { from: Vec2, to: Vec2 },
}

/// How far along a character is with going somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TravelStep {
    /// It comes to a stand, so that it can be planned from there.
    Halting,
    /// It is led by its gait.
    Live,
    /// It turns on the spot before it goes on.
    Turning,
    /// A performance brings it there.
    Performing,
    /// The last performance, which puts it exactly where it has to be.
    Settling,
}

impl ActorTask {
    /// Where it goes, if it goes somewhere.
    pub fn going(&self) -> Option<&Travelling> {
        match self {
            Self::Go(going) | Self::Patrol { going: Some(going), .. } => Some(going),
            _ => None,
        }
    }

    pub fn going_mut(&mut self) -> Option<&mut Travelling> {
        match self {
            Self::Go(going) | Self::Patrol { going: Some(going), .. } => Some(going),
            _ => None,
        }
    }

    /// Whether it looks out for others.
    pub fn looks_out(&self) -> bool {
        match self {
            Self::Follow { .. } => true,
            _ => self.going().is_some_and(|going| going.step == TravelStep::Live),
        }
    }
}

/// Where a command leads to, and whether at a run.
pub(crate) fn destination(command: &Command) -> Option<(Destination, bool)> {
    match command {
        Command::WalkTo(post) => Some((Destination::Post(*post), false)),
        Command::RunTo(post) => Some((Destination::Post(*post), true)),
        Command::Path(places) => Some((Destination::Path(places.clone()), false)),
        Command::Jump { from, to } => Some((Destination::Jump { from: *from, to: *to }, true)),
        _ => None,
    }
}
