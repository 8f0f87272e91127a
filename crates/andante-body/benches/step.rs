//! One step of the built-in humanoid on the ground: alone, and in lanes.

#![allow(clippy::unwrap_used)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use andante_body::{BodyModel, creature};
use andante_dynamics::{ContactTerrain, PhysicsSettings, Real, Simulation, f64x4, f64x8};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Standing with both feet flat on the ground, pushed about by torques that differ from lane to lane.
fn standing<R: Real>() -> Simulation<R> {
    let body = creature("humanoid").unwrap();
    let model = Arc::new(
        BodyModel::new(&body, &body.poses()[0], &PhysicsSettings::default()).unwrap().model,
    );
    let mut simulation =
        Simulation::<R>::new(model, ContactTerrain::level(), PhysicsSettings::default()).unwrap();
    wiggle(&mut simulation);
    for _ in 0..50 {
        simulation.step();
    }
    simulation
}

fn wiggle<R: Real>(simulation: &mut Simulation<R>) {
    let phase = simulation.time() * 20.0;
    for (k, torque) in simulation.controls_mut().torque_mut().iter_mut().enumerate() {
        *torque = R::from_lanes(|lane| 2.0 * (phase + k as f64 + lane as f64).sin());
    }
}

/// As long as the bench runs, go back to the start every so often: a standing body, never a heap.
fn run<R: Real>(c: &mut Criterion, name: &str) {
    let start = standing::<R>();
    let snapshot = start.snapshot();
    let mut simulation = start.clone();
    let mut count = 0u32;
    let (mut contacts, mut sweeps, mut total) = (0, 0, 0);
    let mut group = c.benchmark_group("humanoid on the ground");
    group.throughput(Throughput::Elements(R::LANES as u64));
    group.bench_function(name, |b| {
        b.iter(|| {
            count += 1;
            if count.is_multiple_of(100) {
                simulation.restore(&snapshot).unwrap();
            }
            let report = black_box(simulation.step());
            contacts += report.contacts;
            sweeps += report.sweeps;
            total += 1;
        });
    });
    group.finish();
    let per = |n: usize| n as f64 / f64::from(total.max(1));
    eprintln!("{name}: {:.1} contacts and {:.1} sweeps a step", per(contacts), per(sweeps));
}

fn steps(c: &mut Criterion) {
    run::<f64>(c, "one");
    run::<f64x4>(c, "four lanes");
    run::<f64x8>(c, "eight lanes");
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(3));
    targets = steps
}
criterion_main!(benches);
