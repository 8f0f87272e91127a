//! What one limb costs, against the two-bone solver of the `rebirth-ik` crate on the same targets.
//!
//! The peer places joints, and leaves rotations to its caller: it is measured as it is, and with the
//! two rotations its positions ask for. Ours rotates the limb with the swivel closest to the source: to a place, which is
//! the peer's task; or to a place with a rotation of the end joint, which decides the swivel.
//!
//! Ours also changes the poses it is given, where the peer returns what it found. The poses of a crowd are
//! put back before each round, as sampled motion would do in every frame, and the clock stands still meanwhile.
#![allow(missing_docs, clippy::expect_used)]

use andante_skeleton::{Pose, Transform, humanoid};
use andante_skeleton::{TwoBone, TwoBoneOptions};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{Quat, Vec3};
use std::hint::black_box;
use std::time::{Duration, Instant};

const TARGETS: usize = 1024;
const CROWD: usize = 64;

/// Ankles of a walk over rough ground, seen from the hip: all over the leg's reach, a few beyond it.
fn targets(hip: Vec3, length: f32) -> Vec<Transform> {
    let target = |index: usize| {
        let t = index as f32 * 0.37;
        let distance = length * (0.75 + 0.27 * (1.7 * t).sin());
        let direction = Vec3::new(0.2 * (2.3 * t).cos(), -1.0, 0.6 * t.sin()).normalize();
        Transform::new(Quat::from_rotation_x(0.4 * t.cos()), hip + direction * distance)
    };
    (0..TARGETS).map(target).collect()
}

fn two_bone(c: &mut Criterion) {
    let human = humanoid();
    let leg = &human.rig.feet[0].leg;
    let joints = [leg[0], leg[1], leg[2]];
    let limb = TwoBone::new(&human.skeleton, joints, Vec3::X).expect("a leg");
    let options = TwoBoneOptions { soften_at: 0.97, ..TwoBoneOptions::default() };
    let mut source = Pose::rest(&human.skeleton);
    source[joints[1]].rotation = Quat::from_rotation_x(0.4);
    let mut models = source.to_vec();
    human.skeleton.local_to_model(&source, &mut models);
    let bones = [joints[1], joints[2]].map(|joint| source[joint].translation.length());
    let targets = targets(models[joints[0]].translation, bones[0] + bones[1]);
    let mut poses = vec![(source.to_vec(), models.clone()); CROWD];
    // The time that `solve` takes for all targets, so many times.
    type Solve = fn(&TwoBone, &Transform, &TwoBoneOptions, &mut [Transform], &mut [Transform]);
    let mut timed = |rounds: u64, solve: Solve| {
        let mut time = Duration::ZERO;
        for targets in (0..rounds).flat_map(|_| targets.chunks(CROWD)) {
            for (locals, all) in &mut poses {
                for joint in joints {
                    locals[joint] = source[joint];
                    all[joint] = models[joint];
                }
            }
            let start = Instant::now();
            for ((locals, all), target) in black_box(&mut poses).iter_mut().zip(targets) {
                solve(&limb, target, &options, locals, all);
            }
            time += start.elapsed();
        }
        time
    };

    let mut group = c.benchmark_group("two_bone");
    group.throughput(Throughput::Elements(TARGETS as u64));
    group.bench_function("andante_position", |b| {
        b.iter_custom(|rounds| {
            timed(rounds, |limb, target, options, locals, models| {
                black_box(limb.solve_position(target.translation, options, locals, models));
            })
        });
    });
    group.bench_function("andante", |b| {
        b.iter_custom(|rounds| {
            timed(rounds, |limb, target, options, locals, models| {
                black_box(limb.solve(target, options, locals, models));
            })
        });
    });

    let vector = |v: Vec3| rebirth_ik::Vec3::new(v.x, v.y, v.z);
    let [hip, knee, ankle] = joints.map(|joint| vector(models[joint].translation));
    let peers: Vec<_> = targets.iter().map(|target| vector(target.translation)).collect();
    let pole = Some(vector(models[joints[0]].translation + Vec3::Z));
    group.bench_function("rebirth_ik_positions", |b| {
        b.iter(|| {
            for &target in &peers {
                black_box(rebirth_ik::two_bone(hip, knee, ankle, black_box(target), pole));
            }
        });
    });
    group.bench_function("rebirth_ik_positions_and_rotations", |b| {
        b.iter(|| {
            for &target in &peers {
                let (middle, end) = rebirth_ik::two_bone(hip, knee, ankle, black_box(target), pole);
                black_box(rebirth_ik::segment_rotation(knee - hip, middle - hip));
                black_box(rebirth_ik::segment_rotation(ankle - knee, end - middle));
            }
        });
    });
}

criterion_group!(benches, two_bone);
criterion_main!(benches);
