//! What somebody does besides going somewhere: standing, turning, patrolling, following.

use super::super::actor::Actor;
use super::super::disc::heading_of;
use super::super::floor::{find, walls_at};
use super::super::task::{ActorTask, Destination, Travelling};
use super::super::way::LiveRoute;
use super::commands;
use super::going;
use super::going::Gone;
use super::plans::PlanAnswer;
use super::{DecisionContext, GAINS};
use crate::{EventKind, GazeTarget};
use andante_skeleton::{Planar, rotation};
use glam::Vec2;

/// Comes to a stand, and stands.
pub(super) fn rest(actor: &mut Actor, dt: f32) {
    if actor.body.played().is_some() {
        if !actor.body.is_on_ground() {
            return;
        }
        actor.body.live();
    }
    let heading = actor.body.disc.place.heading;
    actor.body.disc.control(heading, 0.0, &GAINS, dt);
    if actor.body.disc.speed.abs() < 0.02 {
        (actor.body.disc.speed, actor.body.disc.turn_rate) = (0.0, 0.0);
    }
}

pub(super) fn face(
    actor: &mut Actor,
    who: usize,
    target: GazeTarget,
    begun: bool,
    ctx: &mut DecisionContext,
) {
    actor.task = ActorTask::Face { target, begun };
    if begun {
        if actor.body.played().is_none_or(|played| played.is_over()) {
            commands::done(actor, who, ctx);
        }
        return;
    }
    if !actor.body.is_standing() {
        rest(actor, ctx.dt);
        return;
    }
    let place = actor.body.hips();
    let to = |point: Vec2| {
        let offset = point - place.position;
        if offset.length() > 0.05 { heading_of(offset) } else { place.heading }
    };
    let heading = match target {
        GazeTarget::Heading(heading) => heading,
        GazeTarget::Point(point) => to(Vec2::new(point.x, point.z)),
        GazeTarget::Character(whom) => {
            ctx.seen.get(whom.number()).map_or(place.heading, |seen| to(seen.place))
        }
    };
    if rotation::wrap_angle(heading - place.heading).abs() < 0.01 {
        commands::done(actor, who, ctx);
        return;
    }
    match actor.plan(&[], Planar::new(place.position, heading), false, ctx) {
        PlanAnswer::Made => {
            // What it was told last counts.
            actor.goal = actor.goal.map(|goal| Planar::new(goal.position, heading));
            actor.task = ActorTask::Face { target, begun: true };
        }
        PlanAnswer::Later => {}
        PlanAnswer::Refused(reason) => commands::fail(actor, who, reason, ctx),
    }
}

pub(super) fn patrol(
    actor: &mut Actor,
    who: usize,
    posts: Vec<crate::Waypoint>,
    mut next: usize,
    going: Option<Box<Travelling>>,
    ctx: &mut DecisionContext,
) {
    let mut going = match going {
        Some(going) => going,
        None => match actor.route(Destination::Post(posts[next % posts.len()]), false, ctx) {
            Ok(going) => Box::new(going),
            Err(reason) => return commands::fail(actor, who, reason, ctx),
        },
    };
    let gone = going::go(actor, who, &mut going, ctx);
    let going = match gone {
        Gone::On => Some(going),
        Gone::There => {
            ctx.tell(who, EventKind::Arrived);
            ctx.gates.forget(who);
            next += 1;
            None
        }
        Gone::Failed(reason) => return commands::fail(actor, who, reason, ctx),
    };
    actor.task = ActorTask::Patrol { posts, next, going };
}

pub(super) fn follow(
    actor: &mut Actor,
    who: usize,
    whom: usize,
    distance: f32,
    mut way: LiveRoute,
    mut planned: f64,
    ctx: &mut DecisionContext,
) {
    actor.body.live();
    let Some(other) = ctx.seen.get(whom).copied().filter(|seen| seen.present) else {
        return commands::fail(actor, who, "there is nobody to follow".into(), ctx);
    };
    let place = actor.body.disc.place.position;
    let network = actor.network(ctx);
    let walls = network.as_ref().and_then(|network| walls_at(network, place));
    if walls.is_none_or(|walls| walls.edge_is_free(place, other.place) || !walls.is_free(place)) {
        way.lead_along(&[place, other.place]);
    } else if ctx.time - planned > 0.5 {
        planned = ctx.time;
        let post = crate::Waypoint { place: other.place, height: None, heading: None };
        if let Some(route) =
            network.as_ref().and_then(|network| find(network, actor.shared(), place, &post).ok())
        {
            way = route.way;
        }
    }
    way.follow(place);
    let gap = way.left() - distance;
    let most = actor.speed.unwrap_or(actor.settings().planner.run_pace);
    let speed = (other.velocity.length() + 0.8 * gap).clamp(0.0, most);
    let pursuit = way.pursue(
        &actor.body.disc,
        if gap > 0.1 { speed } else { 0.0 },
        2.0,
        &actor.settings().pursuit,
    );
    actor.task = ActorTask::Follow { whom, distance, way, planned };
    actor.lead(pursuit.heading, pursuit.speed.min(speed), ctx);
}
