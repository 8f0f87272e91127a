//! Torque in pulses: the cyclic state machine (K1, K2).

use crate::sketch::gait_sketch::PulseShape;
use crate::{BodyState, Mirror};
use andante_body::Body;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;
use thiserror::Error;

/// A pulse of torque from the beginning of a phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PulsePhase {
    /// Seconds.
    pub length: f64,
    /// Seconds, at most `length`.
    pub pulse: f64,
    /// What the torques are made of, one number for each drive: modes with priority in the order of the sketch, then the others,
    /// then what was recruited to turn.
    pub amplitudes: Vec<f64>,
    /// Of every joint angle where the pulse is strongest, N·m.
    pub torques: Vec<f64>,
}

impl PulsePhase {
    /// The same with a pulse that ends with the phase at the latest.
    pub(crate) fn within_length(&self) -> Self {
        Self { pulse: self.pulse.min(self.length), ..self.clone() }
    }

    fn mirrored(&self, mirror: &Mirror) -> Self {
        Self { torques: mirror.joints(&self.torques), ..self.clone() }
    }
}

/// One flight and one stance.
#[derive(Clone, Debug, PartialEq)]
pub struct StepPlan {
    /// Indices into the body's feet: those that may touch the ground.
    pub feet: Vec<usize>,
    /// Before they are to be down.
    pub air: PulsePhase,
    /// While they are to be down.
    pub ground: PulsePhase,
}

impl StepPlan {
    /// Seconds.
    pub fn length(&self) -> f64 {
        self.air.length + self.ground.length
    }

    /// The same with the other side.
    pub fn mirrored(&self, body: &Body, mirror: &Mirror) -> Self {
        Self {
            feet: self.feet.iter().map(|&foot| mirror.partner_foot(body, foot)).collect(),
            air: self.air.mirrored(mirror),
            ground: self.ground.mirrored(mirror),
        }
    }
}

/// A pulse controller: a cyclic machine of 2n states for n steps, flight and stance of the first, flight and stance of the next, and
/// so on. All transitions are by time; each state drives the joints with one pulse. It runs open loop; where it starts belongs to
/// it (K4).
///
/// It is what a sketch asks for, what a search tries out, and what a found gait is. The steps are those of the evaluated part: a
/// whole cycle, or the half of it that is mirrored.
#[derive(Clone, Debug, PartialEq)]
pub struct PulseController {
    /// In the order in which feet land.
    pub steps: Vec<StepPlan>,
    /// Where it begins.
    pub start: BodyState,
    /// How torque rises and falls.
    pub pulses: PulseShape,
    /// Where the second half of the steps begins, of a cycle whose halves are evaluated apart: each has to end where the other
    /// begins. Seen from a frame that has turned with the way, as are all ends.
    pub middle: Option<BodyState>,
    /// Where it has to end, if that is not where it begins.
    pub goal: Option<BodyState>,
}

/// An error that keeps a controller from driving a body.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ControllerError {
    /// Nothing to do.
    #[error("there is no step, or all of them take no time")]
    NoSteps,
    /// A step of a foot that does not exist.
    #[error("there is no foot {0}")]
    Foot(usize),
    /// A number that makes no sense.
    #[error("{0} of {1} is not {2}")]
    Number(&'static str, f64, &'static str),
    /// Torques of another body.
    #[error("a pulse has {0} torques, the body {1} joint angles")]
    Torques(usize, usize),
    /// A state of another body.
    #[error("a start has {0} joint angles, the body {1}")]
    Angles(usize, usize),
    /// A state that is none.
    #[error(
        "a start has numbers that are not finite or far too large, or an orientation that is no rotation"
    )]
    Start,
}

/// Seconds that no phase exceeds.
const LONGEST: f64 = 100.0;

/// The share of a pulse that acts in an interval of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PulseShare<'a> {
    /// Whose pulse it is.
    pub phase: &'a PulsePhase,
    /// Mean of the torque, in parts of the strongest.
    pub mean: f64,
    /// Mean of its square, likewise.
    pub square: f64,
}

