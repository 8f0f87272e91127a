//! Keys, layers, masks, time warps, locks and in-betweening: what must hold for any of them.

#![allow(clippy::unwrap_used)]

use andante_motion::edit::{
    BetweenOptions, BodyMask, EditError, EditWindow, JointTurn, TimePair, feet_down_at, in_between,
    in_place, lock_feet, masked, moved, posture_at, time_warped, trim, turn_joint, with_layer,
};
use andante_motion::synth;
use andante_play::Interval;
use andante_skeleton::{
    Character, Clip, Joint, Planar, Skeleton, Transform, humanoid, model_frames, rotation,
};
use glam::{DMat3, DVec3, Vec2, Vec3};
use proptest::prelude::*;

/// A chain with a fork whose joints are turned at rest, as exporters leave them.
fn turned_skeleton(turns: &[Vec3]) -> Skeleton {
    let parents = [None, Some(0), Some(1), Some(2), Some(1), Some(0)];
    let joints = parents.iter().enumerate().map(|(index, &parent)| {
        let mut joint = Joint::new(format!("joint{index}"), parent, Vec3::new(0.1, 0.3, 0.05));
        joint.rest.rotation = rotation::exp(turns[index % turns.len()]);
        joint
    });
    Skeleton::new(joints.collect()).unwrap()
}

/// All joints swing and the root travels.
fn swinging(skeleton: &Skeleton, sizes: &[f32], frames: usize) -> Clip {
    let mut transforms = Vec::new();
    for frame in 0..frames {
        let time = frame as f32 / 60.0;
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let wave = |k: usize| {
                sizes[(index + k) % sizes.len()] * (2.5 * time + (index + k) as f32).sin()
            };
            let mut local = joint.rest;
            local.rotation *= rotation::exp(Vec3::new(wave(0), wave(1), wave(2)));
            if index == 0 {
                local.translation += Vec3::new(0.2 * time, 0.02 * wave(3), time);
            }
            transforms.push(local);
        }
    }
    Clip::new("swinging", skeleton, 60.0, transforms).unwrap()
}

/// Every joint as at rest, for so many frames.
fn resting(skeleton: &Skeleton, frames: usize) -> Clip {
    let rest: Vec<Transform> = skeleton.joints().iter().map(|joint| joint.rest).collect();
    Clip::new("rest", skeleton, 60.0, rest.repeat(frames)).unwrap()
}

fn same(a: &Transform, b: &Transform, tolerance: f32) -> bool {
    a.translation.distance(b.translation) <= tolerance
        && rotation::angle_between(a.rotation, b.rotation) <= tolerance
}

/// Rotation matrices by their definition, in double precision.
fn about(axis: usize, degrees: f64) -> DMat3 {
    let (s, c) = degrees.to_radians().sin_cos();
    match axis {
        0 => DMat3::from_cols(
            DVec3::new(1.0, 0.0, 0.0),
            DVec3::new(0.0, c, s),
            DVec3::new(0.0, -s, c),
        ),
        1 => DMat3::from_cols(
            DVec3::new(c, 0.0, -s),
            DVec3::new(0.0, 1.0, 0.0),
            DVec3::new(s, 0.0, c),
        ),
        _ => DMat3::from_cols(
            DVec3::new(c, s, 0.0),
            DVec3::new(-s, c, 0.0),
            DVec3::new(0.0, 0.0, 1.0),
        ),
    }
}

/// The placement of joints by chains of matrices.
fn world_rotation(skeleton: &Skeleton, pose: &[Transform], joint: usize) -> DMat3 {
    let chain: Vec<usize> = skeleton.ancestors(joint).collect();
    let locals = chain.iter().rev().map(|&joint| DMat3::from_quat(pose[joint].rotation.as_dquat()));
    locals.fold(DMat3::IDENTITY, |above, local| above * local)
}

fn angle_between(a: &DMat3, b: &DMat3) -> f64 {
    let trace = (a.transpose() * *b).col(0).x
        + (a.transpose() * *b).col(1).y
        + (a.transpose() * *b).col(2).z;
    ((trace - 1.0) / 2.0).clamp(-1.0, 1.0).acos()
}

