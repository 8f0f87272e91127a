//! Somebody who is moved by forces, from when something touches it until it is safe again.

use super::compliance::Touch;
use super::footing::MovingGround;
use super::framing::{seen_from, seen_from_point};
use super::gait::Cycles;
use super::order::PushOrder;
use super::physical_body::{PhysicalBody, vector};
use super::ride;
use super::ride::RidingFrame;
use super::things::slow_roll;
use andante_body::{
    BodyCondition as Doing, BodySense, LimbsError, PropError, RecoveryController, RecoveryOptions,
    WalkController, WalkOptions, difference,
};
use andante_dynamics::{
    ContactTerrain, JointState, Kinematics, Simulation, SimulationError, Vec3 as Vector, vec3,
};
use andante_skeleton::{Character, Planar, Transform};
use glam::{Quat, Vec2, Vec3};
use std::sync::Arc;
use thiserror::Error;

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

/// Seconds that make no difference.
const SAME_TIME: f64 = 1e-6;

/// What keeps somebody up.
#[derive(Clone, Debug)]
pub(super) enum Driver {
    Stand(Box<RecoveryController>),
    Walk(Box<WalkController>),
}

impl Driver {
    pub fn senses(&self) -> &BodySense {
        match self {
            Self::Stand(survivor) => survivor.senses(),
            Self::Walk(walker) => walker.senses(),
        }
    }
}

/// A body in a simulation of its own, with the props that are near it.
#[derive(Clone, Debug)]
pub(crate) struct PhysicsEpisode {
    pub(super) flesh: Arc<PhysicalBody>,
    /// Where the simulation's origin is and faces.
    pub(super) frame: Planar,
    pub(super) simulation: Simulation<f64>,
    /// What it stands on.
    pub(super) below: MovingGround,
    /// When the simulation began, in seconds since the stage did.
    pub(super) began: f64,
    /// What carries it.
    pub(super) ride: Option<RidingFrame>,
    pub(super) driver: Driver,
    pub(super) shoves: Vec<Pending>,
    /// Seconds that have not been simulated yet; below zero it is simulated ahead of what is shown, by less than a step.
    left: f64,
    /// The coordinates of the body before the last step, and room for where its links were.
    earlier: (Vec<f64>, Kinematics<f64>),
    /// When it was last not as it should be.
    pub(super) unsafe_at: f64,
    /// Whether it stays down until it is told to get up.
    pub(super) stays_down: bool,
    /// When it was last on its feet.
    pub(super) up_at: f64,
    /// Whether the simulation had to be stopped.
    pub(super) broken: bool,
    /// Whether anything has touched it since that was last said.
    pub(super) touched: bool,
    /// For each prop, whether it has touched the body.
    pub(super) hits: Vec<bool>,
    /// Where in the world it last set off to by itself, and how often.
    pub(super) errand: Option<(Vec2, usize)>,
    /// Whether its way bends or ends before it, so that motion has to lead it.
    pub(super) ends: bool,
    /// Since when it has neither stood, nor walked, nor fallen.
    pub(super) struggles_since: f64,
    /// Whether it has fallen out of the world, and is not simulated any more.
    pub(super) out: bool,
    /// Room for a state that is slowed down.
    slowed: JointState<f64>,
}

/// A shove and how long it still lasts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    force: Vector<f64>,
    place: ShovePlace,
    left: f64,
}

/// Where a shove lands.
#[derive(Clone, Copy, Debug)]
pub(super) enum ShovePlace {
    /// On the trunk: at the chest, or as high above the ground as that.
    Trunk(Option<f64>),
    /// At a point of a link, in its frame.
    Link(usize, Vector<f64>),
}

/// Where somebody is shown before something touches it.
pub(crate) struct Before<'a> {
    /// Its joints in the world.
    pub models: &'a [Transform],
    /// The same a moment ago, and how many seconds; none if that cannot be told.
    pub earlier: Option<(&'a [Transform], f32)>,
    /// Where its hips are, and where they or its way lead.
    pub hips: Planar,
    /// Height of the ground below it.
    pub floor: f32,
    /// How fast it walks on, if it does; m/s.
    pub walks: Option<f32>,
    /// A place straight ahead on its way.
    pub towards: Vec2,
    /// Seconds since the stage began.
    pub time: f64,
    /// What carries it: everything is as if that had stayed where it began.
    pub ride: Option<RidingFrame>,
}

