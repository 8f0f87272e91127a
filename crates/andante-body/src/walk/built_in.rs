//! The built-in walks and runs as cycles of a body.

use super::cast::WalkError;
use super::cycle::WalkCycle;
use crate::physique::Physique;
use andante_motion::synth::{self, GaitMode, GaitRequest};
use andante_skeleton::humanoid_of_height;

impl WalkCycle {
    /// The built-in walk or run at a speed, for a body: it runs where walking is no longer usual, from 2.1 m/s for an adult.
    pub fn built_in(physique: &Physique, speed: f64) -> Result<Self, WalkError> {
        Self::gait(physique, GaitRequest::ahead(speed as f32))
    }

    /// The built-in run at a speed, for a body.
    pub fn running(physique: &Physique, speed: f64) -> Result<Self, WalkError> {
        Self::gait(
            physique,
            GaitRequest { mode: GaitMode::Run, ..GaitRequest::ahead(speed as f32) },
        )
    }

    fn gait(physique: &Physique, gait: GaitRequest) -> Result<Self, WalkError> {
        // The built-in human's hips are at this part of its height.
        const HIPS: f64 = 0.53;
        let hips = physique.leg - physique.soles[0].centre.y;
        if !(hips > 0.05 && hips < 50.0) {
            return Err(WalkError::Body("legs of a length"));
        }
        let human = humanoid_of_height((hips / HIPS) as f32);
        let made = synth::locomotion(&human, &gait)?;
        let feet = &made.contacts.feet;
        if !(feet.len() == 2 && made.cyclic) {
            return Err(WalkError::Clip("it needs two feet and a cycle"));
        }
        let down = |foot: usize, time| [feet[foot].heel_down(time), feet[foot].toe_down(time)];
        Self::new(physique, &human, &made.clip, &down)
    }
}
