mod reference;

use super::*;
use crate::{Character, Pose, humanoid, rotation};
use proptest::prelude::*;

fn left_leg(human: &Character) -> TwoBone {
    let leg = &human.rig.feet[0].leg;
    TwoBone::new(&human.skeleton, [leg[0], leg[1], leg[2]], Vec3::X).unwrap()
}

fn turned() -> impl Strategy<Value = Quat> {
    (-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0)
        .prop_map(|(x, y, z)| rotation::exp(Vec3::new(x, y, z)))
}

proptest! {
    #[test]
    fn reachable_targets_are_reached_and_bones_keep_their_length(
        hip in turned(), ankle in turned(), flexion in 0.1f32..2.2,
        direction in turned(), distance in 0.2f32..0.85,
    ) {
        let human = humanoid();
        let limb = left_leg(&human);
        let [root, middle, end] = limb.joints();
        let mut pose = Pose::rest(&human.skeleton);
        pose[root].rotation = hip;
        pose[middle].rotation = Quat::from_rotation_x(flexion);
        let mut models = human.skeleton.rest_models();
        human.skeleton.local_to_model(&pose, &mut models);
        let target = Transform::new(ankle, models[root].translation + direction * Vec3::NEG_Y * distance);
        let before = pose.clone();
        let report = limb.solve(&target, &TwoBoneOptions::default(), &mut pose, &mut models);
        prop_assert!(report.reached, "{report:?}");
        let mut again = models.clone();
        human.skeleton.local_to_model(&pose, &mut again);
        prop_assert!(again[end].translation.abs_diff_eq(target.translation, 1e-4));
        prop_assert!(rotation::angle_between(again[end].rotation, target.rotation) < 1e-3);
        for joint in limb.joints() {
            prop_assert_eq!(pose[joint].translation, before[joint].translation);
        }
        // The knee bends about its axis alone, and never backwards.
        let bend = rotation::log(pose[middle].rotation);
        prop_assert!(bend.x > 0.0 && bend.cross(Vec3::X).length() < 1e-3, "{bend}");
    }

    #[test]
    fn no_other_swivel_is_closer_to_the_source(
        hip in turned(), ankle in turned(), direction in turned(), distance in 0.3f32..0.8, other in -3.0f32..3.0,
    ) {
        let human = humanoid();
        let limb = left_leg(&human);
        let [root, middle, end] = limb.joints();
        let mut pose = Pose::rest(&human.skeleton);
        pose[root].rotation = hip;
        pose[middle].rotation = Quat::from_rotation_x(0.7);
        pose[end].rotation = ankle;
        let mut models = human.skeleton.rest_models();
        human.skeleton.local_to_model(&pose, &mut models);
        let (source_root, source_end) = (models[root].rotation, pose[end].rotation);
        let toward = direction * Vec3::NEG_Y;
        let target = Transform::new(models[end].rotation, models[root].translation + toward * distance);
        limb.solve(&target, &TwoBoneOptions::default(), &mut pose, &mut models);
        let closeness = |root_rotation: Quat, end_rotation: Quat| {
            root_rotation.dot(source_root).powi(2) + end_rotation.dot(source_end).powi(2)
        };
        let found = closeness(models[root].rotation, pose[end].rotation);
        let swivelled = Quat::from_axis_angle(toward, other) * models[root].rotation;
        let end_rotation = (swivelled * pose[middle].rotation).conjugate() * target.rotation;
        prop_assert!(found + 1e-4 >= closeness(swivelled, end_rotation));
    }
}

#[test]
fn a_pose_that_is_at_its_target_already_stays_as_it_is() {
    let human = humanoid();
    let limb = left_leg(&human);
    let [root, middle, end] = limb.joints();
    let mut pose = Pose::rest(&human.skeleton);
    pose[root].rotation = Quat::from_euler(glam::EulerRot::XYZ, -0.5, 0.2, 0.1);
    pose[middle].rotation = Quat::from_rotation_x(0.8);
    pose[end].rotation = Quat::from_rotation_x(-0.2);
    let mut models = human.skeleton.rest_models();
    human.skeleton.local_to_model(&pose, &mut models);
    let before = pose.clone();
    let target = models[end];
    limb.solve(&target, &TwoBoneOptions::default(), &mut pose, &mut models);
    for (a, b) in before.iter().zip(pose.iter()) {
        assert!(rotation::angle_between(a.rotation, b.rotation) < 2e-3);
    }
}

