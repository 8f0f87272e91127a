//! What it costs a stage when something comes into the way of somebody who walks: the call that places it and the step
//! after it, if the walk is repaired in that step; and the longest step until it is, if that is done beside the steps of a
//! game that shows 60 of them a second, as it is unless told otherwise.
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
use std::time::{Duration, Instant};

/// Each change is made this often: other work on the machine slows down some, and the fastest counts as well.
const REPEATS: usize = 5;

/// A change of so many is made in a game as well, which takes as long as the game does.
const PLAYED: usize = 5;

/// Seconds of a frame, and how many of them a repair may take in a game.
const FRAME: f64 = 1.0 / 60.0;
const FRAMES: usize = 90;

fn seconds() -> f64 {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed().as_secs_f64()
}

fn main() {
    let count: u64 = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(400);
    println!(
        "{:10} {:>7} {:>8} {:>7} {:>5}   {:>24}   {:>24}   {:>26}",
        "scene",
        "changes",
        "repaired",
        "refused",
        "other",
        "ms: median p99 max",
        "best of 5: median p99 max",
        "longest step: median p99 max"
    );
    let mut all = Costs::default();
    for name in ["parking", "house", "sheep-pen", "jumps"] {
        let mut scene = Scene::built_in(name).unwrap();
        // In the step itself, not beside it.
        scene.settings.planner.plan_rate = 1e9;
        let mut stage = Stage::new(&scene, 1).unwrap();
        stage.set_clock(Clock::new(seconds));
        let usual = Scene::built_in(name).unwrap();
        let mut game = Stage::new(&usual, 1).unwrap();
        game.set_clock(Clock::new(seconds));
        let part = &scene.characters[0];
        let walk = stage.plan(0, part.goal, part.run).unwrap().performance;
        let mut made: Vec<_> = (0..count)
            .map(|seed| changes::change(&mut sweep::Random::new(seed), &walk, &scene.obstacles))
            .collect();
        made.sort_by(|a, b| a.time.total_cmp(&b.time));
        let (mut costs, mut refused, mut other) = (Costs::default(), 0, 0);
        for (number, change) in made.iter().enumerate() {
            for stage in [&mut stage, &mut game] {
                while stage.time() < f64::from(change.time) {
                    stage.step(FRAME as f32);
                }
            }
            let place = |stage: &mut Stage| {
                for obstacle in &scene.obstacles {
                    if !change.obstacles.iter().any(|own| own.name == obstacle.name) {
                        stage.remove_obstacle(&obstacle.name).ok();
                    }
                }
                for obstacle in &change.obstacles {
                    if !scene.obstacles.contains(obstacle) {
                        stage.place_obstacle(obstacle.clone()).unwrap();
                    }
                }
            };
            let once = || {
                let mut changed = stage.clone();
                let planned = changed.timings().steps.total;
                let began = Instant::now();
                place(&mut changed);
                changed.step(FRAME as f32);
                (began.elapsed().as_secs_f64() * 1e3, planned, changed)
            };
            let (took, planned, changed) = once();
            let failed = |kind: &EventKind| matches!(kind, EventKind::Failed(_));
            if changed.timings().steps.total > planned {
                let best = (1..REPEATS).map(|_| once().0).fold(took, f64::min);
                costs.at_once.push(took);
                costs.best.push(best);
            } else if changed.events().iter().any(|event| failed(&event.kind)) {
                refused += 1;
                continue;
            } else {
                other += 1;
                continue;
            }
            if number % PLAYED == 0 {
                costs.played.extend(played(&game, place));
            }
        }
        costs.row(name, count, refused, other);
        all.append(costs);
    }
    all.row("all", 4 * count, 0, 0);
}

/// The longest step of a game, in milliseconds, from a change until the walk is another; none if that takes too long.
fn played(game: &Stage, change: impl Fn(&mut Stage)) -> Option<f64> {
    let mut game = game.clone();
    let planned = game.timings().steps.total;
    let mut longest = 0.0f64;
    let mut began = Instant::now();
    change(&mut game);
    for _ in 0..FRAMES {
        game.step(FRAME as f32);
        let took = began.elapsed().as_secs_f64();
        longest = longest.max(took);
        if game.timings().steps.total > planned {
            return Some(1e3 * longest);
        }
        std::thread::sleep(Duration::from_secs_f64((FRAME - took).max(0.0)));
        began = Instant::now();
    }
    None
}

/// Milliseconds: in the step, the fastest of some times, and the longest step of a game.
#[derive(Default)]
struct Costs {
    at_once: Vec<f64>,
    best: Vec<f64>,
    played: Vec<f64>,
}

impl Costs {
    fn append(&mut self, other: Self) {
        self.at_once.extend(other.at_once);
        self.best.extend(other.best);
        self.played.extend(other.played);
    }

    fn row(&mut self, name: &str, count: u64, refused: usize, other: usize) {
        let repaired = self.at_once.len();
        let [[a, b, c], [d, e, f], [g, h, i]] =
            [&mut self.at_once, &mut self.best, &mut self.played].map(|own| quantiles(own));
        println!(
            "{name:10} {count:>7} {repaired:>8} {refused:>7} {other:>5}   {a:>12.2} {b:.2} {c:.2}   {d:>12.2} {e:.2} {f:.2}   {g:>14.2} {h:.2} {i:.2} of {}",
            self.played.len()
        );
    }
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
