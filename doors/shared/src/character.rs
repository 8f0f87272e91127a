//! Somebody who can walk, shared by whoever plays it.

use crate::error::{DoorError, DoorErrorKind, within};
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

fn tall(height: Option<f32>) -> Result<Option<f32>, DoorError> {
    height.map(|height| within("height", height, TALL, " m")).transpose()
}

impl SharedCharacter {
    /// The built-in human, as tall as it is or as tall as is said, in metres.
    pub fn humanoid(height: Option<f32>) -> Result<Self, DoorError> {
        let body = tall(height)?.map_or_else(humanoid, humanoid_of_height);
        Ok(Self { repertoire: Arc::new(built_in(&body)?), skin: None, warnings: Arc::new([]) })
    }

    /// Somebody from a file.
    pub fn read(path: &Path, height: Option<f32>) -> Result<Self, DoorError> {
        Self::of(CharacterFile::read(path, tall(height)?, &ReadLimits::default())?)
    }

    /// Somebody from a file that is in memory; its name tells the format.
    pub fn from_memory(name: &str, bytes: &[u8], height: Option<f32>) -> Result<Self, DoorError> {
        let limits = ReadLimits::default();
        Self::of(CharacterFile::from_memory(Path::new(name), bytes, tall(height)?, &limits)?)
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
