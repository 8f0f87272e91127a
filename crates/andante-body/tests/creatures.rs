//! The built-in bodies under this dynamics.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use andante_body::{BodyModel, CREATURES, creature};
use andante_dynamics::{
    ContactTerrain, JointState, PhysicsSettings, Real, Simulation, f64x4, vec3,
};

#[test]
fn links_are_where_the_body_says_in_every_rest_pose() {
    for (name, _) in CREATURES {
        let body = creature(name).unwrap();
        for pose in body.poses() {
            let character = BodyModel::new(&body, pose, &PhysicsSettings::default()).unwrap();
            let model = Arc::new(character.model);
            let simulation = Simulation::<f64>::new(
                Arc::clone(&model),
                ContactTerrain::level(),
                PhysicsSettings::default(),
            )
            .unwrap();
            let kin = simulation.kinematics();
            for (link, place) in body.stand(pose).iter().enumerate() {
                let at = kin.position(&model, link);
                let off = (glam::DVec3::new(at.x, at.y, at.z) - place.translation).length();
                let turned = kin.rotation(link) * vec3(0.3, -0.2, 0.5);
                let expected = place.rotation * glam::DVec3::new(0.3, -0.2, 0.5);
                let twisted = (glam::DVec3::new(turned.x, turned.y, turned.z) - expected).length();
                assert!(off < 1e-9 && twisted < 1e-9, "{name}, {}: segment {link}", pose.name);
            }
            assert!(simulation.elastic_energy().abs() < 1e-15, "{name}: no spring pulls at rest");
        }
    }
}

#[test]
fn every_creature_falls_and_comes_to_rest() {
    for (name, _) in CREATURES {
        let body = creature(name).unwrap();
        let character =
            BodyModel::new(&body, &body.poses()[0], &PhysicsSettings::default()).unwrap();
        let model = Arc::new(character.model);
        assert_eq!(model.freedoms(), 6 + body.internal_dof());
        let mut simulation = Simulation::<f64>::new(
            Arc::clone(&model),
            ContactTerrain::level(),
            PhysicsSettings::default(),
        )
        .unwrap();
        let mut state = JointState::rest(&model);
        state.q[1] += 0.3;
        (state.v[0], state.v[2]) = (0.5, 0.8);
        simulation.set_state(&state).unwrap();
        let energy =
            |s: &Simulation<f64>| s.kinetic_energy() + s.potential_energy() + s.elastic_energy();
        let start = energy(&simulation);
        for step in 0..4000 {
            let report = simulation.step();
            assert_eq!(report.quarantined, 0, "{name} exploded at step {step}");
            let now = energy(&simulation);
            assert!(
                now < start + 0.01 * start.abs() + 0.5,
                "{name} gained energy at step {step}: {now} {start}"
            );
        }
        let fastest = simulation.state().v.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        assert!(fastest < 0.02, "{name} still moves: {fastest}");
        let weight: f64 = simulation.contacts(0).map(|c| c.force.y).sum();
        assert!(
            (weight / (PhysicsSettings::default().gravity_strength() * model.mass()) - 1.0).abs()
                < 0.02,
            "{name}: {weight}"
        );
    }
}

#[test]
fn the_laws_of_contact_hold_while_a_humanoid_is_pushed_about() {
    let body = creature("humanoid").unwrap();
    let model = Arc::new(
        BodyModel::new(&body, &body.poses()[0], &PhysicsSettings::default()).unwrap().model,
    );
    let options = PhysicsSettings::default();
    let tolerance = options.tolerance;
    let mut simulation = Simulation::<f64x4>::new(model, ContactTerrain::level(), options).unwrap();
    for step in 0..150 {
        let phase = simulation.time() * 20.0;
        for (k, torque) in simulation.controls_mut().torque_mut().iter_mut().enumerate() {
            *torque = f64x4::from_lanes(|lane| 2.0 * (phase + k as f64 + lane as f64).sin());
        }
        simulation.step();
        for lane in 0..4 {
            let residual = simulation.contact_residual().lane(lane);
            assert!(residual < tolerance, "step {step}, lane {lane}: {residual} m/s");
            for contact in simulation.contacts(lane) {
                let (up, along) = (contact.force.y, contact.force.x.hypot(contact.force.z));
                assert!(up >= 0.0 && along <= 0.8 * up + 1e-3, "step {step}: {contact:?}");
            }
        }
    }
    assert!(simulation.contacts(0).count() >= 8);
}

fn bits(state: &JointState<f64>) -> Vec<u64> {
    state.q.iter().chain(&state.v).map(|x| x.to_bits()).collect()
}

/// The built-in humanoid on its feet, whose toes and heels are spheres within boxes, toppled another way in each lane.
fn toppled<R: Real>(push: impl Fn(usize) -> f64) -> Simulation<R> {
    let body = creature("humanoid").unwrap();
    let character = BodyModel::new(&body, &body.poses()[0], &PhysicsSettings::default()).unwrap();
    let mut simulation = Simulation::<R>::new(
        character.model.into(),
        ContactTerrain::level(),
        PhysicsSettings::default(),
    )
    .unwrap();
    for (i, torque) in simulation.controls_mut().torque_mut().iter_mut().enumerate() {
        *torque = R::from_lanes(|lane| push(lane) * (i % 3) as f64);
    }
    for _ in 0..500 {
        simulation.step();
    }
    simulation
}

#[test]
fn lanes_whose_feet_roll_differently_hold_the_bits_of_single_runs() {
    let push = |lane: usize| 8.0 * lane as f64 - 10.0;
    let lanes = toppled::<f64x4>(push);
    for lane in 0..f64x4::LANES {
        let single = toppled::<f64>(|_| push(lane));
        assert_eq!(bits(&lanes.state().lane(lane)), bits(single.state()), "lane {lane}");
    }
}
