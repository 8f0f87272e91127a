//! What a frame of a crowd costs, from ten people to two thousand, seen from near and from afar: one step after the other,
//! without a pause. And how many of those who go somewhere at once are there in how many times what they need alone.
//!
//! `cargo bench -p andante-stage --bench crowds [-- PEOPLE... | arrivals]`
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

#[path = "../tests/gatherings/mod.rs"]
mod gatherings;

use andante_stage::{Scene, Stage};
use gatherings::Gathering;
use glam::Vec3;
use std::time::Instant;

/// Frames that are measured: ten seconds.
const FRAMES: usize = 600;

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let mut sizes: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let arrivals = words.iter().any(|word| word == "arrivals");
    if sizes.is_empty() && !arrivals {
        sizes = vec![10, 30, 100, 300, 1000, 2000];
        frames(sizes);
        arrive();
    } else if arrivals {
        arrive();
    } else {
        frames(sizes);
    }
}

/// Shares of those who have come to where they want to.
fn arrive() {
    for seed in 0..2 {
        for gathering in [
            Gathering::square(50, seed),
            Gathering::square(200, seed),
            Gathering::square(400, seed),
            Gathering::streams(60, seed),
            Gathering::streams(120, seed),
            Gathering::circle(20 + 20 * seed as usize, 8.0 + 4.0 * seed as f32),
            Gathering::row(12, seed),
            Gathering::door(20, seed),
            Gathering::door(40, seed),
        ] {
            let began = Instant::now();
            let outcome = gathering.play(seed, 4.0);
            println!("{} {outcome} ({:.1} s)", gathering.name, began.elapsed().as_secs_f64());
        }
    }
}

fn frames(sizes: Vec<usize>) {
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
