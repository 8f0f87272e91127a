//! Clips that lead from one motion to another begin in the one and end in the other.

use crate::{in_place, made};
use andante_skeleton::{Clip, Transform, humanoid, rotation};

/// A pose and the change to the next, both as if the root were above the origin.
fn beginning(clip: &Clip) -> [Vec<Transform>; 2] {
    [relative(clip, 0, 0), relative(clip, 0, 1)]
}

/// The same at the end.
fn ending(clip: &Clip) -> [Vec<Transform>; 2] {
    let last = clip.frame_count() - 1;
    [relative(clip, last, last), relative(clip, last, last - 1)]
}

/// A frame as seen from the ground under the root of another.
fn relative(clip: &Clip, origin: usize, frame: usize) -> Vec<Transform> {
    let mut pose = clip.frame(frame).to_vec();
    let placed = andante_skeleton::Planar::from_transform(&clip.frame(origin)[0]);
    pose[0] = placed.to_transform().inverse() * pose[0];
    pose
}

fn assert_same(a: &[Transform], b: &[Transform], metres: f32, radians: f32, what: &str) {
    for (joint, (a, b)) in a.iter().zip(b).enumerate() {
        let apart = a.translation.distance(b.translation);
        assert!(apart < metres, "{what}: joint {joint} is {apart} m off");
        let turned = rotation::angle_between(a.rotation, b.rotation);
        assert!(turned < radians, "{what}: joint {joint} is {turned} rad off");
    }
}

#[test]
fn clips_begin_and_end_where_others_do() {
    let human = humanoid();
    let clip = |name: &str| made(&human, name).clip;
    let (stand, walk, run) = (clip("stand"), clip("walk"), clip("run"));
    let still = ["idle-look-around", "idle-shift-weight", "idle-stretch", "jump-standing"];
    let turns = ["turn-left-45", "turn-left-90", "turn-left-180", "turn-right-90"];
    let mut cases = vec![("start", &stand, &walk), ("stop", &walk, &stand)];
    cases.extend(still.iter().chain(&turns).map(|&name| (name, &stand, &stand)));
    cases.extend([("jump-short", &run, &run), ("jump-long", &run, &run)]);
    for (name, before, after) in cases {
        let made = clip(name);
        let ([first, second], [from, from_next]) = (beginning(&made), beginning(before));
        assert_same(&first, &from, 2e-4, 2e-3, name);
        // A frame later they have moved alike: the velocity is the same, to half a degree a frame.
        assert_same(&second, &from_next, 3e-3, 0.02, name);
        let ([last, before_last], [to, to_before]) = (ending(&made), ending(after));
        assert_same(&last, &to, 2e-4, 2e-3, name);
        assert_same(&before_last, &to_before, 3e-3, 0.03, name);
    }
}

#[test]
fn idles_are_about_something() {
    let human = humanoid();
    let stand = made(&human, "stand").clip;
    for (name, joint) in [
        ("idle-look-around", "Head"),
        ("idle-shift-weight", "Hips"),
        ("idle-stretch", "LeftUpperArm"),
    ] {
        let clip = made(&human, name).clip;
        let joint = human.skeleton.find(joint).unwrap();
        let home = in_place(stand.frame(0))[joint];
        let away = clip
            .frames()
            .map(|pose| {
                let away = pose[joint];
                rotation::angle_between(home.rotation, away.rotation)
                    + away.translation.distance(stand.frame(0)[joint].translation)
            })
            .fold(0.0, f32::max);
        assert!(away > 0.1, "{name}: {away}");
    }
}
