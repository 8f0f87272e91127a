//! Where the energy of a gait is, moment by moment.

use crate::problem::gait_problem::GaitProblem;
use crate::problem::pulse_controller::PulseController;

/// Energies at one moment of a gait, and what its torques do.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct EnergyMoment {
    /// Of motion, J.
    pub kinetic: f64,
    /// Of height, J, zero on the ground.
    pub height: f64,
    /// In springs and stops of joints, J.
    pub elastic: f64,
    /// What active torques put in, W; negative where they brake.
    pub power: f64,
}

impl EnergyMoment {
    /// The evaluated part of a gait, one moment for each step of the simulation: a whole cycle, or the half that is mirrored,
    /// which has the same energies.
    pub fn along(problem: &GaitProblem, candidate: &PulseController) -> Vec<Self> {
        candidate.laps().iter().flat_map(|lap| Self::along_lap(problem, lap)).collect()
    }

    fn along_lap(problem: &GaitProblem, lap: &PulseController) -> Vec<Self> {
        let simulator = &problem.setup.simulator;
        let Some(mut simulation) = simulator.begin(&lap.start) else { return Vec::new() };
        let moment = |step: usize| {
            simulator.drive(&mut simulation, 0, lap, step);
            simulation.step();
            let torques = simulation.controls_mut().torque_mut()[6..].to_vec();
            let rates = &simulation.state().v[6..];
            Self {
                kinetic: simulation.kinetic_energy(),
                height: simulation.potential_energy(),
                elastic: simulation.elastic_energy(),
                power: torques.iter().zip(rates).map(|(torque, rate)| torque * rate).sum(),
            }
        };
        (0..simulator.count(lap)).map(moment).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::{EnergyMoment, FoundGait, GaitProblem, GaitSketch, ProblemOptions};
    use andante_dynamics::PhysicsSettings;

    #[test]
    fn the_energies_of_a_cycle_are_where_they_were_at_its_end() {
        let gait = FoundGait::built_in("kangaroo-hop").unwrap().unwrap();
        let sketch = GaitSketch::built_in("kangaroo-hop").unwrap();
        let body = andante_body::creature(&sketch.character).unwrap();
        let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default()).unwrap();
        let candidate = gait.candidate(&problem).unwrap();
        let moments = EnergyMoment::along(&problem, &candidate);
        assert_eq!(
            moments.len(),
            (candidate.length() / problem.options().physics.step).ceil() as usize
        );
        let total = |k: usize| moments[k].kinetic + moments[k].height + moments[k].elastic;
        let (first, last) = (total(0), total(moments.len() - 1));
        assert!((first - last).abs() < 0.03 * first, "{first} J, {last} J");
        let weight = PhysicsSettings::STANDARD_GRAVITY * body.total_mass();
        assert!(moments.iter().all(|moment| (0.2..3.0).contains(&(moment.height / weight))));
        // What torques put in on the whole makes up for what is damped and lost in landing; braking joints take from what the
        // others put in.
        let net: f64 =
            moments.iter().map(|moment| moment.power * problem.options().physics.step).sum();
        let put_in = gait.cost_of_transport * weight * gait.speed * candidate.length();
        assert!(net > 0.0 && net < 1.01 * put_in, "{net} J of {put_in} J");
    }
}
