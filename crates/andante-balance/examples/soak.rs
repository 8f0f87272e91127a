//! Pushes humans for hours of simulated time, harder than they can bear, and looks for anything that is not finite or has
//! to be stopped. Each lives through many pushes: it falls, lies, gets up and is pushed again, standing or not. Others walk.
//!
//! `cargo run --release -p andante-balance --example soak -- 24` simulates a day; a second number is the first seed.
#![allow(clippy::print_stdout)]

use andante_balance::{
    Condition, Physique, Push, Stroll, Survivor, SurvivorOptions, WalkCycle, WalkOptions,
};
use andante_dynamics::{Options, Simulation, Terrain};

const STEP: f64 = 1.0 / 240.0;
/// Seconds of one life.
const LIFE: f64 = 600.0;
/// Seconds between two pushes.
const BETWEEN: f64 = 12.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let hours: f64 = arguments.next().map_or(Ok(0.1), |text| text.parse())?;
    let mut seed: u64 = arguments.next().map_or(Ok(0), |text| text.parse())?;
    let body = andante_body::creature("humanoid")?;
    let physique = Physique::new(&body, &body.poses()[0], 0.8)?;
    let cycle = WalkCycle::built_in(&physique, 1.3)?;
    let (mut simulated, mut pushes, mut stopped, mut falls, mut rises) = (0.0, 0, 0, 0, 0);
    while simulated < 3600.0 * hours {
        // Every fourth life is beyond what any body survives.
        let strongest = if seed % 4 == 3 { 1000.0 } else { 120.0 };
        let life = live(&physique, strongest, seed)?;
        simulated += life.seconds;
        pushes += life.pushes;
        falls += life.falls;
        rises += life.rises;
        stopped += usize::from(life.stopped);
        let walks = Stroll::random_pushes(&cycle, 32, 0.5 * strongest, seed);
        let options = WalkOptions::default();
        for push in walks {
            let mut stroll = Stroll::new(&physique, &cycle, options, push, 10.0, STEP)?;
            while stroll.step(&physique) {}
            let outcome = stroll.outcome();
            if outcome.exploded {
                println!("walk stopped after {push:?}: {:?}", stroll.simulation.quarantine(0));
            }
            simulated += outcome.seconds;
            stopped += usize::from(outcome.exploded);
            pushes += 1;
        }
        seed += 1;
        println!(
            "{:.2} h, {pushes} pushes, {falls} falls, {rises} times up again, {stopped} stopped by the guard of the simulation",
            simulated / 3600.0
        );
    }
    Ok(())
}

struct Life {
    seconds: f64,
    pushes: usize,
    falls: usize,
    rises: usize,
    stopped: bool,
}

fn live(
    physique: &Physique,
    strongest: f64,
    seed: u64,
) -> Result<Life, Box<dyn std::error::Error>> {
    let settings = Options { step: STEP, ..Options::default() };
    let mut simulation =
        Simulation::<f64>::new(physique.model.clone(), Terrain::level(), settings)?;
    let mut survivor = Survivor::new(physique, SurvivorOptions::default())?;
    let pushes = Push::random((LIFE / BETWEEN) as usize, strongest, seed);
    let (mut rises, mut down) = (0, false);
    for (index, push) in pushes.iter().enumerate() {
        let push = Push { at: push.at + BETWEEN * index as f64, ..*push };
        while simulation.time() < BETWEEN * (index + 1) as f64 {
            push.apply(physique, &mut simulation);
            survivor.drive(physique, &mut simulation);
            if simulation.step().quarantined != 0 {
                println!(
                    "stopped at {:.2} s in {:?} after {push:?} of seed {seed}: {:?}",
                    simulation.time(),
                    survivor.condition(),
                    simulation.quarantine(0)
                );
                return Ok(Life {
                    seconds: simulation.time(),
                    pushes: index + 1,
                    falls: survivor.falls(),
                    rises,
                    stopped: true,
                });
            }
            let stands = survivor.condition() == Condition::Balance;
            rises += usize::from(down && stands);
            down = !stands && (down || survivor.condition() == Condition::Fall);
        }
    }
    let (seconds, falls) = (simulation.time(), survivor.falls());
    Ok(Life { seconds, pushes: pushes.len(), falls, rises, stopped: false })
}
