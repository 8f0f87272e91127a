//! Feet that stay where they stand.

#![allow(clippy::unwrap_used)]

mod support;

use andante_motion::edit::{EditError, GroundLevel, PlantOptions, plant_feet};
use andante_play::measure::measure_level;
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::model_frames;
use andante_skeleton::{Character, Clip, Pose, Transform, humanoid, rotation};
use glam::{Quat, Vec3};
use proptest::prelude::*;

/// A human that stands with bent knees and is dragged along, `drag` metres per second.
fn dragged(human: &Character, drag: Vec3, frames: usize) -> Clip {
    let mut transforms = Vec::new();
    for frame in 0..frames {
        let mut pose = Pose::rest(&human.skeleton);
        for foot in &human.rig.feet {
            for (joint, bend) in foot.leg.iter().zip([-0.3, 0.6, -0.3]) {
                pose[*joint].rotation = Quat::from_rotation_x(bend);
            }
        }
        let mut models = pose.to_vec();
        human.skeleton.local_to_model(&pose, &mut models);
        let sole = human.rig.feet[0].heel.position(&models).y;
        pose[0].translation += drag * (frame as f32 / 60.0) - Vec3::Y * sole;
        transforms.extend_from_slice(&pose);
    }
    Clip::new("dragged", &human.skeleton, 60.0, transforms).unwrap()
}

fn both_feet(interval: Interval) -> Contacts {
    let foot = FootContacts { heel: vec![interval], toe: vec![interval] };
    Contacts { feet: vec![foot.clone(), foot] }
}

#[test]
fn a_figure_that_is_dragged_stands_still() {
    let human = humanoid();
    let clip = dragged(&human, Vec3::new(0.05, 0.02, 0.1), 61);
    let contacts = both_feet(Interval::new(0.0, 1.0));
    let options = PlantOptions::default();
    let (planted, report) =
        plant_feet(&human.skeleton, &human.rig, &clip, &contacts, &options).unwrap();
    let metrics = measure_level(&human.skeleton, &human.rig, &planted, &contacts, 0.0);
    assert!(metrics.foot_slide_mm_max < 0.1, "{metrics:?}");
    assert!(metrics.penetration_mm_max < 0.1, "{metrics:?}");
    assert!(metrics.sole_gap_mm_mean.abs() < 0.1, "{metrics:?}");
    assert!(report.moved_max > 0.05 && report.missed_max < 1e-3, "{report:?}");
    for frame in 0..clip.frame_count() {
        for joint in 0..human.rig.feet[0].leg[0] {
            let (a, b) = (clip.rotation(frame, joint), planted.rotation(frame, joint));
            assert_eq!(a, b, "above the legs nothing turns");
        }
    }
}

#[test]
fn corrections_fade_out_after_the_contact() {
    let human = humanoid();
    let clip = dragged(&human, Vec3::new(0.0, 0.0, 0.3), 91);
    let contacts = both_feet(Interval::new(0.4, 0.8));
    let (planted, _) =
        plant_feet(&human.skeleton, &human.rig, &clip, &contacts, &PlantOptions::default())
            .unwrap();
    let ankle = human.rig.feet[0].ankle();
    let track = |clip: &Clip| -> Vec<Vec3> {
        model_frames(&human.skeleton, clip).iter().map(|m| m[ankle].translation).collect()
    };
    let (before, after) = (track(&clip), track(&planted));
    for frame in (0..17).chain(56..91) {
        assert!(before[frame].distance(after[frame]) < 1e-4, "frame {frame}");
    }
    for step in after.windows(3) {
        // The drag is 5 mm a frame; being held and let go must not be much faster than catching up.
        let jerk = (step[2] - step[1]) - (step[1] - step[0]);
        assert!(jerk.length() < 0.011, "{jerk}");
    }
}

