//! Characters as assets.

use andante_door::{DoorError, SharedCharacter, SharedMotions};
use bevy::asset::io::Reader;
use bevy::asset::io::embedded::EmbeddedAssetRegistry;
use bevy::asset::{AssetLoader, LoadContext, ReadAssetBytesError};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;
use thiserror::Error;

/// A character of a file, understood and ready to walk: its joints, its clips, and what it learns from the built-in human.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct AndanteCharacter(SharedCharacter);

impl AndanteCharacter {
    /// Reads a file that is no asset. With a height, in metres, it is made as tall as that.
    pub fn read(path: &Path, height: Option<f32>) -> Result<Self, DoorError> {
        SharedCharacter::read(path, height).map(Self)
    }

    /// What it is and can do.
    pub fn shared(&self) -> &SharedCharacter {
        &self.0
    }
}

impl From<SharedCharacter> for AndanteCharacter {
    fn from(character: SharedCharacter) -> Self {
        Self(character)
    }
}

/// The settings of a character that is loaded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CharacterSettings {
    /// How tall it is made, in metres; as tall as its file says if it is not given.
    pub height: Option<f32>,
    /// Other files whose clips it moves by, as assets: glTF files of motions without a body, say. They may be made for other
    /// bones.
    pub motions: Vec<String>,
}

/// The loader of characters: `asset_server.load::<AndanteCharacter>("hero.glb")`, beside the frame.
///
/// Of extensions it claims but those of repertoires (`.rep`, `.repertoire`), so that scenes of glTF files go to Bevy's own loader: the
/// type of the asset is what chooses it.
#[derive(Default, TypePath)]
pub struct CharacterLoader;

/// An error that keeps a character from being loaded.
#[derive(Debug, Error)]
pub enum CharacterLoadError {
    /// The file cannot be had.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A file of motions cannot be had.
    #[error(transparent)]
    Motions(#[from] ReadAssetBytesError),
    /// Nobody in it can walk.
    #[error(transparent)]
    Character(#[from] DoorError),
}

impl AssetLoader for CharacterLoader {
    type Asset = AndanteCharacter;
    type Settings = CharacterSettings;
    type Error = CharacterLoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        settings: &CharacterSettings,
        context: &mut LoadContext<'_>,
    ) -> Result<AndanteCharacter, CharacterLoadError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let name = context.path().path().to_string_lossy().into_owned();
        let mut motions = Vec::with_capacity(settings.motions.len());
        for path in &settings.motions {
            let bytes = context.read_asset_bytes(path).await?;
            motions.push(SharedMotions::from_memory(path, &bytes)?);
        }
        let own = SharedCharacter::from_memory_with(&name, &bytes, settings.height, &motions)?;
        Ok(AndanteCharacter(own))
    }

    fn extensions(&self) -> &[&str] {
        &["rep", "repertoire"]
    }
}

/// Puts the built-in human and its skin among the embedded assets of a world, and returns where: load the character and the scene from
/// there, as from a file.
pub fn embed_human(
    world: &World,
    height: Option<f32>,
) -> Result<bevy::asset::AssetPath<'static>, DoorError> {
    let name = height.map_or_else(|| "human.glb".into(), |height| format!("human-{height}.glb"));
    let bytes = SharedCharacter::humanoid(height)?.glb()?;
    if let Some(embedded) = world.get_resource::<EmbeddedAssetRegistry>() {
        embedded.insert_asset(name.clone().into(), Path::new(&name), bytes);
    }
    Ok(bevy::asset::AssetPath::from(format!("embedded://{name}")).into_owned())
}
