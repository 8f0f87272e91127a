//! What a step did.

use crate::Footprint;
use andante_skeleton::{Planar, Transform};
use glam::Vec3;

/// The state of the character as a whole: moving, standing or stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SupportKind {
    /// The clip plays.
    #[default]
    Moving,
    /// The clip plays and never leaves the ground.
    Standing,
    /// The next step leads nowhere: the character waits, and goes on as soon as there is a step that does.
    Stopped,
}

/// The status of a foot: how well it stands, or will.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FootStatus {
    /// The whole sole is on the ground.
    #[default]
    Firm,
    /// Part of the sole is over an edge or a hole.
    Overhang,
    /// There is no ground: the foot keeps the height of its last print.
    Unsupported,
    /// There is no ground and the character waits for some.
    Blocked,
    /// The leg is too short for where the foot belongs.
    OutOfReach,
    /// The ground has moved, and the foot is on its way to where it is now.
    Settling,
    /// In the air.
    Aloft,
}

/// One foot after a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootReport {
    /// How well it stands.
    pub status: FootStatus,
    /// How well it will stand when it lands next.
    pub lands: Option<FootStatus>,
    /// Whether heel and toes are down.
    pub down: [bool; 2],
    /// Where it stands, or stood last.
    pub print: Option<Footprint>,
    /// Where it will land next, as far as is known.
    pub next: Option<Footprint>,
    /// Seconds of the clip until then.
    pub lands_in: Option<f32>,
    /// Where the ankle belongs.
    pub target: Transform,
    /// Where it is.
    pub ankle: Transform,
    /// What its toes are turned by in the world beyond what the clip does, as a rotation vector.
    pub toes: Vec3,
    /// Extension of the leg: 1 is straight.
    pub extension: f32,
    /// Extension the leg has in the clip.
    pub source_extension: f32,
}

impl Default for FootReport {
    fn default() -> Self {
        Self {
            status: FootStatus::Aloft,
            lands: None,
            down: [false; 2],
            print: None,
            next: None,
            lands_in: None,
            target: Transform::IDENTITY,
            ankle: Transform::IDENTITY,
            toes: Vec3::ZERO,
            extension: 0.0,
            source_extension: 0.0,
        }
    }
}

/// The whole character after a step.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct GroundReport {
    /// What it is doing.
    pub motion: SupportKind,
    /// Time within the clip that is played, or faded to.
    pub time: f32,
    /// Where the body is and which way it faces.
    pub place: Planar,
    /// Height of the ground the body goes by.
    pub height: f32,
    /// Rise of the ground per metre ahead, as the body goes by it.
    pub grade: f32,
    /// How far the body is below where the clip has it, so that its legs reach.
    pub lowered: f32,
    /// Largest distance of an ankle from where it belongs.
    pub residual: f32,
    /// Whether the ground was asked, in this step, for a new foothold.
    pub planned: bool,
}
