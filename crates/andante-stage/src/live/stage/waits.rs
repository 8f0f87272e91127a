//! Those who do not get ahead say why.

use super::Stage;
use crate::live::actor::{Actor, VisibleActor};
use crate::live::behavior::{ActorTask, TravelStep, Travelling};
use crate::physical::{PhysicalCondition, PhysicsEpisode};
use crate::{Event, EventKind};
use andante_skeleton::rotation;
use glam::Vec2;

/// How far somebody has to move or turn to have moved, in metres and radians.
const MOVED: (f32, f32) = (0.15, 0.2);

/// Since when somebody is where it is, and when it last said so.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stillness {
    at: Vec2,
    heading: f32,
    since: f64,
    told: Option<f64>,
    /// Why, if it is time to say so.
    pub(super) says: Option<&'static str>,
}

impl Stillness {
    /// From a time on.
    pub fn since(since: f64) -> Self {
        Self { since, ..Self::default() }
    }
}

/// Takes note of whether somebody gets ahead who has something to do.
pub(super) fn watch(actor: &mut Actor, seen: &[VisibleActor], time: f64) {
    let place = actor.body.hips();
    let turned = rotation::wrap_angle(place.heading - actor.still.heading).abs();
    let why = reason(actor, |whom| seen.get(whom).map(|seen| seen.place));
    let (first, again) = {
        let settings = &actor.settings().behavior;
        (settings.waits, settings.waits_again)
    };
    let still = &mut actor.still;
    still.says = None;
    if why.is_none() || place.position.distance(still.at) > MOVED.0 || turned > MOVED.1 {
        let (at, heading) = (place.position, place.heading);
        *still = Stillness { at, heading, since: time, told: None, says: None };
        return;
    }
    let due = still.told.map_or(still.since + first, |told| told + again);
    if time >= due {
        (still.told, still.says) = (Some(time), why);
    }
}

/// Tells of those who have something to do and have not moved for a while.
pub(super) fn notice(stage: &mut Stage) {
    let Stage { actors, notes, fresh, time, .. } = stage;
    let due = notes.iter().enumerate().filter(|(_, note)| !note.gone && note.says);
    for (who, _) in due {
        if let Some(why) = actors[who].still.says {
            let kind = EventKind::Waits(why.into());
            fresh.push(Event { time: *time as f32, track: Some(who), kind });
        }
    }
}

/// Why somebody does not move, if it should.
fn reason(actor: &Actor, place: impl Fn(usize) -> Option<Vec2>) -> Option<&'static str> {
    if let Some(episode) = actor.body.episode() {
        return felt(actor, episode);
    }
    match &actor.behavior.task {
        ActorTask::Idle | ActorTask::Wait(_) if actor.behavior.pending.is_some() => {
            Some("it is in the air")
        }
        ActorTask::Idle | ActorTask::Wait(_) => None,
        ActorTask::Stop => Some("it comes to a stop"),
        ActorTask::Face { begun: true, .. } => Some("it turns"),
        ActorTask::Face { .. } | ActorTask::Begin(..) => Some("it has no plan yet"),
        ActorTask::Steer(demand) => (demand.x.abs() > 0.1).then_some("something is in its way"),
        ActorTask::Follow { whom, distance, .. } => {
            let far = place(*whom)?.distance(actor.body.disc.place.position);
            (far > distance + 1.0).then_some("something is in its way")
        }
        ActorTask::Patrol { going: None, .. } => Some("it has no plan yet"),
        // Who stands or turns because that is its plan does not wait.
        ActorTask::Patrol { going: Some(going), .. } | ActorTask::Go(going)
            if going.step == TravelStep::Performing
                && actor.body.played().is_some_and(|played| !played.is_over()) =>
        {
            None
        }
        ActorTask::Patrol { going: Some(going), .. } | ActorTask::Go(going) => {
            Some(held_up(actor, going))
        }
    }
}

/// Why somebody does not get ahead on its way.
fn held_up(actor: &Actor, going: &Travelling) -> &'static str {
    let beside = |other: &crate::live::avoid::Other| {
        let gap = other.place.distance(actor.body.disc.place.position);
        gap < actor.radius() + other.radius + 0.5
    };
    match going.step {
        _ if going.back.is_some() => "it makes room for others",
        _ if going.asked.is_some() => "it has no plan yet",
        TravelStep::Halting => "it comes to a stand before it sets off",
        TravelStep::Turning => "it turns",
        TravelStep::Settling => "it settles where it was sent",
        _ if going.stuck || actor.behavior.others.iter().any(beside) => "others are in its way",
        _ if !going.then.is_empty() => "it turns round at a corner",
        _ if !going.passages.is_empty() => "it waits for its turn at a passage",
        _ => "it does not get ahead",
    }
}

/// Why somebody does not move whom forces move.
fn felt(actor: &Actor, episode: &PhysicsEpisode) -> Option<&'static str> {
    let busy = !matches!(actor.behavior.task, ActorTask::Idle | ActorTask::Wait(_));
    match episode.condition() {
        _ if episode.is_out() => Some("it has fallen out of the world"),
        PhysicalCondition::Lies => Some("it lies on the ground"),
        PhysicalCondition::Falls => Some("it falls"),
        PhysicalCondition::GetsUp => Some("it gets up"),
        PhysicalCondition::Struggling => Some("it fights for its balance"),
        PhysicalCondition::Stands | PhysicalCondition::Walks => {
            busy.then_some("it finds its balance")
        }
    }
}
