//! Looks for the gait of a sketch: prints how the search gets on, what it found and what is wrong with that.
//!
//! `cargo run --release -p andante-gait --example find [SKETCH [SIMULATIONS [SEED [THREADS [FILE]]]]]`

mod common;

use andante_gait::{
    FoundGait, GaitCycle, GaitProblem, HeldRun, ProblemOptions, Search, SearchOptions,
};
use common::{open_sketch, seconds};
use std::error::Error;
use std::io::Write;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or("basic-run".into());
    let most: u64 = args.next().map_or(Ok(1_000_000), |text| text.parse())?;
    let seed: u64 = args.next().map_or(Ok(1), |text| text.parse())?;
    let threads: usize = args.next().map_or(Ok(0), |text| text.parse())?;
    let sketch = open_sketch(&name)?;
    let body = andante_body::creature(&sketch.character)?;
    let problem = Arc::new(GaitProblem::new(&body, &sketch, &ProblemOptions::default())?);
    let options = SearchOptions { seed, ..SearchOptions::default() };
    let mut search = Search::new(Arc::clone(&problem), &options, threads)?.timed(seconds);
    let mut out = std::io::stdout().lock();
    let (variables, residuals) = (problem.variables().len(), problem.tolerances().len());
    writeln!(
        out,
        "{variables} variables, {} of them sampled, {residuals} residuals",
        problem.essential().len()
    )?;
    let mut shown = (0, "");
    while !search.is_over() && search.evaluations() < most {
        search.step();
        let Some(now) = search.history().last() else { continue };
        let activity = search.activity();
        if activity == shown.1 && now.evaluations < shown.0 + 10_000 {
            continue;
        }
        shown = (now.evaluations, activity);
        let (round, best) = search.round();
        let wrong = best.map_or(Vec::new(), |best| problem.complaints(&best.trial));
        writeln!(
            out,
            "{:6.1} s {:7} simulations, round {round}, {activity}: merit {:.2}; best of round {:.2}, {}",
            search.seconds(),
            now.evaluations,
            now.merit,
            best.map_or(f64::INFINITY, |best| problem.merit(&best.trial)),
            wrong.join(", ")
        )?;
    }
    let Some(best) = search.best() else { return Ok(()) };
    let mut gait = FoundGait::new(&problem, best);
    gait.made_by = format!("andante gait {name} --search --seed {seed}");
    let candidate = problem.decode(&best.point);
    let cycle = GaitCycle::new(&problem, &candidate);
    writeln!(
        out,
        "{} {name} seed {seed} after {} simulations, {:.1} s: {:.2} m/s, period {:.2} s, {:.0} % aerial, \
         cost of transport {:.2}, {:.1} cycles alone; {:.0} % of the time simulating",
        if gait.valid { "VALID" } else { "not valid" },
        search.evaluations(),
        search.seconds(),
        gait.speed,
        cycle.period,
        100.0 * cycle.aerial_fraction(),
        gait.cost_of_transport,
        HeldRun::new(&problem, &candidate, None, 20, None).cycles,
        100.0 * search.simulating(),
    )?;
    let mut wrong = problem.complaints(&best.trial);
    if !wrong.is_empty() {
        wrong.extend(problem.unwanted(&candidate));
        let ends = problem.variables().iter().zip(&best.point);
        let ends = ends.filter(|(_, unit)| !(0.001..0.999).contains(*unit));
        wrong.extend(ends.map(|(variable, unit)| {
            format!("{} is at an end of its interval, {:.3}", variable.name, variable.value(*unit))
        }));
    }
    for words in wrong {
        writeln!(out, "  {words}")?;
    }
    if let Some(path) = args.next() {
        std::fs::write(path, gait.to_toml()?)?;
    }
    Ok(())
}
