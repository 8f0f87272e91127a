//! Whole bodies: targets, limits, balance, priorities.

use crate::support::{consistent, creature, standing};
use andante_ik::{
    Balance, BodyPlan, FullBody, FullBodyOptions, IkReport, IkTarget, Masses, Solver,
};
use andante_skeleton::{Character, MirrorTable, Pose, Transform, humanoid, rotation};
use glam::Vec3;
use proptest::prelude::*;

const OFF: IkTarget = IkTarget { position: Vec3::ZERO, rotation: None, weight: 0.0 };

/// Feet where they are, hands and head free, hips free.
fn planted(human: &Character, models: &[Transform]) -> Vec<IkTarget> {
    let foot = |side: usize| IkTarget::position(models[human.rig.feet[side].ankle()].translation);
    vec![foot(0), foot(1), OFF, OFF, OFF, OFF]
}

fn ends(human: &Character) -> Vec<usize> {
    let feet = human.rig.feet.iter().map(|foot| foot.ankle());
    feet.chain(human.rig.arms.iter().map(|arm| arm.chain[2])).chain(human.rig.head).collect()
}

fn middle(human: &Character, models: &[Transform]) -> Vec3 {
    let ankles = human.rig.feet.iter().map(|foot| models[foot.ankle()].translation);
    ankles.sum::<Vec3>() / 2.0 + Vec3::Z * 0.06
}

