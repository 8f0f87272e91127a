//! The built-in walks and runs as cycles of a body.

use super::cast::WalkError;
use super::course::Ladder;
use super::cycle::WalkCycle;
use super::cycle_settings::CycleSettings;
use crate::fit::HIP_HEIGHT;
use crate::physique::Physique;
use andante_motion::synth::{self, GaitMode, GaitRequest};
use andante_skeleton::humanoid_of_height;

impl WalkCycle {
    /// The built-in walk or run at a speed, for a body: it runs where walking is no longer usual, from 2.1 m/s for an adult.
    pub fn built_in(physique: &Physique, speed: f64) -> Result<Self, WalkError> {
        Self::built_in_with(physique, speed, &CycleSettings::default())
    }

    /// The same, with settings of one's own.
    pub fn built_in_with(
        physique: &Physique,
        speed: f64,
        settings: &CycleSettings,
    ) -> Result<Self, WalkError> {
        Self::gait(physique, GaitRequest::ahead(speed as f32), settings)
    }

    /// The built-in run at a speed, for a body.
    pub fn running(physique: &Physique, speed: f64) -> Result<Self, WalkError> {
        Self::gait(
            physique,
            GaitRequest { mode: GaitMode::Run, ..GaitRequest::ahead(speed as f32) },
            &CycleSettings::default(),
        )
    }

    fn gait(
        physique: &Physique,
        gait: GaitRequest,
        settings: &CycleSettings,
    ) -> Result<Self, WalkError> {
        let hips = physique.leg - physique.soles[0].centre.y;
        if !(hips > 0.05 && hips < 50.0) {
            return Err(WalkError::Body("legs of a length"));
        }
        let human = humanoid_of_height((hips / HIP_HEIGHT) as f32);
        let made = synth::locomotion(&human, &gait)?;
        let feet = &made.contacts.feet;
        if !(feet.len() == 2 && made.cyclic) {
            return Err(WalkError::Clip("it needs two feet and a cycle"));
        }
        let down = |foot: usize, time| [feet[foot].heel_down(time), feet[foot].toe_down(time)];
        Self::new(physique, &human, &made.clip, &down, settings)
    }
}

impl Ladder {
    /// The built-in walks up to a speed.
    pub fn built_in(physique: &Physique, speed: f64) -> Result<Self, WalkError> {
        Self::built_in_with(physique, speed, &CycleSettings::default())
    }

    /// The same, with settings of one's own.
    pub fn built_in_with(
        physique: &Physique,
        speed: f64,
        settings: &CycleSettings,
    ) -> Result<Self, WalkError> {
        if !(speed.is_finite() && speed <= 2.0) {
            return Err(WalkError::Clip("nobody walks that fast"));
        }
        let count = ((speed - settings.slowest) / settings.faster + 1e-6).floor().max(0.0) as usize;
        let rungs = (0..=count)
            .map(|k| {
                WalkCycle::built_in_with(
                    physique,
                    settings.slowest + settings.faster * k as f64,
                    settings,
                )
            })
            .collect::<Result<Vec<WalkCycle>, WalkError>>()?;
        Ladder::new(rungs).ok_or(WalkError::Clip("there is none"))
    }
}
