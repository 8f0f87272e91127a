//! Drafts a sketch for a body whose modes say little to the eye: looks for a gait with the feet and times of a sketch by driving
//! single joints, then prints the modes that make up its torques, and a sketch file of them. A walk begins with
//! the torques of legs whose feet go on a path.
//!
//! `cargo run --release -p andante-gait --example draft_sketch [SKETCH [SIMULATIONS [SEED [THREADS]]]]`

mod common;

use andante_gait::{DraftOptions, GaitProblem, ProblemOptions, Search, SearchOptions};
use common::open_sketch;
use std::error::Error;
use std::io::Write;
use std::sync::Arc;

/// Modes that are printed for every phase.
const SHOWN: usize = 14;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or("basic-run".into());
    let most: u64 = args.next().map_or(Ok(300_000), |text| text.parse())?;
    let seed: u64 = args.next().map_or(Ok(1), |text| text.parse())?;
    let threads: usize = args.next().map_or(Ok(0), |text| text.parse())?;
    let sketch = open_sketch(&name)?;
    let body = andante_body::creature(&sketch.character)?;
    let options = ProblemOptions { canonical: true, ..ProblemOptions::default() };
    let problem = Arc::new(GaitProblem::new(&body, &sketch, &options)?);
    let options = SearchOptions { seed, ..SearchOptions::default() };
    let mut search = Search::new(Arc::clone(&problem), &options, threads)?;
    let mut out = std::io::stdout().lock();
    let mut shown = 0;
    while !search.is_over() && search.evaluations() < most {
        search.step();
        let Some(now) = search.history().last() else { continue };
        if now.evaluations >= shown + 20_000 {
            shown = now.evaluations;
            writeln!(out, "# {shown} simulations: merit {:.2}", now.merit)?;
        }
    }
    let Some(best) = search.best() else { return Ok(()) };
    let candidate = problem.decode(&best.point);
    let wrong = problem.complaints(&best.trial);
    let verdict = if wrong.is_empty() { "valid".into() } else { wrong.join(", ") };
    writeln!(
        out,
        "# {} simulations, {:.2} m/s, {verdict}",
        search.evaluations(),
        best.trial.velocity[2]
    )?;
    for (number, phases) in problem.mode_shares(&candidate)?.iter().enumerate() {
        for (phase, shares) in ["air", "ground"].iter().zip(phases) {
            write!(out, "# step {}, {phase}:", number + 1)?;
            for share in shares.iter().take(SHOWN) {
                let percent = 100.0 * share.share;
                write!(out, " {} = {:+.2} ({percent:.0} %)", share.mode + 1, share.amplitude)?;
            }
            writeln!(out)?;
        }
    }
    write!(out, "{}", problem.draft(&candidate, &DraftOptions::default())?.to_toml())?;
    Ok(())
}
