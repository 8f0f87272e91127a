//! What a sketch means to a search.

#![allow(clippy::unwrap_used, clippy::panic)]

use andante_body::{Body, creature};
use andante_gait::Mirror;
use andante_gait::{
    Evaluator, FoundGait, GaitCycle, GaitProblem, GaitSketch, LANES, ProblemError, ProblemOptions,
    PulseShape, SOFT_CONSTRAINTS, TouchingFeet,
};
use proptest::prelude::*;
use std::sync::Arc;

fn problem(name: &str, options: &ProblemOptions) -> Arc<GaitProblem> {
    let sketch = GaitSketch::built_in(name).unwrap();
    let body = creature(&sketch.character).unwrap();
    Arc::new(GaitProblem::new(&body, &sketch, options).unwrap())
}

/// Points that differ from each other, some way from the start.
fn points(problem: &GaitProblem, count: usize) -> Vec<Vec<f64>> {
    let point = |k: usize| {
        let wave = |(index, unit): (usize, f64)| unit + 0.03 * ((k * 31 + index * 17) as f64).sin();
        problem.start().into_iter().enumerate().map(wave).collect()
    };
    (0..count).map(point).collect()
}

#[test]
fn the_basic_run_has_as_many_variables_as_published() {
    let run = problem("basic-run", &ProblemOptions::default());
    // Of the published 88 the place of the root along the path and across it: neither matters.
    assert_eq!(run.variables().len(), 36 + 36 + 12 + 2 + 1 + 1 - 2);
    assert_eq!(run.tolerances().len(), 2 * 36 - 2);
    let hop = problem("kangaroo-hop", &ProblemOptions::default());
    assert_eq!(hop.tolerances().len(), 2 * 42 - 1);
}

#[test]
fn the_canonical_basis_drives_every_joint_by_itself() {
    let run = problem("basic-run", &ProblemOptions { canonical: true, ..Default::default() });
    let modal = problem("basic-run", &ProblemOptions::default());
    assert_eq!(run.variables().len(), modal.variables().len() - 12 + 60);
    let candidate = run.decode(&points(&run, 2)[1]);
    assert_eq!(candidate.steps[0].air.amplitudes.len(), 30);
}

#[test]
fn what_follows_from_the_rest_is_not_sampled() {
    let names = |problem: &GaitProblem| -> Vec<String> {
        let essential = problem.essential().iter();
        essential.map(|&index| problem.variables()[index].name.clone()).collect()
    };
    let run = problem("basic-run", &ProblemOptions::default());
    assert_eq!(run.essential().len(), 10 + 12 + 4, "root, drives, times");
    assert!(!names(&run).contains(&"left thigh x".into()));
    assert!(names(&run).contains(&"roll".into()));
    // A kangaroo can stay in its middle plane, a human on one foot cannot.
    let hop = names(&problem("kangaroo-hop", &ProblemOptions::default()));
    for out_of_plane in ["yaw", "roll", "speed sideways", "yaw rate", "roll rate"] {
        assert!(!hop.contains(&out_of_plane.into()), "{out_of_plane}");
    }
    let one = names(&problem("one-foot-hop", &ProblemOptions::default()));
    assert!(one.contains(&"roll".into()));
}

#[test]
fn joints_that_begin_where_they_end_close_better() {
    let run = problem("basic-run", &ProblemOptions::default());
    let evaluator = Evaluator::new(Arc::clone(&run), 1).unwrap();
    let points = points(&run, LANES);
    let before = evaluator.evaluate(&points);
    let (settled, after) = evaluator.settle(&points, 1);
    for (point, other) in points.iter().zip(&settled) {
        assert!(run.essential().iter().all(|&index| point[index] == other[index]));
        assert_ne!(point, other);
    }
    let open = |trials: &[andante_gait::CandidateTrial]| -> f64 {
        let joints = |trial: &andante_gait::CandidateTrial| -> f64 {
            let sizes = trial.residuals.iter().zip(run.tolerances()).skip(10);
            sizes.map(|(residual, tolerance)| (residual / tolerance).powi(2)).sum()
        };
        trials.iter().map(joints).sum()
    };
    assert!(open(&after) < 0.5 * open(&before), "{} {}", open(&after), open(&before));
}

