//! Kinds of motion beside walking and running, parts of the body on the ground, and sessions cut into pieces: against captions of the
//! archive, and against bodies that are posed by hand.

#![allow(clippy::unwrap_used)]

mod captured;
mod support;

use andante_motion::analysis::{
    AnalysisOptions, Bearing, MotionClass, TouchLimits, TouchPart, analyse, touch_contacts,
};
use andante_motion::edit::{JoinOptions, concatenate, moved, reversed};
use andante_motion::repertoire::{SessionOptions, cut_session};
use andante_motion::retarget::{RetargetOptions, RetargetRig, retarget};
use andante_motion::synth;
use andante_play::{Contacts, FootContacts};
use andante_skeleton::{
    Character, Clip, Joint, Planar, Pose, Skeleton, Transform, humanoid, model_frames, rotation,
};
use captured::Captured;
use glam::{Quat, Vec2, Vec3};
use std::collections::BTreeMap;

/// What the captions of the archive say, by file; of some it may be one or the other.
fn captions() -> Vec<(String, Vec<&'static str>)> {
    let sixteen = |numbers: &[u32], classes: &[&'static str]| -> Vec<(String, Vec<&'static str>)> {
        numbers
            .iter()
            .map(|number| (format!("cmu/16/16_{number:02}.bvh"), classes.to_vec()))
            .collect()
    };
    let walks: Vec<u32> = (11..=34).chain([47, 58]).collect();
    let runs: Vec<u32> = (35..=46).chain(48..=57).chain([8]).collect();
    let mut all = sixteen(&[1, 2, 3, 4, 5, 6, 7, 9, 10], &["jump"]);
    all.extend(sixteen(&walks, &["walk"]));
    all.extend(sixteen(&runs, &["run"]));
    let named: [(&str, &[&str]); 25] = [
        ("03/03_01", &["walk"]),
        ("03/03_02", &["walk"]),
        ("03/03_03", &["walk"]),
        ("03/03_04", &["walk"]),
        ("other/77_02", &["stand"]),
        ("other/69_16", &["turn in place"]),
        ("other/69_18", &["turn in place"]),
        ("other/104_02", &["walk"]),
        ("ground/74_15", &["walk"]),
        ("ground/74_17", &["walk"]),
        ("ground/74_19", &["walk"]),
        ("ground/83_30", &["climb"]),
        ("ground/83_31", &["climb"]),
        ("ground/83_34", &["climb"]),
        ("ground/83_03", &["climb"]),
        ("ground/83_08", &["climb"]),
        ("ground/83_25", &["climb"]),
        ("ground/13_35", &["climb"]),
        ("ground/13_37", &["climb"]),
        ("hands/49_06", &["other"]),
        ("hands/88_02", &["other", "jump"]),
        ("hands/113_08", &["lie"]),
        ("hands/111_10", &["sit"]),
        ("hands/14_27", &["sit"]),
        ("hands/77_19", &["walk"]),
    ];
    all.extend(named.iter().map(|(name, classes)| (format!("cmu/{name}.bvh"), classes.to_vec())));
    all.push(("asf-amc/backflip.amc".into(), vec!["jump"]));
    all.push(("asf-amc/pirouette.amc".into(), vec!["turn in place"]));
    all
}

#[test]
fn kinds_of_all_captured_clips_are_found() {
    let mut table: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    let (mut right, mut clips) = (0, 0);
    for (path, expected) in captions() {
        let Some(captured) = Captured::mocap(&path) else { return };
        let analysis = captured.analyse(&captured.clips[0]);
        // A walk that begins or ends at rest is a walk.
        let found = match analysis.class {
            MotionClass::Start | MotionClass::Stop => analysis.locomotion.name(),
            class => class.name(),
        };
        assert!((0.0..=1.0).contains(&analysis.confidence), "{path}: {}", analysis.confidence);
        clips += 1;
        let good = expected.contains(&found);
        right += usize::from(good);
        table.entry((expected[0], found)).or_default().push(path);
    }
    for ((expected, found), paths) in &table {
        let which = if *expected == *found { String::new() } else { paths.join(" ") };
        eprintln!("{expected:>14} found as {found:<14} {:3} {which}", paths.len());
    }
    eprintln!("{right} of {clips}");
    assert!(100 * right >= 95 * clips, "{right} of {clips}");
}

