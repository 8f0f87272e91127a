//! A model in a world, one step after another.

use std::sync::Arc;

use crate::aba::Aba;
use crate::contact::{ContactSet, ContactTerrain, Points};
use crate::flight::FlightMomentum;
use crate::joint_forces::JointForces;
use crate::kinematics::Kinematics;
use crate::link::unit;
use crate::math::{Quat, Vec3, vec3};
use crate::model::Model;
use crate::physics_settings::{PhysicsSettings, SimulationError, check};
use crate::quarantine::Quarantine;
use crate::real::Real;
use crate::spatial::Force;
use crate::state::{Controls, JointState, advance};

/// The report of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepReport {
    /// Contacts that were solved, in any lane.
    pub contacts: usize,
    /// Sweeps of the contact solver.
    pub sweeps: usize,
    /// Lanes that are quarantined after this step, one bit each.
    pub quarantined: u32,
}

/// Everything that decides how a simulation goes on.
#[derive(Clone, Debug)]
pub struct Snapshot<R: Real> {
    state: JointState<R>,
    memory: Vec<Vec3<R>>,
    healthy: R::Mask,
    quarantines: Vec<Option<Quarantine>>,
    steps: u64,
}

/// A model that moves. With a pack for `R` it moves once per lane, each lane with its own state and controls.
#[derive(Clone, Debug)]
pub struct Simulation<R: Real> {
    pub(crate) model: Arc<Model>,
    pub(crate) terrain: ContactTerrain,
    pub(crate) settings: PhysicsSettings,
    pub(crate) controls: Controls<R>,
    pub(crate) state: JointState<R>,
    pub(crate) kin: Kinematics<R>,
    pub(crate) aba: Aba<R>,
    pub(crate) joints: JointForces<R>,
    pub(crate) points: Points<R>,
    pub(crate) contacts: ContactSet<R>,
    pub(crate) enabled: Vec<R::Mask>,
    pub(crate) external: Vec<Force<R>>,
    pub(crate) acceleration: Vec<R>,
    pub(crate) before: JointState<R>,
    pub(crate) flights: Vec<FlightMomentum<R>>,
    pub(crate) healthy: R::Mask,
    pub(crate) quarantines: Vec<Option<Quarantine>>,
    pub(crate) steps: u64,
}

impl<R: Real> Simulation<R> {
    /// A model at rest in its rest pose, on some terrain.
    pub fn new(
        model: Arc<Model>,
        terrain: ContactTerrain,
        settings: PhysicsSettings,
    ) -> Result<Self, SimulationError> {
        check(&settings)?;
        let points = Points::new(&model, &terrain, &settings.self_collisions);
        let contacts = ContactSet::new(&model, &points);
        let state = JointState::rest(&model);
        let mut simulation = Simulation {
            controls: Controls::none(&model),
            kin: Kinematics::new(&model),
            aba: Aba::new(&model),
            joints: JointForces::new(&model),
            enabled: vec![R::mask_all(true); model.shapes().len()],
            external: vec![Force::zero(); model.links().len()],
            acceleration: vec![R::zero(); model.freedoms()],
            before: state.clone(),
            flights: vec![FlightMomentum::none(); model.roots().len()],
            healthy: R::mask_all(true),
            quarantines: vec![None; R::LANES],
            steps: 0,
            points,
            contacts,
            state,
            terrain,
            settings,
            model,
        };
        simulation.refresh();
        Ok(simulation)
    }

    /// Another model in the same world at the same time, as when something is added to what is simulated or taken away.
    /// Nothing drives it yet.
    pub fn with_model(
        &self,
        model: Arc<Model>,
        state: &JointState<R>,
    ) -> Result<Self, SimulationError> {
        let mut other = Self::new(model, self.terrain.clone(), self.settings.clone())?;
        other.set_state(state)?;
        other.steps = self.steps;
        Ok(other)
    }

    /// The same at the same time on another terrain. Nothing drives it yet.
    pub fn with_terrain(&self, terrain: ContactTerrain) -> Result<Self, SimulationError> {
        let mut other = Self::new(Arc::clone(&self.model), terrain, self.settings.clone())?;
        other.set_state(&self.state)?;
        other.steps = self.steps;
        Ok(other)
    }

    /// The simulated model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The ground it stands on.
    pub fn terrain(&self) -> &ContactTerrain {
        &self.terrain
    }

    /// Puts the ground elsewhere between two steps, as when some of it moves. A plane only becomes another plane, and a
    /// surface another surface.
    pub fn move_terrain(&mut self, terrain: ContactTerrain) -> Result<(), SimulationError> {
        if std::mem::discriminant(&terrain) != std::mem::discriminant(&self.terrain) {
            return Err(SimulationError::Ground);
        }
        self.terrain = terrain;
        Ok(())
    }

    /// The physics settings of its steps.
    pub fn settings(&self) -> &PhysicsSettings {
        &self.settings
    }

    /// Switches gravity to another vector, or off. A vector that is not finite is refused.
    pub fn set_gravity(&mut self, gravity: Vec3<f64>) -> Result<(), SimulationError> {
        if !gravity.is_finite() {
            return Err(SimulationError::Option { option: "gravity" });
        }
        self.settings.gravity = gravity;
        Ok(())
    }

