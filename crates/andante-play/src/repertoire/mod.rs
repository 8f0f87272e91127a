//! What a character can do: its clips, analysed, aligned and ready to be mixed.
//!
//! A repertoire is built once from recorded or generated clips, never changes, and is shared by any
//! number of characters.

mod clip;
mod family;
mod file;
mod legs;
mod phase_map;
mod span;
mod track;
mod twist;

pub use clip::{ClipClass, RepertoireClip, Travel};
pub use family::{Family, FamilyKind};
pub use file::RepertoireFileError;
pub use phase_map::{PHASES, PhaseMap};
pub use span::{FootSpans, PhaseSpan};
pub use track::{FootTrack, SolePhase};
pub use twist::Twist;

use crate::blend_space::BlendSpaceError;
use andante_skeleton::Character;
use andante_skeleton::TwoBone;
use thiserror::Error;

/// An error that keeps clips from making a repertoire.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RepertoireError {
    /// Two clips have the same name.
    #[error("two clips are named `{0}`")]
    Duplicate(String),
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
    /// A repertoire of clips that were made for this character; what follows from them is worked out here.
    pub fn new(character: Character, clips: Vec<RepertoireClip>) -> Result<Self, RepertoireError> {
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

    /// The character whose repertoire it is.
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
