//! What a step of a stage costs: one person, and a hundred who walk among each other.

#![allow(missing_docs, clippy::unwrap_used)]

use andante_stage::{Scene, Stage, read_scene};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use std::fmt::Write;

/// People in rows who walk across each other's way.
fn crowd(people: usize) -> Scene {
    let mut text = String::from(
        "version = 1\nname = \"crowd\"\n[[platform]]\noutline = [[-40, -40], [40, -40], [40, 40], [-40, 40]]\n",
    );
    for person in 0..people {
        let (row, column) = (person / 10, person % 10);
        let (x, z) = (4.0 * column as f32 - 18.0, 3.0 * row as f32 - 14.0);
        let (heading, ahead) = if column % 2 == 0 { (0, 1.0) } else { (180, -1.0) };
        writeln!(
            text,
            "[[character]]\nname = \"{person}\"\nstart = {{ at = [{x}, {z}], heading = {heading} }}\n\
             [[command]]\nwho = \"{person}\"\npatrol = [[{}, {}], [{x}, {z}]]",
            -x, z + 14.0 * ahead
        )
        .unwrap();
    }
    read_scene(&text).unwrap()
}

fn bench(criterion: &mut Criterion) {
    for people in [1, 20, 100] {
        let scene = crowd(people);
        let mut stage = Stage::new(&scene, 1).unwrap();
        for _ in 0..300 {
            stage.step(1.0 / 60.0);
        }
        criterion.bench_function(&format!("step of {people}, planning included"), |bencher| {
            bencher.iter(|| stage.step(1.0 / 60.0));
        });
    }
    let scene = crowd(100);
    criterion.bench_function("setting a stage of 100", |bencher| {
        bencher.iter_batched(
            || scene.clone(),
            |scene| Stage::new(&scene, 1).unwrap(),
            BatchSize::PerIteration,
        );
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(200);
    targets = bench
}
criterion_main!(benches);
