//! Many people, and worlds that change around them.

#![allow(clippy::unwrap_used)]

use andante_stage::{Command, EventKind, FPS, Scene, Stage, Waypoint, read_scene};
use andante_world::{Obstacle, ObstacleShape};
use glam::{Vec2, Vec3, vec2};

const YARD: &str = "version = 1\nname = \"yard\"\n\
    [[platform]]\noutline = [[-10, -10], [10, -10], [10, 60], [-10, 60]]\n\
    [[obstacle]]\nname = \"box\"\nat = [8, 0, 50]\nbox = [1, 1, 1]\n\
    [[character]]\nname = \"a\"\nstart = { at = [0, 0], heading = 0 }\n\
    [[character]]\nname = \"b\"\nstart = { at = [3, 0], heading = 0 }\n";

fn boxed(at: Vec2) -> Obstacle {
    let at = Vec3::new(at.x, 0.0, at.y);
    Obstacle { name: "box".into(), shape: ObstacleShape::Box(Vec3::ONE), at, heading: 0.0 }
}

#[test]
fn a_box_that_is_nudged_far_away_disturbs_nobody() {
    let [mut still, mut nudged] = [0, 1].map(|_| {
        let mut stage = Stage::new(&read_scene(YARD).unwrap(), 1).unwrap();
        stage.command(0, Command::WalkTo(Waypoint::at(vec2(0.0, 9.0)))).unwrap();
        stage.command(1, Command::RunTo(Waypoint::at(vec2(4.0, 40.0)))).unwrap();
        stage
    });
    for frame in 0..900 {
        nudged.place_obstacle(boxed(vec2(8.0 + 0.2 * (frame as f32 * 0.1).sin(), 50.0))).unwrap();
        still.step(1.0 / FPS);
        nudged.step(1.0 / FPS);
        for (a, b) in still.actors().iter().zip(nudged.actors()) {
            assert_eq!(a.models(), b.models(), "{} at {frame}", a.name());
        }
    }
    assert!(still.actors()[0].is_idle());
}

#[test]
fn everybody_of_a_crowd_that_is_told_at_once_moves_within_two_seconds() {
    let mut stage = Stage::new(&Scene::crowd_of(300, 3), 1).unwrap();
    let starts: Vec<Vec2> =
        stage.actors().iter().map(|actor| actor.disc().place.position).collect();
    for _ in 0..120 {
        stage.step(1.0 / FPS);
        assert!(!stage.events().iter().any(|event| matches!(event.kind, EventKind::Failed(_))));
    }
    for (actor, start) in stage.actors().iter().zip(starts) {
        let gone = actor.disc().place.position.distance(start);
        let turns = actor.disc().turn_rate.abs() > 0.01;
        assert!(gone > 0.01 || actor.disc().speed > 0.05 || turns, "{}: {gone} m", actor.name());
    }
}
