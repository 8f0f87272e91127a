//! Who and what comes and goes while a stage is played.

use super::{OrderState, Stage, StageError, Stillness};
use crate::command_error as check;
use crate::live::actor::Actor;
use crate::live::actor_id::ActorId;
use crate::live::behavior::{ActorTask, Behavior, Decision, Stale};
use crate::live::body::AnimatedBody;
use crate::live::decks::Decks;
use crate::live::floor::{Surroundings, bounds};
use crate::live::kind::{ActorKind, CharacterSource};
use crate::scene::low_top;
use crate::{
    BodyDrive, CharacterSpec, Command, CommandError, Event, EventKind, GazeTarget, MovingPlatform,
    PropForm, Scene, StageSettings, Waypoint,
};
use andante_play::repertoire::Repertoire;
use andante_skeleton::Planar;
use andante_world::{GroundPatch, Obstacle, SceneGround};
use glam::{Vec2, Vec3};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use std::sync::Arc;

/// A stage as it was at a moment, to go back to.
#[derive(Clone, Debug)]
pub struct StageSnapshot(Box<Stage>);

/// The number of a kind, which is made if there is none yet.
pub(super) fn kind_of(
    kinds: &mut Vec<(CharacterSource, Arc<ActorKind>)>,
    source: CharacterSource,
    part: &CharacterSpec,
    settings: &Arc<StageSettings>,
) -> Result<usize, StageError> {
    if let Some(known) = kinds.iter().position(|(own, _)| own.is(&source)) {
        return Ok(known);
    }
    let kind = ActorKind::new(source.repertoire(part)?, part, Arc::clone(settings))?;
    kinds.push((source, Arc::new(kind)));
    Ok(kinds.len() - 1)
}

/// Somebody who stands where its part begins. The ground there has the given height, or is looked for.
pub(super) fn actor(
    id: ActorId,
    part: &CharacterSpec,
    (number, kind): (usize, Arc<ActorKind>),
    world: &Surroundings,
    floor: Option<f32>,
    (random, several): (&mut Pcg64Mcg, bool),
) -> Result<Actor, StageError> {
    let start = &part.start;
    let floor = match floor {
        Some(floor) => floor,
        None => floor_at(world, start)?,
    };
    let towards = part.goal.place - start.place;
    let facing = if towards.length() > 0.1 { libm::atan2f(towards.x, towards.y) } else { 0.0 };
    let place = Planar::new(start.place, start.heading.unwrap_or(facing));
    let settings = Arc::clone(&kind.settings);
    let phase: f32 = random.random_range(0.0..1.0);
    let vigour: f32 = 1.0 + settings.behavior.vigour * random.random_range(-1.0..1.0);
    let (phase, vigour) = if several { (phase, vigour) } else { (0.0, 1.0) };
    let feet = kind.character().rig.feet.len();
    Ok(Actor {
        id,
        gone: false,
        name: part.name.clone(),
        kind: number,
        body: AnimatedBody::new(kind, place, floor, phase, world)?,
        behavior: Behavior::new(part, vigour, &settings),
        riding: None,
        watched: vec![Default::default(); feet],
        still: Default::default(),
    })
}

/// Height of the ground at a post.
fn floor_at(world: &Surroundings, post: &Waypoint) -> Result<f32, CommandError> {
    let post = post.on_ground(|from, depth| world.below(from, depth))?;
    let highest = || world.height(post.place, 1e6).ok_or(CommandError::NoGround(post.place));
    post.height.map_or_else(highest, Ok)
}

