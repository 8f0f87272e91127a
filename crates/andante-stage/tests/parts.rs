//! The built-in scenes, walked from start to goal.

use andante_skeleton::model_frames;
use andante_skeleton::{Character, Transform, humanoid};
use andante_stage::{CharacterPlan, Scene, SceneGround, built_in_scenes, plan_character};
use andante_world::Ground;
use glam::Vec3;
use std::sync::Arc;

/// Collects what is wrong, so that one run shows all of it.
#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn check(&mut self, holds: bool, what: String) {
        if !holds {
            self.0.push(what);
        }
    }
}

#[test]
fn every_built_in_scene_is_walked_to_its_goal_exactly() {
    let human = humanoid();
    let repertoire = Arc::new(andante_motion::repertoire::built_in(&human).unwrap());
    let mut faults = Faults::default();
    let scenes = built_in_scenes().iter().map(|built_in| Scene::built_in(built_in.name).unwrap());
    let alone: Vec<Scene> = scenes.filter(|scene| scene.characters.len() == 1).collect();
    assert_eq!(alone.len(), 8);
    for scene in alone {
        let name = scene.name.as_str();
        let plan = match plan_character(&scene, &scene.characters[0], &human, &repertoire) {
            Ok(plan) => plan,
            Err(failure) => {
                faults.0.push(format!("{name}: {failure}"));
                continue;
            }
        };
        let (m, off) = (&plan.metrics, plan.footprints_off);
        println!(
            "{name:16} {:4.1} m {:5.1} s {:3} prints, {off} off; goal {:.2} mm {:.2}°; slide {:.2} / {:.2} mm, pen {:.1} gap {:.1} mm, accel {:.1} = {:.2} × clips, knee {:.3}; {:.1} + {:.1} + {:.1} ms",
            plan.journey.length,
            plan.performance.seconds(),
            plan.performance.footprints.len(),
            1e3 * m.goal_error_m,
            m.goal_heading_error_deg,
            m.motion.foot_slide_mm_mean,
            m.motion.foot_slide_mm_max,
            m.motion.penetration_mm_max,
            m.motion.sole_gap_mm_mean,
            m.motion.root_accel_max,
            m.root_accel_ratio,
            m.motion.knee_extension_max,
            plan.timings.preparation,
            plan.timings.search,
            plan.performance.timings.total,
        );
        let mut check = |holds: bool, what: String| faults.check(holds, format!("{name}: {what}"));
        check(m.goal_error_m < 1e-3 && m.goal_heading_error_deg < 0.5, "goal missed".into());
        let touched = &plan.collisions;
        let worst = touched.worst.map(|(_, obstacle)| &scene.obstacles[obstacle].name);
        check(
            touched.frames == 0,
            format!("{:.0} mm into {worst:?}, {} frames", 1e3 * touched.depth, touched.frames),
        );
        check(off == 0, format!("{off} footprints off the ground"));
        let feet = &m.motion;
        check(feet.foot_slide_mm_mean <= 1.0, format!("slides {} mm", feet.foot_slide_mm_mean));
        check(feet.foot_slide_mm_max <= 5.0, format!("slides up to {} mm", feet.foot_slide_mm_max));
        check(feet.penetration_mm_max <= 3.0, format!("{} mm deep", feet.penetration_mm_max));
        check(feet.sole_gap_mm_mean.abs() <= 1.0, format!("{} mm of air", feet.sole_gap_mm_mean));
        check(feet.knee_extension_max < 1.0, format!("knee {}", feet.knee_extension_max));
        check(m.root_accel_ratio <= 2.0, format!("{} times as hard", m.root_accel_ratio));
        let frames = model_frames(&human.skeleton, &plan.performance.clip);
        let depth = deepest_sole(&human, &scene, &frames);
        check(depth <= 3e-3, format!("a sole is {} mm in the ground", 1e3 * depth));
        let bend = least_knee_bend(&human, &plan, &frames);
        check(bend > -0.01, format!("a knee is {} mm behind its leg", -1e3 * bend));
    }
    assert!(faults.0.is_empty(), "{:#?}", faults.0);
}

