//! What the numbers of a search stand for.

use crate::BodyState;
use crate::modes::body_state::rotation_vector;
use crate::problem::gait_setup::{GaitSetup, angle_ranges, is_even};
use crate::problem::pulse_controller::{PulseController, PulsePhase, StepPlan};
use crate::problem::variable::Variable;
use crate::sketch::gait_sketch::TouchingFeet;
use glam::{DQuat, DVec3};

/// Variables of the root: height, orientation, velocity, spin.
const ROOT: usize = 10;
/// Those of them that keep it in its middle plane: height, pitch, speed upwards and forwards, pitch rate.
const IN_PLANE: [usize; 5] = [0, 1, 5, 6, 7];

/// The variables of a search, each in an interval, and what they stand for.
#[derive(Clone, Debug)]
pub(crate) struct SearchSpace {
    pub variables: Vec<Variable>,
    /// Those that have to be searched for.
    pub essential: Vec<usize>,
}

impl SearchSpace {
    pub(crate) fn new(setup: &GaitSetup) -> Self {
        let variables = lay_out(setup);
        let essential = find_essential(setup, variables.len());
        Self { variables, essential }
    }

    pub(crate) fn start(&self) -> Vec<f64> {
        self.variables.iter().map(|variable| variable.unit(variable.start)).collect()
    }

    /// Lets a search begin at a place in the unit cube.
    pub(crate) fn begin_at(&mut self, point: &[f64]) {
        for (variable, unit) in self.variables.iter_mut().zip(point) {
            variable.start = variable.value(*unit);
        }
    }

    /// What a place in the unit cube stands for.
    ///
    /// Numbers that are missing count as where the search begins.
    pub(crate) fn decode(&self, setup: &GaitSetup, point: &[f64]) -> PulseController {
        let mut values =
            self.variables.iter().enumerate().map(|(k, variable)| {
                point.get(k).map_or(variable.start, |unit| variable.value(*unit))
            });
        let mut next = || values.next().unwrap_or(0.0);
        let start = begin(setup, &mut next);
        let mut amplitudes = Vec::with_capacity(setup.steps.len());
        for of in &setup.steps {
            let air: Vec<f64> = of.air.iter().map(|_| next()).collect();
            let ground: Vec<f64> = of.ground.iter().map(|_| next()).collect();
            amplitudes.push([air, ground]);
        }
        let times: Vec<[f64; 3]> = setup.steps.iter().map(|_| [next(), next(), next()]).collect();
        let period = next();
        let parts: Vec<f64> = guessed_parts(setup).iter().map(|_| next()).collect();
        let lengths = step_lengths(setup, period, &parts);
        let steps = setup.steps.iter().zip(amplitudes).zip(times).zip(lengths).map(
            |(((of, [air, ground]), [air_pulse, ground_pulse, fraction]), whole)| {
                let flight = fraction * whole;
                let stance = whole - flight;
                StepPlan {
                    feet: of.feet.clone(),
                    air: PulsePhase {
                        length: flight,
                        pulse: air_pulse.min(flight),
                        torques: setup.torques(&of.air, &air),
                        amplitudes: air,
                    },
                    ground: PulsePhase {
                        length: stance,
                        pulse: ground_pulse.min(stance),
                        torques: setup.torques(&of.ground, &ground),
                        amplitudes: ground,
                    },
                }
            },
        );
        let steps = steps.collect();
        let middle = setup.unrolled.as_ref().map(|_| begin(setup, &mut next));
        PulseController { steps, start, pulses: setup.sketch.pulses, middle, goal: None }
    }

