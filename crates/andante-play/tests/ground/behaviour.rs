//! What a character does over the ground.

use crate::common::{built_in, hills, stairs};
use crate::player::{DT, Player};
use andante_play::{
    FootStatus, GroundClip, GroundingOptions, Input, Start, SuppliedFoothold, SupportKind,
};
use andante_skeleton::{Planar, Pose, Transform, rotation};
use andante_world::{Ground, HeightFunction};
use glam::{Quat, Vec2, Vec3};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

#[test]
fn the_length_of_a_frame_makes_no_difference() {
    let ground = hills(0.3, 3.0).ground;
    let input = Input { turn_rate: 0.3, ..Input::default() };
    let places: Vec<Vec3> = [30.0f32, 60.0, 240.0]
        .iter()
        .map(|fps| {
            let mut player = Player::walking();
            player.step(0.0, &input, &*ground);
            for _ in 0..(4.0 * fps) as usize {
                player.step(1.0 / fps, &input, &*ground);
            }
            player.models[0].translation
        })
        .collect();
    for place in &places {
        assert!(place.distance(places[1]) < 2e-3, "{places:?}");
    }
}

#[test]
fn one_long_frame_is_as_good_as_many_short_ones() {
    let ground = stairs(0.17, 0.29).ground;
    let input = Input::default();
    let (mut short, mut long) = (Player::walking(), Player::walking());
    short.run(3.0, &input, &*ground);
    for _ in 0..2 {
        long.step(1.5, &input, &*ground);
    }
    let apart = short.models[0].translation.distance(long.models[0].translation);
    assert!(apart < 5e-3, "{apart} m");
}

#[test]
fn turned_and_moved_ground_gives_the_turned_and_moved_motion() {
    let turn = 0.7f32;
    let shift = Vec3::new(3.0, 1.2, -2.0);
    let height = |place: Vec2| 0.2 * (1.3 * place.y).sin() + 0.1 * place.x;
    let plain = HeightFunction::new(height);
    let back = Quat::from_rotation_y(-turn);
    let moved = HeightFunction::new(move |place: Vec2| {
        let point = back * (Vec3::new(place.x, 0.0, place.y) - shift);
        height(Vec2::new(point.x, point.z)) + shift.y
    });
    let options = GroundingOptions::default();
    let clip = built_in("walk");
    let place = Planar::new(Vec2::new(shift.x, shift.z), turn);
    let mut here = Player::new(&clip, Start::default(), options);
    let mut there = Player::new(&clip, Start { place, height: shift.y, time: 0.0 }, options);
    let map = Transform::new(Quat::from_rotation_y(turn), shift);
    for _ in 0..180 {
        here.step(DT, &Input::default(), &plain);
        there.step(DT, &Input::default(), &moved);
        for (a, b) in here.models.iter().zip(there.models.iter()) {
            let a = map * *a;
            assert!(a.translation.distance(b.translation) < 2e-3);
            assert!(rotation::angle_between(a.rotation, b.rotation) < 0.02);
        }
    }
}

#[test]
fn a_bigger_character_on_bigger_ground_moves_alike() {
    use andante_motion::synth::{self, GaitRequest};
    use andante_skeleton::humanoid_of_height;
    let paths: Vec<Vec<Vec3>> = [1.0f32, 4.0]
        .iter()
        .map(|&scale| {
            let human = Arc::new(humanoid_of_height(1.75 * scale));
            let gait = GaitRequest::ahead(1.3 * scale.sqrt());
            let walk = synth::locomotion(&human, &gait).unwrap();
            let clip = Arc::new(walk.ground_clip(&human).unwrap());
            let ground = HeightFunction::new(move |place: Vec2| {
                scale * 0.15 * (2.0 * place.y / scale).sin()
            });
            let mut player = Player::new(&clip, Start::default(), GroundingOptions::default());
            let duration = clip.clip().duration();
            (0..40)
                .map(|_| {
                    player.step(duration / 20.0, &Input::default(), &ground);
                    player.models[0].translation / scale
                })
                .collect()
        })
        .collect();
    for (a, b) in paths[0].iter().zip(&paths[1]) {
        assert!(a.distance(*b) < 0.03, "{a} {b}");
    }
}

