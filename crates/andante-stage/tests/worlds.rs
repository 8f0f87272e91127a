//! Worlds from a generator: what is solvable is solved, what is not is refused for the true reason, and no answer is
//! refuted by a judge that knows nothing but polygons and boxes.
//!
//! `ANDANTE_WORLDS=2000 cargo test -p andante-stage --test worlds` tries more than usual, `ANDANTE_FIRST_WORLD` others.

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
use std::collections::BTreeMap;
use std::sync::Arc;
use worlds::generator::{KINDS, Known, world};
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

#[test]
fn generated_worlds_are_solved_or_refused_truly_and_no_answer_is_refuted() {
    let people = people();
    let (count, first) = (number("ANDANTE_WORLDS", 210), number("ANDANTE_FIRST_WORLD", 0));
    let (mut solvable, mut solved) = (0, 0);
    let mut wrong: Vec<String> = Vec::new();
    let mut unsolved: Vec<String> = Vec::new();
    let mut kinds: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for seed in first..first + count {
        let world = world(seed);
        let (human, repertoire) = &people[&((100.0 * world.height).round() as u32)];
        let answer = plan_character(&world.scene, &world.scene.characters[0], human, repertoire);
        let of_kind = kinds.entry(world.kind).or_default();
        solvable += usize::from(world.known == Known::Way);
        match (&answer, world.known) {
            (Ok(plan), known) => {
                of_kind[0] += 1;
                solved += usize::from(known == Known::Way);
                if let Some(why) = objection(&world, human, &plan.performance) {
                    of_kind[2] += 1;
                    wrong.push(format!("{} {seed}: {why}", world.kind));
                } else if let Known::NoWay(_) = known {
                    wrong
                        .push(format!("{} {seed}: there is no way, and one was found", world.kind));
                }
            }
            (Err(failure), Known::Way) => {
                of_kind[1] += 1;
                unsolved.push(format!("{} {seed}: {failure}", world.kind));
            }
            (Err(failure), Known::NoWay(words)) => {
                let text = failure.to_string();
                if !words.iter().any(|word| text.contains(word)) {
                    wrong.push(format!("{} {seed}: not the reason: {text}", world.kind));
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
    assert!(100 * solved >= 85 * solvable, "{solved} of {solvable} solved");
}
