//! Worlds that change during a walk.

#![allow(clippy::unwrap_used, clippy::panic)]

mod changes;
mod oracle;
mod sweep;

use andante_plan::steps::{PlannedMotion, StepError};
use andante_skeleton::{Character, humanoid};
use andante_stage::{CharacterPlanner, PlanFailure, Scene};
use andante_world::{Obstacle, ObstacleShape};
use glam::{Vec2, Vec3};
use std::sync::Arc;

fn prepared(name: &str, human: &Character) -> (Scene, CharacterPlanner, Arc<PlannedMotion>) {
    let repertoire = Arc::new(andante_motion::repertoire::built_in(human).unwrap());
    let scene = Scene::built_in(name).unwrap();
    let planner = CharacterPlanner::new(&scene, &scene.characters[0], human, &repertoire).unwrap();
    let before = planner.plan().unwrap().performance;
    (scene, planner, before)
}

fn thing(shape: ObstacleShape, at: Vec2, heading: f32) -> Obstacle {
    Obstacle { name: "new".into(), shape, at: Vec3::new(at.x, 0.0, at.y), heading }
}

/// The costs are measured by `cargo bench -p andante-stage --bench repairs`.
#[test]
fn whatever_comes_into_the_way_the_body_touches_nothing_and_the_goal_is_reached() {
    let human = humanoid();
    let (mut repaired, mut kept, mut met, mut unavoidable) = (0, 0, 0, 0);
    for name in ["parking", "house", "sheep-pen", "jumps"] {
        let (scene, mut planner, before) = prepared(name, &human);
        for seed in 0..24 {
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
                // Something stands on the goal, closes the way to it, or is too close.
                Err(PlanFailure::Blocked { what: "goal", .. } | PlanFailure::Route(_)) => continue,
                Err(PlanFailure::Unavoidable { .. }) => {
                    unavoidable += 1;
                    continue;
                }
                // Too close to a jump to take another run-up.
                Err(PlanFailure::Steps(StepError::TooSharp { .. } | StepError::NoRunUp { .. }))
                    if name == "jumps" =>
                {
                    unavoidable += 1;
                    continue;
                }
                Err(failure) => panic!("{name} {seed}: {failure}"),
            };
            repaired += 1;
            let frames = (change.time * before.clip.fps()) as usize;
            assert_eq!(
                &draft.performance.body[..frames],
                &before.body[..frames],
                "{name} {seed}: what was walked already is changed"
            );
            let left = draft.performance.body.len() - draft.changed.end;
            met += usize::from(left > 0);
            assert_eq!(
                &draft.performance.body[draft.changed.end..],
                &before.body[before.body.len() - left..],
                "{name} {seed}: what is walked again is changed"
            );
            let touched = planner.touched_from(&draft.performance, change.time);
            assert_eq!(touched.frames, 0, "{name} {seed}: {touched:?}");
            let plan = planner.measured(draft);
            let m = &plan.metrics;
            assert!(m.goal_error_m < 1e-3, "{name} {seed}: {m:?}");
            assert!(m.goal_heading_error_deg < 0.5, "{name} {seed}: {m:?}");
            assert!(m.motion.foot_slide_mm_mean < 1.0, "{name} {seed}: {m:?}");
            assert!(m.motion.foot_slide_mm_max < 5.0, "{name} {seed}: {m:?}");
            assert!(m.motion.penetration_mm_max <= 3.0, "{name} {seed}: {m:?}");
            let usual = plan.performance.clips_root_accel_max.max(8.0);
            assert!(m.motion.root_accel_max <= 2.0 * usual, "{name} {seed}: {m:?}");
            assert_eq!(plan.footprints_off, 0, "{name} {seed}");
        }
    }
    assert!(repaired > 40 && kept > 8 && met > 12, "{repaired} repaired, {kept} kept, {met} met");
    assert!(unavoidable <= 6, "{unavoidable} not avoided");
}

