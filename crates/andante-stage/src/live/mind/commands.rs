//! How commands begin and end.

use super::super::actor::Actor;
use super::super::task::{ActorTask, Stale, destination};
use super::super::way::LiveRoute;
use super::DecisionContext;
use crate::{Command, EventKind};
use glam::Vec2;

/// Takes a command; what is under way is given up for it.
pub(crate) fn obey(
    actor: &mut Actor,
    who: usize,
    command: Command,
    label: String,
    order: Option<usize>,
    ctx: &mut DecisionContext,
) {
    match command {
        Command::LookAt(target) => {
            actor.look = target;
            ctx.tell(who, EventKind::Done(label));
            ctx.ended.extend(order);
            return;
        }
        Command::Speed(speed) => {
            actor.speed = speed;
            // What is under way goes on at the new speed.
            if let Some(going) = actor.task.going_mut() {
                going.stale = Some(Stale::Pace);
            }
            ctx.tell(who, EventKind::Done(label));
            ctx.ended.extend(order);
            return;
        }
        _ => {}
    }
    if actor.body.played().is_some() && !actor.body.is_on_ground() {
        // In the air nothing can be changed.
        if let Some((_, label, order)) = actor.pending.replace((command, label, order)) {
            ctx.tell(who, EventKind::Interrupted(label));
            ctx.ended.extend(order);
        }
        return;
    }
    give_up(actor, who, ctx);
    actor.doing = (label.clone(), order);
    ctx.tell(who, EventKind::Began(label));
    let begun = match (&command, destination(&command)) {
        (_, Some((to, run))) => {
            actor.route(to, run, ctx).map(|going| ActorTask::Go(Box::new(going)))
        }
        (Command::Face(target), _) => Ok(ActorTask::Face { target: *target, begun: false }),
        (Command::Wait(seconds), _) => Ok(ActorTask::Wait(ctx.time + f64::from(*seconds))),
        (Command::Follow { whom, distance }, _)
            if whom.number() != who && ctx.sees(whom.number()) =>
        {
            let (whom, distance) = (whom.number(), *distance);
            Ok(ActorTask::Follow {
                whom,
                distance,
                way: LiveRoute::new(&[]),
                planned: f64::NEG_INFINITY,
            })
        }
        (Command::Follow { .. }, _) => Err("there is nobody to follow".into()),
        (Command::Patrol(posts), _) if !posts.is_empty() => {
            Ok(ActorTask::Patrol { posts: posts.clone(), next: 0, going: None })
        }
        _ => Ok(ActorTask::Stop),
    };
    match begun {
        Ok(task) => {
            if let Some(going) = task.going() {
                actor.goal = Some(going.goal);
            }
            actor.task = task;
        }
        Err(reason) => fail(actor, who, reason, ctx),
    }
}

/// Ends what is under way for something else.
pub(crate) fn give_up(actor: &mut Actor, who: usize, ctx: &mut DecisionContext) {
    ctx.gates.forget(who);
    actor.blocked = false;
    if matches!(actor.task, ActorTask::Idle) {
        return;
    }
    actor.task = ActorTask::Idle;
    let (label, order) = std::mem::take(&mut actor.doing);
    if !label.is_empty() {
        ctx.tell(who, EventKind::Interrupted(label));
    }
    ctx.ended.extend(order);
}

pub(crate) fn done(actor: &mut Actor, who: usize, ctx: &mut DecisionContext) {
    ctx.gates.forget(who);
    actor.blocked = false;
    actor.task = ActorTask::Idle;
    let (label, order) = std::mem::take(&mut actor.doing);
    ctx.tell(who, EventKind::Done(label));
    ctx.ended.extend(order);
}

pub(crate) fn fail(actor: &mut Actor, who: usize, reason: String, ctx: &mut DecisionContext) {
    ctx.gates.forget(who);
    actor.blocked = false;
    actor.task = ActorTask::Idle;
    let (label, order) = std::mem::take(&mut actor.doing);
    ctx.tell(who, EventKind::Failed(format!("{label}: {reason}")));
    ctx.ended.extend(order);
}

/// Gives up what it was doing, because it cannot get up.
pub(crate) fn fall_down(actor: &mut Actor, who: usize, why: &str, ctx: &mut DecisionContext) {
    if !matches!(actor.task, ActorTask::Idle) {
        fail(actor, who, why.into(), ctx);
    }
}

/// A user's own speed and turn rate.
pub(crate) fn steer(
    actor: &mut Actor,
    who: usize,
    speed: f32,
    turn_rate: f32,
    ctx: &mut DecisionContext,
) {
    let demand = Vec2::new(speed.clamp(-1.0, 8.0), turn_rate.clamp(-3.0, 3.0));
    if let ActorTask::Steer(own) = &mut actor.task {
        *own = demand;
    } else {
        give_up(actor, who, ctx);
        actor.task = ActorTask::Steer(demand);
    }
}
