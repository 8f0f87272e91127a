//! Captured walks on other bodies.

#![allow(clippy::unwrap_used)]

mod support;

use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::edit::EditError;
use andante_motion::retarget::RetargetError;
use andante_motion::retarget::{RetargetOptions, RetargetResult, RetargetRig, retarget};
use andante_play::measure::{MotionMetrics, measure_level};
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::model_frames;
use andante_skeleton::{
    BodyPoint, Character, Clip, Foot, Joint, JointLimit, Pose, Rig, RootMotion, Side, Skeleton,
    Transform, humanoid, rotation,
};
use glam::{Quat, Vec3};
use support::Captured;

const STRAIGHT: [u32; 8] = [15, 16, 21, 22, 31, 32, 47, 58];
const TURNING: [u32; 8] = [11, 12, 13, 14, 17, 18, 19, 20];

/// The built-in human with legs of 80 % of their length.
fn short_legged() -> Character {
    let mut human = humanoid();
    let legs: Vec<usize> = human.rig.feet.iter().flat_map(|foot| foot.leg[1..].to_vec()).collect();
    let mut joints: Vec<Joint> = human.skeleton.joints().to_vec();
    let mut lowered = 0.0;
    for &joint in &legs {
        joints[joint].rest.translation *= 0.8;
        lowered += 0.5 * 0.25 * joints[joint].rest.translation.length();
    }
    joints[0].rest.translation.y -= lowered;
    human.skeleton = Skeleton::new(joints).unwrap();
    human.name = "short-legged".into();
    human
}

fn onto(walk: &Captured, target: &Character) -> RetargetResult {
    let options = RetargetOptions::default();
    retarget(walk.actor(), &walk.clip, &walk.contacts, RetargetRig::from(target), &options).unwrap()
}

fn measured(target: &Character, result: &RetargetResult) -> MotionMetrics {
    measure_level(&target.skeleton, &target.rig, &result.clip, &result.contacts, 0.0)
}

/// When feet are down as far as anybody can tell who sees nothing but the motion.
fn found_down(target: &Character, clip: &Clip) -> Contacts {
    analyse(&target.skeleton, &target.rig, clip, &AnalysisOptions::default()).unwrap().contacts
}

/// Largest height of a heel or ball above or below the ground while it is down, in millimetres.
fn farthest_off_the_ground(target: &Character, clip: &Clip, contacts: &Contacts) -> f32 {
    let mut farthest = 0.0f32;
    for (frame, models) in model_frames(&target.skeleton, clip).iter().enumerate() {
        let time = clip.frame_time(frame);
        for (foot, contacts) in target.rig.feet.iter().zip(&contacts.feet) {
            let points =
                [(contacts.heel_down(time), foot.heel), (contacts.toe_down(time), foot.ball)];
            for (_, point) in points.iter().filter(|(down, _)| *down) {
                farthest = farthest.max(1000.0 * point.position(models).y.abs());
            }
        }
    }
    farthest
}

/// Seconds that heels and toes are down, all in all.
fn seconds_down(contacts: &Contacts) -> f32 {
    let intervals = contacts.feet.iter().flat_map(|foot| foot.heel.iter().chain(&foot.toe));
    intervals.map(Interval::length).sum()
}

/// Mean angle in degrees between the bones of arms and legs of two motions.
fn bone_difference(a: (RetargetRig, &Clip), b: (RetargetRig, &Clip)) -> f32 {
    let bones = |actor: RetargetRig| {
        let chains = |chain: &[usize]| {
            let end = chain.len();
            [[chain[end - 3], chain[end - 2]], [chain[end - 2], chain[end - 1]]]
        };
        let legs = actor.rig.feet.iter().flat_map(|foot| chains(&foot.leg));
        let arms = actor.rig.arms.iter().flat_map(|arm| chains(&arm.chain));
        legs.chain(arms).collect::<Vec<_>>()
    };
    let frames = [a, b].map(|(actor, clip)| model_frames(actor.skeleton, clip));
    let (ours, theirs) = (bones(a.0), bones(b.0));
    assert_eq!(ours.len(), theirs.len());
    let (mut sum, mut count) = (0.0, 0);
    for (x, y) in frames[0].iter().zip(&frames[1]) {
        for (bone_x, bone_y) in ours.iter().zip(&theirs) {
            let along = |models: &[andante_skeleton::Transform], bone: &[usize; 2]| {
                models[bone[1]].translation - models[bone[0]].translation
            };
            sum += along(x, bone_x).angle_between(along(y, bone_y)).to_degrees();
            count += 1;
        }
    }
    sum / count as f32
}