#[test]
fn a_candidate_does_not_notice_its_neighbours() {
    let run = problem("basic-run", &ProblemOptions::default());
    let evaluator = Evaluator::new(Arc::clone(&run), 1).unwrap();
    let points = points(&run, LANES + 1);
    let together = evaluator.evaluate(&points);
    for (point, trial) in points.iter().zip(&together) {
        assert_eq!(evaluator.evaluate(std::slice::from_ref(point))[0], *trial);
        assert_eq!(evaluator.evaluate_alone(point).as_ref(), Some(trial));
    }
    assert_ne!(together[0], together[1]);
}

#[test]
fn a_body_thrown_forwards_does_not_walk_by_itself() {
    let run = problem("basic-run", &ProblemOptions::default());
    let evaluator = Evaluator::new(Arc::clone(&run), 1).unwrap();
    let trial = &evaluator.evaluate(&[run.start()])[0];
    assert!(!run.is_valid(trial));
    let complaints = run.complaints(trial);
    assert!(
        complaints.iter().any(|text| text.contains("the cycle does not close")),
        "{complaints:?}"
    );
    let push_off = SOFT_CONSTRAINTS.iter().position(|name| *name == "push-off").unwrap();
    assert!(trial.soft[push_off] >= 1.0);
    // Nothing violates the effort, and the torques are within their limits.
    assert!(trial.effort > 0.0 && trial.effort < 500_000.0);
}

#[test]
fn a_cycle_that_ends_in_its_mirror_image_has_no_residual() {
    let run = problem("basic-run", &ProblemOptions::default());
    let start = run.decode(&points(&run, 3)[2]).start;
    let mirror = Mirror::new(run.body()).unwrap();
    let mut end = start.mirrored(&mirror);
    // Forwards it may go as far as it likes, and sideways a mirrored path closes by itself.
    end.position.z += 1.3;
    end.position.x += 0.1;
    assert!(run.residuals(&start, &end, 0.35).iter().all(|residual| residual.abs() < 1e-9));
    end.position.y += 0.01;
    end.rates[4] -= 0.5;
    let off: Vec<f64> =
        run.residuals(&start, &end, 0.35).into_iter().filter(|r| r.abs() > 1e-9).collect();
    assert_eq!(off.len(), 2);
}

#[test]
fn the_shown_cycle_closes_and_goes_on_where_it_ends() {
    for name in ["basic-run", "kangaroo-hop"] {
        let problem = problem(name, &ProblemOptions::default());
        let candidate = problem.decode(&problem.start());
        let cycle = GaitCycle::new(&problem, &candidate);
        let (first, last) = (&cycle.states[0], &cycle.states[cycle.states.len() - 1]);
        assert!(last.position.abs_diff_eq(first.position + cycle.stride, 1e-9), "{name}");
        assert!(cycle.stride.x.abs() < 1e-9 && cycle.stride.y.abs() < 1e-9, "{name}");
        assert!(last.orientation.dot(first.orientation).abs() > 1.0 - 1e-9, "{name}");
        for (a, b) in first.deflections.iter().zip(&last.deflections) {
            assert!((a - b).abs() < 1e-9, "{name}");
        }
        let ahead = cycle.at(2.25 * cycle.period);
        let here = cycle.at(0.25 * cycle.period);
        assert!(ahead.position.abs_diff_eq(here.position + 2.0 * cycle.stride, 1e-9), "{name}");
        // The halves of the run are mirror images.
        if problem.sketch().mirrored {
            let half = cycle.states.len() / 2;
            let mirrored = cycle.states[10].mirrored(&Mirror::new(problem.body()).unwrap());
            assert_eq!(cycle.states[half + 10].deflections, mirrored.deflections);
            assert_eq!(cycle.down[0][half + 10], cycle.down[1][10]);
        }
        let puppet = andante_body::RigidPartsMesh::new(problem.body()).unwrap();
        let clip = cycle.clip(&problem, &puppet, name, 2).unwrap();
        assert!((f64::from(clip.duration()) - 2.0 * cycle.period).abs() < 1e-4);
        // Soles of the character are where the simulation has them.
        let (character, _) = andante_gait::character(problem.body()).unwrap();
        let mut models = clip.frame(7).to_vec();
        character.skeleton.local_to_model(clip.frame(7), &mut models);
        let placed = cycle.at(7.0 / f64::from(clip.fps())).place(problem.body(), problem.pose());
        for (foot, ours) in problem.body().feet().iter().zip(&character.rig.feet) {
            let toe = placed[foot.segment].transform_point(foot.toe).as_vec3();
            assert!(ours.tip.position(&models).abs_diff_eq(toe, 1e-4), "{name}");
            assert_eq!(
                character.skeleton.joint(ours.hip()).name,
                problem.body().segments()[foot.hip].name
            );
        }
    }
}

