//! Somebody who is moved by forces, from when something touches it until it is safe again.

use super::flesh::{Flesh, vector};
use super::order::Shove;
use super::things::slow_roll;
use andante_balance::{
    Condition as Doing, Ladder, LimbsError, Phase, Prop, PropError, Senses, Survivor,
    SurvivorOptions, WalkCycle, WalkOptions, Walker, difference, state_with_props, with_props,
};
use andante_dynamics::{
    Options, Simulation, SimulationError, State, Terrain, Vec3 as Vector, vec3,
};
use andante_skeleton::{Character, Planar, Transform, rotation};
use glam::{Quat, Vec2, Vec3};
use std::sync::Arc;
use thiserror::Error;

/// Seconds of a step.
pub(crate) const STEP: f64 = 1.0 / 240.0;

/// How long somebody has to stand still to be safe, in seconds, and how still, in m/s.
const STANDS: f64 = 0.7;
const STILL: f64 = 0.06;

/// How long a walk has to be as it should to be safe, in seconds, and how far its balance may be off, in metres.
const WALKS: f64 = 0.8;
const OFF: f64 = 0.05;

/// Walks at these speeds are kept up by torques, in m/s.
const WALKING: [f32; 2] = [0.9, 1.7];

/// Places nearer than this are not walked to by torques, in metres, nor those farther aside than this, in radians.
const SHORT: f64 = 0.8;
const ASKEW: f32 = 0.7;

/// How often somebody sets off to a place.
const TRIES: usize = 3;

/// How fast somebody who has set off turns to its goal, in rad/s.
const TURN: f64 = 0.4;

/// A walk whose balance is farther off than this is given up, in metres.
const LOST: f64 = 0.6;

/// How long somebody lies before it gets up, in seconds.
const REST: f64 = 0.6;

/// Somebody who is not up after so many seconds is said to lie for good.
const PATIENCE: f64 = 30.0;

/// Heels and balls nearer to the ground than this are down, in metres.
const DOWN: f64 = 0.006;

