//! Why something that was asked for is not done.

use crate::character::CharacterLoadError;
use crate::scene::SceneLoadError;
use andante_door::DoorError;
use andante_stage::{CommandError, StageError};
use andante_world::MeshError;
use bevy::asset::AssetLoadError;
use bevy::prelude::*;
use std::sync::Arc;
use thiserror::Error;

/// The error of something that was asked for and is not done, in the words of the library.
#[derive(Clone, Debug, Error)]
pub enum AndanteError {
    /// A command makes no sense, or cannot be carried out.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// A character, ground or an obstacle cannot be on the stage.
    #[error(transparent)]
    Stage(#[from] Arc<StageError>),
    /// A file has no character in it that can walk, or is no scene.
    #[error(transparent)]
    Character(#[from] DoorError),
    /// Triangles are no ground and no obstacle.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A mesh has no triangles that can be read.
    #[error("the mesh of {0} has no list of triangles with positions in memory")]
    Triangles(Entity),
    /// A collider is nothing to walk on or around.
    #[error("the collider is {0}, which has no triangles here")]
    Collider(&'static str),
    /// Ground has no side to stand on.
    #[error("no triangle of the mesh faces up")]
    FacesDown,
    /// A command was begun and failed, and why.
    #[error("{0}")]
    Failed(String),
    /// An asset was not loaded, and why.
    #[error("{0}")]
    Asset(String),
    /// Somebody of a scene whose scene is not there.
    #[error("its scene is not on the stage")]
    Scene,
    /// Somebody is meant who is not on the stage.
    #[error("{0} is not on the stage")]
    Absent(Entity),
    /// A character hangs on another entity.
    #[error("{0} is a child of another entity; characters are placed in the world")]
    Child(Entity),
    /// A scene has some of a character's joints and not all of them.
    #[error("{missing} of {count} joints are not in its scene: `{first}`")]
    Joints {
        /// How many are missing.
        missing: usize,
        /// How many the character has.
        count: usize,
        /// The first of those that are missing.
        first: String,
    },
    /// The scale of nodes above a joint turns with it into shear, which entities do not have.
    #[error("joint `{0}` is sheared by the scale of what it hangs on")]
    Sheared(String),
}

impl AndanteError {
    /// Why an asset was not loaded: in the words of the library if it was read.
    pub(crate) fn of_asset(error: &AssetLoadError) -> Self {
        let AssetLoadError::AssetLoaderError(own) = error else {
            return Self::Asset(error.to_string());
        };
        match (own.error().downcast_ref(), own.error().downcast_ref()) {
            (Some(CharacterLoadError::Character(own)), _) => Self::Character(own.clone()),
            (_, Some(SceneLoadError::Scene(own))) => Self::Character(own.clone()),
            _ => Self::Asset(error.to_string()),
        }
    }
}

impl From<StageError> for AndanteError {
    fn from(error: StageError) -> Self {
        match error {
            StageError::Command(error) => Self::Command(error),
            error => Self::Stage(Arc::new(error)),
        }
    }
}
