//! How a character decides what to do next.

pub(crate) mod commands;
mod detours;
mod doors;
pub(crate) mod going;
mod notice;
mod plans;
mod tasks;

use self::going::Gone;
use super::actor::{Actor, VisibleActor};
use super::avoid::{self, Own};
use super::disc::{Gains, ahead};
use super::floor::{Surroundings, walls_at};
use super::gates::Doorways;
use super::kind::ActorKind;
use super::task::ActorTask;
use crate::{Event, EventKind, StageTimings};
use glam::Vec2;
use std::sync::Arc;

/// How gaits are led: what they can follow.
const GAINS: Gains =
    Gains { speed: 6.0, heading: 2.6, turn: 10.4, most_turn: 1.0, most_change: [1.2, 1.8] };

/// For a user's own input, which is followed at once.
const STEERED: Gains =
    Gains { speed: 12.0, heading: 0.0, turn: 12.0, most_turn: 3.0, most_change: [4.0, 5.0] };

/// What is around somebody who decides.
pub(crate) struct DecisionContext<'a> {
    pub time: f64,
    pub dt: f32,
    pub world: &'a mut Surroundings,
    pub gates: &'a mut Doorways,
    pub seen: &'a [VisibleActor],
    pub events: &'a mut Vec<Event>,
    /// Orders that are over.
    pub ended: &'a mut Vec<usize>,
    /// Plans that may still be made in this step.
    pub plans: usize,
    pub timings: &'a mut StageTimings,
}

impl DecisionContext<'_> {
    /// Whether somebody of that number is there to be seen.
    pub(crate) fn sees(&self, who: usize) -> bool {
        self.seen.get(who).is_some_and(|seen| seen.present)
    }

    pub(crate) fn tell(&mut self, who: usize, kind: EventKind) {
        self.events.push(Event { time: self.time as f32, track: Some(who), kind });
    }
}

impl Actor {
    /// Decides about the next step.
    pub(crate) fn think(&mut self, who: usize, ctx: &mut DecisionContext) {
        if let Some((command, label, order)) = self.pending.take() {
            commands::obey(self, who, command, label, order, ctx);
        }
        notice::notice(self, who, ctx);
        if self.body.is_physical() {
            // Time passes for those who are moved by forces, too, and so does their way.
            match &mut self.task {
                ActorTask::Wait(until) if ctx.time >= *until => commands::done(self, who, ctx),
                ActorTask::Stop if self.body.is_safe() => commands::done(self, who, ctx),
                ActorTask::Go(going) => going.way.follow(self.body.disc.place.position),
                _ => {}
            }
            return;
        }
        self.perform_on(ctx);
        // Tasks are taken out while they are worked on, and put back unless they are over.
        match std::mem::replace(&mut self.task, ActorTask::Idle) {
            ActorTask::Idle => tasks::rest(self, ctx.dt),
            ActorTask::Stop => {
                self.task = ActorTask::Stop;
                tasks::rest(self, ctx.dt);
                if self.body.is_standing() {
                    commands::done(self, who, ctx);
                }
            }
            ActorTask::Wait(until) => {
                self.task = ActorTask::Wait(until);
                tasks::rest(self, ctx.dt);
                if ctx.time >= until {
                    commands::done(self, who, ctx);
                }
            }
            ActorTask::Face { target, begun } => tasks::face(self, who, target, begun, ctx),
            ActorTask::Go(mut going) => match going::go(self, who, &mut going, ctx) {
                Gone::On => self.task = ActorTask::Go(going),
                Gone::There => {
                    ctx.tell(who, EventKind::Arrived);
                    commands::done(self, who, ctx);
                }
                Gone::Failed(reason) => commands::fail(self, who, reason, ctx),
            },
            ActorTask::Patrol { posts, next, going } => {
                tasks::patrol(self, who, posts, next, going, ctx)
            }
            ActorTask::Follow { whom, distance, way, planned } => {
                tasks::follow(self, who, whom, distance, way, planned, ctx);
            }
            ActorTask::Steer(demand) => {
                self.body.live();
                self.task = ActorTask::Steer(demand);
                let heading = self.body.disc.place.heading;
                let walls = self.network(ctx);
                let own = self.own(demand.x * ahead(heading));
                let walls = walls.as_ref().and_then(|network| walls_at(network, own.place));
                let most = avoid::safe_speed(&own, &[], walls, 1.0, &self.settings().avoidance);
                self.body.disc.control(heading, demand.x.min(most), &STEERED, ctx.dt);
                self.body.disc.turn_rate +=
                    (demand.y - self.body.disc.turn_rate) * (12.0 * ctx.dt).min(1.0);
            }
        }
    }

    fn network(&self, ctx: &mut DecisionContext) -> Option<Arc<andante_plan::route::Network>> {
        let kind: &ActorKind = self.shared();
        ctx.world.network(self.kind, kind, false).ok()
    }

    fn own(&self, wanted: Vec2) -> Own {
        let disc = &self.body.disc;
        Own {
            place: disc.place.position,
            heading: disc.place.heading,
            speed: disc.speed,
            radius: self.radius(),
            wanted,
        }
    }

    /// Leads the gait towards a heading and a speed, around others. Returns where to turn to on the spot, if it has to.
    fn lead(&mut self, heading: f32, speed: f32, ctx: &mut DecisionContext) -> Option<f32> {
        let network = self.network(ctx);
        let place = self.body.disc.place.position;
        let walls = network.as_ref().and_then(|network| walls_at(network, place));
        let own = self.own(ahead(heading) * speed);
        let can_turn = self.body.is_standing();
        let settings = &self.body.kind.settings;
        let lead = self.steering.lead(&own, &self.others, walls, can_turn, ctx.dt, settings);
        self.body.disc.control(lead.heading, lead.speed, &GAINS, ctx.dt);
        // Nobody turns faster than it takes to go round.
        let most = 0.4 + 0.8 * self.body.disc.speed.max(0.0);
        self.body.disc.turn_rate = self.body.disc.turn_rate.clamp(-most, most);
        if lead.speed < 0.05 && self.body.disc.speed.abs() < 0.05 {
            (self.body.disc.speed, self.body.disc.turn_rate) = (0.0, 0.0);
        }
        lead.turn.then_some(lead.heading)
    }
}
