//! Who goes from place to place goes through them.

#![allow(clippy::unwrap_used)]

use andante_check::{CheckSettings, check};
use andante_stage::{EventKind, PlayOptions, Scene, Take, play, read_scene};
use glam::{Vec2, vec2};

/// Numbers from a seed, the same everywhere.
struct Random(u32);

impl Random {
    fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        low + (high - low) * (self.0 >> 8) as f32 / (1u32 << 24) as f32
    }
}

fn yard(command: &str, places: &[Vec2], rest: &str) -> Scene {
    let places: Vec<[f32; 2]> = places.iter().map(|place| place.to_array()).collect();
    let text = format!(
        "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[-20, -20], [20, -20], [20, 20], [-20, 20]]\n\
         [[character]]\nname = \"ann\"\nstart = {{ at = [0, 0] }}\n\
         [[command]]\nwho = \"ann\"\n{command} = {places:?}\n{rest}"
    );
    read_scene(&text).unwrap()
}

/// What became of a scene, checked by who has not planned it: when places were reached, and for how long it stood between the
/// first and the last of them, in seconds.
fn walked(scene: &Scene, encore: f32) -> (Take, Vec<f32>, f32) {
    let take = play(scene, 1, &PlayOptions { encore, ..PlayOptions::default() }, |_| true).unwrap();
    let verdict = check(&take, Some(&scene.demand()), &CheckSettings::default()).unwrap();
    assert!(verdict.violations.is_empty(), "{}: {:?}", scene.name, verdict.violations);
    let arrived = take.events.iter().filter(|event| event.kind == EventKind::Arrived);
    let times: Vec<f32> = arrived.map(|event| event.time).collect();
    let frame = |time: &f32| (time * take.head.fps) as usize;
    let between = 90..times.last().map_or(0, frame).max(90);
    let body = &take.tracks[0].body;
    let still = between.filter(|&at| {
        at + 1 < body.len()
            && body[at].position.distance(body[at + 1].position) * take.head.fps < 0.05
            && (body[at].heading - body[at + 1].heading).abs() * take.head.fps < 0.05
    });
    let still = still.count() as f32 / take.head.fps;
    (take, times, still)
}

fn waits(take: &Take) -> Vec<String> {
    let words = |kind: &EventKind| match kind {
        EventKind::Waits(why) => Some(why.clone()),
        _ => None,
    };
    take.events.iter().filter_map(|event| words(&event.kind)).collect()
}

/// A side of 4 m took 6.8 s: three for the turn at a corner, and one to stand before and after it.
#[test]
fn a_patrol_goes_round_its_corners_in_a_bend() {
    let places = [vec2(0.0, 4.0), vec2(4.0, 4.0), vec2(4.0, 0.0), vec2(0.0, 0.0)];
    let (take, times, still) = walked(&yard("patrol", &places, ""), 30.0);
    let sides: Vec<f32> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    println!("square: {sides:?}, still {still}");
    assert!(sides.len() >= 6 && sides.iter().all(|side| *side < 4.6), "{sides:?}");
    assert!(still < 0.1 && waits(&take).is_empty(), "{still} s, {:?}", waits(&take));
}

/// There and back, 4 m took 8.1 s.
#[test]
fn a_patrol_there_and_back_turns_round_and_goes_on() {
    let (take, times, still) = walked(&yard("patrol", &[vec2(0.0, 4.0), vec2(0.0, 0.0)], ""), 30.0);
    let sides: Vec<f32> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    println!("there and back: {sides:?}, still {still}");
    assert!(sides.len() >= 4 && sides.iter().all(|side| *side < 5.6), "{sides:?}");
    assert!(still < 0.5 && waits(&take).is_empty(), "{still} s, {:?}", waits(&take));
}

/// A path of 9 m with two hairpins took 18.7 s.
#[test]
fn a_path_with_hairpins_is_gone_in_one_go() {
    let places = [vec2(0.0, 3.0), vec2(0.2, 0.0), vec2(0.4, 3.0)];
    let (take, times, still) = walked(&yard("path", &places, ""), 0.0);
    println!("hairpins: {times:?}, still {still}");
    assert!(times.len() == 1 && times[0] < 13.5, "{times:?}");
    assert!(still < 0.8 && waits(&take).is_empty(), "{still} s, {:?}", waits(&take));
}

#[test]
fn paths_and_patrols_of_any_kind_are_gone_through_without_a_stand() {
    let mut shown = String::new();
    for seed in 0..std::env::var("ANDANTE_FLOWS").map_or(8, |count| count.parse().unwrap()) {
        let mut random = Random(seed);
        let (mut heading, mut at) = (0.0f32, Vec2::ZERO);
        let mut places = Vec::new();
        for _ in 0..4 {
            at += random.between(1.5, 3.5) * vec2(heading.sin(), heading.cos());
            places.push(at);
            heading +=
                random.between(0.3, 3.1) * if random.between(0.0, 1.0) < 0.5 { -1.0 } else { 1.0 };
        }
        let corners = places.len() as f32 - 1.0;
        let length: f32 = places[0].length()
            + places.windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f32>();
        let (take, times, still) = walked(&yard("path", &places, ""), 0.0);
        // As long as it takes to go there, to set off and to stop, and to turn back at every corner.
        let most = length / 1.25 + 2.5 + 2.8 * corners;
        shown += &format!(
            "path {seed}: {length:.1} m in {times:?}, at most {most:.1}, still {still:.2}\n"
        );
        assert!(times.len() == 1 && times[0] < most, "path {seed}: {times:?}, {most}");
        assert!(still < 0.4 * (1.0 + corners) && waits(&take).is_empty(), "path {seed}: {still} s");

        let count = 2 + random.between(0.0, 3.99) as usize;
        let mut free = || vec2(random.between(-6.0, 6.0), random.between(-6.0, 6.0));
        let places: Vec<Vec2> = (0..count).map(|_| free()).collect();
        let mut posts = String::new();
        for _ in 0..4 {
            let at = free();
            if places.iter().chain([&Vec2::ZERO]).all(|place| place.distance(at) > 1.5) {
                posts += &format!(
                    "[[obstacle]]\nat = [{}, 0, {}]\nradius = 0.3\ntall = 2\n",
                    at.x, at.y
                );
            }
        }
        let (take, times, still) = walked(&yard("patrol", &places, &posts), 30.0);
        let legs = times.windows(2).zip(places.iter().cycle().zip(places.iter().cycle().skip(1)));
        let mut slowest = 0.0f32;
        for (pair, (from, to)) in legs {
            slowest = slowest.max(pair[1] - pair[0] - from.distance(*to) / 1.25);
        }
        shown += &format!(
            "patrol {seed}: {} places passed, a corner costs at most {slowest:.2} s, still {still:.2}, {:?}\n",
            times.len(),
            waits(&take)
        );
        assert!(
            slowest < 4.5 && waits(&take).is_empty(),
            "patrol {seed}: {slowest} s, {:?}",
            waits(&take)
        );
    }
    println!("{shown}");
}