/// Largest turn of a hip, knee or ankle relative to its parent from one frame to the next, in degrees
/// at 60 frames per second.
fn fastest_leg(actor: RetargetRig, clip: &Clip) -> f32 {
    let joints = actor.rig.feet.iter().flat_map(|foot| &foot.leg);
    let turn = |joint: usize| {
        let step = move |frame| {
            rotation::angle_between(clip.rotation(frame - 1, joint), clip.rotation(frame, joint))
        };
        (1..clip.frame_count()).map(step).fold(0.0, f32::max)
    };
    joints.map(|&joint| turn(joint)).fold(0.0, f32::max).to_degrees() * clip.fps() / 60.0
}

fn walks_keep_their_feet_on_the_ground(numbers: &[u32], target: &Character) {
    for &number in numbers {
        let Some(walk) = support::walk(number) else { return };
        let result = onto(&walk, target);
        let metrics = measured(target, &result);
        let bones =
            bone_difference((walk.actor(), &walk.clip), (RetargetRig::from(target), &result.clip));
        let fast = fastest_leg(RetargetRig::from(target), &result.clip);
        let source_fast = fastest_leg(walk.actor(), &walk.clip);
        let seen = format!("16_{number} on {}: {metrics:?}", target.name);
        assert!(metrics.foot_slide_mm_mean < 0.1 && metrics.foot_slide_mm_max < 2.0, "{seen}");
        assert!(metrics.sole_gap_mm_mean.abs() < 0.5, "{seen}");
        assert!(metrics.penetration_mm_max < 2.0, "{seen}");
        assert!(metrics.foot_rotation_deg_max < 30.0, "{seen}");
        // What the planter was told to hold says little: whoever looks at the result must find the same
        // feet down, and still.
        let found = found_down(target, &result.clip);
        let seen_down = measure_level(&target.skeleton, &target.rig, &result.clip, &found, 0.0);
        let off = farthest_off_the_ground(target, &result.clip, &found);
        let (down, told) = (seconds_down(&found), seconds_down(&result.contacts));
        assert!(
            seen_down.foot_slide_mm_mean < 0.5 && seen_down.foot_slide_mm_max < 2.0,
            "{seen}, found {seen_down:?}"
        );
        assert!(off < 2.0, "{seen}: {off} mm off the ground");
        assert!((down / told - 1.0).abs() < 0.05, "{seen}: {down} s down of {told}");
        assert!(bones < 7.0, "{seen}: bones differ by {bones} degrees");
        assert!(
            fast < source_fast + 8.0,
            "{seen}: {fast} degrees in a frame, {source_fast} before"
        );
    }
}

/// Longest way in millimetres that a heel, ball or tip of a foot goes within 2 mm of the ground without
/// being down.
fn longest_skim(target: &Character, result: &RetargetResult) -> f32 {
    let clip = &result.clip;
    let frames = model_frames(&target.skeleton, clip);
    let mut longest = 0.0f32;
    for (foot, contacts) in target.rig.feet.iter().zip(&result.contacts.feet) {
        let stance = contacts.stance();
        for point in [foot.heel, foot.ball, foot.tip] {
            let mut way = 0.0;
            for frame in 1..frames.len() {
                let time = clip.frame_time(frame);
                let (before, now) =
                    (point.position(&frames[frame - 1]), point.position(&frames[frame]));
                if now.y < 0.002 && !stance.iter().any(|interval| interval.contains(time)) {
                    way += 1000.0 * (now - before).with_y(0.0).length();
                    longest = longest.max(way);
                } else {
                    way = 0.0;
                }
            }
        }
    }
    longest
}

