//! Getting along when others stand in the way.

use super::super::actor::Actor;
use super::super::avoid::Other;
use super::super::floor::{find, walls_at};
use super::super::gates::Narrow;
use super::super::task::{Destination, Travelling};
use super::super::way::LiveRoute;
use super::DecisionContext;
use super::doors;
use super::going::Gone;
use crate::EventKind;
use glam::Vec2;
use std::sync::Arc;

/// Whether somebody stands where it wants to.
pub(super) fn stands_on(actor: &Actor, other: &Other, going: &Travelling) -> bool {
    other.place.distance(going.goal.position)
        < actor.radius() + other.radius + actor.settings().behavior.taken
}

/// Whether somebody stands in the next part of the way.
pub(super) fn is_stood_in(actor: &Actor, going: &Travelling) -> bool {
    let way = &going.way;
    let steps = (way.left().min(actor.settings().behavior.look_ahead) / 0.2).ceil() as usize;
    let avoidance = &actor.settings().avoidance;
    let mut standing = actor.others.iter().filter(|other| other.stands(avoidance));
    standing.any(|other| {
        let reach = actor.radius() + other.radius + actor.settings().behavior.too_near;
        !stands_on(actor, other, going)
            && (1..=steps).any(|step| {
                let along = (way.at() + 0.2 * step as f32).min(way.length());
                way.place(along).distance_squared(other.place) < reach * reach
            })
    })
}

/// Notices when somebody does not get ahead, and looks for a way around those who stand there.
pub(super) fn mind_progress(
    actor: &mut Actor,
    who: usize,
    going: &mut Travelling,
    waits: bool,
    ctx: &mut DecisionContext,
) -> Gone {
    let at = going.way.at();
    let ahead = at > going.progress.1 + 0.2;
    if waits || ahead {
        going.stuck &= !ahead;
        going.progress = (ctx.time, at);
        actor.blocked = false;
        return Gone::On;
    }
    if ctx.time - going.progress.0 < actor.settings().behavior.patience {
        return Gone::On;
    }
    if !actor.blocked {
        actor.blocked = true;
        ctx.tell(who, EventKind::Blocked);
    }
    going.progress.0 = ctx.time - 0.5 * actor.settings().behavior.patience;
    going.detours += 1;
    going.stuck = true;
    if going.detours > actor.settings().behavior.most_detours {
        return Gone::Failed("others are in the way".into());
    }
    // If there is none, or if none has helped, nothing is to be done but to wait, and to give others room now and then.
    let in_vain = detour(actor, going, ctx).is_none()
        || going.detours > actor.settings().behavior.vain_detours;
    if in_vain && going.detours.is_multiple_of(3) {
        doors::give_way(actor, going, ctx);
    }
    Gone::On
}

/// The narrow passages of a way.
pub(super) fn passages(actor: &Actor, way: &LiveRoute, ctx: &mut DecisionContext) -> Vec<Narrow> {
    let network = actor.network(ctx);
    let place = actor.body.disc.place.position;
    match network.as_ref().and_then(|network| walls_at(network, place)) {
        Some(walls) => ctx.gates.along(way, walls, actor.radius()),
        None => Vec::new(),
    }
}

/// A way around everybody who stands.
pub(super) fn detour(
    actor: &mut Actor,
    going: &mut Travelling,
    ctx: &mut DecisionContext,
) -> Option<()> {
    if ctx.plans == 0 {
        return None;
    }
    ctx.plans -= 1;
    let Destination::Post(post) = &going.to else { return None };
    let kind = Arc::clone(actor.shared());
    let place = actor.body.disc.place.position;
    let mut around = |room: f32| {
        let avoidance = &kind.settings.avoidance;
        let stand = actor.others.iter().filter(|other| other.stands(avoidance));
        let posts: Vec<(Vec2, f32)> = stand
            .filter(|other| !stands_on(actor, other, going))
            .map(|other| {
                let most = other.place.distance(place) - kind.radius - 0.02;
                (other.place, (other.radius + room).min(most))
            })
            .filter(|(_, radius)| *radius > 0.05)
            .collect();
        let network = ctx.world.network_around(actor.kind, &kind, &posts).ok()?;
        find(&network, &kind, place, post).ok()
    };
    let behavior = &kind.settings.behavior;
    let route = [behavior.beside, behavior.squeezed_beside].into_iter().find_map(&mut around)?;
    // Rather than go far out of the way they wait a while.
    let most = actor.settings().behavior.farther * (1.0 + going.detours as f32) + going.way.left();
    if route.way.length() > most {
        return None;
    }
    going.way = route.way;
    going.legs = route.legs;
    going.passages = passages(actor, &going.way, ctx);
    going.way.follow(place);
    // Another way is no progress yet.
    going.progress.1 = going.way.at();
    Some(())
}
