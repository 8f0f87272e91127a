//! Plays people who all go somewhere at once and prints what became of them: `gatherings [KIND] SEED…`.

#![allow(clippy::unwrap_used)]

#[path = "../tests/gatherings/mod.rs"]
mod gatherings;

use gatherings::Gathering;

fn main() {
    let (seeds, kinds): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|word| word.parse::<u64>().is_ok());
    for seed in seeds.iter().map(|seed| seed.parse().unwrap()) {
        let all = [
            Gathering::square(50, seed),
            Gathering::square(100, seed),
            Gathering::square(200, seed),
            Gathering::streams(40, seed),
            Gathering::streams(80, seed),
            Gathering::circle(12, 5.0),
            Gathering::circle(24, 8.0),
            Gathering::door(20, seed),
        ];
        let wanted = |gathering: &&Gathering| {
            kinds.is_empty() || kinds.iter().any(|kind| gathering.name.contains(kind.as_str()))
        };
        for gathering in all.iter().filter(wanted) {
            println!("{seed}: {}: {}", gathering.name, gathering.play(seed, 3.0));
        }
    }
}
