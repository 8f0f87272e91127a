//! Taps people at random moments of every built-in scene and of generated ones, on any bone, in any direction, and counts
//! who falls and who does not arrive:
//! `cargo run -p andante-stage --example tap_test -- [--impulse 0.5] [--taps 50] [--seeds 12] [--seed 1] [--only run] [--apart]`.
//! With `--walks 20` physical people walk unpushed instead, alone and beside others, that many groups of each.
//! With `--apart` every tap has a play of its own.

#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic, missing_docs)]

#[path = "../tests/taps/mod.rs"]
mod taps;

use taps::{KINDS, TapOutcome, generated, scenes, tap, walks};

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let word = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1).cloned()
    };
    let number = |name: &str, usual: f64| word(name).map_or(usual, |own| own.parse().unwrap());
    let (impulse, count) = (number("--impulse", 0.5) as f32, number("--taps", 50.0) as usize);
    let (seeds, first) = (number("--seeds", 12.0) as u64, number("--seed", 1.0) as u64);
    let apart = words.iter().any(|word| word == "--apart");
    let only = word("--only");
    let wanted = |name: &str| only.as_ref().is_none_or(|only| only == name);
    if let Some(groups) = word("--walks") {
        for (people, metres) in [(1, 3.0), (2, 3.0), (4, 2.0), (8, 3.0)] {
            let groups = first..first + groups.parse::<u64>().unwrap();
            let all = groups.map(|seed| walks(people, metres, seed, true));
            let sum = all.fold([0; 3], |sum, own| [0, 1, 2].map(|k| sum[k] + own[k]));
            let [walked, fell, missing] = sum;
            println!(
                "{people} at {metres} m: {walked} walks, {fell} falls, {missing} did not arrive"
            );
        }
        return;
    }
    let mut sum = TapOutcome::default();
    for (name, scene) in scenes().iter().filter(|(name, _)| wanted(name)) {
        let mut all = TapOutcome::default();
        let (plays, each) = if apart { (count as u64, 1) } else { (1, count) };
        for seed in first..first + plays {
            let one = tap(scene, seed, each, impulse);
            if apart && one.is_bad() {
                println!("  {name} {seed}: {one}");
            }
            all.add(&one);
        }
        println!("{name}: {all}");
        sum.add(&all);
    }
    for kind in KINDS.into_iter().filter(|kind| wanted(kind)) {
        let mut all = TapOutcome::default();
        for seed in first..first + seeds {
            let one = tap(&generated(kind, seed), seed, if apart { 1 } else { 5 }, impulse);
            if one.is_bad() {
                println!("  {kind} {seed}: {one}");
            }
            all.add(&one);
        }
        println!("{kind}, {seeds} people: {all}");
        sum.add(&all);
    }
    println!("{impulse} N·s: {sum}");
}