#[test]
fn swinging_feet_do_not_skim_the_ground() {
    for target in [humanoid(), short_legged()] {
        let mut skims = Vec::new();
        for number in STRAIGHT.into_iter().chain(TURNING) {
            let Some(walk) = support::walk(number) else { return };
            let skim = longest_skim(&target, &onto(&walk, &target));
            // One captured heel comes down that low by itself.
            assert!(skim < 120.0, "16_{number} on {}: {skim} mm along the ground", target.name);
            skims.push(skim);
        }
        let mean = skims.iter().sum::<f32>() / skims.len() as f32;
        assert!(mean < 60.0, "{}: {mean} mm on average, {skims:?}", target.name);
    }
}

/// Planting lays feet flat, but between strike and lift they come down and rise as they did before: held
/// flat for as long as a generous eye takes both ends to be down, they were turned by 4.7°.
#[test]
fn planted_feet_roll_as_those_of_the_source() {
    let human = humanoid();
    let mut turns = Vec::new();
    for number in STRAIGHT.into_iter().chain(TURNING) {
        let Some(walk) = support::walk(number) else { return };
        let planted = onto(&walk, &human).clip;
        let copied = retarget(
            walk.actor(),
            &walk.clip,
            &walk.contacts,
            RetargetRig::from(&human),
            &copied_options(),
        );
        let copied = copied.unwrap().clip;
        let frames = [planted, copied].map(|clip| model_frames(&human.skeleton, &clip));
        for foot in &human.rig.feet {
            for (a, b) in frames[0].iter().zip(&frames[1]) {
                let ankle = foot.ankle();
                turns.push(rotation::angle_between(a[ankle].rotation, b[ankle].rotation));
            }
        }
    }
    let mean = (turns.iter().sum::<f32>() / turns.len() as f32).to_degrees();
    assert!(mean < 3.8, "turned by {mean} degrees on average");
}

#[test]
fn straight_walks_keep_their_feet_on_the_ground() {
    walks_keep_their_feet_on_the_ground(&STRAIGHT, &humanoid());
}

#[test]
fn turning_walks_keep_their_feet_on_the_ground() {
    walks_keep_their_feet_on_the_ground(&TURNING, &humanoid());
}

#[test]
fn shorter_legs_walk_shorter_steps_on_the_same_ground() {
    let target = short_legged();
    walks_keep_their_feet_on_the_ground(&STRAIGHT, &target);
    walks_keep_their_feet_on_the_ground(&TURNING, &target);
    let Some(walk) = support::walk(15) else { return };
    let (short, long) = (onto(&walk, &target).report.scale, onto(&walk, &humanoid()).report.scale);
    assert!((short / long - 0.8).abs() < 0.02, "{short} {long}");
}

/// Without planting, so that what was copied shows.
fn copied_options() -> RetargetOptions {
    RetargetOptions { source_ground: Some(0.0), plant: None, ..RetargetOptions::default() }
}

fn largest_difference(a: &Clip, b: &Clip) -> (f32, f32) {
    assert_eq!(a.transforms().len(), b.transforms().len());
    let mut largest = (0.0f32, 0.0f32);
    for (a, b) in a.transforms().iter().zip(b.transforms()) {
        largest.0 = largest.0.max(a.translation.distance(b.translation));
        largest.1 = largest.1.max(rotation::angle_between(a.rotation, b.rotation));
    }
    largest
}

#[test]
fn onto_itself_a_motion_stays_as_it_is() {
    for path in ["cmu/16/16_15.bvh", "cmu/16/16_17.bvh", "cmu/16/16_03.bvh"] {
        let Some(walk) = support::cmu(path) else { return };
        let result =
            retarget(walk.actor(), &walk.clip, &walk.contacts, walk.actor(), &copied_options())
                .unwrap();
        let (moved, turned) = largest_difference(&walk.clip, &result.clip);
        assert!(moved < 1e-4 && turned < 1e-4, "{path}: {moved} m, {turned} rad");
    }
}