fn vector(size: f32) -> impl Strategy<Value = Vec3> {
    (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn degrees_mean_the_same_however_joints_rest(
        turns in proptest::collection::vec(vector(1.5), 6), degrees in vector(80.0), joint in 1usize..6,
    ) {
        let skeleton = turned_skeleton(&turns);
        let clip = resting(&skeleton, 30);
        let window = EditWindow::at(0.25, 0.1);
        let [x, y, z] = degrees.as_dvec3().to_array();
        let asked = about(2, z) * about(1, y) * about(0, x);
        let rest = world_rotation(&skeleton, clip.frame(0), joint);
        // On a body at rest both mean the same: the world's axes are those of the body.
        for turn in [JointTurn::FromRest(degrees), JointTurn::Further(degrees)] {
            let keyed = turn_joint(&skeleton, &clip, joint, turn, &window).unwrap();
            let found = world_rotation(&skeleton, keyed.frame(15), joint);
            prop_assert!(angle_between(&found, &(asked * rest)) < 1e-3);
        }
    }

    #[test]
    fn a_key_turns_one_joint_at_its_time_and_nothing_else(
        turns in proptest::collection::vec(vector(1.0), 6),
        sizes in proptest::collection::vec(-0.6f32..0.6, 5),
        degrees in vector(60.0),
        joint in 0usize..6,
        (from, hold, fade) in (20usize..50, 0usize..20, 0.0f32..0.4),
    ) {
        let skeleton = turned_skeleton(&turns);
        let clip = swinging(&skeleton, &sizes, 100);
        let held = Interval::new(from as f32 / 60.0, (from + hold) as f32 / 60.0);
        let window = EditWindow { held, fade };
        let set = turn_joint(&skeleton, &clip, joint, JointTurn::FromRest(degrees), &window).unwrap();
        let bent = turn_joint(&skeleton, &clip, joint, JointTurn::Further(degrees), &window).unwrap();
        let outside = (fade * 60.0).ceil() as usize;
        for frame in 0..100 {
            let (before, set, bent) = (clip.frame(frame), set.frame(frame), bent.frame(frame));
            for other in (0..6).filter(|&other| other != joint) {
                prop_assert!(same(&set[other], &before[other], 1e-4));
                prop_assert!(same(&bent[other], &before[other], 1e-4));
            }
            let away = from.saturating_sub(frame).max(frame.saturating_sub(from + hold));
            if away > outside {
                prop_assert!(same(&set[joint], &before[joint], 1e-4), "frame {}", frame);
                prop_assert!(same(&bent[joint], &before[joint], 1e-4), "frame {}", frame);
            }
            if away == 0 {
                // As set, all the time that it is held.
                prop_assert_eq!(set[joint].translation, before[joint].translation);
                let first = skeleton.joint(joint).rest.rotation;
                let turned = rotation::angle_between(first, set[joint].rotation);
                let asked = rotation::angle_between(before[joint].rotation, bent[joint].rotation);
                prop_assert!((turned - asked).abs() < 2e-3, "both are the same turn: {} {}", turned, asked);
            }
        }
        // Nothing jumps at a fade of some length.
        if fade > 0.15 {
            let speed = |clip: &Clip| (1..100).map(|frame| {
                rotation::angle_between(clip.rotation(frame - 1, joint), clip.rotation(frame, joint))
            }).fold(0.0, f32::max);
            let change = degrees.length().to_radians() * 1.8 * 1.5 / (fade * 60.0) + 0.1;
            prop_assert!(speed(&bent) < speed(&clip) + change);
        }
    }

    #[test]
    fn a_layer_adds_what_it_does_from_its_first_pose_on(
        turns in proptest::collection::vec(vector(1.0), 6),
        sizes in proptest::collection::vec(-0.5f32..0.5, 5),
        others in proptest::collection::vec(-0.5f32..0.5, 5),
        weight in -1.0f32..1.5,
    ) {
        let skeleton = turned_skeleton(&turns);
        let (clip, layer) = (swinging(&skeleton, &sizes, 40), swinging(&skeleton, &others, 50));
        let layered = with_layer(&skeleton, &clip, &layer, weight).unwrap();
        // By hand: each joint turns further by its share of what the layer has turned, in its own frame.
        for (frame, joint) in (0..40).flat_map(|frame| (1..6).map(move |joint| (frame, joint))) {
            let first = layer.rotation(0, joint).as_dquat();
            let (axis, angle) = (first.inverse() * layer.rotation(frame, joint).as_dquat()).normalize().to_axis_angle();
            let angle = if angle > std::f64::consts::PI { angle - std::f64::consts::TAU } else { angle };
            let by = glam::DQuat::from_axis_angle(axis, angle * f64::from(weight));
            let expected = (clip.rotation(frame, joint).as_dquat() * by).as_quat();
            prop_assert!(rotation::angle_between(expected, layered.rotation(frame, joint)) < 2e-3);
        }
        // Added and taken away again.
        let back = with_layer(&skeleton, &layered, &layer, -weight).unwrap();
        for (a, b) in back.transforms().iter().zip(clip.transforms()) {
            prop_assert!(same(a, b, 5e-3));
        }
        // The way over the ground stays: what is added to the root's place is added where it stands.
        let nothing = with_layer(&skeleton, &clip, &resting(&skeleton, 5), weight).unwrap();
        for (a, b) in nothing.transforms().iter().zip(clip.transforms()) {
            prop_assert!(same(a, b, 1e-3));
        }
    }

    #[test]
    fn a_warp_goes_through_its_pairs_and_never_back(
        steps in proptest::collection::vec((0.05f32..0.6, 0.05f32..0.6), 1..6), start in (0.0f32..0.4, -0.3f32..0.5),
    ) {
        let skeleton = Skeleton::new(vec![Joint::new("root", None, Vec3::ZERO)]).unwrap();
        // Where the root is tells which time it is.
        let told: Vec<Transform> =
            (0..=600).map(|frame| Transform::from_translation(Vec3::X * (frame as f32 / 120.0))).collect();
        let clip = Clip::new("clock", &skeleton, 120.0, told).unwrap();
        let mut pair = TimePair { from: start.0, to: start.1 };
        let mut pairs = vec![pair];
        for (from, to) in steps {
            pair = TimePair { from: pair.from + from, to: pair.to + to };
            pairs.push(pair);
        }
        let warped = time_warped(&skeleton, &clip, &pairs).unwrap();
        let clock: Vec<f32> = warped.frames().map(|pose| pose[0].translation.x).collect();
        prop_assert!(clock.windows(2).all(|step| step[1] > step[0] - 1e-6), "time goes back");
        prop_assert!((clock[0], clock[clock.len() - 1]) == (0.0, 5.0));
        // The result begins with the clip: before the first pair the pace is its own.
        let offset = pairs[0].to - pairs[0].from;
        for pair in &pairs {
            let at = posture_at(&warped, pair.to - offset)[0].translation.x;
            // Between two frames the pace may change.
            prop_assert!((at - pair.from).abs() < 0.02, "{} at {}", pair.from, at);
        }
        for step in clock.windows(2).take_while(|step| step[1] < pairs[0].from) {
            prop_assert!((step[1] - step[0] - 1.0 / 120.0).abs() < 1e-4);
        }
        let last = pairs[pairs.len() - 1].from;
        let after: Vec<f32> = clock.iter().copied().filter(|&time| time > last + 0.02).collect();
        for step in after[..after.len().saturating_sub(1)].windows(2) {
            prop_assert!((step[1] - step[0] - 1.0 / 120.0).abs() < 1e-4);
        }
    }
}

#[test]
fn warps_that_go_back_or_leave_the_clip_are_refused() {
    let skeleton = turned_skeleton(&[Vec3::ZERO]);
    let clip = swinging(&skeleton, &[0.3], 61);
    let warp = |pairs: &[[f32; 2]]| {
        let pairs: Vec<TimePair> = pairs.iter().map(|&[from, to]| TimePair { from, to }).collect();
        time_warped(&skeleton, &clip, &pairs).map(|clip| clip.frame_count())
    };
    assert!(matches!(warp(&[]), Err(EditError::TooFewKeys { .. })));
    for bad in [
        [[0.2, 0.3], [0.2, 0.5]],
        [[0.2, 0.3], [0.4, 0.3]],
        [[0.1, 0.1], [3.0, 3.0]],
        [[f32::NAN, 0.0], [0.5, 0.5]],
    ] {
        assert!(matches!(warp(&bad), Err(EditError::Warp { .. })), "{bad:?}");
    }
    assert_eq!(warp(&[[0.0, 0.0], [1.0, 2.0]]).unwrap(), 121);
}

#[test]
fn masks_keep_an_edit_to_a_part_of_the_body() {
    let human = humanoid();
    let walk = synth::clip(&human, "walk").unwrap().clip;
    let edited = moved(&human.skeleton, &walk, &Planar::new(Vec2::ONE, 1.0), 0.3).unwrap();
    let edited = turn_joint(
        &human.skeleton,
        &edited,
        human.skeleton.find("LeftUpperArm").unwrap(),
        JointTurn::Further(Vec3::X * 30.0),
        &EditWindow::at(0.2, 5.0),
    )
    .unwrap();
    let mask = |words: &[&str]| {
        BodyMask::of_words(&human.skeleton, Some(&human.rig), words.iter().copied(), 1.0)
    };
    let count = |words: &[&str]| mask(words).unwrap().weights().iter().sum::<f32>() as usize;
    let joints = human.skeleton.len();
    assert_eq!(count(&["upper"]) + count(&["lower"]), joints);
    assert_eq!(count(&["arms"]), count(&["left-arm"]) + count(&["right-arm"]));
    assert_eq!(count(&["legs"]), count(&["left-leg"]) + count(&["right-leg"]));
    assert_eq!(count(&["all", "-legs"]), joints - count(&["legs"]));
    assert_eq!(count(&["-legs"]), joints - count(&["legs"]));
    assert!(count(&["head"]) >= 1 && count(&["spine"]) >= 1);
    for wrong in [&["wing"][..], &[], &["-wing"]] {
        assert!(matches!(mask(wrong), Err(EditError::Part { .. })), "{wrong:?}");
    }
    let arm = mask(&["left-arm"]).unwrap();
    let kept = masked(&human.skeleton, &walk, &edited, &arm).unwrap();
    for frame in 0..walk.frame_count() {
        for (joint, weight) in arm.weights().iter().enumerate() {
            let expected = if *weight > 0.0 { &edited } else { &walk };
            assert!(same(&kept.frame(frame)[joint], &expected.frame(frame)[joint], 1e-5));
        }
    }
    let half = BodyMask::of_words(&human.skeleton, None, ["LeftUpperArm"], 0.5).unwrap();
    let kept = masked(&human.skeleton, &walk, &edited, &half).unwrap();
    let joint = human.skeleton.find("LeftUpperArm").unwrap();
    let turned =
        |clip: &Clip| rotation::angle_between(clip.rotation(12, joint), walk.rotation(12, joint));
    assert!((turned(&kept) - 0.5 * turned(&edited)).abs() < 1e-3);
    let short = trim(&human.skeleton, &walk, Interval::new(0.0, 0.5)).unwrap();
    assert!(matches!(
        masked(&human.skeleton, &walk, &short, &arm),
        Err(EditError::OtherFrames { .. })
    ));
}

/// A built-in clip of the human, several times.
fn human_clip(name: &str) -> (Character, Clip) {
    let human = humanoid();
    let clip = synth::clip(&human, name).unwrap().clip;
    (human, clip)
}

/// The places of heel and ball of a foot in every frame.
fn soles(human: &Character, clip: &Clip, foot: usize) -> Vec<[Vec3; 2]> {
    let foot = &human.rig.feet[foot];
    let frames = model_frames(&human.skeleton, clip);
    frames.iter().map(|models| [foot.heel, foot.ball].map(|point| point.position(models))).collect()
}

#[test]
fn a_locked_foot_stays_and_goes_its_own_way_again() {
    let (human, walk) = human_clip("walk");
    let fade = 0.15;
    for (foot, from, to) in [(0, 0.2, 0.5), (1, 0.1, 0.4)] {
        let held = Interval::new(from, to);
        let (locked, report) =
            lock_feet(&human.skeleton, &human.rig, &walk, &[(foot, held)], fade).unwrap();
        assert!(report.missed_max < 5e-3, "{report:?}");
        let (before, after) = (soles(&human, &walk, foot), soles(&human, &locked, foot));
        let inside = |frame: usize| (from..=to).contains(&(frame as f32 / walk.fps()));
        let first = (0..walk.frame_count()).find(|&frame| inside(frame)).unwrap();
        for frame in (0..walk.frame_count()).filter(|&frame| inside(frame)) {
            for (now, then) in after[frame].iter().zip(&after[first]).take(2) {
                let slid = now.distance(*then);
                assert!(slid < 5e-3, "foot {foot}, frame {frame}: {slid} m");
            }
        }
        let travelled = before[first][1].distance(before[(to * walk.fps()) as usize][1]);
        assert!(travelled > 0.05 || foot == 0, "the foot would have moved: {travelled} m");
        for frame in 0..walk.frame_count() {
            let time = frame as f32 / walk.fps();
            if time < from - 2.0 * fade - 0.03 || time > to + 2.0 * fade + 0.03 {
                assert!(after[frame][1].distance(before[frame][1]) < 1e-4, "frame {frame}");
            }
        }
    }
    let wrong =
        lock_feet(&human.skeleton, &human.rig, &walk, &[(2, Interval::new(0.1, 0.2))], fade);
    assert!(matches!(wrong, Err(EditError::Feet { .. })));
}

/// The feet of every made frame: where they were before, where they will be, and how they get there.
fn check_steps(
    human: &Character,
    clip: &Clip,
    made: std::ops::Range<usize>,
    stayed: &[usize],
    stepped: &[usize],
) {
    let ends = [made.start - 1, made.end];
    for &foot in stayed {
        let soles = soles(human, clip, foot);
        for frame in made.clone() {
            let nearest = (0..2)
                .map(|point| soles[frame][point].distance(soles[ends[0]][point]))
                .fold(f32::INFINITY, f32::min);
            assert!(nearest < 3e-3, "foot {foot} slides {nearest} m in frame {frame}");
        }
    }
    for &foot in stepped {
        let soles = soles(human, clip, foot);
        for frame in made.clone() {
            let ball = soles[frame][1];
            // Where it is neither here nor there it is above the ground.
            let far = ends.map(|end| {
                let flat = soles[end][1] - ball;
                Vec2::new(flat.x, flat.z).length()
            });
            let away = far[0].min(far[1]);
            let ground = soles[ends[0]][1].y.min(soles[ends[1]][1].y);
            let least = if away > 0.03 { 5e-3 } else { -3e-3 };
            assert!(
                ball.y - ground > least,
                "foot {foot} drags in frame {frame}: {away} m at {} m",
                ball.y - ground
            );
        }
    }
}

#[test]
fn between_two_clips_feet_stay_or_step() {
    let (human, walk) = human_clip("walk");
    let (_, stand) = human_clip("stand");
    let (skeleton, rig) = (&human.skeleton, &human.rig);
    let mut stayed = 0;
    let mut stepped = 0;
    for cut in [0.15, 0.3, 0.5, 0.7, 0.9] {
        let first = trim(skeleton, &walk, Interval::new(0.0, cut * walk.duration())).unwrap();
        for turned in [0.0, 0.8] {
            let second =
                moved(skeleton, &stand, &Planar::new(Vec2::new(3.0, 1.0), turned), 0.0).unwrap();
            let down = [
                feet_down_at(skeleton, rig, &first, None, first.duration()),
                feet_down_at(skeleton, rig, &second, None, 0.0),
            ];
            let options = BetweenOptions::default();
            let (whole, report) =
                in_between(skeleton, rig, &first, &second, [&down[0], &down[1]], &options).unwrap();
            assert!(report.missed_max < 5e-3, "{report:?}");
            assert!(report.glided < 0.05, "{report:?}");
            assert_eq!(
                whole.frame_count(),
                first.frame_count() + report.made.len() + second.frame_count()
            );
            for (a, b) in whole.transforms().iter().zip(first.transforms()) {
                assert!(same(a, b, 1e-5), "the first clip stays as it is");
            }
            check_steps(&human, &whole, report.made.clone(), &report.stayed, &report.stepped);
            stayed += report.stayed.len();
            stepped += report.stepped.len();
            // Nothing leaps: not at the joins either.
            let models = model_frames(skeleton, &whole);
            for pair in models.windows(2) {
                for (a, b) in pair[0].iter().zip(&pair[1]) {
                    assert!(a.translation.distance(b.translation) < 0.13, "a joint leaps");
                }
            }
            // The second clip is the same, elsewhere on the ground.
            let tail = &whole.transforms()[report.made.end * skeleton.len()..];
            let tail = Clip::new("tail", skeleton, whole.fps(), tail.to_vec()).unwrap();
            let (a, b) = (in_place(skeleton, &tail).unwrap(), in_place(skeleton, &second).unwrap());
            for (a, b) in a.transforms().iter().zip(b.transforms()) {
                assert!(same(a, b, 2e-3));
            }
        }
    }
    assert!(stayed >= 5 && stepped >= 3, "{stayed} stayed, {stepped} stepped");
}

/// Somebody who is put elsewhere with legs that do nothing glides as far.
#[test]
fn feet_that_glide_through_a_gap_are_measured() {
    let (human, walk) = human_clip("walk");
    let (skeleton, rig) = (&human.skeleton, &human.rig);
    let pose = Clip::new("pose", skeleton, 60.0, posture_at(&walk, 0.1).to_vec()).unwrap();
    let options = BetweenOptions { seconds: 1.5, align: false, ..BetweenOptions::default() };
    for way in [0.0, 0.4, 3.0] {
        let there = moved(skeleton, &pose, &Planar::new(Vec2::new(0.0, way), 0.0), 0.0).unwrap();
        let free = [false, false];
        let (_, report) =
            in_between(skeleton, rig, &pose, &there, [&free, &free], &options).unwrap();
        assert!((report.glided - way).abs() < 0.05 * way + 1e-3, "{way}: {report:?}");
    }
}

#[test]
fn between_single_poses_there_is_a_motion_too() {
    let (human, walk) = human_clip("walk");
    let (skeleton, rig) = (&human.skeleton, &human.rig);
    let pose =
        |time: f32| Clip::new("pose", skeleton, 60.0, posture_at(&walk, time).to_vec()).unwrap();
    let (a, b) = (pose(0.1), pose(0.6));
    let down = [true, true];
    let options = BetweenOptions { seconds: 1.0, ..BetweenOptions::default() };
    let (whole, report) = in_between(skeleton, rig, &a, &b, [&down, &down], &options).unwrap();
    assert_eq!(whole.frame_count(), 61);
    assert!(whole.frame(0).iter().zip(a.frame(0)).all(|(a, b)| same(a, b, 1e-5)));
    check_steps(&human, &whole, report.made.clone(), &report.stayed, &report.stepped);
    let none = [true];
    assert!(matches!(
        in_between(skeleton, rig, &a, &b, [&none, &down], &options),
        Err(EditError::Feet { .. })
    ));
    let hasty = BetweenOptions { seconds: -1.0, ..options };
    assert!(matches!(
        in_between(skeleton, rig, &a, &b, [&down, &down], &hasty),
        Err(EditError::Setting(_))
    ));
}
