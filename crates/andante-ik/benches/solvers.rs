//! The same reach of a leg by every solver.
#![allow(missing_docs, clippy::expect_used)]

use andante_ik::{
    Ccd, CcdOptions, ChainDescent, ChainDescentOptions, Fabrik, FabrikOptions, IkTarget, Jacobian,
    JacobianOptions, Solver, TwoBoneSolver,
};
use andante_skeleton::{BodyPoint, Pose, humanoid};
use andante_skeleton::{TwoBone, TwoBoneOptions};
use criterion::{Criterion, criterion_group, criterion_main};
use glam::{Quat, Vec3};
use std::hint::black_box;

fn solvers(c: &mut Criterion) {
    let human = humanoid();
    let skeleton = &human.skeleton;
    let leg = &human.rig.feet[0].leg;
    let foot = [BodyPoint { joint: leg[2], offset: Vec3::ZERO }];
    let limb = TwoBone::new(skeleton, [leg[0], leg[1], leg[2]], Vec3::X).expect("a leg");
    let ccd = Ccd::new(skeleton, leg[0], &foot, CcdOptions::default()).expect("a leg");
    let fabrik = Fabrik::new(skeleton, leg[0], &foot, FabrikOptions::default()).expect("a leg");
    let jacobian =
        Jacobian::new(skeleton, leg[0], &foot, JacobianOptions::default()).expect("a leg");
    let descent =
        ChainDescent::new(skeleton, leg[0], &foot, ChainDescentOptions::default()).expect("a leg");
    let all: Vec<(&str, Box<dyn Solver>)> = vec![
        ("two_bones", Box::new(TwoBoneSolver::new(limb, TwoBoneOptions::default()))),
        ("ccd", Box::new(ccd)),
        ("fabrik", Box::new(fabrik)),
        ("jacobian", Box::new(jacobian)),
        ("descent", Box::new(descent)),
    ];
    let mut source = Pose::rest(skeleton);
    for (joint, angle) in leg.iter().zip([-0.3, 0.5, -0.2]) {
        source[*joint].rotation = Quat::from_rotation_x(angle);
    }
    let mut source_models = source.to_vec();
    skeleton.local_to_model(&source, &mut source_models);
    let ankle = source_models[leg[2]].translation;
    let targets: Vec<IkTarget> = (0..64)
        .map(|index| {
            let t = index as f32 * 0.7;
            IkTarget::position(
                ankle + Vec3::new(0.05 * t.sin(), 0.1 + 0.1 * (1.3 * t).cos(), 0.1 * t.cos()),
            )
        })
        .collect();
    let (mut pose, mut models) = (source.clone(), source_models.clone());
    let mut group = c.benchmark_group("leg");
    group.throughput(criterion::Throughput::Elements(targets.len() as u64));
    for (name, mut solver) in all {
        group.bench_function(name, |b| {
            b.iter(|| {
                for target in &targets {
                    pose.copy_from_slice(&source);
                    models.copy_from_slice(&source_models);
                    black_box(solver.solve(&[black_box(*target)], &mut pose, &mut models));
                }
            });
        });
    }
}

criterion_group!(benches, solvers);
criterion_main!(benches);
