//! One gait that might be: times, torques and where it begins.

use andante_body::Body;
use andante_modes::{BodyState, Mirror};

/// Constant torque from the beginning of a phase.
#[derive(Clone, Debug, PartialEq)]
pub struct Phasing {
    /// Seconds.
    pub length: f64,
    /// Seconds, at most `length`.
    pub pulse: f64,
    /// Of every joint angle while the pulse lasts, N·m.
    pub torques: Vec<f64>,
    /// What the torques are made of: one number for each drive.
    pub amplitudes: Vec<f64>,
}

impl Phasing {
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
    pub air: Phasing,
    /// While they are to be down.
    pub ground: Phasing,
}

impl StepPlan {
    /// Seconds.
    pub fn length(&self) -> f64 {
        self.air.length + self.ground.length
    }

    /// The same with the other side.
    pub fn mirrored(&self, body: &Body, mirror: &Mirror) -> Self {
        let other = |&foot: &usize| {
            let partner = mirror.partner(body.feet()[foot].segment);
            body.feet().iter().position(|foot| foot.segment == partner).unwrap_or(foot)
        };
        Self {
            feet: self.feet.iter().map(other).collect(),
            air: self.air.mirrored(mirror),
            ground: self.ground.mirrored(mirror),
        }
    }
}

/// Everything that decides how a body moves through the evaluated part of a cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// In the order in which feet land.
    pub steps: Vec<StepPlan>,
    /// Where it begins.
    pub start: BodyState,
}

impl Candidate {
    /// Seconds of the evaluated part.
    pub fn length(&self) -> f64 {
        self.steps.iter().map(StepPlan::length).sum()
    }

    /// Flights and stances in their order: step of the feet, whether they are to be down, and when it begins.
    pub fn phases(&self) -> impl Iterator<Item = (usize, bool, &Phasing, f64)> {
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

    /// What is done at a time: which step of the feet, whether they are to be down, and how long the phase has lasted.
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

    /// For each phase the part of an interval in which its pulse acts.
    pub fn shares(&self, from: f64, seconds: f64) -> impl Iterator<Item = (&Phasing, f64)> {
        self.phases().map(move |(_, _, phase, begins)| {
            let overlap = (begins + phase.pulse).min(from + seconds) - begins.max(from);
            (phase, (overlap / seconds).clamp(0.0, 1.0))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_body::creature;

    fn hop() -> Candidate {
        let body = creature("kangaroo").unwrap();
        let phase = |length: f64, pulse: f64| Phasing {
            length,
            pulse,
            torques: vec![1.0; body.internal_dof()],
            amplitudes: vec![1.0],
        };
        let step = StepPlan { feet: vec![0], air: phase(0.2, 0.05), ground: phase(0.3, 0.3) };
        Candidate { steps: vec![step], start: BodyState::rest(&body, &body.poses()[0]) }
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
            |from: f64| hop.shares(from, 0.02).map(|(_, share)| share).collect::<Vec<f64>>();
        assert_eq!(share(0.0), [1.0, 0.0]);
        assert!((share(0.04)[0] - 0.5).abs() < 1e-9);
        assert!((share(0.19)[1] - 0.5).abs() < 1e-9);
        let sum: f64 = (0..25).map(|k| share(0.02 * f64::from(k)).iter().sum::<f64>() * 0.02).sum();
        assert!((sum - 0.35).abs() < 1e-9);
    }
}
