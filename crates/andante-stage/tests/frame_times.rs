//! Frames may last as long or as short as they like.

#![allow(clippy::unwrap_used)]

use andante_skeleton::Transform;
use andante_stage::{Command, PushOrder, Stage, Waypoint, read_scene};
use glam::vec2;

const YARD: &str = "version = 1\nname = \"yard\"\n\
    [[platform]]\noutline = [[-12, -12], [12, -12], [12, 12], [-12, 12]]\n\
    [[character]]\nname = \"ann\"\nstart = { at = [0, 0], heading = 0 }\nbody = \"physical_when_touched\"\n";

fn stage() -> Stage {
    Stage::new(&read_scene(YARD).unwrap(), 1).unwrap()
}

/// The farthest that a joint has moved.
fn moved(before: &[Transform], after: &[Transform]) -> f32 {
    let far = before.iter().zip(after).map(|(a, b)| a.translation.distance(b.translation));
    far.fold(0.0, f32::max)
}

/// The farthest that a joint moves in a frame of those after somebody who walks is told something else in a frame of `tiny`
/// seconds.
fn largest_move(command: &Command, tiny: f32, before: usize) -> f32 {
    let mut stage = stage();
    stage.command(0, Command::WalkTo(Waypoint::at(vec2(0.0, 9.0)))).unwrap();
    (0..before).for_each(|_| stage.step(1.0 / 60.0));
    stage.command(0, command.clone()).unwrap();
    let mut largest = 0.0f32;
    for frame in 0..90 {
        let shown = stage.actors()[0].models().to_vec();
        stage.step(if frame % 30 == 0 { tiny } else { 1.0 / 60.0 });
        largest = largest.max(moved(&shown, stage.actors()[0].models()));
    }
    largest
}

/// A frame of 0.01 ms when a command came threw a joint 31 m: what two frames had moved was divided by it.
#[test]
fn a_short_frame_when_a_command_comes_throws_no_joint() {
    let commands = [
        Command::RunTo(Waypoint::at(vec2(6.0, 2.0))),
        Command::Stop,
        Command::WalkTo(Waypoint::at(vec2(-5.0, -1.0))),
        Command::Push(PushOrder::new(15.0, 1.0)),
    ];
    for command in &commands {
        for before in [70, 81, 95] {
            let usual = largest_move(command, 1.0 / 60.0, before);
            for tiny in [0.0, 1e-38, 1e-9, 1e-6, 1e-5, 1e-4, 6e-4, 1e-3] {
                let largest = largest_move(command, tiny, before);
                assert!(
                    largest < 1.5 * usual + 0.03,
                    "{command}, {tiny} s: {largest} m, {usual} m"
                );
            }
        }
    }
}

#[test]
fn no_time_changes_nothing() {
    let mut stage = stage();
    stage.command(0, Command::WalkTo(Waypoint::at(vec2(0.0, 9.0)))).unwrap();
    (0..80).for_each(|_| stage.step(1.0 / 60.0));
    let (shown, time) = (stage.actors()[0].pose().to_vec(), stage.time());
    for dt in [0.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-9] {
        stage.step(dt);
        assert_eq!(stage.actors()[0].pose(), shown, "{dt}");
        assert!(stage.time() == time && stage.events().is_empty());
    }
}

/// Time that is too short to be a step is not lost, and a long frame is as many shorter ones.
#[test]
fn time_passes_alike_in_frames_of_any_length() {
    let walk = |frames: &mut dyn Iterator<Item = f32>| {
        let mut stage = stage();
        stage.command(0, Command::WalkTo(Waypoint::at(vec2(0.0, 9.0)))).unwrap();
        while stage.time() < 4.0 {
            stage.step(frames.next().unwrap());
        }
        stage.actors()[0].disc().place.position
    };
    let usual = walk(&mut std::iter::repeat(1.0 / 60.0));
    let mixed = [1e-5, 0.3, 1.0 / 60.0, 1e-4, 0.01, 0.002];
    for (name, mut frames) in [
        ("tiny", Box::new(std::iter::repeat(1e-4f32)) as Box<dyn Iterator<Item = f32>>),
        ("long", Box::new(std::iter::repeat(0.5f32))),
        ("mixed", Box::new(mixed.into_iter().cycle())),
    ] {
        let place = walk(&mut frames);
        assert!(place.distance(usual) < 0.9, "{name}: {place}, {usual}");
    }
}

/// Forces have a clock of their own, of 1/240 s; in shorter frames who falls moved by a whole step of it or not at all.
#[test]
fn whom_forces_move_moves_evenly_in_frames_shorter_than_their_steps() {
    for tiny in [6e-4f32, 1e-3, 1.7e-3] {
        let mut stage = stage();
        stage.command(0, Command::Push(PushOrder::new(200.0, 1.0))).unwrap();
        let mut shown: Vec<Vec<Transform>> = Vec::new();
        let mut fastest = 0.0f32;
        while stage.time() < 1.5 {
            stage.step(tiny);
            shown.push(stage.actors()[0].models().to_vec());
            let [.., before, after] = &shown[..] else { continue };
            fastest = fastest.max(moved(before, after) / tiny);
        }
        // Two metres fall in a second and a half: nothing here is as fast as a whole step in such a frame would be.
        assert!((1.0..14.0).contains(&fastest), "{tiny}: {fastest} m/s");
        let still = shown.windows(2).filter(|two| moved(&two[0], &two[1]) == 0.0).count();
        assert!(still <= 3, "{tiny}: nothing moved in {still} frames of {}", shown.len());
    }
}
