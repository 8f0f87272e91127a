//! The repertoire that needs no recordings.

use super::{ClipClass, ClipSource, Repertoire, RepertoireError};
use crate::synth::{self, SynthClip};
use andante_skeleton::Character;

impl Repertoire {
    /// All generated clips, fitted to a character.
    pub fn built_in(character: &Character) -> Result<Self, RepertoireError> {
        let sources: Vec<ClipSource> =
            synth::repertoire(character)?.into_iter().map(source).collect();
        Self::from_clips(character, &sources)
    }
}

/// Generated clips are known by their names.
fn source(synth: SynthClip) -> ClipSource {
    let name = synth.clip.name();
    let class = if !synth.cyclic {
        Some(ClipClass::Action)
    } else if name == "stand" {
        Some(ClipClass::Stand)
    } else if name.starts_with("idle") {
        Some(ClipClass::Action)
    } else if name.starts_with("crouch") {
        Some(ClipClass::Other)
    } else {
        None
    };
    ClipSource { clip: synth.clip, contacts: synth.contacts, cyclic: synth.cyclic, class }
}
