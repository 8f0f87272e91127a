//! Standing, and what people do while they stand.

use super::body::{ArmPose, BodyPosture};
use super::curve::{ease_between, hump};
use super::figure::BipedMeasures;
use super::performance::{Steps, SynthPerformance, Window};
use super::stance::SynthStance;
use super::{SynthClip, SynthError};
use andante_skeleton::Planar;
use glam::{Vec2, Vec3};
use std::f32::consts::TAU;

/// Where a foot stands relative to somebody who stands.
pub(super) fn stand_print(figure: &BipedMeasures, side: usize) -> Planar {
    let sign = figure.legs[side].sign;
    let aside = Vec2::new(sign * figure.length(0.098), -figure.length(0.025));
    Planar::new(aside, sign * figure.settings.stand_toe_out)
}

/// The posture of somebody who stands, breathing, after a time. All velocities are zero at 0 and at
/// every full breath: other motions begin and end there.
pub(super) fn stand_body(figure: &BipedMeasures, t: f32) -> BodyPosture {
    let slow = libm::cosf(TAU * t / figure.settings.breath);
    let quick = libm::cosf(2.0 * TAU * t / figure.settings.breath);
    let leg = &figure.legs[0];
    let print = stand_print(figure, 0).position;
    let across = Vec2::new(print.x - leg.hip.x, print.y).length_squared();
    let reach = figure.settings.stand_extension * leg.straight();
    let height = leg.ankle_height + (reach * reach - across).max(0.0).sqrt() - leg.hip.y;
    let arm = ArmPose {
        swing: (2.0 - 0.6 * slow).to_radians(),
        spread: (7.0 - 0.5 * slow).to_radians(),
        turn: 14f32.to_radians(),
        elbow: (15.0 - 0.8 * slow).to_radians(),
    };
    BodyPosture {
        place: Vec3::new(
            figure.length(0.0025) * (quick - slow),
            height - figure.length(0.0012) * (1.0 + slow),
            figure.length(0.0020) * (slow - 1.0),
        ),
        pelvis: Vec3::new((4.5 + 0.3 * slow).to_radians(), 0.0, 0.0),
        chest: Vec3::new((-0.5 + 0.8 * slow).to_radians(), 0.0, 0.0),
        head: Vec3::new((1.0 + 0.4 * slow).to_radians(), (0.5 * (slow - quick)).to_radians(), 0.0),
        arms: [arm, arm],
    }
}

/// A loop of breathing.
pub(super) fn stand(figure: &BipedMeasures) -> Result<SynthClip, SynthError> {
    stay(figure, "stand", figure.settings.breath, true, &|t| stand_body(figure, t))
}

/// Looks over one shoulder, then over the other.
pub(super) fn look_around(figure: &BipedMeasures) -> Result<SynthClip, SynthError> {
    stay(figure, "idle-look-around", figure.settings.breath, false, &|t| {
        let mut body = stand_body(figure, t);
        let left = ease_between(0.3, 1.1, t) - ease_between(1.9, 3.0, t);
        let right = ease_between(1.9, 3.0, t) - ease_between(3.8, 4.7, t);
        let turn = left - right;
        let watching = left.max(right);
        body.head.y += 0.95 * turn;
        body.head.x -= 0.06 * watching;
        body.chest.y += 0.30 * turn;
        body.pelvis.y += 0.08 * turn;
        body.place.x += figure.length(0.012) * turn;
        body.arms[0].swing -= 0.10 * turn;
        body.arms[1].swing += 0.10 * turn;
        body
    })
}

/// Rests on one leg, then on the other.
pub(super) fn shift_weight(figure: &BipedMeasures) -> Result<SynthClip, SynthError> {
    stay(figure, "idle-shift-weight", figure.settings.breath, false, &|t| {
        let mut body = stand_body(figure, t);
        let left = ease_between(0.2, 1.2, t) - ease_between(2.0, 3.2, t);
        let right = ease_between(2.0, 3.2, t) - ease_between(3.8, 4.8, t);
        let side = left - right;
        body.place.x += figure.length(0.060) * side;
        body.place.y -= figure.length(0.010) * (left + right);
        // The hip of the standing leg rises, the shoulders tilt the other way.
        body.pelvis.z += 0.085 * side;
        body.pelvis.y -= 0.06 * side;
        body.chest.z -= 0.045 * side;
        body.chest.y += 0.03 * side;
        body.head.z += 0.03 * side;
        body.head.y += 0.10 * side;
        body
    })
}

/// Stretches: arms overhead, back arched, up on the balls of the feet.
pub(super) fn stretch(figure: &BipedMeasures) -> Result<SynthClip, SynthError> {
    let [rises, up] = figure.settings.stretch_up;
    let [sinks, down] = figure.settings.stretch_down;
    let course = |t: f32| ease_between(rises, up, t) - ease_between(sinks, down, t);
    stay(figure, "idle-stretch", figure.settings.breath, false, &|t| {
        let mut body = stand_body(figure, t);
        let up = course(t);
        let strain = hump((t - 1.6) / 1.8);
        for (arm, sign) in body.arms.iter_mut().zip([1.0, -1.0]) {
            arm.spread += (2.62 + 0.08 * sign * strain) * up;
            arm.elbow += 0.35 * up * (1.0 - 0.6 * strain);
            arm.turn *= 1.0 - up;
            arm.swing *= 1.0 - up;
        }
        body.chest.x -= 0.16 * up + 0.06 * strain;
        body.head.x -= 0.22 * up + 0.08 * strain;
        body.pelvis.x += 0.03 * up;
        body.place.z += figure.length(0.02) * up;
        body.chest.z += 0.05 * strain;
        body
    })
}

/// A clip of somebody whose feet do not leave their places.
fn stay(
    figure: &BipedMeasures,
    name: &str,
    seconds: f32,
    cyclic: bool,
    body: &dyn Fn(f32) -> BodyPosture,
) -> Result<SynthClip, SynthError> {
    let path = |_: f32| Planar::IDENTITY;
    let feet = [0, 1].map(|side| Steps::standing(SynthStance::always(stand_print(figure, side))));
    let steps = (seconds * figure.settings.fps).round() as usize;
    let window = Window { cyclic, ..Window::once(name, 0.0, steps) };
    SynthPerformance::new(figure, &path, body).record(&feet, &window)
}
