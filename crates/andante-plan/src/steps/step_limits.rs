//! What steps somebody makes from one foot to the other, and what they cost.

use super::search::FootstepSearchSettings;
use super::vocabulary::Vocabulary;
use glam::Vec2;

/// A step of the lattice: how far ahead of the foot that stands, how far aside of it to its own side, and how it turns
/// outwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct LatticeStep {
    pub ahead: f32,
    pub aside: f32,
    pub turn: f32,
}

/// What steps are possible, and which are easy.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepLimits {
    pub leg: f32,
    pub longest: f32,
    natural: f32,
    pub highest: f32,
    high: f32,
    /// Across, from foot to foot: least, usual and most.
    pub aside: [f32; 3],
    pub turn: f32,
    inwards: f32,
}

impl StepLimits {
    pub fn new(vocabulary: &Vocabulary, search: &FootstepSearchSettings) -> Self {
        let (settings, leg) = (&vocabulary.settings, vocabulary.leg);
        let stance = &vocabulary.rest.stance;
        let pace = settings.timeline.careful_pace * vocabulary.pace;
        let usual = (stance[0].position.x - stance[1].position.x).abs();
        Self {
            leg,
            longest: search.longest * leg,
            natural: 0.5 * pace / vocabulary.cadence(pace),
            highest: settings.strides.highest * leg,
            high: settings.strides.high * leg,
            aside: [settings.footprints.apart, usual, 0.45 * leg],
            turn: settings.timeline.step_turn,
            inwards: 0.4 * settings.timeline.step_turn,
        }
    }

    /// The cost of a step on level ground; none if nobody makes it.
    pub fn cost(&self, step: LatticeStep) -> Option<f32> {
        let [least, usual, most] = self.aside;
        let long = Vec2::new(step.ahead, step.aside - usual).length() / self.longest;
        let back = step.ahead < -0.4 * self.longest;
        // Long steps hardly turn.
        let turn = (1.0 - long).max(0.25);
        let outwards = if step.turn > 0.0 { self.turn } else { self.inwards };
        let beyond = step.turn.abs() > outwards * turn;
        if long > 1.0 || back || beyond || step.aside < least - 1e-3 || step.aside > most {
            return None;
        }
        let ratio = step.ahead / self.natural - 1.0;
        let ratio = if ratio > 0.0 { 3.0 * ratio * ratio } else { ratio * ratio };
        let turned = (step.turn / self.turn).powi(2);
        let across = ((step.aside - usual) / (most - usual)).powi(2);
        Some(1.0 + ratio + turned + 2.0 * across)
    }

    /// The cost of a rise besides; none if it is too high.
    pub fn rise(&self, rise: f32) -> Option<f32> {
        (rise.abs() <= self.highest).then(|| (rise / self.high).powi(4))
    }
}
