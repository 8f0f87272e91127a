//! Modes against the simulator, which knows nothing of them.
#![allow(clippy::unwrap_used)]

use andante_body::{Body, CREATURES, creature};
use andante_dynamics::{PhysicsSettings, vec3};
use andante_gait::{
    Basis, BodyState, GaitProblem, GaitSketch, Mirror, Modes, ProblemOptions, PulseController,
    PulseMotion, PulsePhase, PulseShape, StepPlan, VibrationMode,
};

/// Without dampers, so that everything swings and goes on swinging.
fn undamped(name: &str) -> Body {
    let mut parts = creature(name).unwrap().into_parts();
    for joint in parts.segments.iter_mut().filter_map(|segment| segment.joint.as_mut()) {
        joint.damping = [0.0; 3];
    }
    Body::new(parts).unwrap()
}

/// Steps as published, without gravity unless told otherwise.
fn physics(step: f64, gravity: bool) -> PhysicsSettings {
    let mut physics = PhysicsSettings { step, friction: 0.9, ..PhysicsSettings::default() };
    if !gravity {
        physics.gravity = vec3(0.0, 0.0, 0.0);
    }
    physics
}

/// A sketch as it stands, without having been searched for.
fn sketched(sketch: &GaitSketch) -> (GaitProblem, PulseController) {
    let body = creature(&sketch.character).unwrap();
    let problem = GaitProblem::new(&body, sketch, &ProblemOptions::default()).unwrap();
    let controller = problem.sketched();
    (problem, controller)
}

fn modes_of(body: &Body) -> Modes {
    Modes::find(body, &body.poses()[0], &[]).unwrap()
}

/// A body displaced in the shape of a mode, root included.
fn displaced(body: &Body, mode: &VibrationMode, amplitude: f64) -> BodyState {
    let mut state = BodyState::rest(body, &body.poses()[0]);
    state.deflections = mode.shape.iter().map(|shape| shape * amplitude).collect();
    let root: Vec<f64> = mode.root.iter().map(|part| part * amplitude).collect();
    let turn = glam::DQuat::from_scaled_axis(glam::DVec3::from_slice(&root[..3]));
    state.orientation = turn * state.orientation;
    state.position += glam::DVec3::from_slice(&root[3..]);
    state
}

/// Times at which a signal rises through zero, between samples by straight lines.
fn rises(signal: &[f64], step: f64) -> Vec<f64> {
    let pairs = signal.windows(2).enumerate();
    let crossing = |(index, pair): (usize, &[f64])| {
        (pair[0] < 0.0 && pair[1] >= 0.0)
            .then(|| (index as f64 + pair[0] / (pair[0] - pair[1])) * step)
    };
    pairs.filter_map(crossing).collect()
}

#[test]
fn each_of_the_ten_slowest_modes_swings_alone_at_its_frequency() {
    for name in ["humanoid", "kangaroo", "horse"] {
        let body = undamped(name);
        let modes = modes_of(&body);
        for (index, mode) in modes.modes.iter().take(10).enumerate() {
            let step = 0.0005;
            let options = physics(step, false);
            let mut performance = PulseMotion::new(&body, &body.poses()[0], &options).unwrap();
            let amplitude = 0.002;
            performance.set_state(&displaced(&body, mode, amplitude)).unwrap();
            let mut signal = Vec::new();
            let mut strangers = 0.0f64;
            while performance.time() < 3.2 / mode.hz() {
                let amplitudes = modes.amplitudes(&performance.state().deflections);
                signal.push(amplitudes[index]);
                // What others hold of the energy that this one began with.
                let energy = |i: usize| modes.modes[i].stiffness * amplitudes[i] * amplitudes[i];
                let others = (0..amplitudes.len()).filter(|&other| other != index);
                let share =
                    others.map(energy).sum::<f64>() / (mode.stiffness * amplitude * amplitude);
                strangers = strangers.max(share);
                performance.step();
            }
            let rises = rises(&signal, step);
            let hz = (rises.len() - 1) as f64 / (rises[rises.len() - 1] - rises[0]);
            let error = (hz / mode.hz() - 1.0).abs();
            assert!(error < 1e-3, "{name} mode {}: {hz} instead of {}", index + 1, mode.hz());
            assert!(strangers < 1e-4, "{name} mode {}: others have {strangers}", index + 1);
        }
    }
}

#[test]
fn damped_modes_decay_as_their_closed_form() {
    let body = creature("humanoid").unwrap();
    let modes = modes_of(&body);
    for (index, mode) in modes.modes.iter().take(8).enumerate() {
        let options = physics(0.00025, false);
        let mut performance = PulseMotion::new(&body, &body.poses()[0], &options).unwrap();
        let amplitude = 0.002;
        performance.set_state(&displaced(&body, mode, amplitude)).unwrap();
        let oscillator = andante_gait::Oscillator::from(mode);
        for quarter in 1..=6 {
            let time = 0.25 * f64::from(quarter) / mode.hz();
            performance.run_until(time);
            let found = modes.amplitudes(&performance.state().deflections)[index];
            let expected = oscillator.free([amplitude, 0.0], performance.time())[0];
            assert!((found - expected).abs() < 0.01 * amplitude, "{index}: {found} {expected}");
        }
    }
}

