//! Going somewhere: by a performance where the way is free, and by the gait among others.

use super::super::actor::{Actor, VisibleActor};
use super::super::avoid::Other;
use super::super::gates::DoorwayTurn;
use super::super::task::{Destination, TravelStep, Travelling};
use super::DecisionContext;
use super::detours;
use super::doors;
use super::plans::PlanAnswer;
use super::plans::rest_of;
use super::tasks;
use andante_skeleton::{Planar, rotation};
use std::sync::Arc;

pub(super) fn go(
    actor: &mut Actor,
    who: usize,
    going: &mut Travelling,
    ctx: &mut DecisionContext,
) -> Gone {
    going.way.follow(actor.body.disc.place.position);
    if let Some(why) = going.stale.take()
        && let Err(reason) = actor.replan(going, why, ctx)
    {
        return Gone::Failed(reason);
    }
    match going.step {
        TravelStep::Performing | TravelStep::Settling => {
            let over = actor.body.played().is_none_or(|played| played.is_over());
            if over {
                actor.body.live();
                return Gone::There;
            }
            if !going.planned
                && going.step == TravelStep::Performing
                && (doors::has_to_wait(actor, who, going, ctx) || would_collide(actor, ctx))
            {
                go_on_live(actor);
                going.step = TravelStep::Live;
                going.progress = (ctx.time, going.way.at());
                going.again = ctx.time + 1.5;
            }
            Gone::On
        }
        TravelStep::Turning => {
            // Meanwhile nobody expects to get ahead.
            going.progress.0 += f64::from(ctx.dt);
            if actor.body.played().is_none_or(|played| played.is_over()) {
                go_on_live(actor);
                going.step = TravelStep::Live;
            }
            Gone::On
        }
        TravelStep::Halting => set_off(actor, going, ctx),
        TravelStep::Live => go_live(actor, who, going, ctx),
    }
}

/// Goes over to the gait, and goes on as it went.
fn go_on_live(actor: &mut Actor) {
    actor.body.live();
    actor.steering.resume(actor.body.disc.velocity(), &actor.body.kind.settings.steering);
}

/// Begins to go: by a performance if the way is its own.
fn set_off(actor: &mut Actor, going: &mut Travelling, ctx: &mut DecisionContext) -> Gone {
    if going.planned || is_alone(actor, going, ctx) {
        match actor.set_off_to(going, ctx) {
            PlanAnswer::Made => {
                going.step = TravelStep::Performing;
                return Gone::On;
            }
            PlanAnswer::Refused(reason) if going.planned => return Gone::Failed(reason),
            _ if going.planned => {
                tasks::rest(actor, ctx.dt);
                return Gone::On;
            }
            PlanAnswer::Later if actor.body.is_standing() => {
                tasks::rest(actor, ctx.dt);
                return Gone::On;
            }
            _ => {}
        }
    }
    go_on_live(actor);
    going.step = TravelStep::Live;
    going.progress = (ctx.time, going.way.at());
    going.again = ctx.time + 0.5;
    Gone::On
}

fn go_live(
    actor: &mut Actor,
    who: usize,
    going: &mut Travelling,
    ctx: &mut DecisionContext,
) -> Gone {
    actor.body.live();
    let kind = Arc::clone(actor.shared());
    let settings = &kind.settings.behavior;
    let place = actor.body.disc.place.position;
    let standing = actor.body.is_standing();
    let left = going.goal.position.distance(place);
    if left < settings.arrived && going.way.left() < 2.0 * settings.arrived {
        return come_to_rest(actor, who, going, ctx);
    }
    let (way, passages) = (&going.way, &going.passages);
    let passage = ctx.gates.pass(who, place, way, passages, kind.radius, going.stuck);
    if let DoorwayTurn::Back(out) = passage {
        let turn = doors::go_back(actor, out, ctx);
        if let Some(heading) = turn.filter(|_| actor.body.is_standing()) {
            let foothold = doors::foothold(actor, going.tries, ctx).0;
            actor.turn(going, Planar::new(foothold, heading), ctx);
        }
        return detours::mind_progress(actor, who, going, true, ctx);
    }
    if let Some((out, until)) = going.back {
        let _ = doors::go_back(actor, out, ctx);
        going.back = going.back.filter(|_| ctx.time < until);
        return detours::mind_progress(actor, who, going, false, ctx);
    }
    let pace = actor.speed.unwrap_or(if going.run {
        kind.settings.planner.run_pace
    } else {
        actor.vigour * kind.walk
    });
    let mut pursuit =
        going.way.pursue(&actor.body.disc, pace, settings.braking, &kind.settings.pursuit);
    // Once nobody is in the way any more, the rest is planned, and ends exactly.
    let moving = actor.body.disc.speed > 0.6 || standing;
    if passage == DoorwayTurn::Free && moving && ctx.time >= going.again && going.way.left() > 1.0 {
        going.again = ctx.time + 0.5;
        if is_alone(actor, going, ctx)
            && let Some(legs) = rest_of(&going.way, place)
            && matches!(actor.plan(&legs, going.goal, going.run, ctx), PlanAnswer::Made)
        {
            going.step = TravelStep::Performing;
            actor.blocked = false;
            return Gone::On;
        }
    }
    let room = doors::room(actor, going, passage, left);
    let waits = room < if standing { settings.shuffle } else { 0.05 };
    if !waits && ctx.time >= going.around {
        going.around = ctx.time + settings.around_seconds;
        if detours::is_stood_in(actor, going) && detours::detour(actor, going, ctx).is_some() {
            pursuit =
                going.way.pursue(&actor.body.disc, pace, settings.braking, &kind.settings.pursuit);
        }
    }
    let slow =
        (2.0 * settings.braking * (room - settings.lag * actor.body.disc.speed).max(0.0)).sqrt();
    let speed = if waits { 0.0 } else { pursuit.speed.min(slow) };
    let off = rotation::wrap_angle(pursuit.heading - actor.body.disc.place.heading).abs();
    let free = standing && !waits && !going.stuck;
    let about = (free && off > settings.about).then_some(pursuit.heading);
    let turn = actor.lead(pursuit.heading, speed, ctx).or(about);
    let (foothold, pressed) = doors::foothold(actor, going.tries, ctx);
    let turn = turn.or((pressed && !waits).then_some(pursuit.heading));
    if let Some(heading) = turn
        && standing
    {
        actor.turn(going, Planar::new(foothold, heading), ctx);
        if going.step != TravelStep::Turning {
            doors::make_room(actor, going, ctx);
        }
    }
    detours::mind_progress(actor, who, going, waits, ctx)
}

