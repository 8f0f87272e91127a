//! Getting along among others: waiting for a turn at a narrow passage, making room, and ways around those who stand.

use super::travel::{Destination, Gone, Travelling};
use super::{Decision, GAINS};
use crate::EventKind;
use crate::character_plan::places_of;
use crate::live::actor::VisibleActor;
use crate::live::avoid::Other;
use crate::live::disc::heading_of;
use crate::live::floor::walls_at;
use crate::live::gates::DoorwayTurn;
use crate::live::way::LiveRoute;
use andante_skeleton::Planar;
use glam::Vec2;
use std::sync::Arc;

/// Whether nobody comes near the way that is left.
pub(crate) fn is_alone(own: &Decision, going: &Travelling) -> bool {
    let place = own.place();
    let (way, settings) = (&going.way, &own.settings().behavior);
    let (ahead, beside, around) =
        (settings.alone_ahead, settings.alone_beside, settings.alone_around);
    let left = way.left().min(ahead);
    let steps = (left / 0.3).ceil() as usize;
    let comes_near = |seen: &VisibleActor| {
        let moving = seen.velocity.length() > 0.1 || seen.looks_out;
        let room = if moving { beside } else { own.radius() + seen.radius + 0.15 };
        moving && seen.place.distance(place) < around
            || (0..=steps)
                .any(|step| way.place(way.at() + 0.3 * step as f32).distance(seen.place) <= room)
    };
    let mut alone = true;
    let mut look = |at: Vec2, reach: f32| {
        own.near.each_within(at, reach, |other| {
            alone = alone && (other == own.who || !comes_near(&own.seen[other]));
        });
    };
    look(place, around);
    // Whoever is that near to a place of the way is as near and a metre more to one of these.
    let reach = beside.max(own.radius() + own.near.largest + 0.15) + 1.2;
    for step in 0..=(left / 2.0).ceil() as usize {
        look(way.place(way.at() + 2.0 * step as f32), reach);
    }
    alone
}

/// Whether a performance would lead into somebody soon.
pub(super) fn would_collide(own: &Decision) -> bool {
    let Some(played) = own.body.played() else { return false };
    own.behavior.others.iter().any(|other| {
        let reach = own.radius() + other.radius + 0.15;
        let soon = if other.share > 0.0 { 7 } else { 10 };
        (1..=soon).any(|step| {
            let seconds = 0.2 * step as f32;
            played.ahead(seconds).distance(other.place + other.velocity * seconds) < reach
        })
    })
}

/// Whether hips that go this way get deeper into somebody who stands there.
pub(super) fn is_crowded(own: &Decision, way: &[Planar]) -> bool {
    let Some(from) = way.first() else { return false };
    let settings = &own.settings().behavior;
    own.behavior.others.iter().filter(|other| other.velocity.length() < 0.1).any(|other| {
        let deep =
            |body: &Planar| own.radius() + other.radius - body.position.distance(other.place);
        // Those who get away from somebody may sway.
        let gets_away = way.last().is_some_and(|last| deep(last) < deep(from) - 0.03);
        let sway = if gets_away { settings.sway } else { 0.0 };
        let most = (settings.touching + sway).max(deep(from) + sway);
        way.iter().step_by(3).any(|body| deep(body) > most)
    })
}

/// Whether somebody stays where it wants to. Who is on the way somewhere itself leaves: two who stand on each other's goals and
/// wait for that would do so for ever, and go round each other instead.
fn stands_on(own: &Decision, other: &Other, going: &Travelling) -> bool {
    !other.goes
        && other.place.distance(going.goal.position)
            < own.radius() + other.radius + own.settings().behavior.taken
}

/// Whether somebody stands in the next part of the way.
pub(super) fn is_stood_in(own: &Decision, going: &Travelling) -> bool {
    let (way, settings) = (&going.way, own.settings());
    let steps = (way.left().min(settings.behavior.look_ahead) / 0.2).ceil() as usize;
    let mut standing = own.behavior.others.iter().filter(|other| other.stands(&settings.avoidance));
    standing.any(|other| {
        let reach = own.radius() + other.radius + settings.behavior.too_near;
        !stands_on(own, other, going)
            && (1..=steps).any(|step| {
                let along = (way.at() + 0.2 * step as f32).min(way.length());
                way.place(along).distance_squared(other.place) < reach * reach
            })
    })
}

