//! What characters can be told to do, and when.

use crate::command_error as check;
use crate::{ActorId, CommandError, PushOrder, ThrowOrder, Waypoint};
use andante_plan::steps::PlacedFootprints;
use glam::{Vec2, Vec3};
use std::fmt;

/// Something a character is to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Walk to a place and, if it has a heading, face that way there.
    WalkTo(Waypoint),
    /// The same at a run, over gaps if the character may jump.
    RunTo(Waypoint),
    /// Run up, jump from one place to another and come to a stop.
    Jump {
        /// Where the feet leave the ground.
        from: Vec2,
        /// Where they come down.
        to: Vec2,
    },
    /// Turn on the spot.
    Face(GazeTarget),
    /// Stand for some seconds.
    Wait(f32),
    /// Come to a stop.
    Stop,
    /// Go after another character until told otherwise.
    Follow {
        /// After whom.
        whom: ActorId,
        /// How far to stay behind, from middle to middle, in metres.
        distance: f32,
    },
    /// From place to place, round and round, until told otherwise.
    Patrol(Vec<Waypoint>),
    /// Keep an eye on something while doing whatever else; on nothing if it is none.
    LookAt(Option<GazeTarget>),
    /// Go at this speed from now on, in m/s; at the usual one if it is none.
    Speed(Option<f32>),
    /// Walk along a line drawn by hand.
    Path(Vec<Waypoint>),
    /// Step on footprints that were placed by hand, exactly, however odd they are.
    Footprints(Vec<PlacedFootprints>),
    /// It is pushed, whatever it does, and goes on with that once it is safe.
    Push(PushOrder),
    /// Something is thrown at it.
    Throw(ThrowOrder),
    /// It lets itself fall and lies there.
    Fall,
    /// It gets up.
    GetUp,
}

/// The target to face or look at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GazeTarget {
    /// That way, from +Z towards +X, in radians.
    Heading(f32),
    /// At a point.
    Point(Vec3),
    /// At another character.
    Character(ActorId),
}

/// The cue of a command: when it is given.
#[derive(Clone, Debug, PartialEq)]
pub enum Cue {
    /// When the command before it for the same character has ended; at once if there is none.
    Next,
    /// So many seconds from the beginning.
    At(f32),
    /// When these orders have ended.
    After(Vec<usize>),
    /// The first time this happens after the character's commands before it have begun.
    When(Occurrence),
}

/// The occurrence that a command can wait for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Occurrence {
    /// A character comes to where it was sent.
    Arrived(usize),
    /// Something is in a character's way.
    Blocked(usize),
    /// Two characters are close.
    Near {
        /// One of them.
        who: usize,
        /// The other.
        whom: usize,
        /// How close, from middle to middle, in metres.
        within: f32,
    },
}

/// A command of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// What other orders call it.
    pub name: Option<String>,
    /// Who is to do it.
    pub who: usize,
    /// When.
    pub cue: Cue,
    /// What.
    pub command: Command,
}

impl Command {
    /// The last place it leads to, if it leads anywhere.
    pub(crate) fn leads_to(&self) -> Option<Waypoint> {
        match self {
            Self::WalkTo(post) | Self::RunTo(post) => Some(*post),
            Self::Path(posts) => posts.last().copied(),
            Self::Jump { to, .. } => Some(Waypoint::at(*to)),
            _ => None,
        }
    }

    /// Checks that every number of it is one that it may be; [`Stage::command`](crate::Stage::command) refuses others.
    /// Who it is about is not looked at.
    ///
    /// ```
    /// use andante_stage::Command;
    ///
    /// let error = Command::Speed(Some(-1.0)).check().unwrap_err();
    /// assert_eq!(error.to_string(), "speed is -1; it is 0.05 to 20 m/s");
    /// assert!(Command::Speed(Some(1.2)).check().is_ok());
    /// ```
    pub fn check(&self) -> Result<(), CommandError> {
        match self {
            Self::WalkTo(post) | Self::RunTo(post) => check::waypoint(post),
            Self::Jump { from, to } => {
                check::place("from", *from)?;
                check::place("to", *to)
            }
            Self::Face(target) | Self::LookAt(Some(target)) => check::gaze(target),
            Self::Wait(seconds) => check::seconds("seconds", *seconds),
            Self::Follow { distance, .. } => check::distance(*distance),
            Self::Patrol(posts) | Self::Path(posts) => check::posts(posts),
            Self::Speed(Some(speed)) => check::speed(*speed),
            Self::Footprints(prints) => check::footprints(prints),
            Self::Push(order) => check::push(order),
            Self::Throw(order) => check::throw(order),
            Self::Speed(None) | Self::LookAt(None) | Self::Stop | Self::Fall | Self::GetUp => {
                Ok(())
            }
        }
    }

