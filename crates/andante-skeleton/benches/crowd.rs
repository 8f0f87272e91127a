//! What a character costs per frame: three clips sampled, blended and turned into model
//! transforms; for one character and for a crowd on all cores.
#![allow(missing_docs, clippy::expect_used)]

use andante_skeleton::{
    BlendLayer, Clip, CompactClip, Joint, Pose, Skeleton, Transform, Wrap, blend, rotation,
};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::Vec3;
use rayon::prelude::*;
use std::hint::black_box;

/// Joints as in a typical rig: a few long chains.
fn skeleton(joints: usize) -> Skeleton {
    let parent = |index: usize| match index {
        0 => None,
        _ if index % 6 == 1 => Some(0),
        _ => Some(index - 1),
    };
    let joint =
        |index| Joint::new(format!("joint {index}"), parent(index), Vec3::new(0.0, 0.1, 0.02));
    Skeleton::new((0..joints).map(joint).collect()).expect("a tree")
}

/// Every joint moves all the time, the root travels: nothing is saved on still joints.
fn clip(skeleton: &Skeleton, seed: usize) -> CompactClip {
    let mut transforms = Vec::new();
    for frame in 0..=120 {
        let time = frame as f32 / 60.0;
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let phase = (index * 7 + seed * 3) as f32;
            let axis = Vec3::new(phase.sin(), phase.cos(), (1.7 * phase).sin());
            let turn = rotation::exp(axis * (time * std::f32::consts::PI + phase).sin());
            let travel = if index == 0 { Vec3::Z * time } else { Vec3::ZERO };
            transforms.push(Transform::new(turn, joint.rest.translation + travel));
        }
    }
    CompactClip::new(&Clip::new("bench", skeleton, 60.0, transforms).expect("finite"))
}

/// The buffers of one character.
struct Character {
    sampled: [Pose; 3],
    blended: Pose,
    models: Pose,
}

impl Character {
    fn new(skeleton: &Skeleton) -> Self {
        let pose = Pose::rest(skeleton);
        Self {
            sampled: [pose.clone(), pose.clone(), pose.clone()],
            blended: pose.clone(),
            models: pose,
        }
    }

    fn update(&mut self, skeleton: &Skeleton, rest: &Pose, clips: &[CompactClip; 3], time: f32) {
        for (clip, pose) in clips.iter().zip(&mut self.sampled) {
            clip.sample(time, Wrap::Loop, pose);
        }
        let [a, b, c] = &self.sampled;
        let layers = [BlendLayer::new(a, 0.5), BlendLayer::new(b, 0.3), BlendLayer::new(c, 0.2)];
        blend(rest, &layers, &mut self.blended);
        skeleton.local_to_model(&self.blended, &mut self.models);
    }
}

fn one_character(c: &mut Criterion) {
    let mut group = c.benchmark_group("sample_3_blend_model");
    for joints in [31, 67] {
        let skeleton = skeleton(joints);
        let rest = Pose::rest(&skeleton);
        let clips = [0, 1, 2].map(|seed| clip(&skeleton, seed));
        let mut character = Character::new(&skeleton);
        let mut time = 0.0;
        group.bench_function(format!("{joints}_joints"), |b| {
            b.iter(|| {
                time += 1.0 / 60.0;
                character.update(&skeleton, &rest, &clips, black_box(time));
                black_box(&character.models);
            });
        });
    }
}

fn crowd(c: &mut Criterion) {
    const CHARACTERS: usize = 10_000;
    let mut group = c.benchmark_group("crowd");
    group.throughput(Throughput::Elements(CHARACTERS as u64)).sample_size(20);
    for joints in [31, 67] {
        let skeleton = skeleton(joints);
        let rest = Pose::rest(&skeleton);
        let clips = [0, 1, 2].map(|seed| clip(&skeleton, seed));
        let mut characters: Vec<_> = (0..CHARACTERS).map(|_| Character::new(&skeleton)).collect();
        let mut time = 0.0;
        group.bench_function(format!("10000_characters_{joints}_joints"), |b| {
            b.iter(|| {
                time += 1.0 / 60.0;
                characters.par_iter_mut().with_min_len(64).enumerate().for_each(
                    |(index, character)| {
                        character.update(&skeleton, &rest, &clips, time + index as f32 * 0.013);
                    },
                );
            });
        });
    }
}

criterion_group!(benches, one_character, crowd);
criterion_main!(benches);
