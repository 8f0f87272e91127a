//! Pushes standing and walking humans for hours of simulated time, harder than they can bear, and looks for anything that is
//! not finite or has to be stopped.
//!
//! `cargo run --release -p andante-balance --example soak -- 24` simulates a day.
#![allow(clippy::print_stdout)]

use andante_balance::{
    BalanceOptions, Physique, Push, Stroll, WalkCycle, WalkOptions, stroll_pushes, try_pushes,
};

const STEP: f64 = 1.0 / 240.0;
/// Trials between two lines of the report.
const BATCH: usize = 64;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let hours: f64 = std::env::args().nth(1).map_or(Ok(0.1), |text| text.parse())?;
    let body = andante_body::creature("humanoid")?;
    let physique = Physique::new(&body, &body.poses()[0], 0.8)?;
    let cycle = WalkCycle::built_in(&physique, 1.3)?;
    let (mut simulated, mut seed, mut trials, mut stopped, mut up) = (0.0, 0, 0, 0, 0);
    while simulated < 3600.0 * hours {
        // Every fourth batch is beyond what any body survives.
        let strongest = if seed % 4 == 3 { 1000.0 } else { 60.0 };
        let pushes = Push::random(BATCH, strongest, seed);
        for outcome in try_pushes(&physique, BalanceOptions::default(), &pushes, STEP)? {
            simulated += if outcome.seconds.is_finite() { outcome.seconds + 2.0 } else { 2.0 };
            stopped += usize::from(outcome.exploded);
            up += usize::from(outcome.recovered);
        }
        let pushes = Stroll::random_pushes(&cycle, BATCH, strongest, seed);
        let options = WalkOptions::default();
        for outcome in stroll_pushes(&physique, &cycle, options, &pushes, 10.0, STEP)? {
            simulated += outcome.seconds;
            stopped += usize::from(outcome.exploded);
            up += usize::from(outcome.arrived);
        }
        seed += 1;
        trials += 2 * BATCH;
        println!(
            "{:.2} h, {trials} pushes: {up} recovered, {stopped} stopped by the guard of the simulation",
            simulated / 3600.0
        );
    }
    Ok(())
}
