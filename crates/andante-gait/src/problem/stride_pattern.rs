//! A walk written down as the paths of its feet: a guess that nearly walks.

use crate::BodyState;
use crate::modes::coordinate_layout::joint_values;
use crate::problem::gait_problem::GaitProblem;
use crate::problem::gait_setup::{TorqueDirection, angle_ranges};
use crate::problem::landing_schedule::LandingSchedule;
use crate::problem::pulse_controller::PulseController;
use crate::problem::pulse_simulator::PulseSimulator;
use glam::DVec3;
use nalgebra::{DMatrix, DVector};
use std::f64::consts::PI;

/// The pattern of a stride: speed, duty factor, lift and lead of the feet. They are put down when their step of the
/// sketch says so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StridePattern {
    /// Of the body over feet that stand, m/s.
    pub speed: f64,
    /// The part of the cycle for which each foot stands.
    pub duty: f64,
    /// How high a foot is lifted in the middle of its swing, m.
    pub lift: f64,
    /// How far torques are ahead of the feet, s: springs and dampers follow late.
    pub lead: f64,
}

/// Steps towards where a foot is to be, each half of the way.
const STEPS: usize = 40;
/// Change of an angle from which slopes are taken, rad.
const DIFFERENCE: f64 = 1e-5;
/// Keeps legs that cannot reach a place from straining, of the largest slope.
const DAMPING: f64 = 1e-6;
/// The part of the stiffest spring of a leg that all its joints have at least: those without springs are not moved about for nothing.
const SOFTEST: f64 = 1e-3;

impl StridePattern {
    /// Where a foot is, so long after it was put down in parts of the cycle: how far ahead of where it is at rest, and how high,
    /// if a cycle takes so many seconds.
    fn place(&self, since: f64, period: f64) -> [f64; 2] {
        let half = 0.5 * self.speed * period * self.duty;
        if since < self.duty {
            return [half * (1.0 - 2.0 * since / self.duty), 0.0];
        }
        let part = (since - self.duty) / (1.0 - self.duty);
        [half * (2.0 * part * part * (3.0 - 2.0 * part) - 1.0), self.lift * libm::sin(PI * part)]
    }

    /// A stride for the speed and the duty of a sketch, in proportion to the body.
    pub fn natural(problem: &GaitProblem) -> Self {
        let (sketch, rest) = (problem.sketch(), &problem.setup.simulator.rest);
        Self {
            speed: 0.8 * sketch.speed,
            duty: (sketch.duty + 0.07).clamp(0.5, 0.9),
            lift: 0.09 * rest.position.y,
            lead: 0.06 * sketch.period,
        }
    }

    /// The walk whose torques would hold the legs, against their springs, where the feet are halfway through each phase of the
    /// sketch. It begins with the root at rest over its feet but for its speed. Pulses last as long as their phases.
    ///
    /// Gravity, inertia and the modes that a sketch leaves out make it another walk than was written down. It is where a search
    /// can begin ([`GaitProblem::beginning_with`]).
    pub fn controller(&self, problem: &GaitProblem) -> PulseController {
        let setup = &problem.setup;
        let simulator = &setup.simulator;
        let mut candidate = problem.decode(&problem.start());
        let period = problem.whole_cycle(&candidate).length();
        let stiffness = joint_values(&simulator.body, |joint| joint.stiffness);
        let landings = LandingSchedule::new(setup, &candidate);
        let ranges = angle_ranges(&simulator.body, &simulator.pose);
        let pose = |time: f64| -> Vec<f64> {
            let mut pose = vec![0.0; stiffness.len()];
            for foot in 0..simulator.feet.len() {
                let Some(leg) = landings.leg(foot, time, 0.0) else { continue };
                let [ahead, up] = self.place(leg.since / leg.stride, leg.stride);
                for (angle, value) in reach(simulator, foot, [ahead, up], &stiffness) {
                    let [low, high] = ranges[angle].1;
                    pose[angle] = value.clamp(low, high);
                }
            }
            pose
        };
        let mut from = 0.0;
        for (plan, of) in candidate.steps.iter_mut().zip(&setup.steps) {
            for (phase, drives) in [(&mut plan.air, &of.air), (&mut plan.ground, &of.ground)] {
                let wanted = pose(from + 0.5 * phase.length + self.lead);
                let wanted: Vec<f64> =
                    wanted.iter().zip(&stiffness).map(|(angle, spring)| angle * spring).collect();
                phase.pulse = phase.length;
                phase.amplitudes = amplitudes(drives, &wanted);
                phase.torques = setup.torques(drives, &phase.amplitudes);
                from += phase.length;
            }
        }
        let begin = |time: f64| BodyState {
            velocity: self.speed * DVec3::Z,
            deflections: pose(time),
            ..simulator.rest.clone()
        };
        candidate.start = begin(0.0);
        candidate.middle = candidate.middle.map(|_| begin(0.5 * period));
        candidate
    }
}