#[test]
fn walks_backward_and_sideways_are_told_from_walks_ahead() {
    let human = humanoid();
    let walk = synth::clip(&human, "walk").unwrap().clip;
    let walks = concatenate(
        &human.skeleton,
        &walk,
        &walk,
        &JoinOptions { fade: 0.0, ..JoinOptions::default() },
    )
    .unwrap();
    let bearing = |clip: &Clip| {
        let analysis =
            analyse(&human.skeleton, &human.rig, clip, &AnalysisOptions::default()).unwrap();
        assert_eq!(analysis.locomotion, MotionClass::Walk);
        analysis.travel.bearing
    };
    for turned in [0.0, 1.0, -2.5] {
        let place = Planar::new(Vec2::new(2.0, -1.0), turned);
        let ahead = moved(&human.skeleton, &walks, &place, 0.3).unwrap();
        assert_eq!(bearing(&ahead), Bearing::Ahead);
        assert_eq!(bearing(&reversed(&human.skeleton, &ahead).unwrap()), Bearing::Backward);
        // The same way with the body turned by a right angle about the vertical.
        let side = Quat::from_rotation_y(1.5);
        let mut transforms = ahead.transforms().to_vec();
        for pose in transforms.chunks_exact_mut(human.skeleton.len()) {
            pose[0].rotation = side * pose[0].rotation;
        }
        let aside = Clip::new("aside", &human.skeleton, ahead.fps(), transforms).unwrap();
        assert_eq!(bearing(&aside), Bearing::Sideways);
    }
}

/// Turns a joint so that its child is in a direction.
fn aim(skeleton: &Skeleton, pose: &mut Pose, joint: usize, child: usize, towards: Vec3) {
    let mut models = pose.to_vec();
    skeleton.local_to_model(pose, &mut models);
    let own = models[child].translation - models[joint].translation;
    let above = skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| models[parent].rotation);
    let turned = rotation::arc(own, towards) * models[joint].rotation;
    pose[joint].rotation = (above.conjugate() * turned).normalize();
}

fn placed(skeleton: &Skeleton, pose: &[Transform]) -> Vec<Transform> {
    let mut models = pose.to_vec();
    skeleton.local_to_model(pose, &mut models);
    models
}

/// Somebody on hands and knees, rocking ahead and back.
fn on_all_fours(human: &Character) -> Clip {
    let (skeleton, rig) = (&human.skeleton, &human.rig);
    let length = andante_motion::analysis::NaturalUnits::of(skeleton, rig).unwrap().length;
    let limits = TouchLimits::default();
    let mut transforms = Vec::new();
    for frame in 0..90 {
        let rock = 0.05 * (frame as f32 / 30.0).sin();
        let pose_at = |pitch: f32| {
            let mut pose = Pose::rest(skeleton);
            pose[0].rotation = Quat::from_rotation_x(pitch) * pose[0].rotation;
            for foot in &rig.feet {
                let leg = &foot.leg;
                aim(skeleton, &mut pose, leg[0], leg[1], Vec3::new(0.0, -1.0, rock));
                aim(skeleton, &mut pose, leg[1], leg[2], Vec3::new(0.0, -0.02, -1.0));
                aim(skeleton, &mut pose, leg[2], foot.toes.unwrap(), Vec3::new(0.0, -0.3, -1.0));
            }
            for arm in &rig.arms {
                let chain = &arm.chain;
                let [upper, lower, hand] =
                    [chain[chain.len() - 3], chain[chain.len() - 2], chain[chain.len() - 1]];
                aim(skeleton, &mut pose, upper, lower, Vec3::new(0.0, -1.0, 0.05 + rock));
                aim(skeleton, &mut pose, lower, hand, Vec3::new(0.0, -1.0, -0.1));
                let finger = skeleton.subtree(hand).nth(1);
                if let Some(finger) = finger {
                    aim(skeleton, &mut pose, hand, finger, Vec3::new(0.0, -0.02, 1.0));
                }
            }
            let models = placed(skeleton, &pose);
            let knee = TouchPart::Knee(0).position(skeleton, rig, &models).y;
            pose[0].translation.y += limits.knee * length - knee;
            pose
        };
        // As far forward as brings the hands to the ground.
        let hand_of = |pitch: f32| {
            TouchPart::Hand(0).position(skeleton, rig, &placed(skeleton, &pose_at(pitch))).y
                - limits.hand * length
        };
        let (mut low, mut high) = (0.3f32, 2.2f32);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            if hand_of(middle) > 0.0 { low = middle } else { high = middle }
        }
        transforms.extend_from_slice(&pose_at(0.5 * (low + high)));
    }
    Clip::new("all fours", skeleton, 60.0, transforms).unwrap()
}

/// The human with other proportions: arms and legs longer or shorter.
fn other_human(human: &Character, arms: f32, legs: f32) -> Character {
    let mut joints: Vec<Joint> = human.skeleton.joints().to_vec();
    for arm in &human.rig.arms {
        arm.chain[1..].iter().for_each(|&joint| joints[joint].rest.translation *= arms);
    }
    for foot in &human.rig.feet {
        foot.leg[1..].iter().for_each(|&joint| joints[joint].rest.translation *= legs);
    }
    Character::new("other", Skeleton::new(joints).unwrap(), human.rig.clone())
}

