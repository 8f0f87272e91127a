//! Tunes a table of a controller by random search: numbers are changed at random, and a change stays if a human then does
//! better in random trials.
//!
//! `cargo run --release -p andante-body --example tune_controllers -- walk 200 1 walk.toml` tries two hundred changes of
//! seed 1 of the table `walk` and writes it. Tables: balance, fall, get_up, recovery, walk, run, cycle. Without a file it is
//! printed. With `disturbed` at the end the search begins from a table whose numbers have all been changed by about a
//! fifth, to see that it finds back. For another body, change the creature below.
#![allow(clippy::print_stdout)]

use andante_body::{
    BalanceOptions, CycleSettings, FallOptions, FallTrial, GetUpOptions, Physique, Push,
    RecoveryOptions, Stroll, WalkCycle, WalkOptions, stroll_pushes, try_falls, try_pushes,
};
use andante_dynamics::PhysicsSettings;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::{Serialize, de::DeserializeOwned};
use std::error::Error;
use toml::{Table, Value};

/// Strongest push of somebody who stands, and of a walker or runner, N·s.
const STRONGEST: f64 = 60.0;
const STRONGEST_WALKING: f64 = 30.0;
/// How many trials there are, of pushes, walks and falls.
const PUSHES: usize = 32;
const STROLLS: usize = 16;
const FALLS: usize = 8;
/// Seconds of a step.
const STEP: f64 = 1.0 / 240.0;

type Score = Result<f64, Box<dyn Error>>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let disturbed = args.last().is_some_and(|word| word == "disturbed");
    args.truncate(args.len() - usize::from(disturbed));
    let mut args = args.into_iter();
    let name = args.next().unwrap_or_else(|| "balance".into());
    let changes: usize = args.next().map_or(Ok(40), |text| text.parse())?;
    let seed: u64 = args.next().map_or(Ok(1), |text| text.parse())?;
    let body = andante_body::creature("humanoid")?;
    let human = Physique::new(&body, &body.poses()[0], &PhysicsSettings::default())?;
    let search = TableSearch { changes, seed, disturbed };
    let text = match name.as_str() {
        // Reaching and uneven ground are not tried by pushes, and nobody assists.
        "balance" => {
            search.tune(&["reach", "ground", "assist"], |options: &BalanceOptions, seed| {
                let outcomes =
                    try_pushes(&human, *options, &Push::random(PUSHES, STRONGEST, seed), STEP)?;
                let stood = outcomes.iter().filter(|outcome| outcome.recovered);
                Ok(stood.map(|outcome| 1.0 - 0.01 * (outcome.steps as f64 + outcome.seconds)).sum())
            })?
        }
        "fall" => search.tune(&[], |fall: &FallOptions, seed| {
            let options =
                RecoveryOptions { fall: *fall, gets_up: false, ..RecoveryOptions::default() };
            let outcomes =
                try_falls(&human, &options, &FallTrial::random_pushes(FALLS, seed), STEP)?;
            let soft = outcomes.iter().filter(|outcome| outcome.fell && !outcome.exploded);
            Ok(soft.map(|outcome| 1.0 - 0.2 * outcome.head_speed).sum())
        })?,
        "get_up" => search.tune(&[], |get_up: &GetUpOptions, seed| {
            let options = RecoveryOptions { get_up: get_up.clone(), ..RecoveryOptions::default() };
            rising(&human, &options, seed)
        })?,
        // Balance, falling and getting up have tables of their own.
        "recovery" => search
            .tune(&["balance", "fall", "get_up"], |options: &RecoveryOptions, seed| {
                rising(&human, options, seed)
            })?,
        "walk" => {
            let cycle = WalkCycle::built_in(&human, 1.3)?;
            search.tune(&[], |options: &WalkOptions, seed| {
                strolling(&human, &cycle, *options, 10.0, seed)
            })?
        }
        "run" => {
            let cycle = WalkCycle::running(&human, 2.5)?;
            search.tune_from(WalkOptions::of(&cycle), &[], |options: &WalkOptions, seed| {
                strolling(&human, &cycle, *options, 30.0, seed)
            })?
        }
        "cycle" => search.tune(&[], |settings: &CycleSettings, seed| {
            let cycle = WalkCycle::built_in_with(&human, 1.3, settings)?;
            let options = WalkOptions::of(&cycle);
            strolling(&human, &cycle, options, 10.0, seed)
        })?,
        other => return Err(format!("there is no table `{other}`").into()),
    };
    match args.next() {
        Some(path) => std::fs::write(path, text)?,
        None => println!("{text}"),
    }
    Ok(())
}

