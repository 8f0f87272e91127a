//! Performances of captured walks, jogs and jumps.
#![allow(clippy::expect_used)]

mod stage;

use andante_formats::ReadOptions;
use andante_motion::rig;
use andante_plan::steps::{StepGround, StepOptions, StepPlanner};
use andante_play::measure::{MeasureSettings, measure_motion};
use andante_skeleton::Character;
use andante_world::HeightFunction;
use stage::*;
use std::sync::Arc;

/// Jumps, walks, veers and runs of one subject.
const CAPTURED: [u32; 14] = [5, 7, 9, 10, 15, 16, 21, 22, 11, 13, 35, 36, 45, 46];

fn captured() -> Option<Captured> {
    let options = ReadOptions { scale: Some(0.056444), ..ReadOptions::default() };
    let (mut clips, mut skeleton) = (Vec::new(), None);
    for number in CAPTURED {
        let name = format!("cmu/16/16_{number:02}.bvh");
        let file = andante_testdata::mocap(&name)?;
        let bytes = std::fs::read(file).expect("readable");
        let asset = andante_formats::bvh::read(&bytes, &name, &options).expect("a BVH file");
        clips.push(asset.clips[0].clone().renamed(format!("{number}")));
        skeleton.get_or_insert(asset.skeleton);
    }
    let skeleton = skeleton?;
    let rig = rig::detect(&skeleton, &clips).expect("a human");
    let name = "subject 16".to_owned();
    let character = Character { name, description: String::new(), skeleton, rig };
    let repertoire =
        andante_motion::repertoire::from_recordings(&character, &clips).expect("walks and runs");
    Some(Captured { planner: StepPlanner::new(Arc::new(repertoire)).expect("gaits"), character })
}

struct Captured {
    planner: StepPlanner,
    character: Character,
}

#[test]
fn captured_clips_go_where_they_are_sent_without_sliding() {
    let Some(Captured { planner, character }) = captured() else { return };
    let floor = HeightFunction::new(|_| 0.0);
    let world = StepGround::open(&floor);
    let options = StepOptions::default();
    for (name, journey) in routes() {
        if name.starts_with("jump") {
            continue;
        }
        let performance = planner.perform(&journey, &world, &options).expect(name);
        let metrics = performance.metrics(&character, (&journey.goal, None), &world);
        assert!(metrics.goal_error_m < 1e-3, "{name}: {metrics:?}");
        assert!(metrics.goal_heading_error_deg < 0.5, "{name}: {metrics:?}");
        assert!(metrics.motion.foot_slide_mm_mean < 1.0, "{name}: {metrics:?}");
        // Balls of feet are held. Tips of captured toes drag as they leave the ground, by up to three centimetres.
        let held = MeasureSettings { risen_m: f32::INFINITY, ..MeasureSettings::default() };
        let (skeleton, rig) = (&character.skeleton, &character.rig);
        let (clip, contacts) = (&performance.clip, &performance.contacts);
        let balls = measure_motion(skeleton, rig, clip, contacts, &floor, &held);
        assert!(balls.foot_slide_mm_max < 5.0, "{name}: {balls:?}");
        assert!(metrics.motion.foot_slide_mm_max < 40.0, "{name}: {metrics:?}");
        println!("{name}: {metrics:?}");
    }
}

#[test]
fn captured_jumps_cross_a_gap() {
    let Some(Captured { planner, character }) = captured() else { return };
    let floor = HeightFunction::new(|_| 0.0);
    let world = StepGround::open(&floor);
    let options = StepOptions::default();
    let widest = planner.widest_gap(&options).expect("clips that leave the ground");
    for part in [0.7, 0.99] {
        let journey = over_gap(part * widest);
        let performance = planner.perform(&journey, &world, &options).expect("within reach");
        let metrics = performance.metrics(&character, (&journey.goal, None), &world);
        println!("gap {}: {metrics:?}", part * widest);
        assert!(metrics.goal_error_m < 1e-3, "{metrics:?}");
        assert!(metrics.motion.foot_slide_mm_mean < 2.0, "{metrics:?}");
        for print in &performance.footprints {
            for point in [print.heel, print.tip] {
                let on_ground = point.z < 6.0 || point.z > 6.0 + part * widest;
                assert!(on_ground, "a foot at {point}");
            }
        }
    }
}