    /// The place in the unit cube of a candidate: what [`decode`](Self::decode) makes it of, as near as intervals allow.
    pub(crate) fn encode(&self, setup: &GaitSetup, candidate: &PulseController) -> Vec<f64> {
        let begin = |start: &BodyState| {
            let turn =
                rotation_vector(start.orientation * setup.simulator.rest.orientation.conjugate());
            let mut values = vec![start.position.y];
            values.extend(turn.to_array());
            values.extend(start.velocity.to_array());
            values.extend(start.spin.to_array());
            values.extend(&start.deflections);
            values.extend(&start.rates);
            values
        };
        let mut values = begin(&candidate.start);
        let steps = &candidate.steps[..candidate.steps.len().min(setup.steps.len())];
        for (of, step) in setup.steps.iter().zip(steps) {
            // Drives that it does not know are not used.
            for (drives, phase) in [(&of.air, &step.air), (&of.ground, &step.ground)] {
                let known = phase.amplitudes.iter().copied().chain(std::iter::repeat(0.0));
                values.extend(known.take(drives.len()));
            }
        }
        for step in steps {
            let fraction = step.air.length / step.length().max(f64::MIN_POSITIVE);
            values.extend([step.air.pulse, step.ground.pulse, fraction]);
        }
        let halves = if setup.mirror.is_some() { 2.0 } else { 1.0 };
        values.push(halves * steps.iter().map(StepPlan::length).sum::<f64>());
        // Only their ratios matter: parts are about as long as guessed, and all within their intervals if that can be.
        let guessed = guessed_parts(setup);
        let [shortest, longest] = setup.options.bounds.parts;
        let pairs = || guessed.iter().zip(steps).map(|(part, step)| part / step.length().max(1e-9));
        let least = shortest * pairs().fold(0.0, f64::max);
        let most = longest * pairs().fold(f64::INFINITY, f64::min);
        let seconds: f64 = steps.iter().take(guessed.len()).map(StepPlan::length).sum();
        let scale = guessed.iter().sum::<f64>() / seconds.max(f64::MIN_POSITIVE);
        let scale = scale.min(most).max(least);
        values.extend(steps.iter().take(guessed.len()).map(|step| scale * step.length()));
        if setup.unrolled.is_some() {
            values.extend(begin(candidate.middle.as_ref().unwrap_or(&candidate.start)));
        }
        let variables = self.variables.iter().zip(values);
        variables.map(|(variable, value)| variable.unit(value)).collect()
    }

    /// Lets the joints of a place begin where they end, the root as it was: those of each lap where the lap before ends.
    pub(crate) fn begin_joints(
        &self,
        setup: &GaitSetup,
        point: &mut [f64],
        ends: &[Option<BodyState>],
    ) {
        let halfway = self.variables.len().saturating_sub(halfway(setup));
        for (lap, end) in ends.iter().enumerate() {
            let Some(end) = end else { continue };
            let mirrored = setup.mirror.as_ref().map(|mirror| end.mirrored(mirror));
            let end = mirrored.as_ref().unwrap_or(end);
            let begins = if lap + 1 == ends.len() { 0 } else { halfway };
            let values = end.deflections.iter().chain(&end.rates);
            let joints = point.iter_mut().zip(&self.variables).skip(begins + ROOT);
            for ((unit, variable), value) in joints.zip(values) {
                *unit = variable.unit(*value);
            }
        }
    }
}

/// Everything the search may change, in its order: the root, joint angles, their rates, drives, times of steps, the period,
/// parts of steps where they are not all alike, and how the second half begins where halves are evaluated apart.
fn lay_out(setup: &GaitSetup) -> Vec<Variable> {
    let begin = beginnings(setup);
    let mut list = begin.clone();
    list.extend(drives(setup));
    list.extend(times(setup));
    if let Some(mirror) = &setup.unrolled {
        // The other half begins as the first one does, in a mirror.
        let mut begin = begin;
        let opening = begin.iter_mut().skip(ROOT).zip(mirror.joints(&setup.opening));
        opening.for_each(|(variable, angle)| variable.start = variable.clamped(angle));
        let halfway =
            |begin: Variable| Variable { name: format!("halfway {}", begin.name), ..begin };
        list.extend(begin.into_iter().map(halfway));
    }
    list
}

