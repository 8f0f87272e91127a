//! A scene that is being played.

mod apart;
mod cues;
mod footfalls;
mod note;
mod open;
mod waits;

pub use footfalls::Footfall;
pub(super) use footfalls::WatchedFoot;
pub use open::StageSnapshot;
pub(super) use waits::Stillness;

use super::actor::{Actor, VisibleActor};
use super::actor_id::ActorId;
use super::avoid::Other;
use super::behavior::Decision;
use super::decks::Decks;
use super::floor::{Surroundings, walls_at};
use super::gates::Doorways;
use super::kind::{ActorKind, CharacterSource};
use super::neighbours::Neighbours;
use super::physics::Physics;
use super::planning::PlanQueue;
use super::sensors::Perception;
use crate::{
    BehaviorSettings, BodyDrive, CharacterPlan, Clock, Command, CommandError, Cue, DetailSettings,
    Event, EventKind, Order, PhysicalBodyError, Scene, StageTimings, Waypoint,
    command_error as check,
};
use andante_plan::route::FloorError;
use andante_plan::steps::StepError;
use andante_play::blend_space::PlayerError;
use andante_skeleton::{SettingError, parallel};
use andante_world::Obstacle;
use glam::{Vec2, Vec3};
use note::StepNote;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use std::sync::Arc;
use thiserror::Error;

