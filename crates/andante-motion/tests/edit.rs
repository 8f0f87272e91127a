//! Editing clips: what must hold for any of them.

#![allow(clippy::unwrap_used)]

use andante_motion::edit::{
    CycleOptions, EditError, JoinOptions, KeyPosture, Tween, change_speed, concatenate, cut,
    from_postures, interpolate_clips, interpolate_postures, make_cyclic, mirrored, posture_at,
    put_posture, resampled, retime_to_speed, reversed, set_rotation, travel_speed, trim,
};
use andante_play::Interval;
use andante_skeleton::{Clip, Joint, Pose, RootMotion, Skeleton, Transform, humanoid, rotation};
use glam::{Quat, Vec3};
use proptest::prelude::*;

fn skeleton() -> Skeleton {
    Skeleton::new(vec![
        Joint::new("Hips", None, Vec3::new(0.0, 1.0, 0.0)),
        Joint::new("LeftLeg", Some(0), Vec3::new(0.1, -0.1, 0.0)),
        Joint::new("RightLeg", Some(0), Vec3::new(-0.1, -0.1, 0.0)),
        Joint::new("Spine", Some(0), Vec3::new(0.0, 0.2, 0.0)),
        Joint::new("Head", Some(3), Vec3::new(0.0, 0.3, 0.0)),
    ])
    .unwrap()
}

/// A smooth motion: joints swing, the root travels along a curve.
fn motion(seed: &[f32], frames: usize) -> Clip {
    let skeleton = skeleton();
    let mut transforms = Vec::new();
    for frame in 0..frames {
        let time = frame as f32 / 60.0;
        let wave = |index: usize| {
            let (size, pace) = (seed[index % seed.len()], seed[(index + 3) % seed.len()]);
            size * ((2.0 + pace) * time + index as f32).sin()
        };
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let turn = Vec3::new(wave(3 * index), wave(3 * index + 1), wave(3 * index + 2));
            let mut local = Transform::new(rotation::exp(turn), joint.rest.translation);
            if index == 0 {
                let heading = 0.3 * wave(20) + 0.5 * seed[0] * time;
                local.rotation = Quat::from_rotation_y(heading) * local.rotation;
                local.translation += Vec3::new(wave(21), 0.1 * wave(22), 1.3 * time);
            }
            transforms.push(local);
        }
    }
    Clip::new("motion", &skeleton, 60.0, transforms).unwrap()
}

fn any_motion() -> impl Strategy<Value = Clip> {
    (proptest::collection::vec(-0.9f32..0.9, 11), 12usize..150)
        .prop_map(|(seed, frames)| motion(&seed, frames))
}

fn close(a: &[Transform], b: &[Transform], tolerance: f32) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| {
            a.translation.distance(b.translation) < tolerance
                && rotation::angle_between(a.rotation, b.rotation) < tolerance
        })
}

