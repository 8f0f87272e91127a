//! Taps people at random moments of every built-in scene and of generated ones, on any bone, in any direction, and counts
//! who falls and who does not arrive:
//! `cargo run -p andante-stage --example tap_test -- [--impulse 0.5] [--taps 50] [--seeds 12] [--seed 1] [--only run]`.

#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic, missing_docs)]

#[path = "../tests/taps/mod.rs"]
mod taps;

use taps::{KINDS, TapOutcome, generated, scenes, tap};

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let word = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1).cloned()
    };
    let number = |name: &str, usual: f64| word(name).map_or(usual, |own| own.parse().unwrap());
    let (impulse, count) = (number("--impulse", 0.5) as f32, number("--taps", 50.0) as usize);
    let (seeds, first) = (number("--seeds", 12.0) as u64, number("--seed", 1.0) as u64);
    let only = word("--only");
    let wanted = |name: &str| only.as_ref().is_none_or(|only| only == name);
    let mut sum = TapOutcome::default();
    for (name, scene) in scenes().iter().filter(|(name, _)| wanted(name)) {
        let one = tap(scene, first, count, impulse);
        println!("{name}: {one}");
        sum.add(&one);
    }
    for kind in KINDS.into_iter().filter(|kind| wanted(kind)) {
        let mut all = TapOutcome::default();
        for seed in first..first + seeds {
            let one = tap(&generated(kind, seed), seed, 1 + count / 12, impulse);
            if one.falls + one.missing + one.endless + one.untouched > 0 {
                println!("  {kind} {seed}: {one}");
            }
            all.add(&one);
        }
        println!("{kind}, {seeds} people: {all}");
        sum.add(&all);
    }
    println!("{impulse} N·s: {sum}");
}
