//! How a character decides what to do next.

mod among;
mod flow;
mod plans;
mod tasks;
mod travel;

pub(crate) use among::is_alone;
pub(crate) use tasks::ActorTask;
pub(crate) use travel::{Destination, Stale, TravelStep, Travelling};

use super::actor::VisibleActor;
use super::avoid::{Other, Own};
use super::body::AnimatedBody;
use super::disc::{Gains, ahead, heading_of};
use super::floor::{Surroundings, walls_at};
use super::gates::Doorways;
use super::kind::ActorKind;
use super::neighbours::Neighbours;
use super::planning::PlanQueue;
use super::sensors::overhead;
use super::steering::{SpotTurn, Steering};
use crate::{
    CharacterSpec, Command, Event, EventKind, FootstepMethod, GazeTarget, RouteMethod,
    StageSettings, StageTimings,
};
use andante_plan::route::Network;
use andante_skeleton::Planar;
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// How gaits are led: what they can follow.
const GAINS: Gains =
    Gains { speed: 6.0, heading: 2.6, turn: 10.4, most_turn: 1.0, most_change: [1.2, 1.8] };

/// What a character was told, what it does about it, and what it has noticed.
#[derive(Clone, Debug)]
pub(crate) struct Behavior {
    pub task: ActorTask,
    /// What it does in words, and the order that told it to.
    pub doing: (String, Option<usize>),
    /// A command that has to wait until a foot is down.
    pub pending: Option<(Command, String, Option<usize>)>,
    /// The speed it was told to go at.
    pub speed: Option<f32>,
    /// How much faster than others of its kind it walks.
    pub vigour: f32,
    pub may_jump: bool,
    pub route_method: RouteMethod,
    pub footsteps: FootstepMethod,
    pub look: Option<GazeTarget>,
    pub ducking: bool,
    pub too_low: bool,
    pub blocked: bool,
    pub goal: Option<Planar>,
    pub others: Vec<Other>,
    pub steering: Steering,
}

impl Behavior {
    /// The behavior of a character that has been told nothing yet.
    pub fn new(part: &CharacterSpec, vigour: f32, settings: &StageSettings) -> Self {
        Self {
            task: ActorTask::Idle,
            doing: Default::default(),
            pending: None,
            speed: None,
            vigour,
            may_jump: part.jump,
            route_method: part.route,
            footsteps: part.footsteps,
            look: None,
            ducking: false,
            too_low: false,
            blocked: false,
            goal: None,
            others: Vec::new(),
            steering: Steering::new(&settings.steering),
        }
    }

    /// Stands elsewhere, and has noticed nothing there yet.
    pub fn stand(&mut self, settings: &StageSettings) {
        (self.ducking, self.too_low, self.blocked) = (false, false, false);
        (self.goal, self.steering) = (None, Steering::new(&settings.steering));
        self.others.clear();
    }

    /// The speed it goes at, in m/s.
    fn pace(&self, kind: &ActorKind, run: bool) -> f32 {
        let usual = if run { kind.settings.planner.run_pace } else { self.vigour * kind.walk };
        self.speed.unwrap_or(usual)
    }

    /// Finds out what somebody who is led by its gait will ask for when it decides, as long as that is nobody else's matter.
    pub fn foresee(&mut self, body: &AnimatedBody) {
        let led = |going: &&Travelling| going.step == TravelStep::Live;
        let Some(run) = self.task.going().filter(led).map(|going| going.run) else { return };
        let (kind, pace) = (&body.kind, self.pace(&body.kind, run));
        if let Some(going) = self.task.going_mut() {
            let (braking, pursuit) = (kind.settings.behavior.braking, &kind.settings.pursuit);
            going.way.foresee(&body.disc, pace, braking, pursuit);
        }
    }

    /// Takes note of everybody who is in sight of a place.
    pub fn see(
        &mut self,
        who: usize,
        place: Vec2,
        sight: f32,
        all: (&[VisibleActor], &Neighbours),
    ) {
        let (seen, near) = all;
        self.others.clear();
        near.each_within(place, sight, |index| {
            if index != who {
                self.others.push(Other::of(index, &seen[index]));
            }
        });
        self.others.sort_unstable_by_key(|other| other.who);
    }
}

/// Somebody who decides, the body it leads, and what is around it.
pub(crate) struct Decision<'a> {
    pub who: usize,
    /// The number of its kind.
    pub kind: usize,
    pub behavior: &'a mut Behavior,
    pub body: &'a mut AnimatedBody,
    pub time: f64,
    pub dt: f32,
    pub world: &'a mut Surroundings,
    pub gates: &'a mut Doorways,
    pub seen: &'a [VisibleActor],
    pub near: &'a Neighbours,
    pub events: &'a mut Vec<Event>,
    /// Orders that are over.
    pub ended: &'a mut Vec<usize>,
    pub planning: &'a mut PlanQueue,
    pub timings: &'a mut StageTimings,
}