impl PulseController {
    /// Checks that it can drive a body: feet, joint angles and numbers fit.
    pub fn check(&self, body: &Body) -> Result<(), ControllerError> {
        let dof = body.internal_dof();
        for step in &self.steps {
            if let Some(&foot) = step.feet.iter().find(|&&foot| foot >= body.feet().len()) {
                return Err(ControllerError::Foot(foot));
            }
            for phase in [&step.air, &step.ground] {
                for (what, seconds) in [("a phase", phase.length), ("a pulse", phase.pulse)] {
                    if !(0.0..=LONGEST).contains(&seconds) {
                        return Err(ControllerError::Number(what, seconds, "from 0 to 100 s"));
                    }
                }
                if phase.torques.len() != dof {
                    return Err(ControllerError::Torques(phase.torques.len(), dof));
                }
                let mut numbers = phase.torques.iter().chain(&phase.amplitudes);
                if let Some(&torque) = numbers.find(|number| !number.is_finite()) {
                    return Err(ControllerError::Number("a torque", torque, "finite"));
                }
            }
        }
        self.start.check(dof)?;
        self.middle.as_ref().map_or(Ok(()), |middle| middle.check(dof))?;
        if self.length() > 0.0 { Ok(()) } else { Err(ControllerError::NoSteps) }
    }

    /// The same locomotion starting with the other side.
    #[must_use]
    pub fn mirrored(&self, body: &Body, mirror: &Mirror) -> Self {
        Self {
            steps: self.steps.iter().map(|step| step.mirrored(body, mirror)).collect(),
            start: self.start.mirrored(mirror),
            pulses: self.pulses,
            middle: self.middle.as_ref().map(|middle| middle.mirrored(mirror)),
            goal: self.goal.as_ref().map(|goal| goal.mirrored(mirror)),
        }
    }

    /// The parts that are evaluated one by one: all of it, or its halves.
    pub fn laps(&self) -> Vec<Self> {
        let Some(middle) = &self.middle else { return vec![self.clone()] };
        let (first, second) = self.steps.split_at(self.steps.len() / 2);
        let half = |steps: &[StepPlan], start: &BodyState, goal: &BodyState| Self {
            steps: steps.to_vec(),
            start: start.clone(),
            pulses: self.pulses,
            middle: None,
            goal: Some(goal.clone()),
        };
        vec![half(first, &self.start, middle), half(second, middle, &self.start)]
    }

    /// Seconds of the evaluated part.
    pub fn length(&self) -> f64 {
        self.steps.iter().map(StepPlan::length).sum()
    }

    /// Flights and stances in their order: step of the feet, whether they are to be down, and when it begins.
    pub fn phases(&self) -> impl Iterator<Item = (usize, bool, &PulsePhase, f64)> {
        let mut begins = 0.0;
        let all = self.steps.iter().enumerate();
        let all =
            all.flat_map(|(step, plan)| [(step, false, &plan.air), (step, true, &plan.ground)]);
        all.map(move |(step, down, phase)| {
            let from = begins;
            begins += phase.length;
            (step, down, phase, from)
        })
    }

    /// The phase at a time: which step of the feet, whether they are to be down, and how long the phase has lasted.
    /// Before the beginning it is the first, after the end the last one.
    pub fn at(&self, time: f64) -> (usize, bool, f64) {
        let mut found = (0, false, time);
        for (step, down, phase, from) in self.phases() {
            if time >= from && phase.length > 0.0 {
                found = (step, down, time - from);
            }
        }
        found
    }

