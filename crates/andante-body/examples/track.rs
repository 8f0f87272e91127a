//! Lets a human follow a motion by the torques of its joints: squats, first held by an assistant, then by nobody.
//!
//! `cargo run --release -p andante-body --example track` says how near the joints stay to the motion and what the assistant
//! does.
#![allow(clippy::print_stdout)]

use andante_body::{Physique, Reference, TrackOptions, Tracker};
use andante_dynamics::{
    ContactTerrain, JointState, Kinematics, PhysicsSettings, Quat, Simulation, vec3,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let body = andante_body::creature("humanoid")?;
    let settings = PhysicsSettings { step: 1.0 / 240.0, ..PhysicsSettings::default() };
    let physique = Physique::new(&body, &body.poses()[0], &settings)?;
    for assist in [1.0, 0.0] {
        let mut simulation = Simulation::<f64>::new(
            physique.model.clone(),
            ContactTerrain::level(),
            settings.clone(),
        )?;
        let mut tracker =
            Tracker::new(&physique, TrackOptions { assist, ..TrackOptions::default() });
        println!("assistance {assist}");
        for second in 0..3 {
            let (mut worst, mut held) = (0.0f64, 0.0f64);
            while simulation.time() < f64::from(second + 1) {
                let (t, d) = (simulation.time(), 1e-3);
                let at = |t: f64| squat(&physique, t);
                let reference = Reference::between(&physique, &at(t - d), &at(t), &at(t + d), d);
                tracker.drive(&physique, &reference, &mut simulation);
                simulation.step();
                worst = worst.max(tracker.error(&physique, &simulation, &reference).to_degrees());
                held = held.max(tracker.assistance().0.length());
            }
            println!(
                "  second {second}: at most {worst:.1} degrees off, assistant at most {held:.0} N, {:?}",
                tracker.regime()
            );
        }
    }
    Ok(())
}

/// Coordinates of a squat at a time: knees, hips, ankles and shoulders bend, the soles stay.
fn squat(physique: &Physique, time: f64) -> Vec<f64> {
    let model = &physique.model;
    let rest = JointState::<f64>::rest(model).q;
    let mut q = rest.clone();
    let bend = 0.3 * (1.0 - (std::f64::consts::TAU * time).cos());
    let turns = [("thigh", -bend), ("shank", 2.0 * bend), ("foot", -bend), ("upper arm", -bend)];
    for side in ["left", "right"] {
        for (part, turn) in turns {
            let Some(link) = model.find(&format!("{side} {part}")) else { continue };
            let at = model.coordinate_range(link);
            (Quat::exp(vec3(turn, 0.0, 0.0)) * Quat::read(&q[at.clone()])).write(&mut q[at]);
        }
    }
    let sole = |q: &[f64]| {
        let mut kin = Kinematics::new(model);
        kin.set_positions(model, q);
        physique.sole_at(&kin, 0)
    };
    let off = sole(&q) - sole(&rest);
    for axis in 0..3 {
        q[axis] -= off[axis];
    }
    q
}