impl PhysicsEpisode {
    /// Takes somebody over, as fast as it is. `ground` makes the ground for a frame.
    pub fn new(
        flesh: &Arc<PhysicalBody>,
        cycles: &mut Cycles,
        before: &Before,
        ground: impl Fn(Planar) -> MovingGround,
    ) -> Result<Self, EpisodeError> {
        let physique = &flesh.physique;
        let mut frame = before.hips;
        let coordinates = |models: &[Transform]| flesh.coordinates(&seen_from(frame, models));
        let q = coordinates(before.models);
        let mut v = vec![0.0; physique.model.freedoms()];
        if let Some((earlier, seconds)) = before.earlier {
            difference(physique, &coordinates(earlier), &q, 1.0 / f64::from(seconds), &mut v);
        }
        let mut state = JointState { q, v };
        let walk = before.walks.and_then(|speed| cycles.of(flesh, speed));
        let driver = match walk {
            Some(gait) => {
                // A walk that is as it should be takes up any push; what it differs from the one that was shown dies
                // away where it is shown.
                let (phase, shift) = gait.fit(flesh, &state);
                let mut cycle = gait.cycle.clone();
                let mut reference = cycle.reference(physique);
                cycle.at(physique, phase, 1.0, &mut reference);
                state = JointState { q: reference.q, v: reference.v };
                let turn = Quat::from_rotation_y(frame.heading);
                let moved = turn * Vec3::new(shift.x as f32, 0.0, shift.z as f32);
                frame.position += Vec2::new(moved.x, moved.z);
                // The ground is where the feet are.
                state.q[1] += f64::from(before.floor);
                let options = WalkOptions::of(&cycle);
                let mut walker = WalkController::new(physique, cycle, phase, options);
                let to = seen_from_point(frame, before.towards);
                walker.set_goal(vec3(f64::from(to.x), 0.0, f64::from(to.y)));
                Driver::Walk(Box::new(walker))
            }
            None => Driver::Stand(Box::new(survivor(flesh)?)),
        };
        let below = ground(frame);
        let terrain = below.at(before.time);
        if matches!(driver, Driver::Stand(_))
            && let Some(stand) = stand_on_slope(flesh, &state, &terrain)
        {
            state = stand;
        }
        let mut simulation =
            Simulation::new(Arc::clone(&physique.model), terrain, physique.physics.clone())?;
        simulation.set_state(&state)?;
        Ok(Self {
            earlier: (state.q.clone(), Kinematics::new(&physique.model)),
            slowed: state,
            flesh: Arc::clone(flesh),
            frame,
            simulation,
            below,
            began: before.time,
            ride: before.ride.clone(),
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
            ends: false,
            struggles_since: 0.0,
            out: false,
        })
    }

