//! What a file holds once it is read.

use andante_skeleton::{Clip, Skeleton, SkinnedMesh};

/// A character file in Andante's conventions: metres, Y up, radians.
#[derive(Clone, Debug, PartialEq)]
pub struct Asset {
    /// The joints.
    pub skeleton: Skeleton,
    /// The motions; a file with a skeleton alone has none.
    pub clips: Vec<Clip>,
    /// What the character looks like, where the file says so.
    pub mesh: Option<SkinnedMesh>,
    /// How lengths in the file became metres.
    pub units: Units,
    /// What was odd about the file and how it was dealt with.
    pub warnings: Vec<Warning>,
}

impl Asset {
    /// A skeleton and motions that were made here, in metres.
    pub fn new(skeleton: Skeleton, clips: Vec<Clip>) -> Self {
        let units = Units { scale: 1.0, source: UnitSource::Stated };
        Self { skeleton, clips, mesh: None, units, warnings: Vec::new() }
    }
}

/// How lengths in a file became metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Units {
    /// Metres per unit of the file.
    pub scale: f32,
    /// Where the scale comes from.
    pub source: UnitSource,
}

/// Where a scale comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitSource {
    /// The user gave it.
    Given,
    /// The file or its format says so.
    Stated,
    /// Guessed from the height of the skeleton; the name of the unit.
    Guessed(&'static str),
}

/// Something odd that did not stop a file from being read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Line in a text file, from 1.
    pub line: Option<usize>,
    /// What was found and what was done about it.
    pub message: String,
}

impl Warning {
    /// A warning about the file as a whole.
    pub fn new(message: impl Into<String>) -> Self {
        Self { line: None, message: message.into() }
    }

    /// A warning about a line.
    pub fn at_line(line: usize, message: impl Into<String>) -> Self {
        Self { line: Some(line), message: message.into() }
    }
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// Which axis of a file points up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum UpAxis {
    /// As everywhere in Andante.
    #[default]
    Y,
    /// Turned by −90° about X on import, so that a file that faces −Y faces +Z.
    Z,
}

/// How files are read.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ReadOptions {
    /// Metres per unit of the file. `None`: what the file says, or else a guess from the height of
    /// the skeleton.
    pub scale: Option<f32>,
    /// The axis that points up in the file.
    pub up: UpAxis,
    /// Frame rate for files that do not tell (AMC: 120 if `None`) or whose keys are not evenly
    /// spaced (glTF: guessed from the keys if `None`). Files with a rate of their own keep it.
    pub fps: Option<f32>,
}
