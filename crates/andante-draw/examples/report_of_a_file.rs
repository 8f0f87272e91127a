//! A page with a player and filmstrips for any motion file.
//!
//! ```sh
//! cargo run -p andante-draw --example report_of_a_file -- walk.bvh report.html
//! ```
#![allow(clippy::print_stdout)]

use andante_draw::{Filmstrip, Page, Sheet, Show, View};
use andante_formats::{ReadOptions, read_file, write_atomically};
use andante_skeleton::capsule_body;
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(input), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err("usage: report_of_a_file IN OUT.html".into());
    };
    let asset = read_file(&input, &ReadOptions::default(), None)?;
    let mut page = Page::new(input.display().to_string());
    let body = asset.mesh.clone().unwrap_or_else(|| capsule_body(&asset.skeleton));
    for clip in &asset.clips {
        page.heading(clip.name());
        page.player(&Show::of_clip(&asset.skeleton, clip, &body));
        let mut sheet = Sheet::new(clip.name());
        sheet.add(Filmstrip::new(&asset.skeleton, clip).draw());
        sheet.add(Filmstrip::new(&asset.skeleton, clip).view(View::Front).draw());
        page.figure(&sheet);
    }
    write_atomically(&output, page.to_html().as_bytes())?;
    println!("{}", output.display());
    Ok(())
}
