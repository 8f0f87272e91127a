//! What keeps a gait on its way: linear feedback along the cycle.

use crate::BodyState;
use crate::held::lap_course::PlanarFrame;
use crate::held::periodic_gains::{LinearStage, periodic_gains};
use crate::problem::candidate::Candidate;
use crate::problem::evaluator::LANES;
use crate::problem::gait_problem::{GaitProblem, rotation_vector};
use andante_dynamics::{ContactTerrain, JointState, Real, Simulation, SimulationError, f64x4};
use glam::{DQuat, DVec3};
use nalgebra::{DMatrix, DVector};
use std::sync::Arc;

/// How feedback weighs what it sees against what it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeedbackOptions {
    /// Seconds between looks at the body.
    pub tick: f64,
    /// Deviations that are worth as much as each other: metres, radians, m/s, rad/s.
    pub deviation: [f64; 4],
    /// Correcting torque that is worth as much, of the largest torque of a joint.
    pub torque: f64,
    /// Cycles ahead that are looked at.
    pub horizon: usize,
    /// What ends a flight.
    pub landing: Landing,
}

/// What ends a flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// Its time is over, wherever the feet are.
    Timed,
    /// The feet touch the ground: who lands early goes on from there, who is late waits for it.
    Touched,
}

impl Default for FeedbackOptions {
    fn default() -> Self {
        Self {
            tick: 0.01,
            deviation: [0.05, 0.1, 0.1, 2.0],
            torque: 0.2,
            horizon: 12,
            landing: Landing::Timed,
        }
    }
}

/// Torque of a joint axis without a limit, N·m.
const UNLIMITED: f64 = 200.0;

/// Corrections of joint torques, linear in how far the body is from where the cycle has it at that time.
///
/// A found gait is open loop: whatever is off grows from cycle to cycle. Here the motion is linearised about the cycle, tick by
/// tick, by simulating small deviations and small torques; the gains that cost least over the cycles to come follow from
/// Riccati's equation, run backwards round the cycle until nothing changes (D. Laughlin, R. Kalman; for gaits see
/// J. Laszlo, M. van de Panne and E. Fiume, "Limit cycle control", 1996). Nothing is tuned by hand and no state is ever put
/// back: all the feedback does is torque within the limits of joints.
#[derive(Clone, Debug)]
pub struct Feedback {
    /// Steps of the simulation in a tick.
    pub(crate) tick: usize,
    pub(crate) landing: Landing,
    /// What is evaluated one by one: all of a cycle, half of it, or its halves.
    laps: Vec<Lap>,
    /// Sideways drift of the evaluated part, m.
    pub(crate) drift: f64,
}

/// The feedback of one lap.
#[derive(Clone, Debug)]
struct Lap {
    /// Where the body is at each tick.
    references: Vec<BodyState>,
    gains: Vec<DMatrix<f64>>,
    /// Where it ends, and by how much it has turned there.
    end: DVec3,
    turn: f64,
}

impl Lap {
    /// The frame of the next lap, for one who ends this one so, seen from its frame.
    fn next(&self, frame: PlanarFrame, end: &BodyState) -> PlanarFrame {
        if self.turn == 0.0 { frame } else { frame.after(end, self.end, self.turn) }
    }
}

impl GaitProblem {
    /// How far a state is from another: sideways and up, orientation, velocity, spin, joints and their rates.
    pub(crate) fn deviation(&self, from: &BodyState, to: &BodyState) -> Vec<f64> {
        let mut deviation = vec![to.position.x - from.position.x, to.position.y - from.position.y];
        deviation.extend(rotation_vector(to.orientation * from.orientation.conjugate()).to_array());
        deviation.extend((to.velocity - from.velocity).to_array());
        deviation.extend((to.spin - from.spin).to_array());
        deviation.extend(to.deflections.iter().zip(&from.deflections).map(|(to, from)| to - from));
        deviation.extend(to.rates.iter().zip(&from.rates).map(|(to, from)| to - from));
        deviation
    }

    /// The state at a deviation from another.
    fn deviated(&self, from: &BodyState, deviation: &[f64]) -> BodyState {
        let mut values = deviation.iter().copied();
        let mut next = || values.next().unwrap_or(0.0);
        let mut state = from.clone();
        state.position += DVec3::new(next(), next(), 0.0);
        let turn = DVec3::new(next(), next(), next());
        state.orientation = (DQuat::from_scaled_axis(turn) * from.orientation).normalize();
        state.velocity += DVec3::new(next(), next(), next());
        state.spin += DVec3::new(next(), next(), next());
        state.deflections.iter_mut().for_each(|value| *value += next());
        state.rates.iter_mut().for_each(|value| *value += next());
        state
    }

