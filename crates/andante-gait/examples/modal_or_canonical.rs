//! Are natural modes a better basis than single joints? The same sketch, searched for in both, on the same budget and with several
//! seeds.
//!
//! `cargo run --release -p andante-gait --example modal_or_canonical [SKETCH [SIMULATIONS [SEEDS]]]`

use andante_gait::{FoundGait, GaitProblem, GaitSketch, ProblemOptions, Search, SearchOptions};
use std::error::Error;
use std::io::Write;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or("basic-run".into());
    let budget: u64 = args.next().map_or(Ok(150_000), |text| text.parse())?;
    let seeds: u64 = args.next().map_or(Ok(3), |text| text.parse())?;
    let sketch = GaitSketch::built_in(&name)?;
    let body = andante_body::creature(&sketch.character)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{name}, {budget} simulations each")?;
    writeln!(
        out,
        "basis      seed  variables  valid  simulations  effort/v²  cost of transport  residual  violated"
    )?;
    for canonical in [false, true] {
        let basis = if canonical { "canonical" } else { "modal" };
        let options = ProblemOptions { canonical, ..ProblemOptions::default() };
        let problem = Arc::new(GaitProblem::new(&body, &sketch, &options)?);
        for seed in 1..=seeds {
            let options = SearchOptions { seed, ..SearchOptions::default() };
            let mut search = Search::new(Arc::clone(&problem), &options, 0)?;
            while !search.is_over() && search.evaluations() < budget {
                search.step();
            }
            let Some(best) = search.best() else { continue };
            let gait = FoundGait::new(&problem, best);
            writeln!(
                out,
                "{basis:9}  {seed:4}  {:9}  {:5}  {:11}  {:9.0}  {:17.2}  {:8.2}  {:8}",
                problem.essential().len(),
                gait.valid,
                search.evaluations(),
                best.trial.objective,
                gait.cost_of_transport,
                gait.residual,
                best.trial.soft.iter().filter(|soft| **soft > 0.0).count(),
            )?;
            out.flush()?;
        }
    }
    Ok(())
}
