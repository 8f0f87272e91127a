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
    let mut body = HumanoidJoints { joints: Vec::with_capacity(26), height };
    let hips = body.add("Hips", None, up(ratio::HIP_HEIGHT), JointLimit::Free);

    // Trunk: lumbar, lower thoracic and upper thoracic joints between hip and shoulder height; the
    // neck starts a little above the shoulders and carries the head a little above the chin.
    let trunk = ratio::SHOULDER_HEIGHT - ratio::HIP_HEIGHT;
    let head_height = ratio::CHIN_HEIGHT + 0.01;
    let spine = body.add("Spine", Some(hips), up(0.25 * trunk), trunk_limit(25.0, 35.0, 20.0));
    let chest = body.add("Chest", Some(spine), up(0.28 * trunk), trunk_limit(15.0, 25.0, 20.0));
    let upper_chest =
        body.add("UpperChest", Some(chest), up(0.27 * trunk), trunk_limit(8.0, 12.0, 15.0));
    let neck = body.add("Neck", Some(upper_chest), up(0.24 * trunk), trunk_limit(30.0, 30.0, 40.0));
    let to_head = Vec3::new(0.0, head_height - (ratio::HIP_HEIGHT + 1.04 * trunk), 0.008);
    let head = body.add("Head", Some(neck), to_head, trunk_limit(30.0, 25.0, 40.0));
    body.tip(head, up(1.0 - head_height));

    let sides = [(Side::Left, "Left", 1.0), (Side::Right, "Right", -1.0)];
    let arms =
        sides.map(|(side, name, sign)| body.arm(side, name, sign, upper_chest, trunk)).to_vec();
    let feet = sides.map(|(side, name, sign)| body.foot(side, name, sign, hips)).to_vec();
    let skeleton = match Skeleton::new(body.joints) {
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

fn up(y: f32) -> Vec3 {
    Vec3::new(0.0, y, 0.0)
}

/// The joints of a human of a height, as they are added. Offsets are fractions of the height.
struct HumanoidJoints {
    joints: Vec<Joint>,
    height: f32,
}

impl HumanoidJoints {
    fn add(&mut self, name: &str, parent: Option<usize>, at: Vec3, limit: JointLimit) -> usize {
        self.joints.push(Joint { limit, ..Joint::new(name, parent, at * self.height) });
        self.joints.len() - 1
    }

    fn tip(&mut self, joint: usize, offset: Vec3) {
        self.joints[joint].tip = Some(offset * self.height);
    }

    fn arm(&mut self, side: Side, name: &str, sign: f32, upper_chest: usize, trunk: f32) -> Arm {
        let out = Vec3::X * sign;
        let named = |part: &str| format!("{name}{part}");
        // The collar bone starts beside the breastbone and ends at the shoulder joint.
        let collar = Vec3::new(0.02 * sign, 0.17 * trunk, 0.0);
        let shoulder = self.add(&named("Shoulder"), Some(upper_chest), collar, collar_limit(sign));
        let to_joint = Vec3::new((ratio::SHOULDER_HALF_WIDTH - 0.02) * sign, 0.03 * trunk, 0.0);
        let upper_arm =
            self.add(&named("UpperArm"), Some(shoulder), to_joint, shoulder_limit(sign));
        let to_elbow = out * ratio::UPPER_ARM;
        let lower_arm = self.add(&named("LowerArm"), Some(upper_arm), to_elbow, elbow_limit(sign));
        let to_wrist = out * ratio::FOREARM;
        let hand = self.add(&named("Hand"), Some(lower_arm), to_wrist, wrist_limit(sign));
        let knuckles = Vec3::new(0.5 * ratio::HAND * sign, 0.0, 0.0);
        let fingers = self.add(&named("Fingers"), Some(hand), knuckles, finger_limit(sign));
        self.tip(fingers, Vec3::X * (0.5 * ratio::HAND * sign));
        let to_thumb = Vec3::new(0.15 * ratio::HAND * sign, 0.0, 0.012);
        let thumb = self.add(&named("Thumb"), Some(hand), to_thumb, finger_limit(sign));
        self.tip(thumb, Vec3::new(0.35 * ratio::HAND * sign, 0.0, 0.025));
        Arm { side, chain: vec![upper_arm, lower_arm, hand] }
    }

    fn foot(&mut self, side: Side, name: &str, sign: f32, hips: usize) -> Foot {
        // The ankle is above a point a quarter of the foot from the heel; the ball is at 70 %.
        let heel_z = -0.25 * ratio::FOOT_LENGTH;
        let ball_z = 0.45 * ratio::FOOT_LENGTH;
        let tip_z = 0.75 * ratio::FOOT_LENGTH;
        let ball_height = 0.011;
        let named = |part: &str| format!("{name}{part}");
        let hip = Vec3::new(ratio::HIP_HALF_WIDTH * sign, 0.0, 0.0);
        let thigh = self.add(&named("UpperLeg"), Some(hips), hip, hip_limit(sign));
        let knee = up(ratio::KNEE_HEIGHT - ratio::HIP_HEIGHT);
        let shank = self.add(&named("LowerLeg"), Some(thigh), knee, KNEE_LIMIT);
        let ankle = up(ratio::ANKLE_HEIGHT - ratio::KNEE_HEIGHT);
        let foot = self.add(&named("Foot"), Some(shank), ankle, ankle_limit(sign));
        let to_ball = Vec3::new(0.0, ball_height - ratio::ANKLE_HEIGHT, ball_z);
        let toes = self.add(&named("Toes"), Some(foot), to_ball, TOE_LIMIT);
        self.tip(toes, Vec3::new(0.0, 0.0, tip_z - ball_z));
        let point =
            |joint, y: f32, z: f32| BodyPoint { joint, offset: Vec3::new(0.0, y, z) * self.height };
        Foot {
            name: format!("{} foot", name.to_lowercase()),
            side,
            leg: vec![thigh, shank, foot],
            toes: Some(toes),
            heel: point(foot, -ratio::ANKLE_HEIGHT, heel_z),
            ball: point(toes, -ball_height, 0.0),
            tip: point(toes, -ball_height, tip_z - ball_z),
        }
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
