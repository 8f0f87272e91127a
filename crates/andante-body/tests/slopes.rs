//! A human that stands on a slope.

#![allow(clippy::unwrap_used)]

use andante_body::{BalanceController, BalanceOptions, Physique, Push, PushTrial};
use andante_dynamics::{ContactTerrain, Kinematics, PhysicsSettings, Simulation, vec3};

const STEP: f64 = 1.0 / 240.0;

fn human() -> Physique {
    let body = andante_body::creature("humanoid").unwrap();
    Physique::new(&body, &body.poses()[0], &PhysicsSettings::default()).unwrap()
}

/// Ground that falls off towards a heading.
fn slope(tilt: f64, heading: f64) -> ContactTerrain {
    let (tilt, turn) = (tilt.to_radians(), heading.to_radians());
    let normal = vec3(tilt.sin() * turn.sin(), tilt.cos(), tilt.sin() * turn.cos());
    ContactTerrain::plane(normal, 0.0).unwrap()
}

#[test]
fn slopes_up_to_fifteen_degrees_are_stood_on_without_a_step_a_drift_or_jitter() {
    let physique = human();
    let slopes = [
        (15.0, 0.0),
        (15.0, 45.0),
        (15.0, 90.0),
        (15.0, 157.5),
        (15.0, 180.0),
        (15.0, 225.0),
        (10.0, 270.0),
        (5.0, 112.5),
    ];
    for (tilt, heading) in slopes {
        let terrain = slope(tilt, heading);
        let start = physique.stand_on(&terrain, [0.0; 2], 0.0);
        let settings = PhysicsSettings { step: STEP, ..PhysicsSettings::default() };
        let mut simulation = Simulation::new(physique.model.clone(), terrain, settings).unwrap();
        simulation.set_state(&start).unwrap();
        let mut balancer = BalanceController::new(&physique, BalanceOptions::default());
        let (mut sum, mut count, mut first, mut drift) = (0.0, 0.0, None, 0.0f64);
        while simulation.time() < 10.0 {
            balancer.drive(&physique, &mut simulation);
            assert_eq!(simulation.step().quarantined, 0);
            if simulation.time() > 2.0 {
                let centre = simulation.centre_of_mass(0);
                drift = drift.max((centre - *first.get_or_insert(centre)).length());
                sum += balancer.senses().velocity.length_squared();
                count += 1.0;
            }
        }
        let speed = f64::sqrt(sum / count);
        let upright = simulation.kinematics().rotation(physique.torso).y.y;
        assert!(speed < 0.005, "{tilt} {heading}: {speed} m/s");
        assert!(drift < 0.01, "{tilt} {heading}: {drift} m");
        assert!(upright > 0.99, "{tilt} {heading}: {upright}");
        assert_eq!(balancer.steps() + balancer.returns(), 0, "{tilt} {heading}");
    }
}

#[test]
fn a_body_is_placed_with_its_soles_on_the_ground_and_its_knees_bent() {
    let physique = human();
    let mut kin = Kinematics::new(&physique.model);
    for tilt in [0.0, 8.0, 15.0] {
        for heading in [0.0, 60.0, 130.0, 250.0] {
            let terrain = slope(tilt, heading);
            let state = physique.stand_on(&terrain, [3.0, -2.0], 0.7);
            kin.set_positions(&physique.model, &state.q);
            for sole in &physique.soles {
                for corner in sole.edges() {
                    let corner = kin.point(&physique.model, sole.link, corner);
                    let gap = terrain.at(corner, 1.0).unwrap().distance;
                    assert!(gap.abs() < 0.001, "{tilt} {heading}: {gap}");
                }
                let ankle = kin.position(&physique.model, sole.link);
                let hip = kin.position(&physique.model, sole.hip);
                // A knee that is bent by thirteen degrees has room to both sides.
                let long = (hip - ankle).length() / physique.leg;
                assert!(long < 0.993, "{tilt} {heading}: {long}");
            }
            let middle = (physique.sole_at(&kin, 0) + physique.sole_at(&kin, 1)) * 0.5;
            assert!((middle.x - 3.0).hypot(middle.z + 2.0) < 0.001, "{middle:?}");
            let torso = kin.rotation(physique.torso);
            assert!(torso.y.y > 0.99, "{tilt} {heading}: {}", torso.y.y);
            assert!((torso.z.x.atan2(torso.z.z) - 0.7).abs() < 0.02, "{tilt} {heading}");
        }
    }
}

#[test]
fn pushes_on_a_slope_are_recovered_from() {
    let physique = human();
    let pushes = Push::random(16, 40.0, 3);
    let mut good = 0;
    for (index, push) in pushes.iter().enumerate() {
        let terrain = slope(10.0, 137.5 * index as f64);
        let start = physique.stand_on(&terrain, [0.0; 2], 0.0);
        let options = BalanceOptions::default();
        let mut trial = PushTrial::new(&physique, terrain, options, *push, STEP).unwrap();
        trial.simulation.set_state(&start).unwrap();
        good += usize::from(trial.run(&physique).recovered);
    }
    assert!(good >= 15, "{good} of 16");
}