/// Notices when somebody does not get ahead, and looks for a way around those who stand there.
pub(super) fn mind_progress(own: &mut Decision, going: &mut Travelling, waits: bool) -> Gone {
    let settings = own.settings().behavior;
    let at = going.way.at();
    let ahead = at > going.progress.1 + 0.2;
    if waits || ahead {
        going.stuck &= !ahead;
        going.progress = (own.time, at);
        own.behavior.blocked = false;
        return Gone::On;
    }
    if own.time - going.progress.0 < settings.patience {
        return Gone::On;
    }
    if !own.behavior.blocked {
        own.behavior.blocked = true;
        own.tell(EventKind::Blocked);
    }
    going.progress.0 = own.time - 0.5 * settings.patience;
    going.detours += 1;
    going.stuck = true;
    if going.detours > settings.most_detours {
        return Gone::Failed("others are in the way".into());
    }
    // If there is none, or if none has helped, nothing is to be done but to wait, and to give others room now and then.
    let in_vain = detour(own, going).is_none() || going.detours > settings.vain_detours;
    if in_vain && going.detours.is_multiple_of(3) {
        give_way(own, going);
    }
    Gone::On
}

/// A way around everybody who stands.
pub(super) fn detour(own: &mut Decision, going: &mut Travelling) -> Option<()> {
    let post = match going.to {
        Destination::Post(post) => post,
        Destination::Through(_) => *going.passing.left.first()?,
        _ => return None,
    };
    if !own.planning.may_look(own.settings().planner.detour_cost) {
        return None;
    }
    let kind = Arc::clone(&own.body.kind);
    let (place, behavior) = (own.place(), &kind.settings.behavior);
    let planner = own.planner(post, going.run, false).ok()?;
    let around = |room: f32| {
        let stand =
            own.behavior.others.iter().filter(|other| other.stands(&kind.settings.avoidance));
        let posts: Vec<(Vec2, f32)> = stand
            .filter(|other| !stands_on(own, other, going))
            .map(|other| {
                let most = other.place.distance(place) - kind.radius - 0.02;
                (other.place, (other.radius + room).min(most))
            })
            .filter(|(_, radius)| *radius > 0.05)
            .collect();
        planner.legs_around(&posts, behavior.person).ok()
    };
    let legs = [behavior.beside, behavior.squeezed_beside].into_iter().find_map(around)?;
    let way = LiveRoute::new(&places_of(&legs));
    // Rather than go far out of the way they wait a while.
    let most = behavior.farther * (1.0 + going.detours as f32) + going.way.left();
    if way.length() > most {
        return None;
    }
    going.way = way;
    if matches!(going.to, Destination::Through(_)) {
        going.then = going.passing.left[1..].to_vec();
    }
    own.find_passages(going);
    going.way.follow(place);
    // Another way is no progress yet.
    going.progress.1 = going.way.at();
    Some(())
}

/// Whether the next narrow passage is taken.
pub(super) fn has_to_wait(own: &mut Decision, going: &Travelling) -> bool {
    let (place, radius) = (own.place(), own.radius());
    match own.gates.pass(own.who, place, &going.way, &going.passages, radius, going.stuck) {
        DoorwayTurn::Wait(room) => room < own.settings().behavior.brakes,
        DoorwayTurn::Back(_) => true,
        DoorwayTurn::Go | DoorwayTurn::Free => false,
    }
}

