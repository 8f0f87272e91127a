//! Ten seconds over hills, pinned bit for bit, for one thread and for several. The walker is made of formulas
//! in this file, so that nothing but the adaptation can change the result.
#![allow(clippy::unwrap_used)]

use andante_play::{Contacts, FootContacts, Interval};
use andante_play::{GroundClip, Grounding, GroundingOptions, Input, Start};
use andante_skeleton::{Clip, Pose, Transform, humanoid};
use andante_skeleton::{TwoBone, TwoBoneOptions};
use andante_world::HeightFunction;
use glam::{Vec2, Vec3};
use rayon::prelude::*;
use std::sync::Arc;

const FPS: f32 = 60.0;
const SPEED: f32 = 0.8;
const DUTY: f32 = 0.6;

/// Somebody who glides along on flat feet, a stride a second.
fn walker() -> GroundClip {
    let human = Arc::new(humanoid());
    let skeleton = &human.skeleton;
    let rest = skeleton.rest_models();
    let mut transforms: Vec<Transform> = Vec::new();
    for frame in 0..=FPS as usize {
        let time = frame as f32 / FPS;
        let mut pose = Pose::rest(skeleton);
        pose[0].translation += Vec3::new(0.0, -0.06, SPEED * time);
        let mut models = pose.to_vec();
        skeleton.local_to_model(&pose, &mut models);
        for (index, foot) in human.rig.feet.iter().enumerate() {
            let since = (time - 0.5 * index as f32).rem_euclid(1.0);
            let swing = ((since - DUTY) / (1.0 - DUTY)).clamp(0.0, 1.0);
            let share = swing * swing * (3.0 - 2.0 * swing);
            let mut target = rest[foot.ankle()];
            target.translation.z += SPEED * (time - since + 0.5 * DUTY + share);
            target.translation.y += 0.3 * swing * (1.0 - swing);
            let leg = [foot.leg[0], foot.leg[1], foot.leg[2]];
            let leg = TwoBone::new(skeleton, leg, Vec3::X).unwrap();
            leg.solve(&target, &TwoBoneOptions::default(), &mut pose, &mut models);
        }
        transforms.extend_from_slice(&pose);
    }
    let contacts = |heel: Vec<Interval>| FootContacts { toe: heel.clone(), heel };
    let left = contacts(vec![Interval::new(0.0, DUTY)]);
    let right = contacts(vec![Interval::new(0.0, DUTY - 0.5), Interval::new(0.5, 1.0)]);
    let clip = Clip::new("glide", skeleton, FPS, transforms).unwrap();
    GroundClip::new(&human, clip, &Contacts { feet: vec![left, right] }, true, 0.0).unwrap()
}

fn hash(state: u64, pose: &Pose) -> u64 {
    let numbers = pose.iter().flat_map(|transform| {
        transform.rotation.to_array().into_iter().chain(transform.translation.to_array())
    });
    let bytes = numbers.flat_map(f32::to_le_bytes);
    bytes.fold(state, |state, byte| (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn the_same_steps_give_the_same_bits_on_any_thread() {
    let walk = Arc::new(walker());
    let ground = HeightFunction::new(|place: Vec2| {
        0.15 * (2.0 * place.y).sin() + 0.05 * (3.0 * place.x).cos()
    });
    let play = |_: usize| {
        let mut pose = Pose::rest(&walk.character().skeleton);
        let mut player =
            Grounding::new(Arc::clone(&walk), Start::default(), GroundingOptions::default())
                .unwrap();
        (0..600).fold(0xcbf2_9ce4_8422_2325u64, |state, frame| {
            let turn_rate = 0.4 * (0.02 * frame as f32).sin();
            let input = Input { turn_rate, ..Input::default() };
            player.step(1.0 / FPS, &input, &ground, &mut pose);
            hash(state, &pose)
        })
    };
    let alone = play(0);
    let together: Vec<u64> = (0..6).into_par_iter().map(play).collect();
    assert!(together.iter().all(|&hash| hash == alone));
    assert_eq!(alone, 0x45ae_b8a5_bcbf_9bc0, "the motion is {alone:#018x}");
}
