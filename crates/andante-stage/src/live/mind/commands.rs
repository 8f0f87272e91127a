//! How commands begin and end.

use super::super::actor::Actor;
use super::super::task::{ActorTask, Stale, destination};
use super::super::way::LiveRoute;
use super::DecisionContext;
use crate::{Command, EventKind};
use glam::Vec2;

impl Actor {
    /// Takes a command; what is under way is given up for it.
    pub(crate) fn obey(
        &mut self,
        who: usize,
        command: Command,
        label: String,
        order: Option<usize>,
        ctx: &mut DecisionContext,
    ) {
        match command {
            Command::LookAt(target) => {
                self.look = target;
                ctx.tell(who, EventKind::Done(label));
                ctx.ended.extend(order);
                return;
            }
            Command::Speed(speed) => {
                self.speed = speed;
                // What is under way goes on at the new speed.
                if let Some(going) = self.task.going_mut() {
                    going.stale = Some(Stale::Pace);
                }
                ctx.tell(who, EventKind::Done(label));
                ctx.ended.extend(order);
                return;
            }
            _ => {}
        }
        if self.body.played().is_some() && !self.body.is_on_ground() {
            // In the air nothing can be changed.
            if let Some((_, label, order)) = self.pending.replace((command, label, order)) {
                ctx.tell(who, EventKind::Interrupted(label));
                ctx.ended.extend(order);
            }
            return;
        }
        self.give_up(who, ctx);
        self.doing = (label.clone(), order);
        ctx.tell(who, EventKind::Began(label));
        let begun = match (&command, destination(&command)) {
            (_, Some((to, run))) => {
                self.route(to, run, ctx).map(|going| ActorTask::Go(Box::new(going)))
            }
            (Command::Face(target), _) => Ok(ActorTask::Face { target: *target, begun: false }),
            (Command::Wait(seconds), _) => Ok(ActorTask::Wait(ctx.time + f64::from(*seconds))),
            (Command::Follow { whom, distance }, _) if *whom != who && *whom < ctx.seen.len() => {
                let (whom, distance) = (*whom, *distance);
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
                    self.goal = Some(going.goal);
                }
                self.task = task;
            }
            Err(reason) => self.fail(who, reason, ctx),
        }
    }

    /// Ends what is under way for something else.
    fn give_up(&mut self, who: usize, ctx: &mut DecisionContext) {
        ctx.gates.forget(who);
        self.blocked = false;
        if matches!(self.task, ActorTask::Idle) {
            return;
        }
        self.task = ActorTask::Idle;
        let (label, order) = std::mem::take(&mut self.doing);
        if !label.is_empty() {
            ctx.tell(who, EventKind::Interrupted(label));
        }
        ctx.ended.extend(order);
    }

    pub(crate) fn done(&mut self, who: usize, ctx: &mut DecisionContext) {
        ctx.gates.forget(who);
        self.blocked = false;
        self.task = ActorTask::Idle;
        let (label, order) = std::mem::take(&mut self.doing);
        ctx.tell(who, EventKind::Done(label));
        ctx.ended.extend(order);
    }

    pub(super) fn fail(&mut self, who: usize, reason: String, ctx: &mut DecisionContext) {
        ctx.gates.forget(who);
        self.blocked = false;
        self.task = ActorTask::Idle;
        let (label, order) = std::mem::take(&mut self.doing);
        ctx.tell(who, EventKind::Failed(format!("{label}: {reason}")));
        ctx.ended.extend(order);
    }

    /// Gives up what it was doing, because it cannot get up.
    pub(crate) fn fall_down(&mut self, who: usize, why: &str, ctx: &mut DecisionContext) {
        if !matches!(self.task, ActorTask::Idle) {
            self.fail(who, why.into(), ctx);
        }
    }

    /// A user's own speed and turn rate.
    pub(crate) fn steer(
        &mut self,
        who: usize,
        speed: f32,
        turn_rate: f32,
        ctx: &mut DecisionContext,
    ) {
        if !(speed.is_finite() && turn_rate.is_finite()) {
            return;
        }
        let demand = Vec2::new(speed.clamp(-1.0, 8.0), turn_rate.clamp(-3.0, 3.0));
        if let ActorTask::Steer(own) = &mut self.task {
            *own = demand;
        } else {
            self.give_up(who, ctx);
            self.task = ActorTask::Steer(demand);
        }
    }
}
