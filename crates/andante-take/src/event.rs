//! What happened at which moment, and in words.

use andante_world::Obstacle;

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

/// The kind of an event.
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
    /// It has not got ahead for a second or longer, and why.
    Waits(String),
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
    /// It was touched too lightly to be handed over to forces: hips, trunk and arms give way, and motion leads it on.
    GaveWay,
    /// It has not found its balance in a long time, nor fallen: motion takes it as it is.
    GaveUp,
    /// No way that was found stands up to a check, and why: because it stands where nobody can already, or because of the way.
    /// It goes as well as it can.
    Doubted(String),
}

impl Event {
    /// The event in a short sentence without its subject.
    ///
    /// `names` are those of the tracks.
    pub fn describe(&self, names: &[&str]) -> String {
        let other = |track: &usize| names.get(*track).copied().unwrap_or("nobody");
        match &self.kind {
            EventKind::Began(what) => format!("begins to {what}"),
            EventKind::Done(what) => format!("is done: {what}"),
            EventKind::Interrupted(what) => format!("gives up: {what}"),
            EventKind::Failed(what) => format!("fails to {what}"),
            EventKind::Arrived => "arrives".into(),
            EventKind::Blocked => "is blocked".into(),
            EventKind::Waits(why) => format!("waits: {why}"),
            EventKind::Near(track) => format!("comes near {}", other(track)),
            EventKind::Ducked => "ducks".into(),
            EventKind::Rose => "stands up again".into(),
            EventKind::TooLow(missing) => format!("cannot duck low enough by {missing:.2} m"),
            EventKind::Placed(obstacle) => format!("{} appears or moves", obstacle.name),
            EventKind::Removed(name) => format!("{name} goes away"),
            EventKind::Pushed(impulse) if *impulse < 10.0 => {
                format!("is pushed by {impulse:.1} N·s")
            }
            EventKind::Pushed(impulse) => format!("is pushed by {impulse:.0} N·s"),
            EventKind::Thrown(name) => format!("has {name} thrown at it"),
            EventKind::Struck(name) => format!("is hit by {name}"),
            EventKind::Recovered(steps) => format!("is safe again after {steps} steps"),
            EventKind::Fell => "falls".into(),
            EventKind::GotUp => "is up again".into(),
            EventKind::FellOut => "falls out of the world".into(),
            EventKind::GaveWay => "gives way to it, and is led on by motion".into(),
            EventKind::Doubted(why) => format!("goes as well as it can: {why}"),
            EventKind::GaveUp => "gives up finding its balance, and is led by motion".into(),
        }
    }

    /// One word for what happened, for files.
    pub fn word(&self) -> &'static str {
        match &self.kind {
            EventKind::Began(_) => "began",
            EventKind::Done(_) => "done",
            EventKind::Interrupted(_) => "interrupted",
            EventKind::Failed(_) => "failed",
            EventKind::Arrived => "arrived",
            EventKind::Blocked => "blocked",
            EventKind::Waits(_) => "waits",
            EventKind::Near(_) => "near",
            EventKind::Ducked => "ducked",
            EventKind::Rose => "rose",
            EventKind::TooLow(_) => "too low",
            EventKind::Placed(_) => "placed",
            EventKind::Removed(_) => "removed",
            EventKind::Pushed(_) => "pushed",
            EventKind::Thrown(_) => "thrown",
            EventKind::Struck(_) => "struck",
            EventKind::Recovered(_) => "recovered",
            EventKind::Fell => "fell",
            EventKind::GotUp => "got up",
            EventKind::FellOut => "fell out",
            EventKind::GaveWay => "gave way",
            EventKind::GaveUp => "gave up",
            EventKind::Doubted(_) => "doubted",
        }
    }
}