/// Paws of opposite sides are down together, the others are well above the ground meanwhile.
#[test]
fn a_dog_trots_on_diagonal_pairs_of_paws() {
    let trot = problem("dog-trot", &ProblemOptions::default());
    let candidate = FoundGait::built_in("dog-trot").unwrap().unwrap().candidate(&trot).unwrap();
    let cycle = GaitCycle::new(&trot, &candidate);
    let feet = trot.body().feet();
    let foot = |name: &str| feet.iter().position(|foot| foot.name == name).unwrap();
    let pairs = [["front left foot", "back right foot"], ["front right foot", "back left foot"]]
        .map(|pair| pair.map(foot));
    let (mut together, mut highest) = ([0; 2], [0.0f64; 4]);
    for (index, state) in cycle.states.iter().enumerate() {
        let placed = state.place(trot.body(), trot.pose());
        let down = |foot: usize| cycle.down[foot][index].contains(&true);
        for (pair, other) in [(0, 1), (1, 0)] {
            together[pair] += usize::from(pairs[pair].into_iter().all(down));
            let any = pairs[pair].into_iter().any(down);
            assert!(!(any && pairs[other].into_iter().any(down)), "{index}: both pairs");
        }
        for (foot, highest) in feet.iter().zip(&mut highest) {
            *highest = highest.max(placed[foot.segment].transform_point(foot.toe).y);
        }
    }
    let shares = together.map(|count| count as f64 / cycle.states.len() as f64);
    assert!(shares.iter().all(|share| (0.15..0.45).contains(share)), "{shares:?}");
    assert!(highest.iter().all(|height| (0.03..0.25).contains(height)), "{highest:?}");
}

#[test]
fn a_sketch_may_ask_feet_to_stay_down_for_longer() {
    let mut sketch = GaitSketch::built_in("dog-trot").unwrap();
    let body = creature(&sketch.character).unwrap();
    let gait = FoundGait::built_in("dog-trot").unwrap().unwrap();
    let support = SOFT_CONSTRAINTS.iter().position(|name| *name == "support foot down").unwrap();
    let mut violated = |stance: f64| {
        sketch.stance = stance;
        let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default()).unwrap();
        let problem = Arc::new(problem);
        let candidate = gait.candidate(&problem).unwrap();
        let evaluator = Evaluator::new(problem, 1).unwrap();
        evaluator.try_out(&[candidate])[0].soft[support] > 0.0
    };
    assert!(!violated(0.0) && !violated(0.4));
    assert!(violated(0.75), "paws are up by then");
    sketch.stance = 1.5;
    let refused = GaitProblem::new(&body, &sketch, &ProblemOptions::default()).unwrap_err();
    assert!(refused.to_string().contains("the stance is 1.5"), "{refused}");
}

