//! A step of the built-in humanoid standing on level ground: this crate, alone and in lanes, and Rapier.

#![allow(clippy::unwrap_used)]

use std::hint::black_box;
use std::time::Duration;

use andante_dynamics::{PhysicsSettings, Real, Simulation, ContactTerrain, f64x4};
use andante_dynamics_peers::{Joints, humanoid, standing};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn andante<R: Real>(c: &mut Criterion, name: &str) {
    let start =
        Simulation::<R>::new(humanoid().unwrap(), ContactTerrain::level(), PhysicsSettings::default()).unwrap();
    let (mut simulation, snapshot) = (start.clone(), start.snapshot());
    let mut group = c.benchmark_group("standing humanoid");
    group.throughput(Throughput::Elements(R::LANES as u64));
    let mut count = 0;
    group.bench_function(name, |b| {
        b.iter(|| {
            count += 1;
            if count % 150 == 0 {
                simulation.restore(&snapshot).unwrap();
            }
            black_box(simulation.step());
        });
    });
    group.finish();
}

fn rapier(c: &mut Criterion, name: &str, joints: Joints) {
    let mut group = c.benchmark_group("standing humanoid");
    group.throughput(Throughput::Elements(1));
    let mut world = standing(joints).unwrap();
    let mut count = 0;
    group.bench_function(name, |b| {
        b.iter(|| {
            count += 1;
            if count % 150 == 0 {
                world = standing(joints).unwrap();
            }
            world.step();
        });
    });
    group.finish();
}

fn peers(c: &mut Criterion) {
    andante::<f64>(c, "andante, one");
    andante::<f64x4>(c, "andante, four lanes");
    rapier(c, "rapier, multibody", Joints::Multibody);
    rapier(c, "rapier, impulse joints", Joints::Impulse);
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(3));
    targets = peers
}
criterion_main!(benches);
