//! How long it takes to find all modes of a character in one phase.
#![allow(clippy::expect_used)]

use andante_gait::{Modes, ModesMethod, PinnedPoint};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

fn modes(criterion: &mut Criterion) {
    for name in ["humanoid", "monster", "dog"] {
        let body = andante_body::creature(name).expect("built in");
        let pose = &body.poses()[0];
        let toe = [PinnedPoint::toe(&body.feet()[0])];
        for (route, route_name) in
            [(ModesMethod::Reduced, "reduced"), (ModesMethod::Constraints, "constraints")]
        {
            for (pins, phase) in [(&[][..], "air"), (&toe[..], "ground")] {
                criterion.bench_function(&format!("{name}/{route_name}/{phase}"), |bench| {
                    bench.iter(|| Modes::find_by(route, black_box(&body), pose, pins));
                });
            }
        }
    }
}

criterion_group!(benches, modes);
criterion_main!(benches);
