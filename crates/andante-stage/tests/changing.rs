//! Worlds that change during a walk.

#![allow(clippy::unwrap_used, clippy::panic)]

mod changes;
mod oracle;
mod sweep;

use andante_motion::repertoire::Repertoire;
use andante_skeleton::humanoid;
use andante_stage::{PartPlanner, PlanFailure, Scene};
use glam::Vec2;
use std::sync::Arc;

/// The costs are measured by `cargo bench -p andante-stage --bench repairs`.
#[test]
fn whatever_comes_into_the_way_the_walk_so_far_is_kept_and_the_goal_is_reached() {
    let human = humanoid();
    let repertoire = Arc::new(Repertoire::built_in(&human).unwrap());
    let (mut repaired, mut kept) = (0, 0);
    for name in ["parking", "house", "sheep-pen"] {
        let scene = Scene::built_in(name).unwrap();
        let part = &scene.characters[0];
        let mut planner = PartPlanner::new(&scene, part, &human, &repertoire).unwrap();
        let before = planner.plan().unwrap().performance;
        for seed in 0..12 {
            let mut random = sweep::Random::new(1000 + seed);
            let change = changes::change(&mut random, &before, &scene.obstacles);
            planner.set_obstacles(change.obstacles).unwrap();
            let draft = match planner.repair(&before, change.time) {
                Ok(Some(draft)) => draft,
                Ok(None) => {
                    kept += 1;
                    assert_eq!(planner.touched_from(&before, change.time).frames, 0);
                    continue;
                }
                // Something stands on the goal.
                Err(PlanFailure::Blocked { what: "goal", .. }) => continue,
                Err(failure) => panic!("{name} {seed}: {failure}"),
            };
            repaired += 1;
            let frames = (change.time * before.clip.fps()) as usize;
            assert_eq!(
                &draft.performance.body[..frames],
                &before.body[..frames],
                "{name} {seed}: what was walked already is changed"
            );
            let plan = planner.measured(draft);
            assert!(plan.metrics.goal_error_m < 1e-3, "{name} {seed}");
            assert!(plan.metrics.feet.foot_slide_mm_mean < 1.0, "{name} {seed}");
            assert_eq!(plan.footprints_off, 0, "{name} {seed}");
        }
    }
    assert!(repaired > 10 && kept > 3, "{repaired} repaired, {kept} kept");
}

#[test]
fn a_way_that_is_closed_is_refused_and_open_again_when_the_world_is() {
    let human = humanoid();
    let repertoire = Arc::new(Repertoire::built_in(&human).unwrap());
    let scene = Scene::built_in("house").unwrap();
    let mut planner = PartPlanner::new(&scene, &scene.characters[0], &human, &repertoire).unwrap();
    let before = planner.plan().unwrap().performance;
    let mut closed = scene.obstacles.clone();
    let goal = scene.characters[0].goal.place;
    closed.extend([Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y].map(|side| {
        let at = goal + 0.8 * side;
        let mut wall = closed[0].clone();
        wall.at = glam::Vec3::new(at.x, 0.0, at.y);
        wall.shape = andante_world::Shape::Box(glam::Vec3::new(1.8, 2.0, 0.1));
        wall.heading = if side.x == 0.0 { 0.0 } else { std::f32::consts::FRAC_PI_2 };
        wall
    }));
    planner.set_obstacles(closed).unwrap();
    let refused = planner.repair(&before, 1.0).map(|_| ()).unwrap_err().to_string();
    assert!(refused.contains("obstacles leave no passage"), "{refused}");
    planner.set_obstacles(scene.obstacles.clone()).unwrap();
    assert!(planner.repair(&before, 1.0).unwrap().is_none());
}
