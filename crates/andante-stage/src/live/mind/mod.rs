//! How a character decides what to do next.

mod commands;
mod detours;
mod doors;
mod going;
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

/// Speed of those who run, in m/s.
const RUN: f32 = 2.6;

/// How gaits are led: what they can follow.
const GAINS: Gains =
    Gains { speed: 6.0, heading: 2.6, turn: 10.4, most_turn: 1.0, most_change: [1.2, 1.8] };

/// For a user's own input, which is followed at once.
const STEERED: Gains =
    Gains { speed: 12.0, heading: 0.0, turn: 12.0, most_turn: 3.0, most_change: [4.0, 5.0] };

/// Others farther away than this do not matter, in metres.
const SIGHT: f32 = 5.0;

/// Seconds without progress until somebody looks for another way; how many ways are looked for before they give up, and
/// how many in vain before they give others room.
const PATIENCE: f64 = 2.0;
const MOST_DETOURS: usize = 150;
const VAIN_DETOURS: usize = 12;

/// Seconds between looks for ways around those who stand, and how far ahead they matter, in metres.
const AROUND: f64 = 1.0;
const LOOK_AHEAD: f32 = 4.0;

/// Room that ways around those who stand leave, if there is any, in metres; and without how much they are looked for.
const BESIDE: [f32; 2] = [0.13, 0.05];
const TOO_NEAR: f32 = 0.09;

/// Goals are taken by those who stand closer than touching, by so many metres; room that is left for them to leave;
/// and how near to the goal somebody minds, in metres.
const TAKEN: f32 = 0.12;
const LEAVING: f32 = 0.9;
const MINDED: f32 = 2.5;

/// Somebody who stands closer to a wall than they should by this steps aside before anything else, in metres, and so
/// much farther.
const PRESSED: f32 = 0.02;
const ASIDE: f32 = 0.05;

/// Hips that turn on the spot come no deeper into others, in metres, unless somebody has been stuck so many times.
const TOUCHING: f32 = 0.01;
const DESPERATE: usize = 40;

/// Plans that are made in one step of the stage.
pub(crate) const PLANS: usize = 2;

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
    pub(crate) fn tell(&mut self, who: usize, kind: EventKind) {
        self.events.push(Event { time: self.time as f32, track: Some(who), kind });
    }
}

impl Actor {
    /// Decides about the next step.
    pub(crate) fn think(&mut self, who: usize, ctx: &mut DecisionContext) {
        if let Some((command, label, order)) = self.pending.take() {
            self.obey(who, command, label, order, ctx);
        }
        self.notice(who, ctx);
        if self.body.is_physical() {
            // Time passes for those who are moved by forces, too, and so does their way.
            match &mut self.task {
                ActorTask::Wait(until) if ctx.time >= *until => self.done(who, ctx),
                ActorTask::Stop if self.body.is_safe() => self.done(who, ctx),
                ActorTask::Go(going) => going.way.follow(self.body.disc.place.position),
                _ => {}
            }
            return;
        }
        self.perform_on(ctx);
        // Tasks are taken out while they are worked on, and put back unless they are over.
        match std::mem::replace(&mut self.task, ActorTask::Idle) {
            ActorTask::Idle => self.rest(ctx.dt),
            ActorTask::Stop => {
                self.task = ActorTask::Stop;
                self.rest(ctx.dt);
                if self.body.is_standing() {
                    self.done(who, ctx);
                }
            }
            ActorTask::Wait(until) => {
                self.task = ActorTask::Wait(until);
                self.rest(ctx.dt);
                if ctx.time >= until {
                    self.done(who, ctx);
                }
            }
            ActorTask::Face { target, begun } => self.face(who, target, begun, ctx),
            ActorTask::Go(mut going) => match self.go(who, &mut going, ctx) {
                Gone::On => self.task = ActorTask::Go(going),
                Gone::There => {
                    ctx.tell(who, EventKind::Arrived);
                    self.done(who, ctx);
                }
                Gone::Failed(reason) => self.fail(who, reason, ctx),
            },
            ActorTask::Patrol { posts, next, going } => self.patrol(who, posts, next, going, ctx),
            ActorTask::Follow { whom, distance, way, planned } => {
                self.follow(who, whom, distance, way, planned, ctx);
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