    /// Whole steps of the simulation in a lap.
    pub(crate) fn whole_steps(&self, candidate: &Candidate) -> usize {
        let laps = if candidate.middle.is_some() { 2.0 } else { 1.0 };
        (candidate.length() / laps / self.options.step).round().max(1.0) as usize
    }

    /// Torques and contacts of one lane at a step of the evaluated part, with corrections.
    pub(crate) fn command<R: Real>(
        &self,
        simulation: &mut Simulation<R>,
        lane: usize,
        candidate: &Candidate,
        step: usize,
        correction: &[f64],
    ) {
        let h = self.options.step;
        let time = step as f64 * h;
        let (index, ..) = candidate.at(time);
        if let Some(plan) = candidate.steps.get(index) {
            for (foot, setup) in self.feet.iter().enumerate() {
                let on = self.touches(plan, foot);
                for &shape in &setup.shapes {
                    simulation.set_collision(shape, lane, on);
                }
            }
        }
        let mut wanted = correction.to_vec();
        wanted.resize(self.torque_limits.len(), 0.0);
        for share in candidate.acting(time, h) {
            for (wanted, torque) in wanted.iter_mut().zip(&share.phase.torques) {
                *wanted += share.mean * torque;
            }
        }
        let torques = &mut simulation.controls_mut().torque_mut()[6..];
        for ((torque, wanted), limit) in torques.iter_mut().zip(wanted).zip(&self.torque_limits) {
            torque.set_lane(lane, wanted.clamp(-limit, *limit));
        }
    }

    /// A simulation with all collisions switched off.
    pub(crate) fn lanes<R: Real>(&self) -> Result<Simulation<R>, SimulationError> {
        let model = Arc::new(self.simulation.model().clone());
        let options = self.simulation.settings().clone();
        let mut simulation = Simulation::new(model, ContactTerrain::level(), options)?;
        for shape in 0..simulation.model().shapes().len() {
            for lane in 0..R::LANES {
                simulation.set_collision(shape, lane, false);
            }
        }
        Ok(simulation)
    }

    /// Where states with constant corrections get between two steps of the evaluated part; `None` for those that explode.
    fn advance(
        &self,
        simulation: &mut Simulation<f64x4>,
        candidate: &Candidate,
        cases: &[(BodyState, Vec<f64>)],
        steps: std::ops::Range<usize>,
    ) -> Vec<Option<BodyState>> {
        let mut ends = Vec::with_capacity(cases.len());
        for group in cases.chunks(LANES) {
            let mut state = JointState::<f64x4>::rest(simulation.model());
            for lane in 0..LANES {
                let (case, _) = &group[lane.min(group.len() - 1)];
                state.set_lane(
                    lane,
                    &case.to_simulation(simulation.model(), &self.body, &self.pose),
                );
            }
            if simulation.set_state(&state).is_err() {
                ends.extend(group.iter().map(|_| None));
                continue;
            }
            for step in steps.clone() {
                for lane in 0..LANES {
                    let (_, correction) = &group[lane.min(group.len() - 1)];
                    self.command(simulation, lane, candidate, step, correction);
                }
                simulation.step();
            }
            for lane in 0..group.len() {
                let state = simulation.state().lane(lane);
                let model = simulation.model();
                ends.push(
                    (!simulation.is_quarantined(lane))
                        .then(|| BodyState::from_simulation(model, &self.body, &self.pose, &state)),
                );
            }
        }
        ends
    }
}

