//! Pushes a standing human forwards, harder and harder, and says how it copes.
#![allow(clippy::print_stdout)]

use andante_body::{BalanceOptions, Physique, Push, try_pushes};
use andante_dynamics::PhysicsSettings;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let body = andante_body::creature("humanoid")?;
    let physique = Physique::new(&body, &body.poses()[0], &PhysicsSettings::default())?;
    let pushes: Vec<Push> = (1..=6).map(|k| Push::new(10.0 * f64::from(k), 0.0)).collect();
    for outcome in try_pushes(&physique, BalanceOptions::default(), &pushes, 1.0 / 240.0)? {
        let end = if outcome.recovered { "stands again" } else { "falls" };
        println!("{:3.0} N·s: {} steps, {end}", outcome.push.impulse, outcome.steps);
    }
    Ok(())
}