#[test]
fn nothing_is_changed_where_nothing_is_down() {
    let human = humanoid();
    let clip = dragged(&human, Vec3::new(0.1, 0.0, 0.1), 31);
    let none = Contacts { feet: vec![FootContacts::default(); 2] };
    let options = PlantOptions { ground: GroundLevel::Captured, ..PlantOptions::default() };
    let (planted, report) =
        plant_feet(&human.skeleton, &human.rig, &clip, &none, &options).unwrap();
    assert_eq!(planted, clip);
    assert_eq!(report, Default::default());
}

#[test]
fn feet_that_stand_still_are_left_alone() {
    let human = humanoid();
    let clip = dragged(&human, Vec3::ZERO, 31);
    let contacts = both_feet(Interval::new(0.0, 1.0));
    let (planted, _) =
        plant_feet(&human.skeleton, &human.rig, &clip, &contacts, &PlantOptions::default())
            .unwrap();
    for (a, b) in clip.transforms().iter().zip(planted.transforms()) {
        assert!(a.translation.abs_diff_eq(b.translation, 1e-5));
        assert!(rotation::angle_between(a.rotation, b.rotation) < 1e-3);
    }
}

#[test]
fn hips_come_down_smoothly_for_a_leg_that_is_too_short() {
    let human = humanoid();
    // Somebody who jumps up while the feet are said to be down.
    let mut transforms = Vec::new();
    for frame in 0..=120 {
        let mut pose = Pose::rest(&human.skeleton);
        pose[0].translation.y += 0.08 * (std::f32::consts::PI * frame as f32 / 120.0).sin().powi(2);
        transforms.extend_from_slice(&pose);
    }
    let clip = Clip::new("jump", &human.skeleton, 60.0, transforms).unwrap();
    let contacts = both_feet(Interval::new(0.5, 1.5));
    let (planted, report) =
        plant_feet(&human.skeleton, &human.rig, &clip, &contacts, &PlantOptions::default())
            .unwrap();
    assert!((0.075..0.1).contains(&report.lowered_max), "{report:?}");
    let metrics = measure_level(&human.skeleton, &human.rig, &planted, &contacts, 0.0);
    assert!(metrics.foot_slide_mm_max < 1.0 && metrics.sole_gap_mm_mean.abs() < 1.0, "{metrics:?}");
    let heights: Vec<f32> = planted.frames().map(|pose| pose[0].translation.y).collect();
    for step in heights.windows(3) {
        assert!((step[2] - 2.0 * step[1] + step[0]).abs() < 0.004);
    }
}

#[test]
fn captured_heights_stay_on_stairs() {
    let human = humanoid();
    let mut clip = dragged(&human, Vec3::new(0.0, 0.0, 0.05), 61).into_transforms();
    for pose in clip.chunks_exact_mut(human.skeleton.len()) {
        pose[0].translation.y += 0.4;
    }
    let clip = Clip::new("landing", &human.skeleton, 60.0, clip).unwrap();
    let contacts = both_feet(Interval::new(0.0, 1.0));
    let options = PlantOptions { ground: GroundLevel::Captured, ..PlantOptions::default() };
    let (planted, report) =
        plant_feet(&human.skeleton, &human.rig, &clip, &contacts, &options).unwrap();
    let metrics = measure_level(&human.skeleton, &human.rig, &planted, &contacts, 0.4);
    assert!(metrics.foot_slide_mm_max < 0.1 && metrics.sole_gap_mm_mean.abs() < 0.1, "{metrics:?}");
    assert!(report.lowered_max < 1e-3, "{report:?}");
}