#[test]
fn planted_feet_stay_planted_through_fades() {
    let (stand, walk) = (built_in("stand"), built_in("walk"));
    let ground = hills(0.15, 3.0).ground;
    let mut player = Player::new(&stand, Start::default(), GroundingOptions::default());
    let mut worst = 0.0f32;
    let mut travelled = 0.0f32;
    let mut landed: [Option<Vec3>; 2] = [None; 2];
    let mut last: Option<Vec3> = None;
    for frame in 0..600 {
        match frame {
            60 | 330 => player.grounding.play(Arc::clone(&walk)).unwrap(),
            200 | 470 => player.grounding.play(Arc::clone(&stand)).unwrap(),
            _ => {}
        }
        let report = player.step(DT, &Input::default(), &*ground);
        assert!(report.residual < 0.02, "frame {frame}: {}", report.residual);
        let hips = player.models[0].translation;
        if let Some(last) = last {
            assert!(hips.distance(last) < 0.05, "frame {frame}: the body jumps");
        }
        travelled = hips.z;
        last = Some(hips);
        for (foot, landed) in landed.iter_mut().enumerate() {
            // Both heel and toes down: nothing may move.
            *landed = if player.grounding.feet()[foot].down == [true; 2] {
                let ball = player.ball(foot);
                let from = landed.unwrap_or(ball);
                worst = worst.max(from.distance(ball));
                Some(from)
            } else {
                None
            };
        }
    }
    assert!(worst < 0.003, "a foot slid {} mm", 1e3 * worst);
    assert!(travelled > 2.0, "{travelled} m");
    assert!(!player.grounding.fading());
    assert_eq!(player.grounding.report().motion, SupportKind::Standing);
}

#[test]
fn a_standing_character_has_both_feet_on_uneven_ground() {
    let ground = HeightFunction::new(|place: Vec2| if place.x > 0.0 { 0.15 } else { 0.0 });
    let stand = built_in("stand");
    let mut player = Player::new(&stand, Start::default(), GroundingOptions::default());
    player.run(1.0, &Input::default(), &ground);
    for (foot, level) in [(0, 0.15), (1, 0.0)] {
        assert!((player.ball(foot).y - level).abs() < 2e-3, "{}", player.ball(foot).y);
    }
}

/// Ground with a wall or an abyss ahead.
fn dead_end(beyond: f32) -> impl Ground {
    HeightFunction::new(move |place: Vec2| if place.y > 2.6 { beyond } else { 0.0 })
}

#[test]
fn a_step_that_leads_nowhere_is_not_made() {
    for beyond in [f32::NAN, 5.0, -5.0, f32::INFINITY] {
        let ground = dead_end(beyond);
        let mut player = Player::walking();
        let mut last: Option<Vec3> = None;
        for _ in 0..480 {
            player.step(DT, &Input::default(), &ground);
            let hips = player.models[0].translation;
            assert!(last.is_none_or(|last| last.distance(hips) < 0.05));
            last = Some(hips);
        }
        let report = *player.grounding.report();
        assert_eq!(report.motion, SupportKind::Stopped, "beyond {beyond}");
        assert!(player.grounding.feet().iter().any(|foot| foot.status == FootStatus::Blocked));
        assert!((0..2).all(|foot| player.ball(foot).z < 2.6), "both feet are on this side");
        assert!(report.place.position.y > 1.5, "it came close: {:?}", report.place);
    }
}

#[test]
fn a_stopped_character_turns_away_and_goes_on() {
    let ground = dead_end(f32::NAN);
    let mut player = Player::walking();
    player.run(6.0, &Input::default(), &ground);
    assert_eq!(player.grounding.report().motion, SupportKind::Stopped);
    let turning = Input { turn_rate: 1.0, ..Input::default() };
    player.run(3.0, &turning, &ground);
    let report = player.run(4.0, &Input::default(), &ground);
    assert_eq!(report.motion, SupportKind::Moving);
    assert!((report.place.heading - 3.0).abs() < 0.3, "{}", report.place.heading);
    assert!(report.place.position.y < 0.5, "{:?}", report.place);
}

