//! The same limb solved slowly: in double precision, with angles, and a swivel fitted to samples.

use super::*;
use crate::{Character, Pose, humanoid, rotation};
use glam::{DQuat, DVec3};
use proptest::prelude::*;
use std::f64::consts::TAU;

/// Rotations of root, middle and end joint relative to their parents, and how much the swivel matters.
fn reference(
    limb: &TwoBone,
    target: &Transform,
    options: &TwoBoneOptions,
    locals: &[Transform],
    models: &[Transform],
) -> ([DQuat; 3], f64) {
    let place = |joint: usize| models[joint].translation.as_dvec3();
    let turn = |joint: usize| models[joint].rotation.as_dquat().normalize();
    let [a, b, c] = limb.joints;
    let (thigh, shank) = (place(b) - place(a), place(c) - place(b));
    let length = thigh.length() + shank.length();
    let to_target = target.translation.as_dvec3() - place(a);
    let distance = {
        let wanted = to_target.length();
        let longest = length * f64::from(options.max_extension);
        let soft = (length * f64::from(options.soften_at)).min(longest);
        let room = longest - soft;
        let given =
            if wanted <= soft { wanted } else { longest - room * room / (room + wanted - soft) };
        given.max((thigh.length() - shank.length()).abs())
    };

    // The angle at the middle joint by the law of cosines, seen along the axis of flexion.
    let axis = turn(b) * limb.axis.truncate().as_dvec3();
    let across = |v: DVec3| v - axis * v.dot(axis);
    let (back, down) = (across(-thigh), across(shank));
    let between = axis.dot(down.cross(back)).atan2(down.dot(back));
    let sides = thigh.length_squared() + shank.length_squared() - distance * distance;
    let along = -thigh.dot(axis) * shank.dot(axis);
    let cosine = (sides / 2.0 - along) / (back.length() * down.length());
    let flexion = between - cosine.clamp(-1.0, 1.0).acos();
    let bend = DQuat::from_axis_angle(axis, flexion);

    let pointing = (thigh + bend * shank).normalize();
    let direction = to_target.normalize();
    let hinge = pointing.cross(direction).normalize_or(pointing.any_orthonormal_vector());
    let swing = DQuat::from_axis_angle(hinge, pointing.angle_between(direction));
    let rotation = target.rotation.as_dquat().normalize();
    let solved = |swivel: f64| {
        let turned = DQuat::from_axis_angle(direction, swivel) * swing;
        let (root, middle) = (turned * turn(a), turned * bend * turn(b));
        (
            root,
            [
                limb.parent.map_or(root, |p| turn(p).conjugate() * root),
                root.conjugate() * middle,
                middle.conjugate() * rotation,
            ],
        )
    };
    // Closeness to the source is a constant, a cosine and a sine of the swivel: three samples tell them.
    let closeness = |swivel: f64| {
        let (root, joints) = solved(swivel);
        let end = joints[2].dot(locals[c].rotation.as_dquat().normalize());
        f64::from(options.root_weight) * root.dot(turn(a)).powi(2) + end.powi(2)
    };
    let samples = [0.0, 1.0, 2.0].map(|third| TAU * third / 3.0);
    let part = |wave: fn(f64) -> f64| {
        samples.iter().map(|&s| closeness(s) * wave(s)).sum::<f64>() * 2.0 / 3.0
    };
    let (cos, sin) = (part(f64::cos), part(f64::sin));
    (solved(sin.atan2(cos)).1, cos.hypot(sin))
}

fn angle(a: Quat, b: DQuat) -> f64 {
    let a = a.as_dquat();
    (a - b).length().min((a + b).length()) * 2.0
}

fn turned(most: f32) -> impl Strategy<Value = Quat> {
    (-most..most, -most..most, -most..most).prop_map(|(x, y, z)| rotation::exp(Vec3::new(x, y, z)))
}

struct ReferenceSource {
    human: Character,
    limb: TwoBone,
    pose: Pose,
    models: Vec<Transform>,
}

fn source(hip: Quat, flexion: f32, twist: Quat, ankle: Quat) -> ReferenceSource {
    let human = humanoid();
    let leg = &human.rig.feet[0].leg;
    let limb = TwoBone::new(&human.skeleton, [leg[0], leg[1], leg[2]], Vec3::X).unwrap();
    let mut pose = Pose::rest(&human.skeleton);
    pose[leg[0]].rotation = hip;
    pose[leg[1]].rotation = Quat::from_rotation_x(flexion) * twist;
    pose[leg[2]].rotation = ankle;
    let mut models = pose.to_vec();
    human.skeleton.local_to_model(&pose, &mut models);
    ReferenceSource { human, limb, pose, models }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn the_closed_form_agrees_with_angles_in_double_precision(
        hip in turned(1.5), flexion in 0.0f32..2.4, twist in turned(0.15), ankle in turned(0.8),
        direction in turned(2.0), distance in 0.15f32..1.2, rotation in turned(1.5), weight in 0.2f32..4.0,
    ) {
        let mut source = source(hip, flexion, twist, ankle);
        let limb = source.limb;
        let options = TwoBoneOptions { soften_at: 0.95, max_extension: 0.99, root_weight: weight };
        let from = source.models[limb.joints[0]].translation;
        let target = Transform::new(rotation, from + direction * Vec3::NEG_Y * distance * 0.859);
        let (expected, clear) = reference(&limb, &target, &options, &source.pose, &source.models);
        // Where the source does not tell one swivel from another, rounding does.
        prop_assume!(clear > 0.02);
        limb.solve(&target, &options, &mut source.pose, &mut source.models);
        for (joint, expected) in limb.joints.into_iter().zip(expected) {
            let apart = angle(source.pose[joint].rotation, expected);
            prop_assert!(apart < 1e-3, "joint {joint} by {apart} rad, {clear}");
        }
        let mut again = source.models.clone();
        source.human.skeleton.local_to_model(&source.pose, &mut again);
        for joint in limb.joints {
            prop_assert!(again[joint].translation.distance(source.models[joint].translation) < 2e-6);
            prop_assert!((source.pose[joint].rotation.length() - 1.0).abs() < 1e-6);
        }
    }
}
