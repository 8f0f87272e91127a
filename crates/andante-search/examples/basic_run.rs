//! From the sketch of a run to a run: prints how the search gets on, and what it found.
//!
//! `cargo run --release -p andante-search --example basic_run [SKETCH [SECONDS [SEED]]]`

use andante_search::{Gait, GaitProblem, GaitSketch, ProblemOptions, Search, SearchOptions};
use std::error::Error;
use std::io::Write;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or("basic-run".into());
    let seconds: f64 = args.next().map_or(Ok(600.0), |text| text.parse())?;
    let seed: u64 = args.next().map_or(Ok(1), |text| text.parse())?;
    let sketch = GaitSketch::built_in(&name)?;
    let body = andante_body::creature(&sketch.character)?;
    let problem = Arc::new(GaitProblem::new(&body, &sketch, &ProblemOptions::default())?);
    let options = SearchOptions { seed, ..SearchOptions::default() };
    let mut search = Search::new(Arc::clone(&problem), &options, 0)?;
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{} variables, {} residuals",
        problem.variables().len(),
        problem.tolerances().len()
    )?;
    while !search.is_over() && search.seconds() < seconds {
        search.step();
        if let Some(now) = search.history().last().filter(|_| search.history().len() % 50 == 0) {
            writeln!(
                out,
                "{:6.1} s {:7} simulations, {}: merit {:.2}, {:.2} m/s, residual {:.2}, {} violated",
                search.seconds(),
                now.evaluations,
                search.activity(),
                now.merit,
                now.speed,
                now.residual,
                now.violated,
            )?;
        }
    }
    let Some(best) = search.best() else { return Ok(()) };
    let gait = Gait::new(&problem, best);
    let candidate = problem.decode(&best.point);
    let cycle = problem.cycle(&candidate);
    writeln!(
        out,
        "{} after {} simulations, {:.1} s: {:.2} m/s, period {:.2} s, {:.0} % aerial, cost of transport {:.2}, {:.1} cycles alone",
        if gait.valid { "valid" } else { "not valid" },
        search.evaluations(),
        search.seconds(),
        gait.speed,
        cycle.period,
        100.0 * cycle.aerial_fraction(),
        gait.cost_of_transport,
        problem.run(&candidate, None, 20, None).cycles,
    )?;
    for complaint in problem.complaints(&best.trial) {
        writeln!(out, "  {complaint}")?;
    }
    Ok(())
}
