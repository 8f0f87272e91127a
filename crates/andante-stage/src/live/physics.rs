//! Pushes, throws and falls on a stage: who is moved by forces, and what else is.

use super::actor::Actor;
use super::behavior::ActorTask;
use super::decks::Decks;
use super::floor::Surroundings;
use super::press::{Acquaintance, press};
use super::stage::Stage;
use super::torque_walk;
use super::touch::{Handover, handover, is_led, meet_things, push};
use crate::physical::{
    Before, Cycles, MovingGround, PhysicalBody, PhysicalCondition, PhysicsEpisode,
    SimulationGround, Site, Solids, StageProp, Things,
};
use crate::{
    ActorId, BodyDrive, CharacterSpec, Command, CommandError, Event, EventKind, Scene, SceneGround,
    StageError, StageSettings, ThrowOrder,
};
use andante_body::{Prop, PropForm, aim};
use andante_dynamics::vec3;
use andante_skeleton::{BodyCapsules, Planar, Transform};
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// Forces on a stage.
#[derive(Clone, Debug, Default)]
pub(crate) struct Physics {
    pub(super) natures: Vec<BodyDrive>,
    /// The physical body of each kind, as far as anybody needs it.
    pub(super) fleshes: Vec<Option<Arc<PhysicalBody>>>,
    pub(super) cycles: Vec<Cycles>,
    pub things: Things,
    /// Obstacles of triangles, as simulations touch them.
    pub(super) solids: Solids,
    /// Orders that end when somebody is safe again.
    waiting: Vec<Waiting>,
    /// Who has fallen and is not up again.
    pub(super) fallen: Vec<bool>,
    /// Height of the lowest ground, if anybody can fall.
    lowest: f32,
    /// What the bodies of kinds are made of, as far as anybody touched them.
    pub(super) capsules: Vec<Option<Arc<BodyCapsules>>>,
    /// Who has lately touched whom.
    pub(super) acquainted: Vec<Acquaintance>,
    pub(super) settings: Arc<StageSettings>,
}

/// An order that has been begun.
#[derive(Clone, Debug)]
struct Waiting {
    who: usize,
    label: String,
    order: Option<usize>,
    /// What was thrown, if it has to come first.
    thing: Option<usize>,
    /// Whether it is over when somebody lies; otherwise when they are safe.
    down: bool,
}

impl Physics {
    pub fn new(
        scene: &Scene,
        kinds: &[usize],
        actors: &[Actor],
        ground: &SceneGround,
    ) -> Result<Self, StageError> {
        let natures: Vec<BodyDrive> = scene.characters.iter().map(|part| part.nature).collect();
        let count = kinds.iter().max().map_or(0, |most| most + 1);
        let mut fleshes = vec![None; count];
        for ((part, &kind), actor) in scene.characters.iter().zip(kinds).zip(actors) {
            if part.nature != BodyDrive::Kinematic && fleshes[kind].is_none() {
                fleshes[kind] = Some(flesh(part, actor)?);
            }
        }
        let can_fall = fleshes.iter().any(Option::is_some);
        Ok(Self {
            lowest: can_fall.then(|| ground.lowest()).flatten().unwrap_or(0.0),
            fallen: vec![false; natures.len()],
            natures,
            fleshes,
            cycles: vec![Cycles::default(); count],
            settings: Arc::new(scene.settings),
            ..Self::default()
        })
    }

    /// Makes room for somebody who has come.
    pub fn admit(
        &mut self,
        who: usize,
        part: &CharacterSpec,
        actor: &Actor,
        ground: &SceneGround,
    ) -> Result<(), StageError> {
        let kinds = self.fleshes.len().max(actor.kind + 1);
        self.fleshes.resize(kinds, None);
        self.cycles.resize(kinds, Cycles::default());
        if part.nature != BodyDrive::Kinematic && self.fleshes[actor.kind].is_none() {
            self.fleshes[actor.kind] = Some(flesh(part, actor)?);
            self.look_for_lowest(ground);
        }
        let people = self.natures.len().max(who + 1);
        self.natures.resize(people, BodyDrive::Kinematic);
        self.fallen.resize(people, false);
        (self.natures[who], self.fallen[who]) = (part.nature, false);
        Ok(())
    }

