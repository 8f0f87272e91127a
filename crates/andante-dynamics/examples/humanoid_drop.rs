//! Four humanoids dropped at once in the lanes of one thread: how high each one's middle is, and what the ground carries.
//!
//! `cargo run --release -p andante-dynamics --example humanoid_drop`

use std::error::Error;
use std::io::Write;
use std::sync::Arc;

use andante_dynamics::{
    ContactTerrain, JointState, PhysicsSettings, Quat, Real, Simulation, f64x4, samples, vec3,
};

fn main() -> Result<(), Box<dyn Error>> {
    let model = Arc::new(samples::humanoid()?);
    let mut simulation = Simulation::<f64x4>::new(
        Arc::clone(&model),
        ContactTerrain::level(),
        PhysicsSettings::default(),
    )?;
    let mut state = JointState::<f64x4>::rest(&model);
    for lane in 0..4 {
        let mut one = JointState::<f64>::rest(&model);
        one.q[1] = 1.6;
        // Each leans further forwards than the one before.
        Quat::exp(vec3(0.6 * lane as f64, 0.0, 0.2)).write(&mut one.q[3..7]);
        state.set_lane(lane, &one);
    }
    simulation.set_state(&state)?;

    let mut out = std::io::stdout().lock();
    writeln!(out, "  time   height of the centre of mass (m), force of the ground over weight")?;
    let weight = simulation.settings().gravity_strength() * model.mass();
    for _ in 0..=20 {
        write!(out, "{:6.2}", simulation.time())?;
        let centre = simulation.centre_of_mass(0);
        for lane in 0..4 {
            let carried = simulation.contacts(lane).fold(0.0, |sum, contact| sum + contact.force.y);
            write!(out, "   {:5.3} {:6.2}", centre.y.lane(lane), carried / weight)?;
        }
        writeln!(out)?;
        for _ in 0..100 {
            let report = simulation.step();
            if report.quarantined != 0 {
                return Err(format!("lanes {:04b} exploded", report.quarantined).into());
            }
        }
    }
    Ok(())
}
