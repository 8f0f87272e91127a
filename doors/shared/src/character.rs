//! Somebody who can walk, shared by whoever plays it.

use crate::error::{DoorError, DoorErrorKind, within};
use crate::motions::SharedMotions;
use andante_formats::gate::read_bytes;
use andante_formats::gltf::{GltfWriteOptions, write_glb};
use andante_formats::{Asset, ReadLimits};
use andante_motion::repertoire::built_in;
use andante_play::GroundClip;
use andante_play::repertoire::Repertoire;
use andante_skeleton::{Character, SkinnedMesh, humanoid, humanoid_of_height};
use andante_stage::CharacterFile;
use std::path::Path;
use std::sync::Arc;

/// A character, what it looks like and what it can do. Cheap to clone.
#[derive(Clone, Debug)]
pub struct SharedCharacter {
    repertoire: Arc<Repertoire>,
    skin: Option<Arc<SkinnedMesh>>,
    warnings: Arc<[String]>,
}

/// How tall characters can be asked to be, in metres: as stages have it.
const TALL: std::ops::RangeInclusive<f32> = 0.5..=3.0;

/// Whether a file is one that `andante repertoire` or a search for gaits writes.
fn is_repertoire(path: &Path) -> bool {
    path.extension().is_some_and(|own| own == "rep" || own == "repertoire")
}

fn tall(height: Option<f32>) -> Result<Option<f32>, DoorError> {
    height.map(|height| within("height", height, TALL, " m")).transpose()
}

impl SharedCharacter {
    /// The built-in human, as tall as it is or as tall as is said, in metres.
    pub fn humanoid(height: Option<f32>) -> Result<Self, DoorError> {
        let body = tall(height)?.map_or_else(humanoid, humanoid_of_height);
        Ok(Self { repertoire: Arc::new(built_in(&body)?), skin: None, warnings: Arc::new([]) })
    }

    /// Somebody from a file: of bones and skin, or a repertoire (`.rep`, `.repertoire`).
    pub fn read(path: &Path, height: Option<f32>) -> Result<Self, DoorError> {
        if is_repertoire(path) {
            let bytes = read_bytes(path, &ReadLimits::default())?;
            return Self::of_repertoire(&path.display().to_string(), &bytes, height);
        }
        Self::of(CharacterFile::read(path, tall(height)?, &ReadLimits::default())?)
    }

    /// Somebody from a file that is in memory; its name tells the format. Repertoires know whose they are.
    pub fn from_memory(name: &str, bytes: &[u8], height: Option<f32>) -> Result<Self, DoorError> {
        Self::from_memory_with(name, bytes, height, &[])
    }

    /// The same who also moves by the motions of other files.
    pub fn from_memory_with(
        name: &str,
        bytes: &[u8],
        height: Option<f32>,
        motions: &[SharedMotions],
    ) -> Result<Self, DoorError> {
        if is_repertoire(Path::new(name)) {
            if motions.is_empty() {
                return Self::of_repertoire(name, bytes, height);
            }
            let message = format!("{name}: a repertoire has its motions; it learns no others");
            return Err(DoorError::argument(message));
        }
        let limits = ReadLimits::default();
        let mut file = CharacterFile::from_memory(Path::new(name), bytes, tall(height)?, &limits)?;
        for own in motions {
            let clips = own.on(&file.character)?;
            file.clips.extend(clips);
        }
        Self::of(file)
    }

    fn of_repertoire(name: &str, bytes: &[u8], height: Option<f32>) -> Result<Self, DoorError> {
        if height.is_some() {
            let message =
                format!("{name}: a repertoire is as tall as it is; it has no other height");
            return Err(DoorError::argument(message));
        }
        let own = Repertoire::from_bytes(bytes)
            .map_err(|error| DoorError::new(DoorErrorKind::Read, format!("{name}: {error}")))?;
        Ok(Self { repertoire: Arc::new(own), skin: None, warnings: Arc::new([]) })
    }

    fn of(file: CharacterFile) -> Result<Self, DoorError> {
        let repertoire = Arc::new(file.repertoire()?);
        Ok(Self { repertoire, skin: file.skin, warnings: file.warnings.into() })
    }

    /// Its joints and what they are for.
    pub fn character(&self) -> &Character {
        self.repertoire.character()
    }

    /// What it can do.
    pub fn repertoire(&self) -> &Arc<Repertoire> {
        &self.repertoire
    }

    /// What it looks like, if its file says so.
    pub fn skin(&self) -> Option<&SkinnedMesh> {
        self.skin.as_deref()
    }

    /// What was odd about its file.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Its bones and its skin as a binary glTF file, in our conventions and without scale, so that poses can be written to its
    /// joints as they are; joint `i` of its skin is joint `i` here. Who has no skin is a mannequin.
    pub fn glb(&self) -> Result<Vec<u8>, DoorError> {
        let mut asset = Asset::new(self.character().skeleton.clone(), Vec::new());
        asset.mesh = self.skin().cloned();
        Ok(write_glb(&asset, &GltfWriteOptions::default())?)
    }

    /// One of its clips, ready for the ground.
    pub fn ground_clip(&self, name: &str) -> Result<GroundClip, DoorError> {
        let clip = self.repertoire.find(name).ok_or_else(|| {
            let names: Vec<&str> = self.repertoire.clips().iter().map(|clip| clip.name()).collect();
            let names = names.join(", ");
            let message = format!("there is no clip named `{name}`; there are {names}");
            DoorError::new(DoorErrorKind::Argument, message)
        })?;
        Ok(GroundClip::from_repertoire(&self.repertoire, clip)?)
    }
}
