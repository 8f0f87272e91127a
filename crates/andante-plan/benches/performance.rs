//! What a performance costs, everything but the search for a route: the two scenarios of the source
//! (footstep-planning 4), by number of frames.
#![allow(missing_docs, clippy::expect_used)]

#[path = "../tests/stage/mod.rs"]
mod stage;

use andante_plan::steps::{StepGround, StepJourney, StepLeg, StepOptions};
use andante_skeleton::Planar;
use andante_world::HeightFunction;
use criterion::{Criterion, criterion_group, criterion_main};
use glam::Vec2;
use stage::{jumps, planner, to, waves};
use std::hint::black_box;

/// Bends for about as long as the source's: 1314 frames.
fn turns() -> StepJourney {
    let way = waves(22.5);
    let end: Vec2 = way[way.len() - 1];
    to(Planar::new(end, 0.0), vec![StepLeg::Walk(way)])
}

fn performances(c: &mut Criterion) {
    let floor = HeightFunction::new(|_| 0.0);
    let world = StepGround::open(&floor);
    let options = StepOptions::default();
    let mut group = c.benchmark_group("performance");
    for (name, journey) in [("jumps", jumps()), ("turns", turns())] {
        let made = planner().perform(&journey, &world, &options).expect("a way");
        let name = format!("{name}_{}_frames", made.clip.frame_count());
        group.bench_function(name, |b| {
            b.iter(|| planner().perform(black_box(&journey), &world, &options));
        });
    }
    let journey = turns();
    let before = planner().perform(&journey, &world, &options).expect("a way");
    let goal = Planar::new(Vec2::new(4.0, 20.0), 1.0);
    group.bench_function("repair_after_5_s", |b| {
        b.iter(|| planner().repair(black_box(&before), 5.0, &[], goal, &world, &options));
    });
    group.finish();
}

criterion_group!(benches, performances);
criterion_main!(benches);