#[test]
fn small_target_moves_make_small_joint_moves_through_full_extension() {
    let human = humanoid();
    let limb = left_leg(&human);
    let [root, middle, end] = limb.joints();
    let options = TwoBoneOptions { soften_at: 0.95, ..Default::default() };
    let mut rest = Pose::rest(&human.skeleton);
    rest[middle].rotation = Quat::from_rotation_x(0.3);
    let mut last: Option<Pose> = None;
    for step in 0..400 {
        let mut pose = rest.clone();
        let mut models = human.skeleton.rest_models();
        human.skeleton.local_to_model(&pose, &mut models);
        let down = 0.7 + 0.001 * step as f32;
        let target =
            Transform::new(models[end].rotation, models[root].translation - Vec3::Y * down);
        let report = limb.solve(&target, &options, &mut pose, &mut models);
        assert!(report.extension <= options.max_extension + 1e-5);
        if let Some(last) = &last {
            for joint in limb.joints() {
                let moved = rotation::angle_between(last[joint].rotation, pose[joint].rotation);
                assert!(moved < 0.02, "joint {joint} turned {moved} at {down} m");
            }
        }
        last = Some(pose);
    }
}

/// A foot that has to move by less than half a millimetre moved by nothing: the rotation between
/// two directions so close was rounded to none, and feet held by this solver trembled.
#[test]
fn a_target_a_tenth_of_a_millimetre_away_is_reached() {
    let human = humanoid();
    let limb = left_leg(&human);
    let [hip, knee, ankle] = limb.joints();
    for step in [1e-4f32, 3e-4, 5e-4] {
        let mut pose = Pose::rest(&human.skeleton);
        pose[hip].rotation = Quat::from_rotation_x(-0.3);
        pose[knee].rotation = Quat::from_rotation_x(0.5);
        let mut models = pose.to_vec();
        human.skeleton.local_to_model(&pose, &mut models);
        let mut target = models[ankle];
        target.translation.z += step;
        let report = limb.solve(&target, &TwoBoneOptions::default(), &mut pose, &mut models);
        assert!(report.residual < 1e-5, "{} mm", 1e3 * report.residual);
    }
}

fn bent(human: &Character, limb: &TwoBone) -> (Pose, Vec<Transform>) {
    let [root, middle, _] = limb.joints();
    let mut pose = Pose::rest(&human.skeleton);
    pose[root].rotation = Quat::from_rotation_x(-0.3);
    pose[middle].rotation = Quat::from_rotation_x(0.5);
    let mut models = pose.to_vec();
    human.skeleton.local_to_model(&pose, &mut models);
    (pose, models)
}

proptest! {
    #[test]
    fn the_middle_joint_turns_to_its_pole(x in -1.0f32..1.0, z in -1.0f32..1.0, y in -0.5f32..0.5) {
        prop_assume!(x.hypot(z) > 0.2);
        let human = humanoid();
        let limb = left_leg(&human);
        let [root, middle, end] = limb.joints();
        let (mut pose, mut models) = bent(&human, &limb);
        let hip = models[root].translation;
        let target = Transform::new(models[end].rotation, hip - Vec3::Y * 0.7);
        let pole = hip + Vec3::new(x, y, z);
        let report = limb.solve_towards(&target, pole, &TwoBoneOptions::default(), &mut pose, &mut models);
        prop_assert!(report.reached, "{report:?}");
        let knee = models[middle].translation - hip;
        let (knee, side) = (Vec3::new(knee.x, 0.0, knee.z), Vec3::new(x, 0.0, z));
        prop_assert!(knee.angle_between(side) < 0.02, "{knee} {side}");
    }
}

#[test]
fn a_pole_in_line_with_the_target_leaves_the_swivel_to_the_source() {
    let human = humanoid();
    let limb = left_leg(&human);
    let [root, _, end] = limb.joints();
    let (source, source_models) = bent(&human, &limb);
    let hip = source_models[root].translation;
    let way = Vec3::new(0.1, -0.7, 0.2);
    let target = Transform::new(source_models[end].rotation, hip + way);
    let options = TwoBoneOptions::default();
    let (mut free, mut models) = (source.clone(), source_models.clone());
    limb.solve(&target, &options, &mut free, &mut models);
    for pole in [hip + way * 2.0, hip - way, hip, Vec3::NAN] {
        let (mut pose, mut models) = (source.clone(), source_models.clone());
        assert!(limb.solve_towards(&target, pole, &options, &mut pose, &mut models).reached);
        for (a, b) in free.iter().zip(pose.iter()) {
            assert!(rotation::angle_between(a.rotation, b.rotation) < 2e-3, "{pole}");
        }
    }
}

