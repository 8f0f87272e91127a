//! Ways between random places of the scenes: how many are found, how fast, and how much longer than the shortest they are.
//!
//! `cargo bench -p andante-stage --bench routes [-- SEEDS]`
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

#[path = "../tests/oracle/mod.rs"]
mod oracle;
#[path = "../tests/sweep/mod.rs"]
mod sweep;

fn main() {
    let seeds = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(1000);
    println!(
        "{:10} {:>9} {:>8}   {:>24}   {:>26}",
        "scene", "solvable", "solved", "search: median p95 max", "ratio: median p95 worst"
    );
    for name in ["parking", "house", "sheep-pen"] {
        let tries = sweep::sweep(name, seeds);
        let solvable = tries.iter().filter(|one| one.optimum.is_some()).count();
        let solved = tries.iter().filter(|one| one.ratio().is_some()).count();
        let mut millis: Vec<f64> = tries.iter().map(|one| one.millis).collect();
        let mut ratios: Vec<f64> = tries.iter().filter_map(sweep::Try::ratio).collect();
        let [fast, slow, slowest] = quantiles(&mut millis);
        let [usual, long, longest] = quantiles(&mut ratios);
        println!(
            "{name:10} {solvable:>9} {solved:>8}   {fast:>9.3} {slow:.3} {slowest:.3} ms   {usual:>13.4} {long:.4} {longest:.4}"
        );
        let unsolvable = tries.iter().filter(|one| one.found.is_some() && one.optimum.is_none());
        for one in unsolvable {
            println!("  the oracle misses {} to {}", one.start, one.goal);
        }
        for one in tries.iter().filter(|one| one.found.is_none() && one.optimum.is_some()) {
            println!("  missed: {} to {}, {:.2} m", one.start, one.goal, one.optimum.unwrap());
        }
        let above = tries.iter().filter(|one| one.ratio().is_some_and(|ratio| ratio > 1.1));
        for one in above.take(12) {
            println!(
                "  {:.3}: {} to {}, {:.2} m",
                one.ratio().unwrap(),
                one.start,
                one.goal,
                one.optimum.unwrap()
            );
        }
    }
}

/// Median, 95th percentile and the largest.
fn quantiles(values: &mut [f64]) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let at = |part: f64| values[((values.len() - 1) as f64 * part).round() as usize];
    [at(0.5), at(0.95), at(1.0)]
}
