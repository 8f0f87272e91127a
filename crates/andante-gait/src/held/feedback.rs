//! What keeps a gait on its way: linear feedback along the cycle.

use crate::BodyState;
use crate::held::lap_course::PlanarFrame;
use crate::held::periodic_gains::{LinearStage, periodic_gains};
use crate::modes::body_state::rotation_vector;
use crate::problem::evaluator::LANES;
use crate::problem::gait_problem::GaitProblem;
use crate::problem::gait_setup::GaitSetup;
use crate::problem::pulse_controller::PulseController;
use crate::problem::pulse_simulator::PulseSimulator;
use andante_dynamics::{Simulation, f64x4};
use glam::{DQuat, DVec3};
use nalgebra::{DMatrix, DVector};
use std::ops::Range;

andante_skeleton::settings! {
    /// Weights of feedback: errors against the torques spent on them.
    pub struct FeedbackOptions: Copy {
        /// Seconds between looks at the body.
        tick: f64 = 0.01, 0.0..;
        /// Deviations that are worth as much as each other: metres, radians, m/s, rad/s.
        deviation: [f64; 4] = [0.05, 0.1, 0.1, 2.0], 0.0..;
        /// Correcting torque that is worth as much, of the largest torque of a joint.
        torque: f64 = 0.2, 0.0..;
        /// Cycles ahead that are looked at.
        horizon: usize = 12;
        /// What ends a flight.
        landing: Landing = Landing::Timed;
        /// Deviations with which the motion is linearised: metres, radians, m/s, rad/s. Small, but larger than what
        /// feet catch and slip by.
        probe: [f64; 4] = [5e-4, 1e-3, 5e-3, 2e-2], 0.0..;
        /// Torque with which it is linearised, of the largest torque of a joint.
        probe_torque: f64 = 0.02, 0.0..;
    }
}

/// The event that ends a flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// Its time is over, wherever the feet are.
    Timed,
    /// The feet touch the ground: who lands early goes on from there, who is late waits for it.
    Touched,
}

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

impl Feedback {
    /// Of a gait that closes. `None` if it cannot be simulated or its deviations cannot be mastered.
    pub fn new(
        problem: &GaitProblem,
        candidate: &PulseController,
        options: &FeedbackOptions,
    ) -> Option<Self> {
        let setup = &problem.setup;
        let simulator = &setup.simulator;
        let mut simulation = simulator.lanes::<f64x4>().ok()?;
        let steps = simulator.whole_steps(candidate);
        let tick = ((options.tick / simulator.step()).round() as usize).max(1);
        let spans: Vec<Range<usize>> =
            (0..steps).step_by(tick).map(|first| first..(first + tick).min(steps)).collect();
        let plans = candidate.laps();
        let mut laps = Vec::new();
        for plan in &plans {
            let mut state = plan.start.clone();
            let mut references = Vec::new();
            for span in &spans {
                references.push(state.clone());
                let case = [(state, Vec::new())];
                state = advance(simulator, &mut simulation, plan, &case, span.clone()).pop()??;
            }
            let turn = setup.sketch.turn * plan.length();
            laps.push(Lap { references, gains: Vec::new(), end: state.position, turn });
        }
        let drift = if setup.mirror.is_some() { laps[0].end.x } else { 0.0 };
        for reference in laps.iter_mut().flat_map(|lap| &mut lap.references) {
            reference.position.x -= 0.5 * drift;
        }
        let mut stages = Vec::with_capacity(plans.len() * spans.len());
        for (number, plan) in plans.iter().enumerate() {
            for (index, span) in spans.iter().enumerate() {
                let tick = LapTick { laps: &laps, number, index, plan, span: span.clone() };
                stages.push(tick.linearised(setup, &mut simulation, options)?);
            }
        }
        let dof = simulator.dof();
        let worth = scales(dof, options.deviation);
        let worth = DVector::from_iterator(worth.len(), worth.iter().map(|scale| scale.powi(-2)));
        let strength = |k: usize| simulator.strength(k);
        let price = DVector::from_fn(dof, |k, _| (options.torque * strength(k)).powi(-2));
        let mut gains = periodic_gains(&stages, &worth, &price, options.horizon)?.into_iter();
        for lap in &mut laps {
            lap.gains = gains.by_ref().take(lap.references.len()).collect();
        }
        Some(Self { tick, landing: options.landing, laps, drift })
    }

    /// Correcting torques at a step of a lap, for a state seen from the frame of that lap.
    pub(crate) fn correction(&self, lap: usize, step: usize, state: &BodyState) -> Vec<f64> {
        let lap = &self.laps[lap % self.laps.len()];
        let index = (step / self.tick).min(lap.references.len() - 1);
        let deviation = DVector::from_vec(deviation(&lap.references[index], state));
        (&lap.gains[index] * deviation).iter().map(|torque| -torque).collect()
    }

