//! Pulse controllers, simulated: the one place where pulses become torques and feet touch the ground.

use crate::modes::coordinate_layout::joint_values;
use crate::problem::pulse_controller::{PulseController, StepPlan};
use crate::problem::pulse_motion::PulseError;
use crate::sketch::gait_sketch::TouchingFeet;
use crate::{BodyState, CoordinateLayout};
use andante_body::{Body, BodyModel, RestPose};
use andante_dynamics::{
    ContactTerrain, JointState, PhysicsSettings, Real, Simulation, SimulationError,
};
use glam::DVec3;
use std::sync::Arc;

/// What can be told of a foot.
#[derive(Clone, Debug)]
pub(crate) struct FootSetup {
    pub segment: usize,
    pub toe: DVec3,
    pub heel: DVec3,
    pub hip: usize,
    pub disregarded: bool,
    /// Shapes that may touch the ground.
    pub shapes: Vec<usize>,
}

/// A simulator of pulse controllers on one body: its springs, feet and limits, on level ground.
///
/// Everything that drives a body with pulses does so here: previews of sketches, the candidates of a search side by side, the cycle
/// that is shown, and gaits that are held by feedback.
#[derive(Clone, Debug)]
pub(crate) struct PulseSimulator {
    pub body: Body,
    pub pose: RestPose,
    pub feet: Vec<FootSetup>,
    pub rest: BodyState,
    /// Of every joint angle, N·m.
    pub torque_limits: Vec<f64>,
    touch: TouchingFeet,
    /// Without gravity nothing touches anything.
    weightless: bool,
    template: Simulation<f64>,
}

impl PulseSimulator {
    pub(crate) fn new(
        body: Body,
        pose: RestPose,
        physics: &PhysicsSettings,
        touch: TouchingFeet,
    ) -> Result<Self, PulseError> {
        let model = BodyModel::new(&body, &pose, physics)?;
        let feet = body.feet().iter().zip(&model.feet).map(|(foot, spheres)| FootSetup {
            segment: foot.segment,
            toe: foot.toe,
            heel: foot.heel,
            hip: foot.hip,
            disregarded: foot.disregarded,
            shapes: {
                let shapes = model.shapes[foot.segment].clone();
                spheres.iter().flatten().copied().chain(shapes).collect()
            },
        });
        let feet = feet.collect();
        let template =
            Simulation::new(Arc::new(model.model), ContactTerrain::level(), physics.clone())?;
        let rest = BodyState::rest(&body, &pose);
        let torque_limits = joint_values(&body, |joint| joint.torque_limit);
        let weightless = physics.gravity.to_array() == [0.0; 3];
        Ok(Self { body, pose, feet, rest, torque_limits, touch, weightless, template })
    }

    /// Seconds a step.
    pub(crate) fn step(&self) -> f64 {
        self.template.settings().step
    }

    /// How many joint angles there are.
    pub(crate) fn dof(&self) -> usize {
        self.torque_limits.len()
    }

    /// The largest torque of a joint angle, N·m, next to nothing where there is none.
    pub(crate) fn strength(&self, angle: usize) -> f64 {
        self.torque_limits[angle].max(1e-6)
    }

    /// A simulation with all collisions switched off.
    pub(crate) fn lanes<R: Real>(&self) -> Result<Simulation<R>, SimulationError> {
        let model = Arc::new(self.template.model().clone());
        let settings = self.template.settings().clone();
        let mut simulation = Simulation::new(model, ContactTerrain::level(), settings)?;
        for shape in 0..simulation.model().shapes().len() {
            for lane in 0..R::LANES {
                simulation.set_collision(shape, lane, false);
            }
        }
        Ok(simulation)
    }

