//! Gaits made from nothing but published curves: the clips that are built in.

pub mod angles;
mod body;
mod curve;
mod cycle;
mod figure;
mod jump;
mod normative;
mod performance;
mod repertoire;
mod stance;
mod stand;
mod swing;
mod transition;
mod turn;

use crate::Contacts;
use andante_skeleton::{Character, Clip, ClipError};
use cycle::Cycle;
use figure::Figure;
use thiserror::Error;

pub use repertoire::{NAMES, clip, repertoire};

/// A clip and what the generator knows about it.
#[derive(Clone, Debug, PartialEq)]
pub struct SynthClip {
    /// The motion, with its travel, from the origin.
    pub clip: Clip,
    /// When heels and toes are down.
    pub contacts: Contacts,
    /// Whether the last frame is the first one again, farther on.
    pub cyclic: bool,
}

/// Why no clip was made.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SynthError {
    /// The character is not built for it.
    #[error("character `{0}` cannot be given a gait: {1}")]
    Character(String, &'static str),
    /// A parameter is outside its range, or no number.
    #[error("{what} of {value} is not between {low} and {high}")]
    Range {
        /// The parameter.
        what: &'static str,
        /// What was asked for.
        value: f32,
        /// The smallest value for this character.
        low: f32,
        /// The largest value for this character.
        high: f32,
    },
    /// No built-in clip has this name.
    #[error("there is no built-in clip `{0}`")]
    Name(String),
    /// The frames do not make a clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// Whether somebody walks or runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// Runs when walking is no longer usual: at a Froude number of 0.5.
    #[default]
    Auto,
    /// Walks.
    Walk,
    /// Runs.
    Run,
}

/// A steady gait.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gait {
    /// Speed ahead in m/s; negative walks backwards.
    pub speed: f32,
    /// Speed to the left in m/s; negative steps to the right.
    pub lateral: f32,
    /// Turn to the left in rad/s.
    pub turn_rate: f32,
    /// From upright (0) to sneaking with bent knees (1).
    pub crouch: f32,
    /// Walking or running.
    pub mode: Mode,
    /// Personal manner.
    pub style: Style,
}

/// Personal manner of a gait.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Multiple of the usual arm swing (0…2).
    pub arm_swing: f32,
}

impl Default for Style {
    fn default() -> Self {
        Self { arm_swing: 1.0 }
    }
}

impl Gait {
    /// Straight ahead, upright, in the usual manner.
    pub fn ahead(speed: f32) -> Self {
        Self {
            speed,
            lateral: 0.0,
            turn_rate: 0.0,
            crouch: 0.0,
            mode: Mode::Auto,
            style: Style::default(),
        }
    }
}

/// One cycle of a steady gait, from strike to strike of the left foot.
pub fn locomotion(character: &Character, gait: &Gait) -> Result<SynthClip, SynthError> {
    let figure = Figure::new(character)?;
    let reversed = gait.speed < 0.0;
    let gait = if reversed {
        Gait { speed: -gait.speed, lateral: -gait.lateral, turn_rate: -gait.turn_rate, ..*gait }
    } else {
        *gait
    };
    Cycle::new(&figure, &gait).record("gait", reversed)
}