/// One that meets what came on its way back, one that has to stop, some that are pushed and one that goes round something.
#[test]
fn repairs_are_the_same_on_any_number_of_cores() {
    let human = humanoid();
    let (scene, mut planner, before) = prepared("sheep-pen", &human);
    for seed in [8, 53, 76, 106, 160, 371] {
        let change = changes::change(&mut sweep::Random::new(seed), &before, &scene.obstacles);
        planner.set_obstacles(change.obstacles).unwrap();
        let [one, many] = [1, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| planner.repair(&before, change.time)).unwrap().unwrap()
        });
        assert_eq!(one.changed, many.changed, "{seed}");
        assert_eq!(one.journey, many.journey, "{seed}");
        assert_eq!(one.performance.clip, many.performance.clip, "{seed}");
        assert_eq!(one.performance.contacts, many.performance.contacts, "{seed}");
    }
}

#[test]
fn a_way_that_is_closed_is_refused_and_open_again_when_the_world_is() {
    let human = humanoid();
    let (scene, mut planner, before) = prepared("house", &human);
    let mut closed = scene.obstacles.clone();
    let goal = scene.characters[0].goal.place;
    closed.extend([Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y].map(|side| {
        let heading = if side.x == 0.0 { 0.0 } else { std::f32::consts::FRAC_PI_2 };
        thing(ObstacleShape::Box(Vec3::new(1.8, 2.0, 0.1)), goal + 0.8 * side, heading)
    }));
    planner.set_obstacles(closed).unwrap();
    let refused = planner.repair(&before, 1.0).map(|_| ()).unwrap_err().to_string();
    assert!(refused.contains("obstacles leave no passage"), "{refused}");
    planner.set_obstacles(scene.obstacles.clone()).unwrap();
    assert!(planner.repair(&before, 1.0).unwrap().is_none());
}

#[test]
fn what_is_put_upon_somebody_cannot_be_avoided_and_is_named() {
    let human = humanoid();
    let (scene, mut planner, before) = prepared("parking", &human);
    for time in [3.0f32, 8.0] {
        let body = before.body[(time * 60.0) as usize];
        let mut obstacles = scene.obstacles.clone();
        obstacles.push(thing(ObstacleShape::Box(Vec3::splat(1.0)), body.position, 0.3));
        planner.set_obstacles(obstacles).unwrap();
        let refused = planner.repair(&before, time).map(|_| ()).unwrap_err();
        let PlanFailure::Unavoidable { by, seconds, depth, walks } = &refused else {
            panic!("{refused}")
        };
        assert!(by == "new" && *seconds < 0.05 && *depth > 0.2 && *walks == 0, "{refused}");
        assert!(refused.to_string().contains("`new` cannot be avoided any more"), "{refused}");
    }
}

/// A wall across the way, as close as it can be: before the body is at it, it stops or turns aside.
#[test]
fn a_wall_that_comes_down_right_ahead_is_not_run_into() {
    let human = humanoid();
    let (scene, mut planner, before) = prepared("parking", &human);
    let mut avoided = 0;
    for time in [2.0f32, 6.0, 11.0, 15.0] {
        let frame = (time * 60.0) as usize;
        let (body, speed) = (before.body[frame], before.speed[frame]);
        let ahead = Vec2::new(body.heading.sin(), body.heading.cos());
        // A step, then as hard a stop as there is, and half a body.
        let way = 0.8 * speed + speed * speed / 8.0 + 0.7;
        let wall = ObstacleShape::Box(Vec3::new(3.0, 2.0, 0.1));
        let mut obstacles = scene.obstacles.clone();
        obstacles.push(thing(wall, body.position + way * ahead, body.heading));
        planner.set_obstacles(obstacles).unwrap();
        match planner.repair(&before, time) {
            Ok(Some(draft)) => {
                let touched = planner.touched_from(&draft.performance, time);
                assert_eq!(touched.frames, 0, "{time} s: {touched:?}");
                assert!(planner.measured(draft).metrics.goal_error_m < 1e-3);
                avoided += 1;
            }
            Ok(None) => {}
            Err(failure) => println!("{time} s: {failure}"),
        }
    }
    assert!(avoided >= 3, "{avoided} of 4");
}
