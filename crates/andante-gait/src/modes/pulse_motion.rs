//! A body that moves by itself: springs, pulses, and where wanted gravity and ground.

use crate::{BodyState, Controller, CoordinateLayout, FootPhase};
use andante_body::{Body, BodyModel, CharacterError, RestPose, RigidPlacement};
use andante_dynamics::{
    ContactReading, ContactTerrain, PhysicsSettings, Simulation, SimulationError, vec3,
};
use glam::{DMat3, DQuat, DVec3};
use std::ops::Range;
use std::sync::Arc;
use thiserror::Error;

/// How a body is simulated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PerformanceOptions {
    /// Seconds a step; half a millisecond as published, up to 2 ms where speed matters more.
    pub step: f64,
    /// Whether there are gravity and a level ground. Without them a sketch shows what its modes do, with them what
    /// would become of it.
    pub gravity: bool,
    /// Of feet on the ground.
    pub friction: f64,
}

impl Default for PerformanceOptions {
    fn default() -> Self {
        Self { step: 0.0005, gravity: false, friction: 0.9 }
    }
}

/// Why a body cannot be simulated.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PerformanceError {
    /// The body or its pose.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// Options or a state.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// A state of another body.
    #[error("the state has {0} joint angles, the body {1}")]
    State(usize, usize),
}

/// A simulated body with or without a controller (C6 to C8).
///
/// Only the foot of the active state touches the ground; without a controller all feet that count do. Nothing touches
/// anything without gravity.
#[derive(Clone, Debug)]
pub struct PulseMotion {
    body: Body,
    pose: RestPose,
    layout: CoordinateLayout,
    /// Collision shapes of each foot.
    feet: Vec<Vec<usize>>,
    simulation: Simulation<f64>,
    controller: Option<Controller>,
    standing: Option<Option<usize>>,
    gravity: bool,
}

impl PulseMotion {
    /// A body at rest in a pose.
    pub fn new(
        body: &Body,
        pose: &RestPose,
        options: &PerformanceOptions,
    ) -> Result<Self, PerformanceError> {
        let mut settings = PhysicsSettings {
            step: options.step,
            friction: options.friction,
            ..PhysicsSettings::default()
        };
        if !options.gravity {
            settings.gravity = vec3(0.0, 0.0, 0.0);
        }
        let character = BodyModel::new(body, pose, &settings)?;
        let feet = body
            .feet()
            .iter()
            .zip(&character.feet)
            .map(|(foot, spheres)| {
                let shapes: Range<usize> = character.shapes[foot.segment].clone();
                spheres.iter().flatten().copied().chain(shapes).collect()
            })
            .collect();
        let simulation =
            Simulation::new(Arc::new(character.model), ContactTerrain::level(), settings)?;
        let mut performance = Self {
            body: body.clone(),
            pose: pose.clone(),
            layout: CoordinateLayout::new(body),
            feet,
            simulation,
            controller: None,
            standing: None,
            gravity: options.gravity,
        };
        performance.touch(None);
        Ok(performance)
    }

    /// Puts the body where a controller begins, and lets it drive from now on.
    pub fn drive(&mut self, controller: Controller) -> Result<(), PerformanceError> {
        self.set_state(&controller.start)?;
        self.controller = Some(controller);
        Ok(())
    }

    /// Changes what drives the body while it goes on moving, as when a slider is moved.
    pub fn replace_controller(&mut self, controller: Option<Controller>) {
        self.controller = controller;
    }

    /// Puts the body elsewhere.
    pub fn set_state(&mut self, state: &BodyState) -> Result<(), PerformanceError> {
        let dof = self.layout.dof();
        for given in [state.deflections.len(), state.rates.len()] {
            if given != dof {
                return Err(PerformanceError::State(given, dof));
            }
        }
        let state = state.to_simulation(self.simulation.model(), &self.body, &self.pose);
        Ok(self.simulation.set_state(&state)?)
    }

    /// Where the body is and how it moves.
    pub fn state(&self) -> BodyState {
        let model = self.simulation.model();
        BodyState::from_simulation(model, &self.body, &self.pose, self.simulation.state())
    }

    /// Where every segment is.
    pub fn placed(&self) -> Vec<RigidPlacement> {
        let (kinematics, model) = (self.simulation.kinematics(), self.simulation.model());
        (0..self.body.segments().len())
            .map(|link| {
                let at = kinematics.position(model, link);
                let columns = kinematics.rotation(link).transpose();
                let turn = [vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0)]
                    .map(|axis| DVec3::from(columns.transpose_mul(axis).to_array()));
                let rotation = DQuat::from_mat3(&DMat3::from_cols(turn[0], turn[1], turn[2]));
                RigidPlacement::new(rotation, DVec3::from(at.to_array()))
            })
            .collect()
    }

    /// Seconds since the start.
    pub fn time(&self) -> f64 {
        self.simulation.time()
    }

    /// Kinetic energy and that of the springs, J.
    pub fn energy(&self) -> f64 {
        self.simulation.kinetic_energy() + self.simulation.elastic_energy()
    }

    /// What the ground did in the last step: where and with what force.
    pub fn contacts(&self) -> impl Iterator<Item = ContactReading> + '_ {
        self.simulation.contacts(0)
    }

    /// Whether numbers went out of bounds: the body then stays where it was.
    pub fn has_failed(&self) -> bool {
        self.simulation.is_quarantined(0)
    }

    /// One step of the machine and of the world.
    pub fn step(&mut self) {
        let time = self.simulation.time();
        let mut standing = None;
        let torques = self.simulation.controls_mut().torque_mut();
        torques.fill(0.0);
        if let Some(controller) = &self.controller {
            standing = Some(controller.state_at(time).0.foot);
            // Six of the root come first: nothing drives them.
            for (torque, wanted) in torques[6..].iter_mut().zip(controller.torques(time)) {
                *torque = *wanted;
            }
        }
        self.touch(standing);
        self.simulation.step();
    }

    /// Steps until a time.
    pub fn run_until(&mut self, time: f64) {
        // Half a step of tolerance: times are multiples of the step, up to rounding.
        let until = time - 0.5 * self.simulation.settings().step;
        while self.simulation.time() < until {
            self.step();
        }
    }

    /// The phase of the machine, if there is one.
    pub fn phase(&self) -> Option<(FootPhase, usize)> {
        let (state, _) = self.controller.as_ref()?.state_at(self.time());
        Some((state.phase, state.foot))
    }

    /// Lets one foot touch the ground, or all that count.
    fn touch(&mut self, standing: Option<usize>) {
        if self.standing == Some(standing) {
            return;
        }
        self.standing = Some(standing);
        for shape in 0..self.simulation.model().shapes().len() {
            self.simulation.set_collision(shape, 0, false);
        }
        if !self.gravity {
            return;
        }
        for (foot, shapes) in self.feet.iter().enumerate() {
            let on = standing.is_none_or(|standing| standing == foot);
            for &shape in shapes.iter().filter(|_| on) {
                self.simulation.set_collision(shape, 0, true);
            }
        }
    }
}
