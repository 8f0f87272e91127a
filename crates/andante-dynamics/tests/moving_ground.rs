//! Ground that moves carries what is on it.

#![allow(clippy::unwrap_used)]

use andante_dynamics::{
    CollisionForm, CollisionShape, ContactTerrain, GroundMotion, LinkJoint, Model, ModelLink,
    PhysicsSettings, Simulation, SimulationError, Surface, SurfacePoint, Vec3, f64x4, vec3,
};
use std::sync::Arc;

/// Level ground at a height, whose left half moves.
#[derive(Clone, Copy)]
struct Belt {
    height: f64,
    motion: GroundMotion,
}

impl Surface for Belt {
    fn nearest(&self, p: Vec3<f64>, reach: f64) -> Option<SurfacePoint> {
        let (distance, normal) = (p.y - self.height, vec3(0.0, 1.0, 0.0));
        (distance <= reach).then_some(SurfacePoint { distance, normal })
    }

    fn motion(&self, p: Vec3<f64>, _: f64) -> Option<GroundMotion> {
        (p.x > 0.0).then_some(self.motion)
    }
}

fn belt(velocity: Vec3<f64>, spin: f64) -> Belt {
    Belt { height: 0.0, motion: GroundMotion { velocity, spin: vec3(0.0, spin, 0.0) } }
}

fn crate_at(x: f64, z: f64, ground: impl Surface + 'static) -> Simulation<f64> {
    let inertia = vec3(0.01, 0.01, 0.01);
    let link = ModelLink::new("crate", None, LinkJoint::Floating, 1.0, inertia).at(vec3(x, 0.1, z));
    let shape = CollisionShape::new(0, CollisionForm::Box { half: vec3(0.1, 0.1, 0.1) });
    let shape = CollisionShape { friction: 0.5, ..shape };
    let model = Model::new(vec![link], vec![shape]).unwrap();
    Simulation::new(Arc::new(model), ContactTerrain::surface(ground), PhysicsSettings::default())
        .unwrap()
}

fn run(simulation: &mut Simulation<f64>, seconds: f64) -> (Vec3<f64>, Vec3<f64>) {
    let end = simulation.time() + seconds;
    while simulation.time() < end {
        assert_eq!(simulation.step().quarantined, 0);
    }
    let kin = simulation.kinematics();
    (kin.position(simulation.model(), 0), simulation.momentum(0).0)
}

#[test]
fn a_belt_speeds_up_what_lies_on_it_as_friction_lets_it() {
    let mut simulation = crate_at(1.0, 0.0, belt(vec3(0.0, 0.0, 1.0), 0.0));
    let (_, momentum) = run(&mut simulation, 0.1);
    // Coulomb: half of gravity for a tenth of a second.
    assert!((momentum.z - 0.5 * 9.80665 * 0.1).abs() < 0.02, "{momentum:?}");
    let (place, momentum) = run(&mut simulation, 1.0);
    assert!((momentum - vec3(0.0, 0.0, 1.0)).length() < 1e-6, "{momentum:?}");
    // What it slipped while it sped up: v² / 2a.
    assert!((place.z - (simulation.time() - 1.0 / 9.80665)).abs() < 0.01, "{place:?}");
}

#[test]
fn beside_the_belt_nothing_moves_and_across_its_rim_things_are_turned() {
    let still = run(&mut crate_at(-1.0, 0.0, belt(vec3(0.0, 0.0, 1.0), 0.0)), 1.0);
    assert!(still.1.length() < 1e-9 && still.0.z.abs() < 1e-9);
    let mut across = crate_at(0.0, 0.0, belt(vec3(0.0, 0.0, 1.0), 0.0));
    run(&mut across, 0.1);
    assert!(across.momentum(0).1.y < -1e-4, "{:?}", across.momentum(0));
}

