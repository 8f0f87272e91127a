//! Tunes the table of balance by random search: numbers are changed at random, and a change stays if a human then copes
//! better with random pushes.
//!
//! `cargo run --release -p andante-body --example tune_balance -- 200 1 balance.toml` tries two hundred changes of seed 1 and
//! writes the table. Without a file it prints it. For another body, change the creature below.
#![allow(clippy::print_stdout)]

use andante_body::{BalanceOptions, Physique, Push, PushError, try_pushes};
use andante_dynamics::PhysicsSettings;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use toml::{Table, Value};

/// Strongest push, N·s; how many there are; seconds of a step.
const STRONGEST: f64 = 60.0;
const PUSHES: usize = 32;
const STEP: f64 = 1.0 / 240.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let changes: usize = args.next().map_or(Ok(40), |text| text.parse())?;
    let seed: u64 = args.next().map_or(Ok(1), |text| text.parse())?;
    let body = andante_body::creature("humanoid")?;
    let physique = Physique::new(&body, &body.poses()[0], &PhysicsSettings::default())?;
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut best = BalanceOptions::default();
    let mut score = judge(&physique, best, seed)?;
    println!("# as it was: {score:.2} of {PUSHES}");
    for change in 1..=changes {
        let mut table = Table::try_from(best)?;
        // Reaching and uneven ground are not tried by pushes, and nobody assists.
        vary(&mut table, &["reach", "ground", "assist"], &mut random);
        let Ok(options) = table.try_into() else { continue };
        let now = judge(&physique, options, seed)?;
        if now > score {
            println!("# change {change}: {now:.2}");
            (best, score) = (options, now);
        }
    }
    let fresh = |options| judge(&physique, options, seed ^ 0xA5A5);
    let (before, after) = (fresh(BalanceOptions::default())?, fresh(best)?);
    println!("# other pushes: {before:.2} before, {after:.2} after");
    let text = toml::to_string(&best)?;
    match args.next() {
        Some(path) => std::fs::write(path, text)?,
        None => println!("{text}"),
    }
    Ok(())
}

/// Pushes that are recovered from; few steps and little time are worth a little.
fn judge(physique: &Physique, options: BalanceOptions, seed: u64) -> Result<f64, PushError> {
    let pushes = Push::random(PUSHES, STRONGEST, seed);
    let outcomes = try_pushes(physique, options, &pushes, STEP)?;
    let stood = outcomes.iter().filter(|outcome| outcome.recovered);
    Ok(stood.map(|outcome| 1.0 - 0.01 * (outcome.steps as f64 + outcome.seconds)).sum())
}

/// Changes about every fourth number of a table by about a tenth.
fn vary(table: &mut Table, skipped: &[&str], random: &mut Pcg64Mcg) {
    for (name, value) in table.iter_mut() {
        if skipped.contains(&name.as_str()) {
            continue;
        }
        match value {
            Value::Float(number) if random.random::<f64>() < 0.25 => {
                // Nearly normal: a sum of several.
                let by: f64 = (0..4).map(|_| random.random::<f64>() - 0.5).sum();
                *number *= (0.2 * by).exp();
            }
            Value::Table(inner) => vary(inner, skipped, random),
            _ => {}
        }
    }
}
