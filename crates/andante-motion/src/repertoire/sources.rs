//! Repertoires from recordings, and the one that needs none.

use super::{BuildError, ClipSource};
use crate::analysis::{AnalysisOptions, analyse};
use crate::synth::{self, SynthClip};
use andante_play::repertoire::{ClipClass, Repertoire};
use andante_skeleton::{Character, Clip};

/// Analyses recorded clips and learns from them.
pub fn from_recordings(character: &Character, clips: &[Clip]) -> Result<Repertoire, BuildError> {
    let options = AnalysisOptions::default();
    let mut sources = Vec::with_capacity(clips.len());
    for clip in clips {
        let analysis = analyse(&character.skeleton, &character.rig, clip, &options)?;
        sources.push(ClipSource::analysed(&character.skeleton, clip, &analysis)?);
    }
    super::from_clips(character, &sources)
}

/// All generated clips, fitted to a character.
pub fn built_in(character: &Character) -> Result<Repertoire, BuildError> {
    let sources: Vec<ClipSource> = synth::repertoire(character)?.into_iter().map(source).collect();
    super::from_clips(character, &sources)
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