/// The last steps: to a stand, and then exactly where and how it has to stand.
fn come_to_rest(
    actor: &mut Actor,
    who: usize,
    going: &mut Travelling,
    ctx: &mut DecisionContext,
) -> Gone {
    let settings = actor.settings().behavior;
    ctx.gates.forget(who);
    if !actor.body.is_standing() {
        let pursuit =
            going.way.pursue(&actor.body.disc, 0.8, settings.braking, &actor.settings().pursuit);
        let close = going.goal.position.distance(actor.body.disc.place.position) < 0.12;
        let speed = if close { 0.0 } else { pursuit.speed };
        actor.lead(actor.body.disc.place.heading, speed, ctx);
        if ctx.time - going.progress.0 > settings.patience {
            tasks::rest(actor, ctx.dt);
        }
        return Gone::On;
    }
    // Whoever may face anywhere stays as they came.
    if !matches!(&going.to, Destination::Post(post) if post.heading.is_some()) {
        going.goal.heading = actor.body.hips().heading;
        if actor.goal.is_some_and(|goal| goal.position == going.goal.position) {
            actor.goal = Some(going.goal);
        }
    }
    let room = |other: &Other| actor.radius() + other.radius - settings.touching;
    if actor.others.iter().any(|other| other.place.distance(going.goal.position) < room(other)) {
        return detours::mind_progress(actor, who, going, false, ctx);
    }
    match actor.shuffle(going, going.goal, ctx) {
        PlanAnswer::Made => going.step = TravelStep::Settling,
        PlanAnswer::Later => return detours::mind_progress(actor, who, going, false, ctx),
        PlanAnswer::Refused(reason) => return Gone::Failed(reason),
    }
    Gone::On
}

/// Whether nobody comes near the way that is left.
pub(crate) fn is_alone(actor: &Actor, going: &Travelling, ctx: &DecisionContext) -> bool {
    let own = actor.body.disc.place.position;
    let way = &going.way;
    let steps = ((way.left().min(15.0)) / 0.3).ceil() as usize;
    others_of(actor, ctx).all(|seen| {
        let moving = seen.velocity.length() > 0.1 || seen.looks_out;
        let room = if moving { 2.5 } else { actor.radius() + seen.radius + 0.15 };
        if moving && seen.place.distance(own) < 4.0 {
            return false;
        }
        (0..=steps).all(|step| way.place(way.at() + 0.3 * step as f32).distance(seen.place) > room)
    })
}

fn others_of<'a>(
    actor: &Actor,
    ctx: &'a DecisionContext,
) -> impl Iterator<Item = &'a VisibleActor> {
    let own = actor.body.disc.place.position;
    ctx.seen.iter().filter(move |seen| seen.present && seen.place != own)
}

/// Whether a performance would lead into somebody soon.
fn would_collide(actor: &Actor, ctx: &DecisionContext) -> bool {
    let Some(played) = actor.body.played() else { return false };
    others_of(actor, ctx).any(|seen| {
        let reach = actor.radius() + seen.radius + 0.15;
        if seen.place.distance(actor.body.disc.place.position) > actor.settings().behavior.sight {
            return false;
        }
        let soon = if seen.looks_out { 7 } else { 10 };
        (1..=soon).any(|step| {
            let seconds = 0.2 * step as f32;
            played.ahead(seconds).distance(seen.place + seen.velocity * seconds) < reach
        })
    })
}

/// What became of going.
pub(super) enum Gone {
    On,
    There,
    Failed(String),
}
