//! A gait that goes on by itself.

use crate::BodyState;
use crate::held::feedback::{Feedback, Landing};
use crate::held::gait_clock::{GaitClock, GaitFlight};
use crate::held::lap_course::PlanarFrame;
use crate::problem::candidate::{Candidate, StepPlan};
use crate::problem::gait_problem::GaitProblem;
use andante_dynamics::Simulation;
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// A push in passing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CyclePush {
    /// When, s.
    pub at: f64,
    /// For how long, s.
    pub seconds: f64,
    /// On the torso, N.
    pub force: DVec3,
}

/// How a gait goes on by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Cycles until it fell, or as many as it was to do.
    pub cycles: f64,
    /// How far it came forwards, m; on a way that turns, the sum over its cycles.
    pub distance: f64,
    /// From the direction in which its first cycle led to that of the last, rad; nothing on a straight way.
    pub turned: f64,
    /// How far sideways, m.
    pub sideways: f64,
    /// Mean of the size of corrections while it went, of the largest torques.
    pub correction: f64,
}

impl GaitProblem {
    /// Lets a gait go on by itself for some cycles, physically: nothing puts it back on its way but torque. It has fallen when
    /// its centre of mass has lost a third of its height or is above its torso.
    pub fn run(
        &self,
        candidate: &Candidate,
        feedback: Option<&Feedback>,
        cycles: usize,
        shove: Option<CyclePush>,
    ) -> Run {
        let mut run =
            Run { cycles: 0.0, distance: 0.0, turned: 0.0, sideways: 0.0, correction: 0.0 };
        let Ok(mut simulation) = self.lanes::<f64>() else { return run };
        let mut start = candidate.start.clone();
        start.position.x -= feedback.map_or(0.0, |feedback| 0.5 * feedback.drift);
        let state = start.to_simulation(simulation.model(), &self.body, &self.pose);
        if simulation.set_state(&state).is_err() {
            return run;
        }
        let height = simulation.centre_of_mass(0).y;
        let torso = self.body.torso();
        let middle = self.body.segments()[torso].mass.center;
        let middle = andante_dynamics::vec3(middle.x, middle.y, middle.z);
        let length = self.whole_steps(candidate);
        let mut plans = candidate.laps();
        plans.extend(self.mirror.as_ref().map(|mirror| {
            let other = candidate.steps.iter().map(|step| step.mirrored(&self.body, mirror));
            Candidate { steps: other.collect(), ..candidate.clone() }
        }));
        let halves = plans.len();
        let touched = feedback.is_some_and(|feedback| feedback.landing == Landing::Touched);
        let flights = |plan: &Candidate| if touched { self.flights(plan) } else { Vec::new() };
        let mut clock = GaitClock::new(length, candidate.laps().iter().map(flights).collect());
        let mut correction = vec![0.0; self.torque_limits.len()];
        let mut looked = None;
        // Where this lap began, and how far the cycles before led, and where to.
        let mut frame = PlanarFrame::default();
        let (mut began, mut before) = (simulation.centre_of_mass(0), 0.0);
        let mut direction: Option<f64> = None;
        let mut step = 0;
        while clock.laps < cycles * halves {
            let (half, within) = (clock.laps % halves, clock.within);
            let other = self.mirror.as_ref().filter(|_| half == 1);
            let look =
                feedback.map(|feedback| (clock.laps, (within + clock.waited) / feedback.tick));
            if let Some(feedback) = feedback.filter(|_| look != looked) {
                looked = look;
                let model = simulation.model();
                let state =
                    BodyState::from_simulation(model, &self.body, &self.pose, simulation.state());
                let state = frame.local(&state);
                correction = match other {
                    Some(mirror) => mirror.joints(&feedback.correction(
                        self,
                        0,
                        within,
                        &state.mirrored(mirror),
                    )),
                    None => feedback.correction(self, half, within, &state),
                };
            }
            let plan = &plans[half];
            self.command(&mut simulation, 0, plan, within, &correction);
            let sizes = correction.iter().zip(&self.torque_limits);
            run.correction += sizes.map(|(by, limit)| (by / limit).abs().min(1.0)).sum::<f64>()
                / correction.len() as f64;
            if let Some(shove) = shove {
                let time = step as f64 * self.options.step;
                if (shove.at..shove.at + shove.seconds).contains(&time) {
                    let point = simulation.kinematics().point(simulation.model(), torso, middle);
                    let force = andante_dynamics::vec3(shove.force.x, shove.force.y, shove.force.z);
                    simulation.apply_force(torso, force, point);
                }
            }
            simulation.step();
            step += 1;
            let laps = clock.laps;
            clock.tick(|step| self.is_down(&simulation, &plan.steps[step]));
            let now = simulation.centre_of_mass(0);
            let above = simulation.kinematics().point(simulation.model(), torso, middle).y > now.y;
            run.cycles = (clock.laps as f64 + clock.within as f64 / length as f64) / halves as f64;
            (run.distance, run.sideways) = (now.z, now.x);
            if self.sketch.turn != 0.0 {
                let chord = f64::hypot(now.x - began.x, now.z - began.z);
                (run.distance, run.sideways) = (before + chord, 0.0);
                // Halves of a cycle lead to this side and that.
                if clock.laps > laps && clock.laps.is_multiple_of(halves) {
                    let leads = f64::atan2(now.x - began.x, now.z - began.z);
                    let by = direction.map_or(0.0, |direction| leads - direction);
                    run.turned += (by + PI).rem_euclid(TAU) - PI;
                    direction = Some(leads);
                    (began, before) = (now, before + chord);
                }
            }
            if let Some(feedback) = feedback.filter(|_| clock.laps > laps) {
                let model = simulation.model();
                let end =
                    BodyState::from_simulation(model, &self.body, &self.pose, simulation.state());
                frame = feedback.next(half, frame, &frame.local(&end));
            }
            if simulation.is_quarantined(0) || now.y < 2.0 / 3.0 * height || !above {
                break;
            }
        }
        run.correction /= f64::from(step).max(1.0);
        run
    }

