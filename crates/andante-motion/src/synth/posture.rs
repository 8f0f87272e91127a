//! How pelvis, trunk and arms go with the legs of somebody who walks or runs.

use super::body::{ArmPose, BodyPosture};
use super::figure::BipedMeasures;
use glam::Vec3;
use std::f32::consts::TAU;

/// What a posture depends on. Phases are those of the left leg, 0 at its strike; the height of the
/// body is left at 0.
pub(super) struct PostureInput<'a> {
    pub figure: &'a BipedMeasures<'a>,
    /// The speed at which an adult moves similarly, in m/s.
    pub pace: f32,
    /// How much of the motion is forward, against sideways.
    pub forward: f32,
    /// Part of the cycle a foot is down.
    pub duty: f32,
    /// Multiple of the usual arm swing.
    pub arm_swing: f32,
}

impl PostureInput<'_> {
    /// Walking. Sway, list, rotation and the arms after Murray (1964, 1967) and Perry and Burnfield
    /// (2010): the pelvis sways over the standing foot, drops on the side of the swinging one and turns
    /// forward with it; the chest turns against it, the arms against the legs.
    pub fn walk(&self, phase: f32) -> BodyPosture {
        let (n, figure) = (self.pace, self.figure);
        let wave = |shift: f32| libm::sinf(TAU * (phase - shift));
        let waves = |shift: f32| libm::sinf(2.0 * TAU * (phase - shift));
        let sway = figure.length((0.030 - 0.006 * n).max(0.012));
        let rotation = (0.46 + 2.6 * n).min(8.0).to_radians();
        let list = (0.7 + 2.0 * n).min(6.0).to_radians() * self.forward;
        let arm = |phase: f32| {
            let back = libm::cosf(TAU * (phase - 0.02));
            let swing = (7.0 + 10.0 * n).min(30.0) * self.arm_swing * self.forward;
            ArmPose {
                swing: (-3.0 - swing * back).to_radians(),
                spread: 8f32.to_radians(),
                turn: (12.0 - 6.0 * back).to_radians(),
                elbow: (14.0 + 6.0 * n - (4.0 + 6.0 * n) * libm::cosf(TAU * (phase - 0.06)))
                    .to_radians(),
            }
        };
        BodyPosture {
            place: Vec3::new(
                sway * wave(0.05),
                0.0,
                figure.length(0.002) * self.forward * waves(0.05),
            ),
            pelvis: Vec3::new(
                5f32.to_radians() + 0.8f32.to_radians() * waves(0.1),
                -rotation * libm::cosf(TAU * (phase - 0.01)),
                list * wave(-0.06),
            ),
            chest: Vec3::new(
                (1.0 + 1.2 * n).to_radians() + 0.7f32.to_radians() * waves(0.0),
                (2.0 + 1.5 * n).to_radians() * libm::cosf(TAU * (phase - 0.03)),
                -1.2f32.to_radians() * wave(-0.06),
            ),
            head: Vec3::new(1f32.to_radians(), 0.0, 0.0),
            arms: [arm(phase), arm(phase + 0.5)],
        }
    }

    /// Running, after Novacheck (1998): the same, with a lean and bent arms, and less sway.
    pub fn run(&self, phase: f32) -> BodyPosture {
        let (n, figure) = (self.pace, self.figure);
        let wave = |shift: f32| libm::sinf(TAU * (phase - shift));
        let waves = |shift: f32| libm::sinf(2.0 * TAU * (phase - shift));
        let arm = |phase: f32| {
            let back = libm::cosf(TAU * (phase + 0.07));
            let swing = (18.0 + 4.5 * n).min(45.0) * self.arm_swing;
            ArmPose {
                swing: (-8.0 - swing * back).to_radians(),
                spread: 10f32.to_radians(),
                turn: (14.0 - 6.0 * back).to_radians(),
                elbow: (82.0 + 1.5 * n - 12.0 * libm::cosf(TAU * (phase + 0.02))).to_radians(),
            }
        };
        let middle = 0.5 * self.duty;
        BodyPosture {
            place: Vec3::new(
                figure.length(0.010) * wave(middle - 0.25),
                0.0,
                figure.length(0.006) * waves(middle + 0.125),
            ),
            pelvis: Vec3::new(
                (9.0 + 0.6 * n).to_radians(),
                -(4.0 + 0.7 * n).to_radians() * libm::cosf(TAU * (phase + 0.03)),
                4.5f32.to_radians() * wave(middle - 0.28),
            ),
            chest: Vec3::new(
                (4.0 + 1.3 * n).to_radians() + 1.0f32.to_radians() * waves(0.0),
                (6.0 + 1.2 * n).to_radians() * libm::cosf(TAU * (phase + 0.05)),
                -2f32.to_radians() * wave(middle - 0.25),
            ),
            head: Vec3::new(3f32.to_radians(), 0.0, 0.0),
            arms: [arm(phase), arm(phase + 0.5)],
        }
    }
}
