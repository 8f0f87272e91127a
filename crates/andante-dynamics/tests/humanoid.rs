//! A humanoid dropped, replayed, quarantined and stepped in lanes.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use proptest::prelude::*;

use andante_dynamics::samples::{SplitMix, humanoid};
use andante_dynamics::{
    ContactTerrain, HeightSurface, JointState, LinkJoint, Model, PhysicsSettings, Quarantine, Quat,
    Real, Reason, Simulation, SimulationError, f64x4, f64x8, vec3,
};

fn model() -> Arc<Model> {
    Arc::new(humanoid().unwrap())
}

/// A pose within the ranges of the joints, in the air, falling.
fn pose(model: &Model, seed: u64, height: f64, speed: f64) -> JointState<f64> {
    let mut random = SplitMix::new(seed);
    let mut state = JointState::rest(model);
    for (i, link) in model.links().iter().enumerate() {
        let q = &mut state.q[model.coordinate_range(i)];
        if link.joint == LinkJoint::Floating {
            q[..3].copy_from_slice(&[0.0, height, 0.0]);
            random.rotation().write(&mut q[3..]);
        } else {
            Quat::exp(random.vector(0.6)).write(q);
        }
    }
    state.v[4] = -speed;
    state
}

/// Fastest point of any link in a lane: at its origin or its shape's far end.
fn fastest<R: Real>(simulation: &Simulation<R>, lane: usize) -> f64 {
    let mut fastest = 0.0f64;
    for shape in simulation.model().shapes() {
        let (w, v) = simulation.kinematics().velocity(shape.link);
        fastest = fastest.max(v.lane(lane).length() + w.lane(lane).length() * 0.3);
    }
    fastest
}

fn lowest<R: Real>(simulation: &Simulation<R>, lane: usize) -> f64 {
    simulation.contacts(lane).map(|c| c.distance).fold(0.0, f64::min)
}

#[test]
fn a_hundred_dropped_humanoids_come_to_rest_without_jitter() {
    let model = model();
    let (mut worst_speed, mut worst_depth) = (0.0f64, 0.0f64);
    for batch in 0..13 {
        let mut simulation = Simulation::<f64x8>::new(
            Arc::clone(&model),
            ContactTerrain::level(),
            PhysicsSettings::default(),
        )
        .unwrap();
        let mut state = JointState::rest(&model);
        for lane in 0..8 {
            state.set_lane(lane, &pose(&model, batch * 8 + lane as u64, 1.8, 0.0));
        }
        simulation.set_state(&state).unwrap();
        while simulation.time() < 8.0 {
            simulation.step();
            for lane in 0..8 {
                worst_depth = worst_depth.min(lowest(&simulation, lane));
            }
        }
        for _ in 0..250 {
            let report = simulation.step();
            assert_eq!(report.quarantined, 0);
            for lane in 0..8 {
                let speed = fastest(&simulation, lane);
                worst_speed = worst_speed.max(speed);
                assert!(
                    speed < 1e-3,
                    "pose {}: {speed} m/s after {} s",
                    batch * 8 + lane as u64,
                    simulation.time()
                );
            }
        }
    }
    println!("fastest at rest {worst_speed:.1e} m/s, deepest {worst_depth:.1e} m");
}

#[test]
fn nothing_tunnels_at_eight_metres_a_second() {
    let model = model();
    let hills = ContactTerrain::surface(HeightSurface(|x: f64, z: f64| {
        let h = 0.1 * (1.3 * x).sin() * (0.9 * z).cos();
        (h, 0.13 * (1.3 * x).cos() * (0.9 * z).cos(), -0.09 * (1.3 * x).sin() * (0.9 * z).sin())
    }));
    for terrain in [ContactTerrain::level(), hills] {
        let options = PhysicsSettings { step: 0.004, ..PhysicsSettings::default() };
        let mut simulation =
            Simulation::<f64x8>::new(Arc::clone(&model), terrain, options).unwrap();
        let mut state = JointState::rest(&model);
        for lane in 0..8 {
            state.set_lane(lane, &pose(&model, 500 + lane as u64, 2.0, 8.0));
        }
        simulation.set_state(&state).unwrap();
        for _ in 0..500 {
            assert_eq!(simulation.step().quarantined, 0);
            for lane in 0..8 {
                let depth = lowest(&simulation, lane);
                assert!(depth > -0.02, "lane {lane}: {depth} m deep at {} s", simulation.time());
            }
        }
        for link in 0..model.links().len() {
            let y = simulation.kinematics().position(&model, link).y;
            assert!((0..8).all(|lane| y.lane(lane) > -0.2), "{link} is under the ground");
        }
    }
}

#[test]
fn sweeps_settle_where_friction_and_normal_impulses_chase_each_other() {
    // A humanoid that lands on the edges of its light feet: without going half way, one step in eight never settled,
    // however many sweeps it had.
    let model = model();
    let options = PhysicsSettings { sweeps: 1000, ..PhysicsSettings::default() };
    let mut simulation =
        Simulation::<f64>::new(Arc::clone(&model), ContactTerrain::level(), options).unwrap();
    let (mut random, mut unsettled) = (SplitMix::new(0), 0);
    let mut state = JointState::rest(&model);
    state.v = random.velocities(&model, 1.0);
    state.q[1] += 0.1;
    simulation.set_state(&state).unwrap();
    for _ in 0..1000 {
        unsettled += u32::from(simulation.step().sweeps == 1000);
    }
    println!("{unsettled} steps unsettled");
    assert!(unsettled <= 5);
}