const JOINED: JoinOptions = JoinOptions { align: true, fade: 0.0 };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_clip_cut_in_two_and_joined_is_whole_again(clip in any_motion(), part in 0.1f32..0.9) {
        let skeleton = skeleton();
        let middle = ((clip.frame_count() - 1) as f32 * part).round().max(1.0) / clip.fps();
        let head = trim(&skeleton, &clip, Interval::new(0.0, middle)).unwrap();
        let tail = trim(&skeleton, &clip, Interval::new(middle, clip.duration())).unwrap();
        let kept = JoinOptions { align: false, ..JOINED };
        for options in [JOINED, kept] {
            let whole = concatenate(&skeleton, &head, &tail, &options).unwrap();
            prop_assert!(close(whole.transforms(), clip.transforms(), 1e-4));
        }
    }

    #[test]
    fn trimming_hits_both_ends_between_frames(clip in any_motion(), a in 0.0f32..0.4, b in 0.5f32..1.0) {
        let (start, end) = (a * clip.duration(), b * clip.duration());
        let part = trim(&skeleton(), &clip, Interval::new(start, end)).unwrap();
        prop_assert!((part.duration() - (end - start)).abs() <= 0.5 / clip.fps() + 1e-4
            || part.frame_count() == 2);
        prop_assert!(close(part.frame(0), &posture_at(&clip, start), 1e-3));
        prop_assert!(close(part.frame(part.frame_count() - 1), &posture_at(&clip, end), 1e-3));
    }

    #[test]
    fn mirrored_twice_is_the_same(clip in any_motion()) {
        let skeleton = skeleton();
        let once = mirrored(&skeleton, &clip).unwrap();
        let twice = mirrored(&skeleton, &once).unwrap();
        prop_assert!(close(twice.transforms(), clip.transforms(), 1e-4));
        let (a, b) = (clip.frame(0)[0].translation, once.frame(0)[0].translation);
        prop_assert!((a.x + b.x).abs() < 1e-5 && (a.z - b.z).abs() < 1e-5);
    }

    #[test]
    fn reversed_twice_is_the_same(clip in any_motion()) {
        let skeleton = skeleton();
        let twice = reversed(&skeleton, &reversed(&skeleton, &clip).unwrap()).unwrap();
        prop_assert!(close(twice.transforms(), clip.transforms(), 1e-6));
    }

    #[test]
    fn another_speed_is_the_same_path(clip in any_motion(), factor in 0.3f32..3.0) {
        let skeleton = skeleton();
        let changed = change_speed(&skeleton, &clip, factor).unwrap();
        let length = clip.duration() / factor;
        prop_assert!((changed.duration() - length).abs() <= 0.5 / clip.fps() + 1e-4
            || changed.frame_count() == 2);
        for frame in 0..changed.frame_count() {
            let part = frame as f32 / (changed.frame_count() - 1) as f32;
            let expected = posture_at(&clip, part * clip.duration());
            prop_assert!(close(changed.frame(frame), &expected, 1e-3));
        }
    }

    #[test]
    fn a_clip_goes_at_the_speed_it_is_given(clip in any_motion(), speed in 0.5f32..3.0) {
        let skeleton = skeleton();
        prop_assume!(clip.frame_count() > 60);
        let changed = retime_to_speed(&skeleton, &clip, speed).unwrap();
        prop_assert!((travel_speed(&changed) / speed - 1.0).abs() < 0.02, "{}", travel_speed(&changed));
    }

    #[test]
    fn cycles_close_in_posture_and_speed(clip in any_motion(), window in 0.05f32..0.5) {
        let skeleton = skeleton();
        prop_assume!(clip.frame_count() > 24);
        let cycle = make_cyclic(&skeleton, &clip, &CycleOptions { window }).unwrap();
        prop_assert_eq!(cycle.frame_count(), clip.frame_count());
        let last = cycle.frame_count() - 1;
        let (in_place, travel) = RootMotion::extract(&skeleton, &cycle).unwrap();
        prop_assert!(close(in_place.frame(0), in_place.frame(last), 1e-4));
        prop_assert!(close(&cycle.frame(0)[1..], &cycle.frame(last)[1..], 1e-6));
        // Speeds to second order at both ends; the scale is what joints do in the clip.
        for joint in 0..skeleton.len() {
            let turn = |a: usize, b: usize| {
                let (a, b) = (in_place.rotation(a, joint), in_place.rotation(b, joint));
                rotation::log(a.conjugate() * b)
            };
            let ahead = turn(0, 1) * 2.0 - turn(0, 2) * 0.5;
            let behind = turn(last, last - 2) * 0.5 - turn(last, last - 1) * 2.0;
            let usual = (1..=last).map(|f| turn(f - 1, f).length()).fold(1e-3, f32::max);
            prop_assert!(ahead.distance(behind) < 0.01 * usual, "{ahead} {behind} of {usual}");
        }
        let seen = |from: usize, to: usize| {
            let step = travel.frames()[from].to(&travel.frames()[to]);
            Vec3::new(step.position.x, step.position.y, step.heading)
        };
        let ahead = seen(0, 1) * 2.0 - seen(0, 2) * 0.5;
        let behind = seen(last, last - 2) * 0.5 - seen(last, last - 1) * 2.0;
        prop_assert!(ahead.distance(behind) < 0.02 * ahead.length().max(0.02), "{ahead} {behind}");
        prop_assert!(close(&[cycle.frame(0)[0]], &[clip.frame(0)[0]], 1.5));
    }

    #[test]
    fn a_cycle_stays_as_it_is(seed in proptest::collection::vec(-0.9f32..0.9, 11)) {
        let skeleton = skeleton();
        let clip = motion(&seed, 60);
        let once = make_cyclic(&skeleton, &clip, &CycleOptions::default()).unwrap();
        let twice = make_cyclic(&skeleton, &once, &CycleOptions::default()).unwrap();
        prop_assert!(close(once.transforms(), twice.transforms(), 5e-3));
    }

    #[test]
    fn postures_interpolate_from_start_over_mean_to_end(
        a in proptest::collection::vec(-1.0f32..1.0, 11), b in proptest::collection::vec(-1.0f32..1.0, 11),
        t in -1.0f32..2.0,
    ) {
        let skeleton = skeleton();
        let (a, b) = (motion(&a, 12), motion(&b, 12));
        let (a, b) = (a.frame(3), b.frame(7));
        let at = |t: f32| interpolate_postures(&skeleton, a, b, t).unwrap();
        prop_assert_eq!(&*at(0.0), a);
        prop_assert_eq!(&*at(1.0), b);
        for ((mean, a), b) in at(0.5).iter().zip(a).zip(b) {
            prop_assert!(mean.translation.abs_diff_eq((a.translation + b.translation) * 0.5, 1e-6));
            let (to_a, to_b) =
                (rotation::angle_between(mean.rotation, a.rotation), rotation::angle_between(mean.rotation, b.rotation));
            prop_assert!((to_a - to_b).abs() < 1e-4);
            prop_assert!((to_a + to_b - rotation::angle_between(a.rotation, b.rotation)).abs() < 1e-4);
        }
        // The same from the other side, and whatever the signs of the quaternions.
        let flipped: Vec<Transform> =
            b.iter().map(|b| Transform::new(-b.rotation, b.translation)).collect();
        let other = interpolate_postures(&skeleton, a, &flipped, t).unwrap();
        prop_assert!(close(&at(t), &other, 1e-4));
        let back = interpolate_postures(&skeleton, b, a, 1.0 - t).unwrap();
        prop_assert!(close(&at(t), &back, 1e-3));
    }

    #[test]
    fn nothing_that_is_not_a_number_ever_comes_out(
        clip in any_motion(), a in -1.0f32..3.0, b in -1.0f32..3.0, factor in -2.0f32..8.0,
    ) {
        let skeleton = skeleton();
        let range = Interval::new(a, b);
        let options = JoinOptions { align: true, fade: a };
        let results = [
            trim(&skeleton, &clip, range),
            cut(&skeleton, &clip, range, &options),
            concatenate(&skeleton, &clip, &clip, &options),
            change_speed(&skeleton, &clip, factor),
            retime_to_speed(&skeleton, &clip, factor),
            resampled(&skeleton, &clip, 20.0 * factor),
            make_cyclic(&skeleton, &clip, &CycleOptions { window: a }),
            interpolate_clips(&skeleton, &clip, &clip, factor),
            put_posture(&skeleton, &clip, a, clip.frame(0), b),
        ];
        for clip in results.into_iter().flatten() {
            prop_assert!(clip.transforms().iter().all(Transform::is_finite));
        }
    }
}

