//! What is seen of a style: in sketches, and in gaits that were found before.

#![allow(clippy::unwrap_used)]

use andante_gait::{
    Evaluator, FoundGait, GaitCycle, GaitProblem, GaitSketch, PulseController, TrunkSwing,
};
use std::sync::Arc;

fn found(name: &str) -> (GaitProblem, PulseController) {
    let gait = FoundGait::built_in(name).unwrap().unwrap();
    let sketch = GaitSketch::built_in(name).unwrap();
    let body = andante_body::creature(&sketch.character).unwrap();
    let problem = GaitProblem::new(&body, &sketch, &gait.options()).unwrap();
    let candidate = gait.candidate(&problem).unwrap();
    (problem, candidate)
}

#[test]
fn sketches_do_what_they_are_named_after() {
    let sketched = |name: &str| TrunkSwing::sketched(&found(name).0).unwrap();
    let (plain, lateral, yaw) =
        (sketched("basic-run"), sketched("lateral-sway"), sketched("yaw-run"));
    assert!(lateral.sway > 1.5 * plain.sway, "{lateral:?}, {plain:?}");
    assert!(lateral.roll > 1.5 * plain.roll, "{lateral:?}, {plain:?}");
    assert!(yaw.yaw > 1.3 * plain.yaw, "{yaw:?}, {plain:?}");
    // Who stays in its middle plane neither yaws nor rolls.
    let hop = sketched("kangaroo-hop");
    assert!(hop.yaw < 1e-6 && hop.roll < 1e-6 && hop.sway < 1e-6, "{hop:?}");
}

/// Measured in the rollout of half a cycle, and on the states of the whole cycle that is shown.
#[test]
fn the_trunk_swings_as_far_however_it_is_measured() {
    for name in ["basic-run", "lateral-sway", "dog-trot", "horse-walk"] {
        let (problem, candidate) = found(name);
        let problem = Arc::new(problem);
        let evaluator = Evaluator::new(Arc::clone(&problem), 1).unwrap();
        let tried = evaluator.try_out(std::slice::from_ref(&candidate)).remove(0).trunk;
        let cycle = GaitCycle::new(&problem, &candidate);
        let places = cycle.states.iter().map(|state| state.place(problem.body(), problem.pose()));
        let shown = TrunkSwing::along(problem.body(), places);
        for (tried, shown, slack) in [
            (tried.sway, shown.sway, 0.01),
            (tried.yaw, shown.yaw, 0.03),
            (tried.roll, shown.roll, 0.03),
        ] {
            assert!((tried - shown).abs() < slack, "{name}: {tried} in the rollout, {shown} shown");
        }
    }
}

#[test]
fn a_crouched_run_is_low_and_a_gallop_has_a_suspension() {
    let height = |name: &str| {
        let (problem, candidate) = found(name);
        let cycle = GaitCycle::new(&problem, &candidate);
        let sum: f64 = cycle.states.iter().map(|state| state.position.y).sum();
        sum / cycle.states.len() as f64
    };
    let (crouched, plain) = (height("crouched-run"), height("basic-run"));
    assert!(crouched < 0.95 * plain, "{crouched} m, {plain} m");
    let (problem, candidate) = found("dog-gallop");
    assert!(GaitCycle::new(&problem, &candidate).aerial_fraction() > 0.2);
}