impl Stage {
    /// Lets a character come on, where its part begins. It has nothing to do yet; its goal and its orders are those of
    /// a scene and do not count. Its id stays its own.
    ///
    /// ```
    /// use andante_stage::{CharacterSpec, Command, CommandError, Stage, Waypoint, read_scene};
    /// use glam::vec2;
    ///
    /// let yard = "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[-9, -9], [9, -9], [9, 9], [-9, 9]]\n";
    /// let mut stage = Stage::new(&read_scene(yard)?, 1)?;
    /// let ann = stage.spawn(&CharacterSpec::new("ann", Waypoint::at(vec2(0.0, 0.0))))?;
    /// stage.command(ann, Command::WalkTo(Waypoint::at(vec2(2.0, 3.0))))?;
    /// stage.step(0.1);
    /// stage.despawn(ann)?;
    /// let bob = stage.spawn(&CharacterSpec::new("bob", Waypoint::at(vec2(1.0, 0.0))))?;
    /// assert_eq!(stage.command(ann, Command::Stop), Err(CommandError::Gone(ann)));
    /// assert_eq!(stage.actor(bob)?.name(), "bob");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spawn(&mut self, part: &CharacterSpec) -> Result<ActorId, StageError> {
        self.come_on(CharacterSource::of(part), part)
    }

    /// The same with a body and clips from memory, whatever the part says of them.
    ///
    /// ```
    /// use andante_play::repertoire::Repertoire;
    /// use andante_skeleton::humanoid_of_height;
    /// use andante_stage::{CharacterSpec, Stage, Waypoint, read_scene};
    /// use glam::vec2;
    /// use std::sync::Arc;
    ///
    /// let yard = "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[-9, -9], [9, -9], [9, 9], [-9, 9]]\n";
    /// let mut stage = Stage::new(&read_scene(yard)?, 1)?;
    /// let bytes = andante_motion::repertoire::built_in(&humanoid_of_height(1.5))?.to_bytes();
    /// let small = Arc::new(Repertoire::from_bytes(&bytes)?);
    /// let part = CharacterSpec::new("child", Waypoint::at(vec2(0.0, 0.0)));
    /// let child = stage.spawn_with(&part, &small)?;
    /// assert!(stage.actor(child)?.models().iter().all(|joint| joint.translation.y < 1.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spawn_with(
        &mut self,
        part: &CharacterSpec,
        repertoire: &Arc<Repertoire>,
    ) -> Result<ActorId, StageError> {
        self.come_on(CharacterSource::Given(Arc::clone(repertoire)), part)
    }

    fn come_on(
        &mut self,
        source: CharacterSource,
        part: &CharacterSpec,
    ) -> Result<ActorId, StageError> {
        check::character(part)?;
        let floor = floor_at(&self.world, &part.start)?;
        let slot =
            self.actors.iter().position(|actor| actor.gone && actor.id.generation() < u32::MAX);
        let generation = slot.map_or(0, |slot| self.actors[slot].id.generation() + 1);
        let slot = slot.unwrap_or(self.actors.len());
        let id = ActorId::new(slot, generation);
        let number = self.kind(source, part)?;
        let kind = (number, Arc::clone(&self.kinds[number].1));
        let variety = (&mut self.random, true);
        let mut actor = actor(id, part, kind, &self.world, Some(floor), variety)?;
        actor.still = Stillness::since(self.time);
        self.physics.admit(slot, part, &actor, &self.world.ground)?;
        if slot < self.actors.len() {
            let others =
                |event: &Event| event.track != Some(slot) && event.kind != EventKind::Near(slot);
            self.events.retain(others);
            self.fresh.retain(others);
            self.footfalls.retain(|fall| fall.who.number() != slot);
            self.actors[slot] = actor;
        } else {
            self.actors.push(actor);
        }
        self.has_looked = false;
        Ok(id)
    }

    /// The number of a kind; that of one from memory which nobody is of any more is used again.
    fn kind(&mut self, source: CharacterSource, part: &CharacterSpec) -> Result<usize, StageError> {
        let mut made = Vec::new();
        let known = self.kinds.iter().position(|(own, _)| own.is(&source));
        if let Some(known) = known {
            return Ok(known);
        }
        let settings = Arc::clone(&self.physics.settings);
        kind_of(&mut made, source, part, &settings)?;
        let unused = (0..self.kinds.len()).find(|&number| {
            matches!(self.kinds[number].0, CharacterSource::Given(_))
                && self.actors.iter().all(|actor| actor.gone || actor.kind != number)
        });
        let number = unused.unwrap_or(self.kinds.len());
        for kind in made {
            if number < self.kinds.len() {
                self.kinds[number] = kind;
            } else {
                self.kinds.push(kind);
            }
        }
        self.world.admit(number);
        self.decks.admit(number);
        self.physics.forget_kind(number);
        Ok(number)
    }

    /// Takes a character away. What it was doing is over, whoever followed it or looked at it does so no longer, and its
    /// id means nobody from now on.
    pub fn despawn(&mut self, who: impl Into<ActorId>) -> Result<(), CommandError> {
        let id = who.into();
        let who = self.index(id)?;
        self.drop_everything(who, "it is gone");
        for (order, state) in self.orders.iter().zip(&mut self.states) {
            if order.who == who && id.generation() == 0 {
                *state = OrderState::Ended;
            }
        }
        self.actors[who].gone = true;
        self.actors[who].body.leave_forces();
        self.near.retain(|&(a, b)| a != who && b != who);
        for other in 0..self.actors.len() {
            if !self.actors[other].gone {
                self.with(other, |own| turn_away(own, id));
            }
        }
        self.has_looked = false;
        Ok(())
    }

    /// Puts a character elsewhere, whatever it does and however it is: it stands there at once and has nothing to do, in
    /// the next frame already. Its height is that of the ground at the post's, which is within a step of it. Nobody who is
    /// teleported rides on a platform.
    pub fn teleport(&mut self, who: impl Into<ActorId>, to: Waypoint) -> Result<(), CommandError> {
        let who = self.index(who.into())?;
        check::waypoint(&to)?;
        let floor = floor_at(&self.world, &to)?;
        let heading = to.heading.unwrap_or(self.actors[who].disc().place.heading);
        self.actors[who].riding = None;
        self.put(who, Planar::new(to.place, heading), floor)
    }

    /// Puts a character on its feet where it is, whatever it does and however it is: one that lies on the ground and
    /// cannot rise, say. It has nothing to do then.
    pub fn reset(&mut self, who: impl Into<ActorId>) -> Result<(), CommandError> {
        let who = self.index(who.into())?;
        let actor = &self.actors[who];
        let place = actor.body.disc.place;
        check::place("place", place.position)?;
        let world = self.decks.world(&self.world, actor.deck());
        let from = actor.body.floor() + self.physics.settings.behavior.step_up;
        let floor = world.height(place.position, from);
        let floor = floor.ok_or(CommandError::NoGround(place.position))?;
        self.put(who, place, floor)
    }

    /// Changes what moves a character from now on. Whom forces have already is theirs until it is safe.
    ///
    /// ```
    /// use andante_stage::{BodyDrive, CharacterSpec, Command, PushOrder, Stage, Waypoint, read_scene};
    /// use glam::vec2;
    ///
    /// let yard = "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[-9, -9], [9, -9], [9, 9], [-9, 9]]\n";
    /// let mut stage = Stage::new(&read_scene(yard)?, 1)?;
    /// let ann = stage.spawn(&CharacterSpec::new("ann", Waypoint::at(vec2(0.0, 0.0))))?;
    /// stage.set_drive(ann, BodyDrive::WhenTouched)?;
    /// stage.command(ann, Command::Push(PushOrder::new(30.0, 0.0)))?;
    /// stage.step(0.1);
    /// assert!(stage.is_physical(ann));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_drive(
        &mut self,
        who: impl Into<ActorId>,
        drive: BodyDrive,
    ) -> Result<(), StageError> {
        let who = self.index(who.into())?;
        let actor = &self.actors[who];
        let part = CharacterSpec::new(actor.name.clone(), Waypoint::at(Vec2::ZERO));
        let fallen = self.physics.fallen[who];
        self.physics.admit(
            who,
            &CharacterSpec { nature: drive, ..part },
            actor,
            &self.world.ground,
        )?;
        self.physics.fallen[who] = fallen;
        Ok(())
    }

    /// Lets somebody stand somewhere in its world.
    fn put(&mut self, who: usize, place: Planar, floor: f32) -> Result<(), CommandError> {
        self.drop_everything(who, "it was put elsewhere");
        let phase: f32 = self.random.random_range(0.0..1.0);
        let actor = &mut self.actors[who];
        let world = self.decks.world(&self.world, actor.deck());
        let kind = Arc::clone(actor.shared());
        let ducks = actor.body.ducks;
        actor.body = AnimatedBody::new(kind, place, floor, phase, world)
            .map_err(|error| CommandError::Impossible(error.to_string()))?;
        actor.body.ducks = ducks;
        actor.behavior.stand(&self.physics.settings);
        actor.still = Stillness::since(self.time);
        actor.watched.fill(Default::default());
        actor.be_carried(self.time);
        self.has_looked = false;
        Ok(())
    }

    /// Ends whatever somebody does and whatever is done to it.
    fn drop_everything(&mut self, who: usize, why: &'static str) {
        self.forget_forces(who, why);
        self.with(who, |own| {
            let pending = own.behavior.pending.take();
            drop_pending(own, pending);
            own.give_up();
        });
    }

    /// The ground now, patch by patch.
    pub fn ground(&self) -> &[GroundPatch] {
        &self.scene.ground
    }

    /// Platforms that move, as they are now.
    pub fn platforms(&self) -> &[MovingPlatform] {
        &self.scene.moving
    }

    /// Puts a patch of ground into the world, or in the place of the one of the same name. Ways are planned again, and
    /// whoever stands there stands on it from the next step on. All ground is looked at anew, so this takes longer than
    /// placing an obstacle.
    ///
    /// Its terrain may be an engine's own: see [`Terrain::own`](andante_world::Terrain::own).
    pub fn place_ground(&mut self, patch: GroundPatch) -> Result<(), StageError> {
        self.change_ground(&[], vec![patch])
    }

    /// Takes a patch of ground away. Whoever is physical and stands there falls; others stay at its height.
    pub fn remove_ground(&mut self, name: &str) -> Result<(), StageError> {
        self.change_ground(&[name], Vec::new())
    }

    /// Takes patches of ground away and places others, all of it or nothing, with one look at all ground.
    ///
    /// ```
    /// use andante_stage::{Scene, Stage};
    /// use andante_world::Platform;
    /// use glam::vec2;
    ///
    /// let square = |name: &str, x: f32| {
    ///     let corners = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
    ///     Platform::level(name, corners.map(|[dx, z]| vec2(x + dx, z)).to_vec(), 0.0).into()
    /// };
    /// let mut stage = Stage::new(&Scene::default(), 1)?;
    /// stage.change_ground(&[], vec![square("west", 0.0), square("east", 4.0)])?;
    /// stage.change_ground(&["west"], vec![square("north", 8.0)])?;
    /// assert!(stage.change_ground(&["west"], vec![square("south", 12.0)]).is_err());
    /// assert_eq!(stage.ground().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn change_ground(
        &mut self,
        removed: &[&str],
        placed: Vec<GroundPatch>,
    ) -> Result<(), StageError> {
        placed.iter().try_for_each(check::patch)?;
        let mut ground = self.scene.ground.clone();
        for name in removed {
            let index = ground.iter().position(|own| own.platform.name == *name);
            ground.remove(index.ok_or_else(|| unknown("ground", name))?);
        }
        for patch in placed {
            match ground.iter_mut().find(|own| own.platform.name == patch.platform.name) {
                Some(own) => *own = patch,
                None => ground.push(patch),
            }
        }
        self.rebuild(Scene { ground, ..self.scene.clone() })
    }

    /// Puts a platform that moves into the world, or in the place of the one of the same name, as if it had moved since the
    /// beginning. Whoever rode on the older one stands where it was.
    pub fn place_platform(&mut self, platform: MovingPlatform) -> Result<(), StageError> {
        check::platform(&platform)?;
        let mut moving = self.scene.moving.clone();
        match moving.iter_mut().find(|own| own.name == platform.name) {
            Some(own) => *own = platform,
            None => moving.push(platform),
        }
        self.rebuild(Scene { moving, ..self.scene.clone() })
    }

    /// Takes a platform away that moves. Whoever rode on it stands where it was.
    pub fn remove_platform(&mut self, name: &str) -> Result<(), StageError> {
        let mut moving = self.scene.moving.clone();
        moving.retain(|own| own.name != name);
        if moving.len() == self.scene.moving.len() {
            return Err(unknown("moving platform", name).into());
        }
        self.rebuild(Scene { moving, ..self.scene.clone() })
    }

    /// Makes the world anew, or leaves it as it is if that cannot be.
    fn rebuild(&mut self, mut scene: Scene) -> Result<(), StageError> {
        scene.obstacles.clone_from(&self.world.obstacles);
        let world = self.world.rebuilt(&scene, self.kinds.len())?;
        let mut decks = Decks::new(&scene, self.kinds.len())?;
        decks.set_clock(self.world.clock);
        for who in 0..self.actors.len() {
            let actor = &mut self.actors[who];
            let Some(deck) = actor.deck() else { continue };
            let old = self.decks.platforms.get(deck);
            match decks.platforms.iter().position(|own| Some(own) == old) {
                Some(which) => {
                    if let Some(riding) = &mut actor.riding {
                        riding.ride.platforms = Arc::clone(&decks.platforms);
                        riding.ride.which = which;
                    }
                }
                None => {
                    let place = actor.disc().place;
                    let risen =
                        actor.carriage(self.time).map_or(0.0, |own| own.transform().translation.y);
                    let floor = actor.body.floor() + risen;
                    actor.riding = None;
                    let floor = world.height(place.position, floor + 0.5).unwrap_or(floor);
                    if !actor.gone {
                        self.put(who, place, floor)?;
                    }
                }
            }
        }
        (self.world, self.decks) = (world, decks);
        self.scene = scene;
        self.physics.look_for_lowest(&self.world.ground);
        self.ground_changed();
        Ok(())
    }

    /// Puts an obstacle into the world, or in the place of the one of the same name. Ways that it blocks are
    /// planned again.
    pub fn place_obstacle(&mut self, obstacle: Obstacle) -> Result<(), CommandError> {
        check::obstacle(&obstacle)?;
        let kind = EventKind::Placed(obstacle.clone());
        let obstacles = &mut self.world.obstacles;
        let before = match obstacles.iter_mut().find(|own| own.name == obstacle.name) {
            Some(own) => Some(std::mem::replace(own, obstacle.clone())),
            None => {
                obstacles.push(obstacle.clone());
                None
            }
        };
        let changed = before.iter().chain([&obstacle]);
        self.step_on(changed.clone())?;
        self.obstacles_changed(kind, changed);
        Ok(())
    }

    /// Takes the obstacle of this name away.
    pub fn remove_obstacle(&mut self, name: &str) -> Result<(), CommandError> {
        let is_it = |obstacle: &Obstacle| obstacle.name == name;
        let index = self.world.obstacles.iter().position(is_it);
        let index = index.ok_or_else(|| unknown("obstacle", name))?;
        let gone = self.world.obstacles.remove(index);
        self.step_on([&gone].into_iter())?;
        self.obstacles_changed(EventKind::Removed(name.into()), [&gone]);
        Ok(())
    }

    /// Makes the ground anew if something has come or gone that is so low that it is stepped on.
    fn step_on<'a>(
        &mut self,
        mut things: impl Iterator<Item = &'a Obstacle>,
    ) -> Result<(), CommandError> {
        let ground = SceneGround::new(&self.scene.ground);
        if !things.any(|thing| low_top(thing, &ground).is_some()) {
            return Ok(());
        }
        let rebuilt = self.rebuild(self.scene.clone());
        rebuilt.map_err(|error| CommandError::Impossible(error.to_string()))
    }

    /// Lets those look for their way again whose way leads by what has changed; nobody else is disturbed.
    fn obstacles_changed<'a>(
        &mut self,
        kind: EventKind,
        changed: impl IntoIterator<Item = &'a Obstacle>,
    ) {
        self.fresh.push(Event { time: self.time as f32, track: None, kind });
        let margin = self.physics.settings.planner.change_margin;
        for obstacle in changed {
            self.world.change(obstacle);
            let (at, reach) = bounds(obstacle);
            for actor in self.actors.iter_mut().filter(|actor| actor.riding.is_none()) {
                let (radius, place) = (actor.radius(), actor.body.disc.place.position);
                if let Some(going) = actor.behavior.task.going_mut()
                    && going.way.leads_by(place, at, reach + radius + margin)
                {
                    going.stale = Some(Stale::World);
                }
            }
        }
        if self.actors.iter().all(|actor| !actor.behavior.task.has_passages()) {
            self.gates.clear();
        }
        self.feel_change();
    }

    /// Lets everybody look for their way again: the ground is another.
    fn ground_changed(&mut self) {
        self.gates.clear();
        for actor in &mut self.actors {
            if let Some(going) = actor.behavior.task.going_mut() {
                going.passages.clear();
                going.stale = Some(Stale::World);
            }
            actor.body.feel_ground();
        }
        self.feel_change();
    }

    /// Puts a thing into the world that falls, rolls and can be bumped into, or in the place of the one of the same name. It
    /// is at rest first.
    pub fn place_prop(
        &mut self,
        name: &str,
        form: PropForm,
        mass: f32,
        at: Vec3,
    ) -> Result<(), CommandError> {
        check::throw(&crate::ThrowOrder { form, mass, from: at, speed: 1.0 })?;
        self.put_prop(name, form, mass, at)
    }

    /// Takes a thing away, wherever it is.
    pub fn remove_prop(&mut self, name: &str) -> Result<(), CommandError> {
        self.drop_prop(name).then_some(()).ok_or_else(|| unknown("thing", name))
    }

    /// Everything as it is now. Going back to it and doing the same gives the same, bit by bit.
    ///
    /// ```
    /// use andante_stage::{Command, Stage, Waypoint, read_scene};
    /// use glam::vec2;
    ///
    /// let yard = "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[-9, -9], [9, -9], [9, 9], [-9, 9]]\n\
    ///             [[character]]\nstart = { at = [0, 0] }\n";
    /// let mut stage = Stage::new(&read_scene(yard)?, 1)?;
    /// stage.command(0, Command::WalkTo(Waypoint::at(vec2(2.0, 3.0))))?;
    /// stage.step(0.4);
    /// let snapshot = stage.snapshot();
    /// stage.step(0.7);
    /// let there = stage.actor(0)?.pose().to_vec();
    /// stage.restore(&snapshot);
    /// stage.step(0.7);
    /// assert_eq!(stage.actor(0)?.pose(), there);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn snapshot(&self) -> StageSnapshot {
        StageSnapshot(Box::new(self.clone()))
    }

    /// Goes back to how everything was. Ids of those who came since mean nobody, or whoever comes in their place in the
    /// same way again.
    pub fn restore(&mut self, snapshot: &StageSnapshot) {
        self.clone_from(&snapshot.0);
    }
}

/// Gives up a command that could not begin yet.
fn drop_pending(own: &mut Decision, pending: Option<(Command, String, Option<usize>)>) {
    if let Some((_, label, order)) = pending {
        own.tell(EventKind::Interrupted(label));
        own.ended.extend(order);
    }
}

/// Has nothing to do any more with somebody who is gone.
fn turn_away(own: &mut Decision, gone: ActorId) {
    own.behavior.look = own.behavior.look.filter(|look| *look != GazeTarget::Character(gone));
    let after = match &own.behavior.task {
        ActorTask::Follow { whom, .. } => *whom == gone.number(),
        ActorTask::Face { target, .. } => *target == GazeTarget::Character(gone),
        _ => false,
    };
    if after {
        own.fail("whom it is about is gone".into());
    }
    let pending = &mut own.behavior.pending;
    let dropped = pending.take_if(|(command, ..)| command.about() == Some(gone));
    drop_pending(own, dropped);
}

fn unknown(what: &'static str, name: &str) -> CommandError {
    CommandError::Unknown { what, name: name.into() }
}