#[test]
fn a_piece_cut_out_shortens_the_clip_and_leaves_no_gap() {
    let (skeleton, clip) = (skeleton(), motion(&[0.3, -0.2, 0.5, 0.1], 121));
    let options = JoinOptions { align: true, fade: 0.25 };
    let shorter = cut(&skeleton, &clip, Interval::new(0.5, 1.0), &options).unwrap();
    assert_eq!(shorter.frame_count(), 121 - 30 - 15);
    let step = |clip: &Clip| {
        let frames: Vec<_> = clip.frames().collect();
        let moved = |pair: &[&[Transform]]| pair[0][0].translation.distance(pair[1][0].translation);
        frames.windows(2).map(moved).fold(0.0, f32::max)
    };
    assert!(step(&shorter) < 1.6 * step(&clip), "{} {}", step(&shorter), step(&clip));
    let head = cut(&skeleton, &clip, Interval::new(1.0, 2.0), &options).unwrap();
    assert_eq!(head.frame_count(), 61);
    let tail = cut(&skeleton, &clip, Interval::new(0.0, 1.0), &options).unwrap();
    assert!(close(tail.frame(0), clip.frame(60), 1e-6));
}

#[test]
fn a_clip_follows_another_where_that_one_ends() {
    let (skeleton, clip) = (skeleton(), motion(&[0.4, 0.6, -0.3, 0.2, 0.1], 91));
    let twice = concatenate(&skeleton, &clip, &clip, &JOINED).unwrap();
    assert_eq!(twice.frame_count(), 181);
    let travel = |clip: &Clip| RootMotion::extract(&skeleton, clip).unwrap().1.total();
    let (once, both) = (travel(&clip), travel(&twice));
    let expected = once.then(&once);
    assert!(both.position.distance(expected.position) < 1e-3);
    assert!((both.heading - expected.heading).abs() < 1e-3);
}

