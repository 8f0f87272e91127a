//! Searches for the gaits of sketches with several seeds and prints a table of what came of it, ready for a document. Gaits that are
//! found are kept in a directory.
//!
//! `cargo run --release -p andante-gait --example every_gait DIRECTORY [SIMULATIONS [SEEDS [SKETCH…]]]`

mod common;

use andante_gait::{
    FoundGait, GaitProblem, GaitSketch, ProblemOptions, SKETCHES, Search, SearchOptions,
};
use common::seconds;
use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// What two calm cores do in twenty minutes.
const MOST: u64 = 2_760_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let directory = args.next().ok_or("where are gaits to be kept?")?;
    let most: u64 = args.next().map_or(Ok(MOST), |text| text.parse())?;
    let seeds: u64 = args.next().map_or(Ok(3), |text| text.parse())?;
    let mut names: Vec<String> = args.collect();
    if names.is_empty() {
        names = SKETCHES.iter().map(|(name, _)| (*name).to_string()).collect();
    }
    std::fs::create_dir_all(&directory)?;
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "| gait | seed | valid | simulations | seconds | speed, m/s | cost of transport | what is wrong |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|")?;
    for name in &names {
        for seed in 1..=seeds {
            writeln!(out, "{}", row(name, seed, most, Path::new(&directory))?)?;
            out.flush()?;
        }
    }
    Ok(())
}

fn row(name: &str, seed: u64, most: u64, directory: &Path) -> Result<String, Box<dyn Error>> {
    let sketch = GaitSketch::built_in(name)?;
    let body = andante_body::creature(&sketch.character)?;
    let problem = Arc::new(GaitProblem::new(&body, &sketch, &ProblemOptions::default())?);
    let options = SearchOptions { seed, ..SearchOptions::default() };
    let mut search = Search::new(Arc::clone(&problem), &options, 0)?.timed(seconds);
    while !search.is_over() && search.evaluations() < most {
        search.step();
    }
    let best = search.best().ok_or("nothing was simulated")?;
    let mut gait = FoundGait::new(&problem, best);
    gait.made_by = format!("andante gait {name} --search --seed {seed}");
    if gait.valid {
        std::fs::write(directory.join(format!("{name}-{seed}.toml")), gait.to_toml()?)?;
    }
    let mut wrong = problem.complaints(&best.trial);
    if !gait.valid {
        wrong.extend(problem.unwanted(&problem.decode(&best.point)));
    }
    Ok(format!(
        "| {name} | {seed} | {} | {} | {:.0} | {:.2} | {:.2} | {} |",
        if gait.valid { "yes" } else { "no" },
        search.evaluations(),
        search.seconds(),
        gait.speed,
        gait.cost_of_transport,
        wrong.join("; ")
    ))
}
