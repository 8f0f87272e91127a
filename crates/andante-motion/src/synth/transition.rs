//! From standing to walking and back.

use super::curve::{ease_between, hump, ramp};
use super::cycle::SynthCycle;
use super::figure::BipedMeasures;
use super::performance::{Steps, SynthPerformance, Window};
use super::stance::SynthStance;
use super::stand::{stand_body, stand_print};
use super::swing::{Blend, SwingStyle};
use super::{GaitRequest, SynthClip, SynthError};
use andante_skeleton::Planar;
use glam::Vec2;

/// From [`stand_body`] to the left foot's strike of a walk: the weight goes to the left foot, the
/// right one makes a short step, the left one a full one. Speed is reached after two steps, as
/// people do (Y. Breniere and M. C. Do 1986).
///
/// Times are the walk's: 0 is the strike with which the clip ends.
pub(super) fn start(figure: &BipedMeasures, speed: f32) -> Result<SynthClip, SynthError> {
    let walk = SynthCycle::new(figure, &GaitRequest::ahead(speed));
    let period = walk.period();
    let (begin, full) = (-1.02 * period, -0.07 * period);
    let distance = |t: f32| speed * (ramp(begin, full, t) - ramp(begin, full, 0.0));
    let path = |t: f32| Planar::new(Vec2::new(0.0, distance(t)), 0.0);
    let frames = (1.45 * period * figure.settings.fps).round() as usize;
    let first = -(frames as f32) / figure.settings.fps;
    let body = |t: f32| {
        let walking = ease_between(begin - 0.1 * period, full, t);
        let mut body = stand_body(figure, 0.0).lerp(&walk.body(t / period), walking);
        // Off the foot that steps, before it does.
        body.place.x += figure.length(0.045) * hump((t - first) / (0.92 * period));
        body
    };
    let standing = |side: usize| path(first).then(&stand_print(figure, side));
    let style = walk.swing_style();
    let mut right_first = walk.stance(1, -2);
    right_first = SynthStance {
        print: standing(1),
        strike: f32::NEG_INFINITY,
        flat: f32::NEG_INFINITY,
        heel_off: right_first.toe_off - 0.28 * period,
        off_pitch: 0.7 * right_first.off_pitch,
        toe_roll: 0.6 * right_first.toe_roll,
        ..right_first
    };
    let left_first = walk.stance(0, -1);
    let left_first = SynthStance {
        print: standing(0),
        strike: f32::NEG_INFINITY,
        flat: f32::NEG_INFINITY,
        off_pitch: 0.9 * left_first.off_pitch,
        ..left_first
    };
    let feet = [
        Steps::standing(left_first).step(style, walk.stance(0, 0)).step(style, walk.stance(0, 1)),
        Steps::standing(right_first).step(style, walk.stance(1, -1)).step(style, walk.stance(1, 0)),
    ];
    let performance = SynthPerformance::new(figure, &path, &body).striding();
    performance.record(&feet, &Window::once("start", first, frames))
}

/// From the left foot's strike of a walk to [`stand_body`]: the right foot brakes, the left one
/// comes beside it.
pub(super) fn stop(figure: &BipedMeasures, speed: f32) -> Result<SynthClip, SynthError> {
    let walk = SynthCycle::new(figure, &GaitRequest::ahead(speed));
    let period = walk.period();
    let (brake, halt) = (0.05 * period, 1.15 * period);
    let path = |t: f32| Planar::new(Vec2::new(0.0, speed * (t - ramp(brake, halt, t))), 0.0);
    let frames = (1.5 * period * figure.settings.fps).round() as usize;
    let end = path(halt);
    let body = |t: f32| {
        let standing = ease_between(brake, 1.3 * period, t);
        let mut body = walk.body(t / period).lerp(&stand_body(figure, 0.0), standing);
        body.place.x -= figure.length(0.03) * hump((t - 0.45 * period) / (0.85 * period));
        body
    };
    let style = walk.swing_style();
    let standing = |side: usize| end.then(&stand_print(figure, side));
    let right = SynthStance {
        strike_pitch: 0.6 * walk.stance(1, 0).strike_pitch,
        ..SynthStance::from(standing(1), 0.5 * period, 0.64 * period)
    };
    let left_off = walk.stance(0, 0);
    let left_off = SynthStance { off_pitch: 0.75 * left_off.off_pitch, ..left_off };
    let left = SynthStance::from(standing(0), 1.07 * period, 1.13 * period);
    let short = SwingStyle { blend: Blend::SHORT, ..style };
    let close = SwingStyle { normative: 0.45, lift: figure.length(0.06), ..short };
    let feet = [
        Steps::standing(walk.stance(0, -1)).step(style, left_off).step(close, left),
        Steps::standing(walk.stance(1, -1)).step(short, right),
    ];
    let performance = SynthPerformance::new(figure, &path, &body).striding();
    performance.record(&feet, &Window::once("stop", 0.0, frames))
}
