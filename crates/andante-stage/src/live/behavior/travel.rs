//! Going somewhere: by a performance where the way is free, and by the gait among others.

use super::Decision;
use super::among;
use super::flow::{self, Passing};
use crate::Waypoint;
use crate::live::avoid::Other;
use crate::live::gates::{DoorwayTurn, Narrow};
use crate::live::planning::PlanTicket;
use crate::live::way::LiveRoute;
use andante_plan::steps::{PlacedFootprints, StepLeg};
use andante_skeleton::{Planar, rotation};
use glam::Vec2;
use std::f32::consts::PI;
use std::sync::Arc;

/// On the way somewhere.
#[derive(Clone, Debug)]
pub(crate) struct Travelling {
    pub to: Destination,
    /// Whether it runs.
    pub run: bool,
    pub way: LiveRoute,
    /// The way leg by leg, if it was told.
    pub told: Option<Vec<StepLeg>>,
    pub passages: Vec<Narrow>,
    /// Where it ends, and how it faces there.
    pub goal: Planar,
    /// Whether nothing but a planned performance can do it: jumps, or ground that is not level.
    pub planned: bool,
    pub step: TravelStep,
    /// A plan that it waits for, and what begins with it.
    pub asked: Option<(PlanTicket, TravelStep)>,
    /// When it last came forward, and how far it was.
    pub progress: (f64, f32),
    /// When it may next try to go over to a performance.
    pub again: f64,
    /// How often it has looked for a way around others.
    pub detours: usize,
    /// When it may next look for a way around those who stand in its way.
    pub around: f64,
    /// Whether others are in its way and it does not get ahead.
    pub stuck: bool,
    /// Where it goes back to make room, and until when.
    pub back: Option<(Vec2, f64)>,
    /// When it may next turn or step on the spot.
    pub shuffle: f64,
    /// How often that could not be done.
    pub tries: usize,
    /// What has changed since it was planned.
    pub stale: Option<Stale>,
    /// What is left when it has come to the end of its way: behind a corner that is turned round on the spot.
    pub then: Vec<Waypoint>,
    /// The places that it passes.
    pub passing: Passing,
}

/// What makes a plan an old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stale {
    /// Something stands elsewhere.
    World,
    /// Its speed, or how it moves.
    Pace,
}

/// Where somebody goes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Destination {
    Post(Waypoint),
    /// Along a line as it was drawn.
    Path(Vec<Waypoint>),
    /// From place to place without a stop, each by the shortest way.
    Through(Vec<Waypoint>),
    Jump {
        from: Vec2,
        to: Vec2,
    },
    Footprints(Vec<PlacedFootprints>),
}

/// How far along a character is with going somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TravelStep {
    /// It comes to a stand, so that it can be planned from there.
    Halting,
    /// It is led by its gait.
    Live,
    /// It turns on the spot before it goes on.
    Turning,
    /// A performance brings it there.
    Performing,
    /// The last performance, which puts it exactly where it has to be.
    Settling,
}

/// What became of going.
pub(super) enum Gone {
    On,
    There,
    Failed(String),
}

impl Travelling {
    /// A trip by a way that was found.
    pub fn new(to: Destination, run: bool, way: LiveRoute, goal: Planar, time: f64) -> Self {
        let left = match &to {
            Destination::Path(posts) | Destination::Through(posts) => posts.clone(),
            _ => Vec::new(),
        };
        Self {
            passing: Passing::new(left),
            to,
            run,
            way,
            told: None,
            passages: Vec::new(),
            goal,
            planned: false,
            step: TravelStep::Halting,
            asked: None,
            progress: (time, 0.0),
            again: time,
            detours: 0,
            around: time,
            stuck: false,
            back: None,
            shuffle: time,
            tries: 0,
            stale: None,
            then: Vec::new(),
        }
    }

    /// The destination that is left: a path without the places that it has passed.
    pub fn ahead(&self) -> Destination {
        match &self.to {
            Destination::Path(_) => Destination::Path(self.passing.left.clone()),
            Destination::Through(_) => Destination::Through(self.passing.left.clone()),
            other => other.clone(),
        }
    }