#[test]
fn hands_and_knees_on_the_ground_are_found_and_stay_there_on_another_body() {
    let human = humanoid();
    let clip = on_all_fours(&human);
    let touching = touch_contacts(&human.skeleton, &human.rig, &clip, 0.0, &TouchLimits::default());
    let names: Vec<&str> = touching.iter().map(|touch| touch.name.as_str()).collect();
    for part in ["left hand", "right hand", "left knee", "right knee"] {
        assert!(names.contains(&part), "{names:?}");
    }
    assert!(!names.contains(&"head") && !names.contains(&"pelvis"), "{names:?}");
    let analysis =
        analyse(&human.skeleton, &human.rig, &clip, &AnalysisOptions::default()).unwrap();
    assert_eq!(analysis.class, MotionClass::Crawl, "{:?}", analysis.segments);
    let contacts = Contacts { feet: vec![FootContacts::default(); 2] };
    for (arms, legs) in [(1.0, 1.15), (0.85, 1.0), (1.1, 0.9), (0.9, 1.2)] {
        let other = other_human(&human, arms, legs);
        let options = RetargetOptions { source_ground: Some(0.0), ..RetargetOptions::default() };
        let made = retarget(
            RetargetRig::from(&human),
            &clip,
            &contacts,
            RetargetRig::from(&other),
            &options,
        )
        .unwrap();
        let length =
            andante_motion::analysis::NaturalUnits::of(&other.skeleton, &other.rig).unwrap().length;
        let frames = model_frames(&other.skeleton, &made.clip);
        for touch in touching
            .iter()
            .filter(|touch| matches!(touch.part, TouchPart::Hand(_) | TouchPart::Knee(_)))
        {
            for (frame, models) in frames.iter().enumerate() {
                let time = made.clip.frame_time(frame);
                if !touch.down.iter().any(|span| span.contains(time)) {
                    continue;
                }
                let height = touch.part.position(&other.skeleton, &other.rig, models).y;
                let off = height - touch.part.thickness(&TouchLimits::default(), length);
                assert!(
                    off.abs() < 0.010,
                    "{} of ({arms}, {legs}) is {:.1} mm off in frame {frame}",
                    touch.name,
                    1e3 * off
                );
            }
        }
    }
}

#[test]
fn captured_hands_and_the_rest_stay_on_the_ground_of_other_bodies() {
    for path in ["cmu/hands/113_08.bvh", "cmu/hands/49_06.bvh"] {
        let Some(captured) = support::cmu(path) else { return };
        let human = humanoid();
        let options =
            RetargetOptions { source_ground: Some(captured.ground), ..RetargetOptions::default() };
        let made = retarget(
            captured.actor(),
            &captured.clip,
            &captured.contacts,
            RetargetRig::from(&human),
            &options,
        )
        .unwrap();
        for (name, mean, most) in &made.report.parts {
            eprintln!("{path} {name}: {:.1} mm on average, {:.1} at most", 1e3 * mean, 1e3 * most);
            if name.ends_with("hand") || name.ends_with("knee") {
                assert!(*mean < 0.010, "{path} {name}: {mean} m off");
            }
        }
        assert!(!made.report.parts.is_empty(), "{path}");
    }
}

#[test]
fn a_session_is_cut_into_what_happens_in_it() {
    let human = humanoid();
    let skeleton = &human.skeleton;
    let clip = |name: &str| synth::clip(&human, name).unwrap().clip;
    let joined = |first: Clip, second: &Clip| {
        concatenate(skeleton, &first, second, &JoinOptions::default()).unwrap()
    };
    let mut session = clip("stand");
    for name in ["start", "walk", "walk", "walk", "walk", "walk", "stop", "stand"] {
        session = joined(session, &clip(name));
    }
    let analysis = analyse(skeleton, &human.rig, &session, &AnalysisOptions::default()).unwrap();
    let pieces = cut_session(skeleton, &session, &analysis, &SessionOptions::default()).unwrap();
    let names: Vec<&str> = pieces.iter().map(|piece| piece.clip.name()).collect();
    assert_eq!(names.first(), Some(&"stand 1"), "{names:?}");
    assert!(names.contains(&"walk 1") && names.contains(&"stand 2"), "{names:?}");
    for pair in pieces.windows(2) {
        assert!(pair[0].interval.start <= pair[1].interval.start);
    }
    let walk = pieces.iter().find(|piece| piece.clip.name() == "walk 1").unwrap();
    assert!(walk.clip.duration() > 4.0, "{}", walk.clip.duration());
}
