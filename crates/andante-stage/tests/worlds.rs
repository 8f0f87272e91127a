//! Worlds from a generator: what is solvable is solved, what is not is refused for the true reason, and no answer is
//! refuted by a judge that knows nothing but polygons and boxes.
//!
//! `ANDANTE_WORLDS=2000 cargo test -p andante-stage --test worlds` tries more than usual and tells what becomes of each,
//! `ANDANTE_FIRST_WORLD` others, `ANDANTE_WORLD_KIND` only those of one kind, `ANDANTE_WORLD_SEEDS` only some.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

mod oracle;
mod sweep;
mod worlds {
    pub mod generator;
    pub mod judge;
}

use andante_play::repertoire::Repertoire;
use andante_skeleton::{Character, humanoid_of_height};
use andante_stage::plan_character;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;
use worlds::generator::{KINDS, Known, World, kind_of, world};
use worlds::judge::objection;

/// Everybody who walks in these worlds, by height in centimetres.
fn people() -> BTreeMap<u32, (Character, Arc<Repertoire>)> {
    let person = |height: f32| {
        let human = humanoid_of_height(height);
        let repertoire = Arc::new(andante_motion::repertoire::built_in(&human).unwrap());
        ((100.0 * height).round() as u32, (human, repertoire))
    };
    [1.75, 1.6, 1.85].map(person).into()
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|word| word.parse().ok()).unwrap_or(usual)
}

/// What became of a world.
struct WorldResult {
    kind: &'static str,
    seed: u64,
    known: Known,
    /// Why no way was found, or what the judge says of the one that was.
    answer: Result<Option<String>, String>,
}

/// The result of the world of a seed; whoever tries worlds by hand sees each as soon as it is known.
fn result(seed: u64, people: &BTreeMap<u32, (Character, Arc<Repertoire>)>) -> WorldResult {
    let world = world(seed);
    let began = Instant::now();
    let (human, repertoire) = &people[&((100.0 * world.height).round() as u32)];
    let answer = plan_character(&world.scene, &world.scene.characters[0], human, repertoire)
        .map(|plan| objection(&world, human, &plan.performance))
        .map_err(|failure| failure.to_string());
    let World { kind, known, .. } = world;
    if std::env::var_os("ANDANTE_WORLDS").is_some() {
        let seconds = began.elapsed().as_secs_f32();
        let verdict = match (&answer, known) {
            (Ok(Some(why)), _) => format!("REFUTED {why}"),
            (Ok(None), _) => "solved".into(),
            (Err(why), Known::Way) => format!("UNSOLVED {why}"),
            (Err(why), _) => format!("refused {why}"),
        };
        eprintln!("{seed} {kind} {seconds:.2} s: {verdict}");
    }
    WorldResult { kind, seed, known, answer }
}

#[test]
fn stones_that_a_quick_search_does_not_get_over_are_crossed() {
    let people = people();
    for seed in [10068, 10158] {
        let WorldResult { kind, answer, .. } = result(seed, &people);
        assert_eq!(answer, Ok(None), "{kind} {seed}");
    }
}

#[test]
fn generated_worlds_are_solved_or_refused_truly_and_no_answer_is_refuted() {
    let people = people();
    let (count, first) = (number("ANDANTE_WORLDS", 210), number("ANDANTE_FIRST_WORLD", 0));
    let only = std::env::var("ANDANTE_WORLD_KIND").ok();
    let is_asked = |seed: &u64| only.as_ref().is_none_or(|only| *only == kind_of(*seed));
    let told = std::env::var("ANDANTE_WORLD_SEEDS").unwrap_or_default();
    let told: Vec<u64> = told.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let seeds: Vec<u64> = match told.is_empty() {
        true => (first..first + count).filter(is_asked).collect(),
        false => told,
    };
    let results: Vec<WorldResult> = seeds.par_iter().map(|seed| result(*seed, &people)).collect();
    let (mut solvable, mut solved) = (0, 0);
    let mut wrong: Vec<String> = Vec::new();
    let mut unsolved: Vec<String> = Vec::new();
    let mut kinds: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for WorldResult { kind, seed, known, answer } in results {
        let of_kind = kinds.entry(kind).or_default();
        solvable += usize::from(known == Known::Way);
        match (answer, known) {
            (Ok(objection), known) => {
                of_kind[0] += 1;
                solved += usize::from(known == Known::Way);
                if let Some(why) = objection {
                    of_kind[2] += 1;
                    wrong.push(format!("{kind} {seed}: {why}"));
                } else if let Known::NoWay(_) = known {
                    wrong.push(format!("{kind} {seed}: there is no way, and one was found"));
                }
            }
            (Err(failure), Known::Way) => {
                of_kind[1] += 1;
                unsolved.push(format!("{kind} {seed}: {failure}"));
            }
            (Err(failure), Known::NoWay(words)) => {
                if !words.iter().any(|word| failure.contains(word)) {
                    wrong.push(format!("{kind} {seed}: not the reason: {failure}"));
                }
            }
            (Err(_), Known::Either) => {}
        }
    }
    for kind in KINDS {
        let [found, unsolved, refuted] = kinds.get(kind).copied().unwrap_or_default();
        eprintln!("{kind}: {found} found, {unsolved} unsolved, {refuted} refuted");
    }
    let list = |cases: &[String]| cases.join("\n  ");
    eprintln!("{solved} of {solvable} solved; unsolved:\n  {}", list(&unsolved));
    assert!(wrong.is_empty(), "{} of {count} are wrong:\n  {}", wrong.len(), list(&wrong));
    assert!(100 * solved >= 94 * solvable, "{solved} of {solvable} solved");
}
