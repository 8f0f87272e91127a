//! What a character can do: its clips, analysed, aligned and ready to be mixed.
//!
//! A repertoire is built once from recorded or generated clips, never changes, and is shared by any
//! number of characters.

mod align;
mod bake;
mod build;
mod clip;
mod family;
mod file;
mod legs;
mod phase_map;
mod sources;
mod span;
mod stride;
mod track;
mod twist;

pub use build::ClipSource;
pub use clip::{ClipClass, RepertoireClip, Travel};
pub use family::{Family, FamilyKind};
pub use file::RepertoireFileError;
pub use phase_map::{PHASES, PhaseMap};
pub use span::{FootSpans, PhaseSpan};
pub use track::{FootTrack, SolePhase};
pub use twist::Twist;

use crate::blend_space::BlendSpaceError;
use andante_skeleton::TwoBone;
use andante_skeleton::{Character, ClipError};
use thiserror::Error;

/// Why clips do not make a repertoire.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RepertoireError {
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
    /// Two clips have the same name.
    #[error("two clips are named `{0}`")]
    Duplicate(String),
    /// A recorded clip could not be analysed.
    #[error(transparent)]
    Analysis(#[from] crate::analysis::AnalysisError),
    /// No clips could be generated.
    #[error(transparent)]
    Synth(#[from] crate::synth::SynthError),
    /// Frames do not make a clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// Speeds do not make a blend space.
    #[error(transparent)]
    Space(#[from] BlendSpaceError),
}

/// A character and its clips.
#[derive(Clone, Debug, PartialEq)]
pub struct Repertoire {
    character: Character,
    clips: Vec<RepertoireClip>,
    families: Vec<Family>,
    legs: Vec<Option<TwoBone>>,
}

impl Repertoire {
    /// Learns from clips: strides are cut out and closed, phases aligned, contacts planted.
    pub fn from_clips(
        character: &Character,
        sources: &[ClipSource],
    ) -> Result<Self, RepertoireError> {
        Self::assemble(character.clone(), build::build(character, sources)?)
    }

    /// Works out what follows from the clips.
    fn assemble(character: Character, clips: Vec<RepertoireClip>) -> Result<Self, RepertoireError> {
        for (index, clip) in clips.iter().enumerate() {
            if clips[..index].iter().any(|other| other.name() == clip.name()) {
                return Err(RepertoireError::Duplicate(clip.name().to_owned()));
            }
        }
        let mut families = Vec::new();
        for kind in [FamilyKind::Walk, FamilyKind::Run] {
            families.extend(Family::new(&character.skeleton, &clips, kind)?);
        }
        let legs = legs::legs(&character, &clips);
        Ok(Self { character, clips, families, legs })
    }

    /// Whose repertoire it is.
    pub fn character(&self) -> &Character {
        &self.character
    }

    /// All clips.
    pub fn clips(&self) -> &[RepertoireClip] {
        &self.clips
    }

    /// The clip of a name.
    pub fn find(&self, name: &str) -> Option<&RepertoireClip> {
        self.clips.iter().find(|clip| clip.name() == name)
    }

    /// Clips of a class, in order.
    pub fn of_class(&self, class: ClipClass) -> impl Iterator<Item = &RepertoireClip> {
        self.clips.iter().filter(move |clip| clip.class() == class)
    }

    /// Gaits that can be mixed: walks before runs.
    pub fn families(&self) -> &[Family] {
        &self.families
    }

    /// The solver of each foot's leg: its last two bones.
    pub fn legs(&self) -> &[Option<TwoBone>] {
        &self.legs
    }
}

#[cfg(test)]
mod tests;
