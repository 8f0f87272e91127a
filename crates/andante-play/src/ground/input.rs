//! What is asked of a character.

use crate::GroundingError;
use crate::feet::FeetSettings;
use crate::ground::fade::FadeSettings;
use andante_skeleton::{Planar, Ray, Transform};
use glam::Vec3;
use std::ops::RangeInclusive;

andante_skeleton::settings! {
    /// Options of adapting clips to the ground. All can be changed at any time.
    pub struct GroundingOptions: Copy {
        /// Legs are bent to put feet where they belong. Off, the body still travels over the ground, and legs do
        /// what the clip says.
        solve_legs: bool = true;
        /// Feet in the air are carried over what is in their way.
        correct_swings: bool = true;
        /// Steps that lead nowhere are not made: the character stops, may turn, and goes on when it can. Off, it
        /// walks on thin air.
        validate_steps: bool = true;
        /// Steps get shorter on steep ground, and the body slower.
        scale_stride: bool = true;
        /// Steps that feet cannot make in the time of the clip, as on stairs, take longer.
        slow_steps: bool = true;
        /// Trunks lean into slopes.
        lean: bool = true;
        /// How feet meet the ground.
        feet: FeetSettings = FeetSettings::default() => check;
        /// Which steps are made.
        steps: GroundingSettings = GroundingSettings::default() => check;
        /// How quickly a character stops, sets off and leans.
        pace: GroundPace = GroundPace::default() => check;
        /// How one clip is left for another.
        fade: FadeSettings = FadeSettings::default() => check;
        /// Entries of the traces for drawing: probes of the ground and places of ankles and hips; 0 keeps none.
        traces: usize = 0;
    }

    /// Settings of grounding: which steps a clip makes that is adapted to the ground.
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default, deny_unknown_fields))]
    pub struct GroundingSettings: Copy {
        /// Highest step up or down, in leg lengths.
        highest_step: f32 = 0.65, 0.3..=0.7;
        /// How steps are chosen.
        stride: GroundStrideSettings = GroundStrideSettings::default() => check;
    }

    /// Settings of the choice of steps.
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default, deny_unknown_fields))]
    pub struct GroundStrideSettings: Copy {
        /// Largest turn in one step, in radians; what is left is for the next one.
        sharpest_turn: f32 = 1.0, 0.3..=1.5;
        /// How often the length of a step is halved to find the longest that suits the ground it leads to.
        halvings: usize = 3, 0..=6;
        /// Parts of a step that are tried when the whole one leads nowhere, in order; each from 0 to 1.
        shorter: [f32; 2] = [0.65, 0.4], 0.0..;
        /// How much of what its stride is shortened by a body gains back in a step; at 1 strides jump.
        recovery: f32 = 0.5, 0.0..=1.0;
        /// How much of the ground ahead tells how steep it is to somebody on two legs, in leg lengths: less takes every
        /// tread for a cliff.
        looked_at: f32 = 0.8, 0.4..=1.5;
        /// Part of a swing after which the landing is not changed any more.
        commit: f32 = 0.45, 0.2..=0.8;
        /// Seconds after which a foot with a leg of 0.85 m has left its print for good.
        just_left: f32 = 0.08, 0.03..=0.15;
        /// Seconds before a foot leaves by which its next step has been planned.
        soon: f32 = 0.1, 0.05..=0.3;
        /// A landing that moved less than this, in leg lengths, has not.
        unmoved: f32 = 0.01, 0.0..=0.03;
    }

    /// The pace at which a character on the ground changes what it does.
    pub struct GroundPace: Copy {
        /// Seconds over which it comes to a stop where a foot would have to leave for nowhere.
        stopping: f32 = 0.12, 0.05..=0.5;
        /// Seconds over which it sets off again.
        setting_off: f32 = 0.25, 0.1..=1.0;
        /// Seconds after which it looks again whether it can.
        looking: f32 = 0.1, 0.02..=0.5;
        /// Seconds before a foot with a leg of 0.85 m leaves, and after it has landed, over which a character becomes slower
        /// for a step that takes longer.
        slow_ahead: f32 = 0.25, 0.1..=0.4;
        /// Seconds over which legs are let go and taken up again.
        let_go: f32 = 0.2, 0.0..=1.0;
        /// Longest step of time, in seconds; what is longer is cut off.
        longest_step: f32 = 2.0, 0.5..=5.0;
        /// Steps of time are divided into parts of this many seconds at most. More is coarser, less slower.
        longest_part: f32 = 0.05, 0.02..=0.1;
        /// Lean of the trunk uphill, as a part of the slope's angle.
        lean_up: f32 = 0.3, 0.0..=0.6;
        /// The same downhill.
        lean_down: f32 = 0.18, 0.0..;
    }
}

/// The place and the time at which a character begins.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Start {
    /// Where its body is and which way it faces.
    pub place: Planar,
    /// About how high the ground is there.
    pub height: f32,
    /// Time of the clip.
    pub time: f32,
}

impl Start {
    /// Whether it is in the world, and at a time that a clip gets to.
    pub(crate) fn check(&self) -> Result<(), GroundingError> {
        let far = -Ray::LONGEST..=Ray::LONGEST;
        let Planar { position, heading } = self.place;
        GroundingError::unless_within("place.x", position.x, far.clone(), "m")?;
        GroundingError::unless_within("place.z", position.y, far.clone(), "m")?;
        GroundingError::unless_within("heading", heading, -1e4..=1e4, "rad")?;
        GroundingError::unless_within("height", self.height, far, "m")?;
        GroundingError::unless_within("time", self.time, TIMES, "s")
    }
}

/// Times of a clip, in seconds.
pub(crate) const TIMES: RangeInclusive<f32> = -1e5..=1e5;

/// A foothold that a planner wants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SuppliedFoothold {
    /// Number of the foot.
    pub foot: usize,
    /// Between heel and ball, on or near the ground.
    pub position: Vec3,
    /// Which way the foot points; as in the clip if not given.
    pub heading: Option<f32>,
}

/// The motion of what carries a foot: a lift, a ship, a treadmill.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SupportMotion {
    /// Number of the foot.
    pub foot: usize,
    /// How that on which it stands, or stood last, has moved since the last step.
    pub stands: Transform,
    /// How that on which it will land has moved.
    pub lands: Transform,
}

/// The input of one step: what is asked of a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Input<'a> {
    /// Speed at which the clip plays; 1 is as it was made.
    pub rate: f32,
    /// Turn in radians per second, from +Z towards +X, besides what the clip turns.
    pub turn_rate: f32,
    /// Footholds for the next landing of some feet; others are looked for.
    pub footholds: &'a [SuppliedFoothold],
    /// What moves below feet; what is not named stays. The ground that is asked has moved already.
    pub supports: &'a [SupportMotion],
}

impl Default for Input<'_> {
    fn default() -> Self {
        Self { rate: 1.0, turn_rate: 0.0, footholds: &[], supports: &[] }
    }
}
