//! A scene that is being played.

mod apart;
mod cues;

use super::actor::{Actor, VisibleActor};
use super::avoid::Other;
use super::behavior::{Behavior, Decision, Stale};
use super::body::AnimatedBody;
use super::decks::Decks;
use super::floor::{Surroundings, walls_at};
use super::gates::Doorways;
use super::kind::{ActorKind, repertoire};
use super::physics::Physics;
use super::planning::PlanQueue;
use super::sensors::Perception;
use crate::{
    BehaviorSettings, CharacterPlan, CharacterSpec, Clock, Command, Cue, Event, EventKind, Order,
    PhysicalBodyError, Scene, StageSettings, StageTimings, Waypoint,
};
use andante_plan::route::FloorError;
use andante_plan::steps::StepError;
use andante_play::blend_space::PlayerError;
use andante_skeleton::{Planar, parallel};
use andante_world::Obstacle;
use glam::Vec2;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::path::PathBuf;
use std::sync::Arc;
use thiserror::Error;

/// Why a scene cannot be played.
#[derive(Debug, Error)]
pub enum StageError {
    /// The world has an impossible floor.
    #[error(transparent)]
    Floor(#[from] FloorError),
    /// A repertoire cannot be read or made.
    #[error("{0}")]
    Repertoire(String),
    /// A body cannot step.
    #[error("{0}: {1}")]
    Steps(String, StepError),
    /// A repertoire has nothing to walk with.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A character cannot be physical.
    #[error("{0}: {1}")]
    Flesh(String, PhysicalBodyError),
    /// A number of the scene's settings is out of its range.
    #[error("settings.{0}: {1}")]
    Settings(&'static str, String),
    /// There is nobody in the scene.
    #[error("{0}: there is nobody in this scene; add a [[character]]")]
    Nobody(String),
    /// Whoever watched did not want to see more.
    #[error("cancelled")]
    Cancelled,
    /// What happens cannot be recorded.
    #[error(transparent)]
    Take(#[from] andante_take::TakeFileError),
}

/// A scene that is being played: characters that do what they are told, step by step.
///
/// ```
/// use andante_stage::{Command, Stage, Waypoint, read_scene};
/// use glam::vec2;
///
/// let text = r#"
/// version = 1
/// name = "yard"
/// [[platform]]
/// outline = [[-4, -4], [4, -4], [4, 4], [-4, 4]]
/// [[character]]
/// start = { at = [0, 0] }
/// "#;
/// let mut stage = Stage::new(&read_scene(text)?, 1)?;
/// let there = Waypoint { place: vec2(1.0, 2.5), height: None, heading: Some(0.0) };
/// stage.command(0, Command::WalkTo(there));
/// while !stage.actors()[0].is_idle() {
///     stage.step(1.0 / 60.0);
///     let _draw_this = stage.actors()[0].models();
/// }
/// assert!(stage.actors()[0].disc().place.position.distance(there.place) < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stage {
    pub(super) time: f64,
    pub(super) world: Surroundings,
    pub(super) decks: Decks,
    pub(super) actors: Vec<Actor>,
    pub(super) physics: Physics,
    gates: Doorways,
    planning: PlanQueue,
    orders: Vec<Order>,
    states: Vec<OrderState>,
    seen: Vec<VisibleActor>,
    /// Whether that is how they are now.
    has_looked: bool,
    /// Where everybody will be after the step, as far as that is known.
    places: Vec<Vec2>,
    near: Vec<(usize, usize)>,
    events: Vec<Event>,
    pub(super) fresh: Vec<Event>,
    pub(super) ended: Vec<usize>,
    timings: StageTimings,
}

/// How far an order is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OrderState {
    Waiting,
    Begun,
    Ended,
}

impl Stage {
    /// Sets a scene. Characters differ a little by the seed where there are several: none walks quite as fast as
    /// the other, and they do not breathe in time.
    pub fn new(scene: &Scene, seed: u64) -> Result<Self, StageError> {
        if scene.characters.is_empty() {
            return Err(StageError::Nobody(scene.name.clone()));
        }
        if let Some((part, _, problem)) = scene.settings.problem() {
            return Err(StageError::Settings(part, problem));
        }
        let settings = Arc::new(scene.settings);
        let (kinds, numbers) = kinds(scene, &settings)?;
        let world = Surroundings::new(scene, kinds.len())?;
        let decks = Decks::new(scene, kinds.len())?;
        let actors = cast(scene, seed, &kinds, &numbers, (&world, &decks))?;
        let mut stage = Self {
            time: 0.0,
            physics: Physics::new(scene, &numbers, &actors, &world.ground)?,
            world,
            decks,
            seen: Vec::with_capacity(actors.len()),
            has_looked: false,
            places: Vec::with_capacity(actors.len()),
            actors,
            gates: Doorways::new(settings.doorways),
            planning: PlanQueue::new(&settings.planner),
            states: vec![OrderState::Waiting; scene.orders.len()],
            orders: scene.orders.clone(),
            near: Vec::new(),
            events: Vec::new(),
            fresh: Vec::new(),
            ended: Vec::new(),
            timings: StageTimings::default(),
        };
        stage.actors.iter_mut().for_each(|actor| actor.be_carried(0.0));
        stage.look();
        stage.stand_by_forces(0.0);
        Ok(stage)
    }