#[test]
fn clips_of_other_rates_are_joined_at_the_rate_of_the_first() {
    let (skeleton, clip) = (skeleton(), motion(&[0.2, 0.3], 61));
    let slow = resampled(&skeleton, &clip, 30.0).unwrap();
    assert_eq!(slow.frame_count(), 31);
    assert!(close(slow.frame(30), clip.frame(60), 1e-6));
    let both = concatenate(&skeleton, &slow, &clip, &JOINED).unwrap();
    assert_eq!((both.fps(), both.frame_count()), (30.0, 61));
}

#[test]
fn clips_interpolate_in_time_posture_and_travel() {
    let skeleton = skeleton();
    let (a, b) = (motion(&[0.3, 0.5, -0.4], 61), motion(&[-0.3, 0.1, 0.6], 121));
    for (t, clip) in [(0.0, &a), (1.0, &b)] {
        let same = interpolate_clips(&skeleton, &a, &b, t).unwrap();
        assert!(close(same.transforms(), clip.transforms(), 1e-3));
    }
    let mean = interpolate_clips(&skeleton, &a, &b, 0.5).unwrap();
    assert_eq!(mean.frame_count(), 91);
    let travel = |clip: &Clip| RootMotion::extract(&skeleton, clip).unwrap().1.total();
    let expected = travel(&a).lerp(&travel(&b), 0.5);
    assert!(travel(&mean).position.distance(expected.position) < 1e-3);
    assert!((travel(&mean).heading - expected.heading).abs() < 1e-3);
}

#[test]
fn a_left_and_a_right_circle_make_a_straight_line() {
    let skeleton = skeleton();
    let circle = |sign: f32| {
        let mut transforms = Vec::new();
        for frame in 0..=60 {
            let angle = frame as f32 / 60.0 * sign;
            let mut pose = Pose::rest(&skeleton);
            pose[0].rotation = Quat::from_rotation_y(angle);
            pose[0].translation = Vec3::new(sign * (1.0 - angle.cos()), 1.0, sign * angle.sin());
            transforms.extend_from_slice(&pose);
        }
        Clip::new("circle", &skeleton, 60.0, transforms).unwrap()
    };
    let mean = interpolate_clips(&skeleton, &circle(1.0), &circle(-1.0), 0.5).unwrap();
    for pose in mean.frames() {
        assert!(pose[0].translation.x.abs() < 1e-4);
        assert!(rotation::heading(pose[0].rotation).abs() < 1e-4);
    }
}

