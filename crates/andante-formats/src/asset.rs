//! What a file holds once it is read.

use crate::gltf::GltfDocument;
use andante_skeleton::{Clip, Skeleton, SkinnedMesh};
use std::sync::Arc;

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
    /// The glTF document it was read from: clips are written into it as long as joints and mesh are those of the document.
    pub original: Option<Arc<GltfDocument>>,
}

impl Asset {
    /// A skeleton and motions that were made here, in metres.
    pub fn new(skeleton: Skeleton, clips: Vec<Clip>) -> Self {
        let units = Units { scale: 1.0, source: UnitSource::Stated };
        Self { skeleton, clips, mesh: None, units, warnings: Vec::new(), original: None }
    }
}

/// The conversion of a file's lengths to metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Units {
    /// Metres per unit of the file.
    pub scale: f32,
    /// Where the scale comes from.
    pub source: UnitSource,
}

/// The source of a scale.
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

/// The axis of a file that points up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum UpAxis {
    /// As everywhere in Andante.
    #[default]
    Y,
    /// Turned by −90° about X on import, so that a file that faces −Y faces +Z.
    Z,
}

/// Options of reading files.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ReadOptions {
    /// Metres per unit of the file. `None`: what the file says, or else a guess from the height of
    /// the skeleton.
    pub scale: Option<f32>,
    /// The axis that points up in the file.
    pub up: UpAxis,
    /// Whether `up` was told: then it holds even where a reader would go by what it sees.
    pub up_is_told: bool,
    /// Frames per second. BVH files and `.npz` archives that state a rate keep it; for others this counts. glTF and FBX are
    /// sampled at it, and AMC is played at it. `None`: what the file states (FBX, AMC), a guess from the keys (glTF), or
    /// else what [`ReadOptions::guesses`] has.
    pub fps: Option<f32>,
    /// How much a file may ask for.
    pub limits: ReadLimits,
    /// What is assumed where a file does not tell.
    pub guesses: ReadGuesses,
}

andante_skeleton::settings! {
    /// Limits on what a file may ask for, which keep a small file, broken or made to do harm, from filling the memory.
    /// Real files are far below them. 0 refuses nearly every file; the largest numbers switch a limit off.
    pub struct ReadLimits {
        /// Bytes of the largest file of motions, meshes or numbers that is read, and of all pictures of an FBX file together.
        /// Takes, which are read piece by piece, may be longer.
        file: u64 = 1 << 30;
        /// Bytes of the longest text that people write: scenes, characters, sketches, robots.
        document: u64 = 16 << 20;
        /// Whether a path inside a file may lead out of the folder of that file.
        outside: bool = false;
        /// Metres from the origin of the farthest coordinate: beyond it, single precision holds no body.
        reach: f32 = 1e6, 1.0..=1e9;
        /// Transforms (32 bytes each) that the clips of any file may have together.
        transforms: usize = 1 << 21;
        /// Further transforms per byte of the file. Frames of real text files have about 24 bytes per joint.
        transforms_per_byte: usize = 4;
        /// Transforms that a frame of a glTF file counts as at least, so that the clip of a single joint is not endless
        /// either: with 16, some 70 minutes at 30 frames/s.
        transforms_per_frame: usize = 16;
        /// Bytes that the accessors and images of any glTF file may be decoded to together; also what the scene of an FBX
        /// file may take, its meshes and clips as glTF (its pictures count by themselves), and the arrays of an `.npz`
        /// archive.
        decoded: u64 = 64 << 20;
        /// Further decoded bytes per byte of the file and its buffers.
        decoded_per_byte: u64 = 64;
        /// Bytes of the largest image that is read from beside a glTF or FBX file.
        image: u64 = 256 << 20;
        /// Bytes of the longest line of a motion file. Real ones have seven values.
        line: usize = 1 << 16;
        /// Odd lines of a motion file that are reported; further ones are passed over.
        odd_lines: usize = 20;
    }

    /// Assumptions where a file does not tell, and thresholds of what is worth a remark.
    pub struct ReadGuesses {
        /// Frames per second of a BVH file without a frame time, as in most film and game work; also of glTF keys that
        /// are all at one time.
        fps: f32 = 30.0, 24.0..=120.0;
        /// Frames per second of an AMC file: those of the Carnegie Mellon database.
        amc_fps: f32 = 120.0, 30.0..=240.0;
        /// Frames per second that glTF animations are made at, in the order in which they are tried on keys that are not
        /// evenly spaced. None: such keys are sampled more densely than they are.
        usual_fps: Vec<f64> = [30, 24, 25, 60, 48, 50, 72, 90, 100, 120, 144, 200, 240].map(f64::from).to_vec();
        /// Frames per second that evenly spaced glTF keys are taken at their own (8…1000): slower ones are tried with the
        /// usual rates.
        own_fps: std::ops::Range<f64> = 8.0..1000.0;
        /// How far off a frame a glTF key may be, in frames. 0.5 lets every rate fit.
        off_frame: f64 = 0.02, 0.001..=0.1;
        /// How far the scale of a joint may change before it is worth a warning, as a ratio.
        scale_change: f64 = 1e-3, 0.0..=0.1;
        /// The height, in metres, that the guess of a file's unit aims at: that of a person.
        height: f32 = 1.7, 1.0..=2.0;
    }
}
