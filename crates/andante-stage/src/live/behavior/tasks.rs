//! What a character does: how commands begin, go on and end.

use super::travel::{Destination, Gone, Stale, TravelStep, Travelling};
use super::{Decision, GAINS, among, flow};
use crate::live::avoid;
use crate::live::disc::{Gains, ahead, heading_of};
use crate::live::floor::walls_at;
use crate::live::planning::PlanTicket;
use crate::live::steering::SpotTurn;
use crate::live::way::LiveRoute;
use crate::scene::STEP;
use crate::{Command, EventKind, GazeTarget, Waypoint};
use andante_plan::route::Walls;
use andante_skeleton::{Planar, rotation};
use glam::Vec2;

/// For a user's own input, which is followed at once.
const STEERED: Gains =
    Gains { speed: 12.0, heading: 0.0, turn: 12.0, most_turn: 3.0, most_change: [4.0, 5.0] };

/// What a character is doing.
#[derive(Clone, Debug)]
pub(crate) enum ActorTask {
    /// Nothing: it stands, or comes to a stand.
    Idle,
    /// It comes to a stop, and that is what it was told.
    Stop,
    /// It stands until a time.
    Wait(f64),
    /// It is to go somewhere, at a run or not, and has not found its way yet.
    Begin(Destination, bool),
    /// It goes somewhere.
    Go(Box<Travelling>),
    /// It turns on the spot, as soon as that is planned.
    Face { target: GazeTarget, asked: Option<PlanTicket>, begun: bool },
    /// It goes after somebody.
    Follow { whom: usize, distance: f32, way: LiveRoute, planned: f64 },
    /// From post to post.
    Patrol { posts: Vec<Waypoint>, next: usize, going: Option<Box<Travelling>> },
    /// A user leads it: speed and turn rate.
    Steer(Vec2),
}

impl ActorTask {
    /// The travel of the task, if it goes somewhere.
    pub fn going(&self) -> Option<&Travelling> {
        match self {
            Self::Go(going) | Self::Patrol { going: Some(going), .. } => Some(going),
            _ => None,
        }
    }

    pub fn going_mut(&mut self) -> Option<&mut Travelling> {
        match self {
            Self::Go(going) | Self::Patrol { going: Some(going), .. } => Some(going),
            _ => None,
        }
    }

    /// True if it looks out for others.
    pub fn looks_out(&self) -> bool {
        match self {
            Self::Follow { .. } => true,
            _ => self.going().is_some_and(|going| going.step == TravelStep::Live),
        }
    }

    /// True if it leads through a narrow passage.
    pub fn has_passages(&self) -> bool {
        self.going().is_some_and(|going| !going.passages.is_empty())
    }

    /// True if it has no end.
    pub fn is_endless(&self) -> bool {
        matches!(self, Self::Follow { .. } | Self::Patrol { .. } | Self::Steer(_))
    }

    /// True if it is to stand where it is.
    pub fn stands(&self) -> bool {
        matches!(self, Self::Idle | Self::Wait(_) | Self::Stop)
    }

    /// True if it turns on the spot or steps to where it was sent, which is finished once it has begun.
    pub fn turns(&self) -> bool {
        matches!(self, Self::Face { .. })
            || self.going().is_some_and(|going| {
                matches!(going.step, TravelStep::Turning | TravelStep::Settling)
            })
    }

    /// Begins again after forces have moved the body: from a walk, or from where it stands.
    pub fn resume(&mut self, walking: bool) {
        if let Self::Face { asked, begun, .. } = self {
            (*asked, *begun) = (None, false);
        }
        if let Some(going) = self.going_mut() {
            let live = walking && !going.planned;
            going.step = if live { TravelStep::Live } else { TravelStep::Halting };
            going.stale = Some(Stale::Pace);
        }
    }
}

