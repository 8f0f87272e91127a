//! Gaits made from nothing but published curves: the clips that are built in.
//!
//! A motion is put together from four parts, each a function of time:
//!
//! * where the feet are on the ground, and how they roll over heel, ball and tip while they are
//!   (`stance`): exact constraints, so that nothing slides;
//! * how they get from one contact to the next (`swing`): the joint curves of real walkers and
//!   runners (`normative`), led into both contacts by polynomials;
//! * how pelvis, trunk, head and arms move (`body`, `posture`);
//! * when and where all that happens: `cycle` and `pace` for steady gaits, `transition`, `turn`, `jump` and
//!   `stand` for the rest.
//!
//! `performance` samples them into a clip; legs are solved in closed form.
//!
//! ```
//! use andante_motion::synth::{self, GaitRequest};
//! use andante_skeleton::humanoid;
//!
//! let human = humanoid();
//! // A brisk walk that bends to the left.
//! let walk = synth::locomotion(&human, &GaitRequest { turn_rate: 0.3, ..GaitRequest::ahead(1.6) })?;
//! assert!(walk.cyclic);
//! let jump = synth::clip(&human, "jump-long")?;
//! assert!(jump.clip.duration() < 1.5);
//! # Ok::<(), synth::SynthError>(())
//! ```

pub mod angles;
mod body;
mod curve;
mod cycle;
mod figure;
mod gait;
mod jump;
mod normative;
mod pace;
mod performance;
mod posture;
mod repertoire;
mod settings;
mod stance;
mod stand;
mod swing;
mod transition;
mod turn;

use andante_play::Contacts;
use andante_skeleton::{Character, Clip, ClipError, SettingError};
use cycle::SynthCycle;
use figure::BipedMeasures;
use thiserror::Error;

pub use gait::{GaitMode, GaitRequest};
pub use repertoire::{NAMES, clip, gaits_and_jumps, repertoire};
pub use settings::{GaitCurves, SynthFootSettings, SynthSettings};

/// A clip and what its generator knows about it.
#[derive(Clone, Debug, PartialEq)]
pub struct SynthClip {
    /// The motion, by default at 60 frames a second, with its travel, from the origin and facing +Z.
    pub clip: Clip,
    /// When heels and toes are down. Toes that roll off over their tip count as down while the ball
    /// of the foot has hardly moved.
    pub contacts: Contacts,
    /// Whether the last frame is the first one again, farther on.
    pub cyclic: bool,
}

/// An error that keeps a clip from being synthesised.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SynthError {
    /// A setting is out of its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The character is not built for it.
    #[error("character `{name}` cannot be given a gait: {why}")]
    Character {
        /// Name of the character.
        name: String,
        /// What it lacks.
        why: &'static str,
    },
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

/// One cycle of a steady gait, from strike to strike of the left foot.
///
/// Step lengths, contact times and joint courses follow from speed and leg length. The period is a
/// whole, even number of frames, and the stride is adjusted to it, so that the speed is exact.
pub fn locomotion(character: &Character, gait: &GaitRequest) -> Result<SynthClip, SynthError> {
    steady(character, gait, &SynthSettings::default())
}

fn steady(
    character: &Character,
    gait: &GaitRequest,
    settings: &SynthSettings,
) -> Result<SynthClip, SynthError> {
    let figure = BipedMeasures::new(character, settings)?;
    gait.check(&figure)?;
    let reversed = gait.speed < 0.0;
    let forward = if reversed { gait.reversed() } else { *gait };
    let cycle = SynthCycle::new(&figure, &forward);
    let name = if cycle.running() { "run" } else { "walk" };
    cycle.record(name, reversed)
}
