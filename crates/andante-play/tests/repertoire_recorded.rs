//! A repertoire learned from captured walks and runs.
#![allow(clippy::expect_used)]

mod recording;

use andante_formats::ReadOptions;
use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::rig;
use andante_play::blend_space::{GaitPlayer, PlayerOptions};
use andante_play::measure::{MeasureSettings, measure_level, measure_motion};
use andante_play::repertoire::{ClipClass, Repertoire};
use andante_skeleton::{Character, Clip, HeightFunction};
use recording::{FPS, record};
use std::sync::Arc;

/// Straight walks, veers to both sides and runs of one subject.
const CAPTURED: [u32; 10] = [15, 16, 21, 22, 11, 13, 35, 36, 45, 46];

fn captured() -> Option<(Character, Vec<Clip>)> {
    let options = ReadOptions { scale: Some(0.056444), ..ReadOptions::default() };
    let mut clips = Vec::new();
    let mut skeleton = None;
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
    Some((Character { name, description: String::new(), skeleton, rig }, clips))
}

#[test]
fn strides_are_cut_out_of_captured_walks_and_runs_and_aligned() {
    let Some((character, clips)) = captured() else { return };
    let repertoire =
        andante_motion::repertoire::from_recordings(&character, &clips).expect("walks and runs");
    let classes: Vec<ClipClass> = repertoire.clips().iter().map(|clip| clip.class()).collect();
    assert_eq!(classes[..6], [ClipClass::Walk; 6]);
    assert_eq!(classes[6..8], [ClipClass::Run; 2]);
    // Too short for a stride from strike to strike.
    assert_eq!(classes[8..], [ClipClass::Action; 2]);
    for clip in &repertoire.clips()[..8] {
        for (foot, strike) in clip.feet().iter().zip([0.0, 0.5]) {
            let stances = foot.stances();
            assert_eq!(stances.len(), 1, "{}: {stances:?}", clip.name());
            assert!((stances[0].start - strike).abs() < 0.01, "{}: {stances:?}", clip.name());
        }
        let toe_off = clip.feet()[0].stances()[0].end;
        let family = if clip.class() == ClipClass::Run { 0.29 } else { 0.63 };
        assert!((toe_off - family).abs() < 0.03, "{}: {toe_off}", clip.name());
        // Forward, however the pelvis faces.
        assert!(clip.velocity().x.abs() < 1e-3);
    }
    // Veering to the left and turning to the right.
    assert!(repertoire.clips()[4].turn_rate() > 0.1);
    assert!(repertoire.clips()[5].turn_rate() < -0.3);
}

#[test]
fn a_captured_repertoire_is_played_with_less_slide_than_it_was_captured_with() {
    let Some((character, clips)) = captured() else { return };
    let Character { skeleton, rig, .. } = &character;
    let own = clips
        .iter()
        .map(|clip| {
            let found = analyse(skeleton, rig, clip, &AnalysisOptions::default()).expect("feet");
            let metrics = measure_level(skeleton, rig, clip, &found.contacts, 0.0);
            metrics.foot_slide_mm_mean
        })
        .fold(0.0, f32::max);
    let repertoire =
        Arc::new(andante_motion::repertoire::from_recordings(&character, &clips).expect("gaits"));
    for (speed, turn_rate) in [(1.3, 0.0), (1.2, -0.2), (1.0, 0.1), (2.75, 0.0)] {
        let mut player =
            GaitPlayer::new(Arc::clone(&repertoire), PlayerOptions::default()).expect("gaits");
        let mut way = 0.0;
        let recorded = record(&mut player, 10.0, |player, _| {
            let step = player.advance(1.0 / FPS, speed, turn_rate);
            way += step.moved.position.y;
            step
        });
        let metrics = recorded.foot_metrics();
        // The player holds balls of feet. Tips of captured toes drag as they leave the ground, by up to four centimetres.
        let held = MeasureSettings { risen_m: f32::INFINITY, ..MeasureSettings::default() };
        let level = HeightFunction::new(|_| 0.0);
        let balls =
            measure_motion(skeleton, rig, &recorded.clip, &recorded.contacts, &level, &held);
        assert!(metrics.foot_slide_mm_mean < own, "{metrics:?}, captured with {own} mm");
        assert!(balls.foot_slide_mm_max < 8.0 && metrics.foot_slide_mm_max < 50.0, "{metrics:?}");
        assert!((way / 10.0 - speed).abs() < 0.05 * speed, "{way} m at {speed} m/s");
        let heading = player.placement().heading / 10.0;
        assert!((heading - turn_rate).abs() < 0.05, "{heading} at {turn_rate}");
    }
}

#[test]
fn a_captured_repertoire_survives_its_file() {
    let Some((character, clips)) = captured() else { return };
    let repertoire =
        andante_motion::repertoire::from_recordings(&character, &clips).expect("gaits");
    let bytes = repertoire.to_bytes();
    assert_eq!(Repertoire::from_bytes(&bytes).expect("just written"), repertoire);
    assert!(bytes.len() < 250_000, "{} bytes", bytes.len());
}
