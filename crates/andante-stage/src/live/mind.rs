//! How a character decides what to do next.

use super::actor::{Actor, Seen};
use super::avoid::{self, Other, Own};
use super::body::Played;
use super::disc::{Gains, ahead, heading_of};
use super::floor::{Route, Surroundings, find, walls_at, way_of};
use super::gates::{Gates, Passage};
use super::join::{Joined, join};
use super::kind::Kind;
use super::posture::DUCK_SECONDS;
use super::sensors::overhead;
use super::task::{Destination, Going, Step, Task, destination};
use super::way::Way;
use crate::{Command, Event, EventKind, Target};
use andante_plan::steps::{Jump, Leg, StepOptions};
use andante_skeleton::{Planar, rotation};
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// Speed of those who run, in m/s.
const RUN: f32 = 2.6;

/// How gaits are led: what they can follow.
const GAINS: Gains =
    Gains { speed: 6.0, heading: 2.6, turn: 10.4, most_turn: 1.0, most_change: [1.2, 1.8] };

/// For a user's own input, which is followed at once.
const STEERED: Gains =
    Gains { speed: 12.0, heading: 0.0, turn: 12.0, most_turn: 3.0, most_change: [4.0, 5.0] };

/// Bodies are braked for the end of their way at this, in m/s².
const BRAKING: f32 = 1.1;

/// Others farther away than this do not matter, in metres.
const SIGHT: f32 = 5.0;

/// This close to its goal somebody has arrived, in metres.
const ARRIVED: f32 = 0.3;

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

/// Ways around are no longer than this at first, in metres.
const FARTHER: f32 = 3.0;

/// Goals are taken by those who stand closer than touching, by so many metres; room that is left for them to leave;
/// and how near to the goal somebody minds, in metres.
const TAKEN: f32 = 0.12;
const LEAVING: f32 = 0.9;
const MINDED: f32 = 2.5;

/// Whoever waits goes no closer for less than this, in metres.
const SHUFFLE: f32 = 0.5;

/// Seconds until brakes take hold.
const LAG: f32 = 0.3;

/// Somebody who stands and has to turn by more than this does so on the spot, in radians.
const ABOUT: f32 = 1.0;

/// So many metres before it has to wait a body begins to brake.
const BRAKES: f32 = 1.5;

/// How fast somebody goes back, in m/s.
const BACK: f32 = 0.5;

/// Somebody who stands closer to a wall than they should by this steps aside before anything else, in metres, and so
/// much farther.
const PRESSED: f32 = 0.02;
const ASIDE: f32 = 0.05;

/// Room that others are left by somebody who turns on the spot, in metres.
const ELBOWS: f32 = 0.06;

/// Hips that turn on the spot come no deeper into others, in metres, unless somebody has been stuck so many times.
const TOUCHING: f32 = 0.01;
const DESPERATE: usize = 40;

/// Steps away from others may sway to them by this, in metres.
const SWAY: f32 = 0.01;

/// Seconds of a step back.
const A_STEP: f64 = 0.7;

/// Straight ground before and behind a jump, in metres.
const RUN_UP: f32 = 2.5;
const RUN_OUT: f32 = 3.0;

/// Plans that are made in one step of the stage.
pub(crate) const PLANS: usize = 2;

/// What is around somebody who decides.
pub(crate) struct Context<'a> {
    pub time: f64,
    pub dt: f32,
    pub world: &'a mut Surroundings,
    pub gates: &'a mut Gates,
    pub seen: &'a [Seen],
    pub events: &'a mut Vec<Event>,
    /// Orders that are over.
    pub ended: &'a mut Vec<usize>,
    /// Plans that may still be made in this step.
    pub plans: usize,
}

impl Context<'_> {
    fn tell(&mut self, who: usize, kind: EventKind) {
        self.events.push(Event { time: self.time as f32, track: Some(who), kind });
    }
}

