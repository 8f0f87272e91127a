//! Pushes a human over in all directions, with and without protection, and says how hard its head lands and how often it gets
//! up again.
//!
//! `cargo run --release -p andante-body --example falls -- 100 1` tries a hundred pushes of seed 1; a third argument
//! is a table of [`RecoveryOptions`] to be tried instead of the built-in one.
#![allow(clippy::print_stdout)]

use andante_body::{FallTrial, Physique, RecoveryOptions, try_falls};
use andante_dynamics::PhysicsSettings;

const STEP: f64 = 1.0 / 240.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: usize = arguments.next().map_or(Ok(100), |text| text.parse())?;
    let seed: u64 = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let own = match arguments.next() {
        Some(path) => toml::from_str(&std::fs::read_to_string(path)?)?,
        None => RecoveryOptions::default(),
    };
    let body = andante_body::creature("humanoid")?;
    let physique = Physique::new(&body, &body.poses()[0], &PhysicsSettings::default())?;
    let pushes = FallTrial::random_pushes(count, seed);
    for protect in [false, true] {
        let mut options = own.clone();
        (options.fall.protect, options.gets_up) = (protect, protect);
        let mut outcomes = try_falls(&physique, &options, &pushes, STEP)?;
        outcomes.retain(|outcome| outcome.fell);
        let fell = outcomes.len().max(1) as f64;
        let mean = outcomes.iter().map(|outcome| outcome.head_speed).sum::<f64>() / fell;
        let worst = outcomes.iter().fold(0.0, |worst: f64, outcome| worst.max(outcome.head_speed));
        let name = if protect { "protected" } else { "like a puppet" };
        println!(
            "{} falls {name}: head lands with {mean:.2} m/s, at worst {worst:.2}",
            outcomes.len()
        );
        if protect {
            let within = |limit: f64| outcomes.iter().filter(|o| o.up_after <= limit).count();
            let stopped = outcomes.iter().filter(|outcome| outcome.exploded).count();
            println!(
                "up again within 10 s: {}, within 20 s: {}, stopped by the guard: {stopped}",
                within(10.0),
                within(20.0)
            );
        }
    }
    Ok(())
}