/// How a lap begins: the root, joint angles and their rates.
fn beginnings(setup: &GaitSetup) -> Vec<Variable> {
    let (sketch, bounds) = (&setup.sketch, &setup.options.bounds);
    let height = setup.simulator.rest.position.y;
    let lengths = step_lengths(setup, sketch.period, &guessed_parts(setup));
    // Flight of the first step: up and down again in its time.
    let flight = sketch.steps[0].air_fraction * lengths[0];
    let rise = 0.5 * setup.options.gravity() * flight;
    let mut begin: Vec<Variable> = Vec::new();
    let mut at = |name: String, low: f64, high: f64, start: f64| {
        begin.push(Variable::new(name, low, high, start));
    };
    at("height".into(), 0.75 * height, 1.2 * height, 1.02 * height);
    for axis in ["pitch", "yaw", "roll"] {
        at(axis.into(), -0.5, 0.5, 0.0);
    }
    at("speed sideways".into(), -0.8, 0.8, 0.0);
    at("speed upwards".into(), -1.5, 2.5, rise);
    // Small creatures walk slowly.
    let slowest = match sketch.touch {
        TouchingFeet::Step => 0.5,
        TouchingFeet::All => 0.5 * sketch.speed.min(1.0),
    };
    at("speed forwards".into(), slowest, 2.5 * sketch.speed + 2.0, 1.5 * sketch.speed);
    for axis in ["pitch", "yaw", "roll"] {
        at(format!("{axis} rate"), -4.0, 4.0, 0.0);
    }
    let angles = angle_ranges(&setup.simulator.body, &setup.simulator.pose);
    for ((name, [low, high]), opening) in angles.iter().zip(&setup.opening) {
        let (low, high) = (low - bounds.give, high + bounds.give);
        at(name.clone(), low.max(-bounds.reach), high.min(bounds.reach), *opening);
    }
    let fastest = setup.options.limits.joint_speed;
    for (name, _) in &angles {
        at(format!("{name} rate"), -fastest, fastest, 0.0);
    }
    begin
}

/// How strong each direction of torque is. What has priority keeps its sign and at least its magnitude.
fn drives(setup: &GaitSetup) -> Vec<Variable> {
    let mut list = Vec::new();
    for (number, (of, step)) in setup.steps.iter().zip(&setup.sketch.steps).enumerate() {
        let phases = [("air", &of.air, &step.air), ("ground", &of.ground, &step.ground)];
        for (phase, drives, sketched) in phases {
            for (index, drive) in drives.iter().enumerate() {
                let name = format!("step {} {phase} drive {}", number + 1, index + 1);
                let (low, high, start) = if drive.priority {
                    let amplitude = sketched.priority[index].1;
                    let most = amplitude.signum();
                    (amplitude.min(most), amplitude.max(most), amplitude)
                } else {
                    (-1.0, 1.0, 0.0)
                };
                list.push(Variable::new(name, low, high, start));
            }
        }
    }
    list
}