/// Angles of a leg, by their index, with which its toe is so far ahead of where it is at rest and so high above it, the foot
/// as level as there: those that take the least torque.
fn reach(
    simulator: &PulseSimulator,
    foot: usize,
    [ahead, up]: [f64; 2],
    stiffness: &[f64],
) -> Vec<(usize, f64)> {
    let setup = &simulator.feet[foot];
    let angles = simulator.leg(foot);
    if angles.is_empty() {
        return Vec::new();
    }
    let look = |values: &[f64]| {
        let mut state = simulator.rest.clone();
        angles.iter().zip(values).for_each(|(&angle, value)| state.deflections[angle] = *value);
        let placed = state.place(&simulator.body, &simulator.pose)[setup.segment];
        let (toe, heel) = (placed.transform_point(setup.toe), placed.transform_point(setup.heel));
        DVector::from_vec(vec![toe.x, toe.y, toe.z, heel.y - toe.y])
    };
    let count = angles.len();
    let mut values = DVector::zeros(count);
    let goal = look(values.as_slice()) + DVector::from_vec(vec![0.0, up, ahead, 0.0]);
    let springs = DVector::from_fn(count, |k, _| stiffness[angles[k]]);
    let softest = (SOFTEST * springs.max()).max(f64::MIN_POSITIVE.sqrt());
    let ease = DMatrix::from_diagonal(&springs.map(|spring| spring.max(softest).powi(-2)));
    for _ in 0..STEPS {
        let now = look(values.as_slice());
        let slopes = DMatrix::from_columns(&Vec::from_iter((0..count).map(|k| {
            let mut moved = values.clone();
            moved[k] += DIFFERENCE;
            (look(moved.as_slice()) - &now) / DIFFERENCE
        })));
        // Of all angles that would lead there, those with the least torque.
        let eased = &ease * slopes.transpose();
        let mut normal = &slopes * &eased;
        let damping = DAMPING * normal.diagonal().max();
        (0..normal.nrows()).for_each(|k| normal[(k, k)] += damping);
        let Some(pulls) = normal.lu().solve(&(&goal - &now + &slopes * &values)) else { break };
        let there = eased * pulls;
        values += 0.5 * (there - &values);
    }
    angles.into_iter().zip(values.iter().copied()).collect()
}

/// How strong each drive is for torques that come as near as they can.
fn amplitudes(drives: &[TorqueDirection], wanted: &[f64]) -> Vec<f64> {
    if drives.is_empty() {
        return Vec::new();
    }
    let columns = DMatrix::from_fn(wanted.len(), drives.len(), |row, k| drives[k].column[row]);
    let found = columns.svd(true, true).solve(&DVector::from_column_slice(wanted), 1e-9);
    found.map_or_else(|_| vec![0.0; drives.len()], |found| found.iter().copied().collect())
}
