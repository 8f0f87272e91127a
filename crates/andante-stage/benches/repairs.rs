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

use andante_motion::repertoire::Repertoire;
use andante_skeleton::humanoid;
use andante_stage::{PartPlanner, Scene};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let count: u64 = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(400);
    let human = humanoid();
    let repertoire = Arc::new(Repertoire::built_in(&human).unwrap());
    println!(
        "{:10} {:>7} {:>8} {:>7}   wall ms: median p99 max     cpu ms: median p99 max",
        "scene", "changes", "repaired", "kept"
    );
    let (mut all, mut all_cpu) = (Vec::new(), Vec::new());
    for name in ["parking", "house", "sheep-pen", "jumps"] {
        let scene = Scene::built_in(name).unwrap();
        let part = &scene.characters[0];
        let mut planner = PartPlanner::new(&scene, part, &human, &repertoire).unwrap();
        let before = planner.plan().unwrap().performance;
        let (mut wall, mut cpu) = (Vec::new(), Vec::new());
        let (mut kept, mut touching) = (0, 0); let mut depths = Vec::new(); let mut parts: Vec<[f64; 3]> = Vec::new();
        let mut refused: BTreeMap<String, usize> = BTreeMap::new();
        for seed in 0..count {
            let mut random = sweep::Random::new(seed);
            let change = changes::change(&mut random, &before, &scene.obstacles);
            let (began, used) = (Instant::now(), cpu_ms());
            let repaired = planner
                .set_obstacles(change.obstacles)
                .and_then(|()| planner.repair(&before, change.time));
            let (took, used) = (began.elapsed().as_secs_f64() * 1e3, cpu_ms() - used);
            match repaired {
                Ok(None) => kept += 1,
                Ok(Some(draft)) => {
                    wall.push(took);
                    cpu.push(used);
                    parts.push([draft.timings.preparation, draft.timings.search, draft.performance.timings.total]);
                    let left = planner.touched_from(&draft.performance, change.time + 0.5);
                    depths.push(1e3*left.depth as f64); touching += usize::from(left.frames > 0);
                }
                Err(failure) => {
                    let reason: String = failure.to_string().split('(').next().unwrap().into();
                    *refused.entry(format!("{}: {reason}", change.what)).or_default() += 1;
                }
            }
        }
        let repaired = wall.len();
        all.extend(&wall);
        all_cpu.extend(&cpu);
        let ([a, b, c], [d, e, f]) = (quantiles(&mut wall), quantiles(&mut cpu));
        println!(
            "{name:10} {count:>7} {repaired:>8} {kept:>7}   {a:>15.2} {b:.2} {c:.2}    {d:>15.2} {e:.2} {f:.2}   {touching} touch something"
        );
        depths.sort_by(f64::total_cmp); println!("   depth mm {:.0?}", (0..=20).map(|k| depths[(depths.len()-1)*k/20]).collect::<Vec<_>>());
        let [floors, search, steps] = [0, 1, 2].map(|part| {
            quantiles(&mut parts.iter().map(|row| row[part]).collect::<Vec<_>>())
        });
        println!(
            "  floors {:.2} {:.2}, check and search {:.2} {:.2}, footsteps {:.2} {:.2} ms (median, p99)",
            floors[0], floors[1], search[0], search[1], steps[0], steps[1]
        );
        for (reason, count) in refused {
            println!("  {count:4} refused, {reason}");
        }
    }
    let ([a, b, c], [d, e, f]) = (quantiles(&mut all), quantiles(&mut all_cpu));
    println!("{:10} {:>7} {:>8} {:>7}   {a:>15.2} {b:.2} {c:.2}    {d:>15.2} {e:.2} {f:.2}", "all", "", all.len(), "");
}

/// Time this thread has run, whoever else uses the machine; the wall clock where the system does not tell.
fn cpu_ms() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanos.unwrap_or(0.0) * 1e-6
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