    /// The same with its places at the height of their ground; refused where that is not.
    pub(crate) fn on_ground(
        mut self,
        below: impl Fn(Vec3, f32) -> Option<f32>,
    ) -> Result<Self, CommandError> {
        let posts = match &mut self {
            Self::WalkTo(post) | Self::RunTo(post) => std::slice::from_mut(post),
            Self::Patrol(posts) | Self::Path(posts) => &mut posts[..],
            _ => &mut [],
        };
        // Where nothing was said of heights the ground may come later.
        for post in posts.iter_mut().filter(|post| post.height.is_some()) {
            *post = post.on_ground(&below)?;
        }
        Ok(self)
    }

    /// Who else it is about, if anybody.
    pub(crate) fn about(&self) -> Option<ActorId> {
        match self {
            Self::Follow { whom, .. } => Some(*whom),
            Self::Face(GazeTarget::Character(whom))
            | Self::LookAt(Some(GazeTarget::Character(whom))) => Some(*whom),
            _ => None,
        }
    }

    /// The command in words, with the name of whom it is about.
    pub(crate) fn words<'a>(&self, name: impl Fn(ActorId) -> Option<&'a str>) -> String {
        let words = self.to_string();
        let about = self.about().and_then(|whom| Some((whom.to_string(), name(whom)?)));
        match about {
            Some((number, name)) => words.replace(&number, name),
            None => words,
        }
    }

    /// True if it is done to a body, which goes on with what it did once that is over.
    pub fn is_suffered(&self) -> bool {
        matches!(self, Self::Push(_) | Self::Throw(_) | Self::Fall | Self::GetUp)
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |place: Vec2| format!("[{}, {}]", place.x, place.y);
        match self {
            Self::WalkTo(post) => write!(f, "walk_to {}", place(post.place)),
            Self::RunTo(post) => write!(f, "run_to {}", place(post.place)),
            Self::Jump { from, to } => write!(f, "jump {} {}", place(*from), place(*to)),
            Self::Face(target) => write!(f, "face {target}"),
            Self::Wait(seconds) => write!(f, "wait {seconds}"),
            Self::Stop => f.write_str("stop"),
            Self::Follow { whom, .. } => write!(f, "follow {}", GazeTarget::Character(*whom)),
            Self::Patrol(posts) => write!(f, "patrol {} places", posts.len()),
            Self::LookAt(None) => f.write_str("look_at nothing"),
            Self::LookAt(Some(target)) => write!(f, "look_at {target}"),
            Self::Speed(None) => f.write_str("speed usual"),
            Self::Speed(Some(speed)) => write!(f, "speed {speed}"),
            Self::Path(places) => write!(f, "path {} places", places.len()),
            Self::Footprints(prints) => write!(f, "footprints {}", prints.len()),
            Self::Push(shove) => write!(f, "push {shove}"),
            Self::Throw(throw) => write!(f, "throw {throw}"),
            Self::Fall => f.write_str("fall"),
            Self::GetUp => f.write_str("get_up"),
        }
    }
}

impl fmt::Display for GazeTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Heading(heading) => write!(f, "{:.0}°", heading.to_degrees()),
            Self::Point(at) => write!(f, "[{}, {}, {}]", at.x, at.y, at.z),
            Self::Character(whom) => write!(f, "{whom}"),
        }
    }
}

impl Order {
    /// What its command is called in the log of what happened.
    pub(crate) fn label(&self, words: String) -> String {
        match &self.name {
            Some(name) => format!("{name}: {words}"),
            None => words,
        }
    }
}