#[test]
fn captured_feet_stop_sliding_on_their_own_skeleton() {
    for number in [15, 18, 31] {
        let Some(walk) = support::walk(number) else { return };
        let options =
            PlantOptions { ground: GroundLevel::Flat(walk.ground), ..PlantOptions::default() };
        let (planted, report) =
            plant_feet(&walk.skeleton, &walk.rig, &walk.clip, &walk.contacts, &options).unwrap();
        let measure = |clip: &Clip| {
            measure_level(&walk.skeleton, &walk.rig, clip, &walk.contacts, walk.ground)
        };
        let (before, after) = (measure(&walk.clip), measure(&planted));
        assert!(before.foot_slide_mm_mean > 5.0, "{before:?}");
        assert!(after.foot_slide_mm_max < 2.0, "16_{number}: {after:?}");
        assert!(after.penetration_mm_max < 2.0, "16_{number}: {after:?}");
        assert!(report.moved_max < 0.12 && report.lowered_max < 0.05, "16_{number}: {report:?}");
        // Knees bend to the side they bent to before.
        for foot in &walk.rig.feet {
            let knee = foot.leg[foot.leg.len() - 2];
            for frame in 0..planted.frame_count() {
                let (a, b) = (walk.clip.rotation(frame, knee), planted.rotation(frame, knee));
                let (a, b) = (rotation::log(a), rotation::log(b));
                assert!(a.dot(b) > -0.02, "16_{number}, frame {frame}: {a} {b}");
            }
        }
    }
}

#[test]
fn ramps_and_stairs_are_recognised_and_kept() {
    let read = |folder: &str| {
        let files =
            andante_testdata::mocap(folder).map(|path| andante_testdata::files(&path, "bvh"));
        let names = files
            .unwrap_or_default()
            .into_iter()
            .filter_map(|path| Some(format!("{folder}/{}", path.file_name()?.to_string_lossy())));
        names.filter_map(|name| support::cmu(&name).map(|walk| (name, walk))).collect::<Vec<_>>()
    };
    for (name, walk) in read("cmu/16") {
        assert!(matches!(walk.level, GroundLevel::Flat(_)), "{name}: {:?}", walk.found);
    }
    for (name, walk) in read("cmu/ground") {
        assert_eq!(walk.level, GroundLevel::Captured, "{name}: {:?}", walk.found);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_contacts_give_finite_poses_with_bones_of_the_same_length(
        times in proptest::collection::vec(-0.5f32..1.5, 8), drag in -3.0f32..3.0, lift in -1.0f32..1.0,
        fade in 0.0f32..0.5,
    ) {
        let human = humanoid();
        let clip = dragged(&human, Vec3::new(0.3 * drag, lift, drag), 61);
        let interval = |a: f32, b: f32| Interval::new(a.min(b), a.max(b));
        let contacts = Contacts {
            feet: vec![
                FootContacts { heel: vec![interval(times[0], times[1])], toe: vec![interval(times[2], times[3])] },
                FootContacts { heel: vec![interval(times[4], times[5])], toe: vec![interval(times[6], times[7])] },
            ],
        };
        let options = PlantOptions { fade, ..PlantOptions::default() };
        let (planted, report) = plant_feet(&human.skeleton, &human.rig, &clip, &contacts, &options).unwrap();
        prop_assert!(planted.transforms().iter().all(Transform::is_finite));
        prop_assert!(report.missed_max.is_finite());
        for (a, b) in clip.frames().zip(planted.frames()) {
            for joint in 1..a.len() {
                prop_assert_eq!(a[joint].translation, b[joint].translation);
            }
        }
    }
}

#[test]
fn contacts_and_rigs_that_do_not_fit_are_refused() {
    let human = humanoid();
    let clip = dragged(&human, Vec3::ZERO, 3);
    let plant = |rig: &andante_skeleton::Rig, contacts: &Contacts, options: &PlantOptions| {
        plant_feet(&human.skeleton, rig, &clip, contacts, options).map(|_| ())
    };
    let default = PlantOptions::default();
    let two = Contacts { feet: vec![FootContacts::default(); 2] };
    let missing = plant(&human.rig, &Contacts::default(), &default);
    assert_eq!(missing, Err(EditError::Feet { found: 0, expected: 2 }));
    let mut rig = human.rig.clone();
    rig.feet[1].toes = Some(99);
    assert!(matches!(plant(&rig, &two, &default), Err(EditError::Rig { .. })));
    rig = human.rig.clone();
    rig.feet[0].leg.clear();
    assert!(matches!(plant(&rig, &two, &default), Err(EditError::Rig { .. })));
    let broken = PlantOptions { fade: f32::NAN, ..default };
    assert!(matches!(plant(&human.rig, &two, &broken), Err(EditError::NonFinite { .. })));
}