#[test]
fn clips_pass_through_their_key_postures() {
    let skeleton = skeleton();
    let source = motion(&[0.5, -0.7, 0.4, 0.9, 0.2], 100);
    let key = |time: f32, frame: usize| KeyPosture {
        time,
        pose: Pose::from_locals(source.frame(frame).to_vec()),
    };
    let keys = [key(0.0, 3), key(0.5, 40), key(0.8, 60), key(1.4, 99)];
    for tween in [Tween::Linear, Tween::Smooth] {
        let clip = from_postures(&skeleton, "keys", 50.0, &keys, tween).unwrap();
        assert_eq!(clip.frame_count(), 71);
        for key in &keys {
            let frame = (key.time * 50.0).round() as usize;
            assert!(close(clip.frame(frame), &key.pose, 1e-4), "{tween:?} at {}", key.time);
        }
    }
    // Half way between two keys the straight one is at their mean.
    let straight = from_postures(&skeleton, "keys", 40.0, &keys, Tween::Linear).unwrap();
    let mean = interpolate_postures(&skeleton, &keys[0].pose, &keys[1].pose, 0.5).unwrap();
    assert!(close(straight.frame(10), &mean, 1e-4));
}

#[test]
fn smooth_clips_have_no_corners_at_their_keys() {
    let skeleton = skeleton();
    let source = motion(&[0.5, -0.7, 0.4, 0.9, 0.2], 100);
    let keys: Vec<KeyPosture> = [(0.0, 0), (0.5, 35), (0.9, 60), (1.5, 99)]
        .map(|(time, frame)| KeyPosture {
            time,
            pose: Pose::from_locals(source.frame(frame).to_vec()),
        })
        .to_vec();
    let corner = |tween| {
        let clip = from_postures(&skeleton, "keys", 240.0, &keys, tween).unwrap();
        let mut sharpest = 0.0f32;
        for frame in 1..clip.frame_count() - 1 {
            for joint in 0..skeleton.len() {
                let q = |frame| clip.rotation(frame, joint);
                let before = rotation::log(q(frame - 1).conjugate() * q(frame));
                let after = rotation::log(q(frame).conjugate() * q(frame + 1));
                sharpest = sharpest.max(before.distance(after));
            }
        }
        sharpest
    };
    assert!(corner(Tween::Smooth) < 0.15 * corner(Tween::Linear));
}

#[test]
fn an_edited_posture_comes_back_with_soft_edges() {
    let (skeleton, clip) = (skeleton(), motion(&[0.2, 0.1, 0.3], 121));
    let mut pose = posture_at(&clip, 1.0);
    set_rotation(&skeleton, &mut pose, 4, Quat::from_rotation_x(1.2)).unwrap();
    let edited = put_posture(&skeleton, &clip, 1.0, &pose, 0.3).unwrap();
    assert!(close(edited.frame(60), &pose, 1e-6));
    assert!(close(edited.frame(41), clip.frame(41), 1e-6));
    assert!(close(edited.frame(79), clip.frame(79), 1e-6));
    let turn = |clip: &Clip, frame: usize| {
        rotation::angle_between(clip.rotation(frame - 1, 4), clip.rotation(frame, 4))
    };
    for frame in 40..80 {
        assert!(turn(&edited, frame) < turn(&clip, frame) + 0.15, "frame {frame}");
    }
    let alone = put_posture(&skeleton, &clip, 1.0, &pose, 0.0).unwrap();
    for frame in [59, 61] {
        assert!(close(alone.frame(frame), clip.frame(frame), 1e-6));
    }
}

