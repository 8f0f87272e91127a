//! What holds for every step, whatever the ground.

use crate::common::{built_in, hills, stairs};
use crate::player::{DT, Player};
use andante_play::{
    FootStatus, GroundingOptions, Input, StageTimes, Start, SuppliedFoothold, SupportKind,
    SupportMotion,
};
use andante_skeleton::{Planar, Transform, rotation};
use andante_world::HeightFunction;
use glam::{Quat, Vec2, Vec3};
use std::time::{SystemTime, UNIX_EPOCH};

#[test]
fn bones_keep_their_length() {
    for ground in [hills(0.25, 2.0), stairs(0.17, 0.29), stairs(-0.17, 0.29)] {
        let mut player = Player::playing("walk");
        let skeleton = player.clip.character().skeleton.clone();
        for _ in 0..300 {
            player.step(DT, &Input::default(), &*ground.ground);
            for joint in 1..skeleton.len() {
                let (now, rest) = (player.pose[joint], skeleton.joint(joint).rest);
                let longer = now.translation.length() - rest.translation.length();
                assert!(longer.abs() < 1e-5, "{}: joint {joint}: {longer}", ground.name);
                assert!((now.rotation.length() - 1.0).abs() < 1e-5);
            }
        }
    }
}

#[test]
fn feet_are_where_they_belong_if_legs_are_long_enough() {
    for ground in [hills(0.25, 2.0), stairs(-0.17, 0.29)] {
        let mut player = Player::playing("walk");
        for frame in 0..300 {
            player.step(DT, &Input::default(), &*ground.ground);
            for foot in player.grounding.feet() {
                let missed = foot.target.translation.distance(foot.ankle.translation);
                let stretched = foot.extension > foot.source_extension.max(0.99);
                assert!(stretched || missed < 1e-4, "{} {frame}: {missed} m", ground.name);
                let turned = rotation::angle_between(foot.target.rotation, foot.ankle.rotation);
                assert!(turned < 1e-3, "{} {frame}: {turned} rad", ground.name);
            }
        }
    }
}

/// A foot's support sinks until the leg is straight, and farther, and comes back.
#[test]
fn legs_pass_through_full_extension_without_a_jump() {
    let level = HeightFunction::new(|_| 0.0);
    let mut player = Player::playing("stand");
    player.step(DT, &Input::default(), &level);
    let knee = player.clip.character().rig.feet[0].leg[1];
    let mut last: Option<(Vec3, Quat)> = None;
    let mut straightest = 0.0f32;
    for frame in 0..600 {
        let down = if frame < 300 { -0.003 } else { 0.003 };
        let stands = Transform::new(Quat::IDENTITY, Vec3::Y * down);
        let motion = SupportMotion { foot: 0, stands, lands: stands };
        let input = Input { supports: std::slice::from_ref(&motion), ..Input::default() };
        player.step(DT, &input, &level);
        let (ball, bent) = (player.ball(0), player.pose[knee].rotation);
        if let Some((before, unbent)) = last {
            assert!(before.distance(ball) < 0.02, "frame {frame}: {}", before.distance(ball));
            let turned = rotation::angle_between(unbent, bent);
            assert!(turned < 0.12, "frame {frame}: the knee turns {turned}");
        }
        straightest = straightest.max(player.grounding.feet()[0].extension);
        last = Some((ball, bent));
    }
    assert!((0.99..=1.0).contains(&straightest), "{straightest}");
    assert!(player.ball(0).y.abs() < 2e-3, "it is back: {}", player.ball(0).y);
}

#[test]
fn mirrored_ground_gives_the_mirrored_motion() {
    let height =
        |place: Vec2| 0.12 * (1.4 * place.y).sin() + 0.1 * place.x + 0.03 * (2.0 * place.x).sin();
    let plain = HeightFunction::new(height);
    let mirrored = HeightFunction::new(move |place: Vec2| height(Vec2::new(-place.x, place.y)));
    let clip = built_in("walk");
    let start = |time: f32| Start { time, ..Start::default() };
    let mut here = Player::new(&clip, start(0.0), GroundingOptions::default());
    let half = 0.5 * clip.clip().duration();
    let mut there = Player::new(&clip, start(half), GroundingOptions::default());
    for frame in 0..240 {
        here.step(DT, &Input::default(), &plain);
        there.step(DT, &Input::default(), &mirrored);
        for foot in 0..2 {
            let (a, b) = (here.ball(foot), there.ball(1 - foot));
            let apart = a.distance(Vec3::new(-b.x, b.y, b.z));
            assert!(apart < 5e-3, "frame {frame}, foot {foot}: {apart} m");
        }
    }
}