fn check(
    human: &Character,
    source: &Pose,
    pose: &Pose,
    models: &[Transform],
) -> Result<(), TestCaseError> {
    let all: Vec<usize> = (0..pose.len()).collect();
    prop_assert!(consistent(&human.skeleton, &all, pose, models));
    for (index, joint) in human.skeleton.joints().iter().enumerate() {
        if index != human.rig.hips {
            prop_assert_eq!(pose[index].translation, source[index].translation);
        }
        let strain = joint.limit.strain(joint.rest.rotation, pose[index].rotation);
        prop_assert!(strain < 1.002, "{} is strained by {strain}", joint.name);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn hands_reach_what_is_before_a_body_that_keeps_feet_limits_and_balance(
        left in (0.0f32..0.5, 0.7f32..1.7, 0.2f32..0.6), right in (-0.5f32..0.0, 0.7f32..1.7, 0.2f32..0.6),
    ) {
        let human = humanoid();
        let (source, source_models) = standing(&human);
        let mut body = FullBody::of_character(&human, FullBodyOptions::default()).unwrap();
        let place = middle(&human, &source_models);
        body.set_balance(Some(Balance { place, radius: 0.04 }));
        let mut targets = planted(&human, &source_models);
        targets[2] = IkTarget::position(left.into());
        targets[3] = IkTarget::position(right.into());
        let (mut pose, mut models) = (source.clone(), source_models.clone());
        let report = body.solve(&targets, &mut pose, &mut models);
        prop_assert!(report.reached, "{report:?}");
        check(&human, &source, &pose, &models)?;
        let centre = body.masses().centre_of_mass(&models) - place;
        prop_assert!(centre.x.hypot(centre.z) < 0.047, "{centre}");
    }

    #[test]
    fn any_targets_give_a_pose_within_limits(
        places in prop::collection::vec((-1.5f32..1.5, -0.5f32..2.5, -1.5f32..1.5), 5), turn in (-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0),
    ) {
        let human = humanoid();
        let (source, source_models) = standing(&human);
        let mut body = FullBody::of_character(&human, FullBodyOptions::default()).unwrap();
        body.set_balance(Some(Balance { place: Vec3::ZERO, radius: 0.0 }));
        let mut targets: Vec<IkTarget> = places.iter().map(|&place| IkTarget::position(place.into())).collect();
        targets[2].rotation = Some(rotation::exp(Vec3::from(turn) * 2.0));
        targets[4].rotation = Some(rotation::exp(Vec3::from(turn)));
        targets.push(OFF);
        let (mut pose, mut models) = (source.clone(), source_models.clone());
        let report = body.solve(&targets, &mut pose, &mut models);
        prop_assert!(report.residual.is_finite());
        check(&human, &source, &pose, &models)?;
    }

    #[test]
    fn a_mirrored_task_is_solved_by_a_mirrored_pose(hand in (0.1f32..0.6, 0.6f32..1.6, 0.2f32..0.7)) {
        let human = humanoid();
        let (source, source_models) = standing(&human);
        let mut body = FullBody::of_character(&human, FullBodyOptions::default()).unwrap();
        let mirror = MirrorTable::new(&human.skeleton);
        let hand = Vec3::from(hand);
        let mut solve = |index: usize, place: Vec3| {
            let (mut pose, mut models) = (source.clone(), source_models.clone());
            let mut targets = planted(&human, &source_models);
            targets[index] = IkTarget::position(place);
            body.solve(&targets, &mut pose, &mut models);
            pose
        };
        let left = solve(2, hand);
        let right = solve(3, hand * Vec3::new(-1.0, 1.0, 1.0));
        let mut seen = right.clone();
        mirror.mirror(&right, &mut seen);
        for (joint, (a, b)) in left.iter().zip(seen.iter()).enumerate() {
            let turned = rotation::angle_between(a.rotation, b.rotation);
            prop_assert!(turned < 0.02, "joint {joint} by {turned}");
        }
    }
}

#[test]
fn a_pose_that_meets_its_targets_stays_as_it_is() {
    let human = humanoid();
    let (source, source_models) = standing(&human);
    let mut body = FullBody::of_character(&human, FullBodyOptions::default()).unwrap();
    let mut targets: Vec<IkTarget> = ends(&human)
        .iter()
        .map(|&joint| IkTarget::position(source_models[joint].translation))
        .collect();
    targets.push(OFF);
    let (mut pose, mut models) = (source.clone(), source_models.clone());
    let report = body.solve(&targets, &mut pose, &mut models);
    assert!(report.reached && report.iterations == 0, "{report:?}");
    for (a, b) in source.iter().zip(pose.iter()) {
        assert!(rotation::angle_between(a.rotation, b.rotation) < 2e-3);
    }
}

#[test]
fn feet_stay_when_a_hand_asks_for_the_impossible() {
    let human = humanoid();
    let (source, source_models) = standing(&human);
    let mut body = FullBody::of_character(&human, FullBodyOptions::default()).unwrap();
    let mut targets = planted(&human, &source_models);
    targets[2] = IkTarget::position(Vec3::new(2.5, 1.6, 2.5));
    let (mut pose, mut models) = (source.clone(), source_models.clone());
    let report = body.solve(&targets, &mut pose, &mut models);
    assert!(!report.reached && report.residual > 1.0);
    for foot in &human.rig.feet {
        let moved =
            models[foot.ankle()].translation.distance(source_models[foot.ankle()].translation);
        assert!(moved < 0.005, "{} moved by {moved}", foot.name);
    }
    let stretched = models[human.rig.arms[0].chain[2]].translation;
    assert!(stretched.x > 0.6 && stretched.z > 0.4, "the hand points at it: {stretched}");
}

#[test]
fn no_joint_jumps_while_a_hand_reaches_farther_and_farther() {
    let human = humanoid();
    let (source, source_models) = standing(&human);
    let mut body = FullBody::of_character(&human, FullBodyOptions::default()).unwrap();
    let mut last: Option<Pose> = None;
    for step in 0..300 {
        let mut targets = planted(&human, &source_models);
        targets[2] = IkTarget::position(Vec3::new(0.3, 1.1, 0.3 + 0.001 * step as f32));
        let (mut pose, mut models) = (source.clone(), source_models.clone());
        body.solve(&targets, &mut pose, &mut models);
        if let Some(last) = &last {
            for (joint, (a, b)) in last.iter().zip(pose.iter()).enumerate() {
                let moved = rotation::angle_between(a.rotation, b.rotation);
                assert!(moved < 0.15, "joint {joint} turned {moved} in step {step}");
            }
        }
        last = Some(pose);
    }
}

#[test]
fn heads_and_hips_go_where_they_are_told() {
    let human = humanoid();
    let (source, source_models) = standing(&human);
    let mut body = FullBody::of_character(&human, FullBodyOptions::default()).unwrap();
    let mut targets = planted(&human, &source_models);
    let head = source_models[human.rig.head.unwrap()];
    let turned = rotation::exp(Vec3::new(0.2, 0.3, 0.0)) * head.rotation;
    let place = head.translation + Vec3::new(0.05, -0.1, 0.1);
    targets[4] = IkTarget::placement(Transform::new(turned, place));
    let (mut pose, mut models) = (source.clone(), source_models.clone());
    assert!(body.solve(&targets, &mut pose, &mut models).reached);
    assert!(rotation::angle_between(models[human.rig.head.unwrap()].rotation, turned) < 0.02);

    let mut targets = planted(&human, &source_models);
    let hips = source_models[human.rig.hips].translation + Vec3::new(0.1, -0.15, 0.0);
    targets[5] = IkTarget::position(hips);
    let (mut pose, mut models) = (source.clone(), source_models.clone());
    assert!(body.solve(&targets, &mut pose, &mut models).reached);
    assert!(models[human.rig.hips].translation.distance(hips) < 2e-3);
}

#[test]
fn a_body_with_seven_legs_stands_where_it_is_told() {
    let (skeleton, limbs) = creature(7, 3);
    let plan = BodyPlan { hips: 0, spine: vec![], head: None, limbs: limbs.clone() };
    let masses = Masses::new(&skeleton, &vec![1.0; skeleton.len()]).unwrap();
    let mut body = FullBody::new(&skeleton, &plan, masses, FullBodyOptions::default()).unwrap();
    let rest = skeleton.rest_models();
    let targets: Vec<IkTarget> = limbs
        .iter()
        .map(|limb| IkTarget::position(rest[limb[3]].translation + Vec3::new(0.15, 0.05, 0.0)))
        .chain([OFF])
        .collect();
    let (mut pose, mut models) = (Pose::rest(&skeleton), rest.clone());
    let report = body.solve(&targets, &mut pose, &mut models);
    assert!(report.residual < 0.01, "{report:?}");
}

#[test]
fn tasks_that_are_none_are_refused() {
    let human = humanoid();
    let (source, source_models) = standing(&human);
    let mut body = FullBody::of_character(&human, FullBodyOptions::default()).unwrap();
    body.set_balance(Some(Balance { place: Vec3::NAN, radius: 0.1 }));
    let (mut pose, mut models) = (source.clone(), source_models.clone());
    let mut targets = planted(&human, &source_models);
    targets[0].position.x = f32::NAN;
    assert_eq!(body.solve(&targets, &mut pose, &mut models), IkReport::REFUSED);
    assert_eq!(body.solve(&targets[1..], &mut pose, &mut models), IkReport::REFUSED);
    assert_eq!(pose, source);
    let plan = BodyPlan { hips: human.rig.spine[0], ..BodyPlan::of_character(&human) };
    let masses = Masses::of_character(&human);
    assert!(FullBody::new(&human.skeleton, &plan, masses, FullBodyOptions::default()).is_err());
}