#[test]
fn feet_that_are_planted_are_left_alone() {
    let human = humanoid();
    for number in [15, 13] {
        let Some(walk) = support::walk(number) else { return };
        let once = onto(&walk, &human);
        let twice = retarget(
            RetargetRig::from(&human),
            &once.clip,
            &once.contacts,
            RetargetRig::from(&human),
            &RetargetOptions::default(),
        )
        .unwrap();
        let (moved, turned) = largest_difference(&once.clip, &twice.clip);
        assert!(moved < 1e-3 && turned < 1e-2, "16_{number}: {moved} m, {turned} rad");
    }
}

#[test]
fn a_motion_comes_back_from_another_body() {
    let human = humanoid();
    for number in [15, 19] {
        let Some(walk) = support::walk(number) else { return };
        let there = retarget(
            walk.actor(),
            &walk.clip,
            &walk.contacts,
            RetargetRig::from(&human),
            &copied_options(),
        )
        .unwrap();
        let back = retarget(
            RetargetRig::from(&human),
            &there.clip,
            &there.contacts,
            walk.actor(),
            &copied_options(),
        )
        .unwrap();
        assert!((there.report.scale * back.report.scale - 1.0).abs() < 1e-4);
        let frames = [&walk.clip, &back.clip].map(|clip| model_frames(&walk.skeleton, clip));
        let joints = walk.skeleton.len();
        let mut sum = 0.0;
        for (a, b) in frames[0].iter().zip(&frames[1]) {
            let apart = a.iter().zip(b).map(|(a, b)| a.translation.distance(b.translation));
            sum += apart.sum::<f32>();
        }
        let mean = sum / (joints * frames[0].len()) as f32;
        assert!(mean < 0.015, "16_{number}: joints are {mean} m from where they were");
    }
}

#[test]
fn knees_and_elbows_bend_about_the_axes_of_the_target() {
    let human = humanoid();
    let Some(walk) = support::walk(15) else { return };
    let result = onto(&walk, &human);
    let hinges: Vec<(usize, Vec3)> = (0..human.skeleton.len())
        .filter_map(|joint| match human.skeleton.joint(joint).limit {
            JointLimit::Hinge { axis, .. } => Some((joint, axis)),
            _ => None,
        })
        .filter(|(joint, _)| human.skeleton.joint(*joint).name.contains("Lower"))
        .collect();
    assert_eq!(hinges.len(), 4);
    for (joint, axis) in hinges {
        for frame in 0..result.clip.frame_count() {
            let bend = rotation::log(result.clip.rotation(frame, joint));
            let name = &human.skeleton.joint(joint).name;
            assert!(bend.dot(axis) > -0.05, "{name} bends backwards in frame {frame}: {bend}");
            assert!(bend.reject_from(axis).length() < 0.2, "{name} bends sideways: {bend}");
        }
    }
}

#[test]
fn heads_look_ahead_and_palms_face_the_thighs() {
    let human = humanoid();
    let Some(walk) = support::walk(15) else { return };
    let result = onto(&walk, &human);
    let find = |name: &str| human.skeleton.find(name).unwrap();
    // The left arm of this recording starts in T-pose.
    for models in model_frames(&human.skeleton, &result.clip).iter().skip(5) {
        let facing = models[find("Head")].rotation * Vec3::Z;
        let forward = models[find("Hips")].rotation * Vec3::Z;
        assert!(facing.angle_between(forward).to_degrees() < 35.0);
        for (hand, inward) in [("LeftHand", -1.0), ("RightHand", 1.0)] {
            let palm = models[find(hand)].rotation * Vec3::NEG_Y;
            let side = models[find("Hips")].rotation * Vec3::X * inward;
            assert!(palm.angle_between(side).to_degrees() < 80.0, "{hand}: {palm}");
        }
    }
}

/// The same body with another rest pose and without rotations in it, as motion capture files have it.
fn reposed(character: &Character, pose: &Pose) -> Character {
    let mut models = pose.to_vec();
    character.skeleton.local_to_model(pose, &mut models);
    let mut joints: Vec<Joint> = character.skeleton.joints().to_vec();
    for (index, joint) in joints.iter_mut().enumerate() {
        let from = joint.parent.map_or(Vec3::ZERO, |parent| models[parent].translation);
        joint.rest = Transform::from_translation(models[index].translation - from);
        joint.tip = joint.tip.map(|tip| models[index].rotation * tip);
        joint.limit = JointLimit::Free;
    }
    let mut rig = character.rig.clone();
    for foot in &mut rig.feet {
        for point in [&mut foot.heel, &mut foot.ball, &mut foot.tip] {
            point.offset = models[point.joint].rotation * point.offset;
        }
    }
    Character { skeleton: Skeleton::new(joints).unwrap(), rig, ..character.clone() }
}

