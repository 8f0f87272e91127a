//! How bodies go over from one motion to another.

use crate::feet::FeetSettings;

/// How a body goes over from one motion to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangeOverSettings {
    /// Seconds in which half of a difference of the body is gone (0.05…0.3). Less is a jerk, more a slow blend of two
    /// motions.
    pub half_life: f32,
    /// Seconds in which half of a difference of a foot in the air is gone (0.05…0.2).
    pub half_swing: f32,
    /// Seconds in which half of a difference of a foot that has to come down is gone (0.02…0.1).
    pub half_landing: f32,
    /// Seconds in which half of a change of how far the hips are let down is made (0.05…0.3).
    pub half_drop: f32,
    /// Seconds in which half of a jolt that was kept from the body is gone (0.1…0.5).
    pub half_lag: f32,
    /// The most the hips go down so that a foot can stay, in metres (0…0.3).
    pub most_drop: f32,
    /// Angle by which straight knees bend at most in a sixtieth of a second, in radians (0.02…0.2).
    pub unbend: f32,
    /// The most a heel is raised so that its ball can stay, in radians (0…1.2).
    pub heel_raised: f32,
    /// The most it is raised in a sixtieth of a second, in radians (0.05…0.3).
    pub heel_raising: f32,
    /// A foot that is dragged this far, in metres, lets go (0.1…0.5).
    pub dragged: f32,
    /// How fast a foot in the air follows the height of the ground below it, in metres per sixtieth of a second.
    pub rising: f32,
    /// How fast it follows its tilt, in radians per sixtieth of a second.
    pub tilting: f32,
    /// Tilt below which heel and ball are both down, in radians (0.005…0.05).
    pub flat: f32,
    /// Heel or ball that have moved by more since they came down have left the ground, in metres (1e-3…5e-3).
    pub rolled: f32,
    /// How deep soles may be in the ground, in metres (0…0.005), before feet are lifted.
    pub sunk: f32,
    /// Toes of which no more than this part points ahead are not bent out of the ground: the foot is lifted (0.3…0.7).
    pub toes_steep: f32,
    /// Toes of which more than this part points ahead are bent out of it (`toes_steep`…1).
    pub toes_level: f32,
    /// How feet reach, and what counts as down.
    pub feet: FeetSettings,
}

impl Default for ChangeOverSettings {
    fn default() -> Self {
        Self {
            half_life: 0.12,
            half_swing: 0.09,
            half_landing: 0.05,
            half_drop: 0.1,
            half_lag: 0.2,
            most_drop: 0.15,
            unbend: 0.06,
            heel_raised: 0.9,
            heel_raising: 0.15,
            dragged: 0.35,
            rising: 0.03,
            tilting: 0.1,
            flat: 0.01,
            rolled: 2.5e-3,
            sunk: 1e-3,
            toes_steep: 0.5,
            toes_level: 0.8,
            // Legs that are held while motions change stay a little shorter: straight knees would snap.
            feet: FeetSettings { longest_reach: 0.985, ..FeetSettings::default() },
        }
    }
}
