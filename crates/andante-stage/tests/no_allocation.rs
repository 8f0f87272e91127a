//! Steps of a stage reuse what they have.

#![allow(clippy::unwrap_used)]

use andante_stage::{Command, FPS, Stage, Waypoint, read_scene};
use glam::vec2;

const YARD: &str = "version = 1\nname = \"yard\"\n\
    [[platform]]\noutline = [[-12, -4], [12, -4], [12, 40], [-12, 40]]\n\
    [[obstacle]]\nname = \"box\"\nat = [3, 0, 6]\nbox = [1, 2, 1]\n\
    [[character]]\nname = \"a\"\nstart = { at = [0, 0], heading = 0 }\n\
    [[character]]\nname = \"b\"\nstart = { at = [-6, 0], heading = 0 }\n\
    [[character]]\nname = \"c\"\nstart = { at = [8, 0], heading = 0 }\n\
    [[character]]\nname = \"d\"\nstart = { at = [10, 0], heading = 0 }\n";

/// Frames of those in which anything is allocated, of so many.
fn allocating(stage: &mut Stage, frames: usize) -> usize {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    one.install(|| {
        let step =
            |_: &usize| allocation_counter::measure(|| stage.step(1.0 / FPS)).count_total > 0;
        (0..frames).filter(step).count()
    })
}

#[test]
fn those_who_walk_by_plan_or_are_led_or_follow_or_stand_allocate_nothing() {
    let mut stage = Stage::new(&read_scene(YARD).unwrap(), 1).unwrap();
    let post = Waypoint { place: vec2(0.0, 36.0), height: None, heading: None };
    stage.command(0, Command::WalkTo(post)).unwrap();
    stage.steer(1, 1.2, 0.05).unwrap();
    stage.steer(2, 1.1, 0.0).unwrap();
    stage.command(3, Command::Follow { whom: 2.into(), distance: 2.0 }).unwrap();
    for _ in 0..120 {
        stage.step(1.0 / FPS);
    }
    // Steering and following go on, and the walk is not over yet.
    assert_eq!(allocating(&mut stage, 150), 0);
    stage.command(1, Command::Stop).unwrap();
    stage.command(2, Command::Stop).unwrap();
    stage.command(3, Command::Stop).unwrap();
    for _ in 0..180 {
        stage.step(1.0 / FPS);
    }
    assert_eq!(allocating(&mut stage, 60), 0);
    assert!(stage.actors()[0].doing().starts_with("walk_to"));
    assert!(stage.actors()[1..].iter().all(|actor| actor.is_idle()));
}