    /// Another kind has that number from now on.
    pub fn forget_kind(&mut self, kind: usize) {
        if let (Some(flesh), Some(cycles)) = (self.fleshes.get_mut(kind), self.cycles.get_mut(kind))
        {
            (*flesh, *cycles) = (None, Cycles::default());
        }
        if let Some(capsules) = self.capsules.get_mut(kind) {
            *capsules = None;
        }
    }

    /// Looks how low the ground is, if anybody can fall.
    pub fn look_for_lowest(&mut self, ground: &SceneGround) {
        let can_fall = self.fleshes.iter().any(Option::is_some);
        self.lowest = can_fall.then(|| ground.lowest()).flatten().unwrap_or(0.0);
    }
}

/// The physical body of somebody.
fn flesh(part: &CharacterSpec, actor: &Actor) -> Result<Arc<PhysicalBody>, StageError> {
    let settings = Arc::clone(&actor.shared().settings);
    let flesh = PhysicalBody::new(actor.character(), settings);
    flesh.map(Arc::new).map_err(|error| StageError::Flesh(part.name.clone(), error))
}

/// Refuses those who go faster than gravity holds them to the ground: forces would fling them away at their next step.
fn keeps_to_ground(actor: &Actor, flesh: &PhysicalBody) -> Result<(), String> {
    let settings = &flesh.settings.physical;
    let (goes, froude) = match actor.body.running() > 0.5 {
        true => ("run", settings.run_froude),
        false => ("walk", settings.walk_froude),
    };
    let (gravity, speed) = (flesh.settings.physics.gravity, actor.body.disc.speed.abs());
    let fastest = (froude * gravity * flesh.physique.height).sqrt();
    if f64::from(speed) <= fastest {
        return Ok(());
    }
    Err(format!(
        "it goes at {speed:.2} m/s, and under {gravity} m/s² forces carry a body of its height on in a {goes} at \
         {fastest:.2} m/s at most (`physical.{goes}_froude`)"
    ))
}

/// The ground of the world and everything on it.
pub(super) fn site<'a>(world: &'a Surroundings, decks: &'a Decks, solids: &'a Solids) -> Site<'a> {
    Site { ground: &world.ground, obstacles: &world.obstacles, moving: &decks.platforms, solids }
}

/// The ground around the straight way from a frame to a place, for somebody who may be carried.
pub(super) fn ground_around(
    site: Site,
    settings: &StageSettings,
    world: &Surroundings,
    actor: (f32, Option<usize>),
    frame: Planar,
    to: Vec2,
) -> MovingGround {
    let (floor, deck) = actor;
    let level = (world.is_level() && deck.is_none()).then_some(floor);
    SimulationGround::around(site, &settings.physical, frame, deck, to, level)
}

impl Stage {
    /// Everything that was thrown or lies about: its name, its form, and where it is.
    pub fn props(&self) -> impl Iterator<Item = (&str, PropForm, Transform)> {
        let things = self.physics.things.all.iter();
        things.map(|thing| (thing.prop.name.as_str(), thing.prop.form, thing.transform()))
    }

    /// True if somebody is moved by forces now.
    pub fn is_physical(&self, who: impl Into<ActorId>) -> bool {
        self.actor(who).is_ok_and(|actor| actor.body.is_physical())
    }

    /// Whether forces have still to come to rest.
    pub(super) fn is_shaken(&self) -> bool {
        let struggles = |actor: &Actor| {
            actor.body.episode().is_some_and(|own| {
                !(matches!(own.condition(), PhysicalCondition::Stands | PhysicalCondition::Walks)
                    || own.stays())
            })
        };
        !self.physics.waiting.is_empty()
            || self.actors.iter().any(struggles)
            || self
                .physics
                .things
                .all
                .iter()
                .any(|thing| thing.is_flying(&self.physics.settings.things))
    }