    /// The controls that drive the joints in the next steps.
    pub fn controls_mut(&mut self) -> &mut Controls<R> {
        &mut self.controls
    }

    /// The joint state: positions and velocities.
    pub fn state(&self) -> &JointState<R> {
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
        self.steps as f64 * self.settings.step
    }

    /// Puts everything elsewhere, forgets contact impulses, and releases all lanes from quarantine.
    pub fn set_state(&mut self, state: &JointState<R>) -> Result<(), SimulationError> {
        if !state.fits(&self.model) {
            return Err(SimulationError::Fit);
        }
        for lane in 0..R::LANES {
            self.check_state(lane, |k| state.q[k].lane(lane), |k| state.v[k].lane(lane))?;
        }
        self.state.clone_from(state);
        self.contacts.memory.fill(Vec3::zero());
        self.contacts.clear();
        self.healthy = R::mask_all(true);
        self.quarantines.fill(None);
        self.refresh();
        Ok(())
    }

    /// Puts one lane elsewhere and releases it from quarantine; the other lanes go on as if nothing had happened.
    pub fn set_lane(
        &mut self,
        lane: usize,
        state: &JointState<f64>,
    ) -> Result<(), SimulationError> {
        if !state.fits(&self.model) || lane >= R::LANES {
            return Err(SimulationError::Fit);
        }
        self.check_state(lane, |k| state.q[k], |k| state.v[k])?;
        self.state.set_lane(lane, state);
        for memory in &mut self.contacts.memory {
            memory.set_lane(lane, vec3(0.0, 0.0, 0.0));
        }
        let healthy = self.healthy;
        self.healthy = R::mask(|l| l == lane || R::test(healthy, l));
        self.quarantines[lane] = None;
        self.refresh();
        Ok(())
    }

    /// Whether a lane of a state of the right size can be simulated.
    fn check_state(
        &self,
        lane: usize,
        q: impl Fn(usize) -> f64,
        v: impl Fn(usize) -> f64,
    ) -> Result<(), SimulationError> {
        let finite = (0..self.model.coordinates()).all(|k| q(k).is_finite())
            && (0..self.model.freedoms()).all(|k| v(k).is_finite());
        if !finite {
            return Err(SimulationError::NotFinite { lane });
        }
        for (link, node) in self.model.nodes.iter().enumerate() {
            let Some(first) = node.joint.quaternion().map(|first| node.q + first) else { continue };
            if !unit(&Quat { x: q(first), y: q(first + 1), z: q(first + 2), w: q(first + 3) }) {
                return Err(SimulationError::NotUnit { lane, link });
            }
        }
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
    ///
    /// # Panics
    /// If there is no such link.
    pub fn apply_force(&mut self, link: usize, force: Vec3<R>, point: Vec3<R>) {
        let reference = self.kin.reference[self.model.nodes[link].tree];
        self.external[link] += Force::through(force, point - reference);
    }

    /// A torque on a link in world axes, for the next step only.
    ///
    /// # Panics
    /// If there is no such link.
    pub fn apply_torque(&mut self, link: usize, torque: Vec3<R>) {
        self.external[link] += Force { n: torque, f: Vec3::zero() };
    }

    /// An impulse (N s) at a world point of a link, spread over the next step.
    ///
    /// # Panics
    /// If there is no such link.
    pub fn apply_impulse(&mut self, link: usize, impulse: Vec3<R>, point: Vec3<R>) {
        self.apply_force(link, impulse * R::splat(1.0 / self.settings.step), point);
    }

    /// Takes in a state that was written from outside.
    pub(crate) fn refresh(&mut self) {
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
        let h = R::splat(self.settings.step);
        let gravity = Vec3::splat(self.settings.gravity);
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
        let (margin, step) = (self.settings.margin, self.settings.step);
        self.points.detect(model, &self.kin, &self.terrain, &self.enabled, margin, step);
        self.prepare_flight();
        let model = &*self.model;
        let mut sweeps = 0;
        if self.points.found.is_empty() {
            self.contacts.clear();
            self.contacts.memory.fill(Vec3::zero());
        } else {
            self.kin.set_velocities(model, &self.state.v);
            let settings = self.settings.solver();
            sweeps = self.contacts.solve(
                model,
                &self.kin,
                &mut self.aba,
                &self.points,
                &settings,
                &mut self.state.v,
            );
        }

        // Positions.
        advance(model, &mut self.state.q, &self.state.v, h);
        self.refresh();
        self.finish_flight();
        self.quarantine_lanes();
        self.external.fill(Force::zero());
        self.steps += 1;
        StepReport {
            contacts: self.contacts.places.len(),
            sweeps,
            quarantined: (0..R::LANES).map(|l| u32::from(self.is_quarantined(l)) << l).sum(),
        }
    }

    /// Everything needed to go on from here, bit by bit.
    pub fn snapshot(&self) -> Snapshot<R> {
        Snapshot {
            state: self.state.clone(),
            memory: self.contacts.memory.clone(),
            healthy: self.healthy,
            quarantines: self.quarantines.clone(),
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
        self.quarantines.clone_from(&snapshot.quarantines);
        self.steps = snapshot.steps;
        self.refresh();
        Ok(())
    }
}
