//! The proportions of a character that a gait depends on.

use super::SynthError;
use super::settings::{SynthFootSettings, SynthSettings};
use andante_skeleton::TwoBone;
use andante_skeleton::{Character, Side, Transform};
use glam::{Quat, Vec3};

/// A two-legged character, measured.
///
/// Gaits of bodies of different size are similar when they agree in Froude number v²/(gL) (R. McN.
/// Alexander, "Optimization and gaits in the locomotion of vertebrates", 1989): lengths grow with
/// leg length L, times and speeds with its square root. Everything is therefore written down for one
/// adult and carried over by [`BipedMeasures::length`], [`BipedMeasures::seconds`] and [`BipedMeasures::speed`].
pub(super) struct BipedMeasures<'a> {
    pub character: &'a Character,
    pub settings: &'a SynthSettings,
    /// Left, right.
    pub legs: [LegMeasures; 2],
    pub arms: [Option<ArmJoints>; 2],
    /// Height of the hip joints at rest.
    pub hip_height: f32,
    scale: f32,
}

/// One leg's joints and measures.
pub(super) struct LegMeasures {
    pub solver: TwoBone,
    pub toes: Option<usize>,
    /// +1 on the left, −1 on the right.
    pub sign: f32,
    /// From the root to the hip joint.
    pub hip: Vec3,
    pub thigh: f32,
    pub shank: f32,
    /// Points of the foot in the ankle's frame, foot flat.
    pub heel: Vec3,
    pub toe_joint: Vec3,
    pub tip: Vec3,
    /// Height of the ankle, foot flat.
    pub ankle_height: f32,
    /// What the foot can do.
    pub limits: SynthFootSettings,
}

/// The joints of an arm; what the rig does not name is found as parents and children.
pub(super) struct ArmJoints {
    pub sign: f32,
    pub upper: usize,
    pub lower: usize,
    pub hand: usize,
    /// Fingers and thumbs.
    pub digits: Vec<usize>,
    /// How hands and digits are bent, always.
    pub wrist: Quat,
    pub curl: Quat,
}

impl<'a> BipedMeasures<'a> {
    pub fn new(character: &'a Character, settings: &'a SynthSettings) -> Result<Self, SynthError> {
        settings.check()?;
        let skeleton = &character.skeleton;
        let rig = &character.rig;
        let refuse =
            |why: &'static str| SynthError::Character { name: character.name.clone(), why };
        if rig.hips != 0 {
            return Err(refuse("the hips must be the root"));
        }
        let turned = |rest: &Transform| rest.rotation.dot(Quat::IDENTITY).abs() < 0.9999;
        if skeleton.joints().iter().any(|joint| turned(&joint.rest)) {
            return Err(refuse("joint frames must be aligned with the world at rest"));
        }
        let models = skeleton.rest_models();
        let leg = |side: Side, sign: f32| -> Result<LegMeasures, SynthError> {
            let foot = rig
                .feet
                .iter()
                .find(|foot| foot.side == side)
                .ok_or_else(|| refuse("a gait needs a left and a right foot"))?;
            let &[hip, knee, ankle] = foot.leg.as_slice() else {
                return Err(refuse("a leg needs a hip, a knee and an ankle"));
            };
            let solver = TwoBone::new(skeleton, [hip, knee, ankle], Vec3::X)
                .map_err(|_| refuse("a leg needs two bones that a knee can bend"))?;
            if skeleton.parent(hip) != Some(0) {
                return Err(refuse("the legs must hang on the hips"));
            }
            let at_ankle = models[ankle].translation;
            let toe_joint = foot.toes.map_or(foot.ball.position(&models), |toes| {
                let joint = models[toes].translation;
                Vec3::new(at_ankle.x, joint.y, joint.z)
            });
            Ok(LegMeasures {
                solver,
                toes: foot.toes,
                sign,
                hip: skeleton.joint(hip).rest.translation,
                thigh: models[hip].translation.distance(models[knee].translation),
                shank: models[knee].translation.distance(at_ankle),
                heel: foot.heel.position(&models) - at_ankle,
                toe_joint: toe_joint - at_ankle,
                tip: foot.tip.position(&models) - at_ankle,
                ankle_height: at_ankle.y - foot.heel.position(&models).y,
                limits: settings.foot,
            })
        };
        let legs = [leg(Side::Left, 1.0)?, leg(Side::Right, -1.0)?];
        let arm = |side: Side, sign: f32| {
            let arm = rig.arms.iter().find(|arm| arm.side == side)?;
            let &[upper, lower, hand] = arm.chain.as_slice() else { return None };
            let digits = skeleton.children(hand).collect();
            let [wrist, curl] =
                [0.08, settings.finger_curl].map(|bend| Quat::from_rotation_z(-sign * bend));
            Some(ArmJoints { sign, upper, lower, hand, digits, wrist, curl })
        };
        let arms = [arm(Side::Left, 1.0), arm(Side::Right, -1.0)];
        let hip_height = legs[0].ankle_height + legs[0].thigh + legs[0].shank;
        if !(hip_height.is_finite() && hip_height > 1e-3) {
            return Err(refuse("the legs have no length"));
        }
        let scale = hip_height / settings.adult_hip_height;
        Ok(Self { character, settings, legs, arms, hip_height, scale })
    }

    /// A length of the adult, carried over.
    pub fn length(&self, adult: f32) -> f32 {
        adult * self.scale
    }

    /// A time of the adult, carried over.
    pub fn seconds(&self, adult: f32) -> f32 {
        adult * self.scale.sqrt()
    }

    /// A speed of the adult, carried over.
    pub fn speed(&self, adult: f32) -> f32 {
        adult * self.scale.sqrt()
    }

    /// A turn rate of the adult, carried over.
    pub fn per_second(&self, adult: f32) -> f32 {
        adult / self.scale.sqrt()
    }

    /// The Froude number v²/(gL) of a speed.
    pub fn froude(&self, speed: f32) -> f32 {
        speed * speed / (self.settings.gravity * self.hip_height)
    }

    /// The speed at which the adult walks similarly.
    pub fn adult_speed(&self, speed: f32) -> f32 {
        speed / self.scale.sqrt()
    }
}

impl LegMeasures {
    /// From hip to ankle with the knee bent by an angle.
    pub fn reach(&self, flexion: f32) -> f32 {
        let (a, b) = (self.thigh, self.shank);
        (a * a + b * b + 2.0 * a * b * libm::cosf(flexion)).max(0.0).sqrt()
    }

    /// Inclination of the shank in the plane a foot points in: forward of the knee is positive.
    pub fn shank_angle(&self, hip: Vec3, ankle: Vec3, heading: f32) -> f32 {
        self.shank_angle_in(Quat::from_rotation_y(-heading), hip, ankle)
    }

    /// The same where the rotation that undoes the foot's heading is known.
    pub fn shank_angle_in(&self, ahead: Quat, hip: Vec3, ankle: Vec3) -> f32 {
        let line = ahead * (ankle - hip);
        let (a, b) = (self.thigh, self.shank);
        let c = line.length().clamp((a - b).abs() + 1e-4, a + b);
        let at_ankle = libm::acosf(((b * b + c * c - a * a) / (2.0 * b * c)).clamp(-1.0, 1.0));
        libm::atan2f(line.z, -line.y) - at_ankle
    }

    /// From hip to ankle, knee straight.
    pub fn straight(&self) -> f32 {
        self.thigh + self.shank
    }
}
