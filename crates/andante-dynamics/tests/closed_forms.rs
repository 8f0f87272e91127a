//! Motions whose course is known in closed form.

#![allow(clippy::unwrap_used)]

mod common;

use std::sync::Arc;

use andante_dynamics::samples::{SplitMix, chain};
use andante_dynamics::{
    CollisionForm, CollisionShape, ContactTerrain, JointState, LinkJoint, Model, ModelLink,
    PhysicsSettings, Simulation, Vec3, f64x4, vec3,
};
use common::smooth_step;

const G: f64 = 9.80665;

fn simulation(
    links: Vec<ModelLink>,
    shapes: Vec<CollisionShape>,
    terrain: ContactTerrain,
    step: f64,
) -> Simulation<f64> {
    let model = Arc::new(Model::new(links, shapes).unwrap());
    Simulation::new(
        model,
        terrain,
        PhysicsSettings { step, speed_limit: 3.0 / step, ..PhysicsSettings::default() },
    )
    .unwrap()
}

fn slope(angle: f64) -> ContactTerrain {
    ContactTerrain::plane(vec3(angle.sin(), angle.cos(), 0.0), 0.0).unwrap()
}

/// A cube of a tenth of a metre with its lower face on the slope.
fn cube_on_slope(angle: f64, friction: f64, step: f64) -> Simulation<f64> {
    let size = 0.1;
    let cube = ModelLink::solid_box("cube", None, LinkJoint::Floating, 1.0, vec3(size, size, size))
        .at(vec3(angle.sin(), angle.cos(), 0.0) * (size / 2.0))
        .turned(andante_dynamics::Quat::from_axis_angle(vec3(0.0, 0.0, 1.0), -angle));
    let shape = CollisionShape::new(0, CollisionForm::Box { half: vec3(size, size, size) * 0.5 })
        .surface(friction, 0.0);
    simulation(vec![cube], vec![shape], slope(angle), step)
}

#[test]
fn a_pendulum_swings_with_the_period_of_its_elliptic_integral() {
    let inertia = 0.2 * 0.2 / 12.0;
    for (amplitude, hinge) in [(0.05, true), (1.0, true), (2.0, true), (1.0, false)] {
        let joint = if hinge { LinkJoint::Hinge(vec3(0.0, 0.0, 1.0)) } else { LinkJoint::Ball };
        let link = ModelLink::new("bob", None, joint, 1.0, vec3(inertia, inertia, inertia))
            .centred(vec3(0.0, -0.5, 0.0));
        let mut simulation = simulation(vec![link], vec![], ContactTerrain::None, 1e-4);
        let mut state = JointState::rest(simulation.model());
        if hinge {
            state.q[0] = amplitude;
        } else {
            (state.q[2], state.q[3]) = ((amplitude / 2.0f64).sin(), (amplitude / 2.0f64).cos());
        }
        simulation.set_state(&state).unwrap();
        // Four quarter periods: from rest to the lowest point, where the speed is greatest, is one.
        let mut last = 0.0;
        let quarter = loop {
            simulation.step();
            let x = simulation.centre_of_mass(0).x;
            if x <= 0.0 {
                break simulation.time() - 1e-4 * (-x) / (last - x);
            }
            last = x;
        };
        // T = 2 pi sqrt(I / m g l) / AGM(1, cos(a/2)).
        let (mut a, mut b): (f64, f64) = (1.0, (amplitude / 2.0f64).cos());
        for _ in 0..20 {
            (a, b) = ((a + b) / 2.0, (a * b).sqrt());
        }
        let period = std::f64::consts::TAU * ((inertia + 0.25) / (G * 0.5)).sqrt() / a;
        assert!(
            (quarter * 4.0 / period - 1.0).abs() < 5e-4,
            "{amplitude}: {} {period}",
            quarter * 4.0
        );
    }
}

#[test]
fn a_ball_bounces_to_the_square_of_its_restitution() {
    for e in [0.3, 0.7, 1.0] {
        let ball = ModelLink::new("ball", None, LinkJoint::Floating, 0.5, vec3(1e-3, 1e-3, 1e-3))
            .at(vec3(0.0, 1.1, 0.0));
        let shape = CollisionShape::new(0, CollisionForm::Sphere { radius: 0.1 }).surface(0.5, e);
        let mut simulation = simulation(vec![ball], vec![shape], ContactTerrain::level(), 2e-4);
        let (mut lowest, mut highest) = (2.0, 0.0);
        let mut rising = false;
        for _ in 0..20_000 {
            simulation.step();
            let (y, v) = (simulation.state().q[1] - 0.1, simulation.state().v[4]);
            lowest = y.min(lowest);
            rising |= v > 0.01;
            if rising {
                highest = y.max(highest);
                if v < 0.0 {
                    break;
                }
            }
        }
        assert!((highest - e * e).abs() < 0.005, "{e}: {highest}");
        assert!(lowest > -0.001, "{lowest}");
    }
}

