//! What the layer promises whoever calls it.

use crate::common::{hills, stairs};
use crate::oracle::moved;
use crate::source::{Layered, Seeded, Source};
use andante_play::{
    FootPlacement, FootStatus, GroundingError, PlacementSettings, SourceFrame, SupportMotion,
};
use andante_skeleton::{Pose, Transform, humanoid};
use andante_world::HeightFunction;
use glam::{Quat, Vec3};
use std::sync::Arc;

const DT: f32 = 1.0 / 60.0;

#[test]
fn wrong_arguments_are_named_and_change_nothing() {
    let human = Arc::new(humanoid());
    let ground = HeightFunction::new(|_| 0.0);
    let mut layer = FootPlacement::new(Arc::clone(&human), PlacementSettings::default()).unwrap();
    let rest = Pose::rest(&human.skeleton);
    let over = SourceFrame::over(0.0);
    let mut refused = |pose: &[Transform], frame: &SourceFrame, dt: f32| {
        let mut given = pose.to_vec();
        let error = layer.step(&mut given, frame, &ground, dt).unwrap_err();
        let same = given.iter().zip(pose).all(|(a, b)| format!("{a:?}") == format!("{b:?}"));
        assert!(same, "{error}");
        error.to_string()
    };
    assert!(refused(&rest, &over, f32::NAN).starts_with("dt is NaN"));
    assert!(refused(&rest, &over, -0.1).starts_with("dt is -0.1"));
    assert!(refused(&rest, &over, f32::INFINITY).starts_with("dt is inf"));
    assert!(refused(&rest, &SourceFrame::over(f32::NAN), DT).starts_with("floor is NaN"));
    assert!(refused(&rest[1..], &over, DT).starts_with("a pose of"));
    let mut bad = rest.clone();
    bad[3].rotation = Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0);
    assert!(refused(&bad, &over, DT).contains(&human.skeleton.joint(3).name));
    bad = rest.clone();
    bad[0].translation.x = 1e30;
    assert!(refused(&bad, &over, DT).starts_with("root.x is"));
    let support =
        SupportMotion { foot: 7, stands: Transform::IDENTITY, lands: Transform::IDENTITY };
    let supports = std::slice::from_ref(&support);
    let error = refused(&rest, &SourceFrame { floor: Some(0.0), supports }, DT);
    assert!(error.contains("foot 7"), "{error}");
    let mut pose = rest.clone();
    assert!(layer.step(&mut pose, &over, &ground, DT).is_ok());
    assert!(matches!(
        layer.step(&mut pose[..2], &over, &ground, DT),
        Err(GroundingError::Joints { found: 2, .. })
    ));
}

#[test]
fn a_step_allocates_nothing() {
    for ground in [hills(0.25, 2.0), stairs(0.17, 0.29)] {
        let mut layered = Layered::new(Source::built_in("walk", 1.0));
        let mut poses = Vec::new();
        for _ in 0..400 {
            layered.source.pass(DT, &mut layered.before);
            poses.push(layered.before.to_vec());
        }
        let (layer, frame) = (&mut layered.layer, SourceFrame::over(0.0));
        let counted = allocation_counter::measure(|| {
            for pose in &mut poses {
                assert!(layer.step(pose, &frame, &*ground.ground, DT).is_ok());
            }
        });
        assert_eq!(counted.count_total, 0, "{}", ground.name);
    }
}

/// A root that is elsewhere all at once takes its feet along at once.
#[test]
fn whoever_is_put_elsewhere_stands_there() {
    let ground = HeightFunction::new(|place| 0.1 * place.x);
    let mut layered = Layered::new(Source::built_in("stand", 1.0));
    for _ in 0..30 {
        layered.step(DT, &ground);
    }
    layered.source.pass(DT, &mut layered.before);
    let mut pose = layered.before.to_vec();
    pose[0].translation += Vec3::new(30.0, 3.0 - 0.02, -4.0);
    let report =
        layered.layer.step(&mut pose, &SourceFrame::over(3.0 - 0.02), &ground, DT).unwrap();
    assert!(report.began);
    for foot in layered.layer.feet() {
        assert_eq!(foot.status, FootStatus::Firm);
        let print = foot.print.unwrap().position;
        assert!((print.y - 0.1 * print.x).abs() < 0.01, "{print}");
    }
}