    /// Everybody, in the order of the scene.
    pub fn actors(&self) -> &[Actor] {
        &self.actors
    }

    /// The number of the character of this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.actors.iter().position(|actor| actor.name == name)
    }

    /// Seconds since the beginning.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// What happened in the last step.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// What stands or hangs in the way now.
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.world.obstacles
    }

    /// Whether the script is over: every order has been carried out, given up or cannot come any more.
    pub fn is_over(&self) -> bool {
        let busy = self.actors.iter().any(|actor| !actor.is_idle() && !actor.is_endless());
        let later = self.orders.iter().zip(&self.states).any(|(order, state)| {
            *state == OrderState::Waiting
                && match &order.cue {
                    Cue::At(time) => f64::from(*time) > self.time,
                    Cue::Next | Cue::After(_) => false,
                    Cue::When(_) => self.actors.iter().any(Actor::is_endless),
                }
        });
        let due = (0..self.orders.len()).any(|order| cues::is_due(self, order));
        !busy && !later && !due && !self.is_shaken()
    }

    /// Tells a character what to do, now. What it was doing is given up, and it goes over without a jolt. A number
    /// that nobody has changes nothing.
    pub fn command(&mut self, who: usize, command: Command) {
        if who < self.actors.len() {
            let label = command.to_string();
            cues::give(self, who, command, label, None);
        }
    }

    /// Leads a character by hand: speed ahead in m/s and turn rate to the left in rad/s, as from a gamepad. It
    /// answers in the next step, and keeps on until it is told otherwise.
    pub fn steer(&mut self, who: usize, speed: f32, turn_rate: f32) {
        self.with(who, |own| own.steer(speed, turn_rate));
    }

    /// Switches ducking under what hangs low on or off. Without it, what is too low is told as an event.
    pub fn set_ducking(&mut self, who: usize, ducks: bool) {
        if let Some(actor) = self.actors.get_mut(who) {
            actor.body.ducks = ducks;
        }
    }

    /// What a character notices around it.
    pub fn senses(&mut self, who: usize) -> Option<Perception> {
        let mut noticed = None;
        self.with(who, |own| {
            let network = own.network();
            let walls = network.as_ref().and_then(|network| walls_at(network, own.place()));
            let others = own.seen.iter().enumerate().filter(|(index, _)| *index != who);
            let others: Vec<_> = others.map(|(_, seen)| Other::of(seen)).collect();
            let settings = &own.settings().avoidance;
            noticed = Some(Perception::new(&own.avoiding(Vec2::ZERO), walls, &others, settings));
        });
        noticed
    }

    /// Puts an obstacle into the world, or in the place of the one of the same name. Ways that it blocks are
    /// planned again.
    pub fn place_obstacle(&mut self, obstacle: Obstacle) {
        let kind = EventKind::Placed(obstacle.clone());
        let obstacles = &mut self.world.obstacles;
        match obstacles.iter_mut().find(|own| own.name == obstacle.name) {
            Some(own) => *own = obstacle,
            None => obstacles.push(obstacle),
        }
        self.world_changed(kind);
    }

    /// Takes the obstacle of this name away; whether there was one.
    pub fn remove_obstacle(&mut self, name: &str) -> bool {
        let before = self.world.obstacles.len();
        self.world.obstacles.retain(|obstacle| obstacle.name != name);
        let found = self.world.obstacles.len() < before;
        if found {
            self.world_changed(EventKind::Removed(name.into()));
        }
        found
    }

    fn world_changed(&mut self, kind: EventKind) {
        self.fresh.push(Event { time: self.time as f32, track: None, kind });
        self.world.changed();
        self.gates.clear();
        for actor in &mut self.actors {
            if let Some(going) = actor.behavior.task.going_mut() {
                going.passages.clear();
                going.stale = Some(Stale::World);
            }
        }
    }

    /// The plan of a way from where a character is now to a place, at a walk or at a run, over gaps if it may jump:
    /// what it would do if it were told so and nobody else were there. Why there is none is told in words.
    pub fn plan(&mut self, who: usize, to: Waypoint, run: bool) -> Result<CharacterPlan, String> {
        let mut planned = Err("there is nobody".into());
        self.with(who, |own| {
            let planner = own.planner(to, run, run && own.behavior.may_jump);
            planned = planner.and_then(|planner| planner.plan()).map_err(|no| no.to_string());
        });
        planned
    }

    /// What planning has cost so far, if there is a clock.
    pub fn timings(&self) -> StageTimings {
        let preparation = self.decks.preparation() + self.world.preparation;
        StageTimings { preparation, ..self.timings }
    }

    /// Gives the stage a clock to time its planning with.
    pub fn set_clock(&mut self, clock: Clock) {
        self.world.clock = clock;
        self.decks.set_clock(clock);
    }

    /// Lets time pass: 1/60 s or whatever a frame of a game lasts. Steps of more than a tenth of a second count as
    /// that.
    pub fn step(&mut self, dt: f32) {
        let dt = if dt.is_finite() { dt.clamp(0.0, 0.1) } else { 0.0 };
        cues::cue(self);
        self.look();
        self.planning.begin_step();
        for deck in self.decks.all() {
            for who in 0..self.actors.len() {
                if self.actors[who].deck() == deck {
                    self.decide(who, dt, |own| own.think());
                }
            }
        }
        self.keep_apart(dt);
        self.time += f64::from(dt);
        self.touch(dt);
        let (world, decks) = (&self.world, &self.decks);
        parallel::for_each(&mut self.actors, |actor| {
            actor.body.animate(dt, decks.world(world, actor.deck()));
        });
        self.has_looked = false;
        self.hold();
        self.settle();
        let time = self.time;
        self.actors.iter_mut().for_each(|actor| actor.be_carried(time));
        self.meet();
        for order in self.ended.drain(..) {
            self.states[order] = OrderState::Ended;
        }
        self.events.clear();
        self.events.append(&mut self.fresh);
    }

    /// What everybody sees of everybody.
    fn look(&mut self) {
        if std::mem::replace(&mut self.has_looked, true) {
            return;
        }
        self.seen.clear();
        self.seen.extend(self.actors.iter().map(Actor::seen));
    }

    /// Tells of those who come near each other.
    fn meet(&mut self) {
        let place = |who: usize| self.actors[who].body.disc.place.position;
        let BehaviorSettings { near, not_near, .. } = self.physics.settings.behavior;
        self.near.retain(|&(a, b)| place(a).distance(place(b)) < not_near);
        for b in 1..self.actors.len() {
            for a in 0..b {
                if place(a).distance_squared(place(b)) < near * near && !self.near.contains(&(a, b))
                {
                    self.near.push((a, b));
                    let time = self.time as f32;
                    self.fresh.push(Event { time, track: Some(a), kind: EventKind::Near(b) });
                }
            }
        }
    }

    /// Lets somebody decide something between two steps.
    pub(super) fn with(&mut self, who: usize, work: impl FnOnce(&mut Decision)) {
        self.look();
        self.decide(who, 0.0, work);
    }

    fn decide(&mut self, who: usize, dt: f32, work: impl FnOnce(&mut Decision)) {
        let Some(Actor { kind, body, behavior, riding, .. }) = self.actors.get_mut(who) else {
            return;
        };
        let deck = riding.as_ref().map(|riding| riding.ride.which);
        work(&mut Decision {
            who,
            kind: *kind,
            behavior,
            body,
            time: self.time,
            dt,
            world: self.decks.world_mut(&mut self.world, deck),
            gates: &mut self.gates,
            seen: &self.seen,
            events: &mut self.fresh,
            ended: &mut self.ended,
            planning: &mut self.planning,
            timings: &mut self.timings,
        });
    }

    pub(crate) fn surroundings(&self) -> &Surroundings {
        &self.world
    }
}

