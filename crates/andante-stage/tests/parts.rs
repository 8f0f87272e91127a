//! The built-in scenes, walked from start to goal.

use andante_motion::repertoire::Repertoire;
use andante_skeleton::humanoid;
use andante_stage::{Scene, built_in_scenes, plan_part};
use std::sync::Arc;

#[test]
fn every_built_in_scene_is_walked_to_its_goal_exactly() {
    let human = humanoid();
    let repertoire = Arc::new(Repertoire::built_in(&human).unwrap());
    let mut wrong = Vec::new();
    for built_in in built_in_scenes() {
        let scene = Scene::built_in(built_in.name).unwrap();
        let plan = match plan_part(&scene, &scene.characters[0], &human, &repertoire) {
            Ok(plan) => plan,
            Err(failure) => {
                wrong.push(format!("{}: {failure}", built_in.name));
                continue;
            }
        };
        let m = &plan.metrics;
        println!(
            "{:16} {:4.1} m {:5.1} s {:3} prints, {} off; goal {:.2} mm {:.2}°; slide {:.2} / {:.2} mm, pen {:.1} gap {:.1} mm, accel {:.0}, knee {:.3}; {:.1} + {:.1} + {:.1} ms",
            built_in.name,
            plan.journey.length,
            plan.performance.seconds(),
            plan.performance.footprints.len(),
            plan.footprints_off,
            1e3 * m.goal_error_m,
            m.goal_heading_error_deg,
            m.feet.foot_slide_mm_mean,
            m.feet.foot_slide_mm_max,
            m.feet.penetration_mm_max,
            m.feet.sole_gap_mm_mean,
            m.body.root_accel_max,
            m.feet.knee_extension_max,
            plan.timings.preparation,
            plan.timings.search,
            plan.performance.timings.total,
        );
        let mut check = |holds: bool, what: String| {
            if !holds {
                wrong.push(format!("{}: {what}", built_in.name))
            }
        };
        check(m.goal_error_m < 1e-3 && m.goal_heading_error_deg < 0.5, "goal missed".into());
        check(
            plan.footprints_off == 0,
            format!("{} footprints off the ground", plan.footprints_off),
        );
        let touched = &plan.collisions;
        let worst = touched.worst.map(|(_, obstacle)| &scene.obstacles[obstacle].name);
        check(
            touched.frames == 0,
            format!("{:.0} mm into {worst:?}, {} frames", 1e3 * touched.depth, touched.frames),
        );
        check(m.feet.foot_slide_mm_mean <= 1.0, format!("slides {} mm", m.feet.foot_slide_mm_mean));
        check(
            m.feet.foot_slide_mm_max <= 5.0,
            format!("slides up to {} mm", m.feet.foot_slide_mm_max),
        );
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