/// Straight above as well: feet would be held a storey below.
#[test]
fn whoever_is_put_on_another_storey_stands_there() {
    let mut layered = Layered::new(Source::built_in("stand", 1.0));
    for _ in 0..30 {
        layered.step(DT, &HeightFunction::new(|_| 0.0));
    }
    layered.source.pass(DT, &mut layered.before);
    let mut pose = layered.before.to_vec();
    pose[0].translation.y += 10.0;
    let above = HeightFunction::new(|_| 10.0);
    let report = layered.layer.step(&mut pose, &SourceFrame::over(10.0), &above, DT).unwrap();
    assert!(report.began && report.raised.abs() < 0.05, "{report:?}");
    for foot in layered.layer.feet() {
        assert!((foot.print.unwrap().position.y - 10.0).abs() < 0.01);
    }
}

/// Long frames, none at all, and a floor that jumps as capsules do on stairs.
#[test]
fn capsules_that_jump_up_a_step_do_not_take_the_body_with_them() {
    let ground = HeightFunction::new(|place| if place.y > 1.5 { 0.18 } else { 0.0 });
    let mut layered = Layered::new(Source::built_in("walk", 1.0));
    let mut last: Option<f32> = None;
    for frame in 0..240 {
        layered.source.pass(DT, &mut layered.before);
        let mut pose = layered.before.to_vec();
        let floor = if pose[0].translation.z > 1.4 { 0.18 } else { 0.0 };
        pose[0].translation.y += floor;
        layered.layer.step(&mut pose, &SourceFrame::over(floor), &ground, DT).unwrap();
        let height = pose[0].translation.y;
        if let Some(last) = last {
            assert!((height - last).abs() < 0.025, "{frame}: {} m at once", height - last);
        }
        last = Some(height);
    }
    assert!(last.unwrap() > 1.0, "{last:?}");
}

#[test]
fn a_source_in_the_air_is_let_go_and_taken_up_again() {
    let ground = HeightFunction::new(|place| 0.2 * place.x);
    let mut layered = Layered::new(Source::built_in("stand", 1.0));
    let mut last: Option<Vec<Transform>> = None;
    for frame in 0..180 {
        layered.source.pass(DT, &mut layered.before);
        let mut pose = layered.before.to_vec();
        let floor = (!(60..120).contains(&frame)).then_some(0.0);
        let source = SourceFrame { floor, supports: &[] };
        layered.layer.step(&mut pose, &source, &ground, DT).unwrap();
        let changed = moved(&layered.source.character, &layered.before, &pose);
        if (75..120).contains(&frame) {
            assert_eq!(changed, 0.0, "{frame}");
            assert!(layered.layer.feet().iter().all(|foot| foot.status == FootStatus::Aloft));
        }
        if let Some(last) = &last {
            let jump = moved(&layered.source.character, last, &pose);
            assert!(jump < 0.03, "{frame}: {jump}");
        }
        last = Some(pose);
    }
    assert!(layered.layer.feet().iter().all(|foot| foot.status == FootStatus::Firm));
}

/// Frames of no time, of a second and of all lengths between: poses stay finite and bodies above the ground.
#[test]
fn any_frame_time_will_do() {
    let ground = hills(0.2, 3.0).ground;
    for seed in 0..6 {
        let mut layered = Layered::new(Source::built_in("walk", 1.0));
        let mut seeded = Seeded::new(seed);
        for frame in 0..400 {
            let dt = match frame % 7 {
                0 => 0.0,
                3 => seeded.between(0.2, 1.5),
                _ => seeded.frame(),
            };
            let report = layered.step(dt, &*ground);
            assert!(report.raised.abs() < 0.6, "{frame}: {report:?}");
        }
    }
}

