//! What it costs a stage when something comes into the way of somebody who walks: the call that places it and the step
//! after it, in which the walk is repaired.
//!
//! `cargo bench -p andante-stage --bench repairs [-- CHANGES_PER_SCENE]`
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

#[path = "../tests/changes/mod.rs"]
mod changes;
#[path = "../tests/oracle/mod.rs"]
mod oracle;
#[path = "../tests/sweep/mod.rs"]
mod sweep;

use andante_stage::{Clock, EventKind, Scene, Stage};
use std::sync::OnceLock;
use std::time::Instant;

/// Each change is made this often: other work on the machine slows down some, and the fastest counts as well.
const REPEATS: usize = 5;

fn seconds() -> f64 {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed().as_secs_f64()
}

fn main() {
    let count: u64 = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(400);
    println!(
        "{:10} {:>7} {:>8} {:>7} {:>5}   {:>24}   {:>24}",
        "scene",
        "changes",
        "repaired",
        "refused",
        "other",
        "ms: median p99 max",
        "best of 5: median p99 max"
    );
    let mut all: Vec<[f64; 2]> = Vec::new();
    for name in ["parking", "house", "sheep-pen", "jumps"] {
        let scene = Scene::built_in(name).unwrap();
        let mut stage = Stage::new(&scene, 1).unwrap();
        stage.set_clock(Clock::new(seconds));
        let part = &scene.characters[0];
        let walk = stage.plan(0, part.goal, part.run).unwrap().performance;
        let mut made: Vec<_> = (0..count)
            .map(|seed| changes::change(&mut sweep::Random::new(seed), &walk, &scene.obstacles))
            .collect();
        made.sort_by(|a, b| a.time.total_cmp(&b.time));
        let (mut times, mut refused, mut other) = (Vec::new(), 0, 0);
        for change in &made {
            while stage.time() < f64::from(change.time) {
                stage.step(1.0 / 60.0);
            }
            let once = || {
                let mut changed = stage.clone();
                let planned = changed.timings().steps.total;
                let began = Instant::now();
                for obstacle in &scene.obstacles {
                    if !change.obstacles.iter().any(|own| own.name == obstacle.name) {
                        changed.remove_obstacle(&obstacle.name).ok();
                    }
                }
                for obstacle in &change.obstacles {
                    if !scene.obstacles.contains(obstacle) {
                        changed.place_obstacle(obstacle.clone()).unwrap();
                    }
                }
                changed.step(1.0 / 60.0);
                (began.elapsed().as_secs_f64() * 1e3, planned, changed)
            };
            let (took, planned, changed) = once();
            let failed = |kind: &EventKind| matches!(kind, EventKind::Failed(_));
            if changed.timings().steps.total > planned {
                let best = (1..REPEATS).map(|_| once().0).fold(took, f64::min);
                times.push([took, best]);
            } else if changed.events().iter().any(|event| failed(&event.kind)) {
                refused += 1;
            } else {
                other += 1;
            }
        }
        row(name, count, refused, other, &times);
        all.extend(&times);
    }
    row("all", 4 * count, 0, 0, &all);
}

fn row(name: &str, count: u64, refused: usize, other: usize, times: &[[f64; 2]]) {
    let [[a, b, c], [d, e, f]] =
        [0, 1].map(|kind| quantiles(&mut times.iter().map(|time| time[kind]).collect::<Vec<_>>()));
    let repaired = times.len();
    println!(
        "{name:10} {count:>7} {repaired:>8} {refused:>7} {other:>5}   {a:>12.2} {b:.2} {c:.2}   {d:>12.2} {e:.2} {f:.2}"
    );
}

/// Median, 99th percentile and the largest.
fn quantiles(values: &mut [f64]) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let at = |part: f64| {
        let index = (values.len().saturating_sub(1) as f64 * part).round() as usize;
        values.get(index).copied().unwrap_or(f64::NAN)
    };
    [at(0.5), at(0.99), at(1.0)]
}