/// Why nobody can be simulated.
#[derive(Clone, Debug, Error, PartialEq)]
pub(crate) enum EpisodeError {
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    #[error(transparent)]
    Prop(#[from] PropError),
    #[error(transparent)]
    Limbs(#[from] LimbsError),
    #[error(transparent)]
    Model(#[from] andante_dynamics::ModelError),
}

/// How somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// It fights for its balance.
    Struggling,
    /// It stands as if nothing had been.
    Stands,
    /// It walks as if nothing had been.
    Walks,
    /// It falls.
    Falls,
    /// It lies.
    Lies,
    /// It gets up.
    GetsUp,
}

/// What keeps somebody up.
#[derive(Clone, Debug)]
enum Driver {
    Stand(Box<Survivor>),
    Walk(Box<Walker>),
}

impl Driver {
    fn senses(&self) -> &Senses {
        match self {
            Self::Stand(survivor) => survivor.senses(),
            Self::Walk(walker) => walker.senses(),
        }
    }
}

/// A body in a simulation of its own, with the props that are near it.
#[derive(Clone, Debug)]
pub(crate) struct Episode {
    flesh: Arc<Flesh>,
    /// Where the simulation's origin is and faces.
    frame: Planar,
    simulation: Simulation<f64>,
    driver: Driver,
    shoves: Vec<Pending>,
    /// Seconds that have not been simulated yet.
    left: f64,
    /// When it was last not as it should be.
    unsafe_at: f64,
    /// Whether it stays down until it is told to get up.
    stays_down: bool,
    /// When it was last on its feet.
    up_at: f64,
    /// Whether the simulation had to be stopped.
    broken: bool,
    /// Whether anything has touched it since that was last said.
    touched: bool,
    /// For each prop, whether it has touched the body.
    hits: Vec<bool>,
    /// Where in the world it last set off to by itself, and how often.
    errand: Option<(Vec2, usize)>,
    /// Whether it has fallen out of the world, and is not simulated any more.
    out: bool,
}

/// A shove and how long it still lasts.
#[derive(Clone, Copy, Debug)]
struct Pending {
    force: Vector<f64>,
    height: Option<f64>,
    left: f64,
}

/// Where somebody is shown before something touches it.
pub(crate) struct Before<'a> {
    /// Its joints in the world, now and a frame ago.
    pub models: [&'a [Transform]; 2],
    /// Seconds of a frame.
    pub dt: f32,
    /// Where its hips are, and where they or its way lead.
    pub hips: Planar,
    /// Height of the ground below it.
    pub floor: f32,
    /// How fast it walks on, if it does; m/s.
    pub walks: Option<f32>,
    /// A place straight ahead on its way.
    pub towards: Vec2,
}

impl Episode {
    /// Takes somebody over, as fast as it is. `terrain` makes the ground for a frame.
    pub fn new(
        flesh: &Arc<Flesh>,
        cycles: &mut Cycles,
        before: &Before,
        terrain: impl Fn(Planar) -> Terrain,
    ) -> Result<Self, EpisodeError> {
        let physique = &flesh.physique;
        let mut frame = before.hips;
        let [q, earlier] = before.models.map(|models| flesh.coordinates(&seen_from(frame, models)));
        let mut v = vec![0.0; physique.model.freedoms()];
        if before.dt > 0.0 {
            difference(physique, &earlier, &q, 1.0 / f64::from(before.dt), &mut v);
        }
        let mut state = State { q, v };
        let walk = before.walks.filter(|speed| (WALKING[0]..=WALKING[1]).contains(speed));
        let walk = walk.and_then(|speed| cycles.of(flesh, speed));
        let driver = match walk {
            Some(gait) => {
                // A walk that is as it should be takes up any push; what it differs from the one that was shown dies
                // away where it is shown.
                let (phase, shift) = gait.fit(flesh, &state);
                let mut cycle = gait.cycle.clone();
                let mut reference = cycle.reference(physique);
                cycle.at(physique, phase, 1.0, &mut reference);
                state = State { q: reference.q, v: reference.v };
                let turn = Quat::from_rotation_y(frame.heading);
                let moved = turn * Vec3::new(shift.x as f32, 0.0, shift.z as f32);
                frame.position += Vec2::new(moved.x, moved.z);
                // The ground is where the feet are.
                state.q[1] += f64::from(before.floor);
                let mut walker = Walker::new(physique, cycle, phase, WalkOptions::default());
                let to = seen_from_point(frame, before.towards);
                walker.set_goal(vec3(f64::from(to.x), 0.0, f64::from(to.y)));
                Driver::Walk(Box::new(walker))
            }
            None => Driver::Stand(Box::new(survivor(flesh)?)),
        };
        let options = Options { step: STEP, ..Options::default() };
        let mut simulation = Simulation::new(Arc::clone(&physique.model), terrain(frame), options)?;
        simulation.set_state(&state)?;
        Ok(Self {
            flesh: Arc::clone(flesh),
            frame,
            simulation,
            driver,
            shoves: Vec::new(),
            left: 0.0,
            unsafe_at: 0.0,
            stays_down: false,
            up_at: 0.0,
            broken: false,
            touched: false,
            hits: Vec::new(),
            errand: None,
            out: false,
        })
    }

    /// Sets off to a place in the world by its own torques, if it stands, faces it more or less, it is far enough and it has
    /// not been tried too often. `terrain` makes the ground for a frame.
    pub fn set_off(
        &mut self,
        cycles: &mut Cycles,
        place: Vec2,
        speed: f32,
        terrain: impl Fn(Planar) -> Terrain,
    ) -> bool {
        let tries =
            self.errand.filter(|(before, _)| *before == place).map_or(0, |(_, tries)| tries);
        if self.condition() != Condition::Stands || tries >= TRIES {
            return false;
        }
        let physique = &self.flesh.physique;
        let to = seen_from_point(self.frame, place);
        let goal = vec3(f64::from(to.x), 0.0, f64::from(to.y));
        let kin = self.simulation.kinematics();
        let ahead = kin.rotation(physique.torso).z;
        let facing = ahead.x.atan2(ahead.z);
        let way = goal - kin.position(&physique.model, physique.torso);
        let off = rotation::wrap_angle((way.x.atan2(way.z) - facing) as f32);
        if way.x.hypot(way.z) < SHORT || off.abs() > ASKEW {
            return false;
        }
        let Some(ladder) = cycles.ladder(&self.flesh, speed) else { return false };
        let Ok(simulation) = self.simulation.with_terrain(terrain(self.frame)) else {
            return false;
        };
        self.simulation = simulation;
        let options = WalkOptions { turn: TURN, ..WalkOptions::default() };
        let walker = Walker::set_off(physique, &self.simulation, &ladder, facing, goal, options);
        self.driver = Driver::Walk(Box::new(walker));
        self.unsafe_at = self.simulation.time();
        self.errand = Some((place, tries + 1));
        true
    }

    /// Where in the world it walks to by itself.
    pub fn goes_to(&self) -> Option<Vec2> {
        let walks = matches!(self.driver, Driver::Walk(_));
        self.errand.filter(|_| walks).map(|(place, _)| place)
    }

    /// Whether it set off to a place by itself.
    pub fn went_to(&self, place: Vec2) -> bool {
        self.errand.is_some_and(|(errand, _)| errand == place)
    }

    /// Is where it set off to.
    pub fn arrive(&mut self) {
        self.errand = None;
    }

    /// Comes to a stand before it is where it set off to.
    pub fn stop(&mut self) {
        if let Driver::Walk(walker) = &mut self.driver {
            walker.stop();
        }
    }

    /// Height of its trunk.
    pub fn height(&self) -> f32 {
        let physique = &self.flesh.physique;
        self.simulation.kinematics().position(&physique.model, physique.torso).y as f32
    }

    /// Is out of the world, and stays as it is.
    pub fn fall_out(&mut self) {
        self.out = true;
        self.shoves.clear();
    }

    /// Whether it has fallen out of the world.
    pub fn is_out(&self) -> bool {
        self.out
    }

    pub fn push(&mut self, shove: &Shove) {
        let (sin, cos) = f64::from(shove.direction - self.frame.heading).sin_cos();
        let seconds = f64::from(shove.seconds).max(STEP);
        let force = vec3(sin, 0.0, cos) * (f64::from(shove.impulse) / seconds);
        self.shoves.push(Pending { force, height: shove.height.map(f64::from), left: seconds });
        self.unsafe_at = self.simulation.time();
        self.touched = true;
    }

    /// Lets itself fall, and stays down until it is told to get up.
    pub fn fall(&mut self) -> Result<(), EpisodeError> {
        let mut own = survivor(&self.flesh)?;
        own.fall(&self.flesh.physique, &self.simulation);
        self.driver = Driver::Stand(Box::new(own));
        (self.stays_down, self.touched) = (true, true);
        Ok(())
    }

    /// Gets up, if it lies.
    pub fn get_up(&mut self) {
        (self.stays_down, self.touched) = (false, true);
        self.up_at = self.simulation.time();
    }

    /// Whether it lies for good: until it is told to get up, or because nothing helps.
    pub fn stays(&self) -> bool {
        let tired = self.simulation.time() > self.up_at + PATIENCE;
        self.broken || self.out || tired || (self.condition() == Condition::Lies && self.stays_down)
    }

    /// Puts props beside the body, in the place of those there are; they are in the world.
    pub fn set_props(&mut self, props: &[Prop]) -> Result<(), EpisodeError> {
        let own: Vec<Prop> = props.iter().map(|prop| into_frame(self.frame, prop)).collect();
        let body = &*self.flesh.physique.model;
        let state = self.simulation.state();
        let alone = State {
            q: state.q[..body.coordinates()].to_vec(),
            v: state.v[..body.freedoms()].to_vec(),
        };
        let model = with_props(Some(body), &own)?;
        self.simulation =
            self.simulation.with_model(Arc::new(model), &state_with_props(&alone, &own))?;
        self.hits = vec![false; props.len()];
        Ok(())
    }

    /// Where the props are now, in the world.
    pub fn read_props(&self, props: &mut [Prop]) {
        let first = self.flesh.model().links().len();
        for (index, prop) in props.iter_mut().enumerate().take(self.hits.len()) {
            prop.read(&self.simulation, first + index);
            *prop = out_of_frame(self.frame, prop);
        }
    }

    /// For each prop, whether it has touched the body since it came near.
    pub fn hits(&self) -> &[bool] {
        &self.hits
    }

    /// Notes what touches the body; whether anything does.
    fn feel_props(&mut self) -> bool {
        // Every prop has one shape, after those of the body.
        let body = self.flesh.model().shapes().len();
        let own = self.simulation.contacts(0).filter(|contact| contact.shape < body);
        let others = own.filter_map(|contact| contact.other?.checked_sub(body));
        let mut any = false;
        for hit in others {
            any = true;
            if let Some(known) = self.hits.get_mut(hit) {
                *known = true;
            }
        }
        any
    }

    /// Lets time pass.
    pub fn advance(&mut self, dt: f32) {
        if self.out {
            return;
        }
        self.left += f64::from(dt);
        while self.left > STEP - 1e-6 {
            self.left -= STEP;
            self.step();
        }
    }

    fn step(&mut self) {
        let physique = &self.flesh.physique;
        let kin = self.simulation.kinematics();
        let chest = kin.point(&physique.model, physique.torso, physique.chest);
        for shove in &mut self.shoves {
            let share = (shove.left / STEP).clamp(0.0, 1.0);
            let at = match shove.height {
                Some(height) => {
                    let floor = self.driver.senses().centre.y - self.driver.senses().height;
                    vec3(chest.x, floor + height, chest.z)
                }
                None => chest,
            };
            self.simulation.apply_force(physique.torso, shove.force * share, at);
            shove.left -= STEP;
        }
        let first = physique.model.links().len();
        for prop in 0..self.hits.len() {
            slow_roll(&mut self.simulation, first + prop);
        }
        let pushed = !self.shoves.is_empty();
        self.shoves.retain(|shove| shove.left > 0.0);
        match &mut self.driver {
            Driver::Stand(survivor) => {
                let rested = self.simulation.time() > survivor.since() + REST;
                if survivor.condition() == Doing::Lie && rested && !self.stays_down {
                    survivor.get_up(physique, &self.simulation);
                }
                survivor.drive(physique, &mut self.simulation);
            }
            Driver::Walk(walker) => walker.drive(physique, &mut self.simulation),
        }
        if let Driver::Walk(walker) = &self.driver
            && walker.is_there()
        {
            self.halt();
        }
        self.broken |= self.simulation.step().quarantined != 0;
        self.judge(pushed);
    }

    /// Stops walking and stands.
    fn halt(&mut self) {
        let Driver::Walk(walker) = &self.driver else { return };
        let Ok(mut own) = survivor(&self.flesh) else { return };
        if self.errand.is_some() {
            own.balancer_mut().halt(walker.heading(), walker.lead(), self.simulation.time());
        }
        self.driver = Driver::Stand(Box::new(own));
    }

    fn judge(&mut self, pushed: bool) {
        let struck = self.feel_props();
        let physique = &self.flesh.physique;
        let time = self.simulation.time();
        let kin = self.simulation.kinematics();
        let up = kin.rotation(physique.torso).y.y;
        let soles = [0, 1].map(|foot| physique.sole_at(kin, foot));
        let ground = soles[0].y.min(soles[1].y);
        let head = kin.point(&physique.model, physique.torso, physique.head).y - ground;
        let upright = up > 0.9 && head > 0.85 * physique.top;
        let steady = match &self.driver {
            Driver::Stand(survivor) => {
                let (momentum, _) = self.simulation.momentum(0);
                survivor.condition() == Doing::Balance
                    && *survivor.balancer().phase() == Phase::Stand
                    && momentum.length() / physique.mass < STILL
            }
            Driver::Walk(walker) => walker.error()[0].hypot(walker.error()[1]) < OFF,
        };
        self.touched |= struck;
        if pushed || struck || !(upright && steady) {
            self.unsafe_at = time;
        }
        if upright {
            self.up_at = time;
        }
        let falls = head < 0.8 * physique.top || up < 0.7;
        // Whoever cannot go on walking may still stand.
        if let Driver::Walk(walker) = &self.driver
            && (falls || walker.error()[0].hypot(walker.error()[1]) > LOST)
        {
            self.halt();
        }
    }

    /// Whether anything has touched it since that was last asked.
    pub fn take_touched(&mut self) -> bool {
        std::mem::take(&mut self.touched)
    }

    /// How it is.
    pub fn condition(&self) -> Condition {
        let calm = self.simulation.time() - self.unsafe_at;
        match &self.driver {
            _ if self.broken || self.out => Condition::Lies,
            Driver::Stand(survivor) => match survivor.condition() {
                Doing::Fall => Condition::Falls,
                Doing::Lie => Condition::Lies,
                Doing::GetUp { .. } | Doing::Stand => Condition::GetsUp,
                Doing::Balance if calm > STANDS => Condition::Stands,
                Doing::Balance => Condition::Struggling,
            },
            Driver::Walk(_) if calm > WALKS => Condition::Walks,
            _ => Condition::Struggling,
        }
    }

    /// The pose of the character; what the body has no joints for is as in `others`.
    pub fn write_pose(&self, character: &Character, others: &[Transform], pose: &mut [Transform]) {
        self.flesh.write_pose(character, self.simulation.kinematics(), others, pose);
        let placed = self.frame.to_transform();
        pose[0] = placed * pose[0];
    }

    /// Which parts of a foot are down: heel and ball.
    pub fn down(&self, foot: usize) -> [bool; 2] {
        if !matches!(self.condition(), Condition::Struggling | Condition::Stands | Condition::Walks)
        {
            return [false; 2];
        }
        let Some(corners) = self.driver.senses().corners.get(foot) else { return [false; 2] };
        let low = |a: usize, b: usize| corners[a].gap.min(corners[b].gap) < DOWN;
        [low(0, 1), low(2, 3)]
    }

    /// How fast it goes, in the world.
    pub fn velocity(&self) -> Vec2 {
        if self.out {
            return Vec2::ZERO;
        }
        let (momentum, _) = self.simulation.momentum(0);
        let v = momentum * (1.0 / self.flesh.physique.mass);
        let v = Quat::from_rotation_y(self.frame.heading) * Vec3::new(v.x as f32, 0.0, v.z as f32);
        Vec2::new(v.x, v.z)
    }

    /// Steps that caught it.
    pub fn steps(&self) -> usize {
        match &self.driver {
            Driver::Stand(survivor) => survivor.balancer().steps(),
            Driver::Walk(walker) => walker.steps(),
        }
    }
}

/// Keeps a body up, or brings it up again when it is told to.
fn survivor(flesh: &Flesh) -> Result<Survivor, LimbsError> {
    let options = SurvivorOptions { gets_up: false, ..SurvivorOptions::default() };
    Survivor::new(&flesh.physique, options)
}

/// Joints as they are seen from a frame.
fn seen_from(frame: Planar, models: &[Transform]) -> Vec<Transform> {
    let back = frame.inverse().to_transform();
    models.iter().map(|model| back * *model).collect()
}

fn seen_from_point(frame: Planar, point: Vec2) -> Vec2 {
    let at = frame.inverse().to_transform().transform_point(Vec3::new(point.x, 0.0, point.y));
    Vec2::new(at.x, at.z)
}

fn turned(v: Vector<f64>, by: f32) -> Vector<f64> {
    let v = glam::DQuat::from_rotation_y(f64::from(by)) * glam::DVec3::new(v.x, v.y, v.z);
    vec3(v.x, v.y, v.z)
}

fn moved(frame: Planar, prop: &Prop) -> Prop {
    let by = frame.heading;
    let about = glam::DQuat::from_rotation_y(f64::from(by));
    let t = prop.turned;
    let t = about * glam::DQuat::from_xyzw(t.x, t.y, t.z, t.w);
    let at = turned(prop.place, by);
    let shift = vector(Vec3::new(frame.position.x, 0.0, frame.position.y));
    Prop {
        place: at + shift,
        turned: andante_dynamics::Quat { x: t.x, y: t.y, z: t.z, w: t.w }.normalized(),
        velocity: turned(prop.velocity, by),
        spin: turned(prop.spin, by),
        ..prop.clone()
    }
}

fn into_frame(frame: Planar, prop: &Prop) -> Prop {
    moved(frame.inverse(), prop)
}

fn out_of_frame(frame: Planar, prop: &Prop) -> Prop {
    moved(frame, prop)
}

/// A walk of a body, and poses of it to find one's place in it.
#[derive(Debug)]
pub(crate) struct Gait {
    cycle: WalkCycle,
    /// Coordinates at phases that divide the cycle evenly.
    poses: Vec<Vec<f64>>,
}

/// Phases of a cycle that are compared.
const PHASES: usize = 60;

impl Gait {
    fn new(flesh: &Flesh, speed: f32) -> Option<Self> {
        let physique = &flesh.physique;
        let cycle = WalkCycle::built_in(physique, f64::from(speed)).ok()?;
        let mut own = cycle.clone();
        let mut reference = cycle.reference(physique);
        let poses = (0..PHASES).map(|index| {
            own.at(physique, index as f64 / PHASES as f64, 1.0, &mut reference);
            reference.q.clone()
        });
        Some(Self { poses: poses.collect(), cycle })
    }

    /// The phase at which the walk is most like a body, and how far the body is from where the walk has it then.
    fn fit(&self, flesh: &Flesh, state: &State<f64>) -> (f64, Vector<f64>) {
        let physique = &flesh.physique;
        let mut apart = vec![0.0; physique.model.freedoms()];
        let mut best = (f64::INFINITY, 0);
        for (index, pose) in self.poses.iter().enumerate() {
            difference(physique, &state.q, pose, 1.0, &mut apart);
            let cost: f64 = physique.legs.iter().map(|&k| apart[k] * apart[k]).sum();
            if cost < best.0 {
                best = (cost, index);
            }
        }
        let phase = best.1 as f64 / PHASES as f64;
        // Where the standing foot is decides where the walk is.
        let mut kin = andante_dynamics::Kinematics::new(&physique.model);
        let since = [0, 1].map(|f: usize| (phase - self.cycle.standing[f].strike).rem_euclid(1.0));
        let lead = usize::from(since[1] < since[0]);
        kin.set_positions(&physique.model, &self.poses[best.1]);
        let wanted = physique.sole_at(&kin, lead);
        kin.set_positions(&physique.model, &state.q);
        (phase, physique.sole_at(&kin, lead) - wanted)
    }
}

/// Walks that have been made, by speed in tenths of a metre per second.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cycles {
    gaits: Vec<(i32, Option<Arc<Gait>>)>,
    ladders: Vec<(i32, Option<Arc<Ladder>>)>,
}

impl Cycles {
    fn of(&mut self, flesh: &Flesh, speed: f32) -> Option<Arc<Gait>> {
        let key = (speed * 10.0).round() as i32;
        if let Some((_, gait)) = self.gaits.iter().find(|(own, _)| *own == key) {
            return gait.clone();
        }
        let gait = Gait::new(flesh, key as f32 / 10.0).map(Arc::new);
        self.gaits.push((key, gait.clone()));
        gait
    }
    /// The walks up to a speed.
    fn ladder(&mut self, flesh: &Flesh, speed: f32) -> Option<Arc<Ladder>> {
        let key = (speed.clamp(0.3, WALKING[1]) * 10.0).round() as i32;
        if let Some((_, ladder)) = self.ladders.iter().find(|(own, _)| *own == key) {
            return ladder.clone();
        }
        let made = Ladder::built_in(&flesh.physique, f64::from(key) / 10.0).ok().map(Arc::new);
        self.ladders.push((key, made.clone()));
        made
    }
}
