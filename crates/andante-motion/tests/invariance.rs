//! What must not change a label, and what must not break the analysis.

mod captured;

use andante_motion::analysis::{
    AnalysisError, AnalysisOptions, ClipAnalysis, Direction, MotionClass, analyse,
};
use andante_motion::synth::{self, GaitRequest};
use andante_motion::{edit, rig};
use andante_skeleton::{
    Clip, Joint, Planar, Pose, Rig, Skeleton, Transform, humanoid, humanoid_of_height,
};
use captured::{Captured, OWN};
use glam::{Quat, Vec2, Vec3};
use proptest::prelude::*;

/// A walk, a veer, a corner, jogs, runs, jumps, a stop, standing and turning.
const CLIPS: [&str; 12] = [
    "cmu/16/16_15.bvh",
    "cmu/16/16_11.bvh",
    "cmu/16/16_29.bvh",
    "cmu/16/16_35.bvh",
    "cmu/16/16_41.bvh",
    "cmu/16/16_50.bvh",
    "cmu/16/16_03.bvh",
    "cmu/16/16_06.bvh",
    "cmu/16/16_57.bvh",
    "cmu/16/16_34.bvh",
    "cmu/other/77_02.bvh",
    "cmu/other/69_18.bvh",
];

fn labels(analysis: &ClipAnalysis) -> (MotionClass, Direction) {
    (analysis.locomotion, analysis.travel.direction)
}

fn assert_finite(analysis: &ClipAnalysis) {
    let travel = &analysis.travel;
    let mut numbers = vec![
        travel.distance,
        travel.speed,
        travel.heading_change,
        travel.turn_rate,
        travel.curvature,
        travel.interval.start,
        travel.interval.end,
        analysis.cadence,
        analysis.stride_length,
        analysis.duty_factor,
        analysis.ground.height,
        analysis.ground.slope,
        analysis.ground.roughness,
        analysis.units.length,
        analysis.units.time,
        analysis.units.speed,
    ];
    numbers.extend(analysis.phase.iter().flatten());
    for cycle in &analysis.cycles {
        numbers.extend([cycle.stride_length, cycle.speed, cycle.heading_change, cycle.duty_factor]);
    }
    numbers.extend(analysis.loop_point.map(|point| point.mismatch));
    for segment in &analysis.segments {
        numbers.extend([segment.distance, segment.heading_change, segment.interval.length()]);
    }
    for foot in &analysis.contacts.feet {
        numbers.extend(foot.stance().iter().flat_map(|stance| [stance.start, stance.end]));
    }
    if let Some(footfalls) = &analysis.footfalls {
        numbers.extend(footfalls.phases.iter().chain(&footfalls.duty_factors));
    }
    assert!(numbers.iter().all(|number| number.is_finite()), "{analysis:?}");
    assert!(analysis.phase.iter().flatten().all(|phase| (0.0..=1.0).contains(phase)));
}

#[test]
fn labels_do_not_depend_on_where_and_which_way() {
    for (path, captured) in Captured::all(&CLIPS) {
        let clip = &captured.clips[0];
        let known = captured.analyse(clip);
        for (heading, x, z) in [(1.0, 3.0, -5.0), (-2.5, -20.0, 7.0)] {
            let moved = Planar::new(Vec2::new(x, z), heading).to_transform();
            let mut transforms = clip.transforms().to_vec();
            for pose in transforms.chunks_exact_mut(captured.skeleton.len()) {
                pose[0] = moved * pose[0];
            }
            let clip = Clip::new("moved", &captured.skeleton, clip.fps(), transforms).unwrap();
            let found = captured.analyse(&clip);
            assert_eq!(labels(&found), labels(&known), "{path}");
            let turned = found.travel.heading_change - known.travel.heading_change;
            assert!(turned.abs() < 0.02, "{path}: {turned}");
            for (found, known) in found.contacts.feet.iter().zip(&known.contacts.feet) {
                assert_eq!(found.stance().len(), known.stance().len(), "{path}");
            }
        }
    }
}