#[test]
fn a_ball_rolls_down_with_five_sevenths_and_slides_when_it_must() {
    let (mass, radius) = (2.0, 0.2);
    let i = 0.4 * mass * radius * radius;
    // Rolls while tan(angle) < 7/2 mu.
    for (angle, friction, expected) in [
        (0.3f64, 0.5, G * 0.3f64.sin() * 5.0 / 7.0),
        (0.6, 0.1, G * (0.6f64.sin() - 0.1 * 0.6f64.cos())),
    ] {
        let up = vec3(angle.sin(), angle.cos(), 0.0);
        let ball =
            ModelLink::new("ball", None, LinkJoint::Floating, mass, vec3(i, i, i)).at(up * radius);
        let shape = CollisionShape::new(0, CollisionForm::Sphere { radius }).surface(friction, 0.0);
        let mut simulation = simulation(vec![ball], vec![shape], slope(angle), 0.002);
        for _ in 0..500 {
            simulation.step();
        }
        let speed =
            Vec3::from([simulation.state().v[3], simulation.state().v[4], simulation.state().v[5]]);
        let acceleration = speed.length() / simulation.time();
        assert!((acceleration / expected - 1.0).abs() < 0.01, "{angle}: {acceleration} {expected}");
        let spin = -simulation.state().v[2] * radius / speed.length();
        let rolls = friction == 0.5;
        assert!(if rolls { (spin - 1.0).abs() < 0.01 } else { spin < 0.9 }, "{spin}");
    }
}

#[test]
fn a_box_on_a_slope_sticks_and_slides_at_the_friction_angle() {
    for friction in [0.2, 0.5, 0.8] {
        let critical = f64::atan(friction);
        for (angle, slides) in [(critical * 0.99, false), (critical * 1.01, true)] {
            let mut simulation = cube_on_slope(angle, friction, 0.002);
            let start = simulation.centre_of_mass(0);
            for _ in 0..1000 {
                simulation.step();
            }
            let moved = (simulation.centre_of_mass(0) - start).length();
            // The least a sliding box goes in two seconds at one per cent above the angle.
            let expected = 0.5 * 4.0 * G * (angle.sin() - friction * angle.cos());
            if slides {
                assert!(
                    (moved / expected - 1.0).abs() < 0.05,
                    "{friction} {angle}: {moved} {expected}"
                );
            } else {
                assert!(moved < 1e-4, "{friction} {angle}: crept {moved}");
            }
        }
    }
}

#[test]
fn a_pushed_box_slides_as_far_in_any_direction() {
    let (speed, friction) = (2.0, 0.4);
    let expected = speed * speed / (2.0 * friction * G);
    for k in 0..8 {
        let heading = 0.4 * f64::from(k);
        let mut simulation = cube_on_slope(0.0, friction, 0.001);
        let mut state = simulation.state().clone();
        (state.v[3], state.v[5]) = (speed * heading.sin(), speed * heading.cos());
        simulation.set_state(&state).unwrap();
        for _ in 0..1000 {
            simulation.step();
        }
        let moved = simulation.centre_of_mass(0);
        let along = moved.x * heading.sin() + moved.z * heading.cos();
        let aside = moved.x * heading.cos() - moved.z * heading.sin();
        assert!((along / expected - 1.0).abs() < 0.02, "{k}: {along} {expected}");
        assert!(aside.abs() < 0.01 * expected, "{k}: {aside}");
    }
}

#[test]
fn contact_forces_of_a_standing_box_carry_its_weight() {
    let mut simulation = cube_on_slope(0.0, 0.5, 0.002);
    let mut sweeps = 0;
    for _ in 0..200 {
        sweeps = simulation.step().sweeps;
    }
    assert_eq!(sweeps, 1, "starting from the last impulses, there is nothing left to do");
    let force = simulation.contacts(0).fold(vec3(0.0, 0.0, 0.0), |sum, c| sum + c.force);
    assert!((force - vec3(0.0, G, 0.0)).length() < 1e-3 * G, "{force:?}");
    assert_eq!(simulation.contacts(0).count(), 4);
    for contact in simulation.contacts(0) {
        assert!((contact.force.y - G / 4.0).abs() < 0.05 * G, "{contact:?}");
        assert!(contact.other.is_none() && contact.shape == 0 && contact.link == 0);
    }
}