#[test]
fn rest_poses_of_any_kind_lead_to_the_same_motion() {
    let human = humanoid();
    let Some(walk) = support::walk(15) else { return };
    let straight = onto(&walk, &human);
    let find = |name: &str| human.skeleton.find(name).unwrap();
    let mut hanging = Pose::rest(&human.skeleton);
    hanging[find("LeftUpperArm")].rotation = Quat::from_rotation_z(-0.8);
    hanging[find("RightUpperArm")].rotation = Quat::from_rotation_z(0.8);
    let mut splayed = hanging.clone();
    splayed[find("LeftUpperLeg")].rotation = Quat::from_rotation_z(0.35);
    splayed[find("RightUpperLeg")].rotation = Quat::from_rotation_z(-0.35);
    splayed[find("LeftLowerArm")].rotation = Quat::from_rotation_y(-0.4);
    splayed[find("RightLowerArm")].rotation = Quat::from_rotation_y(0.4);
    let mut turned = Pose::rest(&human.skeleton);
    turned[0].rotation = Quat::from_rotation_y(1.3);
    for (name, pose) in [("hanging arms", hanging), ("splayed legs", splayed), ("turned", turned)] {
        let other = reposed(&human, &pose);
        let there = retarget(
            RetargetRig::from(&human),
            &straight.clip,
            &straight.contacts,
            RetargetRig::from(&other),
            &copied_options(),
        )
        .unwrap();
        let frames = [(&human, &straight.clip), (&other, &there.clip)]
            .map(|(body, clip)| model_frames(&body.skeleton, clip));
        for (a, b) in frames[0].iter().zip(&frames[1]) {
            for joint in 0..a.len() {
                let apart = a[joint].translation.distance(b[joint].translation);
                let joint = &human.skeleton.joint(joint).name;
                assert!(apart < 0.012, "{name}: {joint} is {apart} m away");
            }
        }
    }
}

/// The same body below a root that stands on the ground, as game engines like it.
fn rooted(character: &Character) -> Character {
    let mut joints = vec![Joint::new("Root", None, Vec3::ZERO)];
    joints.extend(character.skeleton.joints().iter().cloned().map(|mut joint| {
        joint.parent = Some(joint.parent.map_or(0, |parent| parent + 1));
        joint
    }));
    let mut rig = character.rig.clone();
    rig.hips += 1;
    rig.spine.iter_mut().for_each(|joint| *joint += 1);
    rig.head = rig.head.map(|head| head + 1);
    rig.arms.iter_mut().flat_map(|arm| &mut arm.chain).for_each(|joint| *joint += 1);
    for foot in &mut rig.feet {
        foot.leg.iter_mut().for_each(|joint| *joint += 1);
        foot.toes = foot.toes.map(|toes| toes + 1);
        for point in [&mut foot.heel, &mut foot.ball, &mut foot.tip] {
            point.joint += 1;
        }
    }
    Character { skeleton: Skeleton::new(joints).unwrap(), rig, ..character.clone() }
}

#[test]
fn a_root_on_the_ground_travels_along() {
    let (human, rooted) = (humanoid(), rooted(&humanoid()));
    let Some(walk) = support::walk(17) else { return };
    let (plain, result) = (onto(&walk, &human), onto(&walk, &rooted));
    let metrics = measured(&rooted, &result);
    assert!(metrics.foot_slide_mm_max < 2.0 && metrics.penetration_mm_max < 2.0, "{metrics:?}");
    let frames = [(&human, &plain.clip), (&rooted, &result.clip)]
        .map(|(body, clip)| model_frames(&body.skeleton, clip));
    for (a, b) in frames[0].iter().zip(&frames[1]) {
        assert!(a[0].translation.abs_diff_eq(b[1].translation, 1e-3));
        assert!(b[0].translation.y.abs() < 1e-5);
    }
    let travel = |body: &Character, clip: &Clip| {
        RootMotion::extract(&body.skeleton, clip).unwrap().1.total()
    };
    let (a, b) = (travel(&human, &plain.clip), travel(&rooted, &result.clip));
    assert!(a.position.distance(b.position) < 1e-2 && (a.heading - b.heading).abs() < 0.05);
    assert!(a.heading > 1.0, "a left turn: {a:?}");
}

