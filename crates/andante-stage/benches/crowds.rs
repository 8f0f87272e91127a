//! What a frame of a crowd costs, from ten people to two thousand, seen from near and from afar: one step after the other,
//! without a pause.
//!
//! `cargo bench -p andante-stage --bench crowds [-- PEOPLE...]`
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

use andante_stage::{Scene, Stage};
use glam::Vec3;
use std::time::Instant;

/// Frames that are measured: ten seconds.
const FRAMES: usize = 600;

fn main() {
    let mut sizes: Vec<usize> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![10, 30, 100, 300, 1000, 2000];
    }
    println!(
        "{:>7} {:>4} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8}   {:>18}",
        "people",
        "seen",
        "set, ms",
        "first",
        "median",
        "p99",
        "worst",
        "µs each",
        "moving in 2 s, 10 s"
    );
    for (people, far) in sizes.into_iter().flat_map(|people| [(people, false), (people, true)]) {
        let scene = Scene::crowd_of(people, 7);
        let began = Instant::now();
        let mut stage = Stage::new(&scene, 1).unwrap();
        if far {
            stage.set_viewer(Some(Vec3::new(5e3, 0.0, 0.0))).unwrap();
        }
        let set = began.elapsed().as_secs_f64() * 1e3;
        let starts: Vec<_> = stage.actors().iter().map(|actor| actor.disc().place).collect();
        let mut moved = [0; 2];
        let mut times = Vec::with_capacity(FRAMES);
        for frame in 0..FRAMES {
            let began = Instant::now();
            stage.step(1.0 / 60.0);
            times.push(began.elapsed().as_secs_f64() * 1e3);
            if frame == 119 {
                let actors = stage.actors().iter().zip(&starts);
                // Those who turn on the spot first move too.
                let away = actors.filter(|(actor, start)| {
                    let now = actor.disc().place;
                    now.position.distance(start.position) > 0.01
                        || (now.heading - start.heading).abs() > 0.01
                        || actor.disc().speed > 0.05
                });
                moved[0] = away.count();
            }
        }
        moved[1] = stage.actors().iter().filter(|actor| actor.disc().speed > 0.1).count();
        let first = times[0];
        times.sort_by(f64::total_cmp);
        let at = |part: f64| times[((FRAMES - 1) as f64 * part).round() as usize];
        println!(
            "{people:>7} {:>4} {set:>9.1} {first:>8.2} {:>8.2} {:>8.2} {:>8.2} {:>8.2}   {:>8} {:>9}",
            if far { "far" } else { "near" },
            at(0.5),
            at(0.99),
            at(1.0),
            1e3 * at(0.5) / people as f64,
            moved[0],
            moved[1]
        );
    }
}
