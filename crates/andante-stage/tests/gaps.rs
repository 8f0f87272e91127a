//! Gaps of any width in the scene `jumps`: crossed, or refused with the reason.

#![allow(clippy::unwrap_used, clippy::panic)]

mod oracle;
mod sweep;

use andante_plan::route::NoRoute;
use andante_plan::steps::{StepOptions, StepPlanner};
use andante_skeleton::humanoid;
use andante_stage::{PlanFailure, Scene, plan_character};
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// The first gap, from x = 10 on, this wide: everything beyond it is moved.
fn jumps(gap: f32) -> Scene {
    let mut scene = Scene::built_in("jumps").unwrap();
    let rim = |patch: usize, far: fn(f32, f32) -> f32| {
        let corners = scene.ground[patch].platform.outline.iter().map(|corner| corner.x);
        corners.reduce(far).unwrap()
    };
    assert_eq!(rim(0, f32::max), 10.0);
    let moved = Vec2::new(gap - (rim(1, f32::min) - rim(0, f32::max)), 0.0);
    for patch in &mut scene.ground[1..] {
        patch.platform.outline.iter_mut().for_each(|corner| *corner += moved);
    }
    scene.characters[0].goal.place += moved;
    scene
}

#[test]
fn gaps_within_reach_are_crossed_without_a_step_into_them_and_wider_ones_are_refused_by_width() {
    let human = humanoid();
    let repertoire = Arc::new(andante_motion::repertoire::built_in(&human).unwrap());
    let planner = StepPlanner::new(Arc::clone(&repertoire)).unwrap();
    let widest = planner.widest_gap(&StepOptions::default()).unwrap();
    let (mut crossed, mut refused) = (0, 0);
    for seed in 0..36 {
        // Half of them within a tenth of the widest, on either side of it.
        let mut random = sweep::Random::new(seed);
        let gap = if seed % 2 == 0 {
            random.between(0.05, 1.4 * widest)
        } else {
            random.between(0.9, 1.1) * widest
        };
        // The mesh keeps a few millimetres from rims.
        if (gap - widest).abs() < 0.01 {
            continue;
        }
        let scene = jumps(gap);
        let plan = plan_character(&scene, &scene.characters[0], &human, &repertoire);
        if gap > widest {
            refused += 1;
            let failure = plan.map(|_| ()).unwrap_err();
            let PlanFailure::Route(NoRoute::Gap { gap: told, widest: most, .. }) = failure else {
                panic!("{gap} m: {failure}")
            };
            assert!((told - gap).abs() < 5e-3 && (most - widest).abs() < 5e-3, "{told} {most}");
            let text = failure.to_string();
            assert!(text.contains(&format!("{told:.2} m wide")), "{text}");
            assert!(text.contains(&format!("crossed is {most:.2} m")), "{text}");
            continue;
        }
        crossed += 1;
        let plan = plan.unwrap_or_else(|failure| panic!("{gap} m: {failure}"));
        assert!(plan.metrics.goal_error_m < 1e-3 && plan.footprints_off == 0, "{gap} m");
        let is_over = |point: Vec3| (10.0..10.0 + gap).contains(&point.x);
        for print in &plan.performance.footprints {
            let points = [print.heel, print.ball, print.tip];
            assert!(!points.into_iter().any(is_over), "{gap} m: a step at {}", print.position);
        }
        // The body is over the gap, and above the ground on both sides of it.
        let over = plan
            .performance
            .body
            .iter()
            .filter(|place| (10.0..10.0 + gap).contains(&place.position.x));
        assert!(over.count() > 0, "{gap} m");
    }
    assert!(crossed >= 10 && refused >= 10, "{crossed} crossed, {refused} refused");
}