impl Decision<'_> {
    /// Decides about the next step.
    pub fn think(&mut self) {
        if let Some((command, label, order)) = self.behavior.pending.take() {
            self.obey(command, label, order);
        }
        self.notice();
        if self.body.is_physical() {
            self.wait_for_forces();
        } else {
            self.work();
        }
    }

    pub fn tell(&mut self, kind: EventKind) {
        self.events.push(Event { time: self.time as f32, track: Some(self.who), kind });
    }

    pub fn settings(&self) -> &StageSettings {
        &self.body.kind.settings
    }

    pub fn place(&self) -> Vec2 {
        self.body.disc.place.position
    }

    fn radius(&self) -> f32 {
        self.body.kind.radius
    }

    /// The network of ways it gets through now.
    pub fn network(&mut self) -> Option<Arc<Network>> {
        self.world.network(self.kind, &self.body.kind, false).ok()
    }

    /// The network of ways it gets through around where it is.
    pub fn nearby(&mut self) -> Option<Arc<Network>> {
        let place = self.place();
        self.world.network_around(self.kind, &self.body.kind, place).ok()
    }

    /// The character as it is to whoever it avoids.
    pub fn avoiding(&self, wanted: Vec2) -> Own {
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
    fn lead(&mut self, heading: f32, speed: f32) -> Option<f32> {
        let stands = self.body.is_standing();
        self.lead_on(heading, speed, if stands { SpotTurn::Now } else { SpotTurn::Later })
    }

    /// The same for who may turn on the spot or not.
    fn lead_on(&mut self, heading: f32, speed: f32, turning: SpotTurn) -> Option<f32> {
        let network = self.nearby();
        let walls =
            network.as_ref().and_then(|network| walls_at(network, self.place(), self.body.floor()));
        let wish = self.avoiding(ahead(heading) * speed);
        let Behavior { steering, others, .. } = &mut *self.behavior;
        let settings = &self.body.kind.settings;
        let lead = steering.lead(&wish, others, walls, turning, self.dt, settings);
        let disc = &mut self.body.disc;
        disc.control(lead.heading, lead.speed, &GAINS, self.dt);
        // Nobody turns faster than it takes to go round.
        let most = 0.4 + 0.8 * disc.speed.max(0.0);
        disc.turn_rate = disc.turn_rate.clamp(-most, most);
        if lead.speed < 0.05 && disc.speed.abs() < 0.05 {
            (disc.speed, disc.turn_rate) = (0.0, 0.0);
        }
        lead.turn.then_some(lead.heading)
    }

    /// Keeps an eye on whom it looks at and on what hangs low.
    fn notice(&mut self) {
        let place = self.place();
        self.body.gaze = match self.behavior.look {
            Some(GazeTarget::Point(point)) => Some(point),
            Some(GazeTarget::Character(whom)) => {
                let seen = self.seen.get(whom.number()).filter(|seen| seen.present);
                seen.filter(|_| whom.number() != self.who).map(|seen| seen.head)
            }
            Some(GazeTarget::Heading(heading)) => {
                let to = 10.0 * ahead(heading);
                Some(Vec3::new(place.x + to.x, 1.5, place.y + to.y))
            }
            None => None,
        };
        if !self.world.obstacles.is_empty() {
            self.duck();
        }
    }

    fn duck(&mut self) {
        let stoop = &self.body.kind.stoop;
        let room = self.body.planned_room().unwrap_or_else(|| {
            let disc = &self.body.disc;
            let place = disc.place.position;
            let floor = self.world.height(place, self.body.floor() + 0.5).unwrap_or(0.0);
            let ahead = place + disc.ahead() * (disc.speed * stoop.settings().duck_seconds + 0.1);
            let above = floor + 0.5 * stoop.tall();
            overhead(&self.world.obstacles, place, ahead, self.body.kind.radius, above) - floor
        });
        let share = stoop.share(room);
        let ducks = self.body.ducks;
        let missing = if ducks { stoop.lowest() } else { stoop.tall() } - room;
        let is_low = share > 0.0 || self.body.is_below_something();
        self.body.bend = if ducks { share } else { 0.0 };
        let too_low = is_low && missing > 0.0;
        if too_low && !self.behavior.too_low {
            self.tell(EventKind::TooLow(missing));
        }
        let ducking = is_low && ducks;
        if ducking && !self.behavior.ducking {
            self.tell(EventKind::Ducked);
        } else if !is_low && self.behavior.ducking {
            self.tell(EventKind::Rose);
        }
        (self.behavior.too_low, self.behavior.ducking) = (too_low, ducking);
    }
}
