//! Events in words.

use super::{Event, EventKind, Take};

impl Event {
    /// What happened in a short sentence without its subject.
    pub fn describe(&self, take: &Take) -> String {
        let other = |track: &usize| {
            take.tracks.get(*track).map_or_else(|| "nobody".into(), |track| track.name.clone())
        };
        match &self.kind {
            EventKind::Began(what) => format!("begins to {what}"),
            EventKind::Done(what) => format!("is done: {what}"),
            EventKind::Interrupted(what) => format!("gives up: {what}"),
            EventKind::Failed(what) => format!("fails to {what}"),
            EventKind::Arrived => "arrives".into(),
            EventKind::Blocked => "is blocked".into(),
            EventKind::Near(track) => format!("comes near {}", other(track)),
            EventKind::Ducked => "ducks".into(),
            EventKind::Rose => "stands up again".into(),
            EventKind::TooLow(missing) => format!("cannot duck low enough by {missing:.2} m"),
            EventKind::Placed(obstacle) => format!("{} appears or moves", obstacle.name),
            EventKind::Removed(name) => format!("{name} goes away"),
            EventKind::Pushed(impulse) => format!("is pushed by {impulse:.0} N·s"),
            EventKind::Thrown(name) => format!("has {name} thrown at it"),
            EventKind::Struck(name) => format!("is hit by {name}"),
            EventKind::Recovered(steps) => format!("is safe again after {steps} steps"),
            EventKind::Fell => "falls".into(),
            EventKind::GotUp => "is up again".into(),
            EventKind::FellOut => "falls out of the world".into(),
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
        }
    }
}