/// What follows from the bones at rest is kept in the limb, but a pose may have others.
#[test]
fn bones_that_a_pose_has_stretched_are_solved_as_they_are() {
    let human = humanoid();
    let limb = left_leg(&human);
    let [root, middle, end] = limb.joints();
    let (mut pose, mut models) = bent(&human, &limb);
    pose[middle].translation *= 1.2;
    pose[end].translation += Vec3::new(0.02, -0.1, 0.03);
    human.skeleton.local_to_model(&pose, &mut models);
    let length = pose[middle].translation.length() + pose[end].translation.length();
    for part in [0.4, 0.7, 0.95] {
        let way = Vec3::new(0.2, -1.0, 0.3).normalize() * (part * length);
        let target = Transform::new(models[end].rotation, models[root].translation + way);
        let report = limb.solve(&target, &TwoBoneOptions::default(), &mut pose, &mut models);
        assert!(report.reached && (report.extension - part).abs() < 1e-5, "{report:?}");
        let mut again = models.clone();
        human.skeleton.local_to_model(&pose, &mut again);
        assert!(again[end].translation.distance(target.translation) < 2e-6);
        assert!(again[middle].translation.distance(models[middle].translation) < 2e-6);
    }
}

/// Where a limb points when its target is at its own root cannot be told from the target.
#[test]
fn a_target_that_passes_the_root_turns_the_limb_gradually() {
    let human = humanoid();
    let limb = left_leg(&human);
    let [root, _, end] = limb.joints();
    let (source, source_models) = bent(&human, &limb);
    let hip = source_models[root].translation;
    let mut last: Option<Pose> = None;
    for step in -200..=200 {
        let (mut pose, mut models) = (source.clone(), source_models.clone());
        let way = Vec3::new(0.0, 2e-4, 1e-5 * step as f32);
        let target = Transform::new(source_models[end].rotation, hip + way);
        limb.solve(&target, &TwoBoneOptions::default(), &mut pose, &mut models);
        assert!(pose.iter().all(Transform::is_finite));
        if let Some(last) = &last {
            for joint in limb.joints() {
                let moved = rotation::angle_between(last[joint].rotation, pose[joint].rotation);
                // A limb folded flat turns with the square root of its target's way, and these
                // steps are a hundredth of a millimetre; a flip would be a half turn.
                assert!(moved < 0.4, "joint {joint} turned {moved} in step {step}");
            }
        }
        last = Some(pose);
    }
}

#[test]
fn targets_that_are_not_numbers_leave_the_pose_alone() {
    let human = humanoid();
    let limb = left_leg(&human);
    let mut pose = Pose::rest(&human.skeleton);
    let mut models = human.skeleton.rest_models();
    let before = pose.clone();
    let target = Transform::from_translation(Vec3::new(f32::NAN, 0.0, 0.0));
    assert!(!limb.solve(&target, &TwoBoneOptions::default(), &mut pose, &mut models).reached);
    assert_eq!(pose, before);
}

#[test]
fn joints_that_are_no_limb_are_refused() {
    let human = humanoid();
    let leg = &human.rig.feet[0].leg;
    let new = |joints, axis| TwoBone::new(&human.skeleton, joints, axis);
    assert_eq!(new([leg[0], leg[2], leg[1]], Vec3::X), Err(TwoBoneError::NotAChain));
    assert_eq!(new([leg[0], leg[1], leg[2]], Vec3::ZERO), Err(TwoBoneError::Axis));
    assert_eq!(new([leg[0], leg[1], leg[2]], Vec3::Y), Err(TwoBoneError::Axis));
    assert_eq!(new([0, 1, 9999], Vec3::X), Err(TwoBoneError::NotAChain));
}

#[test]
fn a_target_that_is_not_a_number_leaves_the_pose_as_it_was() {
    let human = humanoid();
    let limb = left_leg(&human);
    let (source, source_models) = bent(&human, &limb);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for place in 0..7 {
            let mut numbers = [0.1, -0.3, 0.2, 0.1, 0.2, 0.3, 0.4];
            numbers[place] = bad;
            let [x, y, z, a, b, c, d] = numbers;
            let wrong = Transform::new(Quat::from_xyzw(a, b, c, d), Vec3::new(x, y, z));
            let (mut locals, mut models) = (source.to_vec(), source_models.clone());
            let report = limb.solve(&wrong, &TwoBoneOptions::default(), &mut locals, &mut models);
            assert!(!report.reached, "{wrong:?}");
            assert_eq!((&locals[..], &models), (&source[..], &source_models), "{wrong:?}");
        }
    }
}