#[test]
fn momentum_is_exact_in_free_flight() {
    let (mut random, mut worst) = (SplitMix::new(5), 0.0f64);
    for seed in 0..5 {
        let model = Arc::new(andante_dynamics::samples::random_tree(seed, 12, true).unwrap());
        let mut simulation = Simulation::<f64>::new(
            Arc::clone(&model),
            ContactTerrain::None,
            PhysicsSettings::default(),
        )
        .unwrap();
        let state = JointState { q: random.coordinates(&model), v: random.velocities(&model, 2.0) };
        simulation.set_state(&state).unwrap();
        let (linear, angular) = simulation.momentum(0);
        let centre = simulation.centre_of_mass(0);
        for _ in 0..1000 {
            simulation.step();
        }
        let t = simulation.time();
        let (p, l) = simulation.momentum(0);
        let fallen = vec3(0.0, -G * t * model.mass(), 0.0);
        let size = angular.length().max(1.0);
        worst = worst.max((p - linear - fallen).length()).max((l - angular).length() / size);
        assert!((p - linear - fallen).length() < 1e-8 * model.mass(), "{seed}");
        assert!((l - angular).length() < 1e-9 * size, "{seed}: {l:?} {angular:?}");
        // The steps' own parabola: semi-implicit Euler falls h/2 t g further.
        let path = linear * (t / model.mass()) + vec3(0.0, -0.5 * G * t * (t + 0.002), 0.0);
        assert!((simulation.centre_of_mass(0) - centre - path).length() < 1e-9, "{seed}");
    }
    println!("worst {worst:.1e}");
}

#[test]
fn an_impulse_gives_the_momentum_it_has() {
    let model = Arc::new(andante_dynamics::samples::random_tree(8, 9, true).unwrap());
    let options = PhysicsSettings { gravity: vec3(0.0, 0.0, 0.0), ..PhysicsSettings::default() };
    let mut simulation = Simulation::<f64>::new(model, ContactTerrain::None, options).unwrap();
    let (impulse, point) =
        (vec3(3.0, -1.0, 2.0), simulation.kinematics().position(simulation.model(), 4));
    let arm = point - simulation.centre_of_mass(0);
    simulation.apply_impulse(4, impulse, point);
    simulation.step();
    let (p, l) = simulation.momentum(0);
    assert!((p - impulse).length() < 1e-12 && (l - arm.cross(impulse)).length() < 1e-12);
    simulation.step();
    assert!((simulation.momentum(0).0 - impulse).length() < 1e-12, "an impulse acts once");
}

/// Five rods held out sideways, a little bent, and let go.
fn swinging_chain() -> (Arc<Model>, JointState<f64>) {
    let model = Arc::new(chain(5, LinkJoint::Ball).unwrap());
    let mut state = JointState::rest(&model);
    (state.q[2], state.q[3]) = (0.5f64.sqrt(), 0.5f64.sqrt());
    (state.q[4], state.q[7]) = (0.3f64.sin(), 0.3f64.cos());
    (model, state)
}

/// Largest relative change of the energy over a course of states, against what there is to exchange: from held out to
/// hanging.
fn drift(
    model: &Arc<Model>,
    seconds: f64,
    mut course: impl FnMut() -> (f64, JointState<f64>),
) -> f64 {
    let mut meter =
        Simulation::<f64>::new(Arc::clone(model), ContactTerrain::None, PhysicsSettings::default())
            .unwrap();
    let (mut start, mut worst) = (None, 0.0f64);
    loop {
        let (time, state) = course();
        meter.set_state(&state).unwrap();
        let energy = meter.kinetic_energy() + meter.potential_energy();
        let start = *start.get_or_insert(energy);
        worst = worst.max((energy - start).abs() / (5.0 * G * 1.25));
        if time >= seconds {
            return worst;
        }
    }
}

#[test]
fn a_frictionless_chain_keeps_its_energy() {
    let (model, mut state) = swinging_chain();
    let (tau, gravity, mut time) = (vec![0.0; model.freedoms()], vec3(0.0, -G, 0.0), 0.0);
    let worst = drift(&model, 10.0, || {
        let now = (time, state.clone());
        for _ in 0..10 {
            state = smooth_step(&model, &state, &tau, gravity, 1e-3);
            time += 1e-3;
        }
        now
    });
    println!("largest drift over 10 s {:.6} %", worst * 100.0);
    assert!(worst < 1e-3, "{worst}");
}