/// A four-legged body, three bones to a leg, `long` legs and bent or straight at rest.
fn quadruped(name: &str, long: f32, bend: f32) -> Character {
    let mut joints = vec![
        Joint::new("pelvis", None, Vec3::new(0.0, 1.6 * long, 0.0)),
        Joint::new("spine", Some(0), Vec3::new(0.0, 0.02, 0.3)),
        Joint::new("chest", Some(1), Vec3::new(0.0, 0.0, 0.3)),
        Joint::new("neck", Some(2), Vec3::new(0.0, 0.2, 0.2)),
        Joint::new("head", Some(3), Vec3::new(0.0, 0.1, 0.15)),
    ];
    joints[4].tip = Some(Vec3::new(0.0, 0.0, 0.2));
    let mut feet = Vec::new();
    let down = |angle: f32| Quat::from_rotation_x(angle) * Vec3::NEG_Y * long;
    let mut leg = |parent: usize, part: &str, side: Side, joints: &mut Vec<Joint>| {
        let (sign, letter) = if side == Side::Left { (1.0, "l") } else { (-1.0, "r") };
        let first = joints.len();
        let offsets = [
            Vec3::new(0.1 * sign, 0.0, 0.0),
            down(-bend) * 0.7,
            down(bend) * 0.6,
            down(-0.5 * bend) * 0.3,
        ];
        for (index, offset) in offsets.into_iter().enumerate() {
            let above = if index == 0 { parent } else { first + index - 1 };
            joints.push(Joint::new(format!("{part}_{index}_{letter}"), Some(above), offset));
        }
        let paw = BodyPoint { joint: first + 3, offset: Vec3::ZERO };
        feet.push(Foot {
            name: format!("{part} {letter}"),
            side,
            leg: (first..first + 4).collect(),
            toes: None,
            heel: paw,
            ball: paw,
            tip: paw,
        });
    };
    for side in [Side::Left, Side::Right] {
        leg(2, "front", side, &mut joints);
    }
    let mut rest: Vec<Joint> = joints.clone();
    for side in [Side::Left, Side::Right] {
        leg(0, "hind", side, &mut rest);
    }
    Character {
        name: name.into(),
        description: String::new(),
        skeleton: Skeleton::new(rest).unwrap(),
        rig: Rig { hips: 0, spine: vec![1, 2, 3], head: Some(4), feet, arms: vec![] },
    }
}

