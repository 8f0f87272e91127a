//! Gaits that were found before take other speeds and go round curves.

#![allow(clippy::unwrap_used)]

use andante_gait::Mirror;
use andante_gait::{
    CandidateTrial, Evaluator, Feedback, FeedbackOptions, FoundGait, GaitCycle, GaitProblem,
    GaitSketch, HeldRun, ProblemOptions, PulseController, Variation, VariationGoal,
    VariationOptions,
};
use proptest::prelude::*;
use std::sync::Arc;

fn found(name: &str) -> (GaitProblem, PulseController) {
    let gait = FoundGait::built_in(name).unwrap().unwrap();
    let sketch = GaitSketch::built_in(name).unwrap();
    let body = andante_body::creature(&sketch.character).unwrap();
    let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default()).unwrap();
    let candidate = gait.candidate(&problem).unwrap();
    (problem, candidate)
}

fn led(name: &str, aim: VariationGoal) -> Variation {
    let (problem, candidate) = found(name);
    let mut variation =
        Variation::new(&problem, &candidate, aim, &VariationOptions::default(), 0).unwrap();
    while !variation.is_over() {
        variation.step();
    }
    assert!(variation.is_converged(), "{name} gets {} of the way", variation.reached());
    variation
}

/// The gait as it comes back from its file is as valid as it was, goes on for a hundred cycles and has then turned as much as asked.
fn goes_round(name: &str, degrees: f64) {
    let aim = VariationGoal { speed: None, turn: degrees.to_radians() };
    let variation = led(name, aim);
    let (problem, best) = variation.best();
    let text = FoundGait::new(problem, best).to_toml().unwrap();
    let gait = FoundGait::from_toml(&text).unwrap();
    assert!((gait.turn - degrees).abs() < 1e-9 && gait.valid);
    let sketch = GaitSketch { turn: gait.turn.to_radians(), ..GaitSketch::built_in(name).unwrap() };
    let again = GaitProblem::new(problem.body(), &sketch, problem.options()).unwrap();
    let candidate = gait.candidate(&again).unwrap();
    let evaluator = Evaluator::new(Arc::new(again.clone()), 1).unwrap();
    let trial = &evaluator.try_out(std::slice::from_ref(&candidate))[0];
    assert!(again.is_valid(trial), "{:?}", again.complaints(trial));

    let feedback = Feedback::new(&again, &candidate, &FeedbackOptions::default()).unwrap();
    let held = HeldRun::new(&again, &candidate, Some(&feedback), 100, None);
    assert_eq!(held.cycles, 100.0, "{held:?}");
    let cycle = GaitCycle::new(&again, &candidate);
    // As it was measured, from the first cycle to the last.
    let wanted = 99.0 * cycle.period * degrees.to_radians();
    assert!((held.turned - wanted).abs() < 0.02 * wanted.abs(), "{held:?}, not {wanted}");
    let [first, last] = [0, cycle.states.len() - 1].map(|k| cycle.states[k].velocity);
    let turned = last.x.atan2(last.z) - first.x.atan2(first.z);
    assert!((turned - cycle.turn).abs() < 1e-6, "{turned} {}", cycle.turn);
}

#[test]
fn a_kangaroo_hops_round_a_curve_for_a_hundred_cycles() {
    goes_round("kangaroo-hop", 12.0);
}

/// Its halves are no mirror images any more.
#[test]
fn a_run_turns_to_the_right_for_a_hundred_cycles() {
    goes_round("lateral-sway", -4.0);
}

#[test]
fn gaits_take_the_speed_they_are_told() {
    for (name, speed) in [("kangaroo-hop", 2.1), ("ostrich-run", 2.5)] {
        let variation = led(name, VariationGoal { speed: Some(speed), turn: 0.0 });
        let (problem, best) = variation.best();
        let range = speed..=VariationOptions::default().speed_range * speed;
        assert!(range.contains(&best.trial.velocity[2]), "{:?}", best.trial.velocity);
        assert_eq!(problem.sketch().speed, speed);
    }
}

/// A cycle that turns, repeated, is continuous and leads round a circle.
#[test]
fn cycles_that_turn_follow_each_other_without_a_jump() {
    let variation = led("lateral-sway", VariationGoal { speed: None, turn: 2f64.to_radians() });
    let (problem, best) = variation.best();
    let cycle = GaitCycle::new(problem, &problem.decode(&best.point));
    let h = 1e-5;
    for time in [0.5, 1.0, 1.5, 7.0].map(|laps| laps * cycle.period) {
        let (before, after) = (cycle.at(time - h), cycle.at(time + h));
        assert!(before.position.distance(after.position) < 10.0 * h, "{time}");
        assert!(before.orientation.angle_between(after.orientation) < 50.0 * h, "{time}");
        for (a, b) in before.deflections.iter().zip(&after.deflections) {
            assert!((a - b).abs() < 100.0 * h, "{time}: {a} {b}");
        }
    }
}