/// What characters share that are alike, and the number of that for each of them.
fn kinds(
    scene: &Scene,
    settings: &Arc<StageSettings>,
) -> Result<(Vec<Arc<ActorKind>>, Vec<usize>), StageError> {
    let (mut looks, mut kinds, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for part in &scene.characters {
        let look = CharacterLook::of(part);
        let known = looks.iter().position(|own| *own == look);
        if known.is_none() {
            let own = Arc::new(repertoire(part)?);
            kinds.push(Arc::new(ActorKind::new(own, part, Arc::clone(settings))?));
            looks.push(look);
        }
        numbers.push(known.unwrap_or(looks.len() - 1));
    }
    Ok((kinds, numbers))
}

/// Everybody where they begin.
fn cast(
    scene: &Scene,
    seed: u64,
    kinds: &[Arc<ActorKind>],
    numbers: &[usize],
    (world, decks): (&Surroundings, &Decks),
) -> Result<Vec<Actor>, StageError> {
    let settings = &scene.settings;
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let several = scene.characters.len() > 1;
    let mut actors = Vec::with_capacity(scene.characters.len());
    for (part, &kind) in scene.characters.iter().zip(numbers) {
        let start = &part.start;
        let riding = decks.ride(scene, part);
        let world = decks.world(world, riding.as_ref().map(|own| own.ride.which));
        let below = start.height.map_or(1e6, |height| height + 0.1);
        let floor = world.height(start.place, below).unwrap_or(0.0);
        let towards = part.goal.place - start.place;
        let facing = if towards.length() > 0.1 { towards.x.atan2(towards.y) } else { 0.0 };
        let place = Planar::new(start.place, start.heading.unwrap_or(facing));
        let phase: f32 = random.random_range(0.0..1.0);
        let vigour: f32 = 1.0 + settings.behavior.vigour * random.random_range(-1.0..1.0);
        let (phase, vigour) = if several { (phase, vigour) } else { (0.0, 1.0) };
        actors.push(Actor {
            name: part.name.clone(),
            kind,
            body: AnimatedBody::new(Arc::clone(&kinds[kind]), place, floor, phase, world)?,
            behavior: Behavior::new(part, vigour, settings),
            riding,
        });
    }
    Ok(actors)
}

/// What makes two characters of one kind.
#[derive(Clone, Debug, PartialEq)]
struct CharacterLook {
    character: String,
    height: Option<f32>,
    repertoire: Option<PathBuf>,
}

impl CharacterLook {
    fn of(part: &CharacterSpec) -> Self {
        Self {
            character: part.character.clone(),
            height: part.height,
            repertoire: part.repertoire.clone(),
        }
    }
}