impl Feedback {
    /// Of a gait that closes. `None` if it cannot be simulated or its deviations cannot be mastered.
    pub fn new(
        problem: &GaitProblem,
        candidate: &Candidate,
        options: &FeedbackOptions,
    ) -> Option<Self> {
        let mut simulation = problem.lanes::<f64x4>().ok()?;
        let steps = problem.whole_steps(candidate);
        let tick = ((options.tick / problem.options.step).round() as usize).max(1);
        let dof = problem.torque_limits.len();
        let mut laps = Vec::new();
        let mut spans = Vec::new();
        let plans = candidate.laps();
        for (number, plan) in plans.iter().enumerate() {
            let mut state = plan.start.clone();
            let mut references = Vec::new();
            for first in (0..steps).step_by(tick) {
                references.push(state.clone());
                let span = first..(first + tick).min(steps);
                let case = [(state, Vec::new())];
                state = problem.advance(&mut simulation, plan, &case, span.clone()).pop()??;
                spans.push((number, span));
            }
            let turn = problem.sketch.turn * plan.length();
            laps.push(Lap { references, gains: Vec::new(), end: state.position, turn });
        }
        let drift = if problem.mirror.is_some() { laps[0].end.x } else { 0.0 };
        for reference in laps.iter_mut().flat_map(|lap| &mut lap.references) {
            reference.position.x -= 0.5 * drift;
        }
        // Deviations and torques that are small, but larger than what feet catch and slip by.
        let sizes = Self::scales(dof, [5e-4, 1e-3, 5e-3, 2e-2]);
        let strength = |k: usize| {
            let limit = problem.torque_limits[k];
            if limit.is_finite() { limit } else { UNLIMITED }
        };
        let mut stages = Vec::with_capacity(spans.len());
        for (index, (number, span)) in spans.iter().enumerate() {
            let (lap, plan) = (&laps[*number], &plans[*number]);
            let ticks = lap.references.len();
            let reference = &lap.references[index % ticks];
            let mut cases = Vec::new();
            for sign in [1.0, -1.0] {
                for (k, size) in sizes.iter().enumerate() {
                    let mut deviation = vec![0.0; sizes.len()];
                    deviation[k] = sign * size;
                    cases.push((problem.deviated(reference, &deviation), vec![0.0; dof]));
                }
                for k in 0..dof {
                    let mut correction = vec![0.0; dof];
                    correction[k] = sign * 0.02 * strength(k);
                    cases.push((reference.clone(), correction));
                }
            }
            let last = (index + 1) % ticks == 0;
            let target = if last {
                &laps[(number + 1) % laps.len()].references[0]
            } else {
                &lap.references[(index + 1) % ticks]
            };
            let ends = problem.advance(&mut simulation, plan, &cases, span.clone());
            let ends: Vec<Vec<f64>> = ends
                .into_iter()
                .map(|end| {
                    let mut end = end?;
                    if last {
                        end = match &problem.mirror {
                            Some(mirror) => end.mirrored(mirror),
                            None => lap.next(PlanarFrame::default(), &end).local(&end),
                        };
                    }
                    Some(problem.deviation(target, &end))
                })
                .collect::<Option<_>>()?;
            let count = sizes.len() + dof;
            let slope = |column: usize, row: usize, size: f64| {
                (ends[column][row] - ends[count + column][row]) / (2.0 * size)
            };
            stages.push(LinearStage {
                state: DMatrix::from_fn(sizes.len(), sizes.len(), |row, k| slope(k, row, sizes[k])),
                input: DMatrix::from_fn(sizes.len(), dof, |row, k| {
                    slope(sizes.len() + k, row, 0.02 * strength(k))
                }),
            });
        }
        let worth = Self::scales(dof, options.deviation);
        let worth = DVector::from_iterator(worth.len(), worth.iter().map(|scale| scale.powi(-2)));
        let price = DVector::from_fn(dof, |k, _| (options.torque * strength(k)).powi(-2));
        let mut gains = periodic_gains(&stages, &worth, &price, options.horizon)?.into_iter();
        for lap in &mut laps {
            lap.gains = gains.by_ref().take(lap.references.len()).collect();
        }
        Some(Self { tick, landing: options.landing, laps, drift })
    }

    /// One number for every deviation, from those of lengths, angles, velocities and rates.
    fn scales(dof: usize, [metres, radians, speed, rate]: [f64; 4]) -> Vec<f64> {
        let parts = [(2, metres), (3, radians), (3, speed), (3, rate), (dof, radians), (dof, rate)];
        parts.iter().flat_map(|&(count, scale)| std::iter::repeat_n(scale, count)).collect()
    }

    /// Correcting torques at a step of a lap, for a state seen from the frame of that lap.
    pub(crate) fn correction(
        &self,
        problem: &GaitProblem,
        lap: usize,
        step: usize,
        state: &BodyState,
    ) -> Vec<f64> {
        let lap = &self.laps[lap % self.laps.len()];
        let index = (step / self.tick).min(lap.references.len() - 1);
        let deviation = DVector::from_vec(problem.deviation(&lap.references[index], state));
        (&lap.gains[index] * deviation).iter().map(|torque| -torque).collect()
    }

    /// The frame of the next lap, for one who ends a lap so, seen from its frame.
    pub(crate) fn next(&self, lap: usize, frame: PlanarFrame, end: &BodyState) -> PlanarFrame {
        self.laps[lap % self.laps.len()].next(frame, end)
    }
}
