//! What a physical character costs: one 240 Hz step with everything it can do, and fifty of them for a second.
#![allow(clippy::expect_used)]

use andante_body::{Physique, Push, RecoveryController, RecoveryOptions};
use andante_dynamics::{ContactTerrain, PhysicsSettings, Simulation};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use rayon::prelude::*;

const STEP: f64 = 1.0 / 240.0;

#[derive(Clone)]
struct Person {
    simulation: Simulation<f64>,
    survivor: RecoveryController,
    push: Push,
}

impl Person {
    fn new(physique: &Physique, push: Push) -> Self {
        let settings = PhysicsSettings { step: STEP, ..PhysicsSettings::default() };
        let simulation = Simulation::new(physique.model.clone(), ContactTerrain::level(), settings);
        Person {
            simulation: simulation.expect("good options"),
            survivor: RecoveryController::new(physique, RecoveryOptions::default())
                .expect("a human"),
            push,
        }
    }

    fn step(&mut self, physique: &Physique) {
        self.push.apply(physique, &mut self.simulation);
        self.survivor.drive(physique, &mut self.simulation);
        self.simulation.step();
    }
}

fn physical(criterion: &mut Criterion) {
    let body = andante_body::creature("humanoid").expect("built in");
    let physique =
        Physique::new(&body, &body.poses()[0], &PhysicsSettings::default()).expect("a human");
    // A hundredth of a second each, from a moment in the middle of what is measured.
    for (name, impulse, time) in [
        ("standing", 0.0, 1.0),
        ("stepping", 40.0, 0.9),
        ("falling", 150.0, 1.3),
        ("getting up", 150.0, 5.0),
    ] {
        let mut person = Person::new(&physique, Push::new(impulse, 0.3));
        while person.simulation.time() < time {
            person.step(&physique);
        }
        criterion.bench_function(&format!("one step, {name}"), |bench| {
            bench.iter_batched_ref(
                || person.clone(),
                |person| person.step(&physique),
                BatchSize::SmallInput,
            );
        });
    }
    let crowd: Vec<Person> =
        Push::random(50, 60.0, 1).into_iter().map(|push| Person::new(&physique, push)).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    let mut group = criterion.benchmark_group("crowd");
    group.sample_size(10);
    group.bench_function("fifty pushed people for a second, two threads", |bench| {
        bench.iter_batched_ref(
            || crowd.clone(),
            |crowd| {
                pool.install(|| {
                    crowd.par_iter_mut().for_each(|person| {
                        (0..240).for_each(|_| person.step(&physique));
                    });
                });
            },
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

criterion_group!(benches, physical);
criterion_main!(benches);
