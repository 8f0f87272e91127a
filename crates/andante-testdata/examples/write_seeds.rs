//! Writes the seeds of those fuzz targets whose files are not text, into `fuzz/seeds`.
//!
//! `cargo run -p andante-testdata --example write_seeds`

use andante_gait::{GaitProblem, GaitSketch, ProblemOptions, Search, SearchOptions};
use andante_play::repertoire::Repertoire;
use andante_skeleton::humanoid;
use andante_stage::{PlayOptions, TakeSource, play, read_scene};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

const YARD: &str = r#"
version = 1
name = "yard"
[[platform]]
outline = [[-2, -2], [2, -2], [2, 2], [-2, 2]]
[[obstacle]]
at = [1, 0, 1]
box = [0.2, 1, 0.2]
[[character]]
name = "Anna"
start = { at = [0, 0] }
goal = { at = [0, 0.4] }
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");

    let mut take = play(&read_scene(YARD)?, 1, &PlayOptions::default(), |_| true)?;
    // One piece of a file is enough, and short seeds are tried more often.
    let short = (0..take.tracks.len()).map(|track| take.part(track, 0..12));
    take.tracks = short.collect::<Result<_, _>>()?;
    std::fs::write(seeds.join("take/yard.take"), take.to_bytes()?)?;

    let all = andante_motion::repertoire::built_in(&humanoid())?;
    let one = all.clips().iter().take(1).cloned().collect();
    let small = Repertoire::new(all.character().clone(), one)?;
    std::fs::write(seeds.join("repertoire/one-clip.repertoire"), small.to_bytes())?;

    let sketch = GaitSketch::built_in("kangaroo-hop")?;
    let body = andante_body::creature(&sketch.character)?;
    let problem = Arc::new(GaitProblem::new(&body, &sketch, &ProblemOptions::default())?);
    let mut search = Search::new(problem, &SearchOptions::default(), 0)?;
    search.save(&seeds.join("checkpoint/first.search"))?;
    search.step();
    search.save(&seeds.join("checkpoint/second.search"))?;
    Ok(())
}
