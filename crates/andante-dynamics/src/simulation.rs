//! A model in a world, one step after another.

use std::sync::Arc;

use crate::aba::Aba;
use crate::contact::{Contacts, Points, SlotKind, SolverOptions, Terrain};
use crate::inverse::{solve_symmetric, tree_momentum};
use crate::joint_forces::{JointForces, elastic_energy};
use crate::kinematics::Kinematics;
use crate::math::{Sym3, Vec3, vec3};
use crate::model::{Joint, Model};
use crate::real::Real;
use crate::spatial::Force;
use crate::state::{Controls, State, advance};

/// How to step.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Seconds per step. Usually 0.0005 to 0.005; stiffness does not limit it, speed of rotation does.
    pub step: f64,
    /// Gravity, m/s^2. Zero to look at vibrations alone.
    pub gravity: Vec3<f64>,
    /// Distance at which a contact begins to be watched, m. Larger costs time, smaller nothing: what will arrive within
    /// two steps is watched in any case.
    pub margin: f64,
    /// Overlap that is left alone, m, so that resting contacts stay contacts.
    pub slop: f64,
    /// Part of the remaining overlap that is pushed out per step, 0 to 1. Above 0.5 stacks may jump.
    pub correction: f64,
    /// Greatest speed of pushing out, m/s.
    pub push_speed: f64,
    /// Slower impacts than this do not bounce, m/s.
    pub bounce_speed: f64,
    /// Most sweeps of the contact solver per step. Warm start makes a few enough once things settle.
    pub sweeps: usize,
    /// Change of velocity at which the sweeps stop, m/s.
    pub tolerance: f64,
    /// A lane in which any velocity (m/s, rad/s) exceeds this is quarantined.
    pub speed_limit: f64,
    /// Pairs of shapes of one tree that collide. Shapes of different trees always do.
    pub self_collisions: Vec<(usize, usize)>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            step: 0.002,
            gravity: vec3(0.0, -9.81, 0.0),
            margin: 0.002,
            slop: 0.0005,
            correction: 0.2,
            push_speed: 1.0,
            bounce_speed: 0.1,
            sweeps: 30,
            tolerance: 1e-5,
            speed_limit: 500.0,
            self_collisions: Vec::new(),
        }
    }
}

/// Why a simulation cannot be set up or changed so.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SimulationError {
    /// An option is no number or out of its range.
    #[error("option {option} is out of its range")]
    Option {
        /// Its name.
        option: &'static str,
    },
    /// A state or snapshot that is not of this model.
    #[error("the state does not fit the model")]
    Fit,
    /// A state that is not finite.
    #[error("lane {lane} of the state is not finite")]
    NotFinite {
        /// The lane.
        lane: usize,
    },
}

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepReport {
    /// Contacts that were solved, in any lane.
    pub contacts: usize,
    /// Sweeps of the contact solver.
    pub sweeps: usize,
    /// Lanes that are quarantined after this step, one bit each.
    pub quarantined: u32,
}

/// A contact of the last step in one lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The shape.
    pub shape: usize,
    /// Its link.
    pub link: usize,
    /// The other shape; `None` for the terrain.
    pub other: Option<usize>,
    /// Where, in the world.
    pub point: Vec3<f64>,
    /// Unit normal, towards the shape.
    pub normal: Vec3<f64>,
    /// Gap before the step; negative for an overlap.
    pub distance: f64,
    /// Mean force on the shape over the step, N.
    pub force: Vec3<f64>,
}

/// Everything that decides how a simulation goes on.
#[derive(Clone, Debug)]
pub struct Snapshot<R: Real> {
    state: State<R>,
    memory: Vec<Vec3<R>>,
    healthy: R::Mask,
    steps: u64,
}

/// Momentum of the flying trees at the start of a step, to be had again at its end.
#[derive(Clone, Copy, Debug)]
struct Flight<R: Real> {
    /// Centre of mass at the end of the step.
    centre: Vec3<R>,
    /// Linear momentum at the end of the step.
    linear: Vec3<R>,
    /// Angular momentum about the centre of mass at the end of the step.
    angular: Vec3<R>,
    /// Lanes without contact.
    free: R::Mask,
}

