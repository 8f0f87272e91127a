//! Repertoires built from recorded or generated clips: strides are cut out and closed, phases aligned.
//!
//! What is built here is played by [`andante_play`].

mod align;
mod bake;
mod build;
mod sources;
mod stride;

pub use build::ClipSource;
pub use sources::{built_in, from_recordings};

use andante_play::repertoire::{Repertoire, RepertoireError};
use andante_skeleton::{Character, ClipError};
use thiserror::Error;

/// Why clips do not make a repertoire.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum BuildError {
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

/// How clips become a repertoire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuildSettings {
    /// Slower than this, in m/s and rad/s, is standing (0.05…0.3).
    pub still: f32,
    /// Part of a cycle without any foot down that makes a run (0.01…0.1).
    pub flight: f32,
    /// Longest stretch of standing that is kept, in seconds (1…60).
    pub longest_stand: f32,
    /// A gait within this angle of straight ahead or back, in radians, is taken to go exactly there (0…0.5): the pelvis
    /// of a recorded walker rarely faces where it goes to the degree.
    pub straight: f32,
    /// Soles that are down are on the ground if they are this near to it on average, in metres (1e-4…1e-2).
    pub level: f32,
    /// How much faster or slower than on average a phase may go between two events of a stride (1.5…4); events that ask
    /// for more are left out.
    pub steepest: f32,
    /// Events of a stride closer than this, as parts of it, are one (0.005…0.05).
    pub apart: f32,
}

impl Default for BuildSettings {
    fn default() -> Self {
        Self {
            still: 0.12,
            flight: 0.04,
            longest_stand: 8.0,
            straight: 0.35,
            level: 2e-4,
            steepest: 2.5,
            apart: 0.015,
        }
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
    Ok(Repertoire::new(character.clone(), build::build(character, sources, settings)?)?)
}

#[cfg(test)]
mod tests;