/// Out of the way, slowly: ahead if it faces there, and otherwise backwards if nobody and nothing is behind. Returns
/// where to turn to on the spot, if it has to.
pub(super) fn go_back(own: &mut Decision, out: Vec2) -> Option<f32> {
    let back_speed = own.settings().behavior.back;
    let disc = own.body.disc;
    if disc.ahead().dot(out) > 0.0 {
        return own.lead(heading_of(out), back_speed);
    }
    let behind = own.behavior.others.iter().any(|other| {
        let to = other.place - disc.place.position;
        let near = own.radius() + other.radius + 0.3;
        to.dot(disc.ahead()) < 0.0 && to.length() < near
    });
    let (place, back) = (disc.place.position, disc.place.position - 0.5 * disc.ahead());
    let network = own.nearby();
    let walls = network.as_ref().and_then(|network| walls_at(network, place, own.body.floor()));
    let free = walls.is_none_or(|walls| walls.edge_is_free(place, back));
    let speed = if behind || !free { 0.0 } else { -back_speed };
    own.body.disc.control(disc.place.heading, speed, &GAINS, own.dt);
    own.body.disc.turn_rate = 0.0;
    (!free).then(|| heading_of(out))
}

/// Goes back a little from somebody who is too close to turn beside them.
pub(super) fn make_room(own: &Decision, going: &mut Travelling) {
    let (disc, settings) = (own.body.disc, &own.settings().behavior);
    let ahead = |other: &Other| {
        let to = other.place - disc.place.position;
        let near = to.length() < own.radius() + other.radius + settings.elbows;
        (near && to.dot(disc.ahead()) > 0.0).then_some(-to)
    };
    if let Some(out) = own.behavior.others.iter().find_map(ahead) {
        going.back = Some((out, own.time + settings.back_seconds));
    }
}

/// Goes a step away from those it is stuck beside.
fn give_way(own: &Decision, going: &mut Travelling) {
    let settings = &own.settings().behavior;
    let away = |other: &Other| {
        let from = own.place() - other.place;
        let near = from.length() < own.radius() + other.radius + settings.beside;
        if near { from.normalize_or_zero() } else { Vec2::ZERO }
    };
    let out: Vec2 = own.behavior.others.iter().map(away).sum();
    if out != Vec2::ZERO {
        going.back = Some((out, own.time + settings.back_seconds));
    }
}

/// Where to turn on the spot: where it stands, or a step away from a wall that is too close, and whether it is; or a
/// little away from others, since hips sway in a turn, and farther after some tries.
pub(super) fn foothold(own: &mut Decision, tries: usize) -> (Vec2, bool) {
    let at = own.body.hips_place();
    let network = own.nearby();
    let settings = &own.settings().behavior;
    let walls = network.as_ref().and_then(|network| walls_at(network, at, own.body.floor()));
    let Some(free) = walls.and_then(|walls| walls.nearest_free(at)) else { return (at, false) };
    let out = free - at;
    if out.length() < settings.pressed {
        let room = settings.elbows * (1 + tries % 4) as f32;
        let away = |other: &Other| {
            let (from, reach) = (at - other.place, own.radius() + other.radius + room);
            from.normalize_or_zero() * (reach - from.length()).max(0.0)
        };
        let away: Vec2 = own.behavior.others.iter().map(away).sum();
        let there = at + away.clamp_length_max(room);
        let is_free = walls.is_some_and(|walls| walls.is_free(there));
        return (if is_free { there } else { at }, false);
    }
    let aside = (free + settings.aside * out.normalize_or_zero(), true);
    let is_taken = |other: &Other| {
        let reach = own.radius() + other.radius;
        other.place.distance(aside.0) < reach.min(other.place.distance(at))
    };
    if own.behavior.others.iter().any(is_taken) { (at, false) } else { aside }
}

/// Metres until it has to wait: for its turn at a passage, or for somebody to leave its goal.
pub(super) fn room(own: &Decision, going: &Travelling, passage: DoorwayTurn, left: f32) -> f32 {
    let settings = &own.settings().behavior;
    let mut room = f32::INFINITY;
    if let DoorwayTurn::Wait(most) = passage {
        room = room.min(most);
    }
    let taken = |other: &Other| {
        other.share == 0.0 && other.velocity.length() < 0.3 && stands_on(own, other, going)
    };
    if left < settings.minded && own.behavior.others.iter().any(taken) {
        room = room.min(left - 2.0 * own.radius() - settings.leaving);
    }
    room
}
