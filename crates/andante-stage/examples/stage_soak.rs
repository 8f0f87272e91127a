//! Does random things to stages in frames of random length, and looks whether anything breaks:
//! `cargo run --release -p andante-stage --example stage_soak -- --sequences 1000 --seed 1 [--frames 600] [--threads 2]`,
//! or `-- --hours 1 --people 8`, which pushes physical characters about and looks whether anybody is stuck in silence,
//! or `-- --walking 1 --people 500`, hours in which people are sent about, and whether memory grows,
//! or `-- --seed 7 --write FILE`, which keeps a sequence for the fuzzer's seeds, up to where it goes wrong,
//! or `-- --input FILE`, which plays what the fuzzer has kept. What is not as it should be ends it with code 1.

#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic, missing_docs)]

#[path = "../../../fuzz/checks/stage_sequence.rs"]
mod stage_sequence;

use andante_skeleton::Transform;
use andante_stage::{Actor, Command, PushOrder, Scene, Stage, Waypoint};
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
    if let [_, flag, file] = &words[..]
        && flag == "--input"
    {
        return stage_sequence::check(&std::fs::read(file).unwrap());
    }
    if let [_, seed, number, flag, file] = &words[..]
        && seed == "--seed"
        && flag == "--write"
    {
        return keep(number.parse().unwrap(), file);
    }
    let people = |usual: f64| given("--people").unwrap_or(usual) as usize;
    let seed = given("--seed").unwrap_or(1.0) as u64;
    let good = match (given("--hours"), given("--walking")) {
        (Some(hours), _) => pushes(hours, people(8.0), seed),
        (None, Some(hours)) => walking(hours, people(500.0), seed),
        (None, None) => sequences(
            given("--sequences").unwrap_or(100.0) as u64,
            seed,
            given("--frames").unwrap_or(FRAMES as f64) as usize,
            given("--threads").unwrap_or(2.0) as usize,
        ),
    };
    if !good {
        std::process::exit(1);
    }
}

/// The bytes of a sequence.
fn bytes(seed: u64, frames: usize) -> Vec<u8> {
    let mut bytes = vec![0; 8 * frames];
    Pcg64Mcg::seed_from_u64(seed).fill_bytes(&mut bytes);
    bytes
}

/// Writes a sequence, without what comes after it has gone wrong.
fn keep(seed: u64, file: &str) {
    let mut own = bytes(seed, FRAMES);
    let fails = |bytes: &[u8]| {
        catch_unwind(AssertUnwindSafe(|| play(bytes, FRAMES))).map_or(true, |done| done.is_err())
    };
    if fails(&own) {
        let (mut low, mut high) = (0, own.len());
        while low + 1 < high {
            let middle = low.midpoint(high);
            if fails(&own[..middle]) { high = middle } else { low = middle }
        }
        own.truncate(high);
    }
    std::fs::write(file, own).unwrap();
}

/// Whether nothing was bad.
fn sequences(count: u64, seed: u64, frames: usize, threads: usize) -> bool {
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
            if index % 1000 == 999 {
                println!("{} so far, {} of these bad here", index + 1, bad.len());
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
    bad.is_empty()
}

/// People who are sent about on open ground; whether memory stays what it was after ten minutes. What the system has given
/// wanders with the plans that happen to be there and with how they lie, so the most of the first half is compared with the
/// most of the second.
fn walking(hours: f64, people: usize, seed: u64) -> bool {
    let mut stage = Stage::new(&Scene::crowd_of(people, seed), seed).unwrap();
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let (mut next, mut told) = (0.0, Vec::new());
    while stage.time() < 3600.0 * hours {
        let who = random.random_range(0..people);
        if random.random_range(0.0..1.0) < 0.2 {
            let place = vec2(random.random_range(-90.0..90.0), random.random_range(-90.0..90.0));
            let command = match random.random_range(0..8) {
                0 => Command::Stop,
                1 => Command::RunTo(Waypoint::at(place)),
                2 => Command::WalkTo(Waypoint::at(place)),
                _ => Command::Patrol(vec![Waypoint::at(place), Waypoint::at(-place)]),
            };
            stage.command(who, command).unwrap();
        }
        stage.step(random.random_range(0.005..0.05));
        let finite = |actor: &Actor| actor.models().iter().all(Transform::is_finite);
        assert!(stage.present().all(finite), "somebody is nowhere");
        if stage.time() >= next {
            let megabytes = resident_megabytes();
            if next % 300.0 == 0.0 {
                println!("{:5.0} s  {megabytes:7.1} MB", stage.time());
            }
            if next >= 600.0 {
                told.push(megabytes);
            }
            next += 10.0;
        }
    }
    let (early, late) = told.split_at(told.len() / 2);
    let [early, late] = [early, late].map(|half| half.iter().copied().fold(0.0, f64::max));
    println!(
        "{people} people, {hours} h: at most {early:.1} MB in the first half after ten minutes, {late:.1} MB in the second"
    );
    !told.is_empty() && late < 1.05 * early + 2.0
}

/// What the system has given to this process.
fn resident_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0
}

/// Physical characters that are sent about and pushed at random; whether nobody was silent for a minute.
fn pushes(hours: f64, people: usize, seed: u64) -> bool {
    let mut stage = Stage::new(&pushed_yard(people), 1).unwrap();
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut said = vec![0.0f64; people];
    let mut places = vec![(vec2(0.0, 0.0), 0.0f64); people];
    let mut up = vec![0.0f64; people];
    let [mut silence, mut down, mut next] = [0.0f64; 3];
    let [mut events, mut left, mut raised] = [0; 3];
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
            assert!(actor.models().iter().all(Transform::is_finite), "somebody is nowhere");
            let place = actor.disc().place.position;
            let head =
                actor.character().rig.head.map_or(0.0, |head| actor.models()[head].translation.y);
            let lies = head < 1.0;
            // Who stands and has nothing to do need not say anything.
            if !lies && actor.is_idle() || place.distance(places[who].0) > 0.5 {
                places[who] = (place, time);
            }
            silence = silence.max(time - places[who].1.max(said[who]));
            up[who] = if lies { up[who] } else { time };
            down = down.max(time - up[who]);
            if place.length() > 10.0 {
                stage.teleport(who, Waypoint::at(vec2(0.0, 0.0))).unwrap();
                (left, up[who]) = (left + 1, time);
            } else if time - up[who] > 120.0 && stage.reset(who).is_ok() {
                (raised, up[who]) = (raised + 1, time);
            }
        }
    }
    println!(
        "{people} people, {hours} h: {events} events; longest silence of anybody who lay or was busy, in one place \
         {silence:.1} s; longest down {down:.1} s, {raised} had to be put on their feet after two minutes, {left} were \
         brought back who had left the yard"
    );
    silence <= 60.0
}