/// From a curve back to a straight way its halves are mirror images again.
#[test]
fn a_run_comes_back_from_a_curve() {
    let variation = led("lateral-sway", VariationGoal { speed: None, turn: 1f64.to_radians() });
    let (problem, best) = variation.best();
    let candidate = problem.decode(&best.point);
    let straight = VariationGoal { speed: None, turn: 0.0 };
    let mut back =
        Variation::new(problem, &candidate, straight, &VariationOptions::default(), 0).unwrap();
    while !back.is_over() {
        back.step();
    }
    assert!(back.is_converged(), "{}", back.reached());
    assert_eq!(back.best().0.sketch().turn, 0.0);
    assert!(back.best().0.decode(&back.best().1.point).middle.is_none());
}

/// Files that do not fit are refused, not misread.
#[test]
fn gaits_of_other_ways_are_refused() {
    let variation = led("lateral-sway", VariationGoal { speed: None, turn: 1f64.to_radians() });
    let (problem, best) = variation.best();
    let gait = FoundGait::new(problem, best);
    let (straight, candidate) = found("lateral-sway");
    assert!(gait.candidate(problem).is_ok());
    assert!(gait.candidate(&straight).is_err());
    let refused = |change: &dyn Fn(&mut FoundGait)| {
        let mut other = gait.clone();
        change(&mut other);
        other.candidate(problem).unwrap_err().to_string()
    };
    // Each says what is wrong, and nothing is blamed on the body that is not its fault.
    let said = refused(&|gait| gait.middle = None);
    assert!(said.contains("second half"), "{said}");
    let said = refused(&|gait| gait.turn = 2.0);
    assert!(said.contains("2 degrees a second"), "{said}");
    let said = refused(&|gait| gait.steps[0].air.length += 0.01);
    assert!(said.contains("halves"), "{said}");
    let said = refused(&|gait| gait.steps[1].ground.amplitudes[0] = f64::NAN);
    assert_eq!(said, "a torque of NaN is not finite");
    let said = refused(&|gait| gait.steps[0].air.length = 1e9);
    assert!(said.contains("a phase of 1000000000 is not from 0 to 100 s"), "{said}");
    let said = refused(&|gait| gait.start.position[1] = f64::NAN);
    assert!(said.contains("not finite"), "{said}");
    let said = refused(&|gait| gait.start.rates.truncate(1));
    assert!(said.contains("joint angles, the body"), "{said}");
    let said = refused(&|gait| gait.steps[0].feet[0] = "tail".into());
    assert_eq!(said, "the body has no foot `tail`");
    let said = refused(&|gait| gait.steps.truncate(1));
    assert!(said.contains("steps, its sketch"), "{said}");
    let aim = VariationGoal { speed: None, turn: 0.0 };
    let options = VariationOptions::default();
    assert!(Variation::new(problem, &candidate, aim, &options, 1).is_err());
}

/// Steps of very different lengths are no reason to fall over.
#[test]
fn parts_may_be_very_different() {
    let mut sketch = GaitSketch::built_in("dog-gallop").unwrap();
    sketch.steps[0].part = Some(0.02);
    let body = andante_body::creature(&sketch.character).unwrap();
    let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default()).unwrap();
    let steps = problem.decode(&problem.start()).steps;
    let ratio = steps[0].length() / steps[1].length();
    assert!((ratio - 0.02).abs() < 1e-9, "{ratio}");
}