/// Times that no clock shows, and all there are: nothing is left that is no number.
#[test]
fn frame_times_from_the_least_to_the_largest_number_will_do() {
    let ground = hills(0.2, 3.0).ground;
    for odd in [1e-40, 1e-9, 1e-5, 30.0, 1e6, 1e20, f32::MAX] {
        let mut layered = Layered::new(Source::built_in("walk", 1.0));
        let mut pose = layered.before.to_vec();
        for frame in 0..200 {
            layered.source.pass(DT, &mut layered.before);
            pose.copy_from_slice(&layered.before);
            let dt = if frame % 20 == 7 { odd } else { DT };
            let source = SourceFrame::over(layered.source.floor);
            layered.layer.step(&mut pose, &source, &*ground, dt).unwrap();
            assert!(pose.iter().all(Transform::is_finite), "{odd}: frame {frame}");
        }
    }
}

#[test]
fn who_forgets_begins_as_if_it_were_new() {
    let ground = HeightFunction::new(|place| 0.1 * place.x);
    let mut layered = Layered::new(Source::built_in("walk", 1.0));
    // Soles that hover, a jump and the end of it.
    for frame in 0..90 {
        layered.source.pass(DT, &mut layered.before);
        let mut pose = layered.before.to_vec();
        pose[0].translation.y += 0.015;
        let floor = (!(40..70).contains(&frame)).then_some(0.0);
        let source = SourceFrame { floor, supports: &[] };
        layered.layer.step(&mut pose, &source, &ground, DT).unwrap();
    }
    layered.layer.forget();
    let mut fresh = Layered::new(Source::built_in("run", 1.0));
    let mut old = Layered { layer: layered.layer, ..Layered::new(Source::built_in("run", 1.0)) };
    for frame in 0..120 {
        assert_eq!(old.step(DT, &ground), fresh.step(DT, &ground), "{frame}");
        assert_eq!(format!("{:?}", old.pose), format!("{:?}", fresh.pose), "{frame}");
    }
}

#[test]
fn settings_out_of_range_are_refused_and_change_nothing() {
    let human = Arc::new(humanoid());
    let bad = PlacementSettings { half_drop: 0.0, ..PlacementSettings::default() };
    let refused = FootPlacement::new(Arc::clone(&human), bad).unwrap_err().to_string();
    assert!(refused.contains("half_drop"), "{refused}");
    let mut layer = FootPlacement::new(human, PlacementSettings::default()).unwrap();
    assert!(layer.set_settings(bad).is_err());
    assert_eq!(*layer.settings(), PlacementSettings::default());
}

/// Who comes down on another level than it left is taken up over a while, not in a frame.
#[test]
fn landing_below_a_ledge_is_no_jolt() {
    let mut layered = Layered::new(Source::built_in("stand", 1.0));
    let mut last: Option<Vec<Transform>> = None;
    for frame in 0..180 {
        layered.source.pass(DT, &mut layered.before);
        let fall = 0.7 * ((frame as f32 - 60.0) / 40.0).clamp(0.0, 1.0);
        layered.before[0].translation.y += 0.7 - fall;
        let mut pose = layered.before.to_vec();
        let floor = if frame < 60 { Some(0.7) } else { (frame >= 100).then_some(0.0) };
        let source = SourceFrame { floor, supports: &[] };
        let ledge =
            HeightFunction::new(move |place| if frame < 60 { 0.7 } else { 0.15 * place.x - 0.05 });
        layered.layer.step(&mut pose, &source, &ledge, DT).unwrap();
        if let Some(last) = &last {
            let jump = moved(&layered.source.character, last, &pose);
            assert!(jump < 0.04, "{frame}: {jump}");
        }
        last = Some(pose);
    }
    assert!(layered.layer.feet().iter().all(|foot| foot.status == FootStatus::Firm));
}

/// Over a hole and outside the world there is no ground, and nobody says there is.
#[test]
fn feet_over_nothing_are_not_said_to_stand() {
    let hole = HeightFunction::new(|place| if place.y > 0.6 { f32::NAN } else { 0.0 });
    let mut layered = Layered::new(Source::built_in("walk", 1.0));
    for _ in 0..300 {
        layered.step(DT, &hole);
        for (report, foot) in layered.layer.feet().iter().zip(&layered.source.character.rig.feet) {
            let ball = crate::oracle::soles(&layered.source.character, &layered.pose);
            let over = ball.iter().all(|sole| sole.iter().all(|point| point.z > 0.6));
            let firm = matches!(report.status, FootStatus::Firm | FootStatus::Overhang);
            assert!(!(over && firm), "{}", foot.name);
        }
    }
}
