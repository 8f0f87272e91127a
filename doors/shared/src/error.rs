//! Errors as doors hand them on.

use andante_body::{CharacterError, LimbsError, PhysiqueError, PushError};
use andante_dynamics::SimulationError;
use andante_formats::{ReadError, WriteFileError, gltf};
use andante_motion::repertoire::BuildError;
use andante_play::blend_space::PlayerError;
use andante_play::{GroundClipError, GroundingError};
use andante_skeleton::{ClipError, SkeletonError};
use andante_stage::{CharacterFileError, CommandError, StageError};
use andante_world::TerrainError;
use std::error::Error;
use std::fmt;
use std::ops::RangeInclusive;

/// The kind of an error: what a program may want to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoorErrorKind {
    /// An argument is not one that it may be.
    Argument,
    /// A file or a text cannot be read.
    Read,
    /// A file cannot be written.
    Write,
    /// A character or a body cannot do that.
    Character,
    /// Somebody is meant who is not on the stage.
    Gone,
    /// It makes no sense, or cannot be done as things are.
    Refused,
}

/// An error with the words that the library has for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoorError {
    /// What kind it is.
    pub kind: DoorErrorKind,
    /// The library's own words.
    pub message: String,
}

impl DoorError {
    /// An error of a kind, in words.
    pub fn new(kind: DoorErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// An argument that is not one that it may be.
    pub fn argument(message: impl Into<String>) -> Self {
        Self::new(DoorErrorKind::Argument, message)
    }
}

impl fmt::Display for DoorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for DoorError {}

/// A number that must be within a range; refused in the words of a stage, also if it is no number.
pub fn within(
    argument: &'static str,
    value: f32,
    range: RangeInclusive<f32>,
    unit: &'static str,
) -> Result<f32, DoorError> {
    if range.contains(&value) {
        return Ok(value);
    }
    let [value, least, most] = [value, *range.start(), *range.end()].map(f64::from);
    Err(DoorError::from(CommandError::Number { argument, value, least, most, unit }))
}

impl From<CommandError> for DoorError {
    fn from(error: CommandError) -> Self {
        let kind = match &error {
            CommandError::Gone(_) => DoorErrorKind::Gone,
            CommandError::Number { .. } | CommandError::Count { .. } => DoorErrorKind::Argument,
            _ => DoorErrorKind::Refused,
        };
        Self::new(kind, error.to_string())
    }
}

impl From<StageError> for DoorError {
    fn from(error: StageError) -> Self {
        match error {
            StageError::Command(error) => error.into(),
            error => Self::new(DoorErrorKind::Refused, error.to_string()),
        }
    }
}

impl From<CharacterFileError> for DoorError {
    fn from(error: CharacterFileError) -> Self {
        let kind = match &error {
            CharacterFileError::Read(_) => DoorErrorKind::Read,
            _ => DoorErrorKind::Character,
        };
        Self::new(kind, error.to_string())
    }
}

impl From<GroundingError> for DoorError {
    fn from(error: GroundingError) -> Self {
        let kind = match &error {
            GroundingError::Character(_) => DoorErrorKind::Character,
            GroundingError::Number { .. }
            | GroundingError::Joints { .. }
            | GroundingError::Pose(_)
            | GroundingError::Support(_) => DoorErrorKind::Argument,
        };
        Self::new(kind, error.to_string())
    }
}

macro_rules! kinds {
    ($($error:ty => $kind:ident),+ $(,)?) => {
        $(impl From<$error> for DoorError {
            fn from(error: $error) -> Self {
                Self::new(DoorErrorKind::$kind, error.to_string())
            }
        })+
    };
}

kinds! {
    ReadError => Read,
    WriteFileError => Write,
    gltf::WriteError => Write,
    BuildError => Character,
    PlayerError => Character,
    GroundClipError => Character,
    PhysiqueError => Character,
    CharacterError => Character,
    LimbsError => Character,
    ClipError => Argument,
    SkeletonError => Argument,
    PushError => Argument,
    SimulationError => Argument,
    TerrainError => Argument,
}
