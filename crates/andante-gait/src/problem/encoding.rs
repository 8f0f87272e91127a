//! What the numbers of a search stand for.

use crate::BodyState;
use crate::problem::candidate::{Candidate, Phasing, StepPlan};
use crate::problem::gait_problem::{GRAVITY, GaitProblem, ROOT, rotation_vector};
use crate::problem::rollout::JOINT_SPEED;
use crate::problem::setup::angle_ranges;
use crate::problem::variable::Variable;
use crate::sketch::gait_sketch::TouchingFeet;
use glam::{DQuat, DVec3};

/// How far from rest a joint may begin, rad, if its limits allow.
const REACH: f64 = 1.6;

/// How far beyond its limits a joint may begin, rad: they are springs and give way.
const GIVE: f64 = 0.2;

/// No pulse is shorter, s.
const SHORTEST: f64 = 0.02;

/// How much shorter and longer than guessed a step may be, compared with the others.
const PARTS: [f64; 2] = [0.6, 1.6];

impl GaitProblem {
    /// Everything the search may change, in its order: the root, joint angles, their rates, drives, times of steps, the period,
    /// parts of steps where they are not all alike, and how the second half begins where halves are evaluated apart.
    pub(crate) fn lay_out(&self) -> Vec<Variable> {
        let (sketch, body) = (&self.sketch, &self.body);
        let height = self.rest.position.y;
        let lengths = self.step_lengths(sketch.period, &self.guessed_parts());
        // Flight of the first step: up and down again in its time.
        let flight = sketch.steps[0].air_fraction * lengths[0];
        let rise = 0.5 * GRAVITY * flight;
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
        let angles: Vec<(String, [f64; 2])> = angle_ranges(body, &self.pose);
        for ((name, [low, high]), opening) in angles.iter().zip(&self.opening) {
            let (low, high) = (low - GIVE, high + GIVE);
            at(name.clone(), low.max(-REACH), high.min(REACH), *opening);
        }
        for (name, _) in &angles {
            at(format!("{name} rate"), -JOINT_SPEED, JOINT_SPEED, 0.0);
        }
        let mut list = begin.clone();
        let mut add = |name: String, low: f64, high: f64, start: f64| {
            list.push(Variable::new(name, low, high, start));
        };
        for (number, (setup, step)) in self.steps.iter().zip(&sketch.steps).enumerate() {
            let phases = [("air", &setup.air, &step.air), ("ground", &setup.ground, &step.ground)];
            for (phase, drives, sketched) in phases {
                for (index, drive) in drives.iter().enumerate() {
                    let name = format!("step {} {phase} drive {}", number + 1, index + 1);
                    let (low, high, start) = if drive.priority {
                        let amplitude = sketched.priority[index].1;
                        (
                            amplitude.min(amplitude.signum()),
                            amplitude.max(amplitude.signum()),
                            amplitude,
                        )
                    } else {
                        (-1.0, 1.0, 0.0)
                    };
                    add(name, low, high, start);
                }
            }
        }
        for (number, (step, length)) in sketch.steps.iter().zip(&lengths).enumerate() {
            let longest = (0.7 * length).max(SHORTEST);
            let name = |what: &str| format!("step {} {what}", number + 1);
            add(name("air pulse"), SHORTEST, longest, step.air_pulse);
            add(name("ground pulse"), SHORTEST, longest, step.ground_pulse);
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
        for (number, part) in self.guessed_parts().iter().enumerate() {
            add(format!("step {} part", number + 1), PARTS[0] * part, PARTS[1] * part, *part);
        }
        if let Some(mirror) = &self.unrolled {
            // The other half begins as the first one does, in a mirror.
            let opening = begin.iter_mut().skip(ROOT).zip(mirror.joints(&self.opening));
            opening.for_each(|(variable, angle)| variable.start = variable.clamped(angle));
            let halfway =
                |begin: Variable| Variable { name: format!("halfway {}", begin.name), ..begin };
            list.extend(begin.into_iter().map(halfway));
        }
        list
    }

    /// How long steps are compared with each other as the sketch has it; none if all take the same time. Halves of a cycle are
    /// alike in this.
    fn guessed_parts(&self) -> Vec<f64> {
        let halves = if self.unrolled.is_some() { 2 } else { 1 };
        let steps = &self.sketch.steps[..self.sketch.steps.len() / halves];
        if steps.len() < 2 || steps.iter().all(|step| step.part.is_none()) {
            return Vec::new();
        }
        steps.iter().map(|step| step.part.unwrap_or(1.0)).collect()
    }

    /// Seconds of each step of the evaluated part, for a whole cycle.
    fn step_lengths(&self, period: f64, parts: &[f64]) -> Vec<f64> {
        let halves = if self.mirror.is_some() { 2.0 } else { 1.0 };
        let count = self.sketch.steps.len();
        if parts.is_empty() {
            return vec![period / (count as f64 * halves); count];
        }
        let sum = count as f64 / parts.len() as f64 * parts.iter().sum::<f64>();
        parts.iter().cycle().take(count).map(|part| period / halves * part / sum).collect()
    }

    /// What a place in the unit cube stands for.
    ///
    /// Numbers that are missing count as where the search begins.
    pub fn decode(&self, point: &[f64]) -> Candidate {
        let mut values =
            self.variables().iter().enumerate().map(|(k, variable)| {
                point.get(k).map_or(variable.start, |unit| variable.value(*unit))
            });
        let mut next = || values.next().unwrap_or(0.0);
        let start = self.begin(&mut next);
        let mut amplitudes = Vec::with_capacity(self.steps.len());
        for setup in &self.steps {
            let air: Vec<f64> = setup.air.iter().map(|_| next()).collect();
            let ground: Vec<f64> = setup.ground.iter().map(|_| next()).collect();
            amplitudes.push([air, ground]);
        }
        let times: Vec<[f64; 3]> = self.steps.iter().map(|_| [next(), next(), next()]).collect();
        let period = next();
        let parts: Vec<f64> = self.guessed_parts().iter().map(|_| next()).collect();
        let lengths = self.step_lengths(period, &parts);
        let steps = self.steps.iter().zip(amplitudes).zip(times).zip(lengths).map(
            |(((setup, [air, ground]), [air_pulse, ground_pulse, fraction]), whole)| {
                let flight = fraction * whole;
                let stance = whole - flight;
                StepPlan {
                    feet: setup.feet.clone(),
                    air: Phasing {
                        length: flight,
                        pulse: air_pulse.min(flight),
                        torques: self.torques(&setup.air, &air),
                        amplitudes: air,
                    },
                    ground: Phasing {
                        length: stance,
                        pulse: ground_pulse.min(stance),
                        torques: self.torques(&setup.ground, &ground),
                        amplitudes: ground,
                    },
                }
            },
        );
        let steps = steps.collect();
        let middle = self.unrolled.as_ref().map(|_| self.begin(&mut next));
        Candidate { steps, start, pulses: self.sketch.pulses, middle, goal: None }
    }

    /// A state as variables have it, one after the other.
    fn begin(&self, next: &mut impl FnMut() -> f64) -> BodyState {
        let mut start = self.rest.clone();
        start.position = DVec3::new(0.0, next(), 0.0);
        let turn = DVec3::new(next(), next(), next());
        start.orientation = DQuat::from_scaled_axis(turn) * self.rest.orientation;
        start.velocity = DVec3::new(next(), next(), next());
        start.spin = DVec3::new(next(), next(), next());
        start.deflections.iter_mut().for_each(|value| *value = next());
        start.rates.iter_mut().for_each(|value| *value = next());
        start
    }

    /// The place in the unit cube of a candidate: what [`decode`](Self::decode) makes it of, as near as intervals allow.
    pub fn encode(&self, candidate: &Candidate) -> Vec<f64> {
        let begin = |start: &BodyState| {
            let turn = rotation_vector(start.orientation * self.rest.orientation.conjugate());
            let mut values = vec![start.position.y];
            values.extend(turn.to_array());
            values.extend(start.velocity.to_array());
            values.extend(start.spin.to_array());
            values.extend(&start.deflections);
            values.extend(&start.rates);
            values
        };
        let mut values = begin(&candidate.start);
        let steps = &candidate.steps[..candidate.steps.len().min(self.steps.len())];
        for (setup, step) in self.steps.iter().zip(steps) {
            // Drives that it does not know are not used.
            for (drives, phase) in [(&setup.air, &step.air), (&setup.ground, &step.ground)] {
                let known = phase.amplitudes.iter().copied().chain(std::iter::repeat(0.0));
                values.extend(known.take(drives.len()));
            }
        }
        for step in steps {
            let fraction = step.air.length / step.length().max(f64::MIN_POSITIVE);
            values.extend([step.air.pulse, step.ground.pulse, fraction]);
        }
        let halves = if self.mirror.is_some() { 2.0 } else { 1.0 };
        values.push(halves * steps.iter().map(StepPlan::length).sum::<f64>());
        // Only their ratios matter: parts are about as long as guessed, and all within their intervals if that can be.
        let guessed = self.guessed_parts();
        let pairs = || guessed.iter().zip(steps).map(|(part, step)| part / step.length().max(1e-9));
        let least = PARTS[0] * pairs().fold(0.0, f64::max);
        let most = PARTS[1] * pairs().fold(f64::INFINITY, f64::min);
        let seconds: f64 = steps.iter().take(guessed.len()).map(StepPlan::length).sum();
        let scale = guessed.iter().sum::<f64>() / seconds.max(f64::MIN_POSITIVE);
        let scale = scale.min(most).max(least);
        values.extend(steps.iter().take(guessed.len()).map(|step| scale * step.length()));
        if self.unrolled.is_some() {
            values.extend(begin(candidate.middle.as_ref().unwrap_or(&candidate.start)));
        }
        let variables = self.variables().iter().zip(values);
        variables.map(|(variable, value)| variable.unit(value)).collect()
    }

    /// Lets the joints of a place begin where they end, the root as it was: those of each lap where the lap before ends.
    pub(crate) fn begin_joints(&self, point: &mut [f64], ends: &[Option<BodyState>]) {
        let halfway = self.variables().len().saturating_sub(self.halfway());
        for (lap, end) in ends.iter().enumerate() {
            let Some(end) = end else { continue };
            let mirrored = self.mirror.as_ref().map(|mirror| end.mirrored(mirror));
            let end = mirrored.as_ref().unwrap_or(end);
            let begins = if lap + 1 == ends.len() { 0 } else { halfway };
            let values = end.deflections.iter().chain(&end.rates);
            let joints = point.iter_mut().zip(self.variables()).skip(begins + ROOT);
            for ((unit, variable), value) in joints.zip(values) {
                *unit = variable.unit(*value);
            }
        }
    }

    /// How many variables tell how the second half begins: the last ones.
    pub(crate) fn halfway(&self) -> usize {
        if self.unrolled.is_some() { ROOT + 2 * self.rest.deflections.len() } else { 0 }
    }
}