/// A model that moves. With a pack for `R` it moves once per lane, each lane with its own state and controls.
#[derive(Clone, Debug)]
pub struct Simulation<R: Real> {
    model: Arc<Model>,
    terrain: Terrain,
    options: Options,
    controls: Controls<R>,
    state: State<R>,
    kin: Kinematics<R>,
    aba: Aba<R>,
    joints: JointForces<R>,
    points: Points<R>,
    contacts: Contacts<R>,
    enabled: Vec<R::Mask>,
    external: Vec<Force<R>>,
    acceleration: Vec<R>,
    before: State<R>,
    flights: Vec<Flight<R>>,
    healthy: R::Mask,
    steps: u64,
}

fn check(o: &Options) -> Result<(), SimulationError> {
    let positive = |x: f64| x > 0.0 && x.is_finite();
    let not_negative = |x: f64| x >= 0.0 && x.is_finite();
    for (good, option) in [
        (positive(o.step), "step"),
        (o.gravity.is_finite(), "gravity"),
        (not_negative(o.margin), "margin"),
        (not_negative(o.slop), "slop"),
        ((0.0..=1.0).contains(&o.correction), "correction"),
        (not_negative(o.push_speed), "push_speed"),
        (not_negative(o.bounce_speed), "bounce_speed"),
        (not_negative(o.tolerance), "tolerance"),
        // A link may not turn by more than half a turn within a step.
        (positive(o.speed_limit) && o.speed_limit * o.step <= 3.0, "speed_limit"),
    ] {
        if !good {
            return Err(SimulationError::Option { option });
        }
    }
    Ok(())
}

impl<R: Real> Simulation<R> {
    /// A model at rest in its rest pose, on some terrain.
    pub fn new(
        model: Arc<Model>,
        terrain: Terrain,
        options: Options,
    ) -> Result<Self, SimulationError> {
        check(&options)?;
        let points = Points::new(&model, &terrain, &options.self_collisions);
        let contacts = Contacts::new(&model, &points);
        let state = State::rest(&model);
        let flight = Flight {
            centre: Vec3::zero(),
            linear: Vec3::zero(),
            angular: Vec3::zero(),
            free: R::mask_all(false),
        };
        let mut simulation = Simulation {
            controls: Controls::none(&model),
            kin: Kinematics::new(&model),
            aba: Aba::new(&model),
            joints: JointForces::new(&model),
            enabled: vec![R::mask_all(true); model.shapes().len()],
            external: vec![Force::zero(); model.links().len()],
            acceleration: vec![R::zero(); model.freedoms()],
            before: state.clone(),
            flights: vec![flight; model.roots().len()],
            healthy: R::mask_all(true),
            steps: 0,
            points,
            contacts,
            state,
            terrain,
            options,
            model,
        };
        simulation.refresh();
        Ok(simulation)
    }

    /// What is simulated.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// How it is stepped.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Switches gravity to another vector, or off. A vector that is not finite is refused.
    pub fn set_gravity(&mut self, gravity: Vec3<f64>) -> Result<(), SimulationError> {
        if !gravity.is_finite() {
            return Err(SimulationError::Option { option: "gravity" });
        }
        self.options.gravity = gravity;
        Ok(())
    }

    /// What drives the joints in the next steps.
    pub fn controls_mut(&mut self) -> &mut Controls<R> {
        &mut self.controls
    }

    /// Where everything is.
    pub fn state(&self) -> &State<R> {
        &self.state
    }

    /// Poses and velocities of the links, of [`state`](Self::state).
    pub fn kinematics(&self) -> &Kinematics<R> {
        &self.kin
    }