#[test]
fn a_character_goes_on_when_the_way_is_free_again() {
    let mut player = Player::walking();
    player.run(6.0, &Input::default(), &dead_end(f32::NAN));
    assert_eq!(player.grounding.report().motion, SupportKind::Stopped);
    let report = player.run(3.0, &Input::default(), &dead_end(0.0));
    assert_eq!(report.motion, SupportKind::Moving);
    assert!(report.place.position.y > 3.0);
}

#[test]
fn without_validation_a_character_walks_on_over_holes() {
    let ground = dead_end(f32::NAN);
    let options = GroundingOptions { validate_steps: false, ..GroundingOptions::default() };
    let mut player = Player::new(&built_in("walk"), Start::default(), options);
    let report = player.run(5.0, &Input::default(), &ground);
    assert_eq!(report.motion, SupportKind::Moving);
    assert!(report.place.position.y > 5.0);
    let missing = [Some(FootStatus::Unsupported); 2];
    let feet = player.grounding.feet();
    assert_eq!([feet[0].lands, feet[1].lands], missing);
    assert!(feet.iter().all(|foot| foot.status != FootStatus::Firm));
}

#[test]
fn no_ground_at_all_is_survived() {
    for height in [f32::NAN, f32::INFINITY, 1e30] {
        let nowhere = HeightFunction::new(move |_| height);
        let mut player = Player::walking();
        let report = player.run(2.0, &Input { turn_rate: 1.0, ..Input::default() }, &nowhere);
        assert_eq!(report.motion, SupportKind::Stopped);
    }
    // And so are questions that make no sense.
    let ground = HeightFunction::new(|_| 0.0);
    let mut player = Player::walking();
    for bad in [f32::NAN, f32::INFINITY, -1.0] {
        player.step(bad, &Input { rate: bad, turn_rate: bad, ..Input::default() }, &ground);
    }
    let foothold = SuppliedFoothold { foot: 0, position: Vec3::NAN, heading: Some(f32::NAN) };
    let footholds = [foothold, SuppliedFoothold { foot: 99, ..foothold }];
    player.run(2.0, &Input { footholds: &footholds, ..Input::default() }, &ground);
}

#[test]
fn headings_follow_the_turn_rate() {
    let ground = hills(0.2, 4.0).ground;
    let mut player = Player::walking();
    let report = player.run(5.0, &Input { turn_rate: 0.4, ..Input::default() }, &*ground);
    assert!((report.place.heading - 2.0).abs() < 0.25, "{}", report.place.heading);
}

#[test]
fn the_rate_of_playing_is_honoured() {
    let ground = HeightFunction::new(|_| 0.0);
    let go = |rate: f32| {
        let mut player = Player::walking();
        player.run(2.0, &Input { rate, ..Input::default() }, &ground).place.position.y
    };
    let (slow, plain, still) = (go(0.5), go(1.0), go(0.0));
    assert!((plain - 2.0 * slow).abs() < 0.05, "{plain} {slow}");
    assert!(still.abs() < 1e-3);
}

#[test]
fn with_legs_off_the_body_still_goes_over_the_ground() {
    let ground = HeightFunction::new(|place: Vec2| 0.2 * place.y);
    let options = GroundingOptions { solve_legs: false, ..GroundingOptions::default() };
    let mut free = Player::new(&built_in("walk"), Start::default(), options);
    let mut solved = Player::walking();
    let a = free.run(3.0, &Input::default(), &ground);
    let b = solved.run(3.0, &Input::default(), &ground);
    assert_eq!(a.place, b.place);
    assert!(a.height > 0.5);
    let knees = |player: &Player| player.pose[player.clip.character().rig.feet[0].leg[1]].rotation;
    let mut source = Pose::rest(&free.clip.character().skeleton);
    free.clip.clip().sample(a.time, andante_skeleton::Wrap::Loop, &mut source);
    let joint = free.clip.character().rig.feet[0].leg[1];
    assert!(rotation::angle_between(knees(&free), source[joint].rotation) < 1e-3);
    // And back on again, without a jump.
    free.grounding.set_options(GroundingOptions::default());
    let mut last = free.ball(0);
    for _ in 0..30 {
        free.step(DT, &Input::default(), &ground);
        assert!(free.ball(0).distance(last) < 0.12);
        last = free.ball(0);
    }
}

