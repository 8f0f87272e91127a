//! What the examples share.

use andante_gait::{GaitSketch, read_sketch_file};
use std::error::Error;
use std::path::Path;

/// A built-in sketch, or one of a file.
pub fn open_sketch(name: &str) -> Result<GaitSketch, Box<dyn Error>> {
    if name.ends_with(".toml") {
        Ok(read_sketch_file(Path::new(name))?)
    } else {
        Ok(GaitSketch::built_in(name)?)
    }
}
