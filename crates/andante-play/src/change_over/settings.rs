//! How bodies go over from one motion to another.

use crate::feet::{FeetSettings, LiveStepSettings};

andante_skeleton::settings! {
    /// Settings of the change-over from one motion to another.
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default, deny_unknown_fields))]
    pub struct ChangeOverSettings: Copy {
        /// Seconds in which half of a difference of the body is gone. Less is a jerk, more a slow blend of two motions.
        half_life: f32 = 0.12, 0.05..=0.3;
        /// Seconds in which half of a difference of a foot in the air is gone.
        half_swing: f32 = 0.09, 0.05..=0.2;
        /// Seconds in which half of a difference of a foot that has to come down is gone.
        half_landing: f32 = 0.05, 0.02..=0.1;
        /// Seconds in which half of a change of how far the hips are let down is made.
        half_drop: f32 = 0.1, 0.05..=0.3;
        /// Seconds in which half of a jolt that was kept from the body is gone.
        half_lag: f32 = 0.2, 0.1..=0.5;
        /// The most the hips go down so that a foot can stay, in metres.
        most_drop: f32 = 0.15, 0.0..=0.3;
        /// Angle by which straight knees bend at most in a sixtieth of a second, in radians.
        unbend: f32 = 0.06, 0.02..=0.2;
        /// The most a heel is raised so that its ball can stay, in radians.
        heel_raised: f32 = 0.9, 0.0..=1.2;
        /// The most it is raised in a sixtieth of a second, in radians.
        heel_raising: f32 = 0.15, 0.05..=0.3;
        /// A foot that is dragged this far, in metres, lets go.
        dragged: f32 = 0.35, 0.1..=0.5;
        /// How fast a foot that ground has suddenly risen above comes up, in metres per sixtieth of a second.
        rising: f32 = 0.03, 0.0..=10.0;
        /// Rise over the way of a step from which on a gait that is led goes slower.
        slope_felt: f32 = 0.12, 0.0..=0.5;
        /// How much longer its way takes for each unit of slope beyond that: less runs up stairs.
        slope_slows: f32 = 2.0, 0.0..=5.0;
        /// Tilt below which heel and ball are both down, in radians.
        flat: f32 = 0.01, 0.005..=0.05;
        /// Heel or ball that have moved by more since they came down have left the ground, in metres.
        rolled: f32 = 2.5e-3, 1e-3..=5e-3;
        /// How deep soles may be in the ground, in metres, before feet are lifted.
        sunk: f32 = 1e-3, 0.0..=0.005;
        /// How far above the ground heel or ball of a gait that is led count as down, in metres.
        above: f32 = 0.01, 0.002..=0.05;
        /// Toes of which no more than this part points ahead are not bent out of the ground: the foot is lifted.
        toes_steep: f32 = 0.5, 0.3..=0.7;
        /// Toes of which more than this part points ahead are bent out of it (`toes_steep`…1).
        toes_level: f32 = 0.8, 0.0..=1.0;
        /// Longest reach of a leg while motions change, over the length of its bones: a little shorter than else, since
        /// straight knees would snap.
        longest_reach: f32 = 0.985, 0.9..=1.0;
        /// How a gait that is led steps over ground that is not level.
        live: LiveStepSettings = LiveStepSettings::default() => check;
    }
}

/// What a body goes over by, and what its feet may do meanwhile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeldFeet {
    own: ChangeOverSettings,
    pub feet: FeetSettings,
}

impl HeldFeet {
    pub fn new(own: ChangeOverSettings, mut feet: FeetSettings) -> Self {
        feet.longest_reach = feet.longest_reach.min(own.longest_reach);
        Self { own, feet }
    }
}

impl std::ops::Deref for HeldFeet {
    type Target = ChangeOverSettings;

    fn deref(&self) -> &ChangeOverSettings {
        &self.own
    }
}
