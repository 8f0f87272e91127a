//! Lets a human stand on slopes that fall off in all directions and says how still it is.
//!
//! `cargo run --release -p andante-body --example slopes -- 30` stands for thirty seconds on each.
#![allow(clippy::print_stdout)]

use andante_body::{BalanceController, BalanceOptions, Physique};
use andante_dynamics::{ContactTerrain, PhysicsSettings, Simulation, vec3};

/// Settling, before anything is measured, s.
const SETTLE: f64 = 2.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seconds: f64 = std::env::args().nth(1).map_or(Ok(30.0), |text| text.parse())?;
    let body = andante_body::creature("humanoid")?;
    let physique = Physique::new(&body, &body.poses()[0], &PhysicsSettings::default())?;
    println!("slope  down to  speed rms  drift   steps");
    let (mut good, mut all) = (0, 0);
    for tilt in [5.0f64, 10.0, 15.0] {
        for heading in (0..16).map(|k| 22.5 * f64::from(k)) {
            let (slope, turn) = (tilt.to_radians(), heading.to_radians());
            let normal = vec3(slope.sin() * turn.sin(), slope.cos(), slope.sin() * turn.cos());
            let terrain = ContactTerrain::plane(normal, 0.0)?;
            let (speed, drift, steps) = stand(&physique, terrain, seconds)?;
            let still = speed < 0.005 && drift < 0.01 && steps == 0;
            (good, all) = (good + usize::from(still), all + 1);
            println!(
                "{tilt:4.0}°  {heading:6.1}°  {:4.2} mm/s  {:4.1} mm  {steps}{}",
                1000.0 * speed,
                1000.0 * drift,
                if still { "" } else { "  does not stand still" }
            );
        }
    }
    println!("{good} of {all} stood still");
    Ok(())
}

/// Speed of the centre of mass (rms), how far it went, and steps.
fn stand(
    physique: &Physique,
    terrain: ContactTerrain,
    seconds: f64,
) -> Result<(f64, f64, usize), Box<dyn std::error::Error>> {
    let start = physique.stand_on(&terrain, [0.0; 2], 0.0);
    let settings = PhysicsSettings { step: 1.0 / 240.0, ..PhysicsSettings::default() };
    let mut simulation = Simulation::<f64>::new(physique.model.clone(), terrain, settings)?;
    simulation.set_state(&start)?;
    let mut balancer = BalanceController::new(physique, BalanceOptions::default());
    let (mut squares, mut count, mut first, mut drift) = (0.0, 0.0, None, 0.0f64);
    while simulation.time() < SETTLE + seconds {
        balancer.drive(physique, &mut simulation);
        simulation.step();
        if simulation.time() > SETTLE {
            let centre = simulation.centre_of_mass(0);
            drift = drift.max((centre - *first.get_or_insert(centre)).length());
            squares += balancer.senses().velocity.length_squared();
            count += 1.0;
        }
    }
    let steps = balancer.steps() + balancer.returns();
    Ok((f64::sqrt(squares / f64::max(count, 1.0)), drift, steps))
}
