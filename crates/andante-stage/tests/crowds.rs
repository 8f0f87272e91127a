//! Many people in one place.

#![allow(clippy::unwrap_used)]

mod gatherings;

use andante_stage::{EventKind, FPS, PlayOptions, Scene, Stage, play, read_scene};
use gatherings::Gathering;
use std::fmt::Write;

/// Two rooms, a door of 1.2 m between them, and people who change rooms: places from a small generator of our own.
fn rooms(seed: u64, people: usize) -> Scene {
    let mut text = String::from(
        "version = 1\nname = \"rooms\"\n[[platform]]\noutline = [[-6, -8], [6, -8], [6, 8], [-6, 8]]\n\
         [[obstacle]]\nname = \"left\"\nat = [3.3, 0, 0]\nbox = [5.4, 2.5, 0.2]\n\
         [[obstacle]]\nname = \"right\"\nat = [-3.3, 0, 0]\nbox = [5.4, 2.5, 0.2]\n",
    );
    let mut state = seed.wrapping_add(77);
    let mut random = |low: f32, high: f32| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        low + (high - low) * (state >> 40) as f32 / (1u64 << 24) as f32
    };
    let mut taken: [Vec<[f32; 2]>; 2] = Default::default();
    for person in 0..people {
        let side = if person % 2 == 0 { 1.0 } else { -1.0 };
        let ends = [0, 1].map(|end| {
            let side = if end == 0 { side } else { -side };
            loop {
                let at = [random(-5.0, 5.0), side * random(3.2, 7.2)];
                let far = |other: &[f32; 2]| (other[0] - at[0]).hypot(other[1] - at[1]) > 1.1;
                if taken[end].iter().all(far) {
                    taken[end].push(at);
                    return at;
                }
            }
        });
        let heading = if side > 0.0 { 180 } else { 0 };
        let [[x, z], [to_x, to_z]] = ends;
        writeln!(
            text,
            "[[character]]\nname = \"{person}\"\nstart = {{ at = [{x}, {z}], heading = {heading} }}\n\
             goal = {{ at = [{to_x}, {to_z}] }}\nrun = false"
        )
        .unwrap();
    }
    read_scene(&text).unwrap()
}

#[test]
fn twenty_people_pass_a_door_both_ways_and_nobody_walks_through_another() {
    for seed in 0..2 {
        let mut stage = Stage::new(&rooms(seed, 20), seed).unwrap();
        let mut deepest = 0.0f32;
        while !stage.is_over() && stage.time() < 240.0 {
            stage.step(1.0 / FPS);
            let failed = |kind: &EventKind| matches!(kind, EventKind::Failed(_));
            assert!(!stage.events().iter().any(|event| failed(&event.kind)), "{seed}");
            for (index, a) in stage.actors().iter().enumerate() {
                for b in &stage.actors()[..index] {
                    let apart = a.disc().place.position.distance(b.disc().place.position);
                    deepest = deepest.max(a.radius() + b.radius() - apart);
                }
            }
        }
        for actor in stage.actors() {
            let away = actor.goal().unwrap().position.distance(actor.disc().place.position);
            assert!(away < 0.35, "{seed}: {} is {away} m away", actor.name());
        }
        assert!(deepest < 0.02, "{seed}: {deepest} m");
    }
}

#[test]
fn everybody_in_the_crowd_comes_to_where_they_want_to() {
    let scene = Scene::built_in("crowd").unwrap();
    let take = play(&scene, 1, &PlayOptions::default(), |_| true).unwrap();
    for (track, metrics) in take.tracks.iter().zip(take.metrics()) {
        let away = metrics.goal_error_m.unwrap();
        assert!(away < 0.35, "{} is {away} m away", track.name);
        // A detour, but no wandering about.
        let straight = track.body[0].position.distance(track.goal.unwrap().place.position);
        assert!(metrics.way_m < 2.0 * straight, "{}: {} m", track.name, metrics.way_m);
    }
}

