//! What it costs to change a plan in the middle of a walk when the world has changed: floors, search and footsteps.
//!
//! `cargo bench -p andante-stage --bench repairs [-- CHANGES_PER_SCENE]`
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

#[path = "../tests/changes/mod.rs"]
mod changes;
#[path = "../tests/oracle/mod.rs"]
mod oracle;
#[path = "../tests/sweep/mod.rs"]
mod sweep;

use andante_skeleton::humanoid;
use andante_stage::{PartPlanner, PlanFailure, PlanTimings, Scene};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// Each change is repaired this often: other work on the machine slows down some, and the fastest counts as well.
const REPEATS: usize = 5;

fn main() {
    let count: u64 = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(400);
    let human = humanoid();
    let repertoire = Arc::new(andante_motion::repertoire::built_in(&human).unwrap());
    println!(
        "{:10} {:>7} {:>8} {:>5}   {:>24}   {:>24}",
        "scene", "changes", "repaired", "kept", "ms: median p99 max", "best of 5: median p99 max"
    );
    let (mut all, mut all_best) = (Vec::new(), Vec::new());
    for name in ["parking", "house", "sheep-pen", "jumps"] {
        let scene = Scene::built_in(name).unwrap();
        let part = &scene.characters[0];
        let mut planner = PartPlanner::new(&scene, part, &human, &repertoire).unwrap();
        let before = planner.plan().unwrap().performance;
        let (mut times, mut best, mut kept) = (Vec::new(), Vec::new(), 0);
        let (mut parts, mut depths): (Vec<[f64; 4]>, Vec<f64>) = Default::default();
        let mut met = 0;
        let mut refused: BTreeMap<String, usize> = BTreeMap::new();
        for seed in 0..count {
            let mut random = sweep::Random::new(seed);
            let change = changes::change(&mut random, &before, &scene.obstacles);
            let mut repair = || {
                let began = Instant::now();
                let repaired = planner
                    .set_obstacles(change.obstacles.clone())
                    .and_then(|()| planner.repair(&before, change.time));
                (began.elapsed().as_secs_f64() * 1e3, repaired)
            };
            let (took, repaired) = repair();
            match repaired {
                Ok(None) => kept += 1,
                Ok(Some(draft)) => {
                    let again = (1..REPEATS).map(|_| repair().0);
                    best.push(again.fold(took, f64::min));
                    times.push(took);
                    let PlanTimings { preparation, search, corrections } = draft.timings;
                    let steps = draft.performance.timings.total;
                    parts.push([preparation, search, steps, corrections]);
                    met += usize::from(draft.changed.end < draft.performance.body.len());
                    let left = planner.touched_from(&draft.performance, change.time);
                    depths.push(f64::from(1e3 * left.depth));
                }
                Err(failure) => {
                    let reason = match failure {
                        PlanFailure::Floor(_) => "the floor is impossible",
                        PlanFailure::Route(_) => "there is no way",
                        PlanFailure::Blocked { what, .. } => what,
                        PlanFailure::Steps(_) => "the way cannot be stepped",
                        PlanFailure::Unavoidable { seconds, .. } if seconds < 0.5 => "met at once",
                        PlanFailure::Unavoidable { .. } => "cannot be avoided",
                    };
                    *refused.entry(format!("{}: {reason}", change.what)).or_default() += 1;
                }
            }
        }
        all.extend(&times);
        all_best.extend(&best);
        row(name, count, kept, &mut times, &mut best);
        let [floors, search, steps, more] = [0, 1, 2, 3]
            .map(|part| quantiles(&mut parts.iter().map(|row| row[part]).collect::<Vec<_>>()));
        println!(
            "  floors {:.2} {:.2}, check and search {:.2} {:.2}, footsteps {:.2} {:.2}, corrections {:.2} {:.2} ms (median, p99); {met} come back to their old way",
            floors[0], floors[1], search[0], search[1], steps[0], steps[1], more[0], more[1]
        );
        let touching = depths.iter().filter(|depth| **depth > 0.0).count();
        let [median, p99, most] = quantiles(&mut depths);
        println!(
            "  {touching} touch something afterwards: {median:.0} mm median, {p99:.0} p99, {most:.0} at most"
        );
        for (reason, count) in refused {
            println!("  {count} refused, {reason}");
        }
    }
    row("all", 4 * count, 0, &mut all, &mut all_best);
}

fn row(name: &str, count: u64, kept: usize, times: &mut [f64], best: &mut [f64]) {
    let repaired = times.len();
    let ([a, b, c], [d, e, f]) = (quantiles(times), quantiles(best));
    println!(
        "{name:10} {count:>7} {repaired:>8} {kept:>5}   {a:>12.2} {b:.2} {c:.2}   {d:>12.2} {e:.2} {f:.2}"
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
