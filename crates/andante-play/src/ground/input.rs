//! What is asked of a character.

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
    /// Trunks lean into slopes.
    pub lean: bool,
    /// Highest step up or down, in leg lengths (0.3…0.7).
    pub highest_step: f32,
    /// The time that each part of the work takes is measured.
    pub timers: bool,
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
            lean: true,
            highest_step: 0.65,
            timers: false,
            traces: 0,
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
