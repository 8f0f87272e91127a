//! Feet of a gait that is led on the fly, over ground and in frames as they come.
#![allow(clippy::unwrap_used)]

use andante_motion::repertoire::built_in;
use andante_play::FeetSettings;
use andante_play::blend_space::{GaitPlayer, PlayerOptions};
use andante_play::change_over::{ChangeOver, ChangeOverSettings, SpliceSource};
use andante_play::feet::GaitPlane;
use andante_skeleton::{Ground, Hit, Transform, humanoid_of_height};
use glam::Vec3;
use std::sync::Arc;

/// Ground of surfaces above each other, each a height at a place or none.
struct Layers(Vec<fn(Vec3) -> Option<f32>>);

impl Ground for Layers {
    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
        let heights = self.0.iter().filter_map(|layer| layer(from));
        let below = heights.filter(|y| !y.is_finite() || (from.y - depth..=from.y).contains(y));
        let height = below.max_by(f32::total_cmp)?;
        Some(Hit { point: from.with_y(height), normal: Vec3::Y })
    }
}

fn slope(at: Vec3) -> Option<f32> {
    Some(0.06 * at.z)
}

/// A foot in a frame: its ankle as the gait has it and as it is shown, and whether it is shown on the ground.
struct WalkedFoot {
    ankles: [Vec3; 2],
    down: bool,
}

/// Walks over ground in frames of some seconds each, and looks at the feet in each of them.
fn walked(
    height: f32,
    speed: f32,
    ground: &Layers,
    frames: impl Iterator<Item = f32>,
    mut look: impl FnMut(WalkedFoot),
) {
    let human = humanoid_of_height(height);
    let repertoire = Arc::new(built_in(&human).unwrap());
    let mut player = GaitPlayer::new(Arc::clone(&repertoire), PlayerOptions::default()).unwrap();
    let mut change =
        ChangeOver::new(&repertoire, ChangeOverSettings::default(), FeetSettings::default());
    let mut pose = vec![Transform::IDENTITY; human.skeleton.len()];
    let mut own = pose.clone();
    for dt in frames {
        player.advance(dt, speed, 0.0);
        player.write_pose(&mut pose);
        let plane_height = 0.06 * player.placement().position.y;
        pose[0].translation.y += plane_height;
        let down = |foot: usize| player.contact(foot);
        let below = |point: Vec3| ground.height_below(point + 0.15 * Vec3::Y, 2.0);
        let plane = Some(GaitPlane { height: plane_height, player: &player, ground });
        let source = SpliceSource {
            down: &down,
            ground: &below,
            most: f32::INFINITY,
            plane,
            dt,
            left_out: 0..0,
        };
        human.skeleton.local_to_model(&pose, &mut own);
        change.apply(&repertoire, &mut pose, &source);
        assert!(change.models().iter().all(|joint| joint.translation.is_finite()), "{dt} s");
        for (index, foot) in human.rig.feet.iter().enumerate() {
            let ankles = [&own[..], change.models()].map(|models| models[foot.ankle()].translation);
            look(WalkedFoot { ankles, down: change.contact(index) != [false; 2] });
        }
    }
}

#[test]
fn feet_are_not_left_behind_in_frames_as_long_as_a_round_of_the_gait() {
    for speed in [1.0, 1.4, 3.0, 4.0] {
        for dt in [0.5, 0.55, 0.6, 0.65, 0.9, 0.95, 1.0] {
            let mut far = 0.0f32;
            walked(1.75, speed, &Layers(vec![slope]), (0..80).map(|_| dt), |own| {
                far = far.max(own.ankles[0].distance(own.ankles[1]));
            });
            // A foot may be a stride behind, but it does not stay there.
            assert!(far < 1.5, "{speed} m/s, frames of {dt} s: {far} m behind");
        }
    }
}

#[test]
fn frames_and_ground_that_are_no_numbers_leave_everything_finite() {
    // A patch of no height, and none that a step leads to.
    let patch = |at: Vec3| (1.0..1.6).contains(&at.z).then_some(f32::NAN);
    let odd = [f32::NAN, -0.5, f32::INFINITY, f32::NEG_INFINITY, 0.0];
    let frames = (0..300).map(|frame| match frame % 7 {
        3 => odd[frame / 7 % odd.len()],
        _ => 1.0 / 60.0,
    });
    let mut farthest = 0.0f32;
    let ground = Layers(vec![slope, patch]);
    walked(1.75, 1.4, &ground, frames, |own| farthest = farthest.max(own.ankles[1].z));
    assert!(farthest > 3.0, "it got to {farthest} m");
}

#[test]
fn feet_stay_below_what_is_too_high_for_a_step() {
    for height in [1.2, 1.75] {
        let shelf = |at: Vec3| (at.z > 1.0).then_some(0.06 * at.z + 0.42);
        let ground = Layers(vec![slope, shelf]);
        let mut highest = 0.0f32;
        walked(height, 1.2, &ground, (0..240).map(|_| 1.0 / 60.0), |own| {
            let above = own.ankles[1].y - own.ankles[0].y;
            highest = if own.down { highest.max(above) } else { highest };
        });
        assert!(highest < 0.15, "{height} m: {highest} m above the gait");
    }
}
