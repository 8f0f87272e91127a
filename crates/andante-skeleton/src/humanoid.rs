//! The built-in human: anatomical proportions, no file needed.

use crate::{Arm, BodyPoint, Character, Foot, Joint, JointLimit, Rig, Side, Skeleton};
use glam::Vec3;

/// Standing height of the default humanoid in metres.
pub const HUMANOID_HEIGHT: f32 = 1.75;

/// Segment lengths and heights as fractions of body height, after R. Drillis and R. Contini, "Body
/// segment parameters" (1966), as reprinted in D. A. Winter, "Biomechanics and Motor Control of
/// Human Movement", fig. 4.1.
mod ratio {
    pub const ANKLE_HEIGHT: f32 = 0.039;
    pub const KNEE_HEIGHT: f32 = 0.285;
    pub const HIP_HEIGHT: f32 = 0.530;
    pub const SHOULDER_HEIGHT: f32 = 0.818;
    pub const CHIN_HEIGHT: f32 = 0.870;
    pub const SHOULDER_HALF_WIDTH: f32 = 0.129;
    pub const UPPER_ARM: f32 = 0.186;
    pub const FOREARM: f32 = 0.146;
    pub const HAND: f32 = 0.108;
    pub const FOOT_LENGTH: f32 = 0.152;
    /// Distance between the hip joint centres is about a tenth of body height (Bell, Brand and
    /// Pedersen 1989 place each at 14 % of pelvis width from its spine).
    pub const HIP_HALF_WIDTH: f32 = 0.050;
}

/// A human of 1.75 m. See [`humanoid_of_height`].
pub fn humanoid() -> Character {
    humanoid_of_height(HUMANOID_HEIGHT)
}

