//! What holds for every solver.

use crate::support::random::Random;
use crate::support::{consistent, creature, direction, iterative, leg_solvers, point, standing};
use andante_ik::{IkReport, IkTarget, Jacobian, JacobianOptions, Solver};
use andante_skeleton::{
    BodyPoint, JointLimit, MirrorTable, Pose, Skeleton, Transform, humanoid, rotation,
};
use glam::{Quat, Vec3};
use proptest::prelude::*;

fn directions() -> impl Strategy<Value = Vec3> {
    (-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0)
        .prop_filter_map("a direction", |(x, y, z)| Vec3::new(x, y, z).try_normalize())
}

/// A leg that folds on its way up used to stop with its ankle in its hip.
#[test]
fn a_target_above_the_hip_is_reached_past_the_fold() {
    let human = humanoid();
    let (mut pose, mut models) = standing(&human);
    let leg = human.rig.feet[0].leg.clone();
    let target =
        models[leg[0]].translation + Vec3::new(0.0, 0.7288124, -0.68471336) * 0.7978098 * 0.859;
    for (name, mut solver) in
        leg_solvers(&human, 0, false).into_iter().filter(|(name, _)| *name == "Jacobian")
    {
        let report = solver.solve(&[IkTarget::position(target)], &mut pose, &mut models);
        assert!(report.reached, "{name} {report:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn targets_within_reach_are_reached_without_limits(direction in directions(), distance in 0.25f32..0.97) {
        let human = humanoid();
        let (pose, models) = standing(&human);
        let leg = human.rig.feet[0].leg.clone();
        let length = 0.859;
        for (name, mut solver) in leg_solvers(&human, 0, false) {
            // The descent weighs its target against the pose: see its own tests.
            if name == "descent" {
                continue;
            }
            let (mut pose, mut models) = (pose.clone(), models.clone());
            let target = models[leg[0]].translation + direction * distance * length;
            let report = solver.solve(&[IkTarget::position(target)], &mut pose, &mut models);
            prop_assert!(report.reached, "{name} {report:?}");
            prop_assert!(models[leg[2]].translation.distance(target) < 2e-4 * length + 1e-5, "{name}");
        }
    }

    #[test]
    fn bones_keep_their_lengths_and_joints_their_limits(direction in directions(), distance in 0.0f32..2.0, turn in directions()) {
        let human = humanoid();
        let (source, source_models) = standing(&human);
        for (name, mut solver) in leg_solvers(&human, 0, true) {
            let (mut pose, mut models) = (source.clone(), source_models.clone());
            let hip = models[human.rig.feet[0].hip()].translation;
            let target = Transform::new(rotation::exp(turn), hip + direction * distance * 0.859);
            solver.solve(&[IkTarget::placement(target)], &mut pose, &mut models);
            prop_assert!(consistent(&human.skeleton, solver.joints(), &pose, &models), "{name}");
            for (joint, (a, b)) in source.iter().zip(pose.iter()).enumerate() {
                prop_assert_eq!(a.translation, b.translation);
                let moved = solver.joints().contains(&joint);
                prop_assert!(moved || a == b, "{} moved joint {}", name, joint);
                let known = human.skeleton.joint(joint);
                if moved && name != "two bones" {
                    let strain = known.limit.strain(known.rest.rotation, b.rotation);
                    prop_assert!(strain < 1.002, "{} strains {} by {}", name, known.name, strain);
                }
            }
            for pair in solver.joints().windows(2) {
                let bone = models[pair[1]].translation.distance(models[pair[0]].translation);
                prop_assert!((bone - source[pair[1]].translation.length()).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn the_other_leg_does_the_same_in_a_mirror(direction in directions(), distance in 0.3f32..1.2) {
        let human = humanoid();
        let (source, source_models) = standing(&human);
        let mirror = MirrorTable::new(&human.skeleton);
        let hips = [0, 1].map(|side| source_models[human.rig.feet[side].hip()].translation);
        let flip = Vec3::new(-1.0, 1.0, 1.0);
        let solvers = leg_solvers(&human, 0, true).into_iter().zip(leg_solvers(&human, 1, true));
        for ((name, mut left), (_, mut right)) in solvers {
            let (mut a, mut a_models) = (source.clone(), source_models.clone());
            let (mut b, mut b_models) = (source.clone(), source_models.clone());
            let way = direction * distance * 0.859;
            left.solve(&[IkTarget::position(hips[0] + way)], &mut a, &mut a_models);
            right.solve(&[IkTarget::position(hips[1] + way * flip)], &mut b, &mut b_models);
            let mut seen = b.clone();
            mirror.mirror(&b, &mut seen);
            for joint in left.joints() {
                let turned = rotation::angle_between(a[*joint].rotation, seen[*joint].rotation);
                prop_assert!(turned < 5e-3, "{name} joint {joint} by {turned}");
            }
        }
    }

    #[test]
    fn where_the_character_stands_does_not_matter(direction in directions(), distance in 0.3f32..1.2, turn in directions(), x in -5.0f32..5.0) {
        let human = humanoid();
        let (source, source_models) = standing(&human);
        let moved = Transform::new(rotation::exp(turn * 2.0), Vec3::new(x, 0.3, -x));
        let hip = source_models[human.rig.feet[0].hip()].translation;
        let target = hip + direction * distance * 0.859;
        for (name, mut solver) in leg_solvers(&human, 0, true) {
            let (mut a, mut a_models) = (source.clone(), source_models.clone());
            let here = solver.solve(&[IkTarget::position(target)], &mut a, &mut a_models);
            let mut b = source.clone();
            b[0] = moved * b[0];
            let mut b_models = source_models.clone();
            human.skeleton.local_to_model(&b, &mut b_models);
            // The descent remembers the frame before: a new one for the other place.
            let mut solver = leg_solvers(&human, 0, true).into_iter().find(|(other, _)| *other == name).unwrap().1;
            let there = solver.solve(&[IkTarget::position(moved.transform_point(target))], &mut b, &mut b_models);
            // Where limits stop a search short of its target depends on rounding; so does, a little,
            // the twist of a leg that is nearly straight.
            let exact = name == "two bones";
            let comparable = exact || (here.reached && there.reached);
            if !comparable {
                continue;
            }
            prop_assert!((here.residual - there.residual).abs() < 2e-4, "{name} {here:?} {there:?}");
            let least = if exact { 3e-3 } else { 0.1 };
            for joint in solver.joints() {
                let turned = rotation::angle_between(a[*joint].rotation, b[*joint].rotation);
                prop_assert!(turned < least, "{name} joint {joint} by {turned}");
            }
        }
    }
}

/// Poses within limits have targets that can be reached within limits.
#[test]
fn targets_of_allowed_poses_are_reached_within_limits() {
    let human = humanoid();
    let (source, source_models) = standing(&human);
    let leg = &human.rig.feet[0].leg;
    let mut random = Random(7);
    let tries = 300;
    let mut reached = std::collections::BTreeMap::<&str, usize>::new();
    for _ in 0..tries {
        let mut there = source.clone();
        for &joint in leg {
            let turn = rotation::exp(direction(&mut random) * random.between(0.0, 1.5));
            there[joint].rotation = human.skeleton.joint(joint).limit.clamp(Quat::IDENTITY, turn);
        }
        let mut models = source_models.clone();
        human.skeleton.local_to_model(&there, &mut models);
        let target = models[leg[2]].translation;
        for (name, mut solver) in leg_solvers(&human, 0, true) {
            let (mut pose, mut models) = (source.clone(), source_models.clone());
            let report = solver.solve(&[IkTarget::position(target)], &mut pose, &mut models);
            *reached.entry(name).or_default() += usize::from(report.residual < 0.005);
        }
    }
    println!("{reached:?} of {tries}");
    assert!(reached["Jacobian"] * 100 >= 96 * tries, "{reached:?}");
    assert!(reached["CCD"] * 100 >= 90 * tries, "{reached:?}");
    assert!(reached["FABRIK"] * 100 >= 96 * tries, "{reached:?}");
}

#[test]
fn no_joint_jumps_while_a_target_moves_through_full_extension() {
    let human = humanoid();
    let (source, source_models) = standing(&human);
    let hip = source_models[human.rig.feet[0].hip()].translation;
    for (name, mut solver) in leg_solvers(&human, 0, true) {
        let mut last: Option<Pose> = None;
        for step in 0..1600 {
            let (mut pose, mut models) = (source.clone(), source_models.clone());
            let down = 0.6 + 0.00025 * step as f32;
            let target = hip + Vec3::new(0.05, -down, 0.1);
            solver.solve(&[IkTarget::position(target)], &mut pose, &mut models);
            // The descent approaches a target that is suddenly there over several frames.
            let settling = name == "descent" && step < 100;
            if let (Some(last), false) = (&last, settling) {
                for &joint in solver.joints() {
                    let moved = rotation::angle_between(last[joint].rotation, pose[joint].rotation);
                    assert!(moved < 0.08, "{name}: joint {joint} turned {moved} at {down} m");
                }
            }
            last = Some(pose);
        }
    }
}

#[test]
fn targets_that_are_not_numbers_leave_the_pose_as_it_was() {
    let human = humanoid();
    let (source, source_models) = standing(&human);
    let fine = IkTarget::position(Vec3::ZERO);
    let bad = [
        IkTarget::position(Vec3::NAN),
        IkTarget::position(Vec3::INFINITY),
        IkTarget { rotation: Some(Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0)), ..fine },
        IkTarget { rotation: Some(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)), ..fine },
        fine.weighted(f32::NAN),
    ];
    for (name, mut solver) in leg_solvers(&human, 0, true) {
        let (mut pose, mut models) = (source.clone(), source_models.clone());
        for target in bad {
            assert_eq!(
                solver.solve(&[target], &mut pose, &mut models),
                IkReport::REFUSED,
                "{name}"
            );
        }
        assert_eq!(solver.solve(&[], &mut pose, &mut models), IkReport::REFUSED, "{name}");
        assert_eq!(
            solver.solve(&[fine, fine], &mut pose, &mut models),
            IkReport::REFUSED,
            "{name}"
        );
        assert_eq!((pose, models), (source.clone(), source_models.clone()), "{name}");
    }
}

#[test]
fn odd_places_of_targets_give_poses_that_are_numbers() {
    let human = humanoid();
    let leg = &human.rig.feet[0].leg;
    for straight in [false, true] {
        let (source, source_models) = match straight {
            true => (Pose::rest(&human.skeleton), human.skeleton.rest_models()),
            false => standing(&human),
        };
        let places = [
            source_models[leg[0]].translation,
            source_models[leg[1]].translation,
            source_models[leg[2]].translation,
            source_models[leg[2]].translation + Vec3::Y * 0.2,
            source_models[leg[0]].translation + Vec3::Y * 3.0,
            Vec3::splat(1e9),
        ];
        for (name, mut solver) in leg_solvers(&human, 0, true) {
            for place in places {
                let (mut pose, mut models) = (source.clone(), source_models.clone());
                let report = solver.solve(&[IkTarget::position(place)], &mut pose, &mut models);
                assert!(report.residual.is_finite(), "{name} {report:?}");
                assert!(pose.iter().chain(&models).all(Transform::is_finite), "{name} at {place}");
            }
        }
    }
}

/// A straight leg cannot see a target on its own line: no turn of a single joint brings it closer.
#[test]
fn a_straight_leg_bends_for_a_target_on_its_line() {
    let human = humanoid();
    let leg = &human.rig.feet[0].leg;
    let source = Pose::rest(&human.skeleton);
    let source_models = human.skeleton.rest_models();
    let target = source_models[leg[2]].translation + Vec3::Y * 0.2;
    for (name, mut solver) in leg_solvers(&human, 0, true) {
        // Known not to: see its documentation.
        if name == "descent" {
            continue;
        }
        let (mut pose, mut models) = (source.clone(), source_models.clone());
        let report = solver.solve(&[IkTarget::position(target)], &mut pose, &mut models);
        assert!(report.residual < 2e-3, "{name} {report:?}");
        assert!(rotation::log(pose[leg[1]].rotation).x > 0.5, "{name} bends the knee its way");
    }
}

#[test]
fn bones_without_length_and_chains_of_one_joint_are_solved() {
    use andante_skeleton::Joint;
    let mut joints = vec![
        Joint::new("root", None, Vec3::ZERO),
        Joint::new("same place", Some(0), Vec3::ZERO),
        Joint::new("arm", Some(1), Vec3::X * 0.5),
        Joint::new("hand", Some(2), Vec3::new(0.4, 0.1, 0.0)),
    ];
    joints[1].limit = JointLimit::Fixed;
    let skeleton = Skeleton::new(joints).unwrap();
    let target = Vec3::new(0.2, 0.5, 0.3);
    for (name, mut solver) in iterative(&skeleton, 0, &[point(3)], true) {
        let (mut pose, mut models) = (Pose::rest(&skeleton), skeleton.rest_models());
        let report = solver.solve(&[IkTarget::position(target)], &mut pose, &mut models);
        assert!(report.reached, "{name} {report:?}");
    }
    // One joint with a tip points at its target; one without cannot do anything.
    let tip = BodyPoint { joint: 3, offset: Vec3::X * 0.1 };
    for (effector, close) in [(tip, true), (point(3), false)] {
        for (name, mut solver) in iterative(&skeleton, 3, &[effector], true) {
            let (mut pose, mut models) = (Pose::rest(&skeleton), skeleton.rest_models());
            let goal = models[3].translation + Vec3::Z * 0.1;
            let report = solver.solve(&[IkTarget::position(goal)], &mut pose, &mut models);
            assert_eq!(report.reached, close, "{name} {report:?}");
            assert!(pose.iter().all(Transform::is_finite), "{name}");
        }
    }
}

#[test]
fn three_legs_and_seven_are_solved_at_once() {
    for (legs, bones) in [(3, 3), (7, 5)] {
        let (skeleton, chains) = creature(legs, bones);
        let feet: Vec<BodyPoint> = chains.iter().map(|chain| point(chain[bones])).collect();
        let rest = skeleton.rest_models();
        let targets: Vec<IkTarget> = feet
            .iter()
            .enumerate()
            .map(|(leg, foot)| {
                let shift = Vec3::new(0.05, 0.1, -0.04) * (1.0 + 0.2 * leg as f32);
                IkTarget::position(rest[foot.joint].translation + shift)
            })
            .collect();
        for (name, mut solver) in iterative(&skeleton, 0, &feet, true) {
            let (mut pose, mut models) = (Pose::rest(&skeleton), rest.clone());
            let report = solver.solve(&targets, &mut pose, &mut models);
            assert!(report.residual < 0.01, "{name} with {legs} legs: {report:?}");
            assert!(consistent(&skeleton, solver.joints(), &pose, &models), "{name}");
        }
    }
}

#[test]
fn targets_without_weight_ask_for_nothing() {
    let (skeleton, chains) = creature(3, 3);
    let feet: Vec<BodyPoint> = chains.iter().map(|chain| point(chain[3])).collect();
    let rest = skeleton.rest_models();
    let off = IkTarget::position(Vec3::splat(9.0)).weighted(0.0);
    let on = IkTarget::position(rest[feet[1].joint].translation + Vec3::new(0.0, 0.1, 0.05));
    for (name, mut solver) in iterative(&skeleton, 0, &feet, true) {
        let (mut pose, mut models) = (Pose::rest(&skeleton), rest.clone());
        let report = solver.solve(&[off, on, off], &mut pose, &mut models);
        assert!(report.reached, "{name} {report:?}");
    }
}

/// Two hands on one spine, one pulled to the left and one to the right, farther than both can go.
#[test]
fn of_targets_that_contradict_each_other_the_first_priority_is_reached() {
    let human = humanoid();
    let (source, source_models) = standing(&human);
    let hands = [0, 1].map(|side| point(human.rig.arms[side].chain[2]));
    let root = human.rig.spine[0];
    let targets = [Vec3::new(0.9, 1.2, 0.25), Vec3::new(-0.9, 1.2, 0.25)].map(IkTarget::position);
    for first in [0, 1] {
        let mut priorities = [1, 1];
        priorities[first] = 0;
        let options = JacobianOptions { max_iterations: 80, ..Default::default() };
        let solver = Jacobian::new(&human.skeleton, root, &hands, options).unwrap();
        let mut solver = solver.with_priorities(&priorities);
        let (mut pose, mut models) = (source.clone(), source_models.clone());
        solver.solve(&targets, &mut pose, &mut models);
        let miss =
            |hand: usize| models[hands[hand].joint].translation.distance(targets[hand].position);
        assert!(miss(first) < 0.005, "hand {first} misses by {}", miss(first));
        assert!(
            miss(1 - first) > 5.0 * miss(first) && miss(1 - first) > 0.02,
            "{}",
            miss(1 - first)
        );
    }
}

#[test]
fn orientations_are_reached_with_positions() {
    let human = humanoid();
    let (source, source_models) = standing(&human);
    let leg = &human.rig.feet[0].leg;
    let ankle = source_models[leg[2]];
    let wanted = Transform::new(
        rotation::exp(Vec3::new(0.15, 0.1, 0.0)) * ankle.rotation,
        ankle.translation + Vec3::new(0.02, 0.08, 0.05),
    );
    for (name, mut solver) in leg_solvers(&human, 0, true) {
        if name == "descent" {
            continue;
        }
        let (mut pose, mut models) = (source.clone(), source_models.clone());
        let report = solver.solve(&[IkTarget::placement(wanted)], &mut pose, &mut models);
        assert!(report.reached, "{name} {report:?}");
        assert!(rotation::angle_between(models[leg[2]].rotation, wanted.rotation) < 3e-3, "{name}");
    }
}
