//! A chain let go sideways: its height and its energies, ten times a second.
//!
//! `cargo run -p andante-dynamics --example falling_chain`

use std::error::Error;
use std::io::Write;
use std::sync::Arc;

use andante_dynamics::{
    ContactTerrain, JointState, LinkJoint, PhysicsSettings, Simulation, samples,
};

fn main() -> Result<(), Box<dyn Error>> {
    let model = Arc::new(samples::chain(8, LinkJoint::Ball)?);
    let options = PhysicsSettings { step: 0.0005, ..PhysicsSettings::default() };
    let mut simulation = Simulation::<f64>::new(Arc::clone(&model), ContactTerrain::None, options)?;
    // The first rod is turned a quarter about z: the chain is held out level.
    let mut state = JointState::rest(&model);
    (state.q[2], state.q[3]) = (0.5f64.sqrt(), 0.5f64.sqrt());
    simulation.set_state(&state)?;

    let mut out = std::io::stdout().lock();
    writeln!(out, "  time    end x    end y  kinetic  potential      sum")?;
    for frame in 0..=30 {
        let end = simulation.kinematics().position(&model, 7);
        let (kinetic, potential) = (simulation.kinetic_energy(), simulation.potential_energy());
        writeln!(
            out,
            "{:6.2} {:8.3} {:8.3} {kinetic:8.2} {potential:10.2} {:8.2}",
            f64::from(frame) * 0.1,
            end.x,
            end.y,
            kinetic + potential
        )?;
        for _ in 0..200 {
            simulation.step();
        }
    }
    Ok(())
}
