//! What a frame costs the processor, without what the graphics card does: `cargo run --release --example frame_cost`
//!
//! A frame is everything from input to triangles: the room, its panels, bodies in their skins, and what egui makes of it. Each
//! number is a median of many frames and the best of them; on a machine that does something else besides, the best says more.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use andante_studio::{StudioApp, StudioRoom, StudioStart};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
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

/// Milliseconds of a frame and of making triangles of what is flat in it.
fn frame(window: &mut Harness<'_, StudioApp>) -> f64 {
    let began = Instant::now();
    window.step();
    let stepped = began.elapsed();
    let shapes = window.output().shapes.clone();
    let began = Instant::now();
    let triangles = window.ctx.tessellate(shapes, 1.0);
    std::hint::black_box(triangles);
    1e3 * (stepped + began.elapsed()).as_secs_f64()
}

fn measured(window: &mut Harness<'_, StudioApp>, frames: usize) -> FrameCost {
    FrameCost::of((0..frames).map(|_| frame(window)).collect())
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

/// Ten people on hills of a hundred thousand triangles.
fn ten_people() -> std::path::PathBuf {
    let mut text = String::from(
        "version = 1\nname = \"ten\"\n[[platform]]\noutline = [[-45, -45], [45, -45], [45, 45], [-45, 45]]\nterrain = \"hills:0.1:4\"\n",
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
    let mut window = open(StudioRoom::Stage, Some("stairs".into()));
    let seconds = began.elapsed().as_secs_f64();
    println!("from nothing to a stage that plays, without the window: {seconds:.2} s (at most 2)");
    measured(&mut window, 200).tell("a frame of the stage, one person who is planned for", 16.0);
    let mut window = open(StudioRoom::Stage, Some(ten_people()));
    let triangles: usize = {
        let player = window.state().stage.player().unwrap();
        player.ground().iter().map(|mesh| mesh.indices.len() / 3).sum()
    };
    let what = format!("ten people and {triangles} triangles of ground");
    measured(&mut window, 300).tell(&format!("a frame that is played anew, {what}"), 16.0);
    // What was played is shown again: a frame without the ten people's own thoughts.
    let player = window.state_mut().stage.player_mut().unwrap();
    player.playhead = 0.0;
    measured(&mut window, 250).tell(&format!("a frame, {what}"), 4.0);
    let mut window = open(StudioRoom::Creature, None);
    measured(&mut window, 200).tell("a frame of two palettes of 30 thumbnails", 4.0);
    window.state_mut().creature.playing = false;
    measured(&mut window, 200).tell("the same with nobody in the view below who moves", 4.0);
    let masses = (0..30).map(|index| {
        let slider = window.get_all_by_label("Mass (kg)").last().unwrap();
        slider.set_value_accesskit(30.0 + f64::from(index) * 0.5);
        let before = window.state().creature.refreshed;
        let first = frame(&mut window);
        let whole = first + frame(&mut window);
        assert_eq!(window.state().creature.refreshed, before + 1, "the palettes are new");
        whole
    });
    let masses = FrameCost::of(masses.collect());
    masses.tell("a mass is edited and both palettes are new, two frames together", 33.0);
}