#[test]
fn the_error_of_a_step_is_of_first_order() {
    let (model, state) = swinging_chain();
    let off = |step: f64| {
        let options = PhysicsSettings { step, ..PhysicsSettings::default() };
        let mut simulation =
            Simulation::<f64>::new(Arc::clone(&model), ContactTerrain::None, options).unwrap();
        simulation.set_state(&state).unwrap();
        while simulation.time() < 0.5 - step / 2.0 {
            simulation.step();
        }
        let (mut exact, tau) = (state.clone(), vec![0.0; model.freedoms()]);
        for _ in 0..500 {
            exact = smooth_step(&model, &exact, &tau, vec3(0.0, -G, 0.0), 1e-3);
        }
        exact.v.iter().zip(&simulation.state().v).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let (coarse, fine) = (off(1e-3), off(2.5e-4));
    assert!(coarse / fine > 3.3 && coarse / fine < 4.7, "{coarse} {fine}");
}

#[test]
fn springs_never_gain_energy_however_stiff() {
    for (stiffness, step) in [(10.0, 0.002), (1e3, 0.002), (1e5, 0.005), (1e7, 0.01)] {
        let mut links = chain(4, LinkJoint::Ball).unwrap().links().to_vec();
        for (k, link) in links.iter_mut().enumerate() {
            // Light links, unequal axes.
            link.mass = 0.05;
            link.inertia = andante_dynamics::Sym3::diagonal(vec3(1e-4, 1e-4, 1e-4));
            for (m, axis) in link.axes.iter_mut().enumerate() {
                axis.stiffness = stiffness * (1.0 + (k + m) as f64);
                axis.damping = 0.0;
            }
        }
        let model = Arc::new(Model::new(links, vec![]).unwrap());
        let options = PhysicsSettings {
            step,
            gravity: vec3(0.0, 0.0, 0.0),
            speed_limit: 3.0 / step,
            ..PhysicsSettings::default()
        };
        let mut simulation =
            Simulation::<f64>::new(Arc::clone(&model), ContactTerrain::None, options).unwrap();
        let mut random = SplitMix::new(1);
        let mut state = JointState::rest(&model);
        for link in 0..4 {
            andante_dynamics::Quat::exp(random.vector(0.5))
                .write(&mut state.q[4 * link..4 * link + 4]);
        }
        simulation.set_state(&state).unwrap();
        let energy = |s: &Simulation<f64>| s.kinetic_energy() + s.elastic_energy();
        let start = energy(&simulation);
        for k in 0..5000 {
            simulation.step();
            let now = energy(&simulation);
            assert!(now < start * 1.001, "{stiffness} step {k}: {now} from {start}");
        }
        assert!(!simulation.is_quarantined(0));
    }
}

#[test]
fn a_sprung_hinge_swings_with_its_frequency_and_damping() {
    // I x'' + D x' + K x = 0: w = sqrt(K/I - (D/2I)^2), decay exp(-D t / 2I).
    let (inertia, stiffness, damping) = (0.5, 200.0, 1.0);
    let bar = ModelLink::new(
        "bar",
        None,
        LinkJoint::Hinge(vec3(0.0, 0.0, 1.0)),
        1.0,
        vec3(1.0, 1.0, inertia),
    )
    .sprung(stiffness, damping);
    let mut simulation = simulation(vec![bar], vec![], ContactTerrain::None, 1e-4);
    let mut state = JointState::rest(simulation.model());
    state.q[0] = 0.1;
    simulation.set_state(&state).unwrap();
    let decay = damping / (2.0 * inertia);
    let frequency = (stiffness / inertia - decay * decay).sqrt();
    for k in 1..=20_000 {
        simulation.step();
        let t = f64::from(k) * 1e-4;
        let (s, c) = (frequency * t).sin_cos();
        let expected = 0.1 * (-decay * t).exp() * (c + decay / frequency * s);
        assert!((simulation.state().q[0] - expected).abs() < 2e-3, "{t}");
    }
}

#[test]
fn dampers_of_a_tenth_of_the_stiffness_are_stable_on_the_lightest_link() {
    // An explicit damper of 30 N m s/rad on 1e-3 kg m^2 would need steps below 0.07 ms.
    for step in [0.002, 0.005, 0.01] {
        let foot = ModelLink::new("foot", None, LinkJoint::Ball, 1.0, vec3(1e-3, 1e-3, 1e-3))
            .sprung(300.0, 30.0);
        let mut simulation = simulation(vec![foot], vec![], ContactTerrain::None, step);
        let mut state = JointState::rest(simulation.model());
        andante_dynamics::Quat::exp(vec3(0.5, -0.4, 0.3)).write(&mut state.q[..4]);
        state.v = vec![20.0, -10.0, 5.0];
        simulation.set_state(&state).unwrap();
        let mut last = f64::INFINITY;
        while simulation.time() < 1.0 {
            simulation.step();
            let off = andante_dynamics::Quat::read(&simulation.state().q).log().length();
            assert!(off < last.max(1e-12), "overdamped: it only comes nearer");
            last = off;
        }
        // Overdamped: it creeps back with K_p / K_d = 10 per second.
        assert!(last < 0.707 * 1.2 * f64::exp(-10.0 * 0.9), "{last}");
    }
}

#[test]
fn soft_stops_hold_a_joint_in_its_range() {
    let mut link = ModelLink::new(
        "arm",
        None,
        LinkJoint::Hinge(vec3(0.0, 0.0, 1.0)),
        1.0,
        vec3(0.01, 0.01, 0.01),
    )
    .centred(vec3(0.0, -0.3, 0.0))
    .limited(-0.5, 0.8);
    (link.stop_stiffness, link.stop_damping) = (2000.0, 20.0);
    let mut simulation = simulation(vec![link], vec![], ContactTerrain::None, 0.002);
    simulation.controls_mut().torque_mut()[0] = 40.0;
    for _ in 0..1000 {
        simulation.step();
    }
    let angle = simulation.state().q[0];
    // Torque against stop: (40 - m g l sin) / k beyond the end.
    let expected = 0.8 + (40.0 - G * 0.3 * angle.sin()) / 2000.0;
    assert!((angle - expected).abs() < 1e-4, "{angle} {expected}");
    assert!(simulation.state().v[0].abs() < 1e-6);
}

#[test]
fn mirrored_starts_give_mirrored_courses() {
    // Sweeps go from left to right: only where the impulses have one solution does their order not show in the end.
    // With friction that need not be, and the courses part a little more.
    for (friction, steps, tolerance) in [(0.0, 170, 1e-9), (0.8, 60, 1e-12), (0.8, 170, 1e-3)] {
        let model = andante_dynamics::samples::humanoid().unwrap();
        let shapes = model.shapes().iter().map(|s| s.surface(friction, 0.0)).collect();
        let model = Arc::new(Model::new(model.links().to_vec(), shapes).unwrap());
        let options =
            PhysicsSettings { tolerance: 1e-13, sweeps: 5000, ..PhysicsSettings::default() };
        let mut simulation =
            Simulation::<f64x4>::new(Arc::clone(&model), ContactTerrain::level(), options).unwrap();
        let mut random = SplitMix::new(3);
        let mut one = JointState::<f64>::rest(&model);
        for x in &mut one.v {
            *x = random.between(-1.0, 1.0);
        }
        one.q[1] += 0.3;
        let mut state = JointState::rest(&model);
        for lane in [0, 2, 3] {
            state.set_lane(lane, &one);
        }
        state.set_lane(1, &mirror(&model, &one));
        simulation.set_state(&state).unwrap();
        let mut touched = false;
        for _ in 0..steps {
            touched |= simulation.step().contacts > 0;
        }
        assert_eq!(touched, steps > 60);
        let (a, b) = (simulation.state().lane(0), mirror(&model, &simulation.state().lane(1)));
        for (x, y) in a.q.iter().zip(&b.q).chain(a.v.iter().zip(&b.v)) {
            assert!((x - y).abs() < tolerance, "{friction} {steps}: {x} {y}");
        }
    }
}

/// Left for right across the plane x = 0.
fn mirror(model: &Model, state: &JointState<f64>) -> JointState<f64> {
    let mut out = state.clone();
    let (q, v) = (&state.q, &state.v);
    for (link, name) in model.links().iter().map(|l| l.name.as_str()).enumerate() {
        let other = match name.split_once(' ') {
            Some(("left", part)) => model.find(&format!("right {part}")).unwrap(),
            Some(("right", part)) => model.find(&format!("left {part}")).unwrap(),
            _ => link,
        };
        let (from, to) = (model.coordinate_range(other), model.coordinate_range(link));
        let (vf, vt) = (model.freedom_range(other), model.freedom_range(link));
        let (q, v) = (&q[from], &v[vf]);
        // Angular quantities are axial: their x stays, y and z turn round.
        if name == "torso" {
            out.q[to].copy_from_slice(&[-q[0], q[1], q[2], q[3], -q[4], -q[5], q[6]]);
            out.v[vt].copy_from_slice(&[v[0], -v[1], -v[2], -v[3], v[4], v[5]]);
        } else {
            out.q[to].copy_from_slice(&[q[0], -q[1], -q[2], q[3]]);
            out.v[vt].copy_from_slice(&[v[0], -v[1], -v[2]]);
        }
    }
    out
}