    /// Whether a foot of a step is on the ground.
    fn is_down(&self, simulation: &Simulation<f64>, plan: &StepPlan) -> bool {
        let shapes = |foot: &usize| &self.feet[*foot].shapes;
        let mut pressed = simulation.contacts(0).filter(|contact| contact.force.y > 0.0);
        pressed.any(|contact| plan.feet.iter().any(|foot| shapes(foot).contains(&contact.shape)))
    }

    /// Flights of a gait as it was found. Feet that stand from the beginning have none.
    fn flights(&self, candidate: &Candidate) -> Vec<GaitFlight> {
        let mut flights: Vec<GaitFlight> = Vec::new();
        let Ok(mut simulation) = self.lanes::<f64>() else { return flights };
        let state = candidate.start.to_simulation(simulation.model(), &self.body, &self.pose);
        if simulation.set_state(&state).is_err() {
            return flights;
        }
        // Of the feet of this step: since when they are off the ground.
        let (mut now, mut free) = (0, None);
        for step in 0..self.whole_steps(candidate) {
            self.command(&mut simulation, 0, candidate, step, &[]);
            simulation.step();
            let (index, ..) = candidate.at(step as f64 * self.options.step);
            if index != now {
                (now, free) = (index, None);
            }
            let down = self.is_down(&simulation, &candidate.steps[index]);
            let known = flights.last().is_some_and(|flight| flight.step == index);
            match free {
                Some(since) if down && !known => {
                    let landing = step + 1;
                    flights.push(GaitFlight {
                        step: index,
                        earliest: (since + landing) / 2,
                        landing,
                    });
                }
                None if !down => free = Some(step),
                _ => {}
            }
        }
        flights
    }
}
