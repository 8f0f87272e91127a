//! A human that walks by its own torques.

#![allow(clippy::unwrap_used)]

use andante_body::{
    BodyCondition, Ladder, Physique, Push, PushError, RecoveryController, RecoveryOptions, Stroll,
    WalkController, WalkCycle, WalkError, WalkOptions, stroll_pushes,
};
use andante_dynamics::{ContactTerrain, JointState, PhysicsSettings, Simulation, Vec3, vec3};

const STEP: f64 = 1.0 / 240.0;

fn human() -> (Physique, WalkCycle) {
    let body = andante_body::creature("humanoid").unwrap();
    let physique = Physique::new(&body, &body.poses()[0], &PhysicsSettings::default()).unwrap();
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

fn runner(speed: f64) -> (Physique, WalkCycle) {
    let (physique, _) = human();
    let cycle = WalkCycle::running(&physique, speed).unwrap();
    (physique, cycle)
}

#[test]
fn a_run_is_followed_for_fifty_metres() {
    for speed in [2.5, 3.0] {
        let (physique, cycle) = runner(speed);
        let options = WalkOptions::of(&cycle);
        let outcome =
            Stroll::new(&physique, &cycle, options, nobody(), 50.0, STEP).unwrap().run(&physique);
        assert!(outcome.arrived && outcome.steps >= 45, "{speed}: {outcome:?}");
        assert!(outcome.error.to_degrees() < 3.5, "{speed}: {outcome:?}");
        assert!(outcome.slide < 0.013, "{speed}: {outcome:?}");
        let mean = (50.0 - 0.5) / outcome.seconds;
        assert!((0.92 * speed..1.05 * speed).contains(&mean), "{speed}: {mean} m/s");
    }
}

#[test]
fn nine_of_ten_pushes_up_to_fifteen_newton_seconds_do_not_stop_a_run() {
    for speed in [2.5, 3.0] {
        let (physique, cycle) = runner(speed);
        let pushes = Stroll::random_pushes(&cycle, 20, 15.0, 4);
        let options = WalkOptions::of(&cycle);
        let outcomes = stroll_pushes(&physique, &cycle, options, &pushes, 20.0, STEP).unwrap();
        let arrived = outcomes.iter().filter(|outcome| outcome.arrived).count();
        assert!(arrived >= 18, "{speed}: {arrived} of 20: {outcomes:#?}");
    }
}

#[test]
fn nothing_turns_a_runner_in_the_air() {
    // What the simulation finds for the poses, not what the cycle says of itself.
    for speed in [2.5, 3.0] {
        let (physique, mut cycle) = runner(speed);
        let mut simulation = Simulation::new(
            physique.model.clone(),
            ContactTerrain::level(),
            PhysicsSettings::default(),
        )
        .unwrap();
        let mut reference = cycle.reference(&physique);
        let mut spins = [Vec::new(), Vec::new()];
        for k in 0..200 {
            let phase = f64::from(k) / 200.0;
            if cycle.standing.iter().any(|standing| standing.swung(phase) <= 0.0) {
                continue;
            }
            cycle.at(&physique, phase, 1.0, &mut reference);
            let state = JointState { q: reference.q.clone(), v: reference.v.clone() };
            simulation.set_state(&state).unwrap();
            spins[usize::from(phase > 0.5)].push(simulation.momentum(0).1);
        }
        for spins in spins {
            let count = spins.len() as f64;
            let mean = spins.iter().fold(Vec3::default(), |sum, spin| sum + *spin) * (1.0 / count);
            let off = spins.iter().map(|spin| (*spin - mean).length()).fold(0.0, f64::max);
            assert!(count > 20.0 && off < 1.5, "{speed}: {off} kg m²/s off {mean:?}");
        }
    }
}

#[test]
fn a_run_falls_freely_in_the_air_and_its_pushes_carry_its_weight() {
    let (_, cycle) = runner(2.5);
    assert!(cycle.flies);
    let count = 4000;
    let (mut mean, mut air) = (0.0, 0);
    for k in 0..count {
        let phase = f64::from(k) / f64::from(count);
        let up = cycle.momenta(phase, 1.0).centre[2].y;
        mean += up / f64::from(count);
        // Splines round the corners where feet strike and leave.
        let flies = cycle.standing.iter().all(|standing| {
            let since = (phase - standing.strike).rem_euclid(1.0);
            (standing.lasts + 0.03..0.97).contains(&since)
        });
        if flies {
            air += 1;
            assert!((up + 9.80665).abs() < 0.3, "{phase}: {up} m/s²");
            assert!(cycle.swing(phase).square < 0.3, "{phase}");
        }
    }
    assert!(mean.abs() < 0.05 && air > count / 10, "{mean} m/s² on average, {air} in the air");
}

/// Stands, walks to a place and stands there; gives how far from it the trunk is then, unless it fell.
fn go(physique: &Physique, goal: Vec3<f64>, push: Push) -> Option<f64> {
    let ladder = Ladder::built_in(physique, 1.3).unwrap();
    let settings = PhysicsSettings { step: STEP, ..PhysicsSettings::default() };
    let mut simulation =
        Simulation::new(physique.model.clone(), ContactTerrain::level(), settings).unwrap();
    let mut survivor = RecoveryController::new(physique, RecoveryOptions::default()).unwrap();
    let mut walker = None;
    let mut there = false;
    while simulation.time() < 18.0 {
        push.apply(physique, &mut simulation);
        if walker.is_none() && simulation.time() > 1.0 {
            let options = WalkOptions::default();
            walker =
                Some(WalkController::set_off(physique, &simulation, &ladder, 0.0, goal, options));
        }
        match &mut walker {
            Some(walker) if !there => {
                walker.drive(physique, &mut simulation);
                there = walker.is_there();
                if there {
                    let (heading, lead) = (walker.heading(), walker.lead());
                    survivor.balancer_mut().halt(heading, lead, simulation.time());
                }
            }
            _ => survivor.drive(physique, &mut simulation),
        }
        simulation.step();
        let up = simulation.kinematics().rotation(physique.torso).y.y;
        if up < 0.6 || survivor.condition() != BodyCondition::Balance {
            return None;
        }
    }
    let (momentum, _) = simulation.momentum(0);
    let off = simulation.kinematics().position(&physique.model, physique.torso) - goal;
    let stands = there && momentum.length() / physique.mass < 0.1;
    stands.then_some(off.x.hypot(off.z))
}

#[test]
fn somebody_who_stands_walks_six_metres_and_stands_at_its_goal_by_torques_alone() {
    let (physique, _) = human();
    for metres in [3.0, 6.0] {
        let off = go(&physique, vec3(0.0, 0.0, metres), nobody());
        assert!(off.is_some_and(|off| off < 0.1), "{metres}: {off:?}");
    }
    let push = Push { at: 4.5, ..Push::new(10.0, 0.0) };
    let off = go(&physique, vec3(0.0, 0.0, 6.0), push);
    assert!(off.is_some_and(|off| off < 0.1), "pushed: {off:?}");
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
        known += (ground + vec3(0.0, -9.80665 * physique.mass, 0.0)) * STEP;
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
        assert!(WalkCycle::running(&physique, speed).is_err(), "{speed}");
    }
    for speed in [f64::NAN, 30.0] {
        assert!(Ladder::built_in(&physique, speed).is_err(), "{speed}");
    }
    let body = andante_body::creature("ostrich").unwrap();
    let ostrich = Physique::new(&body, &body.poses()[0], &PhysicsSettings::default()).unwrap();
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