    /// For each phase what acts of its pulse in an interval.
    pub fn shares(&self, from: f64, seconds: f64) -> impl Iterator<Item = PulseShare<'_>> {
        self.phases().map(move |(_, _, phase, begins)| {
            let [first, last] = [begins.max(from), (begins + phase.pulse).min(from + seconds)];
            let part = ((last - first) / seconds).clamp(0.0, 1.0);
            let (mut mean, mut square) = (part, part);
            if self.pulses == PulseShape::Smooth && part > 0.0 {
                // Integrals of the sine and of its square, from one angle to the other.
                let [a, b] = [first, last].map(|time| PI * (time - begins) / phase.pulse);
                let scale = phase.pulse / (PI * seconds);
                mean = scale * (libm::cos(a) - libm::cos(b));
                square = scale * (0.5 * (b - a) - 0.25 * (libm::sin(2.0 * b) - libm::sin(2.0 * a)));
            }
            PulseShare { phase, mean, square }
        })
    }

    /// The shares of all pulses that act in an interval; none where they are over.
    pub fn acting(&self, from: f64, seconds: f64) -> impl Iterator<Item = PulseShare<'_>> {
        self.shares(from, seconds).filter(|share| share.mean > 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_body::creature;

    fn hop() -> PulseController {
        let body = creature("kangaroo").unwrap();
        let phase = |length: f64, pulse: f64| PulsePhase {
            length,
            pulse,
            torques: vec![1.0; body.internal_dof()],
            amplitudes: vec![1.0],
        };
        let step = StepPlan { feet: vec![0], air: phase(0.2, 0.05), ground: phase(0.3, 0.3) };
        let start = BodyState::rest(&body, &body.poses()[0]);
        PulseController {
            steps: vec![step],
            start,
            pulses: PulseShape::Rectangular,
            middle: None,
            goal: None,
        }
    }

    #[test]
    fn phases_follow_each_other() {
        let hop = hop();
        assert!((hop.length() - 0.5).abs() < 1e-12);
        assert_eq!(hop.at(0.1), (0, false, 0.1));
        let (step, down, elapsed) = hop.at(0.25);
        assert!(step == 0 && down && (elapsed - 0.05).abs() < 1e-12);
        assert!(hop.at(9.0).1 && !hop.at(-1.0).1);
    }

    /// Pulses that end within a step of the simulation act for a part of it, so that nothing jumps when a time changes a little.
    #[test]
    fn pulses_act_for_the_part_of_a_step_that_they_last() {
        let hop = hop();
        let share =
            |from: f64| hop.shares(from, 0.02).map(|share| share.mean).collect::<Vec<f64>>();
        assert_eq!(share(0.0), [1.0, 0.0]);
        assert!((share(0.04)[0] - 0.5).abs() < 1e-9);
        assert!((share(0.19)[1] - 0.5).abs() < 1e-9);
        let sum: f64 = (0..25).map(|k| share(0.02 * f64::from(k)).iter().sum::<f64>() * 0.02).sum();
        assert!((sum - 0.35).abs() < 1e-9);
    }

    /// Half a sine has 2/π of the rectangle's impulse and half of its effort, whatever the steps of the simulation.
    #[test]
    fn smooth_pulses_rise_and_fall() {
        let mut hop = hop();
        hop.pulses = PulseShape::Smooth;
        for steps in [25, 500, 1003] {
            let h = 0.5 / f64::from(steps);
            let sums = (0..steps).fold([0.0; 2], |[mean, square], k| {
                let share = |of: fn(PulseShare) -> f64| {
                    hop.shares(h * f64::from(k), h).map(of).sum::<f64>()
                };
                [mean + h * share(|share| share.mean), square + h * share(|share| share.square)]
            });
            assert!((sums[0] - 0.35 * 2.0 / PI).abs() < 1e-9, "{sums:?}");
            assert!((sums[1] - 0.35 * 0.5).abs() < 1e-9, "{sums:?}");
        }
        let mean = |from: f64| hop.shares(from, 1e-6).map(|share| share.mean).sum::<f64>();
        assert!(mean(0.2) < 1e-4 && (mean(0.35) - 1.0).abs() < 1e-4 && mean(0.4999) < 0.01);
    }
}
