//! Gaits that were found before go on by themselves.

#![allow(clippy::unwrap_used)]

use andante_gait::{
    CyclePush, Feedback, FeedbackOptions, FoundGait, GaitCycle, GaitProblem, GaitSketch, HeldRun,
    Landing, PulseController,
};
use glam::DVec3;

fn found(name: &str) -> (GaitProblem, PulseController) {
    let gait = FoundGait::built_in(name).unwrap().unwrap();
    let sketch = GaitSketch::built_in(name).unwrap();
    let body = andante_body::creature(&sketch.character).unwrap();
    let options = gait.options();
    let problem = GaitProblem::new(&body, &sketch, &options).unwrap();
    let candidate = gait.candidate(&problem).unwrap();
    (problem, candidate)
}

/// A hundred cycles, and twenty after a push of a tenth of the weight for 0.2 s from any side; alone they fall.
fn goes_on(name: &str) {
    let (problem, candidate) = found(name);
    let alone = HeldRun::new(&problem, &candidate, None, 100, None);
    assert!(alone.cycles < 50.0, "{name} needs no feedback: {alone:?}");
    let feedback = Feedback::new(&problem, &candidate, &FeedbackOptions::default()).unwrap();
    let held = HeldRun::new(&problem, &candidate, Some(&feedback), 100, None);
    assert_eq!(held.cycles, 100.0, "{name}: {held:?}");
    assert!(
        held.distance > 0.95 * 100.0 * GaitCycle::new(&problem, &candidate).stride.z,
        "{name}: {held:?}"
    );
    assert!(held.sideways.abs() < 0.5, "{name}: {held:?}");
    let weight = 9.80665 * problem.body().total_mass();
    for towards in [DVec3::Z, -DVec3::Z, DVec3::X, -DVec3::X] {
        let shove =
            CyclePush { at: 2.0 * candidate.length(), seconds: 0.2, force: 0.1 * weight * towards };
        let pushed = HeldRun::new(&problem, &candidate, Some(&feedback), 25, Some(shove));
        assert_eq!(pushed.cycles, 25.0, "{name}, {towards}: {pushed:?}");
        assert_ne!(
            pushed.distance,
            HeldRun::new(&problem, &candidate, Some(&feedback), 25, None).distance
        );
    }
}

#[test]
fn a_run_goes_on_and_gets_over_a_push() {
    goes_on("basic-run");
}

#[test]
fn a_kangaroo_goes_on_and_gets_over_a_push() {
    goes_on("kangaroo-hop");
}

#[test]
fn a_trotting_dog_goes_on_and_gets_over_a_push() {
    goes_on("dog-trot");
}

#[test]
fn a_galloping_dog_goes_on_and_gets_over_a_push() {
    goes_on("dog-gallop");
}

/// The ground may come early or late: then the clock of the gait is set by it.
#[test]
fn a_kangaroo_whose_landings_are_felt_goes_on_too() {
    let (problem, candidate) = found("kangaroo-hop");
    let feedback = |landing: Landing| {
        let options = FeedbackOptions { landing, ..FeedbackOptions::default() };
        Feedback::new(&problem, &candidate, &options).unwrap()
    };
    let (timed, touched) = (feedback(Landing::Timed), feedback(Landing::Touched));
    let held = HeldRun::new(&problem, &candidate, Some(&touched), 100, None);
    assert_eq!(held.cycles, 100.0, "{held:?}");
    let weight = 9.80665 * problem.body().total_mass();
    let force = 0.1 * weight * DVec3::Y;
    let shove = CyclePush { at: 2.0 * candidate.length(), seconds: 0.2, force };
    let lifted = HeldRun::new(&problem, &candidate, Some(&touched), 25, Some(shove));
    assert_eq!(lifted.cycles, 25.0, "{lifted:?}");
    assert_ne!(
        lifted,
        HeldRun::new(&problem, &candidate, Some(&timed), 25, Some(shove)),
        "it is late once"
    );
}
