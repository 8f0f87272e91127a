//! What somebody keeps an eye on: others, and what hangs low.

use super::super::actor::Actor;
use super::super::avoid::Other;
use super::super::disc::ahead;
use super::super::sensors::overhead;
use super::DecisionContext;
use crate::{EventKind, GazeTarget};
use glam::Vec3;

/// Keeps an eye on others and on what hangs low.
pub(super) fn notice(actor: &mut Actor, who: usize, ctx: &mut DecisionContext) {
    let place = actor.body.disc.place.position;
    let sight = actor.settings().behavior.sight;
    actor.others.clear();
    for (index, seen) in ctx.seen.iter().enumerate() {
        if index != who && seen.present && seen.place.distance_squared(place) < sight * sight {
            let share = if seen.looks_out { 0.5 } else { 0.0 };
            let (place, velocity) = (seen.place, seen.velocity);
            actor.others.push(Other { place, velocity, radius: seen.radius, share });
        }
    }
    actor.body.gaze = match actor.look {
        Some(GazeTarget::Point(point)) => Some(point),
        Some(GazeTarget::Character(whom)) => {
            let seen = ctx.seen.get(whom.number()).filter(|seen| seen.present);
            seen.filter(|_| whom.number() != who).map(|seen| seen.head)
        }
        Some(GazeTarget::Heading(heading)) => {
            let to = 10.0 * ahead(heading);
            Some(Vec3::new(place.x + to.x, 1.5, place.y + to.y))
        }
        None => None,
    };
    duck(actor, who, ctx);
}

fn duck(actor: &mut Actor, who: usize, ctx: &mut DecisionContext) {
    if ctx.world.obstacles.is_empty() {
        return;
    }
    let stoop = &actor.body.kind.stoop;
    let room = actor.body.planned_room().unwrap_or_else(|| {
        let disc = &actor.body.disc;
        let place = disc.place.position;
        let floor = ctx.world.height(place, actor.body.floor() + 0.5).unwrap_or(0.0);
        let ahead = place + disc.ahead() * (disc.speed * stoop.settings().duck_seconds + 0.1);
        let above = floor + 0.5 * stoop.tall();
        overhead(&ctx.world.obstacles, place, ahead, actor.body.kind.radius, above) - floor
    });
    let share = stoop.share(room);
    let missing = stoop.lowest() - room;
    actor.body.bend = if actor.ducks { share } else { 0.0 };
    let is_low = share > 0.0 || actor.body.is_below_something();
    let missing = if actor.ducks { missing } else { stoop.tall() - room };
    if is_low && missing > 0.0 && !actor.too_low {
        ctx.tell(who, EventKind::TooLow(missing));
    }
    actor.too_low = is_low && missing > 0.0;
    if is_low && actor.ducks && !actor.ducking {
        ctx.tell(who, EventKind::Ducked);
    } else if !is_low && actor.ducking {
        ctx.tell(who, EventKind::Rose);
    }
    actor.ducking = is_low && actor.ducks;
}