#[test]
fn a_turntable_carries_what_stands_on_it_round() {
    let spin = 0.8;
    // The axis is a metre and a half away from the origin.
    let axis = vec3(1.5, 0.0, 0.5);
    let velocity = vec3(0.0, -spin, 0.0).cross(axis);
    let mut simulation = crate_at(2.0, 0.5, belt(velocity, spin));
    let (place, _) = run(&mut simulation, 3.0);
    // It slips until it goes round with the table; then its distance stays.
    let far = (place - axis).length();
    let (later, momentum) = run(&mut simulation, 2.0);
    assert!(((later - axis).length() - far).abs() < 1e-3);
    assert!(
        (vec3(momentum.x, 0.0, momentum.z).length() - spin * far_flat(later, axis)).abs() < 1e-2
    );
}

fn far_flat(a: Vec3<f64>, b: Vec3<f64>) -> f64 {
    (a.x - b.x).hypot(a.z - b.z)
}

#[test]
fn a_lift_takes_what_stands_on_it_along_up_and_down() {
    let mut ground = belt(vec3(0.0, 0.5, 0.0), 0.0);
    let mut simulation = crate_at(1.0, 0.0, ground);
    let h = simulation.settings().step;
    for step in 0..2000 {
        let up = if step < 1000 { 0.5 } else { -0.5 };
        ground.motion.velocity.y = up;
        ground.height += h * up;
        simulation.move_terrain(ContactTerrain::surface(ground)).unwrap();
        simulation.step();
        if step > 100 && !(1000..=1200).contains(&step) {
            let y = simulation.kinematics().position(simulation.model(), 0).y;
            assert!((y - 0.1 - ground.height).abs() < 0.003, "{step}: {y} {}", ground.height);
        }
    }
}

#[test]
fn ground_does_not_become_ground_of_another_kind() {
    let mut simulation = crate_at(1.0, 0.0, belt(Vec3::default(), 0.0));
    assert_eq!(simulation.move_terrain(ContactTerrain::level()), Err(SimulationError::Ground));
}

/// In several lanes at once each has its own ground.
#[test]
fn lanes_on_and_beside_a_belt_differ_and_are_as_alone() {
    let alone =
        [1.0, -1.0].map(|x| run(&mut crate_at(x, 0.0, belt(vec3(0.0, 0.0, 1.0), 0.0)), 0.5).0);
    let one = crate_at(1.0, 0.0, belt(vec3(0.0, 0.0, 1.0), 0.0));
    let terrain = one.terrain().clone();
    let model = Arc::new(one.model().clone());
    let mut all = Simulation::<f64x4>::new(model, terrain, PhysicsSettings::default()).unwrap();
    let mut other = one.state().clone();
    other.q[0] = -1.0;
    all.set_lane(1, &other).unwrap();
    while all.time() < 0.5 {
        all.step();
    }
    let place = all.kinematics().position(all.model(), 0);
    for (lane, alone) in alone.iter().enumerate() {
        assert!((place.lane(lane) - *alone).length() < 1e-6, "{lane}");
    }
}

/// Two walls as far from the middle as this.
struct Slot(f64);

impl Surface for Slot {
    fn nearest(&self, point: Vec3<f64>, reach: f64) -> Option<SurfacePoint> {
        let (distance, inwards) = (self.0 - point.x.abs(), -point.x.signum());
        let found = SurfacePoint { distance, normal: vec3(inwards, 0.0, 0.0) };
        (distance <= reach).then_some(found)
    }
}

/// No impulse is enough for walls that are nearer to each other than what is between them; whatever it begins from must not
/// be what was not enough before.
#[test]
fn contacts_that_contradict_each_other_do_not_push_harder_from_step_to_step() {
    for half in [0.05, 0.08, 0.095] {
        let mut simulation = crate_at(0.0, 0.0, Slot(half));
        let mut hardest = |steps: usize| {
            let forces = (0..steps).flat_map(|_| {
                assert_eq!(simulation.step().quarantined, 0);
                simulation.contacts(0).map(|contact| contact.force.length()).collect::<Vec<_>>()
            });
            forces.fold(0.0, f64::max)
        };
        let (first, later) = (hardest(50), hardest(2000));
        assert!(first > 0.0 && later < 2.0 * first, "{half} m: {first} N, then {later} N");
    }
}
