//! The pulse controller that a sketch asks for.
#![allow(clippy::unwrap_used)]

use andante_body::creature;
use andante_dynamics::PhysicsSettings;
use andante_gait::{
    Basis, ControllerError, GaitProblem, GaitSketch, Mirror, Modes, ProblemOptions,
    PulseController, PulseError, PulseMotion,
};

fn sketched(name: &str, change: impl Fn(&mut GaitSketch)) -> (GaitProblem, PulseController) {
    let mut sketch = GaitSketch::built_in(name).unwrap();
    change(&mut sketch);
    let body = creature(&sketch.character).unwrap();
    let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default()).unwrap();
    let controller = problem.sketched();
    (problem, controller)
}

/// Times that are easy to look at.
fn plain(sketch: &mut GaitSketch) {
    sketch.period = 1.0;
    let step = &mut sketch.steps[0];
    (step.air_fraction, step.air_pulse, step.ground_pulse) = (0.4, 0.05, 5.0);
}

/// The torques at a time, of a whole millisecond.
fn torques(controller: &PulseController, time: f64) -> Vec<f64> {
    let mut torques = vec![0.0; controller.start.deflections.len()];
    for share in controller.acting(time, 1e-3) {
        for (torque, wanted) in torques.iter_mut().zip(&share.phase.torques) {
            *torque += share.mean * wanted;
        }
    }
    torques
}

#[test]
fn one_foot_makes_two_states_and_two_feet_four() {
    let (_, hop) = sketched("kangaroo-hop", plain);
    assert_eq!(hop.phases().count(), 2);
    let (_, run) = sketched("basic-run", plain);
    let order: Vec<(bool, usize)> =
        run.phases().map(|(step, down, ..)| (down, run.steps[step].feet[0])).collect();
    assert_eq!(order, [(false, 0), (true, 0), (false, 1), (true, 1)]);
    for ((_, _, phase, _), expected) in run.phases().zip([0.2, 0.3, 0.2, 0.3]) {
        assert!((phase.length - expected).abs() < 1e-12);
    }
}

#[test]
fn pulses_begin_with_their_state_and_end_with_it_at_the_latest() {
    let (_, run) = sketched("basic-run", plain);
    let is_still = |time: f64| torques(&run, time).iter().all(|torque| *torque == 0.0);
    assert!(!is_still(0.0) && is_still(0.052));
    // The pulse of the stance is as long as it may be, and no longer than the stance.
    assert!(!is_still(0.2) && !is_still(0.498));
    assert_ne!(torques(&run, 0.498), torques(&run, 0.501));
}

#[test]
fn the_second_foot_does_what_the_first_did_in_a_mirror() {
    let (problem, run) = sketched("basic-run", plain);
    let mirror = Mirror::new(problem.body()).unwrap();
    for time in [0.0, 0.21, 0.4] {
        assert_eq!(mirror.joints(&torques(&run, time)), torques(&run, time + 0.5));
    }
    let twice = run.mirrored(problem.body(), &mirror).mirrored(problem.body(), &mirror);
    assert_eq!(twice.steps, run.steps);
}

#[test]
fn a_disregarded_foot_has_no_states() {
    let (problem, hop) = sketched("one-foot-hop", |_| {});
    assert_eq!(hop.phases().count(), 2);
    let feet = &hop.steps[0].feet;
    assert!(feet.iter().all(|&foot| !problem.body().feet()[foot].disregarded));
}

#[test]
fn full_amplitude_takes_one_joint_to_its_limit_and_none_beyond() {
    let body = creature("humanoid").unwrap();
    let air = Modes::find(&body, &body.poses()[0], &[]).unwrap();
    let limits: Vec<f64> = body.joints().flat_map(|(_, joint)| joint.torque_limit).collect();
    for basis in [Basis::Static, Basis::Shape] {
        for (index, full) in air.full_amplitudes(&body, basis).into_iter().enumerate() {
            let mut amplitudes = vec![0.0; index + 1];
            amplitudes[index] = full;
            let torques = air.torques(basis, &amplitudes);
            let used = torques.iter().zip(&limits).map(|(torque, limit)| torque.abs() / limit);
            let most = used.fold(0.0, f64::max);
            assert!((most - 1.0).abs() < 1e-9, "mode {index}: {most}");
        }
    }
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    let (problem, hop) = sketched("kangaroo-hop", |_| {});
    let refused = |change: fn(&mut PulseController)| {
        let mut hop = hop.clone();
        change(&mut hop);
        let physics = PhysicsSettings::default();
        let mut motion = PulseMotion::new(problem.body(), problem.pose(), &physics).unwrap();
        match motion.drive(hop).unwrap_err() {
            PulseError::Controller(error) => error,
            other => panic!("{other}"),
        }
    };
    assert_eq!(refused(|hop| hop.steps[0].feet[0] = 9), ControllerError::Foot(9));
    assert_eq!(refused(|hop| hop.steps.clear()), ControllerError::NoSteps);
    assert_eq!(refused(|hop| hop.start.rates[0] = f64::NAN), ControllerError::Start);
    assert!(matches!(
        refused(|hop| hop.steps[0].air.torques.truncate(2)),
        ControllerError::Torques(2, _)
    ));
    for odd in [
        refused(|hop| hop.steps[0].air.pulse = -1.0),
        refused(|hop| hop.steps[0].ground.length = f64::NAN),
        refused(|hop| hop.steps[0].ground.torques[1] = f64::INFINITY),
    ] {
        assert!(matches!(odd, ControllerError::Number(..)), "{odd}");
    }
}