/// An error that keeps a scene from being played.
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
    #[error("settings.{group}: {0}", group = .0.group.as_deref().unwrap_or_default())]
    Settings(#[from] SettingError),
    /// Something that was asked for cannot be.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// There is nobody in the scene.
    #[error("{0}: there is nobody in this scene; add a [[character]]")]
    Nobody(String),
    /// Somebody or something was taken away while it was recorded.
    #[error("what is recorded stays on the stage; it was taken away or replaced")]
    Recorded,
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
/// stage.command(0, Command::WalkTo(there))?;
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
    /// Seconds that are too few to be a step yet.
    owed: f32,
    /// From where it is looked at, and how many steps have been made.
    viewer: Option<Vec3>,
    steps: usize,
    pub(super) world: Surroundings,
    pub(super) decks: Decks,
    /// Ground and platforms as they are now; obstacles are the world's.
    scene: Scene,
    kinds: Vec<(CharacterSource, Arc<ActorKind>)>,
    random: Pcg64Mcg,
    pub(super) actors: Vec<Actor>,
    pub(super) physics: Physics,
    gates: Doorways,
    planning: PlanQueue,
    orders: Vec<Order>,
    states: Vec<OrderState>,
    seen: Vec<VisibleActor>,
    neighbours: Neighbours,
    /// Whether that is how they are now.
    has_looked: bool,
    /// Where everybody will be after the step, as far as that is known.
    places: Vec<Vec2>,
    notes: Vec<StepNote>,
    near: Vec<(usize, usize)>,
    events: Vec<Event>,
    /// Whether the events are those of an earlier step, and nothing has happened since.
    quiet: bool,
    pub(super) fresh: Vec<Event>,
    footfalls: Vec<Footfall>,
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
    /// Steps are at least this long, in seconds: shorter times are kept until they are.
    pub const SHORTEST_STEP: f32 = 5e-4;

    /// Longer times than this are made in several steps, in seconds.
    pub const LONGEST_STEP: f32 = 0.05;

    /// The longest time that passes at once, in seconds: whoever was away for longer goes on from there.
    pub const LONGEST_TIME: f32 = 1.0;

    /// Sets a scene. Characters differ a little by the seed where there are several: none walks quite as fast as
    /// the other, and they do not breathe in time. A scene may be empty: characters, ground and things come and go at
    /// any time.
    pub fn new(scene: &Scene, seed: u64) -> Result<Self, StageError> {
        check::scene(scene)?;
        let settings = Arc::new(scene.settings);
        let mut kinds: Vec<(CharacterSource, Arc<ActorKind>)> = Vec::new();
        let mut numbers = Vec::new();
        for part in &scene.characters {
            numbers.push(open::kind_of(&mut kinds, CharacterSource::of(part), part, &settings)?);
        }
        let world = Surroundings::new(scene, kinds.len())?;
        let decks = Decks::new(scene, kinds.len())?;
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let several = scene.characters.len() > 1;
        let mut actors = Vec::with_capacity(scene.characters.len());
        for (part, &number) in scene.characters.iter().zip(&numbers) {
            let kind = (number, Arc::clone(&kinds[number].1));
            let riding = decks.ride(scene, part);
            let world = decks.world(&world, riding.as_ref().map(|own| own.ride.which));
            let variety = (&mut random, several);
            let mut actor =
                open::actor(ActorId::from(actors.len()), part, kind, world, None, variety)?;
            actor.riding = riding;
            actors.push(actor);
        }
        let physics = Physics::new(scene, &numbers, &actors, &world.ground)?;
        let mut stage = Self {
            time: 0.0,
            owed: 0.0,
            viewer: None,
            steps: 0,
            physics,
            world,
            decks,
            scene: Scene { characters: Vec::new(), orders: Vec::new(), ..scene.clone() },
            kinds,
            random,
            seen: Vec::with_capacity(actors.len()),
            neighbours: Neighbours::default(),
            has_looked: false,
            places: Vec::with_capacity(actors.len()),
            notes: Vec::with_capacity(actors.len()),
            actors,
            gates: Doorways::new(settings.doorways),
            planning: PlanQueue::new(&settings.planner),
            states: vec![OrderState::Waiting; scene.orders.len()],
            orders: scene.orders.clone(),
            near: Vec::new(),
            events: Vec::new(),
            quiet: false,
            fresh: Vec::new(),
            footfalls: Vec::new(),
            ended: Vec::new(),
            timings: StageTimings::default(),
        };
        stage.actors.iter_mut().for_each(|actor| actor.be_carried(0.0));
        stage.look();
        stage.stand_by_forces(0.0);
        Ok(stage)
    }

    /// All actors, in the order of the scene and as they came. Those who were taken away stay in their places until
    /// another comes, and say so ([`Actor::is_gone`]).
    pub fn actors(&self) -> &[Actor] {
        &self.actors
    }

    /// The actors who are on the stage.
    pub fn present(&self) -> impl Iterator<Item = &Actor> {
        self.actors.iter().filter(|actor| !actor.gone)
    }

    /// A character.
    pub fn actor(&self, who: impl Into<ActorId>) -> Result<&Actor, CommandError> {
        self.index(who.into()).map(|who| &self.actors[who])
    }

    /// The character of this name.
    pub fn find(&self, name: &str) -> Option<ActorId> {
        self.present().find(|actor| actor.name == name).map(Actor::id)
    }

    /// The place of somebody who is there.
    pub(super) fn index(&self, who: ActorId) -> Result<usize, CommandError> {
        let actor = self.actors.get(who.number()).filter(|actor| !actor.gone && actor.id == who);
        actor.map(|_| who.number()).ok_or(CommandError::Gone(who))
    }

    /// Seconds since the beginning.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The events of the last step.
    pub fn events(&self) -> &[Event] {
        if self.quiet { &[] } else { &self.events }
    }

    /// Feet that came down in the last step.
    pub fn footfalls(&self) -> &[Footfall] {
        &self.footfalls
    }

    /// The obstacles that stand or hang in the way now.
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.world.obstacles
    }

    /// True if the script is over: every order has been carried out, given up or cannot come any more.
    pub fn is_over(&self) -> bool {
        let busy = self.present().any(|actor| !actor.is_idle() && !actor.is_endless());
        let later = self.orders.iter().zip(&self.states).any(|(order, state)| {
            *state == OrderState::Waiting
                && match &order.cue {
                    Cue::At(time) => f64::from(*time) > self.time,
                    Cue::Next | Cue::After(_) => false,
                    Cue::When(_) => self.present().any(Actor::is_endless),
                }
        });
        let due = (0..self.orders.len()).any(|order| cues::is_due(self, order));
        !busy && !later && !due && !self.is_shaken()
    }

    /// Ends what has not ended: whoever still has something to do has failed at it, for this reason.
    pub(crate) fn cut(&mut self, reason: &str) {
        self.events.clear();
        self.quiet = false;
        for (who, actor) in self.actors.iter().enumerate() {
            let owes = actor.owes(&self.actors).map(|(_, why)| format!("{why}, {reason}"));
            let busy = !actor.is_idle() && !actor.is_endless();
            let why = owes.or_else(|| busy.then(|| reason.to_owned()));
            if let Some(why) = why.filter(|_| !actor.gone) {
                let kind = EventKind::Failed(format!("{}: {why}", actor.doing()));
                self.events.push(Event { time: self.time as f32, track: Some(who), kind });
            }
        }
    }

    /// Tells a character what to do, now. What it was doing is given up, and it goes over without a jolt. Whether it
    /// can be done shows later, in [`Stage::events`]; what makes no sense at all is refused at once.
    pub fn command(
        &mut self,
        who: impl Into<ActorId>,
        command: Command,
    ) -> Result<(), CommandError> {
        let who = who.into();
        let index = self.index(who)?;
        command.check()?;
        if let Some(whom) = command.about() {
            self.index(whom)?;
            if whom == who && matches!(command, Command::Follow { .. }) {
                return Err(CommandError::Own);
            }
        }
        if let Command::Speed(Some(speed)) = command {
            check::walks(speed, &self.physics.settings.steering)?;
        }
        let command = command.on_ground(self.surface(index))?;
        let label = cues::words(self, &command);
        cues::give(self, index, command, label, None);
        Ok(())
    }

    /// The ground below a point to some depth, in somebody's world.
    fn surface(&self, who: usize) -> impl Fn(glam::Vec3, f32) -> Option<f32> {
        let world = self.decks.world(&self.world, self.actors[who].deck());
        |from, depth| world.below(from, depth)
    }

    /// Leads a character by hand: speed ahead in m/s and turn rate to the left in rad/s, as from a gamepad. It
    /// answers in the next step, and keeps on until it is told otherwise. Faster than -1 to 8 m/s and 3 rad/s it does not
    /// go.
    pub fn steer(
        &mut self,
        who: impl Into<ActorId>,
        speed: f32,
        turn_rate: f32,
    ) -> Result<(), CommandError> {
        let who = self.index(who.into())?;
        check::number("speed", speed, -100.0..=100.0, " m/s")?;
        check::number("turn_rate", turn_rate, -100.0..=100.0, " rad/s")?;
        self.with(who, |own| own.steer(speed, turn_rate));
        Ok(())
    }

    /// Switches ducking under what hangs low on or off. Without it, what is too low is told as an event.
    pub fn set_ducking(
        &mut self,
        who: impl Into<ActorId>,
        ducks: bool,
    ) -> Result<(), CommandError> {
        let who = self.index(who.into())?;
        self.actors[who].body.ducks = ducks;
        Ok(())
    }

    /// Says from where the stage is looked at: the upper bodies of those who are far from there are made less often, as
    /// [`DetailSettings`] say. Where everybody goes, how they step and what happens does not depend on it, bit by bit.
    /// Without a viewer everybody is made in full.
    pub fn set_viewer(&mut self, viewer: Option<Vec3>) -> Result<(), CommandError> {
        viewer.map_or(Ok(()), |at| check::point("viewer", at))?;
        self.viewer = viewer;
        Ok(())
    }

    /// The perception of a character: what it notices around it.
    pub fn senses(&mut self, who: impl Into<ActorId>) -> Result<Perception, CommandError> {
        let id = who.into();
        let who = self.index(id)?;
        let mut noticed = Err(CommandError::Gone(id));
        self.with(who, |own| {
            let (network, floor) = (own.network(), own.body.floor());
            let walls = network.as_ref().and_then(|network| walls_at(network, own.place(), floor));
            let others = own.seen.iter().enumerate();
            let others = others.filter(|(index, seen)| *index != who && seen.present);
            let others: Vec<_> = others.map(|(index, seen)| Other::of(index, seen)).collect();
            let settings = &own.settings().avoidance;
            noticed = Ok(Perception::new(&own.avoiding(Vec2::ZERO), walls, &others, settings));
        });
        noticed
    }

    /// The plan of a way from where a character is now to a place, at a walk or at a run, over gaps if it may jump:
    /// what it would do if it were told so and nobody else were there. Why there is none is told.
    pub fn plan(
        &mut self,
        who: impl Into<ActorId>,
        to: Waypoint,
        run: bool,
    ) -> Result<CharacterPlan, CommandError> {
        let id = who.into();
        let who = self.index(id)?;
        check::waypoint(&to)?;
        let to = to.on_ground(self.surface(who))?;
        let mut planned = Err(CommandError::Gone(id));
        self.with(who, |own| {
            let planner = own.planner(to, run, run && own.behavior.may_jump);
            let plan = planner.and_then(|planner| planner.plan());
            planned = plan.map_err(|no| CommandError::Impossible(no.to_string()));
        });
        planned
    }

    /// The timings of planning so far, if there is a clock.
    pub fn timings(&self) -> StageTimings {
        let preparation = self.decks.preparation() + self.world.preparation;
        StageTimings { preparation, ..self.timings }
    }

    /// Gives the stage a clock to time its planning with.
    pub fn set_clock(&mut self, clock: Clock) {
        self.world.clock = clock;
        self.decks.set_clock(clock);
    }

    /// Lets time pass: 1/60 s or whatever a frame of a game lasts, each as long or as short as it likes.
    ///
    /// Times of less than [`Stage::SHORTEST_STEP`] are kept until they are as much, and meanwhile nothing changes. Times of
    /// more than [`Stage::LONGEST_STEP`] are made in several steps, up to [`Stage::LONGEST_TIME`]; what is more is left
    /// out. A time that is negative or no number counts as none.
    ///
    /// ```
    /// # use andante_stage::{Stage, read_scene};
    /// # let text = "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[-4, -4], [4, -4], [4, 4], [-4, 4]]\n";
    /// let mut stage = Stage::new(&read_scene(text)?, 1)?;
    /// for dt in [0.02, 1e-9, 0.0, f32::NAN, 0.3, 3.0] {
    ///     stage.step(dt);
    /// }
    /// assert!((stage.time() - 1.32).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step(&mut self, dt: f32) {
        self.quiet = true;
        self.footfalls.clear();
        if !(dt > 0.0 && dt.is_finite()) {
            return;
        }
        self.owed += dt.min(Self::LONGEST_TIME);
        if self.owed < Self::SHORTEST_STEP {
            return;
        }
        let whole = std::mem::take(&mut self.owed);
        let parts = (whole / Self::LONGEST_STEP).ceil().max(1.0);
        for part in 0..parts as usize {
            cues::cue(self);
            if part == 0 {
                self.events.clear();
                self.quiet = false;
            }
            self.pass(whole / parts);
        }
    }

    /// Lets the time of one step pass.
    fn pass(&mut self, dt: f32) {
        self.look();
        let all = (&self.seen[..], &self.neighbours);
        // Looks are cheap: of fewer people other cores are not worth waking.
        self.notes.resize(self.actors.len(), StepNote::default());
        parallel::for_each_pair(64, &mut self.actors, &mut self.notes, |actor, note| {
            actor.look_around(all);
            note.begin(actor);
        });
        self.planning.begin_step(self.actors.len());
        for deck in self.decks.all() {
            for who in 0..self.actors.len() {
                if !self.notes[who].gone && self.notes[who].deck == deck {
                    self.decide(who, dt, |own| own.think());
                    self.notes[who].decided(&self.actors[who], dt);
                }
            }
        }
        self.keep_apart(dt);
        self.time += f64::from(dt);
        self.touch(dt);
        let (world, decks) = (&self.world, &self.decks);
        let (physics, viewer, steps) = (&self.physics, self.viewer, self.steps);
        parallel::for_each_pair(4, &mut self.actors, &mut self.notes, |actor, note| {
            if actor.gone {
                return;
            }
            let DetailSettings { far, every } = actor.settings().detail;
            let who = actor.id.number();
            let hips = actor.models()[actor.character().rig.hips].translation;
            let is_far = viewer.is_some_and(|viewer| hips.distance(viewer) > far);
            // Forces take over the whole body as it is shown.
            let sketched = is_far
                && physics.natures[who] == BodyDrive::Kinematic
                && !(steps + who).is_multiple_of(every);
            actor.body.animate(dt, decks.world(world, actor.deck()), sketched);
            note.animated(actor);
        });
        self.steps = self.steps.wrapping_add(1);
        self.has_looked = false;
        self.hold();
        self.settle();
        let (time, seen) = (self.time, &self.seen[..]);
        parallel::for_each_pair(64, &mut self.actors, &mut self.notes, |actor, note| {
            if !actor.gone {
                actor.be_carried(time);
                footfalls::watch(actor, time, dt);
                waits::watch(actor, seen, time);
                note.ended(actor);
            }
        });
        self.meet();
        footfalls::notice(self);
        waits::notice(self);
        for order in self.ended.drain(..) {
            self.states[order] = OrderState::Ended;
        }
        self.events.append(&mut self.fresh);
    }

    /// What everybody sees of everybody.
    fn look(&mut self) {
        if std::mem::replace(&mut self.has_looked, true) {
            return;
        }
        self.seen.resize(self.actors.len(), VisibleActor::default());
        parallel::for_each_pair(64, &mut self.actors, &mut self.seen, |actor, seen| {
            *seen = actor.seen();
        });
        let place = |seen: &VisibleActor| if seen.present { seen.place } else { Vec2::NAN };
        self.neighbours.sort(self.seen.iter().map(place));
        self.neighbours.largest = self.seen.iter().map(|seen| seen.radius).fold(0.0, f32::max);
    }

    /// Tells of those who come near each other.
    fn meet(&mut self) {
        let Self { notes, neighbours, near: pairs, fresh, .. } = self;
        let place = |who: usize| notes[who].place;
        let BehaviorSettings { near, not_near, .. } = self.physics.settings.behavior;
        pairs.retain(|&(a, b)| place(a).distance(place(b)) < not_near);
        let there = |note: &StepNote| if note.gone { Vec2::NAN } else { note.place };
        neighbours.sort(notes.iter().map(there));
        let told = pairs.len();
        for b in (0..notes.len()).filter(|&b| !notes[b].gone) {
            neighbours.each_within(place(b), near, |a| {
                if a < b && pairs[..told].binary_search(&(a, b)).is_err() {
                    pairs.push((a, b));
                }
            });
        }
        pairs[told..].sort_unstable_by_key(|&(a, b)| (b, a));
        for &(a, b) in &pairs[told..] {
            let time = self.time as f32;
            fresh.push(Event { time, track: Some(a), kind: EventKind::Near(b) });
        }
        pairs.sort_unstable();
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
            near: &self.neighbours,
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