#[test]
fn sketches_of_other_bodies_are_refused_with_a_reason() {
    let options = ProblemOptions::default();
    let sketch = GaitSketch::built_in("basic-run").unwrap();
    let human = creature("humanoid").unwrap();
    let refused = |body: &Body, sketch: &GaitSketch| {
        GaitProblem::new(body, sketch, &options).unwrap_err().to_string()
    };
    let mut wrong = sketch.clone();
    wrong.steps[0].air.allowed = vec![40];
    assert_eq!(refused(&human, &wrong), "step 1, air: there is no mode 41; `humanoid` has 1 to 30");
    let mut wrong = sketch.clone();
    wrong.steps[0].feet = vec!["left hoof".into()];
    assert!(refused(&human, &wrong).contains("no foot `left hoof`; it has left foot, right foot"));
    let mut wrong = sketch.clone();
    wrong.pose = Some("asleep".into());
    assert!(refused(&human, &wrong).contains("no rest pose `asleep`; it has default"));
    let mut wrong = sketch.clone();
    (wrong.steps[0].air, wrong.steps[0].ground) = Default::default();
    assert!(refused(&human, &wrong).contains("every mode of every phase is excluded"));
    let mut wrong = sketch.clone();
    wrong.period = f64::NAN;
    assert!(refused(&human, &wrong).contains("the period is NaN"));
    let mut wrong = sketch.clone();
    wrong.pose = Some("one foot".into());
    assert_eq!(
        GaitProblem::new(&human, &wrong, &options).unwrap_err(),
        ProblemError::NotSymmetric("humanoid".into())
    );
    let mut parts = human.into_parts();
    parts.feet.clear();
    let statue = Body::new(parts).unwrap();
    assert!(refused(&statue, &sketch).contains("has no feet to stand on"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// O5: whatever the search does, the sketch keeps its signs and at least its magnitudes, torques their limits, pulses
    /// their phases.
    #[test]
    fn no_point_of_the_cube_loses_the_sketch(units in prop::collection::vec(-0.5f64..1.5, 86)) {
        let run = problem("basic-run", &ProblemOptions::default());
        let candidate = run.decode(&units);
        let sketch = &run.sketch().steps[0];
        let limits: Vec<f64> = run.body().joints().flat_map(|(_, joint)| joint.torque_limit).collect();
        for (phase, sketched) in
            [(&candidate.steps[0].air, &sketch.air), (&candidate.steps[0].ground, &sketch.ground)]
        {
            for ((_, wanted), amplitude) in sketched.priority.iter().zip(&phase.amplitudes) {
                prop_assert!(amplitude * wanted > 0.0 && amplitude.abs() >= wanted.abs() - 1e-12);
            }
            prop_assert!(phase.amplitudes.iter().all(|amplitude| amplitude.abs() <= 1.0));
            prop_assert!(phase.torques.iter().zip(&limits).all(|(torque, limit)| torque.abs() <= *limit));
            prop_assert!(phase.pulse <= phase.length);
        }
        prop_assert!(candidate.steps[0].ground.length > 0.0);
    }
}

/// What a sketch says of pulses and legs reaches the simulation.
fn changed(
    name: &str,
    change: impl Fn(&mut GaitSketch),
) -> (Arc<GaitProblem>, andante_gait::CandidateTrial) {
    let mut sketch = GaitSketch::built_in(name).unwrap();
    change(&mut sketch);
    let body = creature(&sketch.character).unwrap();
    let problem = Arc::new(GaitProblem::new(&body, &sketch, &Default::default()).unwrap());
    let evaluator = Evaluator::new(Arc::clone(&problem), 1).unwrap();
    let trial = evaluator.evaluate(&[problem.start()]).remove(0);
    (problem, trial)
}

#[test]
fn smooth_pulses_take_half_the_effort_of_rectangles() {
    let effort =
        |pulses: PulseShape| changed("basic-run", |sketch| sketch.pulses = pulses).1.effort;
    let (rectangular, smooth) = (effort(PulseShape::Rectangular), effort(PulseShape::Smooth));
    // Up to the last step of the simulation, which is longer than what is left of the half cycle.
    assert!((smooth / rectangular - 0.5).abs() < 0.01, "{smooth} of {rectangular}");
}

/// Legs that can touch the ground at any time have to be down for as long as the sketch says, and clear of it between.
#[test]
fn legs_with_phases_of_their_own_are_held_to_them() {
    let named = |name: &str| SOFT_CONSTRAINTS.iter().position(|known| *known == name).unwrap();
    let (down, clear) = (named("support foot down"), named("swing feet above ground"));
    let walk = |duty: f64, clearance: f64| {
        let set = |sketch: &mut GaitSketch| {
            (sketch.touch, sketch.aerial) = (TouchingFeet::All, false);
            (sketch.duty, sketch.clearance) = (duty, clearance);
        };
        changed("dog-trot", set).1.soft
    };
    let easy = walk(0.0, 0.0);
    assert!(walk(0.6, 0.0)[down] > easy[down] + 1.0);
    assert!(walk(0.0, 0.5)[clear] > easy[clear] + 1.0, "no paw is half a metre above the ground");
    assert_eq!(walk(0.3, 0.0)[named("push-off")], 0.0, "who walks need not fly");
}

/// The way turns: who runs straight on is not where it should be.
#[test]
fn a_straight_run_does_not_close_on_a_way_that_turns() {
    let gait = FoundGait::built_in("kangaroo-hop").unwrap().unwrap();
    let yaw = |turn: f64| {
        let (problem, _) = changed("kangaroo-hop", |sketch| sketch.turn = turn);
        let gait = FoundGait { turn: turn.to_degrees(), ..gait.clone() };
        let candidate = gait.candidate(&problem).unwrap();
        let evaluator = Evaluator::new(Arc::clone(&problem), 1).unwrap();
        let trial = evaluator.try_out(std::slice::from_ref(&candidate)).remove(0);
        let index = problem.constraint_names().iter().position(|name| name == "yaw").unwrap();
        (trial.residuals[index], candidate.length())
    };
    let ((straight, _), (turning, seconds)) = (yaw(0.0), yaw(0.5));
    assert!((turning - straight + 0.5 * seconds).abs() < 1e-3, "{turning} {straight} {seconds}");
}
