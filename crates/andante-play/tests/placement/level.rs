//! Where the ground is the floor of the source, next to nothing is changed.

use crate::common::{captured, horse, terrain};
use crate::oracle::{Sliding, moved, soles};
use crate::source::{Layered, Seeded, Source};
use andante_motion::synth;

/// Largest distance of a joint from the source, and how far soles slid before and after, in metres.
fn play(source: Source, seconds: f32, seed: u64) -> (f32, Sliding, Sliding) {
    let floor = source.floor;
    let ground = terrain("floor", move |_| floor).ground;
    let mut layered = Layered::new(source);
    let mut seeded = Seeded::new(seed);
    let (mut farthest, mut time) = (0.0f32, 0.0);
    let (mut before, mut after) = (Sliding::default(), Sliding::default());
    let mut last = Vec::new();
    while time < seconds {
        let dt = seeded.frame();
        time += dt;
        layered.step(dt, &*ground);
        let character = &layered.source.character;
        farthest = farthest.max(moved(character, &layered.before, &layered.pose));
        let [a, b] = [&layered.before, &layered.pose].map(|pose| soles(character, pose));
        // Points that are low and slow stand.
        let down: Vec<[bool; 3]> = a
            .iter()
            .enumerate()
            .map(|(foot, sole)| {
                [0, 1, 2].map(|point| {
                    let slow = last.get(foot).is_some_and(|was: &[glam::Vec3; 3]| {
                        was[point].distance(sole[point]) < 0.2 * dt
                    });
                    slow && sole[point].y < floor + 0.015
                })
            })
            .collect();
        last = a.clone();
        before.add(a, &down);
        after.add(b, &down);
    }
    (farthest, before, after)
}

fn is_level(source: Source, seconds: f32, most: f32) -> bool {
    let name = source.name.clone();
    let (farthest, before, after) = play(source, seconds, 7);
    println!(
        "{name}: {:.1} mm; slid {:.1} of {:.1} mm, at most {:.1} of {:.1}",
        1e3 * farthest,
        1e3 * after.total,
        1e3 * before.total,
        1e3 * after.largest,
        1e3 * before.largest
    );
    farthest < most && after.total < before.total + 2e-3 && after.largest < before.largest + 1e-3
}

#[test]
fn built_in_clips_are_nearly_themselves_on_their_floor() {
    let mut wrong = 0;
    for name in synth::NAMES {
        for rate in [0.6, 1.0, 1.4] {
            wrong += u32::from(!is_level(Source::built_in(name, rate), 6.0, 0.012));
        }
    }
    assert_eq!(wrong, 0);
}

#[test]
fn captured_walks_are_nearly_themselves_on_their_floor() {
    let mut wrong = 0;
    for take in ["15", "21", "11", "35"] {
        let Some(case) = captured(&format!("cmu/16/16_{take}.bvh")) else { continue };
        let seconds = case.clip.clip().duration();
        wrong += u32::from(!is_level(Source::of(&case, 1.0), seconds, 0.012));
    }
    assert_eq!(wrong, 0);
}

#[test]
fn a_horse_is_nearly_itself_on_its_floor() {
    for clip in ["Walk", "Run"] {
        let Some(case) = horse(clip) else { continue };
        assert!(is_level(Source::of(&case, 1.0), 5.0, 0.012), "{clip}");
    }
}
