//! Lets a human stand on all sorts of ground and says how still it is.
//!
//! `cargo run --release -p andante-body --example stand -- 600` stands for ten minutes on level ground, and a twentieth
//! of that on everything else.
#![allow(clippy::print_stdout)]

use andante_body::{BalanceController, BalanceOptions, Physique};
use andante_dynamics::{ContactTerrain, HeightSurface, PhysicsSettings, Simulation, vec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seconds: f64 = std::env::args().nth(1).map_or(Ok(60.0), |text| text.parse())?;
    let body = andante_body::creature("humanoid")?;
    let physique = Physique::new(&body, &body.poses()[0], &PhysicsSettings::default())?;
    stand(&physique, "level", ContactTerrain::level(), seconds)?;
    for tilt in [5.0f64, 10.0, 15.0] {
        for heading in [0.0f64, 45.0, 90.0, 135.0, 180.0, 270.0] {
            let (slope, turn) = (tilt.to_radians(), heading.to_radians());
            let normal = vec3(slope.sin() * turn.sin(), slope.cos(), slope.sin() * turn.cos());
            let name = format!("slope of {tilt}° down towards {heading}°");
            stand(&physique, &name, ContactTerrain::plane(normal, 0.0)?, seconds / 20.0)?;
        }
    }
    for seed in 0..6 {
        let name = format!("stones {seed}");
        stand(&physique, &name, stones(f64::from(seed)), seconds / 20.0)?;
    }
    Ok(())
}

/// Bumps of two centimetres, a hand wide, nowhere the same.
fn stones(seed: f64) -> ContactTerrain {
    ContactTerrain::surface(HeightSurface(move |x: f64, z: f64| {
        let waves = [(13.0, 7.0, 0.3), (-6.0, 17.0, 1.1), (21.0, -11.0, 2.3)];
        let mut all = (0.0, 0.0, 0.0);
        for (a, b, phase) in waves {
            let (sin, cos) = (a * x + b * z + phase * (seed + 1.0)).sin_cos();
            let high = 0.02 / 3.0;
            all = (all.0 + high * sin, all.1 + high * a * cos, all.2 + high * b * cos);
        }
        all
    }))
}

fn stand(
    physique: &Physique,
    name: &str,
    terrain: ContactTerrain,
    seconds: f64,
) -> Result<(), Box<dyn std::error::Error>> {
    let settings = PhysicsSettings { step: 1.0 / 240.0, ..PhysicsSettings::default() };
    let start = physique.stand_on(&terrain, [0.0; 2], 0.0);
    let mut simulation = Simulation::<f64>::new(physique.model.clone(), terrain, settings)?;
    simulation.set_state(&start)?;
    let mut balancer = BalanceController::new(physique, BalanceOptions::default());
    let settle = 4.0f64.min(0.5 * seconds);
    let (mut squares, mut count, mut start, mut first) = (0.0, 0.0, None, 0);
    while simulation.time() < seconds {
        balancer.drive(physique, &mut simulation);
        simulation.step();
        let moved = balancer.steps() + balancer.returns();
        if simulation.time() > settle {
            start.get_or_insert(simulation.centre_of_mass(0));
            squares += balancer.senses().velocity.length_squared();
            count += 1.0;
        } else {
            first = moved;
        }
    }
    let drift = (simulation.centre_of_mass(0) - start.unwrap_or_default()).length();
    let steps = balancer.steps() + balancer.returns() - first;
    let up = simulation.kinematics().rotation(physique.torso).y.y;
    println!(
        "{name}: {seconds:.0} s, centre of mass {:.2} mm/s rms, drift {:.1} mm, {steps} steps, upright {up:.3}",
        1000.0 * f64::sqrt(squares / f64::max(count, 1.0)),
        1000.0 * drift,
    );
    Ok(())
}
