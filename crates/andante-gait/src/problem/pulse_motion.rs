//! A body that moves by itself: springs, pulses, and where wanted gravity and ground.

use crate::BodyState;
use crate::problem::pulse_controller::{ControllerError, PulseController};
use crate::problem::pulse_simulator::PulseSimulator;
use crate::sketch::gait_sketch::TouchingFeet;
use andante_body::{Body, CharacterError, RestPose, RigidPlacement};
use andante_dynamics::{ContactReading, PhysicsSettings, Simulation, SimulationError};
use thiserror::Error;

/// An error that keeps a body from being driven with pulses.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PulseError {
    /// The body or its pose.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// Settings or a state.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// The controller.
    #[error(transparent)]
    Controller(#[from] ControllerError),
}

/// A simulated body, with or without a pulse controller that goes round and round (C6 to C8).
///
/// Only the feet of the active step touch the ground; without a controller all feet that count do. Nothing touches anything
/// without gravity.
#[derive(Clone, Debug)]
pub struct PulseMotion {
    simulator: PulseSimulator,
    simulation: Simulation<f64>,
    controller: Option<PulseController>,
}

impl PulseMotion {
    /// A body at rest in a pose. Settings without gravity show what modes do, those with it what would become of a sketch.
    pub fn new(
        body: &Body,
        pose: &RestPose,
        physics: &PhysicsSettings,
    ) -> Result<Self, PulseError> {
        let simulator =
            PulseSimulator::new(body.clone(), pose.clone(), physics, TouchingFeet::Step)?;
        let mut simulation = simulator.lanes::<f64>()?;
        let weightless = physics.gravity.to_array() == [0.0; 3];
        let feet = simulator.feet.iter().filter(|foot| !foot.disregarded && !weightless);
        for &shape in feet.flat_map(|foot| &foot.shapes) {
            simulation.set_collision(shape, 0, true);
        }
        Ok(Self { simulator, simulation, controller: None })
    }

    /// Puts the body where a controller begins, and lets it drive from now on. Its steps are a whole cycle.
    pub fn drive(&mut self, controller: PulseController) -> Result<(), PulseError> {
        controller.check(&self.simulator.body)?;
        self.set_state(&controller.start)?;
        self.controller = Some(controller);
        Ok(())
    }

    /// Puts the body elsewhere.
    pub fn set_state(&mut self, state: &BodyState) -> Result<(), PulseError> {
        let simulator = &self.simulator;
        state.check(simulator.dof())?;
        let model = self.simulation.model();
        let state = state.to_simulation(model, &simulator.body, &simulator.pose);
        Ok(self.simulation.set_state(&state)?)
    }

    /// The state of the body: its pose and velocity.
    pub fn state(&self) -> BodyState {
        self.simulator.state(&self.simulation, 0)
    }

    /// The placement of every segment.
    pub fn placed(&self) -> Vec<RigidPlacement> {
        self.state().place(&self.simulator.body, &self.simulator.pose)
    }

    /// Seconds since the start.
    pub fn time(&self) -> f64 {
        self.simulation.time()
    }

    /// Kinetic energy and that of the springs, J.
    pub fn energy(&self) -> f64 {
        self.simulation.kinetic_energy() + self.simulation.elastic_energy()
    }

    /// The contact forces of the ground in the last step, with their places.
    pub fn contacts(&self) -> impl Iterator<Item = ContactReading> + '_ {
        self.simulation.contacts(0)
    }

    /// True if numbers went out of bounds: the body then stays where it was.
    pub fn has_failed(&self) -> bool {
        self.simulation.is_quarantined(0)
    }

    /// One step of the machine and of the world.
    pub fn step(&mut self) {
        if let Some(controller) = &self.controller {
            let period = controller.length();
            let time = self.simulation.time().rem_euclid(period);
            // Rounding may have left next to nothing of a cycle that is over.
            let time = if period - time < 1e-9 * period { 0.0 } else { time };
            self.simulator.command(&mut self.simulation, 0, controller, time, &[]);
        }
        self.simulation.step();
    }

    /// Steps until a time.
    pub fn run_until(&mut self, time: f64) {
        // Half a step of tolerance: times are multiples of the step, up to rounding.
        let until = time - 0.5 * self.simulator.step();
        while self.simulation.time() < until {
            self.step();
        }
    }
}
