//! Pushes a standing human forwards, harder and harder, and says how it copes: its steps, and how little of its mass was
//! over its feet at the worst moment (the equilibrium factor).
//!
//! `cargo run --release -p andante-body --example push`
#![allow(clippy::print_stdout)]

use andante_body::{BalanceOptions, Equilibrium, Physique, Push, PushTrial};
use andante_dynamics::{ContactTerrain, PhysicsSettings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let body = andante_body::creature("humanoid")?;
    let physique = Physique::new(&body, &body.poses()[0], &PhysicsSettings::default())?;
    for impulse in [10.0, 20.0, 30.0, 40.0, 50.0, 60.0] {
        let (ground, push) = (ContactTerrain::level(), Push::new(impulse, 0.0));
        let options = BalanceOptions::default();
        let mut trial = PushTrial::new(&physique, ground, options, push, 1.0 / 240.0)?;
        let mut equilibrium = Equilibrium::new(&body, &physique, 0.001);
        let mut least = 1.0f64;
        while trial.step(&physique) {
            least =
                least.min(equilibrium.feel(&physique, &trial.simulation, trial.balancer.senses()));
        }
        let outcome = trial.outcome();
        let end = if outcome.recovered { "stands again" } else { "falls" };
        println!("{impulse:3.0} N·s: {} steps, equilibrium {least:.2}, {end}", outcome.steps);
    }
    Ok(())
}