#[test]
fn a_mirror_swaps_left_and_right() {
    for (path, captured) in Captured::all(&CLIPS) {
        let clip = &captured.clips[0];
        let (class, direction) = labels(&captured.analyse(clip));
        let mirrored = edit::mirrored(&captured.skeleton, clip).unwrap();
        let expected = match direction {
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
            Direction::Straight => Direction::Straight,
        };
        assert_eq!(labels(&captured.analyse(&mirrored)), (class, expected), "{path}");
    }
}

#[test]
fn labels_do_not_depend_on_the_frame_rate() {
    let mut paths = OWN.map(andante_testdata::own).to_vec();
    if let Some(directory) = andante_testdata::mocap("cmu/16") {
        paths.extend(andante_testdata::files(&directory, "bvh"));
    }
    paths.extend(CLIPS[10..].iter().filter_map(|path| andante_testdata::mocap(path)));
    let (mut same, mut all) = (0, 0);
    let mut changed = Vec::new();
    for path in paths {
        let captured = Captured::load(&path);
        let clip = &captured.clips[0];
        let known = labels(&captured.analyse(clip));
        for fps in [60.0, 30.0] {
            let found = labels(&captured.analyse(&clip.resampled(fps).unwrap()));
            all += 1;
            same += usize::from(found == known);
            if found != known {
                changed.push(format!("{} at {fps}: {found:?}, was {known:?}", path.display()));
            }
        }
        if CLIPS.iter().any(|clip| path.ends_with(clip)) {
            let found = labels(&captured.analyse(&clip.resampled(240.0).unwrap()));
            assert_eq!(found, known, "{} at 240", path.display());
        }
    }
    assert!(100 * same >= 98 * all, "{same} of {all}: {changed:#?}");
}

/// Bodies of all sizes are alike if time goes with the square root of length.
#[test]
fn labels_do_not_depend_on_size() {
    for (path, captured) in Captured::all(&CLIPS) {
        let clip = &captured.clips[0];
        let known = captured.analyse(clip);
        for scale in [0.5f32, 2.0, 20.0] {
            let bigger =
                |place: Transform| Transform::new(place.rotation, place.translation * scale);
            let joints = captured.skeleton.joints().iter().map(|joint| Joint {
                rest: bigger(joint.rest),
                tip: joint.tip.map(|tip| tip * scale),
                ..joint.clone()
            });
            let skeleton = Skeleton::new(joints.collect()).unwrap();
            let transforms = clip.transforms().iter().map(|place| bigger(*place)).collect();
            let clip =
                Clip::new("scaled", &skeleton, clip.fps() / scale.sqrt(), transforms).unwrap();
            let rig = rig::detect(&skeleton, std::slice::from_ref(&clip)).unwrap();
            let found = analyse(&skeleton, &rig, &clip, &AnalysisOptions::default()).unwrap();
            assert_eq!(labels(&found), labels(&known), "{path} × {scale}");
            let faster = found.travel.speed / known.travel.speed;
            assert!((faster / scale.sqrt() - 1.0).abs() < 0.02, "{path} × {scale}: {faster}");
        }
    }
}

#[test]
fn clips_played_backwards_are_analysed() {
    for (_, captured) in Captured::all(&CLIPS) {
        let clip = edit::reversed(&captured.skeleton, &captured.clips[0]).unwrap();
        assert_finite(&captured.analyse(&clip));
    }
}

