//! What is wrong with a terrain.

use crate::{GridError, MeshError, ProfileError};
use andante_skeleton::SettingError;
use std::path::PathBuf;
use thiserror::Error;

/// What a terrain can be, for messages.
pub(crate) const WORDS: &str = "flat, slope:DEG[:HEADING_DEG], stairs:RISE:RUN, hills:AMPLITUDE:WAVELENGTH, \
                                random:SEED, or a .csv, .obj, .3ds, .glb or .gltf file";

/// The error of a terrain that does not exist or cannot be made.
#[derive(Debug, Error)]
pub enum TerrainError {
    /// Not a name of a terrain, nor a file of a kind that holds one.
    #[error("`{word}` is not a terrain; use {WORDS}")]
    Unknown {
        /// What was given.
        word: String,
    },
    /// Too few or too many numbers after the name.
    #[error("`{word}`: expected {form}, as in `{example}`")]
    Form {
        /// What was given.
        word: String,
        /// What it should look like.
        form: &'static str,
        /// One that works.
        example: &'static str,
    },
    /// A part that should be a number and is not.
    #[error("`{word}`: {name} is not a number: `{part}`; expected {form}, as in `{example}`")]
    Number {
        /// What was given.
        word: String,
        /// The name of the number.
        name: &'static str,
        /// What stands in its place.
        part: String,
        /// What it should look like.
        form: &'static str,
        /// One that works.
        example: &'static str,
    },
    /// A number that makes no ground to walk on.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A motion file: its terrain is what was walked on, which takes an analysis of the motion to find.
    #[error("{}: a motion is not a terrain; its footfalls are", .0.display())]
    Motion(PathBuf),
    /// The file cannot be read.
    #[cfg(feature = "files")]
    #[error(transparent)]
    File(#[from] andante_formats::ReadError),
    /// The triangles make no ground.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The heights make no grid.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The heights make no profile.
    #[error(transparent)]
    Profile(#[from] ProfileError),
}
