//! A character on a stage.

use super::actor_id::ActorId;
use super::behavior::{ActorTask, Behavior, TravelStep};
use super::body::AnimatedBody;
use super::decks::PlatformRide;
use super::disc::Disc;
use super::kind::ActorKind;
use super::neighbours::Neighbours;
use super::stage::{Stillness, WatchedFoot};
use crate::StageSettings;
use andante_skeleton::{Character, Planar, PlannedFootprint, Transform};
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// A character on a stage.
#[derive(Clone, Debug)]
pub struct Actor {
    pub(crate) id: ActorId,
    /// Whether it has been taken away; its place is free for another.
    pub(crate) gone: bool,
    pub(crate) name: String,
    pub(crate) kind: usize,
    pub(crate) body: AnimatedBody,
    pub(crate) behavior: Behavior,
    /// What carries it, and how it is shown then.
    pub(crate) riding: Option<PlatformRide>,
    /// Its feet, as they were seen last.
    pub(crate) watched: Vec<WatchedFoot>,
    pub(crate) still: Stillness,
}

/// What everybody sees of somebody.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct VisibleActor {
    pub place: Vec2,
    /// Where the hips are shown.
    pub hips: Vec2,
    pub velocity: Vec2,
    pub radius: f32,
    /// Whether it is on the stage at all.
    pub present: bool,
    pub head: Vec3,
    pub looks_out: bool,
    /// Whether it is on its way somewhere.
    pub goes: bool,
}

impl Actor {
    /// The id by which a stage is asked about the actor.
    pub fn id(&self) -> ActorId {
        self.id
    }

    /// True if it has been taken away: then it stays as it was last, and nobody sees it.
    pub fn is_gone(&self) -> bool {
        self.gone
    }

    /// The name of the actor in the scene.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its skeleton and the roles of its joints.
    pub fn character(&self) -> &Character {
        self.body.kind.character()
    }

    /// Its pose, with the root placed in the world.
    pub fn pose(&self) -> &[Transform] {
        self.riding.as_ref().map_or(self.body.pose(), PlatformRide::pose)
    }

    /// Every joint in the world.
    pub fn models(&self) -> &[Transform] {
        self.riding.as_ref().map_or(self.body.models(), PlatformRide::models)
    }

    /// The oriented disc of the actor: where it is, where it faces, how fast it goes and turns.
    pub fn disc(&self) -> &Disc {
        self.riding.as_ref().map_or(&self.body.disc, PlatformRide::disc)
    }

    /// Radius of the disc that its body needs.
    pub fn radius(&self) -> f32 {
        self.body.kind.radius
    }

    /// The contacts of the heel and the ball of a foot: true if down.
    ///
    /// # Panics
    /// If there is no such foot.
    pub fn contact(&self, foot: usize) -> [bool; 2] {
        self.body.contact(foot)
    }

    /// The current task in the words of a scene file; empty if it has nothing to do.
    pub fn doing(&self) -> &str {
        &self.behavior.doing.0
    }

    /// True if it has nothing to do.
    pub fn is_idle(&self) -> bool {
        matches!(self.behavior.task, ActorTask::Idle) && self.behavior.pending.is_none()
    }

    /// True if what it does has no end.
    pub fn is_endless(&self) -> bool {
        self.behavior.task.is_endless()
    }

    /// What is still missing of something without an end, of which as much is promised: a patrol has been to each of its places, and
    /// who follows has come up. In metres, or more for places; none if nothing is.
    pub(crate) fn owes(&self, all: &[Actor]) -> Option<(f32, String)> {
        match &self.behavior.task {
            ActorTask::Patrol { posts, next, going } if *next < posts.len() => {
                let left = going.as_ref().map_or(0.0, |going| going.way.left());
                let places = (posts.len() - next) as f32;
                let why = format!("it has been to {next} of {} places", posts.len());
                Some((1e6 * places + left, why))
            }
            ActorTask::Follow { whom, distance, .. } => {
                let other = all.get(*whom)?;
                let far = self.body.hips().position.distance(other.body.hips().position);
                let same = |actor: &&Actor| match &actor.behavior.task {
                    ActorTask::Follow { whom: other, .. } => other == whom && !actor.gone,
                    _ => false,
                };
                // Others who follow the same stand before it.
                let queue = all.iter().filter(same).count().saturating_sub(1) as f32;
                let slack = self.settings().behavior.came_up * (1.0 + 0.5 * queue);
                let why = || format!("it is {far:.1} m from {}", other.name());
                (far > distance + slack).then(|| (far, why()))
            }
            _ => None,
        }
    }

