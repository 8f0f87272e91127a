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

/// Builds a repertoire from clips: strides are cut out and closed, phases aligned, contacts planted.
pub fn from_clips(character: &Character, sources: &[ClipSource]) -> Result<Repertoire, BuildError> {
    Ok(Repertoire::new(character.clone(), build::build(character, sources)?)?)
}

#[cfg(test)]
mod tests;
