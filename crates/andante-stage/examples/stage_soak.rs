//! Does random things to stages in frames of random length, and looks whether anything breaks:
//! `cargo run --release -p andante-stage --example stage_soak -- --sequences 1000 --seed 1 [--frames 600] [--threads 2]`,
//! or `-- --hours 1 --people 8`, which pushes physical characters about and looks whether anybody is stuck in silence.

#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic, missing_docs)]

#[path = "../../../fuzz/checks/stage_sequence.rs"]
mod stage_sequence;

use andante_stage::{Command, PushOrder, Stage, Waypoint};
use glam::vec2;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use stage_sequence::{FRAMES, SequenceOutcome, play, pushed_yard};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let given = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1)?.parse::<f64>().ok()
    };
    match given("--hours") {
        Some(hours) => pushes(hours, given("--people").unwrap_or(8.0) as usize),
        None => sequences(
            given("--sequences").unwrap_or(100.0) as u64,
            given("--seed").unwrap_or(1.0) as u64,
            given("--frames").unwrap_or(FRAMES as f64) as usize,
            given("--threads").unwrap_or(2.0) as usize,
        ),
    }
}

/// The bytes of a sequence.
fn bytes(seed: u64, frames: usize) -> Vec<u8> {
    let mut bytes = vec![0; 8 * frames];
    Pcg64Mcg::seed_from_u64(seed).fill_bytes(&mut bytes);
    bytes
}

fn sequences(count: u64, seed: u64, frames: usize, threads: usize) {
    let next = AtomicU64::new(0);
    let work = || {
        let (mut sum, mut bad) = (SequenceOutcome::default(), Vec::new());
        // Every stage is played by one thread: sequences are many enough.
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return (sum, bad);
            }
            let own = bytes(seed + index, frames);
            let done = catch_unwind(AssertUnwindSafe(|| one.install(|| play(&own, frames))));
            match done {
                Ok(Ok(outcome)) => {
                    sum.frames += outcome.frames;
                    sum.seconds += outcome.seconds;
                    sum.refused += outcome.refused;
                    sum.worst = sum.worst.max(outcome.worst);
                }
                Ok(Err(problem)) => bad.push((seed + index, problem)),
                Err(_) => bad.push((seed + index, "it panicked".into())),
            }
        }
    };
    let all: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let frames: usize = all.iter().map(|(sum, _)| sum.frames).sum();
    let seconds: f64 = all.iter().map(|(sum, _)| sum.seconds).sum();
    let refused: usize = all.iter().map(|(sum, _)| sum.refused).sum();
    let worst = all.iter().map(|(sum, _)| sum.worst).fold(0.0, f64::max);
    let mut bad: Vec<(u64, String)> = all.into_iter().flat_map(|(_, bad)| bad).collect();
    bad.sort();
    for (seed, problem) in &bad {
        println!("seed {seed}: {problem}");
    }
    println!(
        "{count} sequences from seed {seed}: {} bad; {frames} frames, {seconds:.0} s of the stage, {refused} calls \
         refused, largest move {worst:.2} of what is allowed",
        bad.len()
    );
}

/// Physical characters that are sent about and pushed at random.
fn pushes(hours: f64, people: usize) {
    let mut stage = Stage::new(&pushed_yard(people), 1).unwrap();
    let mut random = Pcg64Mcg::seed_from_u64(7);
    let mut said = vec![0.0f64; people];
    let mut places = vec![(vec2(0.0, 0.0), 0.0f64); people];
    let (mut longest, mut events, mut resets, mut next) = (0.0f64, 0, 0, 0.0);
    while stage.time() < 3600.0 * hours {
        if stage.time() >= next {
            next = stage.time() + random.random_range(0.2..4.0);
            let who = random.random_range(0..people);
            let place = vec2(random.random_range(-8.0..8.0), random.random_range(-8.0..8.0));
            let told = match random.random_range(0..4) {
                0 => stage.command(who, Command::WalkTo(Waypoint::at(place))),
                1 => stage.command(who, Command::GetUp),
                _ => {
                    let impulse = random.random_range(5.0..90.0);
                    let direction = random.random_range(-3.0..3.0);
                    stage.command(who, Command::Push(PushOrder::new(impulse, direction)))
                }
            };
            told.unwrap();
        }
        stage.step(random.random_range(0.002..0.05));
        let time = stage.time();
        for event in stage.events() {
            events += 1;
            if let Some(who) = event.track {
                said[who] = time;
            }
        }
        for who in 0..people {
            let actor = stage.actor(who).unwrap();
            assert!(actor.models().iter().all(|joint| joint.translation.is_finite()));
            let place = actor.disc().place.position;
            let busy = !actor.is_idle();
            if !busy || place.distance(places[who].0) > 0.5 {
                places[who] = (place, time);
            }
            longest = longest.max(time - places[who].1.max(said[who]));
            if !place.is_finite() || place.length() > 10.0 {
                stage.teleport(who, Waypoint::at(vec2(0.0, 0.0))).unwrap();
                resets += 1;
            } else if time - said[who] > 120.0 && stage.reset(who).is_ok() {
                (resets, said[who]) = (resets + 1, time);
            }
        }
    }
    println!(
        "{people} people, {hours} h: {events} events, {resets} put on their feet or back, longest silence of anybody who \
         was busy and stayed in one place {longest:.1} s"
    );
}