#[test]
fn walking_on_what_moves_is_walking_on_what_does_not() {
    let height = |place: Vec2| 0.1 * (1.5 * place.y).sin();
    let still = HeightFunction::new(height);
    let moved = |time: f32| {
        let place = Vec3::new(0.3 * time, 0.2 * time.sin(), -0.1 * time);
        Transform::new(Quat::from_rotation_y(0.2 * time), place)
    };
    let (mut here, mut there) = (Player::playing("walk"), Player::playing("walk"));
    for frame in 0..240 {
        let (now, before) = (moved(frame as f32 * DT), moved((frame as f32 - 1.0).max(0.0) * DT));
        let motion = now * before.inverse();
        let back = now.inverse();
        let deck = HeightFunction::new(move |place: Vec2| {
            let point = back.transform_point(Vec3::new(place.x, now.translation.y, place.y));
            height(Vec2::new(point.x, point.z)) + now.translation.y
        });
        let supports = [0, 1].map(|foot| SupportMotion { foot, stands: motion, lands: motion });
        here.step(DT, &Input::default(), &still);
        there.step(DT, &Input { supports: &supports, ..Input::default() }, &deck);
        for (a, b) in here.models.iter().zip(there.models.iter()) {
            let a = now * *a;
            let apart = a.translation.distance(b.translation);
            assert!(apart < 5e-3, "frame {frame}: {apart} m");
            assert!(rotation::angle_between(a.rotation, b.rotation) < 0.03, "frame {frame}");
        }
    }
}

#[test]
fn supports_that_make_no_sense_are_ignored() {
    let level = HeightFunction::new(|_| 0.0);
    let mut player = Player::playing("walk");
    let lost = Transform::new(Quat::IDENTITY, Vec3::NAN);
    let supports = [0, 7].map(|foot| SupportMotion { foot, stands: lost, lands: lost });
    for _ in 0..60 {
        player.step(DT, &Input { supports: &supports, ..Input::default() }, &level);
    }
    assert!(player.grounding.report().place.position.y > 0.5);
}

#[test]
fn feet_step_past_a_hole() {
    let edges = 1.95..2.2f32;
    let hole = HeightFunction::new(
        move |place: Vec2| {
            if (1.95..2.2).contains(&place.y) { f32::NAN } else { 0.0 }
        },
    );
    let mut player = Player::playing("walk");
    let mut last: Option<Vec3> = None;
    for frame in 0..300 {
        player.step(DT, &Input::default(), &hole);
        let hips = player.models[0].translation;
        assert!(last.is_none_or(|last| last.distance(hips) < 0.05), "frame {frame}");
        last = Some(hips);
        for (foot, report) in player.grounding.feet().iter().enumerate() {
            if report.down == [true; 2] {
                let at = player.ball(foot).z;
                assert!(!edges.contains(&at), "frame {frame}: foot {foot} at {at}");
            }
        }
    }
    assert_eq!(player.grounding.report().motion, SupportKind::Moving);
    assert!(player.models[0].translation.z > 3.5);
}

#[test]
fn a_foothold_in_a_wall_is_refused_and_reported() {
    let wall = HeightFunction::new(|place: Vec2| if place.y > 1.2 { 3.0 } else { 0.0 });
    let foothold = SuppliedFoothold { foot: 0, position: Vec3::new(0.1, 0.0, 1.5), heading: None };
    let mut player = Player::playing("walk");
    let mut last: Option<Vec3> = None;
    for frame in 0..300 {
        let input = Input { footholds: std::slice::from_ref(&foothold), ..Input::default() };
        player.step(DT, &input, &wall);
        let hips = player.models[0].translation;
        assert!(last.is_none_or(|last| last.distance(hips) < 0.05), "frame {frame}");
        last = Some(hips);
        assert!((0..2).all(|foot| player.ball(foot).z < 1.2), "frame {frame}");
    }
    assert_eq!(player.grounding.report().motion, SupportKind::Stopped);
    assert_eq!(player.grounding.feet()[0].status, FootStatus::Blocked);
}

#[test]
fn the_parts_of_the_work_are_timed_if_that_is_wanted() {
    let ground = hills(0.2, 3.0).ground;
    let mut player = Player::playing("walk");
    player.step(DT, &Input::default(), &*ground);
    assert_eq!(*player.grounding.times(), StageTimes::default());
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    player.grounding.set_clock(Some(clock));
    for _ in 0..120 {
        player.step(DT, &Input::default(), &*ground);
    }
    let times = *player.grounding.times();
    assert_eq!(times.steps, 120);
    for part in [times.footholds, times.swings, times.reach, times.pose, times.legs] {
        assert!(!part.is_zero() && part <= times.total(), "{times:?}");
    }
}

#[test]
fn a_character_that_starts_elsewhere_does_the_same() {
    let place = Planar::new(Vec2::new(2.0, -1.0), 0.0);
    let level = HeightFunction::new(|_| 0.0);
    let mut here = Player::playing("walk");
    let start = Start { place, ..Start::default() };
    let mut there = Player::new(&built_in("walk"), start, GroundingOptions::default());
    for _ in 0..120 {
        here.step(DT, &Input::default(), &level);
        there.step(DT, &Input::default(), &level);
        let (a, b) = (here.models[0].translation, there.models[0].translation);
        assert!((a + Vec3::new(2.0, 0.0, -1.0)).distance(b) < 1e-4);
    }
}