    /// Does to somebody what a command says.
    pub(super) fn act_on(
        &mut self,
        who: usize,
        command: &Command,
        label: String,
        order: Option<usize>,
    ) {
        let done = match command {
            Command::Push(shove) => push(self, who, shove).map(|()| None),
            Command::Throw(throw) => self.throw(who, throw).map(Some),
            Command::Fall => self.fall(who).map(|()| None),
            Command::GetUp => self.get_up(who).map(|()| None),
            _ => Err("that is nothing that is done to anybody".into()),
        };
        let time = self.time as f32;
        let mut tell = |kind| self.fresh.push(Event { time, track: Some(who), kind });
        match done {
            Ok(thing) => {
                tell(EventKind::Began(label.clone()));
                let down = *command == Command::Fall;
                self.physics.waiting.push(Waiting { who, label, order, thing, down });
            }
            Err(reason) => {
                tell(EventKind::Failed(format!("{label}: {reason}")));
                self.ended.extend(order);
            }
        }
    }

    fn fall(&mut self, who: usize) -> Result<(), String> {
        self.begin(who, self.time)?;
        match self.actors.get_mut(who).and_then(|actor| actor.body.episode_mut()) {
            Some(episode) => episode.fall().map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }

    fn get_up(&mut self, who: usize) -> Result<(), String> {
        self.may_be_touched(who)?;
        if let Some(episode) = self.actors.get_mut(who).and_then(|actor| actor.body.episode_mut()) {
            episode.get_up();
        }
        Ok(())
    }

    fn throw(&mut self, who: usize, throw: &ThrowOrder) -> Result<usize, String> {
        self.may_be_touched(who)?;
        let actor = self.actors.get(who).ok_or("there is nobody")?;
        let kind = match throw.form {
            PropForm::Ball { .. } => "ball",
            PropForm::Cube { .. } => "cube",
        };
        let things = &self.physics.things.all;
        let name = (things.len() + 1..)
            .map(|number| format!("{kind} {number}"))
            .find(|name| things.iter().all(|thing| thing.prop.name != *name))
            .unwrap_or_default();
        let from = vec3(f64::from(throw.from.x), f64::from(throw.from.y), f64::from(throw.from.z));
        let physics = self.physics.settings.physics;
        let prop = physics.surfaced(Prop::new(name, throw.form, f64::from(throw.mass), from));
        let site = site(&self.world, &self.decks, &self.physics.solids);
        let ground = SimulationGround::everywhere(site).at(self.time);
        prop.check(&ground).map_err(|error| error.to_string())?;
        // Where it will be when it is there, more or less.
        let carriage = actor.carriage(self.time);
        let chest = actor.body.chest();
        let chest = carriage.map_or(chest, |own| own.place(chest.as_dvec3()).as_vec3());
        let time = chest.distance(throw.from) / throw.speed.max(0.1);
        let to = chest + velocity(actor, self.time) * time;
        let to = vec3(f64::from(to.x), f64::from(to.y), f64::from(to.z));
        let velocity = aim(from, to, f64::from(throw.speed), physics.gravity)
            .ok_or_else(|| format!("thrown at {} m/s it does not get there", throw.speed))?;
        let prop = prop.thrown(velocity);
        prop.check(&ground).map_err(|error| error.to_string())?;
        self.note(who, EventKind::Thrown(prop.name.clone()));
        let things = &mut self.physics.things;
        things.all.push(StageProp {
            prop,
            target: Some(who),
            owner: None,
            struck: false,
            age: 0.0,
        });
        things.changed();
        Ok(things.all.len() - 1)
    }

    pub(super) fn note(&mut self, who: usize, kind: EventKind) {
        self.fresh.push(Event { time: self.time as f32, track: Some(who), kind });
    }

    pub(super) fn may_be_touched(&self, who: usize) -> Result<(), String> {
        match self.physics.natures.get(who) {
            Some(BodyDrive::Kinematic) => {
                let name = self.actors.get(who).map_or("it", Actor::name);
                Err(format!("{name} is kinematic; `body = \"physical_when_touched\"` changes that"))
            }
            _ => Ok(()),
        }
    }

    /// Hands somebody over to forces as it is at a time, unless they have it already.
    pub(super) fn begin(&mut self, who: usize, time: f64) -> Result<(), String> {
        self.may_be_touched(who)?;
        let Self { actors, world, decks, physics, .. } = self;
        let actor = actors.get_mut(who).ok_or("there is nobody")?;
        if actor.body.is_physical() {
            return Ok(());
        }
        let flesh = physics.fleshes.get(actor.kind).and_then(Option::as_ref);
        let flesh = flesh.ok_or("it has no physical body")?;
        keeps_to_ground(actor, flesh)?;
        let settings = &physics.settings.torque_walk;
        let disc = actor.body.disc;
        let towards = match actor.behavior.task.going() {
            Some(going) => {
                let way = &going.way;
                way.place((way.at() + settings.onward).min(way.length()))
            }
            None => disc.place.position + settings.onward * disc.ahead(),
        };
        let walks = match handover(actor, Some(flesh), world, &physics.settings) {
            Handover::Walks(speed) => Some(speed),
            Handover::Stands | Handover::Led => None,
        };
        let floor = actor.body.floor();
        let mut hips = actor.body.hips();
        if walks.is_some() {
            // Hips swing from side to side on the way.
            hips.heading = disc.place.heading;
        }
        let (models, earlier) = (actor.body.shown(), actor.body.shown_earlier());
        let ride = actor.riding.as_ref().map(|riding| riding.ride.clone());
        let before = Before { models, earlier, hips, floor, walks, towards, time, ride };
        let cycles = &mut physics.cycles[actor.kind];
        let (site, stands) = (site(world, decks, &physics.solids), (floor, actor.deck()));
        let episode = PhysicsEpisode::new(flesh, cycles, &before, |frame| {
            ground_around(site, &physics.settings, world, stands, frame, frame.position)
        })
        .map_err(|error| error.to_string())?;
        actor.body.feel(episode);
        Ok(())
    }

    /// Lets things fly, and hands over those whom they come to touch.
    pub(super) fn touch(&mut self, dt: f32) {
        self.stand_by_forces(dt);
        press(self, dt);
        if self.physics.things.all.is_empty() {
            return;
        }
        let Self { physics, world, decks, time, .. } = self;
        let Physics { things, solids, settings, .. } = physics;
        // Things get anywhere.
        things.advance(dt, *time, settings, || {
            SimulationGround::everywhere(site(world, decks, solids))
        });
        for who in 0..self.actors.len() {
            if self.actors[who].gone || self.physics.natures[who] == BodyDrive::Kinematic {
                continue;
            }
            if is_led(self, who) {
                meet_things(self, who, dt);
                continue;
            }
            let near: Vec<usize> = (0..self.physics.things.all.len())
                .filter(|&index| {
                    let thing = &self.physics.things.all[index];
                    thing.owner.is_none() && self.is_at_hand(who, thing, dt)
                })
                .collect();
            let before = self.time - f64::from(dt);
            if near.is_empty() {
                continue;
            }
            if self.begin(who, before).is_err() {
                meet_things(self, who, dt);
                continue;
            }
            for &index in &near {
                self.physics.things.all[index].owner = Some(who);
            }
            self.hand_over(who);
        }
    }

    /// Lets forces take those who are physical and have nothing to do, as they were some seconds ago.
    pub(super) fn stand_by_forces(&mut self, dt: f32) {
        for who in 0..self.actors.len() {
            if self.physics.natures[who] != BodyDrive::Physical {
                continue;
            }
            let actor = &self.actors[who];
            let rests = matches!(actor.behavior.task, ActorTask::Idle | ActorTask::Wait(_))
                && actor.behavior.pending.is_none();
            let stands = actor.body.is_standing() && actor.body.played().is_none();
            if !actor.gone && rests && stands && !actor.body.is_physical() {
                // Whoever cannot be simulated stays as it is.
                let _ = self.begin(who, self.time - f64::from(dt));
            }
        }
    }

    /// Whether something is about to touch somebody.
    fn is_at_hand(&self, who: usize, thing: &StageProp, dt: f32) -> bool {
        let actor = &self.actors[who];
        let place = actor.disc().place.position;
        let head = actor.character().rig.head.unwrap_or(0);
        let top = actor.models()[head].translation.y + 0.1;
        let carriage = actor.carriage(self.time);
        let risen = carriage.map_or(0.0, |own| own.transform().translation.y);
        let low = (actor.body.floor() + risen + 0.05).min(top);
        let at = thing.place();
        let middle = Vec3::new(place.x, at.y.clamp(low, top), place.y);
        let between = middle - at;
        let settings = &self.physics.settings.physical;
        let gap = between.length() - settings.stout - thing.prop.form.reach() as f32;
        if actor.body.is_physical() {
            return gap < settings.at_hand;
        }
        let own = velocity(actor, self.time);
        let comes = (thing.velocity() - own).dot(between.normalize_or_zero());
        comes > settings.comes && gap < 2.0 * comes * dt + 0.02
    }

    /// Puts the things that somebody has near into its simulation.
    pub(super) fn hand_over(&mut self, who: usize) {
        let Self { physics, actors, .. } = self;
        let props: Vec<Prop> = owned(&physics.things.all, who).map(|t| t.prop.clone()).collect();
        let episode = actors.get_mut(who).and_then(|actor| actor.body.episode_mut());
        if episode.is_none_or(|episode| episode.set_props(&props).is_err()) {
            physics.things.all.iter_mut().filter(|t| t.owner == Some(who)).for_each(|thing| {
                thing.owner = None;
            });
        }
        physics.things.changed();
    }

    /// Looks how those who are moved by forces are, and lets go of those who are safe.
    pub(super) fn settle(&mut self) {
        for who in 0..self.actors.len() {
            let is_fixed = self.physics.natures[who] == BodyDrive::Kinematic;
            if is_fixed || self.actors[who].gone {
                continue;
            }
            torque_walk::mind_errand(self, who);
            torque_walk::mind_way(self, who);
            self.mind_depth(who);
            let Self { physics, actors, .. } = self;
            let actor = &mut actors[who];
            let Some(episode) = actor.body.episode() else { continue };
            let mut own: Vec<&mut StageProp> =
                physics.things.all.iter_mut().filter(|thing| thing.owner == Some(who)).collect();
            let mut props: Vec<Prop> = own.iter().map(|thing| thing.prop.clone()).collect();
            episode.read_props(&mut props);
            let mut hits = Vec::new();
            for ((thing, prop), hit) in own.iter_mut().zip(props).zip(episode.hits()) {
                thing.prop = prop;
                if *hit && !thing.struck {
                    thing.struck = true;
                    hits.push(thing.prop.name.clone());
                }
            }
            let (condition, steps, stays) = (episode.condition(), episode.steps(), episode.stays());
            let gives_up = episode.gives_up();
            let fresh = actor.body.becomes(condition);
            for name in hits {
                self.note(who, EventKind::Struck(name));
            }
            match condition {
                _ if stays => {
                    let out = self.actors[who].body.episode().is_some_and(PhysicsEpisode::is_out);
                    let why = if out {
                        "it has fallen out of the world"
                    } else {
                        "it lies on the ground"
                    };
                    self.end_orders(who, true, Ok(()));
                    self.end_orders(who, false, Err(why));
                    // Whoever lies there does not go on.
                    self.with(who, |own| own.fall_down(why));
                }
                PhysicalCondition::Falls if fresh => {
                    self.note(who, EventKind::Fell);
                    self.physics.fallen[who] = true;
                }
                PhysicalCondition::Stands | PhysicalCondition::Walks => {
                    self.be_safe(who, condition, steps)
                }
                PhysicalCondition::Struggling if gives_up => {
                    self.note(who, EventKind::GaveUp);
                    self.end_orders(who, false, Err("it does not find its balance"));
                    self.release(who, false);
                }
                _ => {}
            }
        }
        self.end_missed();
    }

    /// Ends what was thrown at those whom it has missed.
    fn end_missed(&mut self) {
        let Physics { things: Things { all: things, .. }, settings, .. } = &self.physics;
        let actors = &self.actors;
        let missed = |waiting: &Waiting| {
            let gone = waiting.thing.is_none_or(|index| !things[index].is_flying(&settings.things));
            let body = &actors[waiting.who].body;
            gone && !(body.is_physical() || body.gives_way())
        };
        let over: Vec<usize> =
            self.physics.waiting.iter().filter(|w| missed(w)).map(|w| w.who).collect();
        for who in over {
            self.end_orders(who, false, Ok(()));
        }
    }

    /// Lets go of somebody who is safe, unless something comes or it stays by forces.
    fn be_safe(&mut self, who: usize, condition: PhysicalCondition, steps: usize) {
        let flying = &self.physics.settings.things;
        let coming = self.physics.things.all.iter().any(|thing| {
            thing.is_flying(flying) && (thing.target, thing.owner) == (Some(who), None)
        });
        let touched = self.actors[who].body.episode_mut().is_some_and(PhysicsEpisode::take_touched);
        if touched && std::mem::take(&mut self.physics.fallen[who]) {
            self.note(who, EventKind::GotUp);
        } else if touched {
            self.note(who, EventKind::Recovered(steps));
        }
        self.end_orders(who, false, Ok(()));
        let stays = self.physics.natures[who] == BodyDrive::Physical
            && self.actors[who].behavior.task.stands();
        if !(stays || coming || torque_walk::goes_by_torques(self, who)) {
            self.release(who, condition == PhysicalCondition::Walks);
        }
    }

    /// Ends the orders that waited for somebody, but for what is still in the air.
    fn end_orders(&mut self, who: usize, down: bool, how: Result<(), &str>) {
        let settings = Arc::clone(&self.physics.settings);
        self.end_waiting(how, |waiting, things| {
            let flies =
                waiting.thing.is_some_and(|index| things[index].is_flying(&settings.things));
            waiting.who == who && waiting.down == down && !flies
        });
    }

    /// Ends orders that were begun, and tells how; how many there were.
    fn end_waiting(
        &mut self,
        how: Result<(), &str>,
        over: impl Fn(&Waiting, &[StageProp]) -> bool,
    ) -> usize {
        let Self { physics, fresh, ended, time, .. } = self;
        let (things, before) = (&physics.things.all, physics.waiting.len());
        physics.waiting.retain(|waiting| {
            if !over(waiting, things) {
                return true;
            }
            let kind = match how {
                Ok(()) => EventKind::Done(waiting.label.clone()),
                Err(reason) => EventKind::Failed(format!("{}: {reason}", waiting.label)),
            };
            fresh.push(Event { time: *time as f32, track: Some(waiting.who), kind });
            ended.extend(waiting.order);
            false
        });
        before - physics.waiting.len()
    }

    /// Tells why something that has struck somebody does not move it.
    pub(super) fn fail_throw(&mut self, who: usize, thing: usize, why: &str) {
        let thrown = |own: &Waiting, _: &[StageProp]| (own.who, own.thing) == (who, Some(thing));
        if self.end_waiting(Err(why), thrown) == 0 {
            let name = &self.physics.things.all[thing].prop.name;
            let failed = EventKind::Failed(format!("give way to {name}: {why}"));
            self.note(who, failed);
        }
    }

    /// Forces let go of somebody, and whatever was done to it is over.
    pub(super) fn forget_forces(&mut self, who: usize, why: &str) {
        for thing in self.physics.things.all.iter_mut().filter(|thing| thing.target == Some(who)) {
            thing.target = None;
        }
        self.end_waiting(Err(why), |waiting, _| waiting.who == who);
        let physics = &mut self.physics;
        physics.fallen[who] = false;
        self.let_go(who);
        self.actors[who].body.leave_forces();
    }

    /// Lets those whom forces move, and things, feel that the world is another.
    pub(super) fn feel_change(&mut self) {
        let Self { physics, actors, world, decks, .. } = self;
        physics.things.changed();
        for actor in actors.iter_mut() {
            let (floor, deck) = (actor.body.floor(), actor.deck());
            let place = actor.body.disc.place.position;
            let Some(episode) = actor.body.episode_mut() else { continue };
            let site = site(world, decks, &physics.solids);
            episode.set_ground(|frame| {
                ground_around(site, &physics.settings, world, (floor, deck), frame, place)
            });
        }
    }

    /// Puts a thing somewhere, at rest.
    pub(super) fn put_prop(
        &mut self,
        name: &str,
        form: PropForm,
        mass: f32,
        at: Vec3,
    ) -> Result<(), CommandError> {
        let from = vec3(f64::from(at.x), f64::from(at.y), f64::from(at.z));
        let physics = self.physics.settings.physics;
        let prop = physics.surfaced(Prop::new(name, form, f64::from(mass), from));
        let ground =
            SimulationGround::everywhere(site(&self.world, &self.decks, &self.physics.solids));
        let wrong = |error: andante_body::PropError| CommandError::Impossible(error.to_string());
        prop.check(&ground.at(self.time)).map_err(wrong)?;
        self.drop_prop(name);
        let things = &mut self.physics.things;
        let (target, owner, struck, age) = (None, None, false, 0.0);
        things.all.push(StageProp { prop, target, owner, struck, age });
        things.changed();
        Ok(())
    }

    /// Takes a thing away; whether there was one.
    pub(super) fn drop_prop(&mut self, name: &str) -> bool {
        let physics = &mut self.physics;
        let Some(index) = physics.things.all.iter().position(|own| own.prop.name == name) else {
            return false;
        };
        let gone = physics.things.all.remove(index);
        for waiting in &mut physics.waiting {
            waiting.thing = match waiting.thing {
                Some(thing) if thing == index => None,
                Some(thing) if thing > index => Some(thing - 1),
                same => same,
            };
        }
        physics.things.changed();
        if let Some(owner) = gone.owner {
            self.hand_over(owner);
        }
        true
    }

    /// Lets those who have fallen below all ground be.
    fn mind_depth(&mut self, who: usize) {
        let lowest = self.physics.lowest - self.physics.settings.physical.below;
        let Some(episode) = self.actors[who].body.episode_mut() else { return };
        if episode.is_out() || episode.height() > lowest {
            return;
        }
        episode.fall_out();
        self.note(who, EventKind::FellOut);
        self.let_go(who);
    }

    /// Gives somebody back to motion.
    fn release(&mut self, who: usize, walking: bool) {
        let Self { actors, world, decks, .. } = self;
        let actor = &mut actors[who];
        actor.body.recover(walking, decks.world(world, actor.deck()));
        resume(actor, walking);
        self.let_go(who);
    }

    /// Gives things back that were simulated with somebody.
    fn let_go(&mut self, who: usize) {
        let physics = &mut self.physics;
        for thing in physics.things.all.iter_mut().filter(|thing| thing.owner == Some(who)) {
            thing.owner = None;
        }
        physics.things.changed();
    }
}

fn owned(things: &[StageProp], who: usize) -> impl Iterator<Item = &StageProp> {
    things.iter().filter(move |thing| thing.owner == Some(who))
}

/// How fast it goes in the world.
pub(super) fn velocity(actor: &Actor, time: f64) -> Vec3 {
    let own = actor.body.disc.velocity();
    let own = Vec3::new(own.x, 0.0, own.y);
    match actor.carriage(time) {
        Some(carriage) => {
            let place = carriage.place(actor.body.chest().as_dvec3());
            let carried = carriage.now().velocity_at(place);
            (carriage.direction(own.as_dvec3()) + carried).as_vec3()
        }
        None => own,
    }
}

/// Goes on with what it was doing before it was touched.
fn resume(actor: &mut Actor, walking: bool) {
    actor.behavior.task.resume(walking);
    let steering = &mut actor.behavior.steering;
    if walking {
        steering.resume(actor.body.disc.velocity(), &actor.body.kind.settings.steering);
    } else {
        steering.halt();
    }
}