/// Falls that somebody gets up from; little time is worth a little.
fn rising(human: &Physique, options: &RecoveryOptions, seed: u64) -> Score {
    let outcomes = try_falls(human, options, &FallTrial::random_pushes(FALLS, seed), STEP)?;
    let up = outcomes.iter().filter(|outcome| outcome.up_after.is_finite());
    Ok(up.map(|outcome| 1.0 - 0.01 * outcome.up_after).sum())
}

/// Walks that arrive; keeping close to the gait and not sliding are worth a little.
fn strolling(
    human: &Physique,
    cycle: &WalkCycle,
    options: WalkOptions,
    goal: f64,
    seed: u64,
) -> Score {
    let pushes = Stroll::random_pushes(cycle, STROLLS, STRONGEST_WALKING, seed);
    let outcomes = stroll_pushes(human, cycle, options, &pushes, goal, STEP)?;
    let arrived = outcomes.iter().filter(|outcome| outcome.arrived);
    Ok(arrived.map(|outcome| 1.0 - 0.2 * outcome.error - outcome.slide).sum())
}

/// A search for a better table.
struct TableSearch {
    changes: usize,
    seed: u64,
    disturbed: bool,
}

impl TableSearch {
    /// Tunes the table that is the default.
    fn tune<T: Serialize + DeserializeOwned + Default>(
        &self,
        skipped: &[&str],
        judge: impl Fn(&T, u64) -> Score,
    ) -> Result<String, Box<dyn Error>> {
        self.tune_from(T::default(), skipped, judge)
    }

    /// Tunes a table: as text.
    fn tune_from<T: Serialize + DeserializeOwned>(
        &self,
        usual: T,
        skipped: &[&str],
        judge: impl Fn(&T, u64) -> Score,
    ) -> Result<String, Box<dyn Error>> {
        let mut random = Pcg64Mcg::seed_from_u64(self.seed);
        // What is no table of the kind, or cannot be tried, does nothing well.
        let score = |table: &Table, seed: u64| {
            table.clone().try_into().map_or(0.0, |own: T| judge(&own, seed).unwrap_or(0.0))
        };
        let mut best = Table::try_from(&usual)?;
        if self.disturbed {
            Change { often: 1.0, by: 0.4, skipped }.vary(&mut best, &mut random);
        }
        let begun = best.clone();
        let mut most = score(&best, self.seed);
        println!("# as it was: {most:.2}");
        for change in 1..=self.changes {
            let mut table = best.clone();
            Change { often: 0.25, by: 0.2, skipped }.vary(&mut table, &mut random);
            let now = score(&table, self.seed);
            if now > most {
                println!("# change {change}: {now:.2}");
                (best, most) = (table, now);
            }
        }
        let other = self.seed ^ 0xA5A5;
        let (before, after) = (score(&begun, other), score(&best, other));
        println!("# in other trials: {before:.2} before, {after:.2} after");
        Ok(toml::to_string(&best)?)
    }
}

/// How numbers of a table are changed: how many of them, and by about how much.
struct Change<'a> {
    often: f64,
    by: f64,
    skipped: &'a [&'a str],
}

impl Change<'_> {
    fn vary(&self, table: &mut Table, random: &mut Pcg64Mcg) {
        for (name, value) in table.iter_mut() {
            if !self.skipped.contains(&name.as_str()) {
                self.value(value, random);
            }
        }
    }

    fn value(&self, value: &mut Value, random: &mut Pcg64Mcg) {
        match value {
            Value::Float(number) if random.random::<f64>() < self.often => {
                // Nearly normal: a sum of several.
                let by: f64 = (0..4).map(|_| random.random::<f64>() - 0.5).sum();
                *number *= (self.by * by).exp();
            }
            Value::Table(inner) => self.vary(inner, random),
            Value::Array(all) => all.iter_mut().for_each(|one| self.value(one, random)),
            _ => {}
        }
    }
}
