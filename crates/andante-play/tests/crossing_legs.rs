//! A motion that crosses the legs of who it moves is shown with legs that pass each other.
#![allow(clippy::unwrap_used)]

use andante_play::FeetSettings;
use andante_play::change_over::{ChangeOver, ChangeOverSettings, SpliceSource};
use andante_skeleton::{Transform, humanoid_of_height};
use glam::{Quat, Vec3};

/// The least distance between points of the two shins, and the farthest any ankle goes in a frame, while a foot swings through
/// the other leg and back in so many seconds.
fn swung(height: f32, foot: usize, seconds: f32, fps: f32) -> [f32; 2] {
    let human = humanoid_of_height(height);
    let repertoire = andante_motion::repertoire::built_in(&human).unwrap();
    let mut change =
        ChangeOver::new(&repertoire, ChangeOverSettings::default(), FeetSettings::default());
    let rest: Vec<Transform> = human.skeleton.joints().iter().map(|joint| joint.rest).collect();
    let shin = |foot: usize, models: &[Transform]| {
        let leg = &human.rig.feet[foot].leg;
        let [knee, ankle] = [leg[1], leg[2]].map(|joint| models[joint].translation);
        (0..=8).map(|k| knee.lerp(ankle, k as f32 / 8.0)).collect::<Vec<Vec3>>()
    };
    let (mut least, mut quickest) = (f32::INFINITY, 0.0f32);
    let mut before: Option<Vec3> = None;
    let frames = (seconds * fps) as usize;
    for frame in 0..=frames {
        let part = frame as f32 / frames as f32;
        // Inwards and a little ahead, so that the foot passes.
        let inwards =
            0.2 * (std::f32::consts::PI * part).sin() * if foot == 0 { -1.0 } else { 1.0 };
        let mut pose = rest.clone();
        let hip = human.rig.feet[foot].leg[0];
        pose[hip].rotation = Quat::from_rotation_z(inwards)
            * Quat::from_rotation_x(0.8 * (part - 0.5))
            * pose[hip].rotation;
        let down = |other: usize| [other != foot; 2];
        let (ground, dt) = (|_: Vec3| None, 1.0 / fps);
        let played = SpliceSource {
            down: &down,
            ground: &ground,
            most: f32::INFINITY,
            plane: None,
            dt,
            left_out: 0..0,
        };
        change.apply(&repertoire, &mut pose, &played);
        let shins = [0, 1].map(|foot| shin(foot, change.models()));
        for a in &shins[0] {
            least = shins[1].iter().map(|b| a.distance(*b)).fold(least, f32::min);
        }
        let ankle = shins[foot][8];
        if let Some(before) = before.replace(ankle) {
            quickest = quickest.max(fps * ankle.distance(before));
        }
    }
    [least, quickest]
}

#[test]
fn legs_that_a_motion_crosses_pass_each_other_at_any_size_side_and_frame_time() {
    for height in [1.2, 1.75, 2.1] {
        for foot in [0, 1] {
            for (seconds, fps) in [(0.5, 60.0), (0.8, 60.0), (0.6, 120.0), (0.8, 30.0)] {
                let [least, quickest] = swung(height, foot, seconds, fps);
                let scale = height / 1.75;
                let what = format!(
                    "{height} m, foot {foot}, {seconds} s at {fps}: {least} m, {quickest} m/s"
                );
                // Captured people keep 70 mm, and an ankle that goes round another leg is no faster than in a walk.
                assert!(least > 0.06 * scale, "{what}");
                assert!(quickest < 4.0 * scale, "{what}");
            }
        }
    }
}
