//! Where the energy of a gait is, moment by moment.

use crate::problem::candidate::Candidate;
use crate::problem::gait_problem::GaitProblem;

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

impl GaitProblem {
    /// The evaluated part of a gait, one moment for each step of the simulation: a whole cycle, or the half that is mirrored,
    /// which has the same energies.
    pub fn energies(&self, candidate: &Candidate) -> Vec<EnergyMoment> {
        candidate.laps().iter().flat_map(|lap| self.energies_of_lap(lap)).collect()
    }

    fn energies_of_lap(&self, candidate: &Candidate) -> Vec<EnergyMoment> {
        let Ok(mut simulation) = self.lanes::<f64>() else { return Vec::new() };
        let state = candidate.start.to_simulation(simulation.model(), &self.body, &self.pose);
        if simulation.set_state(&state).is_err() {
            return Vec::new();
        }
        let moment = |step: usize| {
            self.drive(&mut simulation, 0, candidate, step);
            simulation.step();
            let torques = simulation.controls_mut().torque_mut()[6..].to_vec();
            let rates = &simulation.state().v[6..];
            EnergyMoment {
                kinetic: simulation.kinetic_energy(),
                height: simulation.potential_energy(),
                elastic: simulation.elastic_energy(),
                power: torques.iter().zip(rates).map(|(torque, rate)| torque * rate).sum(),
            }
        };
        (0..self.count(candidate)).map(moment).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::{FoundGait, GaitProblem, GaitSketch, ProblemOptions};

    #[test]
    fn the_energies_of_a_cycle_are_where_they_were_at_its_end() {
        let gait = FoundGait::built_in("kangaroo-hop").unwrap().unwrap();
        let sketch = GaitSketch::built_in("kangaroo-hop").unwrap();
        let body = andante_body::creature(&sketch.character).unwrap();
        let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default()).unwrap();
        let candidate = gait.candidate(&problem).unwrap();
        let moments = problem.energies(&candidate);
        assert_eq!(moments.len(), (candidate.length() / problem.options().step).ceil() as usize);
        let total = |k: usize| moments[k].kinetic + moments[k].height + moments[k].elastic;
        let (first, last) = (total(0), total(moments.len() - 1));
        assert!((first - last).abs() < 0.03 * first, "{first} J, {last} J");
        let weight = 9.80665 * body.total_mass();
        assert!(moments.iter().all(|moment| (0.2..3.0).contains(&(moment.height / weight))));
        // What torques put in on the whole makes up for what is damped and lost in landing; braking joints take from what the
        // others put in.
        let net: f64 = moments.iter().map(|moment| moment.power * problem.options().step).sum();
        let put_in = gait.cost_of_transport * weight * gait.speed * candidate.length();
        assert!(net > 0.0 && net < 1.01 * put_in, "{net} J of {put_in} J");
    }
}
