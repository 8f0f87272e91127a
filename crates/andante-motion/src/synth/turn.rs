//! Turning on the spot, step by step.

use super::curve::{ease_between, hump, ramp};
use super::figure::BipedMeasures;
use super::normative::LegCurves;
use super::performance::{Steps, SynthPerformance, Window};
use super::stance::SynthStance;
use super::stand::{stand_body, stand_print};
use super::swing::{Blend, SwingStyle};
use super::{SynthClip, SynthError};
use andante_skeleton::Planar;
use glam::Vec2;

/// Turns by an angle, left if positive, and stands again. The foot on the inside of the turn opens
/// it, the other follows; large angles take several pairs of steps.
pub(super) fn turn(
    figure: &BipedMeasures,
    name: &str,
    angle: f32,
) -> Result<SynthClip, SynthError> {
    let settings = figure.settings;
    let pairs = (angle.abs() / settings.widest_turn).ceil().max(1.0) as usize;
    let pair = figure.seconds(settings.turn_pair);
    let (lead_in, lead_out) =
        (figure.seconds(settings.turn_lead_in), figure.seconds(settings.turn_lead_out));
    let duration = lead_in + pairs as f32 * pair + lead_out;
    let frames = (duration * settings.fps).ceil() as usize;

    // The body turns evenly but for the beginning and the end.
    let (from, to) = (0.4 * lead_in, lead_in + pairs as f32 * pair + 0.3 * lead_out);
    let soft = figure.seconds(0.55).min(0.5 * (to - from));
    let turned = |t: f32| {
        let whole = to - from - soft;
        angle * (ramp(from, from + soft, t) - ramp(to - soft, to, t)) / whole
    };
    let path = |t: f32| Planar::new(Vec2::ZERO, turned(t));

    // Feet that step alternate; the one on the inside is first.
    let inside = if angle > 0.0 { 0 } else { 1 };
    let lifts = |side: usize, index: usize| {
        let later = if side == inside { 0.0 } else { 0.5 };
        lead_in + (index as f32 + later) * pair
    };
    let swing = 0.40 * pair;
    let standing = stand_body(figure, 0.0);
    let body = |t: f32| {
        let mut body = standing;
        for side in [0, 1] {
            for index in 0..pairs {
                // Over the standing foot while the other is in the air.
                let middle = lifts(side, index) + 0.5 * swing;
                let away = hump((t - middle) / (1.2 * pair) + 0.5);
                body.place.x -= figure.legs[side].sign * figure.length(0.055) * away;
                body.place.y -= figure.length(0.010) * away;
                body.pelvis.z -= figure.legs[side].sign * 0.035 * away;
            }
        }
        let turning = ease_between(0.0, lead_in + 0.2 * pair, t)
            - ease_between(to - 0.6 * pair, to + 0.2 * lead_out, t);
        let ahead = angle.signum() * turning * (angle.abs() / 1.2).min(1.0);
        // Eyes first, then shoulders, then hips.
        body.head.y += 0.45 * ahead;
        body.chest.y += 0.14 * ahead;
        body.arms[inside].swing -= 0.12 * turning;
        body.arms[1 - inside].swing += 0.14 * turning;
        for arm in &mut body.arms {
            arm.spread += 0.06 * turning;
            arm.elbow += 0.10 * turning;
        }
        body
    };
    let feet = [0, 1].map(|side| {
        let lifts: Vec<f32> = (0..pairs).map(|index| lifts(side, index)).collect();
        turning_steps(figure, side, angle, [pair, swing], &lifts)
    });
    let performance = SynthPerformance::new(figure, &path, &body);
    performance.record(&feet, &Window::once(name, 0.0, frames))
}

/// The steps of one foot, which together turn it by an angle: it lifts at each of some times. A pair
/// of steps and a foot's swing take the seconds that are given.
fn turning_steps(
    figure: &BipedMeasures,
    side: usize,
    angle: f32,
    [pair, swing]: [f32; 2],
    lifts: &[f32],
) -> Steps {
    let style = SwingStyle {
        curves: LegCurves::walk(figure.settings, 0.5, 0.7),
        normative: 0.0,
        lift: figure.length(0.055),
        clearance: figure.length(0.015),
        soft_landing: [1.0, 0.3],
        blend: Blend::SHORT,
    };
    let print = |done: usize| {
        let facing = Planar::new(Vec2::ZERO, angle * done as f32 / lifts.len() as f32);
        facing.then(&stand_print(figure, side))
    };
    let leave = |stance: SynthStance, lift: f32| SynthStance {
        heel_off: lift - 0.22 * pair,
        ball_off: lift,
        toe_off: lift,
        off_pitch: 0.40,
        ..stance
    };
    let mut steps = Steps::standing(leave(SynthStance::always(print(0)), lifts[0]));
    for (index, lift) in lifts.iter().enumerate() {
        let strike = lift + swing;
        let landed = SynthStance::from(print(index + 1), strike, strike + 0.08 * pair);
        let stance = lifts.get(index + 1).map_or(landed, |&next| leave(landed, next));
        steps = steps.step(style, stance);
    }
    steps
}