/// A human of any height with 26 joints, in T-pose: arms along ±X, palms down, facing +Z, soles on
/// the ground. Every joint's frame is aligned with the world at rest.
///
/// # Panics
/// If `height` is not a positive number.
pub fn humanoid_of_height(height: f32) -> Character {
    assert!(height.is_finite() && height > 0.0, "a height of {height} m");
    let mut joints = Vec::with_capacity(26);
    let mut add = |name: &str, parent: Option<usize>, offset: Vec3, limit: JointLimit| {
        joints.push(Joint { limit, ..Joint::new(name, parent, offset * height) });
        joints.len() - 1
    };
    let up = |y: f32| Vec3::new(0.0, y, 0.0);

    let hips = add("Hips", None, up(ratio::HIP_HEIGHT), JointLimit::Free);

    // Trunk: lumbar, lower thoracic and upper thoracic joints between hip and shoulder height; the
    // neck starts a little above the shoulders and carries the head a little above the chin.
    let trunk = ratio::SHOULDER_HEIGHT - ratio::HIP_HEIGHT;
    let head_height = ratio::CHIN_HEIGHT + 0.01;
    let spine = add("Spine", Some(hips), up(0.25 * trunk), trunk_limit(25.0, 35.0, 20.0));
    let chest = add("Chest", Some(spine), up(0.28 * trunk), trunk_limit(15.0, 25.0, 20.0));
    let upper_chest =
        add("UpperChest", Some(chest), up(0.27 * trunk), trunk_limit(8.0, 12.0, 15.0));
    let neck = add("Neck", Some(upper_chest), up(0.24 * trunk), trunk_limit(30.0, 30.0, 40.0));
    let to_head = head_height - (ratio::HIP_HEIGHT + 1.04 * trunk);
    let head =
        add("Head", Some(neck), Vec3::new(0.0, to_head, 0.008), trunk_limit(30.0, 25.0, 40.0));

    let mut arms = Vec::new();
    for (side, name, sign) in [(Side::Left, "Left", 1.0), (Side::Right, "Right", -1.0)] {
        let out = Vec3::X * sign;
        let named = |part: &str| format!("{name}{part}");
        // The collar bone starts beside the breastbone and ends at the shoulder joint.
        let collar = Vec3::new(0.02 * sign, 0.17 * trunk, 0.0);
        let shoulder = add(&named("Shoulder"), Some(upper_chest), collar, collar_limit(sign));
        let to_joint = Vec3::new((ratio::SHOULDER_HALF_WIDTH - 0.02) * sign, 0.03 * trunk, 0.0);
        let upper_arm = add(&named("UpperArm"), Some(shoulder), to_joint, shoulder_limit(sign));
        let lower_arm =
            add(&named("LowerArm"), Some(upper_arm), out * ratio::UPPER_ARM, elbow_limit(sign));
        let hand = add(&named("Hand"), Some(lower_arm), out * ratio::FOREARM, wrist_limit(sign));
        let knuckles = Vec3::new(0.5 * ratio::HAND * sign, 0.0, 0.0);
        add(&named("Fingers"), Some(hand), knuckles, finger_limit(sign));
        let thumb = Vec3::new(0.15 * ratio::HAND * sign, 0.0, 0.012);
        add(&named("Thumb"), Some(hand), thumb, finger_limit(sign));
        arms.push(Arm { side, chain: vec![upper_arm, lower_arm, hand] });
    }

    let mut feet = Vec::new();
    // The ankle is above a point a quarter of the foot from the heel; the ball is at 70 %.
    let heel_z = -0.25 * ratio::FOOT_LENGTH;
    let ball_z = 0.45 * ratio::FOOT_LENGTH;
    let tip_z = 0.75 * ratio::FOOT_LENGTH;
    let ball_height = 0.011;
    for (side, name, sign) in [(Side::Left, "Left", 1.0), (Side::Right, "Right", -1.0)] {
        let named = |part: &str| format!("{name}{part}");
        let hip = Vec3::new(ratio::HIP_HALF_WIDTH * sign, 0.0, 0.0);
        let thigh = add(&named("UpperLeg"), Some(hips), hip, hip_limit(sign));
        let knee = up(ratio::KNEE_HEIGHT - ratio::HIP_HEIGHT);
        let shank = add(&named("LowerLeg"), Some(thigh), knee, KNEE_LIMIT);
        let ankle = up(ratio::ANKLE_HEIGHT - ratio::KNEE_HEIGHT);
        let foot = add(&named("Foot"), Some(shank), ankle, ankle_limit(sign));
        let to_ball = Vec3::new(0.0, ball_height - ratio::ANKLE_HEIGHT, ball_z);
        let toes = add(&named("Toes"), Some(foot), to_ball, TOE_LIMIT);
        let point =
            |joint, y: f32, z: f32| BodyPoint { joint, offset: Vec3::new(0.0, y, z) * height };
        feet.push(Foot {
            name: format!("{} foot", name.to_lowercase()),
            side,
            leg: vec![thigh, shank, foot],
            toes: Some(toes),
            heel: point(foot, -ratio::ANKLE_HEIGHT, heel_z),
            ball: point(toes, -ball_height, 0.0),
            tip: point(toes, -ball_height, tip_z - ball_z),
        });
    }

    let mut tip = |name: &str, offset: Vec3| {
        if let Some(joint) = joints.iter_mut().find(|joint| joint.name == name) {
            joint.tip = Some(offset * height);
        }
    };
    tip("Head", up(1.0 - head_height));
    for (name, sign) in [("Left", 1.0), ("Right", -1.0)] {
        tip(&format!("{name}Fingers"), Vec3::X * (0.5 * ratio::HAND * sign));
        tip(&format!("{name}Thumb"), Vec3::new(0.35 * ratio::HAND * sign, 0.0, 0.025));
        tip(&format!("{name}Toes"), Vec3::new(0.0, 0.0, tip_z - ball_z));
    }

    let skeleton = match Skeleton::new(joints) {
        Ok(skeleton) => skeleton,
        Err(error) => unreachable!("the built-in humanoid is a tree: {error}"),
    };
    Character {
        name: "humanoid".into(),
        description: format!("a human of {height} m with hands and toes, in T-pose"),
        rig: Rig {
            hips,
            spine: vec![spine, chest, upper_chest, neck],
            head: Some(head),
            feet,
            arms,
        },
        skeleton,
    }
}

// Ranges of motion: American Academy of Orthopaedic Surgeons, as tabulated in C. Norkin and
// D. White, "Measurement of Joint Motion"; the trunk's is split over its joints. With these frames
// a rotation about +X takes a hanging bone backwards and an upright one forwards.

/// An upright bone of the trunk: bending back and forward, to the sides, and twisting, in degrees.
fn trunk_limit(back: f32, forward: f32, side: f32) -> JointLimit {
    ball(Vec3::Y, Vec3::X, [-side, side], [-back, forward], [-side, side])
}

fn ball(
    twist_axis: Vec3,
    swing_axis: Vec3,
    twist: [f32; 2],
    swing_a: [f32; 2],
    swing_b: [f32; 2],
) -> JointLimit {
    let radians = |range: [f32; 2]| range.map(f32::to_radians);
    JointLimit::Ball {
        twist_axis,
        swing_axis,
        twist: radians(twist),
        swing_a: radians(swing_a),
        swing_b: radians(swing_b),
    }
}

/// Hip: flexion 120°, extension 30°, abduction 45°, adduction 30°, rotation 45° each way.
fn hip_limit(sign: f32) -> JointLimit {
    // With the twist axis along −Y the second swing axis is −Y × X = +Z: positive swings of the
    // left leg lead outwards.
    let abduction = if sign > 0.0 { [-30.0, 45.0] } else { [-45.0, 30.0] };
    ball(-Vec3::Y, Vec3::X, [-45.0, 45.0], [-120.0, 30.0], abduction)
}