#[test]
fn supplied_footholds_are_stepped_on() {
    let ground = HeightFunction::new(|place: Vec2| 0.1 * (3.0 * place.x).sin());
    let mut player = Player::walking();
    let mut checked = 0;
    let mut last = None;
    for frame in 0..300 {
        // Stepping stones a little beside the way.
        let position = Vec3::new(0.2, 0.06, 1.3 * (frame / 66 + 1) as f32);
        let foothold = SuppliedFoothold { foot: 0, position, heading: Some(0.2) };
        let input = Input { footholds: std::slice::from_ref(&foothold), ..Input::default() };
        player.step(DT, &input, &ground);
        let print = player.grounding.feet()[0].print.unwrap();
        if frame > 70 && last.is_some_and(|last| last != print) {
            assert!((print.position.x - 0.2).abs() < 1e-3, "{print:?}");
            assert!((print.position.z / 1.3).fract() < 1e-3, "{print:?}");
            assert!((print.heading - 0.2).abs() < 1e-3);
            checked += 1;
        }
        last = Some(print);
    }
    assert!(checked >= 3, "{checked}");
}

#[test]
fn the_next_footstep_is_known_before_it_is_made() {
    let ground = hills(0.2, 3.0).ground;
    let mut player = Player::walking();
    player.run(1.0, &Input::default(), &*ground);
    let mut foretold: [Option<Vec3>; 2] = [None; 2];
    let mut checked = 0;
    for _ in 0..300 {
        let before: Vec<_> = player.grounding.feet().to_vec();
        player.step(DT, &Input::default(), &*ground);
        for (foot, report) in player.grounding.feet().iter().enumerate() {
            if report.print != before[foot].print {
                if let Some(foretold) = foretold[foot] {
                    let missed = report.print.unwrap().position.distance(foretold);
                    assert!(missed < 0.02, "{missed} m");
                    checked += 1;
                }
                foretold[foot] = None;
            }
            // Said a fifth of a second before it lands.
            if report.lands_in.is_some_and(|seconds| (0.2..0.22).contains(&seconds)) {
                foretold[foot] = report.next.map(|next| next.position);
            }
        }
    }
    assert!(checked >= 5, "{checked}");
}

#[test]
fn knees_never_bend_backwards() {
    let clip = built_in("walk");
    for ground in [stairs(0.17, 0.29), stairs(-0.17, 0.29), hills(0.25, 2.0)] {
        let mut player = Player::new(&clip, Start::default(), GroundingOptions::default());
        for _ in 0..360 {
            player.step(DT, &Input::default(), &*ground.ground);
            for foot in &clip.character().rig.feet {
                let flexion = rotation::log(player.pose[foot.leg[1]].rotation).x;
                assert!(flexion > -1e-3, "{}: {flexion}", ground.name);
            }
        }
    }
}

#[test]
fn traces_are_bounded_and_show_what_happened() {
    let options = GroundingOptions { traces: 50, ..GroundingOptions::default() };
    let mut player = Player::new(&built_in("walk"), Start::default(), options);
    let ground = hills(0.2, 3.0).ground;
    player.run(2.0, &Input::default(), &*ground);
    assert_eq!(player.grounding.probes().iter().count(), 50);
    assert_eq!(player.grounding.hip_path().iter().count(), 50);
    assert_eq!(player.grounding.ankle_path(1).unwrap().iter().count(), 50);
    assert!(player.grounding.ankle_path(2).is_none());
    let mut planned = [Vec3::ZERO; 8];
    assert_eq!(player.grounding.planned_ankles(0, 0.02, &mut planned), 8);
    let target = player.grounding.feet()[0].target.translation;
    assert!(planned[0].distance(target) < 2e-3);
    player.grounding.restart(built_in("stand"), Start::default()).unwrap();
    assert_eq!(player.grounding.hip_path().iter().count(), 0);
}