    /// Steps since the start.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Seconds since the start.
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.options.step
    }

    /// Puts everything elsewhere, forgets contact impulses, and releases all lanes from quarantine.
    pub fn set_state(&mut self, state: &State<R>) -> Result<(), SimulationError> {
        if !state.fits(&self.model) {
            return Err(SimulationError::Fit);
        }
        for lane in 0..R::LANES {
            if state.q.iter().chain(&state.v).any(|x| !x.lane(lane).is_finite()) {
                return Err(SimulationError::NotFinite { lane });
            }
        }
        self.state.clone_from(state);
        self.contacts.memory.fill(Vec3::zero());
        self.contacts.clear();
        self.healthy = R::mask_all(true);
        self.refresh();
        Ok(())
    }

    /// Puts one lane elsewhere and releases it from quarantine; the other lanes go on as if nothing had happened.
    pub fn set_lane(&mut self, lane: usize, state: &State<f64>) -> Result<(), SimulationError> {
        if !state.fits(&self.model) || lane >= R::LANES {
            return Err(SimulationError::Fit);
        }
        if state.q.iter().chain(&state.v).any(|x| !x.is_finite()) {
            return Err(SimulationError::NotFinite { lane });
        }
        self.state.set_lane(lane, state);
        for memory in &mut self.contacts.memory {
            memory.set_lane(lane, vec3(0.0, 0.0, 0.0));
        }
        let healthy = self.healthy;
        self.healthy = R::mask(|l| l == lane || R::test(healthy, l));
        self.refresh();
        Ok(())
    }

    /// Lets a shape collide in one lane, or not.
    pub fn set_collision(&mut self, shape: usize, lane: usize, on: bool) {
        if let Some(enabled) = self.enabled.get_mut(shape) {
            let old = *enabled;
            *enabled = R::mask(|l| if l == lane { on } else { R::test(old, l) });
        }
    }

    /// A force through a world point of a link, for the next step only.
    pub fn apply_force(&mut self, link: usize, force: Vec3<R>, point: Vec3<R>) {
        let reference = self.kin.reference[self.model.nodes[link].tree];
        self.external[link] += Force::through(force, point - reference);
    }

    /// A torque on a link in world axes, for the next step only.
    pub fn apply_torque(&mut self, link: usize, torque: Vec3<R>) {
        self.external[link] += Force { n: torque, f: Vec3::zero() };
    }

    /// An impulse (N s) at a world point of a link, spread over the next step.
    pub fn apply_impulse(&mut self, link: usize, impulse: Vec3<R>, point: Vec3<R>) {
        self.apply_force(link, impulse * R::splat(1.0 / self.options.step), point);
    }

    /// Takes in a state that was written from outside.
    fn refresh(&mut self) {
        self.kin.set_positions(&self.model, &self.state.q);
        self.kin.set_velocities(&self.model, &self.state.v);
    }

    /// One step.
    ///
    /// Velocities first, from forces at the start and contacts; then positions from the new velocities (semi-implicit
    /// Euler). A tree that touches nothing leaves the step with exactly the momentum and the path of its centre of mass
    /// that the outside forces give it. A lane that turns out not finite or too fast is put back to where it was and
    /// stays there: quarantined.
    pub fn step(&mut self) -> StepReport {
        let h = R::splat(self.options.step);
        let gravity = Vec3::splat(self.options.gravity);
        let model = &*self.model;
        self.before.q.copy_from_slice(&self.state.q);
        self.before.v.copy_from_slice(&self.state.v);

        // Velocities without contacts.
        self.joints.set(model, &self.state.q, &self.state.v, &self.controls, h);
        let (tau, augment) = (&self.joints.torque, &self.joints.augment);
        self.aba.solve(
            model,
            &self.kin,
            gravity,
            tau,
            augment,
            &self.external,
            &mut self.acceleration,
        );
        for (v, a) in self.state.v.iter_mut().zip(&self.acceleration) {
            *v += h * *a;
        }

        // Contacts.
        let (margin, step) = (self.options.margin, self.options.step);
        self.points.detect(model, &self.kin, &self.terrain, &self.enabled, margin, step);
        self.prepare_flight();
        let model = &*self.model;
        let mut sweeps = 0;
        if self.points.found.is_empty() {
            self.contacts.clear();
            self.contacts.memory.fill(Vec3::zero());
        } else {
            self.kin.set_velocities(model, &self.state.v);
            let options = self.solver_options();
            sweeps = self.contacts.solve(
                model,
                &self.kin,
                &mut self.aba,
                &self.points,
                &options,
                &mut self.state.v,
            );
        }

        // Positions.
        advance(model, &mut self.state.q, &self.state.v, h);
        self.refresh();
        self.finish_flight();
        self.quarantine();
        self.external.fill(Force::zero());
        self.steps += 1;
        StepReport {
            contacts: self.contacts.places.len(),
            sweeps,
            quarantined: (0..R::LANES).map(|l| u32::from(self.is_quarantined(l)) << l).sum(),
        }
    }

    fn solver_options(&self) -> SolverOptions {
        let o = &self.options;
        SolverOptions {
            h: o.step,
            sweeps: o.sweeps,
            tolerance: o.tolerance,
            slop: o.slop,
            correction: o.correction,
            push_speed: o.push_speed,
            bounce_speed: o.bounce_speed,
        }
    }

    /// What momentum each flying tree must have at the end of the step.
    fn prepare_flight(&mut self) {
        let h = R::splat(self.options.step);
        for (tree, &root) in self.model.roots.iter().enumerate() {
            let mut free = R::mask_all(self.model.nodes[root].joint == Joint::Floating);
            for found in &self.points.found {
                let slot = &self.points.slots[found.slot];
                let touched = self.model.tree(slot.link) == tree
                    || slot.other.is_some_and(|other| self.model.tree(other) == tree);
                if touched {
                    free = R::and_not(free, found.active);
                }
            }
            self.flights[tree].free = free;
            if !R::any(free) {
                continue;
            }
            let (inertia, momentum) = tree_momentum(&self.model, &self.kin, tree);
            let mut external = Force::zero();
            for (link, force) in self.external.iter().enumerate() {
                if self.model.tree(link) == tree {
                    external += *force;
                }
            }
            let centre = inertia.moment * (R::one() / inertia.mass);
            let weight = Vec3::splat(self.options.gravity) * inertia.mass;
            let linear = momentum.f + (external.f + weight) * h;
            self.flights[tree] = Flight {
                centre: self.kin.reference[tree] + centre + linear * (h / inertia.mass),
                linear,
                angular: momentum.moment_about(centre) + external.moment_about(centre) * h,
                free,
            };
        }
    }

    /// Moves and turns flying trees as a whole so that they have the momentum they must have.
    ///
    /// The new velocities were found in the old pose; in the new one they have a momentum that is off by the square of
    /// the step.
    fn finish_flight(&mut self) {
        let mut corrected = false;
        for (tree, &root) in self.model.roots.iter().enumerate() {
            let flight = self.flights[tree];
            if !R::any(flight.free) {
                continue;
            }
            corrected = true;
            let node = &self.model.nodes[root];
            let (inertia, momentum) = tree_momentum(&self.model, &self.kin, tree);
            let per_mass = R::one() / inertia.mass;
            let centre = inertia.moment * per_mass;
            let own = Sym3::point_mass(-inertia.mass, centre) + inertia.about;
            let turn = solve_symmetric(&own, flight.angular - momentum.moment_about(centre));
            let shift = (flight.linear - momentum.f) * per_mass - turn.cross(centre);
            let place = flight.centre - centre;
            for k in 0..3 {
                let (q, w, v) = (node.q + k, node.v + k, node.v + 3 + k);
                let state = &mut self.state;
                state.q[q] = R::select(flight.free, place[k], state.q[q]);
                state.v[w] = R::select(flight.free, state.v[w] + turn[k], state.v[w]);
                state.v[v] = R::select(flight.free, state.v[v] + shift[k], state.v[v]);
            }
            self.kin.reference[tree] =
                vec3(self.state.q[node.q], self.state.q[node.q + 1], self.state.q[node.q + 2]);
        }
        if corrected {
            self.kin.set_velocities(&self.model, &self.state.v);
        }
    }

    /// Puts lanes back that are not finite or too fast.
    fn quarantine(&mut self) {
        let mut sound = self.healthy;
        let limit = R::splat(self.options.speed_limit);
        for v in &self.state.v {
            sound = R::and(sound, R::lt(v.abs(), limit));
        }
        for q in &self.state.q {
            sound = R::and(sound, R::lt(q.abs(), R::splat(1e9)));
        }
        if (0..R::LANES).all(|lane| R::test(sound, lane)) {
            return;
        }
        self.healthy = sound;
        for (new, old) in self.state.q.iter_mut().zip(&self.before.q) {
            *new = R::select(sound, *new, *old);
        }
        for (new, old) in self.state.v.iter_mut().zip(&self.before.v) {
            *new = R::select(sound, *new, *old);
        }
        for memory in &mut self.contacts.memory {
            *memory = Vec3::select(sound, *memory, Vec3::zero());
        }
        self.refresh();
    }

    /// Whether a lane was found exploding and stands still since.
    pub fn is_quarantined(&self, lane: usize) -> bool {
        lane < R::LANES && !R::test(self.healthy, lane)
    }

    /// Everything needed to go on from here, bit by bit.
    pub fn snapshot(&self) -> Snapshot<R> {
        Snapshot {
            state: self.state.clone(),
            memory: self.contacts.memory.clone(),
            healthy: self.healthy,
            steps: self.steps,
        }
    }

    /// Goes back to a snapshot of a simulation of the same model and terrain.
    ///
    /// Controls, switched-off shapes and gravity are inputs, not part of the snapshot.
    pub fn restore(&mut self, snapshot: &Snapshot<R>) -> Result<(), SimulationError> {
        if !snapshot.state.fits(&self.model) || snapshot.memory.len() != self.contacts.memory.len()
        {
            return Err(SimulationError::Fit);
        }
        self.state.clone_from(&snapshot.state);
        self.contacts.memory.copy_from_slice(&snapshot.memory);
        self.contacts.clear();
        self.external.fill(Force::zero());
        self.healthy = snapshot.healthy;
        self.steps = snapshot.steps;
        self.refresh();
        Ok(())
    }

    /// The contacts of the last step in one lane, in a fixed order.
    pub fn contacts(&self, lane: usize) -> impl Iterator<Item = Contact> + '_ {
        let rate = 1.0 / self.options.step;
        let all = self.contacts.places.iter().enumerate();
        all.filter(move |(_, place)| R::test(place.found.active, lane)).map(
            move |(contact, place)| {
                let slot = &self.points.slots[place.found.slot];
                let other = match slot.kind {
                    SlotKind::Terrain { .. } => None,
                    SlotKind::Pair { other } => Some(other),
                };
                Contact {
                    shape: slot.shape,
                    link: slot.link,
                    other,
                    point: place.point.lane(lane),
                    normal: place.found.normal.lane(lane),
                    distance: place.found.distance.lane(lane),
                    force: self.contacts.impulse(contact).lane(lane) * rate,
                }
            },
        )
    }

    /// Energy of motion.
    pub fn kinetic_energy(&self) -> R {
        let mut sum = R::zero();
        for (inertia, &velocity) in self.kin.inertia.iter().zip(&self.kin.velocity) {
            sum += velocity.dot(inertia.mul(velocity));
        }
        sum * R::splat(0.5)
    }

    /// Energy of height, zero at the world's origin.
    pub fn potential_energy(&self) -> R {
        let mut sum = R::zero();
        for (link, inertia) in self.kin.inertia.iter().enumerate() {
            let reference = self.kin.reference[self.model.tree(link)];
            sum -=
                (inertia.moment + reference * inertia.mass).dot(Vec3::splat(self.options.gravity));
        }
        sum
    }

    /// Energy in the springs and stops of the joints.
    pub fn elastic_energy(&self) -> R {
        elastic_energy(&self.model, &self.state.q)
    }

    /// Centre of mass of a tree.
    pub fn centre_of_mass(&self, tree: usize) -> Vec3<R> {
        let (inertia, _) = tree_momentum(&self.model, &self.kin, tree);
        self.kin.reference[tree] + inertia.moment * (R::one() / inertia.mass)
    }

    /// Linear momentum of a tree, and its angular momentum about its centre of mass.
    pub fn momentum(&self, tree: usize) -> (Vec3<R>, Vec3<R>) {
        let (inertia, momentum) = tree_momentum(&self.model, &self.kin, tree);
        (momentum.f, momentum.moment_about(inertia.moment * (R::one() / inertia.mass)))
    }
}
