//! Waiting for a turn at a narrow passage, and making room for others.

use super::super::actor::Actor;
use super::super::avoid::Other;
use super::super::disc::heading_of;
use super::super::floor::walls_at;
use super::super::gates::DoorwayTurn;
use super::super::task::Travelling;
use super::detours;
use super::{DecisionContext, GAINS};
use glam::Vec2;

/// Whether the next narrow passage is taken.
pub(super) fn has_to_wait(
    actor: &Actor,
    who: usize,
    going: &Travelling,
    ctx: &mut DecisionContext,
) -> bool {
    let place = actor.body.disc.place.position;
    let (way, passages) = (&going.way, &going.passages);
    let passage = ctx.gates.pass(who, place, way, passages, actor.radius(), going.stuck);
    match passage {
        DoorwayTurn::Wait(room) => room < actor.settings().behavior.brakes,
        DoorwayTurn::Back(_) => true,
        DoorwayTurn::Go | DoorwayTurn::Free => false,
    }
}

/// Out of the way, slowly: ahead if it faces there, and otherwise backwards if nobody and nothing is behind. Returns
/// where to turn to on the spot, if it has to.
pub(super) fn go_back(actor: &mut Actor, out: Vec2, ctx: &mut DecisionContext) -> Option<f32> {
    let back_speed = actor.settings().behavior.back;
    let disc = actor.body.disc;
    if disc.ahead().dot(out) > 0.0 {
        return actor.lead(heading_of(out), back_speed, ctx);
    }
    let behind = actor.others.iter().any(|other| {
        let to = other.place - disc.place.position;
        let near = actor.radius() + other.radius + 0.3;
        to.dot(disc.ahead()) < 0.0 && to.length() < near
    });
    let (place, back) = (disc.place.position, disc.place.position - 0.5 * disc.ahead());
    let network = actor.network(ctx);
    let walls = network.as_ref().and_then(|network| walls_at(network, place));
    let free = walls.is_none_or(|walls| walls.edge_is_free(place, back));
    let speed = if behind || !free { 0.0 } else { -back_speed };
    actor.body.disc.control(disc.place.heading, speed, &GAINS, ctx.dt);
    actor.body.disc.turn_rate = 0.0;
    (!free).then(|| heading_of(out))
}

/// Goes back a little from somebody who is too close to turn beside them.
pub(super) fn make_room(actor: &mut Actor, going: &mut Travelling, ctx: &DecisionContext) {
    let disc = actor.body.disc;
    let ahead = |other: &Other| {
        let to = other.place - disc.place.position;
        let near = to.length() < actor.radius() + other.radius + actor.settings().behavior.elbows;
        (near && to.dot(disc.ahead()) > 0.0).then_some(-to)
    };
    if let Some(out) = actor.others.iter().find_map(ahead) {
        going.back = Some((out, ctx.time + actor.settings().behavior.back_seconds));
    }
}

/// Goes a step away from those it is stuck beside.
pub(super) fn give_way(actor: &mut Actor, going: &mut Travelling, ctx: &DecisionContext) {
    let away = |other: &Other| {
        let from = actor.body.disc.place.position - other.place;
        let near = from.length() < actor.radius() + other.radius + actor.settings().behavior.beside;
        if near { from.normalize_or_zero() } else { Vec2::ZERO }
    };
    let out: Vec2 = actor.others.iter().map(away).sum();
    if out != Vec2::ZERO {
        going.back = Some((out, ctx.time + actor.settings().behavior.back_seconds));
    }
}

/// Where to turn on the spot: where it stands, or a step away from a wall that is too close, and whether it is; or a
/// little away from others, since hips sway in a turn, and farther after some tries.
pub(super) fn foothold(actor: &Actor, tries: usize, ctx: &mut DecisionContext) -> (Vec2, bool) {
    let at = actor.body.hips().position;
    let network = actor.network(ctx);
    let walls = network.as_ref().and_then(|network| walls_at(network, at));
    let Some(free) = walls.and_then(|walls| walls.nearest_free(at)) else { return (at, false) };
    let out = free - at;
    if out.length() < actor.settings().behavior.pressed {
        let room = actor.settings().behavior.elbows * (1 + tries % 4) as f32;
        let away = |other: &Other| {
            let (from, reach) = (at - other.place, actor.radius() + other.radius + room);
            from.normalize_or_zero() * (reach - from.length()).max(0.0)
        };
        let away: Vec2 = actor.others.iter().map(away).sum();
        let there = at + away.clamp_length_max(room);
        let is_free = walls.is_some_and(|walls| walls.is_free(there));
        return (if is_free { there } else { at }, false);
    }
    let aside = (free + actor.settings().behavior.aside * out.normalize_or_zero(), true);
    let is_taken = |other: &Other| {
        let reach = actor.radius() + other.radius;
        other.place.distance(aside.0) < reach.min(other.place.distance(at))
    };
    if actor.others.iter().any(is_taken) { (at, false) } else { aside }
}

/// Metres until it has to wait: for its turn at a passage, or for somebody to leave its goal.
pub(super) fn room(actor: &Actor, going: &Travelling, passage: DoorwayTurn, left: f32) -> f32 {
    let mut room = f32::INFINITY;
    if let DoorwayTurn::Wait(most) = passage {
        room = room.min(most);
    }
    let taken = |other: &Other| {
        other.share == 0.0
            && other.velocity.length() < 0.3
            && detours::stands_on(actor, other, going)
    };
    if left < actor.settings().behavior.minded && actor.others.iter().any(taken) {
        room = room.min(left - 2.0 * actor.radius() - actor.settings().behavior.leaving);
    }
    room
}
