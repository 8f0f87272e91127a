//! Microseconds per step of a humanoid on the ground, alone and in lanes: the fastest of many blocks of a hundred steps,
//! so that other programs on the machine do not count.
//!
//! `cargo run --release -p andante-dynamics --example speed`

use std::error::Error;
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use andante_dynamics::{
    ContactTerrain, JointState, PhysicsSettings, Quat, Real, Simulation, f64x4, f64x8, samples,
    vec3,
};

/// Fastest block, and contacts and sweeps per step, from a state that differs a little from lane to lane.
fn measure<R: Real>(lying: bool) -> Result<(f64, f64, f64), Box<dyn Error>> {
    let model = Arc::new(samples::humanoid()?);
    let mut simulation = Simulation::<R>::new(
        Arc::clone(&model),
        ContactTerrain::level(),
        PhysicsSettings::default(),
    )?;
    let mut state = JointState::<R>::rest(&model);
    for lane in 0..R::LANES {
        let mut one = JointState::<f64>::rest(&model);
        one.v[3] = 0.02 * lane as f64;
        if lying {
            one.q[1] = 0.3;
            Quat::exp(vec3(1.5 + 0.01 * lane as f64, 0.0, 0.0)).write(&mut one.q[3..7]);
        }
        state.set_lane(lane, &one);
    }
    simulation.set_state(&state)?;
    for _ in 0..if lying { 500 } else { 20 } {
        simulation.step();
    }
    let start = simulation.snapshot();
    let (mut best, mut contacts, mut sweeps) = (f64::INFINITY, 0, 0);
    for _ in 0..300 {
        simulation.restore(&start)?;
        (contacts, sweeps) = (0, 0);
        let clock = Instant::now();
        for _ in 0..100 {
            let report = simulation.step();
            contacts += report.contacts;
            sweeps += report.sweeps;
        }
        best = best.min(clock.elapsed().as_secs_f64() * 1e4);
    }
    Ok((best, contacts as f64 / 100.0, sweeps as f64 / 100.0))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "humanoid       lanes  us/step  us/step/character  contacts  sweeps")?;
    for (name, lying) in [("standing", false), ("lying", true)] {
        let runs = [
            (1, measure::<f64>(lying)?),
            (4, measure::<f64x4>(lying)?),
            (8, measure::<f64x8>(lying)?),
        ];
        for (lanes, (time, contacts, sweeps)) in runs {
            let each = time / f64::from(lanes);
            writeln!(
                out,
                "{name:14} {lanes:5}  {time:7.2}  {each:17.2}  {contacts:8.1}  {sweeps:6.1}"
            )?;
        }
    }
    Ok(())
}
