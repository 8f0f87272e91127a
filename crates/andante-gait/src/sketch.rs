//! Sketches of gaits: what an animator says.

pub(crate) mod built_in;
pub(crate) mod draft;
pub(crate) mod gait_sketch;
pub(crate) mod random_sketch;
pub(crate) mod sketch_file;
pub(crate) mod sketch_text;
pub(crate) mod walk_sketch;

pub use built_in::{GAITS, SKETCHES};
pub use draft::{DraftOptions, ModeShare};
pub use gait_sketch::{GaitSketch, PhaseSketch, PulseShape, StepSketch, TouchingFeet};
pub use random_sketch::Draw;
pub use sketch_file::{read_sketch, read_sketch_file};
pub use walk_sketch::PlainWalkOptions;