impl Decision<'_> {
    /// Takes a command; what is under way is given up for it.
    pub fn obey(&mut self, command: Command, label: String, order: Option<usize>) {
        match command {
            Command::LookAt(target) => {
                self.behavior.look = target;
                return self.end(label, order);
            }
            Command::Speed(speed) => {
                self.behavior.speed = speed;
                // What is under way goes on at the new speed.
                if let Some(going) = self.behavior.task.going_mut() {
                    going.stale = Some(Stale::Pace);
                }
                return self.end(label, order);
            }
            _ => {}
        }
        if self.body.played().is_some() && !self.body.is_on_ground() {
            // In the air nothing can be changed.
            if let Some((_, label, order)) = self.behavior.pending.replace((command, label, order))
            {
                self.tell(EventKind::Interrupted(label));
                self.ended.extend(order);
            }
            return;
        }
        self.give_up();
        self.behavior.doing = (label.clone(), order);
        self.tell(EventKind::Began(label));
        let to = |to: Destination, run: bool| Ok(ActorTask::Begin(to, run));
        let begun = match command {
            Command::WalkTo(post) => to(Destination::Post(post), false),
            Command::RunTo(post) => to(Destination::Post(post), true),
            Command::Path(posts) => to(Destination::Path(posts), false),
            Command::Footprints(prints) => to(Destination::Footprints(prints), false),
            Command::Jump { from, to: over } => to(Destination::Jump { from, to: over }, true),
            Command::Face(target) => Ok(ActorTask::Face { target, asked: None, begun: false }),
            Command::Wait(seconds) => Ok(ActorTask::Wait(self.time + f64::from(seconds))),
            Command::Follow { whom, distance } if self.sees(whom.number()) => {
                let whom = whom.number();
                let (way, planned) = (LiveRoute::new(&[]), f64::NEG_INFINITY);
                Ok(ActorTask::Follow { whom, distance, way, planned })
            }
            Command::Follow { .. } => Err("there is nobody to follow".into()),
            Command::Patrol(posts) if !posts.is_empty() => {
                Ok(ActorTask::Patrol { posts, next: 0, going: None })
            }
            _ => Ok(ActorTask::Stop),
        };
        match begun {
            Ok(ActorTask::Begin(to, run)) => self.begin(to, run),
            Ok(task) => self.behavior.task = task,
            Err(reason) => self.fail(reason),
        }
    }

    /// Goes on with what it does. Tasks are taken out while they are worked on, and put back unless they are over.
    pub(super) fn work(&mut self) {
        match std::mem::replace(&mut self.behavior.task, ActorTask::Idle) {
            ActorTask::Idle => self.rest(),
            ActorTask::Stop => {
                self.behavior.task = ActorTask::Stop;
                self.rest();
                if self.body.is_standing() {
                    self.done();
                }
            }
            ActorTask::Wait(until) => {
                self.behavior.task = ActorTask::Wait(until);
                self.rest();
                if self.time >= until {
                    self.done();
                }
            }
            ActorTask::Begin(to, run) => {
                self.begin(to, run);
                if matches!(self.behavior.task, ActorTask::Begin(..))
                    && self.body.played().is_none()
                {
                    self.rest();
                }
            }
            ActorTask::Go(mut going) => match self.go(&mut going) {
                Gone::On => self.behavior.task = ActorTask::Go(going),
                Gone::There if !going.then.is_empty() => {
                    self.gates.forget(self.who);
                    self.begin(Destination::Path(going.then), going.run);
                }
                Gone::There => {
                    self.tell(EventKind::Arrived);
                    self.done();
                }
                Gone::Failed(reason) => self.fail(reason),
            },
            ActorTask::Face { target, asked, begun } => self.face(target, asked, begun),
            ActorTask::Patrol { posts, next, going } => self.patrol(posts, next, going),
            ActorTask::Follow { whom, distance, way, planned } => {
                self.follow(whom, distance, way, planned);
            }
            ActorTask::Steer(demand) => self.be_steered(demand),
        }
    }

    /// Time passes for those who are moved by forces, too, and so does their way.
    pub(super) fn wait_for_forces(&mut self) {
        match &mut self.behavior.task {
            ActorTask::Wait(until) if self.time >= *until => self.done(),
            ActorTask::Stop if self.body.is_safe() => self.done(),
            ActorTask::Begin(to, run) => {
                let (to, run) = (to.clone(), *run);
                self.begin(to, run);
            }
            ActorTask::Go(going) => going.way.follow(self.body.disc.place.position),
            _ => {}
        }
    }

    /// Looks for the way somewhere and goes there; later, if too many look for theirs in this step.
    fn begin(&mut self, to: Destination, run: bool) {
        if !self.planning.may_look(1) {
            self.behavior.task = ActorTask::Begin(to, run);
            return;
        }
        match self.route(to, run) {
            Ok(going) => {
                let end = going.then.last().map(|post| Planar::new(post.place, going.goal.heading));
                self.behavior.goal = Some(end.unwrap_or(going.goal));
                self.behavior.task = ActorTask::Go(Box::new(going));
            }
            Err(reason) => self.fail(reason),
        }
    }

    /// Whether somebody else of that number is there to be seen.
    fn sees(&self, whom: usize) -> bool {
        whom != self.who && self.seen.get(whom).is_some_and(|seen| seen.present)
    }

    /// Ends what is under way for something else.
    pub fn give_up(&mut self) {
        if matches!(self.behavior.task, ActorTask::Idle) {
            self.leave();
            return;
        }
        let (label, order) = self.leave();
        if !label.is_empty() {
            self.tell(EventKind::Interrupted(label));
        }
        self.ended.extend(order);
    }

    /// Does nothing from now on. Returns what it did.
    fn leave(&mut self) -> (String, Option<usize>) {
        self.gates.forget(self.who);
        self.behavior.blocked = false;
        self.behavior.task = ActorTask::Idle;
        std::mem::take(&mut self.behavior.doing)
    }

    /// An order has been carried out.
    fn end(&mut self, label: String, order: Option<usize>) {
        self.tell(EventKind::Done(label));
        self.ended.extend(order);
    }

    pub fn done(&mut self) {
        let (label, order) = self.leave();
        self.end(label, order);
    }

    pub fn fail(&mut self, reason: String) {
        let (label, order) = self.leave();
        self.tell(EventKind::Failed(format!("{label}: {reason}")));
        self.ended.extend(order);
    }

    /// Gives up what it was doing, because it cannot get up.
    pub fn fall_down(&mut self, why: &str) {
        if !matches!(self.behavior.task, ActorTask::Idle) {
            self.fail(why.into());
        }
    }

    /// A user's own speed and turn rate.
    pub fn steer(&mut self, speed: f32, turn_rate: f32) {
        let demand = Vec2::new(speed.clamp(-1.0, 8.0), turn_rate.clamp(-3.0, 3.0));
        if !matches!(self.behavior.task, ActorTask::Steer(_)) {
            self.give_up();
        }
        self.behavior.task = ActorTask::Steer(demand);
    }

    /// Is led by a user, but not into walls.
    fn be_steered(&mut self, demand: Vec2) {
        self.body.live();
        self.behavior.task = ActorTask::Steer(demand);
        let heading = self.body.disc.place.heading;
        let (network, floor) = (self.nearby(), self.body.floor());
        let own = self.avoiding(demand.x * ahead(heading));
        let walls = network.as_ref().and_then(|network| walls_at(network, own.place, floor));
        let most = avoid::safe_speed(&own, demand.x, &[], walls, 1.0, &self.settings().avoidance);
        let disc = &mut self.body.disc;
        disc.control(heading, most, &STEERED, self.dt);
        disc.turn_rate += (demand.y - disc.turn_rate) * (12.0 * self.dt).min(1.0);
    }

    /// Comes to a stand, and stands.
    pub(super) fn rest(&mut self) {
        if self.body.played().is_some() {
            if !self.body.is_on_ground() {
                return;
            }
            self.body.live();
        }
        let disc = &mut self.body.disc;
        disc.control(disc.place.heading, 0.0, &GAINS, self.dt);
        if disc.speed.abs() < 0.02 {
            (disc.speed, disc.turn_rate) = (0.0, 0.0);
        }
    }

    fn face(&mut self, target: GazeTarget, asked: Option<PlanTicket>, begun: bool) {
        if begun {
            self.behavior.task = ActorTask::Face { target, asked, begun };
            if self.body.played().is_none_or(|played| played.is_over()) {
                self.done();
            }
            return;
        }
        if !self.body.is_standing() {
            self.behavior.task = ActorTask::Face { target, asked: None, begun };
            return self.rest();
        }
        let asked = match asked {
            Some(asked) => asked,
            None => {
                let place = self.body.hips();
                let heading = self.heading_to(target, place);
                if rotation::wrap_angle(heading - place.heading).abs() < 0.01 {
                    return self.done();
                }
                match self.ask_step(Planar::new(place.position, heading)) {
                    Ok(asked) => asked,
                    Err(failure) => return self.fail(failure.to_string()),
                }
            }
        };
        match asked.poll(self.time) {
            None => {
                self.behavior.task = ActorTask::Face { target, asked: Some(asked), begun };
                self.rest();
            }
            Some(Ok(made)) => {
                // What it was told last counts.
                let heading = made.iter().map(|made| made.goal.heading).next();
                let goal = self.behavior.goal.zip(heading);
                self.behavior.goal = goal
                    .map(|(goal, heading)| Planar::new(goal.position, heading))
                    .or(self.behavior.goal);
                self.behavior.task = ActorTask::Face { target, asked: None, begun: true };
                if let Some(made) = made {
                    self.perform(&made);
                }
            }
            Some(Err(failure)) => self.fail(failure.to_string()),
        }
    }

    /// Where something is, from a place.
    fn heading_to(&self, target: GazeTarget, place: Planar) -> f32 {
        let to = |point: Vec2| {
            let offset = point - place.position;
            if offset.length() > 0.05 { heading_of(offset) } else { place.heading }
        };
        match target {
            GazeTarget::Heading(heading) => heading,
            GazeTarget::Point(point) => to(Vec2::new(point.x, point.z)),
            GazeTarget::Character(whom) => {
                self.seen.get(whom.number()).map_or(place.heading, |seen| to(seen.place))
            }
        }
    }

    fn patrol(&mut self, posts: Vec<Waypoint>, mut next: usize, going: Option<Box<Travelling>>) {
        let mut going = match going {
            Some(going) => going,
            None if !self.planning.may_look(1) => {
                self.behavior.task = ActorTask::Patrol { posts, next, going: None };
                return self.rest();
            }
            None => match self.next_of_patrol(&posts, next) {
                Ok(going) => Box::new(going),
                Err(reason) => return self.fail(reason),
            },
        };
        let gone = self.go(&mut going);
        let passed = std::mem::take(&mut going.passing.passed);
        let reached = match (&gone, &going.to) {
            // Who has missed a place on its way goes back for it.
            (Gone::There, Destination::Through(_)) if going.passing.left.len() > 1 => passed,
            (Gone::There, _) => passed + 1,
            _ => passed,
        };
        for _ in 0..reached {
            self.tell(EventKind::Arrived);
        }
        next += reached;
        let going = match gone {
            Gone::On => {
                flow::flow_on(self, &mut going, &posts, next);
                Some(going)
            }
            Gone::There => {
                self.gates.forget(self.who);
                None
            }
            Gone::Failed(reason) => return self.fail(reason),
        };
        self.behavior.task = ActorTask::Patrol { posts, next, going };
    }

    /// The way to the next places of a patrol, or to the next one alone if there is none through several.
    fn next_of_patrol(&mut self, posts: &[Waypoint], next: usize) -> Result<Travelling, String> {
        let alone = Destination::Post(posts[next % posts.len()]);
        if !flow::can_flow(self) {
            return self.route(alone, false);
        }
        let places = flow::next_places(self, posts, next, self.place());
        self.route(Destination::Through(places), false).or_else(|_| self.route(alone, false))
    }

    fn follow(&mut self, whom: usize, distance: f32, mut way: LiveRoute, mut planned: f64) {
        self.body.live();
        let Some(other) = self.seen.get(whom).copied().filter(|seen| seen.present) else {
            return self.fail("there is nobody to follow".into());
        };
        let place = self.place();
        let (network, floor) = (self.network(), self.body.floor());
        let walls = network.as_ref().and_then(|network| walls_at(network, place, floor));
        let there = self.world.height(other.place, other.head.y);
        let beside = there.is_none_or(|there| (there - floor).abs() < STEP);
        let is_open =
            |walls: &Walls| walls.is_free(place) && walls.edge_is_free(place, other.place);
        if beside && walls.is_none_or(is_open) {
            way.lead_along(&[place, other.place]);
        } else if self.time - planned > 0.5 && self.planning.may_look(1) {
            planned = self.time;
            // Whoever is followed may stand closer to a wall than one goes.
            let level = there.unwrap_or(floor);
            let around = network.as_ref().and_then(|network| walls_at(network, other.place, level));
            let near = around.and_then(|walls| walls.nearest_free(other.place));
            let to = Waypoint { height: there, ..Waypoint::at(near.unwrap_or(other.place)) };
            if let Ok(found) = self.way_to(to) {
                way = LiveRoute::new(&found);
            }
        }
        way.follow(place);
        let gap = way.left() - distance;
        let most = self.behavior.speed.unwrap_or(self.settings().planner.run_pace);
        let speed = (other.velocity.length() + 0.8 * gap).clamp(0.0, most);
        let wanted = if gap > 0.1 { speed } else { 0.0 };
        let pursuit = way.pursue(&self.body.disc, wanted, 2.0, &self.settings().pursuit);
        self.behavior.task = ActorTask::Follow { whom, distance, way, planned };
        // Nobody who follows turns on the spot: whoever goes elsewhere meanwhile is gone after in a bend.
        // Facing away it is slow, and goes round all the narrower.
        let off = self.body.disc.ahead().dot(ahead(pursuit.heading));
        let most = pursuit.speed.min(speed);
        let settings = self.settings();
        let least = most.min(1.3 * settings.steering.set_off_above);
        let speed = (most * off.clamp(0.25, 1.0)).max(least);
        // Who stands before a wall and wants to go elsewhere steps back now and then, until there is room for a bend.
        let own = self.avoiding(self.body.disc.ahead() * speed);
        let before = avoid::safe_speed(&own, speed, &[], walls, 0.0, &settings.avoidance);
        let stuck = self.behavior.steering.has_lost_patience(&settings.steering);
        let seconds = settings.behavior.back_seconds;
        if stuck && before < least && self.time.rem_euclid(3.0 * seconds) < seconds {
            let _ = among::go_back(self, -self.body.disc.ahead());
            return;
        }
        self.lead_on(pursuit.heading, speed, SpotTurn::Never);
    }
}
