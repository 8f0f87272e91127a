//! What a frame costs the processor, without what the graphics card does: `cargo run --release --example frame_cost`
//!
//! A frame is everything from input to triangles: the room, its panels, bodies in their skins, and what egui makes of it. Each
//! number is a median of many frames and the best of them; on a machine that does something else besides, the best says more.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use andante_studio::{CreatureDesk, StudioMonkey, StudioProject, StudioRoom, StudioStart};
use std::path::PathBuf;
use std::time::Instant;

/// What frames cost, in milliseconds.
struct FrameCost {
    median: f64,
    best: f64,
}

impl FrameCost {
    fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        Self { median: times[times.len() / 2], best: times[0] }
    }

    fn tell(&self, what: &str, most: f64) {
        let Self { median, best } = self;
        println!("{what}: median {median:.2} ms, best {best:.2} ms (at most {most:.0})");
    }
}

/// Milliseconds of so many frames.
fn measured(studio: &mut StudioMonkey, frames: usize) -> FrameCost {
    let times = (0..frames).map(|_| {
        let began = Instant::now();
        std::hint::black_box(studio.draw());
        1e3 * began.elapsed().as_secs_f64()
    });
    FrameCost::of(times.collect())
}

/// A studio without a window, and without anybody who reads it aloud.
fn open(room: StudioRoom, file: Option<PathBuf>) -> StudioMonkey {
    let start = StudioStart { room: Some(room), file, ..StudioStart::default() };
    let mut studio = StudioMonkey::new(1, start);
    for _ in 0..30 {
        studio.draw();
    }
    studio
}

/// Ten people on hills of a hundred thousand triangles.
fn ten_people() -> PathBuf {
    let mut text = String::from(
        "version = 1\nname = \"ten\"\n[[platform]]\noutline = [[-28, -28], [28, -28], [28, 28], [-28, 28]]\nterrain = \"hills:0.1:4\"\n",
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
    path
}

fn main() {
    if let Ok(load) = std::fs::read_to_string("/proc/loadavg") {
        println!("load of the machine: {}", load.trim());
    }
    let began = Instant::now();
    let mut studio = open(StudioRoom::Stage, Some("stairs".into()));
    let seconds = began.elapsed().as_secs_f64();
    println!("from nothing to a stage that plays, without the window: {seconds:.2} s (at most 2)");
    measured(&mut studio, 200)
        .tell("a frame of the stage, one person who is led and planned for", 16.0);
    let mut studio = open(StudioRoom::Stage, Some(ten_people()));
    let player = studio.app.stage.player().unwrap();
    let triangles: usize = player.ground().iter().map(|mesh| mesh.indices.len() / 3).sum();
    let what = format!("ten people and {triangles} triangles of ground");
    measured(&mut studio, 300).tell(&format!("{what}, with all that ten people think"), 16.0);
    // What was played is shown again: the picture alone.
    studio.app.stage.player_mut().unwrap().playhead = 0.0;
    measured(&mut studio, 250).tell(&format!("{what}, the picture"), 4.0);
    let mut studio = open(StudioRoom::Creature, None);
    measured(&mut studio, 200).tell("palettes and three bodies in motion below them", 16.0);
    studio.app.creature.playing = false;
    measured(&mut studio, 200).tell("two palettes of 30 thumbnails", 4.0);
    let project = StudioProject::default();
    let desk = CreatureDesk::new(&project.body, &project.sketch, 0).unwrap();
    let masses = (0..30).map(|index| {
        let began = Instant::now();
        let body = desk.with_mass(0, 30.0 + 0.5 * f64::from(index)).unwrap();
        let edited = CreatureDesk::new(&body, &project.sketch, 0).unwrap();
        let time = 1e3 * began.elapsed().as_secs_f64();
        assert_ne!(edited.modes[0].modes[5].hz(), desk.modes[0].modes[5].hz());
        time
    });
    FrameCost::of(masses.collect()).tell("a mass is edited: both palettes anew", 16.0);
}
