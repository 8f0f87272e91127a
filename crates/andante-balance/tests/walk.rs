//! A human that walks by its own torques.

#![allow(clippy::unwrap_used)]

use andante_balance::{
    Physique, Push, PushError, Stroll, WalkCycle, WalkError, WalkOptions, stroll_pushes,
};
use andante_dynamics::{Vec3, vec3};

const STEP: f64 = 1.0 / 240.0;

fn human() -> (Physique, WalkCycle) {
    let body = andante_body::creature("humanoid").unwrap();
    let physique = Physique::new(&body, &body.poses()[0], 0.8).unwrap();
    let cycle = WalkCycle::built_in(&physique, 1.3).unwrap();
    (physique, cycle)
}

/// A push that does nothing, after everything.
fn nobody() -> Push {
    Push { at: 1e3, ..Push::new(0.0, 0.0) }
}

#[test]
fn a_walk_is_followed_within_three_degrees_and_feet_slide_less_than_five_millimetres() {
    let (physique, cycle) = human();
    let options = WalkOptions::default();
    let outcome =
        Stroll::new(&physique, &cycle, options, nobody(), 16.0, STEP).unwrap().run(&physique);
    assert!(outcome.arrived && outcome.steps >= 20, "{outcome:?}");
    assert!(outcome.error.to_degrees() < 3.0, "{} degrees", outcome.error.to_degrees());
    assert!(outcome.slide < 0.005, "{} m", outcome.slide);
    let speed = (16.0 - 0.5) / outcome.seconds;
    assert!((1.2..1.4).contains(&speed), "{speed} m/s");
}

#[test]
fn nine_of_ten_pushes_up_to_twenty_five_newton_seconds_do_not_stop_a_walk() {
    let (physique, cycle) = human();
    let pushes = Stroll::random_pushes(&cycle, 20, 25.0, 4);
    let outcomes =
        stroll_pushes(&physique, &cycle, WalkOptions::default(), &pushes, 10.0, STEP).unwrap();
    let arrived = outcomes.iter().filter(|outcome| outcome.arrived).count();
    assert!(arrived >= 18, "{arrived} of 20: {outcomes:#?}");
}

#[test]
fn joint_torques_alone_move_a_walker() {
    // Momentum changes by gravity, the ground and the push, and by nothing else.
    let (physique, cycle) = human();
    let push = Push { at: 0.5, ..Push::new(15.0, 1.0) };
    let mut stroll =
        Stroll::new(&physique, &cycle, WalkOptions::default(), push, 10.0, STEP).unwrap();
    let mut known = stroll.simulation.momentum(0).0;
    while stroll.simulation.time() < 1.5 {
        stroll.step(&physique);
        let ground =
            stroll.simulation.contacts(0).fold(Vec3::default(), |sum, contact| sum + contact.force);
        known += (ground + vec3(0.0, -9.81 * physique.mass, 0.0)) * STEP;
    }
    let pushed = vec3(1.0f64.sin(), 0.0, 1.0f64.cos()) * 15.0;
    let unexplained = stroll.simulation.momentum(0).0 - known - pushed;
    assert!(unexplained.length() < 0.5, "{unexplained:?}");
}

#[test]
fn a_pushed_walk_is_replayed_bit_by_bit() {
    let (physique, cycle) = human();
    let pushes = Stroll::random_pushes(&cycle, 2, 25.0, 7);
    let run =
        || stroll_pushes(&physique, &cycle, WalkOptions::default(), &pushes, 5.0, STEP).unwrap();
    assert_eq!(run(), run());
}

#[test]
fn speeds_nobody_walks_at_and_bodies_that_are_not_human_are_refused() {
    let (physique, _) = human();
    for speed in [f64::NAN, 30.0, 0.0] {
        assert!(WalkCycle::built_in(&physique, speed).is_err(), "{speed}");
    }
    let body = andante_body::creature("ostrich").unwrap();
    let ostrich = Physique::new(&body, &body.poses()[0], 0.8).unwrap();
    assert!(matches!(WalkCycle::built_in(&ostrich, 1.3), Err(WalkError::Body(_))));
}

#[test]
fn absurd_pushes_of_a_walker_are_refused_or_survived() {
    let (physique, cycle) = human();
    let options = WalkOptions::default();
    let try_one = |push: Push| {
        Stroll::new(&physique, &cycle, options, push, 3.0, STEP).map(|stroll| stroll.run(&physique))
    };
    assert_eq!(try_one(Push::new(1e6, 0.0)).unwrap_err(), PushError::Impulse(1e6));
    assert_eq!(try_one(Push::new(1.0, f64::NAN)).unwrap_err(), PushError::Number);
    let nowhere = Stroll::new(&physique, &cycle, options, nobody(), f64::NAN, STEP);
    assert!(matches!(nowhere, Err(PushError::Goal(_))));
    let outcome = try_one(Push::new(1e4, 2.0)).unwrap();
    assert!(!outcome.arrived, "{outcome:?}");
}
