//! Lets a human reach for things around it and says how near its hand comes.
//!
//! `cargo run --release -p andante --example reach -- reach.svg` also draws it.
#![allow(clippy::print_stdout)]

use andante_body::{Body, Physique, RecoveryController, RecoveryOptions, RigidPlacement};
use andante_draw::{Gallery, Sheet, View, body_figure};
use andante_dynamics::{
    ContactTerrain, Kinematics, Model, PhysicsSettings, Simulation, Vec3, vec3,
};
use andante_skeleton::Side;
use glam::{DMat3, DQuat, DVec3, Vec2};

/// A hand (0 left), where it goes, and what that is.
const TARGETS: [(usize, [f64; 3], &str); 8] = [
    (0, [0.25, 1.2, 0.45], "in front"),
    (1, [-0.2, 1.15, 0.78], "far in front"),
    (0, [0.7, 1.3, 0.1], "aside"),
    (1, [-0.95, 1.3, 0.1], "far aside"),
    (0, [0.3, 1.95, 0.1], "overhead"),
    (1, [-0.2, 0.3, 0.4], "low"),
    (0, [-0.2, 1.2, 0.4], "across"),
    (1, [-0.2, 1.2, 1.2], "out of reach"),
];
/// When pictures are taken, s after the hand was sent off; it is called back after four.
const TIMES: [f64; 6] = [0.0, 0.5, 1.0, 3.9, 4.5, 6.5];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let body = andante_body::creature("humanoid")?;
    let physique = Physique::new(&body, &body.poses()[0], &PhysicsSettings::default())?;
    let mut sheet = Sheet::new("A human that reaches, by the torques of its joints");
    sheet.note("orange: where the hand is sent; black: centre of mass");
    for (hand, [x, y, z], name) in TARGETS {
        let aside = x.abs() > 0.5;
        let view = if aside { View::Front } else { View::Side };
        let panel = reach(&body, &physique, hand, vec3(x, y, z), name, view)?;
        sheet.add(panel.draw());
    }
    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(path, sheet.to_svg())?;
    }
    Ok(())
}

fn reach(
    body: &Body,
    physique: &Physique,
    hand: usize,
    target: Vec3<f64>,
    name: &str,
    view: View,
) -> Result<Gallery, Box<dyn std::error::Error>> {
    let settings = PhysicsSettings { step: 1.0 / 240.0, ..PhysicsSettings::default() };
    let mut simulation =
        Simulation::<f64>::new(physique.model.clone(), ContactTerrain::level(), settings)?;
    let mut survivor = RecoveryController::new(physique, RecoveryOptions::default())?;
    let mut gallery = Gallery::new(name, TIMES.len()).on_ground();
    let (mut taken, mut said) = (0, None);
    let [right, up, _] = view.axes().map(|axis| axis.as_dvec3());
    let flat = |p: Vec3<f64>| {
        let p = DVec3::new(p.x, p.y, p.z);
        Vec2::new(p.dot(right) as f32, p.dot(up) as f32)
    };
    while taken < TIMES.len() {
        let time = simulation.time() - 1.0;
        if said.is_none() && time >= 0.0 {
            survivor.balancer_mut().reach(physique, hand, target);
        }
        if time < 4.0 {
            said = survivor.balancer().reaching(hand, simulation.time());
        } else {
            survivor.balancer_mut().release(hand);
        }
        if time >= TIMES[taken] {
            let placed = placed(&physique.model, simulation.kinematics());
            let mut figure = body_figure(body, &placed, &[], view);
            figure.dot(flat(target), Side::Right);
            figure.dot(flat(simulation.centre_of_mass(0)), Side::Middle);
            gallery = gallery.figure(figure, vec![format!("{:.1} s", TIMES[taken])]);
            taken += 1;
        }
        survivor.drive(physique, &mut simulation);
        simulation.step();
    }
    if let Some(said) = said {
        println!(
            "{name}: {:?}, {:.1} cm off, {} steps, {} falls",
            said.status,
            100.0 * said.distance,
            survivor.balancer().steps(),
            survivor.falls()
        );
    }
    Ok(gallery)
}

fn placed(model: &Model, kin: &Kinematics<f64>) -> Vec<RigidPlacement> {
    let vector = |v: Vec3<f64>| DVec3::new(v.x, v.y, v.z);
    let place = |link: usize| {
        let r = kin.rotation(link);
        let rotation = DMat3::from_cols(vector(r.x), vector(r.y), vector(r.z));
        RigidPlacement {
            rotation: DQuat::from_mat3(&rotation),
            translation: vector(kin.position(model, link)),
        }
    };
    (0..model.links().len()).map(place).collect()
}
