//! What a character costs per frame that walks by a blend space of nine clips.
#![allow(missing_docs, clippy::expect_used)]

use andante_motion::repertoire::ClipSource;
use andante_motion::synth::{self, GaitMode, GaitRequest};
use andante_play::blend_space::{BlendSpace2, FootMode, GaitPlayer, PlayerOptions};
use andante_play::repertoire::{ClipClass, Repertoire};
use andante_skeleton::{Character, Joint, Skeleton, humanoid};
use criterion::{Criterion, criterion_group, criterion_main};
use glam::{Vec2, Vec3};
use std::hint::black_box;
use std::sync::Arc;

/// The built-in human with as many joints as usual captured ones: 31.
fn human_of_31_joints() -> Character {
    let mut human = humanoid();
    let mut joints = human.skeleton.joints().to_vec();
    while joints.len() < 31 {
        let last = joints.len() - 1;
        joints.push(Joint::new(format!("extra {last}"), Some(last), Vec3::new(0.0, 0.0, 0.02)));
    }
    human.skeleton = Skeleton::new(joints).expect("a tree");
    human
}

/// Three speeds, each straight and to both sides.
fn nine_clips(character: &Character) -> Arc<Repertoire> {
    let mut sources = Vec::new();
    for speed in [0.7, 1.2, 1.7] {
        for turn_rate in [-0.6, 0.0, 0.6] {
            let gait = GaitRequest { turn_rate, mode: GaitMode::Walk, ..GaitRequest::ahead(speed) };
            let made = synth::locomotion(character, &gait).expect("a walk");
            sources.push(ClipSource {
                clip: made.clip.renamed(format!("walk {speed} {turn_rate}")),
                contacts: made.contacts,
                cyclic: true,
                class: Some(ClipClass::Walk),
            });
        }
    }
    Arc::new(andante_motion::repertoire::from_clips(character, &sources).expect("walks"))
}

fn player(c: &mut Criterion) {
    let character = human_of_31_joints();
    assert_eq!(character.skeleton.len(), 31);
    let repertoire = nine_clips(&character);
    let mut group = c.benchmark_group("nine_clips_31_joints");
    for (name, feet) in [("body", FootMode::Body), ("body_and_legs", FootMode::BodyAndLegs)] {
        let options = PlayerOptions { feet, ..PlayerOptions::default() };
        let mut player = GaitPlayer::new(Arc::clone(&repertoire), options).expect("gaits");
        let mut time = 0.0;
        group.bench_function(format!("{name}_by_speed_and_turn"), |b| {
            b.iter(|| {
                time += 1.0f32 / 60.0;
                let (v, w) = (1.2 + 0.45 * (0.3 * time).sin(), 0.55 * (0.41 * time).sin());
                black_box(player.advance(1.0 / 60.0, v, w));
            });
        });
        let mut player = GaitPlayer::new(Arc::clone(&repertoire), options).expect("gaits");
        let weights = [1.0 / 9.0; 9];
        group.bench_function(format!("{name}_all_nine_active"), |b| {
            b.iter(|| black_box(player.advance_mix(1.0 / 60.0, black_box(&weights))));
        });
    }
    let points: Vec<Vec2> = repertoire.clips().iter().map(|clip| clip.point()).collect();
    let space = BlendSpace2::new(&points).expect("finite");
    let mut weights = [0.0; 9];
    for (name, scale) in [("weights_inside", 0.3), ("weights_outside", 4.0)] {
        let mut turn = 0.0f32;
        group.bench_function(name, |b| {
            b.iter(|| {
                turn += 0.1;
                let demand = Vec2::new(1.2, 0.0) + scale * Vec2::from_angle(turn);
                black_box(space.weights(demand, &mut weights))
            });
        });
    }
}

criterion_group!(benches, player);
criterion_main!(benches);
