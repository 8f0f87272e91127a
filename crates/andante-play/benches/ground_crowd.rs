//! A crowd over hills: what one character costs, and a thousand on all cores.
#![allow(missing_docs, clippy::unwrap_used)]

#[path = "../examples/common/mod.rs"]
mod common;

use andante_play::{
    FootPlacement, GroundClip, Grounding, GroundingOptions, Input, PlacementSettings, SourceFrame,
    Start,
};
use andante_skeleton::{Planar, Pose};
use andante_world::Ground;
use common::{built_in, hills, stairs, terrain};
use criterion::{Criterion, criterion_group, criterion_main};
use glam::Vec2;
use rayon::prelude::*;
use std::sync::Arc;

/// A character somewhere on the ground, at some phase of its walk.
fn character(clip: &Arc<GroundClip>, index: usize, ground: &dyn Ground) -> (Grounding, Pose) {
    let place =
        Planar::new(Vec2::new((index % 32) as f32, (index / 32) as f32), 0.1 * index as f32);
    let above = glam::Vec3::new(place.position.x, 50.0, place.position.y);
    let height = ground.probe(above, 100.0).map_or(0.0, |hit| hit.point.y);
    let time = 0.013 * (index % 70) as f32;
    let start = Start { place, height, time };
    let mut player = Grounding::new(Arc::clone(clip), start, GroundingOptions::default()).unwrap();
    let mut pose = Pose::rest(&clip.character().skeleton);
    for _ in 0..30 {
        player.step(1.0 / 60.0, &Input::default(), ground, &mut pose);
    }
    (player, pose)
}

/// Frames of a walk that somebody else plays, put on the ground one by one.
fn placed(criterion: &mut Criterion, walk: &GroundClip) {
    let character = walk.character();
    let (mut frames, mut placed) = (Vec::new(), Planar::IDENTITY);
    for _ in 0..8 {
        for frame in walk.clip().frames().skip(1) {
            let mut pose = frame.to_vec();
            pose[0] = placed.to_transform() * pose[0];
            frames.push(pose);
        }
        placed = walk.round().map_or(placed, |round| placed.then(&round));
    }
    let (source, dt) = (SourceFrame::over(walk.height()), 1.0 / walk.clip().fps());
    for ground in [terrain("flat", |_| 0.0), hills(0.25, 2.0), stairs(0.17, 0.29)] {
        let mut layer =
            FootPlacement::new(Arc::clone(character), PlacementSettings::default()).unwrap();
        let mut pose = Pose::rest(&character.skeleton);
        let mut next = frames.iter().cycle();
        criterion.bench_function(&format!("one placed pose, {}", ground.name), |bencher| {
            bencher.iter(|| {
                if let Some(frame) = next.next() {
                    pose.copy_from_slice(frame);
                }
                layer.step(&mut pose, &source, &*ground.ground, dt)
            });
        });
    }
}

fn crowd(criterion: &mut Criterion) {
    let walk = built_in("walk");
    for ground in [terrain("flat", |_| 0.0), hills(0.25, 2.0), stairs(0.17, 0.29)] {
        let (mut player, mut pose) = character(&walk, 0, &*ground.ground);
        let start = Start::default();
        let mut frames = 0;
        criterion.bench_function(&format!("one character, {}", ground.name), |bencher| {
            bencher.iter(|| {
                frames += 1;
                if frames % 600 == 0 {
                    player.restart(Arc::clone(&walk), start).unwrap();
                }
                player.step(1.0 / 60.0, &Input::default(), &*ground.ground, &mut pose)
            });
        });
    }
    placed(criterion, &walk);
    let ground = hills(0.25, 2.0).ground;
    let mut all: Vec<(Grounding, Pose)> =
        (0..1000).map(|index| character(&walk, index, &*ground)).collect();
    criterion.bench_function("1000 characters on hills, one frame", |bencher| {
        bencher.iter(|| {
            all.par_iter_mut().for_each(|(player, pose)| {
                let input = Input { turn_rate: 0.1, ..Input::default() };
                player.step(1.0 / 60.0, &input, &*ground, pose);
            });
        });
    });
}

criterion_group!(benches, crowd);
criterion_main!(benches);