/// Pulses and flights of steps, the period, and parts of steps where they are not all alike.
fn times(setup: &GaitSetup) -> Vec<Variable> {
    let (sketch, bounds) = (&setup.sketch, &setup.options.bounds);
    let parts = guessed_parts(setup);
    let lengths = step_lengths(setup, sketch.period, &parts);
    let mut list = Vec::new();
    let mut add = |name: String, low: f64, high: f64, start: f64| {
        list.push(Variable::new(name, low, high, start));
    };
    for (number, (step, length)) in sketch.steps.iter().zip(&lengths).enumerate() {
        let longest = (0.7 * length).max(bounds.pulse);
        let name = |what: &str| format!("step {} {what}", number + 1);
        add(name("air pulse"), bounds.pulse, longest, step.air_pulse);
        add(name("ground pulse"), bounds.pulse, longest, step.ground_pulse);
        let (low, high) = match (sketch.aerial, sketch.touch) {
            (true, TouchingFeet::Step) => (0.2, 0.75),
            // A flight that was sketched does not get lost.
            (true, TouchingFeet::All) if step.air_fraction >= 0.15 => (0.1, 0.75),
            (true, TouchingFeet::All) => (0.0, 0.75),
            (false, _) => (0.0, 0.4),
        };
        add(name("air fraction"), low, high, step.air_fraction);
    }
    // Walks that take quick short steps are easier to find, and not what was sketched.
    let (least, most) = match sketch.touch {
        TouchingFeet::Step => (0.6, 1.5),
        TouchingFeet::All => (0.8, 1.3),
    };
    add("period".into(), least * sketch.period, most * sketch.period, sketch.period);
    let [shortest, longest] = bounds.parts;
    for (number, part) in parts.iter().enumerate() {
        add(format!("step {} part", number + 1), shortest * part, longest * part, *part);
    }
    list
}

fn find_essential(setup: &GaitSetup, variables: usize) -> Vec<usize> {
    let joints = 2 * setup.simulator.dof();
    let halfway = variables - halfway(setup);
    let others = ROOT + joints..halfway;
    let Some(mirror) = setup.middle_plane() else {
        let halfway = halfway..(halfway + ROOT).min(variables);
        return (0..ROOT).chain(others).chain(halfway).collect();
    };
    let drives: Vec<&[f64]> = setup.drives().map(|drive| drive.column.as_slice()).collect();
    let even = |index: &usize| {
        let drive = index.checked_sub(ROOT + joints).and_then(|index| drives.get(index));
        drive.is_none_or(|column| is_even(&mirror, column))
    };
    IN_PLANE.into_iter().chain(others.filter(even)).collect()
}

/// How long steps are compared with each other as the sketch has it; none if all take the same time. Halves of a cycle are
/// alike in this.
fn guessed_parts(setup: &GaitSetup) -> Vec<f64> {
    let halves = if setup.unrolled.is_some() { 2 } else { 1 };
    let steps = &setup.sketch.steps[..setup.sketch.steps.len() / halves];
    if steps.len() < 2 || steps.iter().all(|step| step.part.is_none()) {
        return Vec::new();
    }
    steps.iter().map(|step| step.part.unwrap_or(1.0)).collect()
}

/// Seconds of each step of the evaluated part, for a whole cycle.
fn step_lengths(setup: &GaitSetup, period: f64, parts: &[f64]) -> Vec<f64> {
    let halves = if setup.mirror.is_some() { 2.0 } else { 1.0 };
    let count = setup.sketch.steps.len();
    if parts.is_empty() {
        return vec![period / (count as f64 * halves); count];
    }
    let sum = count as f64 / parts.len() as f64 * parts.iter().sum::<f64>();
    parts.iter().cycle().take(count).map(|part| period / halves * part / sum).collect()
}

/// A state as variables have it, one after the other.
fn begin(setup: &GaitSetup, next: &mut impl FnMut() -> f64) -> BodyState {
    let mut start = setup.simulator.rest.clone();
    start.position = DVec3::new(0.0, next(), 0.0);
    let turn = DVec3::new(next(), next(), next());
    start.orientation = DQuat::from_scaled_axis(turn) * setup.simulator.rest.orientation;
    start.velocity = DVec3::new(next(), next(), next());
    start.spin = DVec3::new(next(), next(), next());
    start.deflections.iter_mut().for_each(|value| *value = next());
    start.rates.iter_mut().for_each(|value| *value = next());
    start
}

/// How many variables tell how the second half begins: the last ones.
fn halfway(setup: &GaitSetup) -> usize {
    if setup.unrolled.is_some() { ROOT + 2 * setup.simulator.rest.deflections.len() } else { 0 }
}
