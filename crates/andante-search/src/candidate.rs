//! One gait that might be: times, torques and where it begins.

use andante_body::Body;
use andante_modes::{BodyState, Mirror};

/// Constant torque from the beginning of a phase.
#[derive(Clone, Debug, PartialEq)]
pub struct Phasing {
    /// Steps of the simulation.
    pub length: usize,
    /// Steps of the simulation, at most `length`.
    pub pulse: usize,
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
    /// Steps of the simulation.
    pub fn length(&self) -> usize {
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
    /// Steps of the simulation of the evaluated part.
    pub fn length(&self) -> usize {
        self.steps.iter().map(StepPlan::length).sum()
    }

    /// What is done at a step of the simulation: which step of the feet, whether they are to be down, and how long the
    /// phase has lasted.
    pub fn at(&self, step: usize) -> (usize, bool, usize) {
        let mut elapsed = step;
        for (index, plan) in self.steps.iter().enumerate() {
            if elapsed < plan.air.length {
                return (index, false, elapsed);
            }
            elapsed -= plan.air.length;
            if elapsed < plan.ground.length {
                return (index, true, elapsed);
            }
            elapsed -= plan.ground.length;
        }
        (self.steps.len().saturating_sub(1), true, usize::MAX)
    }
}