/// However they are held up, nobody gets into another or gives up.
#[test]
fn in_a_crowd_on_a_square_nobody_walks_through_another_or_gives_up() {
    for (people, seed) in [(50, 0), (50, 1), (200, 2)] {
        let outcome = Gathering::square(people, seed).play(seed, 1.0);
        assert!(outcome.deepest < 0.02, "{people}, {seed}: {outcome}");
        assert_eq!(outcome.failed, 0, "{people}, {seed}: {outcome}");
        assert!(outcome.metres > 5.0 * people as f32, "{people}, {seed}: {outcome}");
    }
}

/// Streams that crossed jammed: each stood before the other, turned, and stood again. Times are multiples of what everybody
/// needs who is alone and faces its way; about a third more is lost by turning to it and by setting off.
#[test]
fn people_whose_ways_cross_come_to_where_they_want_to() {
    let share = |gatherings: [Gathering; 2], times: f32| {
        let within = |(seed, own): (u64, Gathering)| own.play(seed, times).within(times);
        (5..).zip(gatherings).map(within).sum::<f32>() / 2.0
    };
    let square = share([5, 6].map(|seed| Gathering::square(100, seed)), 4.0);
    assert!(square > 0.85, "{square}");
    let streams = share([5, 6].map(|seed| Gathering::streams(40, seed)), 4.0);
    assert!(streams > 0.75, "{streams}");
    let circle = share([Gathering::circle(12, 5.0), Gathering::circle(12, 7.0)], 5.0);
    assert!(circle > 0.75, "{circle}");
}

/// Who stood a step beside its place, close to somebody else, set off for it and stopped for seven minutes: hips sway
/// towards the other before they leave.
#[test]
fn people_who_stand_close_to_each_other_come_to_their_places() {
    for seed in 0..3 {
        let outcome = Gathering::row(12, seed).play(seed, 6.0);
        assert_eq!(outcome.within(6.0), 1.0, "{seed}: {outcome}");
    }
}

/// Two who stood face to face, each near the other's goal, waited for ten minutes for the other to leave.
#[test]
fn two_who_stand_where_the_other_wants_to_go_round_each_other() {
    for (apart, beyond) in [(0.87, 0.47), (0.87, 0.1), (1.1, 0.3)] {
        for heading in [0.0, 0.22, -0.22f32] {
            let turned = |z: f32| z * glam::vec2(heading.sin(), heading.cos());
            let places = [0.0, apart + beyond, apart, -beyond].map(turned);
            let mut text = String::from(
                "version = 1\nname = \"two\"\n[[platform]]\noutline = [[-6, -6], [6, -6], [6, 6], [-6, 6]]\n",
            );
            for (who, way) in places.chunks(2).enumerate() {
                let degrees = heading.to_degrees() + 180.0 * who as f32;
                writeln!(
                    text,
                    "[[character]]\nname = \"{who}\"\nstart = {{ at = [{}, {}], heading = {degrees} }}\ngoal = {{ at = [{}, {}] }}\nrun = false",
                    way[0].x, way[0].y, way[1].x, way[1].y
                )
                .unwrap();
            }
            let mut stage = Stage::new(&read_scene(&text).unwrap(), 1).unwrap();
            while !stage.is_over() && stage.time() < 60.0 {
                stage.step(1.0 / FPS);
            }
            assert!(stage.is_over(), "{apart} {beyond} {heading}");
        }
    }
}

/// What everybody is about to ask for is found out on all cores beforehand.
#[test]
fn a_crowd_goes_the_same_ways_on_one_thread_and_on_several() {
    let gathering = Gathering::square(100, 3);
    let [one, two, four] = [1, 2, 4].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut stage = Stage::new(&gathering.scene, 3).unwrap();
            (0..600).for_each(|_| stage.step(1.0 / FPS));
            let bits = |actor: &andante_stage::Actor| {
                let joints = actor.models().iter().flat_map(|joint| joint.translation.to_array());
                joints.map(f32::to_bits).collect::<Vec<_>>()
            };
            stage.actors().iter().flat_map(bits).collect::<Vec<_>>()
        })
    });
    assert!(one == two && two == four);
}