#[test]
fn made_gaits_are_what_they_were_made_to_be() {
    for height in [1.1, 1.75] {
        let human = humanoid_of_height(height);
        for (speed, turn_rate) in
            [(0.7, 0.0), (1.3, 0.0), (1.2, 0.5), (1.2, -0.5), (2.8, 0.0), (3.6, 0.0)]
        {
            let speed = speed * (height / 1.75f32).sqrt();
            let made =
                synth::locomotion(&human, &GaitRequest { turn_rate, ..GaitRequest::ahead(speed) })
                    .unwrap();
            let clip = &made.clip;
            let options = AnalysisOptions::default();
            let found = analyse(&human.skeleton, &human.rig, clip, &options).unwrap();
            let class = if speed < 1.5 { MotionClass::Walk } else { MotionClass::Run };
            assert_eq!(found.locomotion, class, "{speed} m/s");
            assert!(found.cyclic && !found.in_place(), "{speed} m/s");
            assert!(
                (found.travel.speed / speed - 1.0).abs() < 0.05,
                "{speed}: {}",
                found.travel.speed
            );
            assert!((found.travel.turn_rate - turn_rate).abs() < 0.1, "{}", found.travel.turn_rate);
            let period = clip.duration();
            assert_eq!(found.cycles.len(), 1, "{speed} m/s, {height} m: {:?}", found.contacts);
            assert!((found.cycles[0].interval.length() - period).abs() < 2.5 / clip.fps());
            // Strikes are where the generator put them, on the circle, since the clip is a loop. Its feet come
            // to rest gently, so that slow ones are taken to stand a little early.
            for (found, made) in found.contacts.feet.iter().zip(&made.contacts.feet) {
                let strikes = |stances: Vec<andante_play::Interval>| -> Vec<f32> {
                    let inside = stances.into_iter().map(|stance| stance.start);
                    inside.filter(|&start| start > 1.5 / clip.fps()).collect()
                };
                for strike in strikes(found.stance()) {
                    let off = strikes(made.stance())
                        .into_iter()
                        .chain([0.0, period])
                        .map(|start| (start - strike).abs())
                        .fold(f32::MAX, f32::min);
                    assert!(off < 5.0 / 60.0, "{speed} m/s: {off} s");
                }
            }
        }
    }
}

/// Taking the travel out of a gait leaves its speed to be read off the feet.
#[test]
fn a_made_gait_in_place_keeps_its_speed() {
    let human = humanoid();
    for speed in [1.0, 1.4, 3.0] {
        let made = synth::locomotion(&human, &GaitRequest::ahead(speed)).unwrap();
        let (in_place, _) =
            andante_skeleton::RootMotion::extract(&human.skeleton, &made.clip).unwrap();
        let options = AnalysisOptions::default();
        let known = analyse(&human.skeleton, &human.rig, &made.clip, &options).unwrap();
        let found = analyse(&human.skeleton, &human.rig, &in_place, &options).unwrap();
        assert!(found.in_place() && !known.in_place());
        assert_eq!(labels(&found), labels(&known), "{speed} m/s");
        assert!((found.travel.speed / speed - 1.0).abs() < 0.1, "{speed}: {}", found.travel.speed);
    }
}

#[test]
fn the_smallest_clips_are_analysed() {
    let human = humanoid();
    let options = AnalysisOptions::default();
    for frames in 1..8 {
        let pose = Pose::rest(&human.skeleton);
        let clip = Clip::new("still", &human.skeleton, 30.0, pose.repeat(frames)).unwrap();
        let found = analyse(&human.skeleton, &human.rig, &clip, &options).unwrap();
        assert_finite(&found);
        assert_eq!(found.locomotion, MotionClass::Stand);
        assert_eq!(found.phase.len(), frames);
    }
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let human = humanoid();
    let options = AnalysisOptions::default();
    let dot = Skeleton::new(vec![Joint::new("dot", None, Vec3::Y)]).unwrap();
    let still = Clip::new("dot", &dot, 30.0, Pose::rest(&dot).to_vec()).unwrap();
    let refused = |skeleton: &Skeleton, rig: &Rig, clip: &Clip| {
        analyse(skeleton, rig, clip, &options).unwrap_err()
    };
    let error = refused(&human.skeleton, &human.rig, &still);
    assert_eq!(error, AnalysisError::Clip { clip: "dot".into(), found: 1, expected: 26 });
    assert!(matches!(refused(&dot, &human.rig, &still), AnalysisError::Rig { joints: 1, .. }));
    let footless = Rig { feet: Vec::new(), ..human.rig.clone() };
    let pose = Pose::rest(&human.skeleton);
    let clip = Clip::new("still", &human.skeleton, 30.0, pose.to_vec()).unwrap();
    assert_eq!(refused(&human.skeleton, &footless, &clip), AnalysisError::NoFeet);
    assert_eq!(rig::detect(&dot, &[still]), Err(rig::RigError::NoFeet { joints: 1 }));
    // Every joint at one point.
    let joints = human.skeleton.joints().iter();
    let joints = joints.map(|joint| Joint::new(joint.name.clone(), joint.parent, Vec3::ZERO));
    let flat = Skeleton::new(joints.collect()).unwrap();
    let mut soleless = human.rig.clone();
    for foot in &mut soleless.feet {
        (foot.heel.offset, foot.ball.offset, foot.tip.offset) = Default::default();
    }
    let clip = Clip::new("flat", &flat, 30.0, Pose::rest(&flat).to_vec()).unwrap();
    assert_eq!(refused(&flat, &soleless, &clip), AnalysisError::NoLength);
}