    /// True if it has to face a certain way in the end.
    pub fn faces(&self) -> bool {
        match &self.to {
            Destination::Post(post) => post.heading.is_some(),
            Destination::Through(_) => {
                self.passing.left.last().is_some_and(|post| post.heading.is_some())
            }
            _ => false,
        }
    }
}

impl Decision<'_> {
    pub(super) fn go(&mut self, going: &mut Travelling) -> Gone {
        flow::follow(self, going);
        if let Some(why) = going.stale.take()
            && let Err(reason) = self.replan(going, why)
        {
            return Gone::Failed(reason);
        }
        if let Some(gone) = self.receive(going) {
            return gone;
        }
        if going.asked.is_some() && going.step != TravelStep::Performing {
            // Meanwhile nobody expects to get ahead.
            going.progress.0 += f64::from(self.dt);
            let plays_on =
                going.asked.as_ref().is_some_and(|(asked, _)| asked.leaves_at().is_some());
            if !plays_on {
                self.rest();
            }
            return Gone::On;
        }
        match self.go_on(going) {
            // What has just been asked for may be there at once.
            Gone::On => self.receive(going).unwrap_or(Gone::On),
            gone => gone,
        }
    }

    fn go_on(&mut self, going: &mut Travelling) -> Gone {
        let over = self.body.played().is_none_or(|played| played.is_over());
        match going.step {
            TravelStep::Performing | TravelStep::Settling => {
                if over {
                    self.body.live();
                    return Gone::There;
                }
                if !going.planned
                    && going.step == TravelStep::Performing
                    && (among::has_to_wait(self, going) || among::would_collide(self))
                {
                    self.go_live(going, 1.5);
                }
                Gone::On
            }
            TravelStep::Turning => {
                going.progress.0 += f64::from(self.dt);
                let least = self.settings().behavior.turned;
                // Nobody who wants to go on waits until the last of a turn has settled.
                if over || self.body.played().is_some_and(|played| played.has_turned(least)) {
                    self.go_on_live();
                    going.step = TravelStep::Live;
                }
                Gone::On
            }
            TravelStep::Halting => self.set_off(going),
            TravelStep::Live => self.walk_on(going),
        }
    }

    /// Goes over to the gait, and goes on as it went.
    fn go_on_live(&mut self) {
        self.body.live();
        let velocity = self.body.disc.velocity();
        self.behavior.steering.resume(velocity, &self.body.kind.settings.steering);
    }

    /// The same on the way somewhere; it does not try anything else for some seconds.
    pub(super) fn go_live(&mut self, going: &mut Travelling, seconds: f64) {
        self.go_on_live();
        going.asked = None;
        going.step = TravelStep::Live;
        if going.passing.is_timed() {
            flow::lead_on(self, going);
        }
        going.progress = (self.time, going.way.at());
        going.again = self.time + seconds;
    }

    /// Begins to go: by a performance if the way is its own.
    fn set_off(&mut self, going: &mut Travelling) -> Gone {
        if going.planned || among::is_alone(self, going) {
            match self.ask_trip(going) {
                Ok(true) => return Gone::On,
                Ok(false) if going.planned => {
                    self.rest();
                    return Gone::On;
                }
                Err(reason) if going.planned => return Gone::Failed(reason),
                _ => {}
            }
        }
        self.go_live(going, 0.5);
        Gone::On
    }

    /// Goes on by the gait.
    fn walk_on(&mut self, going: &mut Travelling) -> Gone {
        self.body.live();
        let kind = Arc::clone(&self.body.kind);
        let settings = &kind.settings.behavior;
        let place = self.place();
        let standing = self.body.is_standing();
        let turns = !going.then.is_empty() && flow::can_flow(self);
        let left = if turns { going.way.end() } else { going.goal.position }.distance(place);
        if left < settings.arrived && going.way.left() < 2.0 * settings.arrived {
            if !turns {
                return self.come_to_rest(going);
            }
            flow::turn_corner(self, going);
        }
        let (way, passages) = (&going.way, &going.passages);
        let passage = self.gates.pass(self.who, place, way, passages, kind.radius, going.stuck);
        if let DoorwayTurn::Back(out) = passage {
            let turn = among::go_back(self, out);
            if let Some(heading) = turn.filter(|_| self.body.is_standing()) {
                let foothold = among::foothold(self, going.tries).0;
                self.turn(going, Planar::new(foothold, heading));
            }
            return among::mind_progress(self, going, true);
        }
        if let Some((out, until)) = going.back {
            let _ = among::go_back(self, out);
            going.back = going.back.filter(|_| self.time < until);
            return among::mind_progress(self, going, false);
        }
        // Once nobody is in the way any more of somebody who stands, the rest is planned.
        let free = passage == DoorwayTurn::Free && going.way.left() > 1.0;
        if free && standing && self.time >= going.again {
            going.again = self.time + 0.5;
            if among::is_alone(self, going) && matches!(self.ask_trip(going), Ok(true)) {
                self.behavior.blocked = false;
                return Gone::On;
            }
        }
        self.pursue(going, passage, left)
    }

    /// Follows its way among others, around those who stand in it.
    fn pursue(&mut self, going: &mut Travelling, passage: DoorwayTurn, left: f32) -> Gone {
        let kind = Arc::clone(&self.body.kind);
        let settings = &kind.settings.behavior;
        let standing = self.body.is_standing();
        let pace = self.pace(going.run);
        let follow = |going: &Travelling, own: &Self| {
            going.way.pursue(&own.body.disc, pace, settings.braking, &kind.settings.pursuit)
        };
        let mut pursuit = follow(going, self);
        let room = among::room(self, going, passage, left);
        let waits = room < if standing { settings.shuffle } else { 0.05 };
        if !waits && self.time >= going.around {
            going.around = self.time + settings.around_seconds;
            if among::is_stood_in(self, going) && among::detour(self, going).is_some() {
                pursuit = follow(going, self);
            }
        }
        let disc = &self.body.disc;
        let slow = (2.0 * settings.braking * (room - settings.lag * disc.speed).max(0.0)).sqrt();
        let speed = if waits { 0.0 } else { pursuit.speed.min(slow) };
        let off = rotation::wrap_angle(pursuit.heading - disc.place.heading);
        let soon = self.planning.has_room(self.time);
        let free = standing && !waits && !going.stuck && soon;
        let about = (free && off.abs() > settings.about).then_some(pursuit.heading);
        // Who would have to wait long to turn on the spot goes round in a bend.
        let most = if soon { PI } else { 0.9 * kind.settings.steering.stop_turn };
        let turn = self.lead(disc.place.heading + off.clamp(-most, most), speed).or(about);
        if standing {
            let (foothold, pressed) = among::foothold(self, going.tries);
            let turn = turn.or((pressed && !waits).then_some(pursuit.heading));
            if let Some(heading) = turn {
                self.turn(going, Planar::new(foothold, heading));
                if going.asked.is_none() {
                    among::make_room(self, going);
                }
            }
        }
        among::mind_progress(self, going, waits)
    }

    /// The speed it goes at, in m/s.
    pub(super) fn pace(&self, run: bool) -> f32 {
        self.behavior.pace(&self.body.kind, run)
    }

    /// The last steps: to a stand, and then exactly where and how it has to stand.
    fn come_to_rest(&mut self, going: &mut Travelling) -> Gone {
        let settings = self.settings().behavior;
        self.gates.forget(self.who);
        if !self.body.is_standing() {
            let disc = &self.body.disc;
            let pursuit = going.way.pursue(disc, 0.8, settings.braking, &self.settings().pursuit);
            let close = going.goal.position.distance(self.place()) < 0.12;
            let speed = if close { 0.0 } else { pursuit.speed };
            self.lead(disc.place.heading, speed);
            if self.time - going.progress.0 > settings.patience {
                self.rest();
            }
            return Gone::On;
        }
        // Whoever may face anywhere stays as they came.
        self.face_as(going, self.body.hips().heading);
        let room = |other: &Other| self.radius() + other.radius - settings.touching;
        let taken = |other: &Other| other.place.distance(going.goal.position) < room(other);
        if self.behavior.others.iter().any(taken) {
            return among::mind_progress(self, going, false);
        }
        match self.shuffle(going, going.goal, TravelStep::Settling) {
            Ok(()) if going.asked.is_some() => Gone::On,
            Ok(()) => among::mind_progress(self, going, false),
            Err(reason) => Gone::Failed(reason),
        }
    }
}
