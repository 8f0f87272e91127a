//! Anybody from a file: its bones understood, its skin kept, and what it can do.

use andante_formats::{
    Asset, Format, ReadError, ReadLimits, ReadOptions, Warning, read_file, read_memory,
};
use andante_motion::repertoire::{BuildError, for_character};
use andante_motion::rig::{self, RigError, SideOptions, StandingRest, UpOptions, UprightOptions};
use andante_play::repertoire::Repertoire;
use andante_skeleton::{Character, Clip, SkinnedMesh};
use glam::Vec3;
use std::path::Path;
use std::sync::Arc;
use thiserror::Error;

/// The error of a file in which nobody can walk.
#[derive(Debug, Error)]
pub enum CharacterFileError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Its joints are not understood.
    #[error("{0}: {1}")]
    Rig(String, RigError),
    /// Nothing can be made of it.
    #[error("{0}: {1}")]
    Build(String, BuildError),
}

/// A character as a file has it.
#[derive(Clone, Debug)]
pub struct CharacterFile {
    /// Its joints and what they are for, called like the file.
    pub character: Character,
    /// What it looks like.
    pub skin: Option<Arc<SkinnedMesh>>,
    /// Motions of its own.
    pub clips: Vec<Clip>,
    /// What was odd about the file, and what was guessed.
    pub warnings: Vec<String>,
}

/// No character of a file is taller than this, in metres, or smaller than the other: it is in another unit than it says.
const TALLEST: f32 = 8.0;
const SMALLEST: f32 = 0.08;

impl CharacterFile {
    /// Reads it. With a height, in metres, it is made as tall as that; without, a body taller than a house is taken to
    /// be in centimetres.
    pub fn read(
        path: &Path,
        height: Option<f32>,
        limits: &ReadLimits,
    ) -> Result<Self, CharacterFileError> {
        Self::understood(path, height, limits, |options| read_file(path, options, None))
    }

    /// The same from memory: `path`, which is not opened, tells the format and the name.
    pub fn from_memory(
        path: &Path,
        bytes: &[u8],
        height: Option<f32>,
        limits: &ReadLimits,
    ) -> Result<Self, CharacterFileError> {
        Self::understood(path, height, limits, |options| read_memory(path, bytes, options))
    }

    fn understood(
        path: &Path,
        height: Option<f32>,
        limits: &ReadLimits,
        read: impl Fn(&ReadOptions) -> Result<Asset, ReadError>,
    ) -> Result<Self, CharacterFileError> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let options = ReadOptions { limits: limits.clone(), ..ReadOptions::default() };
        let mut asset = on_its_feet(path, read(&options)?);
        let tall = tallness(&asset);
        let guessed = if tall > TALLEST {
            0.01
        } else if tall > 0.0 && tall < SMALLEST {
            100.0
        } else {
            1.0
        };
        let factor = height.filter(|_| tall > 0.0).map_or(guessed, |height| height / tall);
        if factor != 1.0 {
            let scale = Some(asset.units.scale * factor);
            asset = on_its_feet(path, read(&ReadOptions { scale, ..options })?);
            if height.is_none() {
                asset.warnings.push(Warning::new(format!(
                    "it would be {tall:.2} m tall: another unit than metres is assumed, and {:.2} m",
                    tallness(&asset)
                )));
            }
        }
        let rig = rig::detect(&asset.skeleton, &asset.clips)
            .map_err(|error| CharacterFileError::Rig(path.display().to_string(), error))?;
        let mut warnings: Vec<String> =
            asset.warnings.iter().map(|warning| warning.to_string()).collect();
        let told = asset.skeleton.has_said_roles();
        let doubt = rig::side_doubt(&asset.skeleton, &rig, &asset.clips, &SideOptions::default());
        warnings.extend(doubt.filter(|_| !told).map(|doubt| doubt.to_string()));
        // A rest pose that stands is taken as it is: soles are level there.
        let another = UprightOptions::default().another;
        let options = UprightOptions { believed: another, ..UprightOptions::default() };
        let skeleton = match rig::rest_pose(&asset.skeleton, &rig, &asset.clips, &options) {
            StandingRest::Seen(standing) => standing,
            StandingRest::Stands => asset.skeleton,
            StandingRest::Unknown => {
                warnings.push(
                    "its rest pose does not stand, and no motion shows it standing: trunk, head and hands may be turned wrongly".into(),
                );
                asset.skeleton
            }
        };
        let (skin, clips) = (asset.mesh.map(Arc::new), asset.clips);
        Ok(Self { character: Character::new(name, skeleton, rig), skin, clips, warnings })
    }

    /// The repertoire of the character: its own clips, and what it learns from the built-in human.
    pub fn repertoire(&self) -> Result<Repertoire, CharacterFileError> {
        for_character(&self.character, &self.clips, self.skin.as_deref())
            .map_err(|error| CharacterFileError::Build(self.character.name.clone(), error))
    }
}

/// The largest side of the skin, or of the bones, at rest: that of the first frame where the rest pose has no extent.
fn tallness(asset: &Asset) -> f32 {
    let (low, high) = asset.skeleton.rest_bounds();
    (high - low).max_element()
}

/// Motion files do not tell which axis points up; glTF files do, and those of FBX not always rightly. A file whose legs lead down along another axis than Y is
/// put on its feet, with a warning that says so.
pub fn on_its_feet(path: &Path, mut asset: Asset) -> Asset {
    let tells = match Format::of(path) {
        Some(Format::Bvh | Format::Acclaim) => false,
        // What it says is often wrong; a skin says that somebody has looked.
        Some(Format::Fbx) => asset.mesh.is_some(),
        _ => true,
    };
    if tells {
        return asset;
    }
    let turn = rig::up_axis(&asset.skeleton, &asset.clips, &UpOptions::default());
    let turned = turn.and_then(|turn| rig::described(&asset.skeleton, &asset.clips, turn));
    if let (Some(turn), Some((skeleton, clips))) = (turn, turned) {
        (asset.skeleton, asset.clips) = (skeleton, clips);
        let up = turn.conjugate() * Vec3::Y;
        let axes = [(Vec3::X, "+X"), (-Vec3::X, "−X"), (Vec3::Z, "+Z"), (-Vec3::Z, "−Z")];
        let axis =
            axes.iter().find(|(axis, _)| axis.dot(up) > 0.9).map_or("−Y", |(_, name)| name);
        asset.warnings.push(Warning::new(format!(
            "legs lead down along another axis than Y: {axis} is taken for up"
        )));
    }
    asset
}