#[test]
fn clips_that_cannot_walk_are_refused_by_name() {
    use andante_motion::synth;
    use andante_play::GroundClipError;
    use andante_play::{Contacts, FootContacts, Interval};
    let human = Arc::new(andante_skeleton::humanoid());
    let walk = synth::clip(&human, "walk").unwrap();
    let refused = |contacts: &Contacts, cyclic: bool, height: f32| {
        GroundClip::new(&human, walk.clip.clone(), contacts, cyclic, height).unwrap_err()
    };
    let none = Contacts::default();
    assert!(matches!(
        refused(&none, true, 0.0),
        GroundClipError::Contacts { found: 0, expected: 2 }
    ));
    let down = FootContacts { heel: vec![Interval::new(0.0, 0.5)], toe: vec![] };
    let one = Contacts { feet: vec![down.clone(), FootContacts::default()] };
    assert!(matches!(refused(&one, true, 0.0), GroundClipError::NeverDown { .. }));
    assert_eq!(refused(&walk.contacts, true, f32::NAN), GroundClipError::Height);
    let stop = synth::clip(&human, "stop").unwrap();
    let looped = GroundClip::new(&human, stop.clip, &stop.contacts, true, 0.0);
    assert!(matches!(looped, Err(GroundClipError::NotCyclic { .. })));
    let footless = Arc::new(andante_skeleton::Character {
        rig: andante_skeleton::Rig { feet: vec![], ..human.rig.clone() },
        ..(*human).clone()
    });
    let refused = walk.ground_clip(&footless);
    assert!(matches!(refused, Err(GroundClipError::NoFeet(_))));
}

/// The way of a foot is settled long before it leaves. What comes to lie there until then was stepped through.
#[test]
fn a_foot_is_lifted_over_what_appeared_before_it_left() {
    let kerb = Arc::new(OnceLock::<Vec2>::new());
    let seen = Arc::clone(&kerb);
    let height = move |place: Vec2| match seen.get() {
        Some(kerb) if (place - kerb).abs().max_element() < 0.05 => 0.06,
        _ => 0.0,
    };
    let ground = HeightFunction::new(height.clone());
    let mut player = Player::walking();
    player.run(2.0, &Input::default(), &ground);
    // The heel is up, the ball is not yet.
    while player.grounding.feet()[0].down != [false, true] {
        player.step(0.25 * DT, &Input::default(), &ground);
    }
    let [from, to] = {
        let foot = &player.grounding.feet()[0];
        [foot.print.unwrap().position, foot.next.unwrap().position]
    };
    let middle = from.midpoint(to);
    kerb.set(Vec2::new(middle.x, middle.z)).unwrap();
    let mut passed = 0;
    while player.grounding.feet()[0].print.unwrap().position == from {
        player.step(0.25 * DT, &Input::default(), &ground);
        let ball = player.ball(0);
        let below = height(Vec2::new(ball.x, ball.z));
        passed += usize::from(below > 0.0);
        assert!(ball.y > below - 3e-3, "{:.1} mm deep", 1e3 * (below - ball.y));
    }
    assert!(passed > 3, "the kerb was not in the way");
    let landed = player.grounding.feet()[0].print.unwrap().position;
    assert!(landed.distance(to) < 1e-3, "it lands where it would have");
}

/// How a foot gets over an edge was found in one frame, with 370 questions to the ground. Looking for a foothold takes 300.
#[test]
fn no_frame_asks_the_ground_for_all_of_a_swing_over_stairs() {
    for rise in [0.17, -0.17] {
        let asked = Arc::new(AtomicUsize::new(0));
        let (stairs, count) = (stairs(rise, 0.29).ground, Arc::clone(&asked));
        let ground = HeightFunction::new(move |place: Vec2| {
            count.fetch_add(1, Ordering::Relaxed);
            let from = Vec3::new(place.x, 100.0, place.y);
            stairs.height_below(from, 200.0).unwrap_or(f32::NAN)
        });
        let mut player = Player::walking();
        player.step(DT, &Input::default(), &ground);
        let (mut most, mut lifted) = (0, 0);
        for _ in 0..900 {
            asked.store(0, Ordering::Relaxed);
            player.step(DT, &Input::default(), &ground);
            most = most.max(asked.load(Ordering::Relaxed));
            lifted = lifted.max((1e3 * player.models[0].translation.y.abs()) as usize);
        }
        assert!(lifted > 1500, "it stays where it is");
        assert!(most < 360, "{rise}: {most}");
    }
}
