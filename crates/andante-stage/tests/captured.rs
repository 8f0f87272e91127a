//! Built-in scenes with the clips of one captured subject.
#![allow(clippy::unwrap_used)]

use andante_formats::ReadOptions;
use andante_motion::rig;
use andante_play::repertoire::Repertoire;
use andante_skeleton::Character;
use andante_stage::{Scene, plan_character};
use std::sync::Arc;

/// Jumps, walks, veers and runs.
const CAPTURED: [u32; 14] = [5, 7, 9, 10, 15, 16, 21, 22, 11, 13, 35, 36, 45, 46];

/// Units of the recording are inches, and it was scaled by 0.45.
const SCALE: f32 = 0.056444;

fn captured() -> Option<(Character, Arc<Repertoire>)> {
    let options = ReadOptions { scale: Some(SCALE), ..ReadOptions::default() };
    let (mut clips, mut skeleton) = (Vec::new(), None);
    for number in CAPTURED {
        let name = format!("cmu/16/16_{number:02}.bvh");
        let bytes = std::fs::read(andante_testdata::mocap(&name)?).unwrap();
        let asset = andante_formats::bvh::read(&bytes, &name, &options).unwrap();
        clips.push(asset.clips[0].clone().renamed(format!("{number}")));
        skeleton.get_or_insert(asset.skeleton);
    }
    let skeleton = skeleton?;
    let rig = rig::detect(&skeleton, &clips).unwrap();
    let character =
        Character { name: "subject 16".into(), description: String::new(), skeleton, rig };
    let repertoire = andante_motion::repertoire::from_recordings(&character, &clips).unwrap();
    Some((character, Arc::new(repertoire)))
}

#[test]
fn captured_clips_walk_the_bends_and_jump_the_gaps() {
    let Some((character, repertoire)) = captured() else { return };
    for name in ["jumps", "turns"] {
        let scene = Scene::built_in(name).unwrap();
        let plan = plan_character(&scene, &scene.characters[0], &character, &repertoire)
            .unwrap_or_else(|failure| panic!("{name}: {failure}"));
        let m = &plan.metrics;
        println!("{name}: {m:?}");
        assert!(m.goal_error_m < 1e-3 && m.goal_heading_error_deg < 0.5, "{name}: {m:?}");
        assert!(m.motion.foot_slide_mm_mean <= 2.0, "{name}: {m:?}");
        assert!(m.root_accel_ratio <= 2.0, "{name}: {m:?}");
        assert_eq!(plan.footprints_off, 0, "{name}");
    }
}