fn bits(state: &JointState<f64>) -> u64 {
    // FNV-1a over the bits of the state.
    state
        .q
        .iter()
        .chain(&state.v)
        .flat_map(|x| x.to_bits().to_le_bytes())
        .fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// Ten seconds of falling, lying and being driven about.
fn ten_seconds<R: Real>(seeds: impl Fn(usize) -> u64) -> Simulation<R> {
    let model = model();
    // The gravity of the first golden run.
    let settings = PhysicsSettings { gravity: vec3(0.0, -9.81, 0.0), ..PhysicsSettings::default() };
    let mut simulation =
        Simulation::<R>::new(Arc::clone(&model), ContactTerrain::level(), settings).unwrap();
    let mut state = JointState::rest(&model);
    for lane in 0..R::LANES {
        state.set_lane(lane, &pose(&model, seeds(lane), 1.5, 1.0));
    }
    simulation.set_state(&state).unwrap();
    for k in 0..5000 {
        // A triangle wave: no library function whose last bit differs between platforms.
        let wave = (f64::from(k % 400) - 200.0).abs() - 100.0;
        for (i, torque) in simulation.controls_mut().torque_mut().iter_mut().enumerate() {
            *torque = R::splat(wave * 0.1 * (i % 5) as f64);
        }
        simulation.step();
    }
    simulation
}

#[test]
fn ten_seconds_have_a_golden_hash() {
    let simulation = ten_seconds::<f64>(|_| 7);
    assert!(!simulation.is_quarantined(0));
    assert_eq!(format!("{:016x}", bits(simulation.state())), "99b8a43ea1efd844");
}

#[test]
fn lanes_hold_the_bits_of_single_runs() {
    let lanes = ten_seconds::<f64x4>(|lane| 7 + lane as u64);
    for lane in [0, 3] {
        let single = ten_seconds::<f64>(|_| 7 + lane as u64);
        assert_eq!(bits(&lanes.state().lane(lane)), bits(single.state()), "lane {lane}");
    }
}

#[test]
fn a_restored_snapshot_goes_on_bit_by_bit() {
    let model = model();
    let mut simulation = Simulation::<f64>::new(
        Arc::clone(&model),
        ContactTerrain::level(),
        PhysicsSettings::default(),
    )
    .unwrap();
    simulation.set_state(&pose(&model, 11, 1.2, 2.0)).unwrap();
    for _ in 0..300 {
        simulation.step();
    }
    let snapshot = simulation.snapshot();
    let run = |simulation: &mut Simulation<f64>| {
        for _ in 0..500 {
            simulation.step();
        }
        bits(simulation.state())
    };
    let first = run(&mut simulation);
    simulation.restore(&snapshot).unwrap();
    assert_eq!(simulation.steps(), 300);
    assert_eq!(run(&mut simulation), first);
    // And in another simulation that never lived through the beginning.
    let mut other =
        Simulation::<f64>::new(model, ContactTerrain::level(), PhysicsSettings::default()).unwrap();
    other.restore(&snapshot).unwrap();
    assert_eq!(run(&mut other), first);
}

#[test]
fn an_exploding_lane_is_quarantined_and_the_others_do_not_notice() {
    let model = model();
    let start = |simulation: &mut Simulation<f64x4>| {
        let mut state = JointState::rest(&model);
        for lane in 0..4 {
            state.set_lane(lane, &pose(&model, 20 + lane as u64, 1.0, 0.0));
        }
        simulation.set_state(&state).unwrap();
    };
    let new = || {
        Simulation::<f64x4>::new(
            Arc::clone(&model),
            ContactTerrain::level(),
            PhysicsSettings::default(),
        )
        .unwrap()
    };
    let (mut calm, mut upset) = (new(), new());
    start(&mut calm);
    start(&mut upset);
    for k in 0..400 {
        let torque = upset.controls_mut().torque_mut();
        torque[8].set_lane(1, if k < 100 { 0.0 } else { f64::NAN });
        torque[9].set_lane(2, if k < 200 { 0.0 } else { 1e12 });
        let frozen = [upset.state().lane(1), upset.state().lane(2)];
        calm.step();
        let report = upset.step();
        let expected = if k < 100 {
            0
        } else if k < 200 {
            0b10
        } else {
            0b110
        };
        assert_eq!(report.quarantined, expected, "step {k}");
        assert!(k < 100 || upset.contacts(1).next().is_none());
        if k >= 200 {
            assert_eq!([upset.state().lane(1), upset.state().lane(2)], frozen);
        }
        for lane in [0, 3] {
            assert_eq!(upset.state().lane(lane), calm.state().lane(lane));
        }
    }
    let expected = |step, reason| Some(Quarantine { step, link: 1, reason });
    assert_eq!(upset.quarantine(0), None);
    assert_eq!(upset.quarantine(1).map(|q| (q.step, q.reason)), Some((100, Reason::NotFinite)));
    assert_eq!(
        upset.quarantine(2).map(|q| Quarantine { link: 1, ..q }),
        expected(200, Reason::TooFast)
    );
    assert!(upset.state().q.iter().all(|x| (0..4).all(|l| x.lane(l).is_finite())));
    // Released by a new state.
    upset.controls_mut().torque_mut()[8].set_lane(1, 0.0);
    upset.set_lane(1, &pose(&model, 3, 1.0, 0.0)).unwrap();
    assert_eq!(upset.step().quarantined, 0b100);
    let nan = JointState { q: vec![f64::NAN; model.coordinates()], v: vec![0.0; model.freedoms()] };
    assert!(upset.set_lane(2, &nan).is_err());
    let mut shrunk = pose(&model, 3, 1.0, 0.0);
    shrunk.q[7] *= 0.5;
    let refused = upset.set_lane(2, &shrunk).unwrap_err();
    assert_eq!(refused, SimulationError::NotUnit { lane: 2, link: 1 });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn whatever_is_put_in_the_state_stays_finite(
        seed in 0u64..1000,
        wild in prop::collection::vec((0usize..36, prop_oneof![any::<f64>(), Just(f64::NAN), -1e4..1e4]), 0..6),
        push in any::<[f64; 3]>(),
        speed in -1e4..1e4,
    ) {
        let model = model();
        let mut simulation =
            Simulation::<f64>::new(Arc::clone(&model), ContactTerrain::level(), PhysicsSettings::default()).unwrap();
        let mut state = pose(&model, seed, 1.0, 0.0);
        state.v[(seed % 36) as usize] = speed;
        simulation.set_state(&state).unwrap();
        for k in 0..100 {
            for &(i, x) in &wild {
                let controls = simulation.controls_mut();
                controls.torque_mut()[i] = x;
                controls.gain_mut()[i] = x;
                controls.target_mut()[i] = x;
            }
            if k == 50 {
                simulation.apply_impulse(3, push.into(), vec3(0.0, 1.0, 0.0));
            }
            simulation.step();
            prop_assert!(simulation.state().q.iter().chain(&simulation.state().v).all(|x| x.is_finite()));
        }
    }
}

#[test]
fn a_step_allocates_nothing() {
    let model = model();
    let mut one = Simulation::<f64>::new(
        Arc::clone(&model),
        ContactTerrain::level(),
        PhysicsSettings::default(),
    )
    .unwrap();
    let mut four = Simulation::<f64x4>::new(
        Arc::clone(&model),
        ContactTerrain::level(),
        PhysicsSettings::default(),
    )
    .unwrap();
    one.set_state(&pose(&model, 2, 1.0, 1.0)).unwrap();
    let count = allocation_counter::measure(|| {
        for _ in 0..500 {
            one.apply_impulse(0, vec3(0.1, 0.0, 0.0), vec3(0.0, 1.0, 0.0));
            one.step();
            four.step();
        }
    });
    assert_eq!(count.count_total, 0);
    assert!(one.contacts(0).count() > 0 && four.contacts(2).count() > 0);
}

#[test]
fn nothing_at_all_can_be_simulated() {
    let model = Arc::new(Model::new(vec![], vec![]).unwrap());
    let mut simulation =
        Simulation::<f64x4>::new(model, ContactTerrain::level(), PhysicsSettings::default())
            .unwrap();
    let report = simulation.step();
    assert_eq!((report.contacts, report.quarantined), (0, 0));
}

#[test]
fn options_out_of_range_are_refused_by_name() {
    let refused = |options| {
        Simulation::<f64>::new(model(), ContactTerrain::level(), options)
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    let good = PhysicsSettings::default;
    assert_eq!(refused(PhysicsSettings { step: 0.0, ..good() }), "option step is out of its range");
    assert_eq!(
        refused(PhysicsSettings { step: f64::NAN, ..good() }),
        "option step is out of its range"
    );
    assert_eq!(
        refused(PhysicsSettings { correction: 1.5, ..good() }),
        "option correction is out of its range"
    );
    let gravity = vec3(0.0, f64::INFINITY, 0.0);
    assert_eq!(
        refused(PhysicsSettings { gravity, ..good() }),
        "option gravity is out of its range"
    );
}

#[test]
fn only_enabled_shapes_touch_the_ground() {
    let model = model();
    let mut simulation = Simulation::<f64x4>::new(
        Arc::clone(&model),
        ContactTerrain::level(),
        PhysicsSettings::default(),
    )
    .unwrap();
    for shape in 0..model.shapes().len() {
        simulation.set_collision(shape, 1, false);
    }
    for _ in 0..200 {
        simulation.step();
    }
    assert!(simulation.contacts(0).count() > 0);
    assert_eq!(simulation.contacts(1).count(), 0);
    let fallen = simulation.state().lane(1);
    assert!((fallen.v[4] + 9.80665 * simulation.time()).abs() < 1e-9, "lane 1 falls freely");
}
