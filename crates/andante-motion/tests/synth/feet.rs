//! Feet on the ground stay where they are; feet in the air stay off it.

use crate::made;
use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::synth::{NAMES, SynthClip};
use andante_play::measure::measure_level;
use andante_skeleton::model_frames;
use andante_skeleton::{BodyPoint, Character, humanoid, humanoid_of_height};

fn check(character: &Character, clip: &SynthClip) {
    let name = clip.clip.name();
    let metrics =
        measure_level(&character.skeleton, &character.rig, &clip.clip, &clip.contacts, 0.0);
    assert!(metrics.foot_slide_mm_mean <= 0.3, "{name}: {metrics:?}");
    assert!(metrics.foot_slide_mm_max <= 1.5, "{name}: {metrics:?}");
    assert!(metrics.penetration_mm_max <= 0.5, "{name}: {metrics:?}");
    assert!(metrics.sole_gap_mm_mean.abs() <= 0.5, "{name}: {metrics:?}");
    // Who walks ahead almost straightens the knees; nobody else does.
    let striding = ["walk", "start", "stop"].iter().any(|word| name.contains(word));
    let straightest = if striding { 0.999 } else { 0.995 };
    assert!(metrics.knee_extension_max <= straightest, "{name}: {metrics:?}");
    let quick = ["run", "jog", "jump"].iter().any(|word| name.contains(word));
    let most = if quick { 14.0 } else { 10.0 };
    assert!(metrics.foot_rotation_deg_max <= most, "{name}: {metrics:?}");
}

#[test]
fn no_foot_of_the_repertoire_slides_or_sinks() {
    let human = humanoid();
    for name in NAMES {
        check(&human, &made(&human, name));
    }
}

#[test]
fn the_same_holds_for_a_child_and_a_giant() {
    for height in [1.0, 2.2] {
        let character = humanoid_of_height(height);
        for name in NAMES {
            check(&character, &made(&character, name));
        }
    }
}

/// Whoever sees nothing but the motion must find the feet down when they are: on the ground and still, all
/// the time they are said to be.
#[test]
fn feet_are_found_down_when_they_stand_and_only_then() {
    for character in [humanoid_of_height(1.0), humanoid(), humanoid_of_height(2.2)] {
        for name in NAMES {
            let made = made(&character, name);
            let Character { skeleton, rig, .. } = &character;
            let found = analyse(skeleton, rig, &made.clip, &AnalysisOptions::default()).unwrap();
            let found = found.contacts;
            let metrics = measure_level(skeleton, rig, &made.clip, &found, 0.0);
            assert!(metrics.foot_slide_mm_mean <= 0.3, "{name}: {metrics:?}");
            assert!(metrics.foot_slide_mm_max <= 1.5, "{name}: {metrics:?}");
            let frame = 1.0 / made.clip.fps();
            for (index, models) in model_frames(skeleton, &made.clip).iter().enumerate() {
                let time = made.clip.frame_time(index);
                let feet = found.feet.iter().zip(&made.contacts.feet).zip(&rig.feet);
                for ((found, told), foot) in feet {
                    let low = |points: &[BodyPoint]| {
                        let height = |point: &BodyPoint| point.position(models).y.abs();
                        points.iter().map(height).fold(f32::MAX, f32::min) < 0.002
                    };
                    let at =
                        format!("{name}, {:.1} frames: {found:?}, told {told:?}", time / frame);
                    assert!(!found.heel_down(time) || low(&[foot.heel]), "heel, {at}");
                    assert!(!found.toe_down(time) || low(&[foot.ball, foot.tip]), "toes, {at}");
                    for (found, told) in [(&found.heel, &told.heel), (&found.toe, &told.toe)] {
                        let told = |time| told.iter().any(|interval| interval.contains(time));
                        let within = told(time - 1.5 * frame) && told(time + 1.5 * frame);
                        let down = found.iter().any(|interval| interval.contains(time));
                        assert!(down || !within, "{at}");
                    }
                }
            }
        }
    }
}

#[test]
fn every_foot_touches_the_ground_in_every_clip() {
    let human = humanoid();
    for name in NAMES {
        let clip = made(&human, name);
        assert_eq!(clip.contacts.feet.len(), 2);
        for foot in &clip.contacts.feet {
            let down: f32 = foot.stance().iter().map(|interval| interval.length()).sum();
            assert!(down > 0.1, "{name}: {foot:?}");
            for intervals in [&foot.heel, &foot.toe] {
                for pair in intervals.windows(2) {
                    assert!(pair[0].end < pair[1].start, "{name}: {foot:?}");
                }
                for interval in intervals {
                    assert!(interval.start >= 0.0 && interval.length() > 0.0, "{name}");
                    assert!(interval.end <= clip.clip.duration() + 1e-4, "{name}");
                }
            }
        }
    }
}

/// The lowest a toe gets in the middle of its swing: 10 to 20 mm in walkers (Winter 1992), and
/// certainly not a shuffle or a parade.
#[test]
fn toes_clear_the_ground_by_little() {
    let human = humanoid();
    for name in ["walk-slow", "walk", "walk-brisk"] {
        let clip = made(&human, name);
        let frames = model_frames(&human.skeleton, &clip.clip);
        let foot = &human.rig.feet[0];
        let toe_off = clip.contacts.feet[0].toe[0].end;
        let swing = clip.clip.duration() - toe_off;
        let clearance = (0..frames.len())
            .filter(|&frame| {
                let u = (clip.clip.frame_time(frame) - toe_off) / swing;
                (0.4..0.8).contains(&u)
            })
            .map(|frame| foot.tip.position(&frames[frame]).y)
            .fold(f32::INFINITY, f32::min);
        assert!((0.010..0.040).contains(&clearance), "{name}: {clearance}");
    }
}
