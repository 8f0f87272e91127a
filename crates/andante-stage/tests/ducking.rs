//! Bars across a corridor.
#![allow(clippy::unwrap_used)]

use andante_skeleton::{humanoid, model_frames};
use andante_stage::{Scene, plan_character, read_scene};
use std::sync::Arc;

/// The bar spans the corridor at z = 5, 0.3 m deep.
fn corridor(height: f32, run: bool) -> Scene {
    let text = format!(
        "version = 1\nname = \"corridor\"\n\
         [[platform]]\noutline = [[-1, -1], [1, -1], [1, 11], [-1, 11]]\n\
         [[obstacle]]\nname = \"bar\"\nat = [0, {height}, 5]\nbox = [4, 0.1, 0.3]\n\
         [[character]]\nstart = {{ at = [0, 0], heading = 0 }}\ngoal = {{ at = [0, 10], heading = 0 }}\nrun = {run}\n"
    );
    read_scene(&text).unwrap()
}

#[test]
fn heads_are_below_the_bar_in_every_frame_and_up_again_behind_it() {
    let human = humanoid();
    let repertoire = Arc::new(andante_motion::repertoire::built_in(&human).unwrap());
    let crown = human.rig.head.and_then(|head| human.skeleton.joint(head).tip).unwrap();
    let head = human.rig.head.unwrap();
    for (height, run) in [(1.7, false), (1.55, false), (1.45, true), (1.35, false)] {
        let scene = corridor(height, run);
        let plan = plan_character(&scene, &scene.characters[0], &human, &repertoire).unwrap();
        let frames = model_frames(&human.skeleton, &plan.performance.clip);
        let legs: Vec<usize> = human.rig.feet.iter().map(|foot| foot.hip()).collect();
        let (mut passed, mut highest) = (0, 0.0f32);
        for models in &frames {
            let top = models[head].transform_point(crown);
            if (top.z - 5.0).abs() <= 0.2 {
                assert!(top.y <= height - 0.02, "{height}: the head is at {} m", top.y);
                passed += 1;
            }
            for (joint, model) in models.iter().enumerate() {
                let above = human.skeleton.ancestors(joint).any(|above| legs.contains(&above));
                if !above && (model.translation.z - 5.0).abs() <= 0.25 {
                    assert!(model.translation.y <= height - 0.1, "{height}: joint {joint}");
                }
            }
            highest = highest.max(top.y);
        }
        assert!(passed > 5, "{height}: it has not been under the bar");
        // Upright before and behind.
        for end in [&frames[0], &frames[frames.len() - 1]] {
            assert!(end[head].transform_point(crown).y > highest - 0.06, "{height}");
        }
        let m = &plan.metrics;
        assert!(plan.metrics.head_room.unwrap() >= 0.02, "{height}");
        assert!(m.goal_error_m < 1e-3 && m.motion.foot_slide_mm_max < 5.0, "{height}: {m:?}");
        assert!(m.motion.penetration_mm_max <= 3.0 && m.root_accel_ratio <= 2.0, "{height}: {m:?}");
    }
}

#[test]
fn nobody_ducks_under_what_hangs_high() {
    let human = humanoid();
    let repertoire = Arc::new(andante_motion::repertoire::built_in(&human).unwrap());
    let walk = |height: f32| {
        let scene = corridor(height, false);
        plan_character(&scene, &scene.characters[0], &human, &repertoire).unwrap()
    };
    assert_eq!(walk(2.5).performance.clip.transforms(), walk(3.0).performance.clip.transforms());
    assert_eq!(walk(2.5).metrics.head_room, None);
}

#[test]
fn a_bar_that_is_too_low_is_the_reason_for_a_refusal() {
    let human = humanoid();
    let repertoire = Arc::new(andante_motion::repertoire::built_in(&human).unwrap());
    for height in [1.2, 0.9, 0.6] {
        let scene = corridor(height, false);
        let refused = plan_character(&scene, &scene.characters[0], &human, &repertoire).map(|_| ());
        let reason = refused.unwrap_err().to_string();
        assert!(reason.contains("`bar`") && reason.contains(&format!("{height:.2} m")), "{reason}");
    }
}
