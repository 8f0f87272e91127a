//! Candidates of the basic run: simulations a second, alone, in lanes and on two threads.
#![allow(clippy::expect_used)]

use andante_gait::{Evaluator, GaitProblem, GaitSketch, LANES, ProblemOptions};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::sync::Arc;

fn evaluations(criterion: &mut Criterion) {
    let sketch = GaitSketch::built_in("basic-run").expect("built in");
    let body = andante_body::creature(&sketch.character).expect("built in");
    let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default()).expect("a problem");
    let problem = Arc::new(problem);
    let point = |k: usize| -> Vec<f64> {
        let start = problem.start().into_iter().enumerate();
        start.map(|(index, unit)| unit + 0.02 * ((k * 31 + index * 17) as f64).sin()).collect()
    };
    let points: Vec<Vec<f64>> = (0..8 * LANES).map(point).collect();
    let mut group = criterion.benchmark_group("basic-run");
    group.throughput(Throughput::Elements(points.len() as u64)).sample_size(20);
    for (name, threads, lanes) in
        [("one by one", 1, 1), ("in lanes", 1, LANES), ("in lanes on two threads", 2, LANES)]
    {
        let evaluator = Evaluator::new(Arc::clone(&problem), threads).expect("an evaluator");
        group.bench_function(name, |bench| {
            bench.iter(|| {
                if lanes == 1 {
                    for point in &points {
                        black_box(evaluator.evaluate_alone(point));
                    }
                } else {
                    black_box(evaluator.evaluate(&points));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, evaluations);
criterion_main!(benches);