    /// Stands on other ground from now on.
    pub fn set_ground(&mut self, ground: impl Fn(Planar) -> MovingGround) {
        let below = ground(self.frame);
        let terrain = below.at(ride::clock(self));
        if let Ok(simulation) = self.simulation.with_terrain(terrain) {
            (self.simulation, self.below) = (simulation, below);
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

    /// True if it has fallen out of the world.
    pub fn is_out(&self) -> bool {
        self.out
    }

    /// Is pushed; `bone` is the joint of the character that it lands on, and where.
    pub fn push(&mut self, shove: &PushOrder, bone: Option<(usize, Vec3)>, character: &Character) {
        let carried = ride::carriage(self).map_or(0.0, |carriage| carriage.turned);
        let (sin, cos) = libm::sincos(f64::from(shove.direction - self.frame.heading) - carried);
        let seconds = f64::from(shove.seconds).max(self.flesh.settings.physical.step);
        let force = vec3(sin, 0.0, cos) * (f64::from(shove.impulse) / seconds);
        let place = match bone {
            Some((joint, at)) => self.place_on(character, joint, at),
            None => ShovePlace::Trunk(shove.height.map(f64::from)),
        };
        self.shoves.push(Pending { force, place, left: seconds });
        self.unsafe_at = self.simulation.time();
        self.touched = true;
    }

    /// The place of the link that carries a joint, at a point of the world.
    fn place_on(&self, character: &Character, joint: usize, at: Vec3) -> ShovePlace {
        let (kin, link) = (self.simulation.kinematics(), self.flesh.link_of(character, joint));
        let at = vector(self.frame.inverse().to_transform().transform_point(at));
        let from = at - kin.position(&self.flesh.physique.model, link);
        ShovePlace::Link(link, kin.rotation(link).transpose_mul(from))
    }

    /// Is touched by somebody.
    pub fn press(&mut self, touch: &Touch, character: &Character) {
        let place = self.place_on(character, touch.joint, touch.point);
        let turned = Quat::from_rotation_y(-self.frame.heading) * touch.impulse;
        let left = f64::from(touch.seconds);
        self.shoves.push(Pending { force: vector(turned) * (1.0 / left), place, left });
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

    /// Lets time pass.
    pub fn advance(&mut self, dt: f32) {
        if self.out {
            return;
        }
        self.left += f64::from(dt);
        let step = self.flesh.settings.physical.step;
        while self.left > SAME_TIME {
            self.left -= step;
            let own = self.earlier.0.len();
            self.earlier.0.copy_from_slice(&self.simulation.state().q[..own]);
            self.step();
        }
    }

    fn step(&mut self) {
        ride::feel_ground(self);
        let PhysicalBody { physique, settings, .. } = &*self.flesh;
        let step = settings.physical.step;
        let kin = self.simulation.kinematics();
        let chest = kin.point(&physique.model, physique.torso, physique.chest);
        for shove in &mut self.shoves {
            let share = (shove.left / step).clamp(0.0, 1.0);
            let (link, at) = match shove.place {
                ShovePlace::Trunk(None) => (physique.torso, chest),
                ShovePlace::Trunk(Some(height)) => {
                    let floor = self.driver.senses().centre.y - self.driver.senses().height;
                    (physique.torso, vec3(chest.x, floor + height, chest.z))
                }
                ShovePlace::Link(link, at) => {
                    (link, self.simulation.kinematics().point(&physique.model, link, at))
                }
            };
            self.simulation.apply_force(link, shove.force * share, at);
            shove.left -= step;
        }
        let first = physique.model.links().len();
        for prop in 0..self.hits.len() {
            slow_roll(&mut self.simulation, first + prop, &settings.things);
        }
        let pushed = !self.shoves.is_empty();
        self.shoves.retain(|shove| shove.left > 0.0);
        match &mut self.driver {
            Driver::Stand(survivor) => {
                let rested =
                    self.simulation.time() > survivor.since() + settings.physical.lies_seconds;
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
        self.slow_down();
        self.judge(pushed);
    }

    /// Takes speed from limbs that come free, and from a body that is caught as between a platform and a wall: no part of it
    /// gets much faster than the settings say.
    fn slow_down(&mut self) {
        for whole in [false, true] {
            let PhysicalBody { physique, settings, .. } = &*self.flesh;
            let (model, kin) = (&*physique.model, self.simulation.kinematics());
            let links = model.links();
            // How much of its speed a link keeps.
            let kept = |link: usize| {
                // Where it begins, and about where it ends.
                let ends = [Vector::zero(), links[link].centre * 2.5]
                    .map(|at| kin.velocity_at(model, link, kin.point(model, link, at)).length());
                (settings.physical.fastest / ends[0].max(ends[1]).max(1e-9)).min(1.0)
            };
            let least = (0..links.len()).map(kept).fold(1.0, f64::min);
            if least == 1.0 {
                break;
            }
            let state = &mut self.slowed;
            state.clone_from(self.simulation.state());
            for joint in 0..links.len() {
                // A limb does not take the trunk's speed, if its own is enough.
                let moves = |&link: &usize| {
                    let up = std::iter::successors(Some(link), |&own| {
                        links[own].parent.filter(|&to| to != physique.torso)
                    });
                    up.into_iter().any(|own| own == joint)
                };
                let share = match whole {
                    true => least,
                    false => (0..links.len()).filter(moves).map(kept).fold(1.0, f64::min),
                };
                state.v[model.freedom_range(joint)].iter_mut().for_each(|v| *v *= share);
            }
            self.broken |= self.simulation.set_state(&self.slowed).is_err();
        }
    }

    /// True if anything has touched it since that was last asked.
    pub fn take_touched(&mut self) -> bool {
        std::mem::take(&mut self.touched)
    }

    /// The pose of the character, which between two steps is between theirs; what the body has no joints for is as in
    /// `others`.
    pub fn write_pose(
        &mut self,
        character: &Character,
        others: &[Transform],
        pose: &mut [Transform],
    ) {
        self.flesh.write_pose(character, self.simulation.kinematics(), others, pose);
        if self.left < -SAME_TIME {
            let (q, kin) = &mut self.earlier;
            kin.set_positions(&self.flesh.physique.model, q);
            let mut earlier = pose.to_vec();
            self.flesh.write_pose(character, kin, others, &mut earlier);
            let share = -self.left / self.flesh.settings.physical.step;
            for (now, earlier) in pose.iter_mut().zip(&earlier) {
                *now = now.lerp(earlier, share as f32);
            }
        }
        let placed = self.frame.to_transform();
        pose[0] = placed * pose[0];
    }

    /// The velocity in the world.
    pub fn velocity(&self) -> Vec2 {
        if self.out {
            return Vec2::ZERO;
        }
        let (momentum, _) = self.simulation.momentum(0);
        let v = momentum * (1.0 / self.flesh.physique.mass);
        let v = Quat::from_rotation_y(self.frame.heading) * Vec3::new(v.x as f32, 0.0, v.z as f32);
        Vec2::new(v.x, v.z)
    }

    /// The torques of its joints in the last step, one after the other, N·m.
    pub fn torques(&self) -> impl Iterator<Item = f32> + '_ {
        self.flesh.jointed().map(|(link, _)| self.simulation.joint_torque(link) as f32)
    }

    /// Steps that caught it.
    pub fn steps(&self) -> usize {
        match &self.driver {
            Driver::Stand(survivor) => survivor.balancer().steps(),
            Driver::Walk(walker) => walker.steps(),
        }
    }
}

/// How somebody who stands stands on ground that is not level under its feet: motion has it stand as on level ground, and
/// forces would have it find its balance first.
fn stand_on_slope(
    flesh: &PhysicalBody,
    state: &JointState<f64>,
    terrain: &ContactTerrain,
) -> Option<JointState<f64>> {
    let (physique, settings) = (&flesh.physique, &flesh.settings.physical);
    if state.v.iter().any(|speed| speed.abs() > settings.rests) {
        return None;
    }
    let mut kin = Kinematics::new(&physique.model);
    kin.set_positions(&physique.model, &state.q);
    let uneven = physique.soles.iter().any(|sole| {
        sole.edges().iter().any(|corner| {
            let at = kin.point(&physique.model, sole.link, *corner);
            terrain.at(at, settings.sole_reach).is_some_and(|at| {
                at.normal.y < settings.level_cosine || at.distance.abs() > settings.level_gap
            })
        })
    });
    let soles = [0, 1].map(|foot| physique.sole_at(&kin, foot));
    let stand = uneven.then(|| physique.stand_near(terrain, (soles[0] + soles[1]) * 0.5, 0.0))?;
    // Whoever is inside of something does not stand on top of it.
    kin.set_positions(&physique.model, &stand.q);
    let near =
        |foot: usize| (physique.sole_at(&kin, foot).y - soles[foot].y).abs() < settings.sole_reach;
    (near(0) && near(1)).then_some(stand)
}

/// Keeps a body up, or brings it up again when it is told to.
pub(super) fn survivor(flesh: &PhysicalBody) -> Result<RecoveryController, LimbsError> {
    let options = RecoveryOptions { gets_up: false, ..RecoveryOptions::default() };
    RecoveryController::new(&flesh.physique, options)
}
