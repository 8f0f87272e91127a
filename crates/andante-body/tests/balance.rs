//! A human that nobody holds.

#![allow(clippy::unwrap_used)]

use andante_body::{
    BalanceController, BalanceOptions, Physique, Push, PushError, PushTrial, envelope, try_pushes,
};
use andante_dynamics::{ContactTerrain, HeightSurface, PhysicsSettings, Simulation, Vec3, vec3};

const STEP: f64 = 1.0 / 240.0;

fn human() -> Physique {
    let body = andante_body::creature("humanoid").unwrap();
    Physique::new(&body, &body.poses()[0], &PhysicsSettings::default()).unwrap()
}

/// Stands for some seconds; gives the speed of the centre of mass (rms) and its way over the last half, and the steps.
fn stand(terrain: ContactTerrain, seconds: f64) -> (f64, f64, usize) {
    let physique = human();
    let settings = PhysicsSettings { step: STEP, ..PhysicsSettings::default() };
    let mut simulation = Simulation::<f64>::new(physique.model.clone(), terrain, settings).unwrap();
    let mut balancer = BalanceController::new(&physique, BalanceOptions::default());
    let (mut sum, mut count, mut first) = (0.0, 0.0, None);
    while simulation.time() < seconds {
        balancer.drive(&physique, &mut simulation);
        assert_eq!(simulation.step().quarantined, 0);
        if simulation.time() > 0.5 * seconds {
            first.get_or_insert(simulation.centre_of_mass(0));
            sum += balancer.senses().velocity.length_squared();
            count += 1.0;
        }
    }
    let torso = simulation.kinematics().rotation(physique.torso);
    assert!(torso.y.y > 0.98, "upright {}", torso.y.y);
    let way = simulation.centre_of_mass(0) - first.unwrap_or_default();
    (f64::sqrt(sum / count), way.length(), balancer.steps() + balancer.returns())
}

#[test]
fn standing_is_still() {
    let (speed, way, steps) = stand(ContactTerrain::level(), 8.0);
    assert!(speed < 0.005, "{speed} m/s");
    assert!(way < 0.01, "{way} m");
    assert_eq!(steps, 0);
}

#[test]
fn uneven_ground_is_stood_on() {
    let waves = HeightSurface(|x: f64, z: f64| {
        (
            0.01 * (9.0 * x).sin() + 0.01 * (7.0 * z).cos(),
            0.09 * (9.0 * x).cos(),
            -0.07 * (7.0 * z).sin(),
        )
    });
    let (speed, _, _) = stand(ContactTerrain::surface(waves), 6.0);
    assert!(speed < 0.005, "{speed} m/s");
}

#[test]
fn stones_are_stood_on() {
    // Bumps of two centimetres, a hand wide.
    for seed in 0..6 {
        let stones = HeightSurface(move |x: f64, z: f64| {
            let mut all = (0.0, 0.0, 0.0);
            for (a, b, phase) in [(13.0, 7.0, 0.3), (-6.0, 17.0, 1.1), (21.0, -11.0, 2.3)] {
                let (sin, cos) = (a * x + b * z + phase * f64::from(seed + 1)).sin_cos();
                let high = 0.02 / 3.0;
                all = (all.0 + high * sin, all.1 + high * a * cos, all.2 + high * b * cos);
            }
            all
        });
        let (speed, _, _) = stand(ContactTerrain::surface(stones), 10.0);
        assert!(speed < 0.005, "{seed}: {speed} m/s");
    }
}

#[test]
fn nearly_all_pushes_up_to_forty_newton_seconds_are_recovered_from() {
    let pushes = Push::random(40, 40.0, 3);
    let outcomes = try_pushes(&human(), BalanceOptions::default(), &pushes, STEP).unwrap();
    let good = outcomes.iter().filter(|outcome| outcome.recovered && outcome.steps <= 4).count();
    assert!(good >= 38, "{good} of 40: {outcomes:#?}");
}

#[test]
fn a_push_is_replayed_bit_by_bit() {
    let pushes = Push::random(4, 60.0, 7);
    let physique = human();
    let run = || try_pushes(&physique, BalanceOptions::default(), &pushes, STEP).unwrap();
    assert_eq!(run(), run());
}

#[test]
fn a_weak_push_needs_no_step_and_a_strong_one_does() {
    let physique = human();
    let steps = |impulse: f64| {
        let trial = PushTrial::new(
            &physique,
            ContactTerrain::level(),
            BalanceOptions::default(),
            Push::new(impulse, 0.0),
            STEP,
        );
        let outcome = trial.unwrap().run(&physique);
        assert!(outcome.recovered, "{outcome:?}");
        outcome.steps
    };
    assert_eq!(steps(10.0), 0);
    assert!((1..=4).contains(&steps(40.0)));
}

#[test]
fn joint_torques_alone_move_the_body() {
    // Momentum changes by gravity, the ground and the push, and by nothing else.
    let physique = human();
    let push = Push::new(40.0, 1.0);
    let mut trial =
        PushTrial::new(&physique, ContactTerrain::level(), BalanceOptions::default(), push, STEP)
            .unwrap();
    let (mut known, mut last) = (Vec3::default(), Vec3::default());
    while trial.simulation.time() < 1.5 {
        trial.step(&physique);
        let ground =
            trial.simulation.contacts(0).fold(Vec3::default(), |sum, contact| sum + contact.force);
        known += (ground + vec3(0.0, -9.80665 * physique.mass, 0.0)) * STEP;
        last = trial.simulation.momentum(0).0;
    }
    let pushed = vec3(1.0f64.sin(), 0.0, 1.0f64.cos()) * 40.0;
    let unexplained = last - known - pushed;
    assert!(unexplained.length() < 0.5, "{unexplained:?}");
}

#[test]
fn absurd_pushes_are_refused_or_survived() {
    let physique = human();
    let try_one = |push: Push| {
        PushTrial::new(&physique, ContactTerrain::level(), BalanceOptions::default(), push, STEP)
            .map(|trial| trial.run(&physique))
    };
    assert_eq!(try_one(Push::new(1e6, 0.0)).unwrap_err(), PushError::Impulse(1e6));
    assert!(try_one(Push::new(f64::NAN, 0.0)).is_err());
    assert_eq!(try_one(Push::new(10.0, f64::INFINITY)).unwrap_err(), PushError::Number);
    let outcome = try_one(Push::new(1e4, 0.0)).unwrap();
    assert!(!outcome.recovered, "{outcome:?}");
}

#[test]
fn an_invisible_hand_helps() {
    let physique = human();
    let helped = BalanceOptions { assist: 1.0, ..BalanceOptions::default() };
    let push = Push::new(90.0, std::f64::consts::PI);
    let alone =
        PushTrial::new(&physique, ContactTerrain::level(), BalanceOptions::default(), push, STEP)
            .unwrap();
    let held = PushTrial::new(&physique, ContactTerrain::level(), helped, push, STEP).unwrap();
    assert!(!alone.run(&physique).recovered);
    assert!(held.run(&physique).recovered);
}

#[test]
fn the_envelope_is_wide() {
    let physique = human();
    for (degrees, least) in [(0.0f64, 60.0), (90.0, 42.0), (180.0, 50.0), (270.0, 42.0)] {
        let found =
            envelope(&physique, BalanceOptions::default(), degrees.to_radians(), 4, STEP).unwrap();
        assert!(found >= least, "{degrees}: {found} N·s");
    }
}
