//! Whatever the ground is like and whatever is asked, poses are finite and bodies do not jump.
#![allow(clippy::unwrap_used)]

#[path = "../examples/common/mod.rs"]
mod common;

use andante_play::{Grounding, GroundingOptions, Input, Start};
use andante_skeleton::{Pose, Transform};
use andante_world::HeightFunction;
use common::built_in;
use glam::Vec2;
use std::sync::Arc;

/// Numbers that look random, in 0…1.
fn noise(seed: &mut u64) -> f32 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 40) as f32 / (1u64 << 24) as f32
}

/// Blocks of different heights, some of them missing, some walls, with slopes between.
fn rubble(seed: u64, roughness: f32) -> impl Fn(Vec2) -> f32 {
    move |place: Vec2| {
        let cell = (place * 1.7).floor();
        let mut at = seed ^ (cell.x as i64 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        at ^= (cell.y as i64 as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        let (kind, height) = (noise(&mut at), noise(&mut at));
        match kind {
            _ if cell.length() < 3.0 => 0.05 * (4.0 * place.y).sin(),
            k if k < 0.06 => f32::NAN,
            k if k < 0.1 => 4.0,
            _ => roughness * height + 0.2 * roughness * (5.0 * place.x).sin(),
        }
    }
}

#[test]
fn rubble_holes_walls_and_wild_commands_are_survived() {
    let clips = ["walk", "stand", "run", "walk-left", "turn-left-90", "jump-short"].map(built_in);
    for seed in 0..40u64 {
        let mut random = seed.wrapping_mul(77) + 5;
        let ground = HeightFunction::new(rubble(seed, 0.4 * noise(&mut random)));
        let options = GroundingOptions {
            validate_steps: seed % 3 != 0,
            correct_swings: seed % 5 != 0,
            scale_stride: seed % 7 != 0,
            ..GroundingOptions::default()
        };
        let first = Arc::clone(&clips[(seed % 6) as usize]);
        let skeleton = &first.character().skeleton.clone();
        let mut player = Grounding::new(first, Start::default(), options).unwrap();
        let mut pose = Pose::rest(skeleton);
        let mut last: Option<Transform> = None;
        let (mut rate, mut turn_rate) = (1.0, 0.0);
        for frame in 0..600 {
            if frame % 45 == 0 {
                rate = 0.3 + 1.2 * noise(&mut random);
                turn_rate = 3.0 * (noise(&mut random) - 0.5);
            }
            if frame % 80 == 79 {
                let clip = &clips[(noise(&mut random) * 5.99) as usize];
                let time = noise(&mut random) * clip.clip().duration();
                let seconds = 0.3 + 0.4 * noise(&mut random);
                match seed % 2 {
                    0 => player.play(Arc::clone(clip)).unwrap(),
                    _ => player.play_from(Arc::clone(clip), time, seconds).unwrap(),
                }
            }
            let dt = if frame % 97 == 0 { 0.3 } else { 0.01 + 0.02 * noise(&mut random) };
            let input = Input { rate, turn_rate, ..Input::default() };
            player.step(dt, &input, &ground, &mut pose);
            assert!(pose.iter().all(Transform::is_finite), "seed {seed}, frame {frame}");
            let root = pose[0];
            if let Some(last) = last {
                // Runs at 5 m/s, with leaps, fades between them at any moment and the ground's ups and downs.
                let speed = root.translation.distance(last.translation) / dt;
                assert!(speed < 10.0, "seed {seed}, frame {frame}: {speed} m/s");
            }
            last = Some(root);
        }
    }
}