impl Actor {
    /// Takes a command; what is under way is given up for it.
    pub(crate) fn obey(
        &mut self,
        who: usize,
        command: Command,
        label: String,
        order: Option<usize>,
        ctx: &mut Context,
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
                    going.stale = true;
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
            (_, Some((to, run))) => self.route(to, run, ctx).map(|going| Task::Go(Box::new(going))),
            (Command::Face(target), _) => Ok(Task::Face { target: *target, begun: false }),
            (Command::Wait(seconds), _) => Ok(Task::Wait(ctx.time + f64::from(*seconds))),
            (Command::Follow { whom, distance }, _) if *whom != who && *whom < ctx.seen.len() => {
                let (whom, distance) = (*whom, *distance);
                Ok(Task::Follow { whom, distance, way: Way::new(&[]), planned: f64::NEG_INFINITY })
            }
            (Command::Follow { .. }, _) => Err("there is nobody to follow".into()),
            (Command::Patrol(posts), _) if !posts.is_empty() => {
                Ok(Task::Patrol { posts: posts.clone(), next: 0, going: None })
            }
            _ => Ok(Task::Stop),
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
    fn give_up(&mut self, who: usize, ctx: &mut Context) {
        ctx.gates.forget(who);
        self.blocked = false;
        if matches!(self.task, Task::Idle) {
            return;
        }
        self.task = Task::Idle;
        let (label, order) = std::mem::take(&mut self.doing);
        if !label.is_empty() {
            ctx.tell(who, EventKind::Interrupted(label));
        }
        ctx.ended.extend(order);
    }

    fn done(&mut self, who: usize, ctx: &mut Context) {
        ctx.gates.forget(who);
        self.blocked = false;
        self.task = Task::Idle;
        let (label, order) = std::mem::take(&mut self.doing);
        ctx.tell(who, EventKind::Done(label));
        ctx.ended.extend(order);
    }

    fn fail(&mut self, who: usize, reason: String, ctx: &mut Context) {
        ctx.gates.forget(who);
        self.blocked = false;
        self.task = Task::Idle;
        let (label, order) = std::mem::take(&mut self.doing);
        ctx.tell(who, EventKind::Failed(format!("{label}: {reason}")));
        ctx.ended.extend(order);
    }

    /// Gives up what it was doing, because it lies and cannot get up.
    pub(crate) fn fall_down(&mut self, who: usize, ctx: &mut Context) {
        if !matches!(self.task, Task::Idle) {
            self.fail(who, "it lies on the ground".into(), ctx);
        }
    }

    /// A user's own speed and turn rate.
    pub(crate) fn steer(&mut self, who: usize, speed: f32, turn_rate: f32, ctx: &mut Context) {
        if !(speed.is_finite() && turn_rate.is_finite()) {
            return;
        }
        let demand = Vec2::new(speed.clamp(-1.0, 8.0), turn_rate.clamp(-3.0, 3.0));
        if let Task::Steer(own) = &mut self.task {
            *own = demand;
        } else {
            self.give_up(who, ctx);
            self.task = Task::Steer(demand);
        }
    }

    /// The way somewhere.
    fn route(&self, to: Destination, run: bool, ctx: &mut Context) -> Result<Going, String> {
        let kind = Arc::clone(self.shared());
        let from = self.body.disc.place.position;
        let network = |ctx: &mut Context, jumps: bool| {
            ctx.world.network(self.kind, &kind, jumps).map_err(|error| error.to_string())
        };
        let (route, goal) = match &to {
            Destination::Post(post) => {
                let network = network(ctx, run && self.may_jump)?;
                let route = find(&network, &kind, from, post).map_err(|none| none.to_string())?;
                let heading = post.heading.unwrap_or(route.headings.1);
                (route, Planar::new(post.place, heading))
            }
            Destination::Path(places) => {
                let network = network(ctx, false)?;
                let walls = walls_at(&network, from);
                let mut all = vec![from];
                all.extend_from_slice(places);
                let blocked = |pair: &[Vec2]| {
                    walls.is_some_and(|walls| {
                        !walls.edge_is_free(pair[0], pair[1]) && walls.is_free(pair[0])
                    })
                };
                if let Some(pair) = all.windows(2).find(|pair| blocked(pair)) {
                    let [a, b] = [pair[0], pair[1]];
                    return Err(format!(
                        "the path is blocked between [{:.2}, {:.2}] and [{:.2}, {:.2}]",
                        a.x, a.y, b.x, b.y
                    ));
                }
                let legs = vec![Leg::Walk(all)];
                let way = way_of(&legs);
                let last = heading_of(way.direction(way.length()));
                let goal = Planar::new(way.end(), last);
                (Route { headings: (last, last), way, legs, jumps: false }, goal)
            }
            Destination::Jump { from: off, to } => {
                let network = network(ctx, false)?;
                let direction = (*to - *off).normalize_or(Vec2::Y);
                let (before, after) = (*off - direction * RUN_UP, *to + direction * RUN_OUT);
                let post = crate::Post { place: before, height: None, heading: None };
                let mut route =
                    find(&network, &kind, from, &post).map_err(|none| none.to_string())?;
                route.legs.push(Leg::Walk(vec![before, *off]));
                route.legs.push(Leg::Jump(Jump { from: *off, to: *to, clip: None }));
                route.legs.push(Leg::Walk(vec![*to, after]));
                route.way = way_of(&route.legs);
                route.jumps = true;
                (route, Planar::new(after, heading_of(direction)))
            }
        };
        let network = network(ctx, false)?;
        let planned = route.jumps || !ctx.world.is_level();
        let passages = match walls_at(&network, from) {
            Some(walls) if !planned => ctx.gates.along(&route.way, walls, kind.radius),
            _ => Vec::new(),
        };
        Ok(Going {
            to,
            run,
            way: route.way,
            legs: route.legs,
            passages,
            goal,
            planned,
            step: Step::Halting,
            progress: (ctx.time, 0.0),
            again: ctx.time,
            detours: 0,
            around: ctx.time,
            stuck: false,
            back: None,
            shuffle: ctx.time,
            tries: 0,
            stale: false,
        })
    }

    /// Decides about the next step.
    pub(crate) fn think(&mut self, who: usize, ctx: &mut Context) {
        if let Some((command, label, order)) = self.pending.take() {
            self.obey(who, command, label, order, ctx);
        }
        self.notice(who, ctx);
        if self.body.is_physical() {
            return;
        }
        self.perform_on(ctx);
        // Tasks are taken out while they are worked on, and put back unless they are over.
        match std::mem::replace(&mut self.task, Task::Idle) {
            Task::Idle => self.rest(ctx.dt),
            Task::Stop => {
                self.task = Task::Stop;
                self.rest(ctx.dt);
                if self.body.is_standing() {
                    self.done(who, ctx);
                }
            }
            Task::Wait(until) => {
                self.task = Task::Wait(until);
                self.rest(ctx.dt);
                if ctx.time >= until {
                    self.done(who, ctx);
                }
            }
            Task::Face { target, begun } => self.face(who, target, begun, ctx),
            Task::Go(mut going) => match self.go(who, &mut going, ctx) {
                Gone::On => self.task = Task::Go(going),
                Gone::There => {
                    ctx.tell(who, EventKind::Arrived);
                    self.done(who, ctx);
                }
                Gone::Failed(reason) => self.fail(who, reason, ctx),
            },
            Task::Patrol { posts, next, going } => self.patrol(who, posts, next, going, ctx),
            Task::Follow { whom, distance, way, planned } => {
                self.follow(who, whom, distance, way, planned, ctx);
            }
            Task::Steer(demand) => {
                self.body.live();
                self.task = Task::Steer(demand);
                let heading = self.body.disc.place.heading;
                let walls = self.network(ctx);
                let own = self.own(demand.x * ahead(heading));
                let walls = walls.as_ref().and_then(|network| walls_at(network, own.place));
                let most = avoid::safe_speed(&own, &[], walls, 1.0);
                self.body.disc.control(heading, demand.x.min(most), &STEERED, ctx.dt);
                self.body.disc.turn_rate +=
                    (demand.y - self.body.disc.turn_rate) * (12.0 * ctx.dt).min(1.0);
            }
        }
    }

    /// Keeps an eye on others and on what hangs low.
    fn notice(&mut self, who: usize, ctx: &mut Context) {
        let place = self.body.disc.place.position;
        self.others.clear();
        for (index, seen) in ctx.seen.iter().enumerate() {
            if index != who && seen.place.distance_squared(place) < SIGHT * SIGHT {
                let share = if seen.looks_out { 0.5 } else { 0.0 };
                let (place, velocity) = (seen.place, seen.velocity);
                self.others.push(Other { place, velocity, radius: seen.radius, share });
            }
        }
        self.body.gaze = match self.look {
            Some(Target::Point(point)) => Some(point),
            Some(Target::Character(whom)) => {
                ctx.seen.get(whom).filter(|_| whom != who).map(|seen| seen.head)
            }
            Some(Target::Heading(heading)) => {
                let to = 10.0 * ahead(heading);
                Some(Vec3::new(place.x + to.x, 1.5, place.y + to.y))
            }
            None => None,
        };
        self.duck(who, ctx);
    }

    fn duck(&mut self, who: usize, ctx: &mut Context) {
        if ctx.world.obstacles.is_empty() {
            return;
        }
        let stoop = &self.body.kind.stoop;
        let room = self.body.planned_room().unwrap_or_else(|| {
            let disc = &self.body.disc;
            let place = disc.place.position;
            let floor = ctx.world.height(place, self.body.floor() + 0.5).unwrap_or(0.0);
            let ahead = place + disc.ahead() * (disc.speed * DUCK_SECONDS + 0.1);
            let above = floor + 0.5 * stoop.tall();
            overhead(&ctx.world.obstacles, place, ahead, self.body.kind.radius, above) - floor
        });
        let share = stoop.share(room);
        let missing = stoop.lowest() - room;
        self.body.bend = if self.ducks { share } else { 0.0 };
        let is_low = share > 0.0 || self.body.is_below_something();
        let missing = if self.ducks { missing } else { stoop.tall() - room };
        if is_low && missing > 0.0 && !self.too_low {
            ctx.tell(who, EventKind::TooLow(missing));
        }
        self.too_low = is_low && missing > 0.0;
        if is_low && self.ducks && !self.ducking {
            ctx.tell(who, EventKind::Ducked);
        } else if !is_low && self.ducking {
            ctx.tell(who, EventKind::Rose);
        }
        self.ducking = is_low && self.ducks;
    }

    /// Comes to a stand, and stands.
    fn rest(&mut self, dt: f32) {
        if self.body.played().is_some() {
            if !self.body.is_on_ground() {
                return;
            }
            self.body.live();
        }
        let heading = self.body.disc.place.heading;
        self.body.disc.control(heading, 0.0, &GAINS, dt);
        if self.body.disc.speed.abs() < 0.02 {
            (self.body.disc.speed, self.body.disc.turn_rate) = (0.0, 0.0);
        }
    }

    fn face(&mut self, who: usize, target: Target, begun: bool, ctx: &mut Context) {
        self.task = Task::Face { target, begun };
        if begun {
            if self.body.played().is_none_or(|played| played.is_over()) {
                self.done(who, ctx);
            }
            return;
        }
        if !self.body.is_standing() {
            self.rest(ctx.dt);
            return;
        }
        let place = self.body.hips();
        let to = |point: Vec2| {
            let offset = point - place.position;
            if offset.length() > 0.05 { heading_of(offset) } else { place.heading }
        };
        let heading = match target {
            Target::Heading(heading) => heading,
            Target::Point(point) => to(Vec2::new(point.x, point.z)),
            Target::Character(whom) => {
                ctx.seen.get(whom).map_or(place.heading, |seen| to(seen.place))
            }
        };
        if rotation::wrap_angle(heading - place.heading).abs() < 0.01 {
            self.done(who, ctx);
            return;
        }
        match self.plan(&[], Planar::new(place.position, heading), false, ctx) {
            Planned::Made => {
                // What it was told last counts.
                self.goal = self.goal.map(|goal| Planar::new(goal.position, heading));
                self.task = Task::Face { target, begun: true };
            }
            Planned::Later => {}
            Planned::Refused(reason) => self.fail(who, reason, ctx),
        }
    }

    fn patrol(
        &mut self,
        who: usize,
        posts: Vec<crate::Post>,
        mut next: usize,
        going: Option<Box<Going>>,
        ctx: &mut Context,
    ) {
        let mut going = match going {
            Some(going) => going,
            None => match self.route(Destination::Post(posts[next % posts.len()]), false, ctx) {
                Ok(going) => Box::new(going),
                Err(reason) => return self.fail(who, reason, ctx),
            },
        };
        let gone = self.go(who, &mut going, ctx);
        let going = match gone {
            Gone::On => Some(going),
            Gone::There => {
                ctx.tell(who, EventKind::Arrived);
                ctx.gates.forget(who);
                next += 1;
                None
            }
            Gone::Failed(reason) => return self.fail(who, reason, ctx),
        };
        self.task = Task::Patrol { posts, next, going };
    }

    fn follow(
        &mut self,
        who: usize,
        whom: usize,
        distance: f32,
        mut way: Way,
        mut planned: f64,
        ctx: &mut Context,
    ) {
        self.body.live();
        let Some(other) = ctx.seen.get(whom).copied() else {
            return self.fail(who, "there is nobody to follow".into(), ctx);
        };
        let place = self.body.disc.place.position;
        let network = self.network(ctx);
        let walls = network.as_ref().and_then(|network| walls_at(network, place));
        if walls.is_none_or(|walls| walls.edge_is_free(place, other.place) || !walls.is_free(place))
        {
            way.lead_along(&[place, other.place]);
        } else if ctx.time - planned > 0.5 {
            planned = ctx.time;
            let post = crate::Post { place: other.place, height: None, heading: None };
            if let Some(route) =
                network.as_ref().and_then(|network| find(network, self.shared(), place, &post).ok())
            {
                way = route.way;
            }
        }
        way.follow(place);
        let gap = way.left() - distance;
        let most = self.speed.unwrap_or(RUN);
        let speed = (other.velocity.length() + 0.8 * gap).clamp(0.0, most);
        let pursuit = way.pursue(&self.body.disc, if gap > 0.1 { speed } else { 0.0 }, 2.0);
        self.task = Task::Follow { whom, distance, way, planned };
        self.lead(pursuit.heading, pursuit.speed.min(speed), ctx);
    }

    fn network(&self, ctx: &mut Context) -> Option<Arc<andante_plan::route::Network>> {
        let kind: &Kind = self.shared();
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
    fn lead(&mut self, heading: f32, speed: f32, ctx: &mut Context) -> Option<f32> {
        let network = self.network(ctx);
        let place = self.body.disc.place.position;
        let walls = network.as_ref().and_then(|network| walls_at(network, place));
        let own = self.own(ahead(heading) * speed);
        let can_turn = self.body.is_standing();
        let lead = self.steering.lead(&own, &self.others, walls, can_turn, ctx.dt);
        self.body.disc.control(lead.heading, lead.speed, &GAINS, ctx.dt);
        // Nobody turns faster than it takes to go round.
        let most = 0.4 + 0.8 * self.body.disc.speed.max(0.0);
        self.body.disc.turn_rate = self.body.disc.turn_rate.clamp(-most, most);
        if lead.speed < 0.05 && self.body.disc.speed.abs() < 0.05 {
            (self.body.disc.speed, self.body.disc.turn_rate) = (0.0, 0.0);
        }
        lead.turn.then_some(lead.heading)
    }

    /// Turns on the spot. Whoever cannot where they are steps away first, as they stand.
    fn turn(&mut self, going: &mut Going, mut to: Planar, ctx: &mut Context) {
        if going.tries % 8 >= 4 {
            to.heading = self.body.hips().heading;
        }
        if matches!(self.shuffle(going, to, ctx), Planned::Made) {
            going.step = Step::Turning;
        }
    }

    /// Turns or steps on the spot among others: not into those who stand there, unless there is no other way in the end.
    fn shuffle(&mut self, going: &mut Going, goal: Planar, ctx: &mut Context) -> Planned {
        if ctx.time < going.shuffle {
            return Planned::Later;
        }
        let careful = going.detours < DESPERATE;
        let planned = self.plan_among(&[], goal, false, careful, ctx);
        if matches!(planned, Planned::Later) {
            going.shuffle = ctx.time + 0.3;
            going.tries += 1;
        } else {
            going.tries = 0;
        }
        planned
    }

    /// Plans a performance from here and goes over to it.
    fn plan(&mut self, legs: &[Leg], goal: Planar, run: bool, ctx: &mut Context) -> Planned {
        self.plan_among(legs, goal, run, false, ctx)
    }

    fn plan_among(
        &mut self,
        legs: &[Leg],
        goal: Planar,
        run: bool,
        careful: bool,
        ctx: &mut Context,
    ) -> Planned {
        if ctx.plans == 0 {
            return Planned::Later;
        }
        ctx.plans -= 1;
        let usual = (self.vigour != 1.0).then_some(self.vigour * self.shared().walk);
        let pace = self.speed.or(if run { Some(RUN) } else { usual });
        let options = StepOptions { pace, ..StepOptions::default() };
        match join(&self.body, legs, goal, ctx.world, &options) {
            // The steps from one way into another must not lead into a wall.
            Ok(Joined::At(performance, _, frame))
                if frame > 0
                    && ctx.world.is_level()
                    && !legs.is_empty()
                    && self.is_walled(&performance.body[frame..], ctx) =>
            {
                Planned::Later
            }
            Ok(Joined::At(performance, ..)) if careful && self.is_crowded(&performance.body) => {
                Planned::Later
            }
            Ok(Joined::At(performance, plan, frame)) => {
                self.body.perform(plan, &performance, frame, &ctx.world.obstacles);
                Planned::Made
            }
            Ok(Joined::StandFirst) => Planned::Later,
            Err(error) => Planned::Refused(error.to_string()),
        }
    }

    /// Whether hips that go this way get deeper into somebody who stands there.
    fn is_crowded(&self, way: &[Planar]) -> bool {
        let Some(from) = way.first() else { return false };
        self.others.iter().filter(|other| other.velocity.length() < 0.1).any(|other| {
            let deep =
                |body: &Planar| self.radius() + other.radius - body.position.distance(other.place);
            // Those who get away from somebody may sway.
            let gets_away = way.last().is_some_and(|last| deep(last) < deep(from) - 0.03);
            let sway = if gets_away { SWAY } else { 0.0 };
            let most = (TOUCHING + sway).max(deep(from) + sway);
            way.iter().step_by(3).any(|body| deep(body) > most)
        })
    }

    /// Has more frames of a long performance made before they are needed.
    fn perform_on(&mut self, ctx: &mut Context) {
        let Some(plan) = self.body.played().and_then(Played::wants) else { return };
        if ctx.plans == 0 {
            return;
        }
        ctx.plans -= 1;
        let made = plan.perform(self.shared(), ctx.world);
        let goes_on = made.is_ok_and(|performance| self.body.perform_on(&performance));
        // In a world that has changed it is another one: the rest is planned anew.
        if !goes_on && let Some(going) = self.task.going_mut() {
            going.stale = true;
        }
    }

    /// Whether walls are closer to a way than they should be, and closer than to its beginning.
    fn is_walled(&self, way: &[Planar], ctx: &mut Context) -> bool {
        let network = self.network(ctx);
        let walls = way.first().zip(network.as_ref());
        let Some(walls) = walls.and_then(|(from, network)| walls_at(network, from.position)) else {
            return false;
        };
        let deep = |place: Vec2| {
            let near = walls.around(place, 0.0).map(|(at, reach)| reach - at.distance(place));
            near.fold(0.0, f32::max)
        };
        let most = PRESSED.max(deep(way[0].position));
        way.iter().step_by(6).any(|body| deep(body.position) > most)
    }

    fn go(&mut self, who: usize, going: &mut Going, ctx: &mut Context) -> Gone {
        going.way.follow(self.body.disc.place.position);
        if std::mem::take(&mut going.stale)
            && let Err(reason) = self.replan(going, ctx)
        {
            return Gone::Failed(reason);
        }
        match going.step {
            Step::Performing | Step::Settling => {
                let over = self.body.played().is_none_or(|played| played.is_over());
                if over {
                    self.body.live();
                    return Gone::There;
                }
                if !going.planned
                    && going.step == Step::Performing
                    && (self.has_to_wait(who, going, ctx) || self.would_collide(ctx))
                {
                    self.go_on_live();
                    going.step = Step::Live;
                    going.progress = (ctx.time, going.way.at());
                    going.again = ctx.time + 1.5;
                }
                Gone::On
            }
            Step::Turning => {
                // Meanwhile nobody expects to get ahead.
                going.progress.0 += f64::from(ctx.dt);
                if self.body.played().is_none_or(|played| played.is_over()) {
                    self.go_on_live();
                    going.step = Step::Live;
                }
                Gone::On
            }
            Step::Halting => self.set_off(going, ctx),
            Step::Live => self.go_live(who, going, ctx),
        }
    }

    /// Goes over to the gait, and goes on as it went.
    fn go_on_live(&mut self) {
        self.body.live();
        self.steering.resume(self.body.disc.velocity());
    }

    /// Whether the next narrow passage is taken.
    fn has_to_wait(&self, who: usize, going: &Going, ctx: &mut Context) -> bool {
        let place = self.body.disc.place.position;
        let (way, passages) = (&going.way, &going.passages);
        let passage = ctx.gates.pass(who, place, way, passages, self.radius(), going.stuck);
        match passage {
            Passage::Wait(room) => room < BRAKES,
            Passage::Back(_) => true,
            Passage::Go | Passage::Free => false,
        }
    }

    /// Out of the way, slowly: ahead if it faces there, and otherwise backwards if nobody and nothing is behind. Returns
    /// where to turn to on the spot, if it has to.
    fn go_back(&mut self, out: Vec2, ctx: &mut Context) -> Option<f32> {
        let disc = self.body.disc;
        if disc.ahead().dot(out) > 0.0 {
            return self.lead(heading_of(out), BACK, ctx);
        }
        let behind = self.others.iter().any(|other| {
            let to = other.place - disc.place.position;
            let near = self.radius() + other.radius + 0.3;
            to.dot(disc.ahead()) < 0.0 && to.length() < near
        });
        let (place, back) = (disc.place.position, disc.place.position - 0.5 * disc.ahead());
        let network = self.network(ctx);
        let walls = network.as_ref().and_then(|network| walls_at(network, place));
        let free = walls.is_none_or(|walls| walls.edge_is_free(place, back));
        let speed = if behind || !free { 0.0 } else { -BACK };
        self.body.disc.control(disc.place.heading, speed, &GAINS, ctx.dt);
        self.body.disc.turn_rate = 0.0;
        (!free).then(|| heading_of(out))
    }

    /// Begins to go: by a performance if the way is its own.
    fn set_off(&mut self, going: &mut Going, ctx: &mut Context) -> Gone {
        if going.planned || self.is_alone(going, ctx) {
            match self.plan(&going.legs, going.goal, going.run, ctx) {
                Planned::Made => {
                    going.step = Step::Performing;
                    return Gone::On;
                }
                Planned::Refused(reason) if going.planned => return Gone::Failed(reason),
                _ if going.planned => {
                    self.rest(ctx.dt);
                    return Gone::On;
                }
                Planned::Later if self.body.is_standing() => {
                    self.rest(ctx.dt);
                    return Gone::On;
                }
                _ => {}
            }
        }
        self.go_on_live();
        going.step = Step::Live;
        going.progress = (ctx.time, going.way.at());
        going.again = ctx.time + 0.5;
        Gone::On
    }

    fn go_live(&mut self, who: usize, going: &mut Going, ctx: &mut Context) -> Gone {
        self.body.live();
        let kind = Arc::clone(self.shared());
        let place = self.body.disc.place.position;
        let standing = self.body.is_standing();
        let left = going.goal.position.distance(place);
        if left < ARRIVED && going.way.left() < 2.0 * ARRIVED {
            return self.come_to_rest(who, going, ctx);
        }
        let (way, passages) = (&going.way, &going.passages);
        let passage = ctx.gates.pass(who, place, way, passages, kind.radius, going.stuck);
        if let Passage::Back(out) = passage {
            let turn = self.go_back(out, ctx);
            if let Some(heading) = turn.filter(|_| self.body.is_standing()) {
                let foothold = self.foothold(going.tries, ctx).0;
                self.turn(going, Planar::new(foothold, heading), ctx);
            }
            return self.mind_progress(who, going, true, ctx);
        }
        if let Some((out, until)) = going.back {
            let _ = self.go_back(out, ctx);
            going.back = going.back.filter(|_| ctx.time < until);
            return self.mind_progress(who, going, false, ctx);
        }
        let pace = self.speed.unwrap_or(if going.run { RUN } else { self.vigour * kind.walk });
        let mut pursuit = going.way.pursue(&self.body.disc, pace, BRAKING);
        // Once nobody is in the way any more, the rest is planned, and ends exactly.
        let moving = self.body.disc.speed > 0.6 || standing;
        if passage == Passage::Free && moving && ctx.time >= going.again && going.way.left() > 1.0 {
            going.again = ctx.time + 0.5;
            if self.is_alone(going, ctx)
                && let Some(legs) = rest_of(&going.way, place)
                && matches!(self.plan(&legs, going.goal, going.run, ctx), Planned::Made)
            {
                going.step = Step::Performing;
                self.blocked = false;
                return Gone::On;
            }
        }
        let room = self.room(going, passage, left);
        let waits = room < if standing { SHUFFLE } else { 0.05 };
        if !waits && ctx.time >= going.around {
            going.around = ctx.time + AROUND;
            if self.is_stood_in(going) && self.detour(going, ctx).is_some() {
                pursuit = going.way.pursue(&self.body.disc, pace, BRAKING);
            }
        }
        let slow = (2.0 * BRAKING * (room - LAG * self.body.disc.speed).max(0.0)).sqrt();
        let speed = if waits { 0.0 } else { pursuit.speed.min(slow) };
        let off = rotation::wrap_angle(pursuit.heading - self.body.disc.place.heading).abs();
        let free = standing && !waits && !going.stuck;
        let about = (free && off > ABOUT).then_some(pursuit.heading);
        let turn = self.lead(pursuit.heading, speed, ctx).or(about);
        let (foothold, pressed) = self.foothold(going.tries, ctx);
        let turn = turn.or((pressed && !waits).then_some(pursuit.heading));
        if let Some(heading) = turn
            && standing
        {
            self.turn(going, Planar::new(foothold, heading), ctx);
            if going.step != Step::Turning {
                self.make_room(going, ctx);
            }
        }
        self.mind_progress(who, going, waits, ctx)
    }

    /// Goes a step away from those it is stuck beside.
    fn give_way(&mut self, going: &mut Going, ctx: &Context) {
        let away = |other: &Other| {
            let from = self.body.disc.place.position - other.place;
            let near = from.length() < self.radius() + other.radius + BESIDE[0];
            if near { from.normalize_or_zero() } else { Vec2::ZERO }
        };
        let out: Vec2 = self.others.iter().map(away).sum();
        if out != Vec2::ZERO {
            going.back = Some((out, ctx.time + A_STEP));
        }
    }

    /// Goes back a little from somebody who is too close to turn beside them.
    fn make_room(&mut self, going: &mut Going, ctx: &Context) {
        let disc = self.body.disc;
        let ahead = |other: &Other| {
            let to = other.place - disc.place.position;
            let near = to.length() < self.radius() + other.radius + ELBOWS;
            (near && to.dot(disc.ahead()) > 0.0).then_some(-to)
        };
        if let Some(out) = self.others.iter().find_map(ahead) {
            going.back = Some((out, ctx.time + A_STEP));
        }
    }

    /// Where to turn on the spot: where it stands, or a step away from a wall that is too close, and whether it is; or a
    /// little away from others, since hips sway in a turn, and farther after some tries.
    fn foothold(&self, tries: usize, ctx: &mut Context) -> (Vec2, bool) {
        let at = self.body.hips().position;
        let network = self.network(ctx);
        let walls = network.as_ref().and_then(|network| walls_at(network, at));
        let Some(free) = walls.and_then(|walls| walls.nearest_free(at)) else { return (at, false) };
        let out = free - at;
        if out.length() < PRESSED {
            let room = ELBOWS * (1 + tries % 4) as f32;
            let away = |other: &Other| {
                let (from, reach) = (at - other.place, self.radius() + other.radius + room);
                from.normalize_or_zero() * (reach - from.length()).max(0.0)
            };
            let away: Vec2 = self.others.iter().map(away).sum();
            let there = at + away.clamp_length_max(room);
            let is_free = walls.is_some_and(|walls| walls.is_free(there));
            return (if is_free { there } else { at }, false);
        }
        let aside = (free + ASIDE * out.normalize_or_zero(), true);
        let is_taken = |other: &Other| {
            let reach = self.radius() + other.radius;
            other.place.distance(aside.0) < reach.min(other.place.distance(at))
        };
        if self.others.iter().any(is_taken) { (at, false) } else { aside }
    }

    /// Metres until it has to wait: for its turn at a passage, or for somebody to leave its goal.
    fn room(&self, going: &Going, passage: Passage, left: f32) -> f32 {
        let mut room = f32::INFINITY;
        if let Passage::Wait(most) = passage {
            room = room.min(most);
        }
        let taken = |other: &Other| {
            other.share == 0.0 && other.velocity.length() < 0.3 && self.stands_on(other, going)
        };
        if left < MINDED && self.others.iter().any(taken) {
            room = room.min(left - 2.0 * self.radius() - LEAVING);
        }
        room
    }

    /// Whether somebody stands where it wants to.
    fn stands_on(&self, other: &Other, going: &Going) -> bool {
        other.place.distance(going.goal.position) < self.radius() + other.radius + TAKEN
    }

    /// Whether somebody stands in the next part of the way.
    fn is_stood_in(&self, going: &Going) -> bool {
        let way = &going.way;
        let steps = (way.left().min(LOOK_AHEAD) / 0.2).ceil() as usize;
        let mut standing = self.others.iter().filter(|other| other.stands());
        standing.any(|other| {
            let reach = self.radius() + other.radius + TOO_NEAR;
            !self.stands_on(other, going)
                && (1..=steps).any(|step| {
                    let along = (way.at() + 0.2 * step as f32).min(way.length());
                    way.place(along).distance_squared(other.place) < reach * reach
                })
        })
    }

    /// Notices when somebody does not get ahead, and looks for a way around those who stand there.
    fn mind_progress(
        &mut self,
        who: usize,
        going: &mut Going,
        waits: bool,
        ctx: &mut Context,
    ) -> Gone {
        let at = going.way.at();
        let ahead = at > going.progress.1 + 0.2;
        if waits || ahead {
            going.stuck &= !ahead;
            going.progress = (ctx.time, at);
            self.blocked = false;
            return Gone::On;
        }
        if ctx.time - going.progress.0 < PATIENCE {
            return Gone::On;
        }
        if !self.blocked {
            self.blocked = true;
            ctx.tell(who, EventKind::Blocked);
        }
        going.progress.0 = ctx.time - 0.5 * PATIENCE;
        going.detours += 1;
        going.stuck = true;
        if going.detours > MOST_DETOURS {
            return Gone::Failed("others are in the way".into());
        }
        // If there is none, or if none has helped, nothing is to be done but to wait, and to give others room now and then.
        let in_vain = self.detour(going, ctx).is_none() || going.detours > VAIN_DETOURS;
        if in_vain && going.detours.is_multiple_of(3) {
            self.give_way(going, ctx);
        }
        Gone::On
    }

    /// A way around everybody who stands.
    fn detour(&mut self, going: &mut Going, ctx: &mut Context) -> Option<()> {
        if ctx.plans == 0 {
            return None;
        }
        ctx.plans -= 1;
        let Destination::Post(post) = &going.to else { return None };
        let kind = Arc::clone(self.shared());
        let place = self.body.disc.place.position;
        let around = |room: f32| {
            let stand = self.others.iter().filter(|other| other.stands());
            let posts: Vec<(Vec2, f32)> = stand
                .filter(|other| !self.stands_on(other, going))
                .map(|other| {
                    let most = other.place.distance(place) - kind.radius - 0.02;
                    (other.place, (other.radius + room).min(most))
                })
                .filter(|(_, radius)| *radius > 0.05)
                .collect();
            let network = ctx.world.network_around(&kind, &posts).ok()?;
            find(&network, &kind, place, post).ok()
        };
        let route = BESIDE.into_iter().find_map(around)?;
        // Rather than go far out of the way they wait a while.
        let most = FARTHER * (1.0 + going.detours as f32) + going.way.left();
        if route.way.length() > most {
            return None;
        }
        let usual = self.network(ctx)?;
        going.way = route.way;
        going.legs = route.legs;
        if let Some(walls) = walls_at(&usual, place) {
            going.passages = ctx.gates.along(&going.way, walls, kind.radius);
        }
        going.way.follow(place);
        // Another way is no progress yet.
        going.progress.1 = going.way.at();
        Some(())
    }

    /// The last steps: to a stand, and then exactly where and how it has to stand.
    fn come_to_rest(&mut self, who: usize, going: &mut Going, ctx: &mut Context) -> Gone {
        ctx.gates.forget(who);
        if !self.body.is_standing() {
            let pursuit = going.way.pursue(&self.body.disc, 0.8, BRAKING);
            let close = going.goal.position.distance(self.body.disc.place.position) < 0.12;
            let speed = if close { 0.0 } else { pursuit.speed };
            self.lead(self.body.disc.place.heading, speed, ctx);
            if ctx.time - going.progress.0 > PATIENCE {
                self.rest(ctx.dt);
            }
            return Gone::On;
        }
        // Whoever may face anywhere stays as they came.
        if !matches!(&going.to, Destination::Post(post) if post.heading.is_some()) {
            going.goal.heading = self.body.hips().heading;
            if self.goal.is_some_and(|goal| goal.position == going.goal.position) {
                self.goal = Some(going.goal);
            }
        }
        let room = |other: &Other| self.radius() + other.radius - TOUCHING;
        if self.others.iter().any(|other| other.place.distance(going.goal.position) < room(other)) {
            return self.mind_progress(who, going, false, ctx);
        }
        match self.shuffle(going, going.goal, ctx) {
            Planned::Made => going.step = Step::Settling,
            Planned::Later => return self.mind_progress(who, going, false, ctx),
            Planned::Refused(reason) => return Gone::Failed(reason),
        }
        Gone::On
    }

    /// Looks for the way again, because the world or the speed has changed.
    fn replan(&mut self, going: &mut Going, ctx: &mut Context) -> Result<(), String> {
        let fresh = self.route(going.to.clone(), going.run, ctx)?;
        let performing = going.step == Step::Performing;
        let (step, detours) = (going.step, going.detours);
        *going = fresh;
        (going.step, going.detours) = (step, detours);
        // Whoever may face anywhere may face another way now.
        if self.goal.is_some_and(|goal| goal.position == going.goal.position) {
            self.goal = Some(going.goal);
        }
        if performing {
            match self.plan(&going.legs, going.goal, going.run, ctx) {
                Planned::Made => {}
                Planned::Later if ctx.plans == 0 => going.stale = true,
                _ => {
                    self.body.live();
                    going.step = if going.planned { Step::Halting } else { Step::Live };
                }
            }
        }
        Ok(())
    }

    /// Whether nobody comes near the way that is left.
    fn is_alone(&self, going: &Going, ctx: &Context) -> bool {
        let own = self.body.disc.place.position;
        let way = &going.way;
        let steps = ((way.left().min(15.0)) / 0.3).ceil() as usize;
        self.others_of(ctx).all(|seen| {
            let moving = seen.velocity.length() > 0.1 || seen.looks_out;
            let room = if moving { 2.5 } else { self.radius() + seen.radius + 0.15 };
            if moving && seen.place.distance(own) < 4.0 {
                return false;
            }
            (0..=steps)
                .all(|step| way.place(way.at() + 0.3 * step as f32).distance(seen.place) > room)
        })
    }

    fn others_of<'a>(&self, ctx: &'a Context) -> impl Iterator<Item = &'a Seen> {
        let own = self.body.disc.place.position;
        ctx.seen.iter().filter(move |seen| seen.place != own)
    }

    /// Whether a performance would lead into somebody soon.
    fn would_collide(&self, ctx: &Context) -> bool {
        let Some(played) = self.body.played() else { return false };
        self.others_of(ctx).any(|seen| {
            let reach = self.radius() + seen.radius + 0.15;
            if seen.place.distance(self.body.disc.place.position) > SIGHT {
                return false;
            }
            let soon = if seen.looks_out { 7 } else { 10 };
            (1..=soon).any(|step| {
                let seconds = 0.2 * step as f32;
                played.ahead(seconds).distance(seen.place + seen.velocity * seconds) < reach
            })
        })
    }
}

/// What became of going.
enum Gone {
    On,
    There,
    Failed(String),
}

/// What became of a plan.
enum Planned {
    Made,
    /// Not in this step: too many plans already, or the body is not ready.
    Later,
    Refused(String),
}

/// What is left of a way.
fn rest_of(way: &Way, from: Vec2) -> Option<Vec<Leg>> {
    let mut places = vec![from];
    let count = (way.left() / 0.2).ceil() as usize;
    places.extend(
        (1..=count).map(|step| way.place((way.at() + 0.2 * step as f32).min(way.length()))),
    );
    (places.len() > 1).then(|| vec![Leg::Walk(places)])
}