#[test]
fn what_cannot_be_edited_is_refused_by_name() {
    let (skeleton, human) = (skeleton(), humanoid());
    let clip = motion(&[0.1, 0.2], 61);
    let still = Clip::new("still", &skeleton, 60.0, Pose::rest(&skeleton).to_vec()).unwrap();
    let standing =
        Clip::new("standing", &skeleton, 60.0, Pose::rest(&skeleton).repeat(30)).unwrap();
    let range = |a, b| Interval::new(a, b);

    for (a, b) in [(0.5, 0.5), (0.6, 0.2), (f32::NAN, 1.0), (0.0, f32::INFINITY)] {
        let result = trim(&skeleton, &clip, range(a, b));
        assert!(matches!(result, Err(EditError::EmptyRange { .. })), "{a} {b}: {result:?}");
    }
    for (a, b) in [(-0.5, 0.5), (0.5, 2.0)] {
        let result = trim(&skeleton, &clip, range(a, b));
        assert!(matches!(result, Err(EditError::OutsideClip { .. })), "{a} {b}: {result:?}");
    }
    assert!(trim(&skeleton, &still, range(0.0, 0.1)).is_err());
    let all = cut(&skeleton, &clip, range(0.0, 1.0), &JOINED);
    assert!(matches!(all, Err(EditError::EmptyRange { .. })));

    let short = change_speed(&skeleton, &still, 2.0);
    assert!(matches!(short, Err(EditError::TooShort { needed: 2, .. })));
    let short = make_cyclic(&skeleton, &still, &CycleOptions::default());
    assert!(matches!(short, Err(EditError::TooShort { frames: 1, .. })));
    let standing = retime_to_speed(&skeleton, &standing, 1.0);
    assert!(matches!(standing, Err(EditError::Still { .. })));
    for factor in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let result = change_speed(&skeleton, &clip, factor);
        assert!(matches!(result, Err(EditError::NotPositive { .. })), "{factor}");
        assert!(matches!(resampled(&skeleton, &clip, factor), Err(EditError::NotPositive { .. })));
    }
    let long = change_speed(&skeleton, &clip, 1e-9);
    assert!(matches!(long, Err(EditError::TooLong { .. })));

    let other = mirrored(&human.skeleton, &clip);
    assert!(matches!(other, Err(EditError::Skeleton { found: 5, expected: 26, .. })));
    let rest = Pose::rest(&human.skeleton);
    let other = interpolate_postures(&skeleton, &rest, &rest, 0.5);
    assert!(matches!(other, Err(EditError::Posture { .. })));

    let mut pose = Pose::rest(&skeleton);
    let missing = set_rotation(&skeleton, &mut pose, 5, Quat::IDENTITY);
    assert_eq!(missing, Err(EditError::Joint { joint: 5, count: 5 }));
    let broken = set_rotation(&skeleton, &mut pose, 1, Quat::from_xyzw(0.0, f32::NAN, 0.0, 1.0));
    assert!(matches!(broken, Err(EditError::NonFinite { .. })));

    let key = |time| KeyPosture { time, pose: Pose::rest(&skeleton) };
    let keys = |keys: &[KeyPosture]| from_postures(&skeleton, "k", 30.0, keys, Tween::Smooth);
    assert_eq!(keys(&[key(0.0)]), Err(EditError::TooFewKeys { count: 1 }));
    let back = keys(&[key(0.0), key(1.0), key(0.5)]);
    assert_eq!(back, Err(EditError::KeyTime { index: 2, time: 0.5 }));
    assert!(matches!(keys(&[key(0.0), key(f32::NAN)]), Err(EditError::KeyTime { index: 1, .. })));
    assert!(matches!(keys(&[key(0.0), key(1e12)]), Err(EditError::TooLong { .. })));
}