/// A run to the right is a run to the left in a mirror, with its halves exchanged.
#[test]
fn left_and_right_are_mirror_images() {
    let variation = led("lateral-sway", VariationGoal { speed: None, turn: 2f64.to_radians() });
    let (problem, best) = variation.best();
    let candidate = problem.decode(&best.point);
    let mirror = Mirror::new(problem.body()).unwrap();
    let steps = |candidate: &PulseController| {
        candidate
            .steps
            .iter()
            .map(|step| step.mirrored(problem.body(), &mirror))
            .collect::<Vec<_>>()
    };
    // What began with the left foot begins with the right one: the second half of the other.
    let mut other = steps(&candidate);
    let half = other.len() / 2;
    other.rotate_left(half);
    let middle = candidate.middle.as_ref().unwrap();
    let right = PulseController {
        steps: other,
        start: middle.mirrored(&mirror),
        middle: Some(candidate.start.mirrored(&mirror)),
        ..candidate.clone()
    };
    let sketch = GaitSketch {
        turn: -problem.sketch().turn,
        ..GaitSketch::built_in("lateral-sway").unwrap()
    };
    let mirrored = GaitProblem::new(problem.body(), &sketch, problem.options()).unwrap();
    let evaluator = |problem: &GaitProblem| Evaluator::new(Arc::new(problem.clone()), 1).unwrap();
    let left = evaluator(problem).try_out(&[candidate]).remove(0);
    let right = evaluator(&mirrored).try_out(&[right]).remove(0);
    let close =
        |of: fn(&CandidateTrial) -> f64| (of(&left) - of(&right)).abs() < 1e-6 * of(&left).abs();
    assert!(close(|trial| trial.effort) && close(|trial| trial.velocity[2]));
    assert!(mirrored.is_valid(&right), "{:?}", mirrored.complaints(&right));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever a place in the unit cube stands for leads back to it, also where steps have parts and halves are apart.
    #[test]
    fn places_come_back_from_what_they_stand_for(
        name in prop_oneof![Just("basic-run"), Just("dog-gallop"), Just("horse-walk")],
        turn in prop_oneof![Just(0.0), Just(0.2)],
        part in proptest::option::of(0.5..2.0),
        seed in any::<u64>(),
    ) {
        let mut sketch = GaitSketch::built_in(name).unwrap();
        sketch.turn = turn;
        sketch.steps[0].part = part;
        let body = andante_body::creature(&sketch.character).unwrap();
        let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default()).unwrap();
        let unit = |k: usize| (seed.wrapping_mul(2 * k as u64 + 1) >> 40) as f64 / (1u64 << 24) as f64;
        let point: Vec<f64> = (0..problem.variables().len()).map(unit).collect();
        let candidate = problem.decode(&point);
        let again = problem.decode(&problem.encode(&candidate));
        prop_assert!((again.length() - candidate.length()).abs() < 1e-9);
        for (a, b) in again.steps.iter().zip(&candidate.steps) {
            prop_assert_eq!(&a.feet, &b.feet);
            for (a, b) in [(&a.air, &b.air), (&a.ground, &b.ground)] {
                prop_assert!((a.length - b.length).abs() < 1e-9 && (a.pulse - b.pulse).abs() < 1e-9);
                prop_assert!(a.torques.iter().zip(&b.torques).all(|(a, b)| (a - b).abs() < 1e-6));
            }
        }
        let states = [(&again.start, &candidate.start)].into_iter();
        for (a, b) in states.chain(again.middle.as_ref().zip(candidate.middle.as_ref())) {
            prop_assert!(a.position.abs_diff_eq(b.position, 1e-9) && a.velocity.abs_diff_eq(b.velocity, 1e-9));
            prop_assert!(a.orientation.angle_between(b.orientation) < 1e-6);
            prop_assert!(a.rates.iter().zip(&b.rates).all(|(a, b)| (a - b).abs() < 1e-9));
        }
        prop_assert_eq!(again.middle.is_some(), turn != 0.0 && sketch.mirrored);
    }
}

/// A sketch may ask for a curve from the beginning: its search samples both roots, and joints of each half begin where the other
/// ends.
#[test]
fn a_search_on_a_curve_settles_the_joints_of_both_halves() {
    let sketch = GaitSketch { turn: 0.3, ..GaitSketch::built_in("basic-run").unwrap() };
    let body = andante_body::creature(&sketch.character).unwrap();
    let problem = Arc::new(GaitProblem::new(&body, &sketch, &ProblemOptions::default()).unwrap());
    let names: Vec<&str> =
        problem.essential().iter().map(|&index| problem.variables()[index].name.as_str()).collect();
    assert_eq!(names.len(), 2 * 10 + 2 * 12 + 2 * 3 + 1, "{names:?}");
    assert!(names.contains(&"halfway roll") && !names.contains(&"halfway left thigh x"));
    let evaluator = Evaluator::new(Arc::clone(&problem), 1).unwrap();
    let start = problem.start();
    let before = evaluator.evaluate(std::slice::from_ref(&start)).remove(0);
    let (settled, after) = evaluator.settle(std::slice::from_ref(&start), 2);
    assert!(problem.essential().iter().all(|&index| start[index] == settled[0][index]));
    // Residuals of joints, of both halves.
    let open = |trial: &CandidateTrial| -> [f64; 2] {
        let sizes: Vec<f64> = trial
            .residuals
            .iter()
            .zip(problem.tolerances())
            .map(|(r, t)| (r / t).powi(2))
            .collect();
        let half = sizes.len() / 2;
        [sizes[10..half].iter().sum(), sizes[half + 10..].iter().sum()]
    };
    for (before, after) in open(&before).iter().zip(open(&after[0])) {
        assert!(after < 0.5 * before, "{after} {before}");
    }
    let alone = evaluator.evaluate_alone(&start).unwrap();
    assert_eq!(alone, before);
}
