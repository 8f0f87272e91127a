//! A gait that was found by search becomes a character of a scene: a kangaroo hops round a rock to where it is sent.
//!
//! `cargo run --release --example kangaroo_to_goal -- out/kangaroo`

use andante::body::creature;
use andante::formats::write_atomically;
use andante::gait::{FoundGait, GaitCycle, GaitProblem, GaitSketch};
use andante::stage::{PlayOptions, play, read_scene_file};
use std::io::Write;
use std::path::PathBuf;

const SCENE: &str = r#"
version = 1
name = "outback"
about = "A kangaroo hops round a rock"

[[platform]]
outline = [[-8, -4], [8, -4], [8, 16], [-8, 16]]

[[obstacle]]
name = "rock"
at = [1, 0, 5]
radius = 1
tall = 1.5

[[character]]
name = "skippy"
character = "kangaroo"
repertoire = "gait.repertoire"
start = { at = [0, 0], heading = 0 }
goal = { at = [3, 11], heading = 90 }
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or("out/kangaroo".into()));
    std::fs::create_dir_all(&folder)?;

    // The gait, simulated again, and learned from.
    let gait = FoundGait::built_in("kangaroo-hop")?.ok_or("the hop has not been found")?;
    let sketch = GaitSketch::built_in(&gait.sketch)?;
    let options = gait.options();
    let problem = GaitProblem::new(&creature(&gait.character)?, &sketch, &options)?;
    let candidate = gait.candidate(&problem)?;
    let repertoire = GaitCycle::new(&problem, &candidate).repertoire(&problem, &sketch.name)?;
    write_atomically(&folder.join("gait.repertoire"), &repertoire.to_bytes())?;

    // The scene, played.
    write_atomically(&folder.join("scene.toml"), SCENE.as_bytes())?;
    let scene = read_scene_file(&folder.join("scene.toml"))?;
    let take = play(&scene, 1, &PlayOptions::default(), |_| true)?;
    let metrics = &take.metrics()[0];
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:.1} m in {:.1} s, {} landings; feet slide {:.2} mm on average",
        metrics.way_m,
        take.seconds(),
        take.tracks[0].footprints.len(),
        metrics.motion.foot_slide_mm_mean,
    )?;
    let path = folder.join("take.glb");
    write_atomically(&path, &take.to_glb()?)?;
    writeln!(out, "written to {}", path.display())?;
    Ok(())
}
