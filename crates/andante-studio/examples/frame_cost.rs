//! What a frame costs the processor, without what the graphics card does: `cargo run --release --example frame_cost`

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use andante_studio::{StudioApp, StudioRoom, StudioStart};
use egui_kittest::Harness;
use std::time::Instant;

/// The median of frames, in milliseconds.
fn median(window: &mut Harness<'_, StudioApp>, frames: usize) -> f64 {
    let mut times: Vec<f64> = (0..frames)
        .map(|_| {
            let began = Instant::now();
            window.step();
            1e3 * began.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[frames / 2]
}

fn open(room: StudioRoom, file: Option<std::path::PathBuf>) -> Harness<'static, StudioApp> {
    let start = StudioStart { room: Some(room), file, ..StudioStart::default() };
    let mut window = Harness::builder()
        .with_size([1280.0, 800.0])
        .with_step_dt(1.0 / 60.0)
        .allow_missing_glyphs()
        .build_eframe(|creation| StudioApp::new(&creation.egui_ctx, start));
    window.run_steps(3);
    while !window.state().is_calm() {
        window.step();
    }
    window.run_steps(30);
    window
}

fn main() {
    // Ten people on hills of a hundred thousand triangles.
    let mut text = String::from(
        "version = 1\nname = \"ten\"\n[[platform]]\noutline = [[-30, -30], [30, -30], [30, 30], [-30, 30]]\nterrain = \"hills:0.1:4\"\n",
    );
    for who in 0..10 {
        let x = 2 * who - 9;
        text += &format!(
            "[[character]]\nname = \"{who}\"\nstart = {{ at = [{x}, -8], heading = 0 }}\ngoal = {{ at = [{x}, 12] }}\nrun = false\n"
        );
    }
    let folder = std::env::temp_dir().join("andante-frame-cost");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("ten.toml");
    std::fs::write(&path, text).unwrap();
    let began = Instant::now();
    let mut window = open(StudioRoom::Stage, Some("stairs".into()));
    println!(
        "from nothing to a stage that plays, without the window itself: {:.2} s",
        began.elapsed().as_secs_f64()
    );
    println!("a frame of the stage, one person: {:.2} ms", median(&mut window, 200));
    let mut window = open(StudioRoom::Stage, Some(path));
    let triangles: usize = {
        let player = window.state().stage.player().unwrap();
        player.ground().iter().map(|mesh| mesh.indices.len() / 3).sum()
    };
    println!(
        "a frame of the stage, ten people, {triangles} triangles of ground: {:.2} ms",
        median(&mut window, 200)
    );
    let mut window = open(StudioRoom::Creature, None);
    println!("a frame of two palettes of 30 thumbnails: {:.2} ms", median(&mut window, 200));
}