fn transform() -> impl Strategy<Value = Transform> {
    let number = prop_oneof![8 => -2.0f32..2.0, 1 => -1e4f32..1e4, 1 => -3e38f32..3e38];
    (prop::array::uniform3(number), prop::array::uniform4(-1.0f32..1.0)).prop_map(|(t, r)| {
        let rotation = Quat::from_array(r);
        let rotation = if rotation.length() > 1e-3 { rotation.normalize() } else { Quat::IDENTITY };
        Transform::new(rotation, Vec3::from_array(t))
    })
}

/// A random tree of joints.
#[allow(clippy::unwrap_used)]
fn skeleton() -> impl Strategy<Value = Skeleton> {
    let offset = prop::array::uniform3(prop_oneof![4 => -1.0f32..1.0, 1 => Just(0.0f32)]);
    prop::collection::vec((0usize..6, offset), 0..24).prop_map(|joints| {
        let names = ["left leg", "rfoot", "Spine", "arm_l", "x", "LeftToe", "tail", "head"];
        let mut tree = vec![Joint::new("root", None, Vec3::Y)];
        for (index, (up, offset)) in joints.into_iter().enumerate() {
            // Somewhere up the chain of the joint before, so that the order is depth first.
            let mut parent = index;
            for _ in 0..up {
                parent = tree[parent].parent.unwrap_or(0);
            }
            let name = format!("{}{index}", names[index % names.len()]);
            tree.push(Joint::new(name, Some(parent), Vec3::from_array(offset)));
        }
        Skeleton::new(tree).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn garbage_is_analysed_without_panic_or_nan(
        frames in 1usize..40, fps in prop_oneof![20.0f32..250.0, 1e-3f32..1e5],
        pool in prop::collection::vec(transform(), 64), wild in any::<bool>(),
    ) {
        let human = humanoid();
        let rest = Pose::rest(&human.skeleton);
        let joints = human.skeleton.len();
        let transforms = (0..frames * joints).map(|index| {
            let random = pool[(index * 31 + index / 7) % pool.len()];
            let keep = if wild || index % joints == 0 { random.translation } else { rest[index % joints].translation };
            Transform::new(random.rotation, keep)
        });
        let clip = Clip::new("garbage", &human.skeleton, fps, transforms.collect()).unwrap();
        let options = AnalysisOptions::default();
        assert_finite(&analyse(&human.skeleton, &human.rig, &clip, &options).unwrap());
        if let Ok(rig) = rig::detect(&human.skeleton, std::slice::from_ref(&clip)) {
            for foot in &rig.feet {
                let points = [foot.heel, foot.ball, foot.tip];
                prop_assert!(points.iter().all(|point| point.offset.is_finite()));
            }
            if let Ok(analysis) = analyse(&human.skeleton, &rig, &clip, &options) {
                assert_finite(&analysis);
            }
        }
    }

    #[test]
    fn random_trees_are_given_roles_or_refused(
        skeleton in skeleton(), pool in prop::collection::vec(transform(), 16), frames in 1usize..12,
    ) {
        let count = frames * skeleton.len();
        let transforms = (0..count).map(|index| pool[(index * 13) % pool.len()]).collect();
        let clip = Clip::new("garbage", &skeleton, 30.0, transforms).unwrap();
        for clips in [vec![], vec![clip.clone()]] {
            if let Ok(rig) = rig::detect(&skeleton, &clips)
                && let Ok(analysis) = analyse(&skeleton, &rig, &clip, &AnalysisOptions::default())
            {
                assert_finite(&analysis);
            }
        }
    }
}
