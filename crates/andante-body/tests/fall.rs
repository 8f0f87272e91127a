//! A human that is pushed over, lies, and gets up.

#![allow(clippy::unwrap_used)]

use andante_body::{
    BodyCondition, FallTrial, Physique, Push, RecoveryController, RecoveryOptions, try_falls,
};
use andante_dynamics::{ContactTerrain, PhysicsSettings, Simulation, Vec3, vec3};

const STEP: f64 = 1.0 / 240.0;

fn human() -> Physique {
    let body = andante_body::creature("humanoid").unwrap();
    Physique::new(&body, &body.poses()[0], &PhysicsSettings::default()).unwrap()
}

#[test]
fn a_fall_that_is_caught_lands_the_head_far_softer_than_a_puppets() {
    let physique = human();
    let pushes = FallTrial::random_pushes(16, 3);
    let mean = |protect: bool| {
        let mut options = RecoveryOptions { gets_up: false, ..RecoveryOptions::default() };
        options.fall.protect = protect;
        let outcomes = try_falls(&physique, &options, &pushes, STEP).unwrap();
        assert!(outcomes.iter().all(|outcome| outcome.fell && !outcome.exploded));
        outcomes.iter().map(|outcome| outcome.head_speed).sum::<f64>() / outcomes.len() as f64
    };
    let (puppet, person) = (mean(false), mean(true));
    assert!(person < 0.7 * puppet, "{person} against {puppet} m/s");
}

#[test]
fn who_is_pushed_over_in_any_direction_gets_up_again() {
    let physique = human();
    let pushes = FallTrial::random_pushes(32, 1);
    let outcomes = try_falls(&physique, &RecoveryOptions::default(), &pushes, STEP).unwrap();
    let within = |limit: f64| outcomes.iter().filter(|outcome| outcome.up_after <= limit).count();
    assert!(outcomes.iter().all(|outcome| outcome.fell && !outcome.exploded));
    assert!(within(10.0) >= 28 && within(20.0) == 32, "{outcomes:#?}");
}

#[test]
fn who_lies_is_still() {
    let physique = human();
    for direction in [0.0, 1.6, 3.1] {
        let options = RecoveryOptions { gets_up: false, ..RecoveryOptions::default() };
        let mut trial =
            FallTrial::new(&physique, options, Push::new(130.0, direction), STEP).unwrap();
        while trial.step(&physique) {}
        assert_eq!(trial.survivor.condition(), BodyCondition::Lie);
        let mut fastest: f64 = 0.0;
        for step in 0..1200 {
            trial.step(&physique);
            if step >= 960 {
                let (momentum, _) = trial.simulation.momentum(0);
                fastest = fastest.max(momentum.length() / physique.mass);
            }
        }
        assert!(fastest < 0.01, "{direction}: {fastest} m/s");
    }
}

#[test]
fn pushes_that_are_recovered_from_are_not_given_up() {
    let physique = human();
    for push in Push::random(12, 40.0, 3) {
        let outcome = FallTrial::new(&physique, RecoveryOptions::default(), push, STEP);
        let outcome = outcome.unwrap().run(&physique);
        assert!(!outcome.fell, "{outcome:?}");
    }
}

#[test]
fn joint_torques_alone_make_a_fall_and_a_rise() {
    // Momentum changes by gravity and the ground, and by nothing else but the error of the integration, which is below a
    // hundredth of the weight.
    let physique = human();
    let settings = PhysicsSettings { step: STEP, ..PhysicsSettings::default() };
    let mut simulation =
        Simulation::<f64>::new(physique.model.clone(), ContactTerrain::level(), settings).unwrap();
    let mut survivor = RecoveryController::new(&physique, RecoveryOptions::default()).unwrap();
    survivor.fall(&physique, &simulation);
    let mut known = Vec3::default();
    while simulation.time() < 5.0 {
        survivor.drive(&physique, &mut simulation);
        simulation.step();
        let ground =
            simulation.contacts(0).fold(Vec3::default(), |sum, contact| sum + contact.force);
        known += (ground + vec3(0.0, -9.80665 * physique.mass, 0.0)) * STEP;
    }
    let unexplained = simulation.momentum(0).0 - known;
    let weight = 9.80665 * physique.mass * simulation.time();
    assert!(unexplained.length() < 0.01 * weight, "{unexplained:?}");
}

#[test]
fn a_fall_and_a_rise_are_replayed_bit_by_bit() {
    let physique = human();
    let pushes = FallTrial::random_pushes(2, 8);
    let run = || try_falls(&physique, &RecoveryOptions::default(), &pushes, STEP).unwrap();
    assert_eq!(run(), run());
}

#[test]
fn who_is_told_to_fall_falls_and_waits_to_be_told_to_get_up() {
    let physique = human();
    let settings = PhysicsSettings { step: STEP, ..PhysicsSettings::default() };
    let mut simulation =
        Simulation::<f64>::new(physique.model.clone(), ContactTerrain::level(), settings).unwrap();
    let options = RecoveryOptions { gets_up: false, ..RecoveryOptions::default() };
    let mut survivor = RecoveryController::new(&physique, options).unwrap();
    survivor.get_up(&physique, &simulation);
    assert_eq!(survivor.condition(), BodyCondition::Balance);
    survivor.fall(&physique, &simulation);
    while simulation.time() < 8.0 {
        survivor.drive(&physique, &mut simulation);
        simulation.step();
    }
    assert_eq!(survivor.condition(), BodyCondition::Lie);
    survivor.get_up(&physique, &simulation);
    assert!(matches!(survivor.condition(), BodyCondition::GetUp { .. }));
}

#[test]
fn who_is_assisted_stands_still_and_gets_up() {
    let physique = human();
    for (assist, direction) in [(0.3, 1.2), (0.5, 0.0), (0.5, 3.2), (1.0, 2.0), (1.0, 5.2)] {
        let settings = PhysicsSettings { step: STEP, ..PhysicsSettings::default() };
        let mut simulation =
            Simulation::<f64>::new(physique.model.clone(), ContactTerrain::level(), settings)
                .unwrap();
        let mut options = RecoveryOptions::default();
        options.balance.assist = assist;
        let mut survivor = RecoveryController::new(&physique, options).unwrap();
        let push = Push { at: 4.0, ..Push::new(100.0, direction) };
        let (mut fastest, mut up) = (0.0f64, None);
        while simulation.time() < 20.0 && up.is_none() {
            push.apply(&physique, &mut simulation);
            if survivor.falls() == 0 && simulation.time() > 4.1 {
                survivor.fall(&physique, &simulation);
            }
            survivor.drive(&physique, &mut simulation);
            assert_eq!(simulation.step().quarantined, 0);
            if (3.0..4.0).contains(&simulation.time()) {
                fastest = fastest.max(survivor.senses().velocity.length());
            }
            let stands = survivor.condition() == BodyCondition::Balance;
            up = (survivor.falls() > 0 && stands).then(|| simulation.time());
        }
        assert!(fastest < 0.005, "{assist}: {fastest} m/s");
        assert!(up.is_some_and(|time| time < 18.0), "{assist} {direction}: {up:?}");
        assert_eq!(survivor.falls(), 1);
    }
}