    /// Puts bodies into lanes; the last of them into all that are left. Whether that can be simulated.
    pub(crate) fn put<'a, R: Real>(
        &self,
        simulation: &mut Simulation<R>,
        bodies: impl IntoIterator<Item = &'a BodyState>,
    ) -> bool {
        let mut state = JointState::<R>::rest(simulation.model());
        let mut bodies = bodies.into_iter();
        let mut last = None;
        for lane in 0..R::LANES {
            if let Some(body) = bodies.next() {
                last = Some(body.to_simulation(simulation.model(), &self.body, &self.pose));
            }
            if let Some(one) = &last {
                state.set_lane(lane, one);
            }
        }
        simulation.set_state(&state).is_ok()
    }

    /// One body in a simulation of its own, ready to be driven.
    pub(crate) fn begin(&self, start: &BodyState) -> Option<Simulation<f64>> {
        let mut simulation = self.lanes::<f64>().ok()?;
        self.put(&mut simulation, [start]).then_some(simulation)
    }

    /// Where the body of a lane is.
    pub(crate) fn state<R: Real>(&self, simulation: &Simulation<R>, lane: usize) -> BodyState {
        let state = simulation.state().lane(lane);
        BodyState::from_simulation(simulation.model(), &self.body, &self.pose, &state)
    }

    /// Steps of the simulation of a controller, the last one perhaps used in part.
    pub(crate) fn count(&self, controller: &PulseController) -> usize {
        (controller.length() / self.step() - 1e-6).ceil().max(1.0) as usize
    }

    /// Whole steps of the simulation in a lap.
    pub(crate) fn whole_steps(&self, controller: &PulseController) -> usize {
        let laps = if controller.middle.is_some() { 2.0 } else { 1.0 };
        (controller.length() / laps / self.step()).round().max(1.0) as usize
    }

    /// Whether a foot may touch the ground in a step: those that are to land, or all of them.
    pub(crate) fn touches(&self, plan: &StepPlan, foot: usize) -> bool {
        let all = self.touch == TouchingFeet::All && !self.feet[foot].disregarded;
        !self.weightless && (plan.feet.contains(&foot) || all)
    }

    /// Whether a foot of a step is on the ground.
    pub(crate) fn is_down(&self, simulation: &Simulation<f64>, plan: &StepPlan) -> bool {
        let shapes = |foot: &usize| &self.feet[*foot].shapes;
        let mut pressed = simulation.contacts(0).filter(|contact| contact.force.y > 0.0);
        pressed.any(|contact| plan.feet.iter().any(|foot| shapes(foot).contains(&contact.shape)))
    }

    /// Torques and contacts of one lane before a step, where they change.
    pub(crate) fn drive<R: Real>(
        &self,
        simulation: &mut Simulation<R>,
        lane: usize,
        controller: &PulseController,
        step: usize,
    ) {
        let h = self.step();
        let time = step as f64 * h;
        let before = controller.shares(time - h, h);
        let same = controller.shares(time, h).zip(before).all(|(now, then)| now.mean == then.mean)
            && controller.at(time - h).0 == controller.at(time).0;
        if step == 0 || !same {
            self.command(simulation, lane, controller, time, &[]);
        }
    }

    /// Torques and contacts of one lane from a time on, with corrections, within the limits of joints.
    pub(crate) fn command<R: Real>(
        &self,
        simulation: &mut Simulation<R>,
        lane: usize,
        controller: &PulseController,
        time: f64,
        correction: &[f64],
    ) {
        let (index, ..) = controller.at(time);
        if let Some(plan) = controller.steps.get(index) {
            for (foot, setup) in self.feet.iter().enumerate() {
                let on = self.touches(plan, foot);
                for &shape in &setup.shapes {
                    simulation.set_collision(shape, lane, on);
                }
            }
        }
        // Six of the root come first: nothing drives them.
        let torques = &mut simulation.controls_mut().torque_mut()[6..];
        let corrections = correction.iter().copied().chain(std::iter::repeat(0.0));
        for (torque, correction) in torques.iter_mut().zip(corrections) {
            torque.set_lane(lane, correction);
        }
        for share in controller.acting(time, self.step()) {
            for (torque, wanted) in torques.iter_mut().zip(&share.phase.torques) {
                torque.set_lane(lane, torque.lane(lane) + share.mean * wanted);
            }
        }
        for (torque, limit) in torques.iter_mut().zip(&self.torque_limits) {
            torque.set_lane(lane, torque.lane(lane).clamp(-limit, *limit));
        }
    }

    /// Angles of the joints from a foot up to its hip.
    pub(crate) fn leg(&self, foot: usize) -> Vec<usize> {
        let setup = &self.feet[foot];
        let parents: Vec<Option<usize>> = self.body.parents().collect();
        let hip = parents[setup.hip];
        let above = |segment: &usize| parents[*segment];
        let chain: Vec<usize> = std::iter::successors(Some(setup.segment), above)
            .take_while(|segment| Some(*segment) != hip)
            .collect();
        let layout = CoordinateLayout::new(&self.body);
        chain.into_iter().flat_map(|segment| layout.range(segment)).collect()
    }
}
