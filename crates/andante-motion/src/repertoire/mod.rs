//! Repertoires built from recorded or generated clips: strides are cut out and closed, phases aligned.
//!
//! What is built here is played by [`andante_play`].

mod align;
mod bake;
mod build;
mod session;
mod sources;
mod stride;

pub use build::ClipSource;
pub use session::{SessionOptions, SessionPiece, cut_session};
pub use sources::{built_in, for_character, from_recordings, gaits_and_jumps, taught};

use andante_play::repertoire::{Repertoire, RepertoireError};
use andante_skeleton::{Character, ClipError, SettingError};
use thiserror::Error;

/// An error that keeps clips from making a repertoire.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum BuildError {
    /// A setting is out of its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A clip is for another skeleton.
    #[error("clip `{clip}` has {joints} joints, the character has {expected}")]
    Joints {
        /// Name of the clip.
        clip: String,
        /// Its joints.
        joints: usize,
        /// The character's.
        expected: usize,
    },
    /// Contacts are for another rig.
    #[error("clip `{clip}` has contacts of {feet} feet, the character has {expected}")]
    Feet {
        /// Name of the clip.
        clip: String,
        /// Feet it has contacts of.
        feet: usize,
        /// The character's feet.
        expected: usize,
    },
    /// A clip that is said to be a gait has no stride.
    #[error("clip `{clip}` is called a {class}, but no foot strikes the ground twice in it")]
    NoCycle {
        /// Name of the clip.
        clip: String,
        /// What it is called.
        class: &'static str,
    },
    /// A recorded clip could not be analysed.
    #[error(transparent)]
    Analysis(#[from] crate::analysis::AnalysisError),
    /// The clips of the built-in human do not fit.
    #[error(transparent)]
    Retarget(#[from] crate::retarget::RetargetError),
    /// No clips could be generated.
    #[error(transparent)]
    Synth(#[from] crate::synth::SynthError),
    /// Frames do not make a clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// The clips do not belong together.
    #[error(transparent)]
    Repertoire(#[from] RepertoireError),
}

andante_skeleton::settings! {
    /// Settings by which clips become a repertoire.
    pub struct BuildSettings: Copy {
        /// Slower than this, in m/s and rad/s, is standing.
        still: f32 = 0.12, 0.05..=0.3;
        /// Part of a cycle without any foot down that makes a run.
        flight: f32 = 0.04, 0.01..=0.1;
        /// Longest stretch of standing that is kept, in seconds.
        longest_stand: f32 = 8.0, 1.0..=60.0;
        /// A gait within this angle of straight ahead or back, in radians, is taken to go exactly there: the pelvis of
        /// a recorded walker rarely faces where it goes to the degree.
        straight: f32 = 0.35, 0.0..=0.5;
        /// Soles that are down are on the ground if they are this near to it on average, in metres.
        level: f32 = 2e-4, 1e-4..=1e-2;
        /// How much faster or slower than on average a phase may go between two events of a stride; events that ask for
        /// more are left out.
        steepest: f32 = 2.5, 1.5..=4.0;
        /// Events of a stride closer than this, as parts of it, are one.
        apart: f32 = 0.015, 0.005..=0.05;
    }
}

/// Builds a repertoire from clips: strides are cut out and closed, phases aligned, contacts planted.
pub fn from_clips(character: &Character, sources: &[ClipSource]) -> Result<Repertoire, BuildError> {
    from_clips_with(character, sources, &BuildSettings::default())
}

/// The same in another way.
pub fn from_clips_with(
    character: &Character,
    sources: &[ClipSource],
    settings: &BuildSettings,
) -> Result<Repertoire, BuildError> {
    settings.check()?;
    Ok(Repertoire::new(character.clone(), build::build(character, sources, settings)?)?)
}

#[cfg(test)]
mod tests;
