//! The motions of a file, for anybody.

use crate::error::{DoorError, DoorErrorKind};
use andante_formats::ReadLimits;
use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::retarget::{RetargetOptions, RetargetRig, retarget};
use andante_skeleton::{Character, Clip};
use andante_stage::CharacterFile;
use std::fmt::Display;
use std::path::Path;

/// Clips of a file, and the bones that they were made for.
#[derive(Clone, Debug)]
pub struct SharedMotions {
    character: Character,
    clips: Vec<Clip>,
}

impl SharedMotions {
    /// The motions of a file that is in memory; its name tells the format.
    pub fn from_memory(name: &str, bytes: &[u8]) -> Result<Self, DoorError> {
        let file =
            CharacterFile::from_memory(Path::new(name), bytes, None, &ReadLimits::default())?;
        if file.clips.is_empty() {
            return Err(DoorError::new(
                DoorErrorKind::Read,
                format!("{name}: there is no motion in it"),
            ));
        }
        Ok(Self { character: file.character, clips: file.clips })
    }

    /// What they are called.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.clips.iter().map(Clip::name)
    }

    /// The motions on another body, with its feet where the ground is.
    pub(crate) fn on(&self, body: &Character) -> Result<Vec<Clip>, DoorError> {
        self.clips.iter().map(|clip| self.put_on(body, clip)).collect()
    }

    fn put_on(&self, body: &Character, clip: &Clip) -> Result<Clip, DoorError> {
        let fail = |error: &dyn Display| {
            let (file, clip, body) = (&self.character.name, clip.name(), &body.name);
            let message = format!("{file}: `{clip}` cannot be put on `{body}`: {error}");
            DoorError::new(DoorErrorKind::Character, message)
        };
        let (skeleton, rig) = (&self.character.skeleton, &self.character.rig);
        let seen = analyse(skeleton, rig, clip, &AnalysisOptions::default())
            .map_err(|error| fail(&error))?;
        // A motion in place is made to travel, so that its feet can be planted.
        let walked_off = seen.belt.map(|belt| belt.walked_off(skeleton, clip)).transpose()?;
        let source_ground = Some(seen.ground.height);
        let options = RetargetOptions {
            source_ground,
            cyclic: seen.cyclic,
            ..RetargetOptions::default()
        };
        let moving = walked_off.as_ref().unwrap_or(clip);
        let (from, to) = (RetargetRig::from(&self.character), RetargetRig::from(body));
        let made = retarget(from, moving, &seen.contacts, to, &options);
        made.map(|made| made.clip).map_err(|error| fail(&error))
    }
}