/// Knee: from straight to 135° of flexion, which takes the shank backwards.
const KNEE_LIMIT: JointLimit =
    JointLimit::Hinge { axis: Vec3::X, range: [0.0, 135.0 * std::f32::consts::PI / 180.0] };

/// Ankle: dorsiflexion 20°, plantar flexion 50°, inversion 35°, eversion 15°.
fn ankle_limit(sign: f32) -> JointLimit {
    let turn = if sign > 0.0 { [-35.0, 15.0] } else { [-15.0, 35.0] };
    ball(Vec3::Z, Vec3::X, turn, [-20.0, 50.0], [-20.0, 20.0])
}

/// Toes: extension 70° (upwards), flexion 30°.
const TOE_LIMIT: JointLimit = JointLimit::Hinge {
    axis: Vec3::X,
    range: [-70.0 * std::f32::consts::PI / 180.0, 30.0 * std::f32::consts::PI / 180.0],
};

/// Collar bone: a few degrees up and down, forward and back.
fn collar_limit(sign: f32) -> JointLimit {
    let lift = if sign > 0.0 { [-10.0, 30.0] } else { [-30.0, 10.0] };
    ball(Vec3::X * sign, Vec3::Z, [-5.0, 5.0], lift, [-20.0, 20.0])
}

/// Shoulder, from the T-pose: 90° up and 115° down to hang and cross the body, 75° back, which lets a
/// hanging arm swing back by 50°, 135° forward and across, rotation 90° each way.
fn shoulder_limit(sign: f32) -> JointLimit {
    // Second swing axis: ±X × Z = ∓Y, so that positive swings of either arm lead forwards.
    let lift = if sign > 0.0 { [-115.0, 90.0] } else { [-90.0, 115.0] };
    ball(Vec3::X * sign, Vec3::Z, [-90.0, 90.0], lift, [-75.0, 135.0])
}

/// Elbow: from straight to 150°, which takes the forearm forwards in T-pose.
fn elbow_limit(sign: f32) -> JointLimit {
    JointLimit::Hinge { axis: -Vec3::Y * sign, range: [0.0, 150.0f32.to_radians()] }
}

/// Wrist: 80° of flexion, 70° of extension, 30° and 20° sideways, and the forearm's 80° of
/// pronation and supination.
fn wrist_limit(sign: f32) -> JointLimit {
    let bend = if sign > 0.0 { [-80.0, 70.0] } else { [-70.0, 80.0] };
    ball(Vec3::X * sign, Vec3::Z, [-80.0, 80.0], bend, [-30.0, 20.0])
}

/// Fingers: curl 90° towards the palm, which faces down in T-pose.
fn finger_limit(sign: f32) -> JointLimit {
    JointLimit::Hinge {
        axis: -Vec3::Z * sign,
        range: [-30.0f32.to_radians(), 90.0f32.to_radians()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stands_on_the_ground_and_is_as_tall_as_asked() {
        for height in [1.0, 1.75, 2.1] {
            let human = humanoid_of_height(height);
            let models = human.skeleton.rest_models();
            for foot in &human.rig.feet {
                for point in [foot.heel, foot.ball, foot.tip] {
                    assert!(point.position(&models).y.abs() < 1e-5);
                }
            }
            let (_, high) = human.skeleton.rest_bounds();
            assert!((high.y - height).abs() < 1e-5);
        }
    }

    #[test]
    fn faces_z_with_its_left_at_x() {
        let human = humanoid();
        let models = human.skeleton.rest_models();
        for foot in &human.rig.feet {
            assert!(foot.tip.position(&models).z > foot.heel.position(&models).z);
            let side = if foot.side == Side::Left { 1.0 } else { -1.0 };
            assert!(models[foot.ankle()].translation.x * side > 0.0);
        }
        for arm in &human.rig.arms {
            let (shoulder, hand) =
                (models[arm.chain[0]].translation, models[arm.chain[2]].translation);
            assert!((shoulder.y - hand.y).abs() < 1e-5, "arms are level in a T-pose");
        }
    }

    #[test]
    fn arm_span_is_about_the_height() {
        let human = humanoid();
        let (low, high) = human.skeleton.rest_bounds();
        let span = high.x - low.x;
        // Segment tables put the fingertips a little beyond the height.
        assert!((span / HUMANOID_HEIGHT - 1.0).abs() < 0.15, "{span}");
    }

    #[test]
    fn sides_mirror_each_other() {
        let human = humanoid();
        let models = human.skeleton.rest_models();
        for (index, joint) in human.skeleton.joints().iter().enumerate() {
            if let Some(part) = joint.name.strip_prefix("Left") {
                let other = human.skeleton.find(&format!("Right{part}")).unwrap();
                let mirrored = models[other].translation * Vec3::new(-1.0, 1.0, 1.0);
                assert!(models[index].translation.abs_diff_eq(mirrored, 1e-6), "{}", joint.name);
            }
        }
    }
}
