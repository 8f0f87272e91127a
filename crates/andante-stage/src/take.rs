//! What happened on a stage, frame by frame.

mod export;
mod file;
mod make;
mod measure;
mod orders_file;
mod prop;
mod riding;
mod scene_file;
#[cfg(test)]
mod tests;
mod words;
mod world;

pub use file::TakeFileError;
pub(crate) use measure::BY_FORCES;
pub use measure::TrackMetrics;
pub use riding::PlatformTrack;
pub use world::Presence;

use crate::{PropForm, Scene};
use andante_plan::steps::PlannedFootprint;
use andante_play::Contacts;
use andante_skeleton::{Character, Clip, Planar, Transform};
use andante_world::Obstacle;

/// A recorded performance of a whole scene.
#[derive(Clone, Debug)]
pub struct Take {
    /// The scene as it was at the beginning.
    pub scene: Scene,
    /// The seed it was played with.
    pub seed: u64,
    /// Everyone in it, in the order of the scene.
    pub tracks: Vec<CharacterTrack>,
    /// What happened, in order of time.
    pub events: Vec<Event>,
    /// What was thrown or lay about.
    pub props: Vec<PropTrack>,
}

/// How a thing moved.
#[derive(Clone, Debug, PartialEq)]
pub struct PropTrack {
    /// What it is called.
    pub name: String,
    /// What it looks like.
    pub form: PropForm,
    /// The frame from which on it is there.
    pub from: usize,
    /// Where it is in each frame since then.
    pub places: Vec<Transform>,
}

/// One character's part of a take. All curves have one value for each frame of the clip.
#[derive(Clone, Debug)]
pub struct CharacterTrack {
    /// What the character is called in the scene.
    pub name: String,
    /// Its skeleton and the roles of its joints.
    pub character: Character,
    /// Its poses, 60 a second, placed in the world.
    pub clip: Clip,
    /// When heels and balls are down.
    pub contacts: Contacts,
    /// Where, in the order in which feet leave the ground.
    pub footprints: Vec<PlannedFootprint>,
    /// Where the body is and where it faces.
    pub body: Vec<Planar>,
    /// Curvature of its way in 1/m, positive to the left.
    pub curvature: Vec<f32>,
    /// Walking is 0, running 1.
    pub running: Vec<f32>,
    /// Speed along the way in m/s.
    pub speed: Vec<f32>,
    /// The last place it was sent to.
    pub goal: Option<Planar>,
}

/// Something that happened at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Seconds from the beginning.
    pub time: f32,
    /// The track it is about; none if it is about the world.
    pub track: Option<usize>,
    /// What it was.
    pub kind: EventKind,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// A command was begun, in the words of the scene file.
    Began(String),
    /// A command was carried out.
    Done(String),
    /// A command was given up for another.
    Interrupted(String),
    /// A command could not be carried out, and why.
    Failed(String),
    /// The character came to where it was sent.
    Arrived,
    /// Something is in its way.
    Blocked,
    /// It came near another track.
    Near(usize),
    /// It went down under something low.
    Ducked,
    /// It stood up again.
    Rose,
    /// It could not duck low enough, by so many metres.
    TooLow(f32),
    /// An obstacle appeared, or moved, or changed.
    Placed(Obstacle),
    /// The obstacle of this name went away.
    Removed(String),
    /// It was pushed by so many N·s.
    Pushed(f32),
    /// Something of this name was thrown at it.
    Thrown(String),
    /// Something of this name hit it.
    Struck(String),
    /// It stands or walks again as if nothing had been, after so many steps.
    Recovered(usize),
    /// It fell.
    Fell,
    /// It got up after a fall.
    GotUp,
    /// It fell below all ground and is not simulated any more: from then on it stays as it is.
    FellOut,
}