#[test]
fn a_trot_goes_from_a_dog_to_a_horse() {
    let (dog, horse) = (quadruped("dog", 0.3, 0.3), quadruped("horse", 0.8, 0.2));
    let mut transforms = Vec::new();
    for frame in 0..=60 {
        let phase = frame as f32 * 0.2;
        let mut pose = Pose::rest(&dog.skeleton);
        pose[0].translation.z += 0.02 * frame as f32;
        pose[3].rotation = Quat::from_rotation_x(0.2 * phase.sin());
        for (index, foot) in dog.rig.feet.iter().enumerate() {
            let swing = (phase + index as f32 * 1.7).sin();
            pose[foot.leg[0]].rotation = Quat::from_rotation_x(0.4 * swing);
            pose[foot.leg[1]].rotation = Quat::from_rotation_x(0.3 + 0.3 * swing);
        }
        transforms.extend_from_slice(&pose);
    }
    let clip = Clip::new("trot", &dog.skeleton, 30.0, transforms).unwrap();
    let contacts = Contacts { feet: vec![FootContacts::default(); 4] };
    let result = retarget(
        RetargetRig::from(&dog),
        &clip,
        &contacts,
        RetargetRig::from(&horse),
        &copied_options(),
    )
    .unwrap();
    assert!((result.report.scale - 0.8 / 0.3).abs() < 0.05, "{}", result.report.scale);
    assert!(result.report.resting.is_empty(), "{:?}", result.report.resting);
    let frames = [(&dog, &clip), (&horse, &result.clip)]
        .map(|(body, clip)| model_frames(&body.skeleton, clip));
    for (a, b) in frames[0].iter().zip(&frames[1]) {
        for joint in 1..a.len() {
            let parent = dog.skeleton.parent(joint).unwrap();
            let bone = |m: &[Transform]| m[joint].translation - m[parent].translation;
            let apart = bone(a).angle_between(bone(b)).to_degrees();
            assert!(apart < 6.0, "{}: {apart} degrees", dog.skeleton.joint(joint).name);
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let human = humanoid();
    let dog = quadruped("dog", 0.3, 0.3);
    let clip = Clip::new("rest", &human.skeleton, 30.0, Pose::rest(&human.skeleton).to_vec());
    let clip = clip.unwrap();
    let two = Contacts { feet: vec![FootContacts::default(); 2] };
    let none = Contacts::default();
    let to = RetargetRig::from(&human);
    let default = RetargetOptions::default();
    let wrong = retarget(RetargetRig::from(&dog), &clip, &two, to, &default);
    assert!(matches!(wrong, Err(RetargetError::Source(EditError::Skeleton { .. }))), "{wrong:?}");
    let wrong = retarget(to, &clip, &none, to, &default);
    assert!(matches!(wrong, Err(RetargetError::Source(EditError::Feet { .. }))), "{wrong:?}");
    let crossed = RetargetRig { skeleton: &human.skeleton, rig: &dog.rig };
    let wrong = retarget(
        to,
        &clip,
        &two,
        RetargetRig { skeleton: &dog.skeleton, rig: &human.rig },
        &default,
    );
    assert!(matches!(wrong, Err(RetargetError::Target(EditError::Rig { .. }))), "{wrong:?}");
    assert!(retarget(crossed, &clip, &two, to, &default).is_err());
    let wrong =
        retarget(to, &clip, &two, to, &RetargetOptions { scale: Some(f32::NAN), ..default });
    assert!(matches!(wrong, Err(RetargetError::Proportions { .. })), "{wrong:?}");
    let far = RetargetOptions { source_ground: Some(f32::INFINITY), ..default };
    assert!(retarget(to, &clip, &two, to, &far).is_err());
}

#[test]
fn a_single_frame_can_be_retargeted() {
    let (human, child) = (humanoid(), short_legged());
    let pose = Pose::rest(&human.skeleton);
    let clip = Clip::new("stand", &human.skeleton, 30.0, pose.to_vec()).unwrap();
    let down = vec![Interval::new(0.0, 0.0)];
    let foot = FootContacts { heel: down.clone(), toe: down };
    let contacts = Contacts { feet: vec![foot.clone(), foot] };
    let default = RetargetOptions::default();
    let result =
        retarget(RetargetRig::from(&human), &clip, &contacts, RetargetRig::from(&child), &default)
            .unwrap();
    let metrics = measured(&child, &result);
    assert!(metrics.penetration_mm_max < 0.1 && metrics.sole_gap_mm_mean.abs() < 0.1);
}

#[test]
fn runs_and_jumps_come_over_too() {
    let human = humanoid();
    for number in [1, 3, 8, 35, 45, 51, 55] {
        let Some(motion) = support::walk(number) else { return };
        let result = onto(&motion, &human);
        let metrics = measured(&human, &result);
        assert!(metrics.foot_slide_mm_max < 3.0, "16_{number}: {metrics:?}");
        assert!(metrics.penetration_mm_max < 8.0, "16_{number}: {metrics:?}");
        let bones = bone_difference(
            (motion.actor(), &motion.clip),
            (RetargetRig::from(&human), &result.clip),
        );
        assert!(bones < 8.0, "16_{number}: bones differ by {bones} degrees");
    }
}
