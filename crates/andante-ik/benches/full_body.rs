//! What a whole body costs: two feet, two hands and a head, with limits and balance.
#![allow(missing_docs, clippy::expect_used)]

use andante_ik::{Balance, FullBody, FullBodyOptions, IkTarget, Solver};
use andante_skeleton::{Pose, humanoid};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{Quat, Vec3};
use std::hint::black_box;

fn full_body(c: &mut Criterion) {
    let human = humanoid();
    let mut source = Pose::rest(&human.skeleton);
    for foot in &human.rig.feet {
        for (joint, angle) in foot.leg.iter().zip([-0.3, 0.5, -0.2]) {
            source[*joint].rotation = Quat::from_rotation_x(angle);
        }
    }
    for (arm, sign) in human.rig.arms.iter().zip([1.0, -1.0]) {
        source[arm.chain[0]].rotation = Quat::from_rotation_z(-1.2 * sign);
        source[arm.chain[1]].rotation = Quat::from_rotation_y(-0.4 * sign);
    }
    let mut source_models = source.to_vec();
    human.skeleton.local_to_model(&source, &mut source_models);
    let mut body = FullBody::of_character(&human, FullBodyOptions::default()).expect("a body");
    let feet = human.rig.feet.iter().map(|foot| source_models[foot.ankle()].translation);
    let feet: Vec<Vec3> = feet.collect();
    let place = (feet[0] + feet[1]) * 0.5 + Vec3::Z * 0.06;
    body.set_balance(Some(Balance { place, radius: 0.03 }));
    let head = source_models[human.rig.head.expect("a head")].translation;

    // Sixteen tasks, from close by to where the trunk has to lean and bend.
    let task = |index: usize| {
        let far = index as f32 / 15.0;
        let left = Vec3::new(0.25 + 0.1 * far, 1.1 + 0.3 * far, 0.3 + 0.2 * far);
        let right = Vec3::new(-0.25, 1.1 - 0.3 * far, 0.3 + 0.1 * far);
        let nod = head + Vec3::new(0.03, -0.05, 0.06) * far;
        let places = [feet[0], feet[1], left, right, nod];
        let hips = IkTarget::position(Vec3::ZERO).weighted(0.0);
        places.into_iter().map(IkTarget::position).chain([hips]).collect::<Vec<_>>()
    };
    let tasks: Vec<_> = (0..16).map(task).collect();
    let (mut pose, mut models) = (source.clone(), source_models.clone());
    let mut group = c.benchmark_group("full_body");
    group.throughput(Throughput::Elements(tasks.len() as u64));
    group.bench_function("five_effectors_limits_balance", |b| {
        b.iter(|| {
            for targets in &tasks {
                pose.copy_from_slice(&source);
                models.copy_from_slice(&source_models);
                let report = body.solve(black_box(targets), &mut pose, &mut models);
                black_box(report);
            }
        });
    });
}

criterion_group!(benches, full_body);
criterion_main!(benches);