/// A pulse of the torques that would hold a mode excites that mode and no other.
#[test]
fn a_pulse_of_one_mode_excites_that_mode_alone() {
    let body = undamped("humanoid");
    let pose = &body.poses()[0];
    let modes = modes_of(&body);
    for index in 0..6 {
        let mut amplitudes = vec![0.0; index + 1];
        amplitudes[index] = 0.004;
        let torques = modes.torques(Basis::Static, &amplitudes);
        let air = PulsePhase { length: 10.0, pulse: 0.05, torques, amplitudes };
        let still = vec![0.0; body.internal_dof()];
        let ground = PulsePhase { length: 0.0, pulse: 0.0, torques: still, amplitudes: vec![] };
        let controller = PulseController {
            steps: vec![StepPlan { feet: vec![0], air, ground }],
            start: BodyState::rest(&body, pose),
            pulses: PulseShape::Rectangular,
            middle: None,
            goal: None,
        };
        let mut performance = PulseMotion::new(&body, pose, &physics(0.0005, false)).unwrap();
        performance.drive(controller).unwrap();
        let mode = &modes.modes[index];
        let oscillator = andante_gait::Oscillator::from(mode);
        for _ in 0..4 {
            performance.run_until(performance.time() + 0.1);
            let found = modes.amplitudes(&performance.state().deflections);
            // A force of k times the amplitude.
            let expected = oscillator.pulse(mode.stiffness * 0.004, 0.05, performance.time());
            let scale = 0.004 * (mode.omega * 0.05).min(1.0);
            for (other, found) in found.iter().enumerate() {
                let wanted = if other == index { expected } else { 0.0 };
                assert!((found - wanted).abs() < 0.02 * scale, "{index} {other}: {found} {wanted}");
            }
        }
    }
}

/// The error of the first-order integrator is a loss that halves with the step.
#[test]
fn without_dampers_energy_stays_but_for_the_error_of_the_step() {
    let body = undamped("humanoid");
    let modes = modes_of(&body);
    let loss = |step: f64| {
        let options = physics(step, false);
        let mut performance = PulseMotion::new(&body, &body.poses()[0], &options).unwrap();
        performance.set_state(&displaced(&body, &modes.modes[1], 0.3)).unwrap();
        let before = performance.energy();
        performance.run_until(1.0);
        (before - performance.energy()) / before
    };
    let (coarse, fine) = (loss(0.0005), loss(0.00025));
    assert!(
        (0.0..0.05).contains(&coarse) && (0.0..0.6).contains(&(fine / coarse)),
        "{coarse} {fine}"
    );
}

/// Simulating the mirrored controller from the mirrored state gives the mirrored motion.
#[test]
fn the_mirrored_controller_makes_the_mirrored_motion() {
    for gravity in [false, true] {
        let mut sketch = GaitSketch::built_in("basic-run").unwrap();
        sketch.period = 0.5;
        sketch.steps[0].air.priority = vec![(0, 0.1), (1, 0.3), (2, -0.1)];
        sketch.steps[0].ground.priority = vec![(1, -0.3), (2, 0.2)];
        let (problem, mut run) = sketched(&sketch);
        let (body, pose) = (problem.body(), problem.pose());
        let mirror = Mirror::new(body).unwrap();
        run.start.velocity.x = 0.2;
        run.start.spin.y = 0.3;
        let options = physics(0.0005, gravity);
        let mut performances = [run.clone(), run.mirrored(body, &mirror)].map(|controller| {
            let mut performance = PulseMotion::new(body, pose, &options).unwrap();
            performance.drive(controller).unwrap();
            performance
        });
        for performance in &mut performances {
            performance.run_until(0.4);
            assert!(!performance.has_failed());
        }
        let [a, b] = performances.map(|performance| performance.state());
        let b = b.mirrored(&mirror);
        // Contacts are solved one after the other until they change by less than a tolerance: left before right is not
        // quite right before left.
        let most = if gravity { 1e-3 } else { 1e-9 };
        assert!(a.position.abs_diff_eq(b.position, most), "{gravity}: {a:?} {b:?}");
        for (x, y) in a.deflections.iter().zip(&b.deflections) {
            assert!((x - y).abs() < most, "{gravity}: {x} {y}");
        }
    }
}

/// Springs give way at first, because they are slack at rest; but the ground carries.
#[test]
fn creatures_left_on_the_ground_are_carried_by_their_feet() {
    for (name, _) in CREATURES {
        let body = creature(name).unwrap();
        let options = physics(0.0005, true);
        let mut performance = PulseMotion::new(&body, &body.poses()[0], &options).unwrap();
        let height = |performance: &PulseMotion| body.center_of_mass(&performance.placed()).y;
        let before = height(&performance);
        let time = 0.1;
        performance.run_until(time);
        assert!(!performance.has_failed(), "{name}");
        let carried: f64 = performance.contacts().map(|contact| contact.force.y).sum();
        let weight = 9.80665 * body.total_mass();
        assert!(carried > 0.1 * weight, "{name}: {carried} N of {weight} N");
        let fallen = 0.5 * 9.80665 * time * time;
        let sunk = before - height(&performance);
        assert!((0.0..0.95 * fallen).contains(&sunk), "{name} sank by {sunk}, fell {fallen}");
    }
}

#[test]
fn the_same_controller_gives_the_same_bits() {
    let (problem, hop) = sketched(&GaitSketch::built_in("kangaroo-hop").unwrap());
    let (body, pose) = (problem.body(), problem.pose());
    let end = || {
        let options = physics(0.0005, true);
        let mut performance = PulseMotion::new(body, pose, &options).unwrap();
        performance.drive(hop.clone()).unwrap();
        performance.run_until(0.3);
        performance.state()
    };
    assert_eq!(end(), end());
}
