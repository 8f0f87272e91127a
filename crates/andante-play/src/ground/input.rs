//! What is asked of a character.

use crate::feet::FeetSettings;
use andante_skeleton::{Planar, Transform};
use glam::Vec3;

/// How clips are adapted. All can be changed at any time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundingOptions {
    /// Legs are bent to put feet where they belong. Off, the body still travels over the ground, and legs do
    /// what the clip says.
    pub solve_legs: bool,
    /// Feet in the air are carried over what is in their way.
    pub correct_swings: bool,
    /// Steps that lead nowhere are not made: the character stops, may turn, and goes on when it can. Off, it
    /// walks on thin air.
    pub validate_steps: bool,
    /// Steps get shorter on steep ground, and the body slower.
    pub scale_stride: bool,
    /// Steps that feet cannot make in the time of the clip, as on stairs, take longer.
    pub slow_steps: bool,
    /// Trunks lean into slopes.
    pub lean: bool,
    /// Highest step up or down, in leg lengths (0.3…0.7).
    pub highest_step: f32,
    /// How feet meet the ground.
    pub feet: FeetSettings,
    /// How steps are chosen.
    pub stride: GroundStrideSettings,
    /// How quickly a character stops, sets off and leans.
    pub pace: GroundPace,
    /// Entries of the traces for drawing: probes of the ground and places of ankles and hips; 0 keeps none.
    pub traces: usize,
}

impl Default for GroundingOptions {
    fn default() -> Self {
        Self {
            solve_legs: true,
            correct_swings: true,
            validate_steps: true,
            scale_stride: true,
            slow_steps: true,
            lean: true,
            highest_step: 0.65,
            feet: FeetSettings::default(),
            stride: GroundStrideSettings::default(),
            pace: GroundPace::default(),
            traces: 0,
        }
    }
}

/// How steps are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundStrideSettings {
    /// Largest turn in one step, in radians (0.3…1.5); what is left is for the next one.
    pub sharpest_turn: f32,
    /// How often the length of a step is halved to find the longest that suits the ground it leads to (0…6).
    pub halvings: usize,
    /// Parts of a step that are tried when the whole one leads nowhere, in order; each from 0 to 1.
    pub shorter: [f32; 2],
    /// How much of what its stride is shortened by a body gains back in a step (0…1); at 1 strides jump.
    pub recovery: f32,
    /// Part of a swing after which the landing is not changed any more (0.2…0.8).
    pub commit: f32,
    /// Seconds after which a foot with a leg of 0.85 m has left its print for good (0.03…0.15).
    pub just_left: f32,
    /// Seconds before a foot leaves by which its next step has been planned (0.05…0.3).
    pub soon: f32,
    /// A landing that moved less than this, in leg lengths, has not (0…0.03).
    pub unmoved: f32,
}

impl Default for GroundStrideSettings {
    fn default() -> Self {
        Self {
            sharpest_turn: 1.0,
            halvings: 3,
            shorter: [0.65, 0.4],
            recovery: 0.5,
            commit: 0.45,
            just_left: 0.08,
            soon: 0.1,
            unmoved: 0.01,
        }
    }
}

/// How quickly a character on the ground changes what it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundPace {
    /// Seconds over which it comes to a stop where a foot would have to leave for nowhere (0.05…0.5).
    pub stopping: f32,
    /// Seconds over which it sets off again (0.1…1).
    pub setting_off: f32,
    /// Seconds after which it looks again whether it can (0.02…0.5).
    pub looking: f32,
    /// Seconds before a foot with a leg of 0.85 m leaves, and after it has landed, over which a character becomes slower for
    /// a step that takes longer (0.1…0.4).
    pub slow_ahead: f32,
    /// Seconds over which a foot passes from one clip to another (0.1…0.5).
    pub foot_fade: f32,
    /// Seconds over which legs are let go and taken up again (0…1).
    pub let_go: f32,
    /// Longest step of time, in seconds (0.5…5); what is longer is cut off.
    pub longest_step: f32,
    /// Steps of time are divided into parts of this many seconds at most (0.02…0.1). More is coarser, less slower.
    pub longest_part: f32,
    /// Lean of the trunk uphill, as a part of the slope's angle (0…0.6).
    pub lean_up: f32,
    /// The same downhill.
    pub lean_down: f32,
}

impl Default for GroundPace {
    fn default() -> Self {
        Self {
            stopping: 0.12,
            setting_off: 0.25,
            looking: 0.1,
            slow_ahead: 0.25,
            foot_fade: 0.2,
            let_go: 0.2,
            longest_step: 2.0,
            longest_part: 0.05,
            lean_up: 0.3,
            lean_down: 0.18,
        }
    }
}

/// Where and when a character begins.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Start {
    /// Where its body is and which way it faces.
    pub place: Planar,
    /// About how high the ground is there.
    pub height: f32,
    /// Time of the clip.
    pub time: f32,
}

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

/// What carries a foot and moves: a lift, a ship, a treadmill.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SupportMotion {
    /// Number of the foot.
    pub foot: usize,
    /// How that on which it stands, or stood last, has moved since the last step.
    pub stands: Transform,
    /// How that on which it will land has moved.
    pub lands: Transform,
}

/// What is asked of a character in one step.
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
