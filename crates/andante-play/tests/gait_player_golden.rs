//! Ten seconds of a player, pinned bit for bit. The walker is made of formulas in this file, so that
//! nothing but the repertoire and the player can change the result.
#![allow(clippy::expect_used)]

mod recording;

use andante_motion::repertoire::ClipSource;
use andante_play::blend_space::{GaitPlayer, PlayerOptions};
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::{Character, Clip, Planar, Pose, Transform, humanoid};
use andante_skeleton::{TwoBone, TwoBoneOptions};
use glam::{Quat, Vec2, Vec3};
use recording::{FPS, record};
use std::f32::consts::{PI, TAU};
use std::sync::Arc;

const PERIOD: f32 = 1.0;

/// Somebody who glides along an arc on flat feet, each down for so much of the cycle.
fn walker(character: &Character, name: &str, speed: f32, turn_rate: f32, duty: f32) -> ClipSource {
    let skeleton = &character.skeleton;
    let body = |time: f32| {
        let mut placed = Planar::IDENTITY;
        for _ in 0..64 {
            let step = Planar::new(Vec2::new(0.0, speed * time / 64.0), turn_rate * time / 64.0);
            placed = placed.then(&step);
        }
        placed
    };
    let rest = skeleton.rest_models();
    let mut transforms: Vec<Transform> = Vec::new();
    for frame in 0..=(PERIOD * FPS) as usize {
        let time = frame as f32 / FPS;
        let mut pose = Pose::rest(skeleton);
        let sway = 0.02 * (TAU * time / PERIOD).sin();
        pose[0] = body(time).to_transform()
            * Transform::new(
                Quat::from_rotation_z(sway),
                Vec3::new(sway, pose[0].translation.y - 0.06, 0.0),
            );
        let mut models = pose.to_vec();
        skeleton.local_to_model(&pose, &mut models);
        for (index, foot) in character.rig.feet.iter().enumerate() {
            // Time since the strike, and where the foot stands: below the body in mid stance.
            let since = (time - 0.5 * PERIOD * index as f32).rem_euclid(PERIOD);
            let strike = time - since;
            let print = |strike: f32| {
                let middle = body(strike + 0.5 * duty * PERIOD);
                middle.to_transform() * rest[foot.ankle()]
            };
            let (from, to) = (print(strike), print(strike + PERIOD));
            let swing = ((since / PERIOD - duty) / (1.0 - duty)).clamp(0.0, 1.0);
            let share = swing * swing * (3.0 - 2.0 * swing);
            let mut target = Transform::new(
                from.rotation.slerp(to.rotation, share),
                from.translation.lerp(to.translation, share),
            );
            target.translation.y += 0.08 * (PI * swing).sin();
            let leg = [foot.leg[0], foot.leg[1], foot.leg[2]];
            let leg = TwoBone::new(skeleton, leg, Vec3::X).expect("a leg");
            leg.solve(&target, &TwoBoneOptions::default(), &mut pose, &mut models);
        }
        transforms.extend_from_slice(&pose);
    }
    let foot = |index: usize| {
        let strike = 0.5 * PERIOD * index as f32;
        let end = strike + duty * PERIOD;
        let mut down = vec![Interval::new(strike, end.min(PERIOD))];
        if end > PERIOD {
            down.insert(0, Interval::new(0.0, end - PERIOD));
        }
        FootContacts { heel: down.clone(), toe: down }
    };
    let clip = Clip::new(name, skeleton, FPS, transforms).expect("finite");
    let contacts = Contacts { feet: vec![foot(0), foot(1)] };
    ClipSource { clip, contacts, cyclic: true, class: None }
}

#[test]
fn ten_seconds_of_walking_and_running_are_the_same_bit_for_bit() {
    let human = humanoid();
    let mut sources = Vec::new();
    for (speed, duty) in [(0.3, 0.62), (0.8, 0.6), (1.2, 0.38)] {
        for turn_rate in [-0.5, 0.0, 0.5] {
            let name = format!("{speed} {turn_rate}");
            sources.push(walker(&human, &name, speed, turn_rate, duty));
        }
    }
    let repertoire =
        Arc::new(andante_motion::repertoire::from_clips(&human, &sources).expect("walkers"));
    assert_eq!(repertoire.families().len(), 2, "walks and runs");
    let mut player = GaitPlayer::new(repertoire, PlayerOptions::default()).expect("gaits");
    let recorded = record(&mut player, 10.0, |player, time| {
        let speed = 0.8 - 0.6 * (0.9 * time).cos();
        player.advance(1.0 / FPS, speed, 0.6 * (1.3 * time).sin())
    });
    assert!(recorded.foot_metrics().foot_slide_mm_max < 1.0);
    let numbers = recorded.clip.transforms().iter().flat_map(|transform| {
        transform.rotation.to_array().into_iter().chain(transform.translation.to_array())
    });
    let hash = numbers.flat_map(f32::to_le_bytes).fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    assert_eq!(hash, 0xd929_a9fd_f421_9f45, "the motion is {hash:#018x}");
}
