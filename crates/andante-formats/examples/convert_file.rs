//! Reads a motion file of any format, prints what was odd about it and writes it as another.
//!
//! ```sh
//! cargo run -p andante-formats --example convert_file -- walk.bvh walk.glb
//! ```
#![allow(clippy::print_stdout)]

use andante_formats::{ReadOptions, gltf, read_file, write_file};
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(input), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err("usage: convert_file IN OUT".into());
    };
    let asset = read_file(&input, &ReadOptions::default(), None)?;
    for warning in &asset.warnings {
        println!("odd: {warning}");
    }
    for clip in &asset.clips {
        println!("{}: {} frames, {:.2} s", clip.name(), clip.frame_count(), clip.duration());
    }
    for path in write_file(&output, &asset, &gltf::GltfWriteOptions::default())? {
        println!("written: {}", path.display());
    }
    Ok(())
}