    /// The frame of the next lap, for one who ends a lap so, seen from its frame.
    pub(crate) fn next(&self, lap: usize, frame: PlanarFrame, end: &BodyState) -> PlanarFrame {
        self.laps[lap % self.laps.len()].next(frame, end)
    }
}

/// One tick of a lap, between two references.
struct LapTick<'a> {
    laps: &'a [Lap],
    /// Which lap, and which tick of it.
    number: usize,
    index: usize,
    plan: &'a PulseController,
    span: Range<usize>,
}

impl LapTick<'_> {
    /// How deviations and torques at its beginning change its end, by simulating small ones of either sign.
    fn linearised(
        &self,
        setup: &GaitSetup,
        simulation: &mut Simulation<f64x4>,
        options: &FeedbackOptions,
    ) -> Option<LinearStage> {
        let simulator = &setup.simulator;
        let dof = simulator.dof();
        let sizes = scales(dof, options.probe);
        let torque = |k: usize| options.probe_torque * simulator.strength(k);
        let reference = &self.laps[self.number].references[self.index];
        let mut cases = Vec::new();
        for sign in [1.0, -1.0] {
            for (k, size) in sizes.iter().enumerate() {
                let mut deviation = vec![0.0; sizes.len()];
                deviation[k] = sign * size;
                cases.push((deviated(reference, &deviation), vec![0.0; dof]));
            }
            for k in 0..dof {
                let mut correction = vec![0.0; dof];
                correction[k] = sign * torque(k);
                cases.push((reference.clone(), correction));
            }
        }
        let ends = advance(simulator, simulation, self.plan, &cases, self.span.clone());
        let ends: Vec<Vec<f64>> =
            ends.into_iter().map(|end| Some(self.end(setup, end?))).collect::<Option<_>>()?;
        let count = sizes.len() + dof;
        let slope = |column: usize, row: usize, size: f64| {
            (ends[column][row] - ends[count + column][row]) / (2.0 * size)
        };
        Some(LinearStage {
            state: DMatrix::from_fn(sizes.len(), sizes.len(), |row, k| slope(k, row, sizes[k])),
            input: DMatrix::from_fn(sizes.len(), dof, |row, k| {
                slope(sizes.len() + k, row, torque(k))
            }),
        })
    }

    /// How far an end is from the reference that comes next, which may be that of the next lap.
    fn end(&self, setup: &GaitSetup, end: BodyState) -> Vec<f64> {
        let lap = &self.laps[self.number];
        if let Some(target) = lap.references.get(self.index + 1) {
            return deviation(target, &end);
        }
        let target = &self.laps[(self.number + 1) % self.laps.len()].references[0];
        let end = match &setup.mirror {
            Some(mirror) => end.mirrored(mirror),
            None => lap.next(PlanarFrame::default(), &end).local(&end),
        };
        deviation(target, &end)
    }
}

/// One number for every deviation, from those of lengths, angles, velocities and rates.
fn scales(dof: usize, [metres, radians, speed, rate]: [f64; 4]) -> Vec<f64> {
    let parts = [(2, metres), (3, radians), (3, speed), (3, rate), (dof, radians), (dof, rate)];
    parts.iter().flat_map(|&(count, scale)| std::iter::repeat_n(scale, count)).collect()
}

/// How far a state is from another: sideways and up, orientation, velocity, spin, joints and their rates.
fn deviation(from: &BodyState, to: &BodyState) -> Vec<f64> {
    let mut deviation = vec![to.position.x - from.position.x, to.position.y - from.position.y];
    deviation.extend(rotation_vector(to.orientation * from.orientation.conjugate()).to_array());
    deviation.extend((to.velocity - from.velocity).to_array());
    deviation.extend((to.spin - from.spin).to_array());
    deviation.extend(to.deflections.iter().zip(&from.deflections).map(|(to, from)| to - from));
    deviation.extend(to.rates.iter().zip(&from.rates).map(|(to, from)| to - from));
    deviation
}

/// The state at a deviation from another.
fn deviated(from: &BodyState, deviation: &[f64]) -> BodyState {
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

/// Where states with constant corrections get between two steps of a lap; `None` for those that explode.
fn advance(
    simulator: &PulseSimulator,
    simulation: &mut Simulation<f64x4>,
    lap: &PulseController,
    cases: &[(BodyState, Vec<f64>)],
    steps: Range<usize>,
) -> Vec<Option<BodyState>> {
    let mut ends = Vec::with_capacity(cases.len());
    for group in cases.chunks(LANES) {
        if !simulator.put(simulation, group.iter().map(|(case, _)| case)) {
            ends.extend(group.iter().map(|_| None));
            continue;
        }
        for step in steps.clone() {
            let time = step as f64 * simulator.step();
            for lane in 0..LANES {
                let (_, correction) = &group[lane.min(group.len() - 1)];
                simulator.command(simulation, lane, lap, time, correction);
            }
            simulation.step();
        }
        let end = |lane: usize| {
            (!simulation.is_quarantined(lane)).then(|| simulator.state(simulation, lane))
        };
        ends.extend((0..group.len()).map(end));
    }
    ends
}
