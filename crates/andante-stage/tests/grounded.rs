//! What is planned is what ground adaptation does with it.

use andante_motion::synth;
use andante_play::{FootStatus, Grounding, GroundingOptions, Input, Start, SuppliedFoothold};
use andante_skeleton::PlannedFootprint;
use andante_skeleton::{Planar, Pose, humanoid};
use andante_stage::{Scene, SceneGround, plan_character};
use glam::Vec2;
use std::sync::Arc;

#[test]
fn planned_footprints_are_firm_footholds_at_the_planned_height() {
    let human = Arc::new(humanoid());
    let repertoire = Arc::new(andante_motion::repertoire::built_in(&human).unwrap());
    let walk = synth::clip(&human, "walk").unwrap();
    let walk = Arc::new(walk.ground_clip(&human).unwrap());
    for name in ["stairs", "stepping-stones", "hills"] {
        let scene = Scene::built_in(name).unwrap();
        let plan = plan_character(&scene, &scene.characters[0], &human, &repertoire).unwrap();
        let ground = SceneGround::new(&scene.ground);
        let mut prints: Vec<PlannedFootprint> = plan.performance.footprints.clone();
        prints.sort_by(|a, b| a.landing.total_cmp(&b.landing));
        // From the second left footprint on: the clip's right foot is the next to land.
        let first = (4..prints.len()).find(|&k| prints[k].foot == 0).unwrap();
        let middle = prints[first].position.midpoint(prints[first - 1].position);
        let place = Planar::new(Vec2::new(middle.x, middle.z), prints[first].heading);
        let start = Start { place, height: middle.y, time: 0.1 };
        let mut walker =
            Grounding::new(Arc::clone(&walk), start, GroundingOptions::default()).unwrap();
        let mut pose = Pose::rest(&human.skeleton);
        let mut next = first + 1;
        for _ in 0..60 * 60 {
            if next >= prints.len() - 2 {
                break;
            }
            let wanted = &prints[next];
            let foothold = SuppliedFoothold {
                foot: wanted.foot,
                position: wanted.position,
                heading: Some(wanted.heading),
            };
            let input = Input { footholds: std::slice::from_ref(&foothold), ..Input::default() };
            walker.step(1.0 / 60.0, &input, &ground, &mut pose);
            let report = &walker.feet()[wanted.foot];
            let Some(print) = report.print else { continue };
            let apart = Vec2::new(
                print.position.x - wanted.position.x,
                print.position.z - wanted.position.z,
            );
            if apart.length() < 0.02 {
                assert_ne!(report.status, FootStatus::Overhang, "{name}: {wanted:?}");
                let off = (print.position.y - wanted.position.y).abs();
                assert!(off < 6e-3, "{name}: {off} m apart at {wanted:?}");
                let tilt = print.up().angle_between(wanted.normal);
                assert!(tilt < 0.06, "{name}: {tilt} rad apart at {wanted:?}");
                next += 1;
            }
        }
        assert!(next >= prints.len() - 2, "{name}: only {} of {}", next - first, prints.len());
    }
}
