//! What the examples share.
#![allow(dead_code)]

use andante_gait::{GaitSketch, read_sketch_file};
use std::error::Error;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

/// A built-in sketch, or one of a file.
pub fn open_sketch(name: &str) -> Result<GaitSketch, Box<dyn Error>> {
    if name.ends_with(".toml") {
        Ok(read_sketch_file(Path::new(name), &Default::default())?)
    } else {
        Ok(GaitSketch::built_in(name)?)
    }
}

/// Seconds since the first time that it was asked for.
pub fn seconds() -> f64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed().as_secs_f64()
}