/// How deep any part of a sole from heel to tip is in the ground: a foot may be through a riser with both its ends
/// in the air.
fn deepest_sole(character: &Character, scene: &Scene, frames: &[Vec<Transform>]) -> f32 {
    let ground = SceneGround::new(&scene.ground);
    let mut deepest = 0.0f32;
    for models in frames {
        for foot in &character.rig.feet {
            let [heel, ball, tip] = [foot.heel, foot.ball, foot.tip].map(|p| p.position(models));
            for part in 0..=8 {
                let part = part as f32 / 4.0;
                let at =
                    if part < 1.0 { heel.lerp(ball, part) } else { ball.lerp(tip, part - 1.0) };
                let Some(hit) = ground.probe(at + Vec3::Y, 3.0) else { continue };
                deepest = deepest.max((hit.point.y - at.y) * hit.normal.y);
            }
        }
    }
    deepest
}

/// How far ahead of the line from hip to ankle a knee is, at least.
fn least_knee_bend(character: &Character, plan: &CharacterPlan, frames: &[Vec<Transform>]) -> f32 {
    let mut least = f32::INFINITY;
    for (models, body) in frames.iter().zip(&plan.performance.body) {
        let ahead = Vec3::new(body.heading.sin(), 0.0, body.heading.cos());
        for foot in &character.rig.feet {
            let [hip, knee, ankle] =
                [foot.leg[0], foot.leg[1], foot.ankle()].map(|joint| models[joint].translation);
            let leg = ankle - hip;
            let foot_point = hip + leg * ((knee - hip).dot(leg) / leg.length_squared());
            // Across the leg, as far ahead as that can be.
            let forward = (ahead - leg * (ahead.dot(leg) / leg.length_squared())).normalize();
            least = least.min((knee - foot_point).dot(forward));
        }
    }
    least
}

#[test]
fn stairs_are_climbed_tread_by_tread_and_every_stone_is_stepped_on() {
    let human = humanoid();
    let repertoire = Arc::new(andante_motion::repertoire::built_in(&human).unwrap());
    // The last step of the first flight is level with the landing.
    for (name, least) in [("stairs", 16), ("stepping-stones", 8)] {
        let scene = Scene::built_in(name).unwrap();
        let plan = plan_character(&scene, &scene.characters[0], &human, &repertoire).unwrap();
        let mut met: Vec<usize> = Vec::new();
        for print in &plan.performance.footprints {
            let on = scene.ground.iter().rposition(|patch| {
                let soles = [print.heel, print.position, print.tip];
                soles.iter().all(|p| patch.platform.contains(glam::vec2(p.x, p.z)))
            });
            let Some(on) = on else {
                // A sole may lie on two that are level with each other.
                let level = |p: &Vec3| {
                    let place = glam::vec2(p.x, p.z);
                    scene.ground.iter().any(|patch| {
                        let height = patch.platform.height_at(place);
                        patch.platform.contains(place) && (height - print.position.y).abs() < 1e-4
                    })
                };
                let soles = [print.heel, print.position, print.tip];
                assert!(soles.iter().all(level), "{name}: {print:?} is on two platforms");
                continue;
            };
            let height = scene.ground[on].platform.height;
            assert!((print.position.y - height).abs() < 1e-4, "{name}: {print:?} at {height}");
            met.push(on);
        }
        let names = ["step", "stone"];
        let special =
            |&on: &usize| names.iter().any(|word| scene.ground[on].platform.name.contains(word));
        let mut stepped: Vec<usize> = met.into_iter().filter(special).collect();
        stepped.sort_unstable();
        stepped.dedup();
        assert!(stepped.len() >= least, "{name}: only {} of {least}", stepped.len());
    }
}