    /// The last place it was sent to.
    pub fn goal(&self) -> Option<Planar> {
        self.behavior.goal
    }

    /// The rest of the way that it goes, as `(x, z)`, a place every quarter of a metre; nothing if it goes nowhere, or rides.
    pub fn route(&self) -> impl Iterator<Item = Vec2> {
        let going = self.behavior.task.going().filter(|_| self.riding.is_none());
        going.into_iter().flat_map(|going| going.way.rest(0.25))
    }

    /// The footprints of the planned motion that it plays; none where feet are led on the fly.
    pub fn footprints(&self) -> &[PlannedFootprint] {
        let played = self.body.played().filter(|_| self.riding.is_none());
        played.map_or(&[], |played| &played.motion().footprints)
    }

    /// Whether every step it makes is planned, and has to be made.
    pub(crate) fn is_bound(&self) -> bool {
        self.body.is_physical() || self.behavior.task.going().is_some_and(|going| going.planned)
    }

    /// Whether it can be kept from going on: not at a run in the air, and turns on the spot are finished.
    pub(crate) fn may_wait(&self) -> bool {
        !(self.is_bound() || self.behavior.task.turns() || self.flies())
    }

    /// Whether it is in the air at a run.
    pub(crate) fn flies(&self) -> bool {
        !self.body.is_on_ground() && self.body.running() > 0.5
    }

    /// Whether walls are not minded already by a plan that leads it.
    pub(crate) fn minds_walls(&self) -> bool {
        self.body.played().is_none() && !matches!(self.behavior.task, ActorTask::Steer(_))
    }

    /// Stands at once, unless it cannot; whether it does.
    pub(crate) fn halt(&mut self) -> bool {
        // Turns on the spot stay where they are, and plans for uneven ground have to be kept to.
        let task = &self.behavior.task;
        let planned = task.going().is_some_and(|going| going.planned);
        if planned || task.turns() || self.flies() {
            return false;
        }
        if let Some(going) = self.behavior.task.going_mut()
            && going.step != TravelStep::Halting
        {
            going.step = TravelStep::Live;
        }
        self.body.halt();
        self.behavior.steering.halt();
        true
    }

    /// Takes note of everybody around it.
    pub(crate) fn look_around(&mut self, all: (&[VisibleActor], &Neighbours)) {
        if !self.gone {
            let (place, settings) = (self.body.disc.place.position, &self.body.kind.settings);
            self.behavior.see(self.id.number(), place, settings.behavior.sight, all);
            if !self.body.is_physical() {
                self.behavior.foresee(&self.body);
            }
        }
    }

    pub(crate) fn settings(&self) -> &StageSettings {
        &self.body.kind.settings
    }

    pub(crate) fn shared(&self) -> &Arc<ActorKind> {
        &self.body.kind
    }

    pub(crate) fn seen(&self) -> VisibleActor {
        let (hips, head) = (self.character().rig.hips, self.character().rig.head.unwrap_or(0));
        // As those see it who ride with it.
        let models = self.body.models();
        let hips = models[hips].translation;
        VisibleActor {
            place: self.body.disc.place.position,
            hips: Vec2::new(hips.x, hips.z),
            velocity: self.body.disc.velocity(),
            radius: self.radius(),
            present: !self.gone,
            head: models[head].translation,
            goes: self.behavior.task.going().is_some(),
            looks_out: self.behavior.task.looks_out()
                && !self.behavior.steering.is_standing(&self.settings().steering),
        }
    }
}
