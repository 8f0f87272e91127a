//! Jumps: from a run, and on the spot.

use super::body::BodyPosture;
use super::curve::{Jet, Quintic, ease, ease_between, hump};
use super::cycle::SynthCycle;
use super::figure::BipedMeasures;
use super::normative::LegCurves;
use super::performance::{Steps, SynthPerformance, Window};
use super::stance::SynthStance;
use super::stand::{stand_body, stand_print};
use super::swing::{Blend, SwingStyle};
use super::{GaitRequest, SynthClip, SynthError};
use andante_skeleton::Planar;

/// A leap out of a run: off the left foot, onto the right one, and on. It begins and ends with the
/// strike of the left foot; `longer` is the time the body is in the air beyond that of a running
/// step, in seconds of the adult.
pub(super) fn leap(
    figure: &BipedMeasures,
    name: &str,
    speed: f32,
    longer: f32,
) -> Result<SynthClip, SynthError> {
    let (fps, gravity) = (figure.settings.fps, figure.settings.gravity);
    let run = SynthCycle::new(figure, &GaitRequest::ahead(speed));
    let period = run.period();
    let longer = (figure.seconds(longer) * fps).round() / fps;
    let path = |t: f32| run.path(t);

    // In the air time runs slower than in the run. The body and the right leg slow down from the
    // strike of the left foot to that of the right one, the left leg while it swings.
    let (takeoff, landing) = (run.duty() * period, 0.5 * period + longer);
    let run_time = |t: f32| slowed(longer, 0.02 * period, 0.5 * period, t);
    let clock = |side: usize, t: f32| match side {
        0 => slowed(longer, takeoff, 0.95 * period, t),
        _ => run_time(t),
    };

    let height = leap_height(&run, gravity, takeoff, landing, longer);
    let body = |t: f32| {
        let mut body: BodyPosture = run.body(run_time(t) / period);
        body.place.y = height(t);
        let flying = hump((t - 0.5 * takeoff) / (landing + 0.5 * takeoff - 0.5 * takeoff));
        for arm in &mut body.arms {
            arm.spread += 0.5 * flying;
            arm.elbow -= 0.45 * flying;
        }
        body.chest.x += 0.10 * flying;
        body
    };
    let later = |side: usize, round: i32| {
        let stance = run.stance(side, round);
        SynthStance { print: path(longer).then(&stance.print), ..stance.later(longer) }
    };
    // The legs swing as in the run, only slower; nothing is in their way.
    let style = run.swing_style();
    let feet = [
        Steps::standing(run.stance(0, -1))
            .step(style, run.stance(0, 0))
            .step(style, later(0, 1))
            .step(style, later(0, 2)),
        Steps::standing(run.stance(1, -1)).step(style, later(1, 0)).step(style, later(1, 1)),
    ];
    let toe_out = figure.settings.toe_out;
    let usual = SynthPerformance::new(figure, &path, &body);
    let performance = SynthPerformance { clock: &clock, toe_out, ..usual };
    let steps = run.frames + (longer * fps).round() as usize;
    performance.record(&feet, &Window::once(name, 0.0, steps))
}

/// The time of the run at a time of the leap, which loses `longer` seconds between two times of the run.
fn slowed(longer: f32, from: f32, to: f32, t: f32) -> f32 {
    // Newton's method on s + longer·ease(s) = t, whose slope is between 1 and a little over 2.
    let mut s = (t - 0.5 * longer).clamp(t - longer, t);
    for _ in 0..8 {
        let u = ((s - from) / (to - from)).clamp(0.0, 1.0);
        let slope = 1.0 + longer * 30.0 * (u * (1.0 - u)).powi(2) / (to - from);
        s = (s - (s + longer * ease(u) - t) / slope).clamp(t - longer, t);
    }
    s
}

/// Height of the hips: the run's up to the left foot's strike, a stronger push, free fall, a deeper landing.
fn leap_height(
    run: &SynthCycle,
    gravity: f32,
    takeoff: f32,
    landing: f32,
    longer: f32,
) -> impl Fn(f32) -> f32 {
    let period = run.period();
    let flight = landing - takeoff;
    let fall = 0.5 * gravity * (0.5 * period - takeoff);
    let base = run.body(0.0).place.y;
    let up = 0.5 * gravity * flight;
    let rise = 0.14 * takeoff * (up - fall);
    let leave = Jet { p: base + rise, v: up, a: -gravity };
    let land = Jet { v: -up, ..leave };
    let push = Quintic::new(0.0, takeoff, Jet { p: base, v: -fall, a: -gravity }, leave);
    let recovered = landing + takeoff;
    let absorb = Quintic::new(landing, recovered, land, Jet { p: base, v: fall, a: -gravity });
    move |t: f32| {
        if t < 0.0 {
            run.body(t / period).place.y
        } else if t < takeoff {
            push.at(t)
        } else if t < landing {
            leave.p + 0.5 * gravity * (t - takeoff) * (landing - t)
        } else if t < recovered {
            absorb.at(t)
        } else {
            run.body((t - longer) / period).place.y
        }
    }
}

/// A jump straight up, with both feet, from standing to standing.
pub(super) fn hop(figure: &BipedMeasures) -> Result<SynthClip, SynthError> {
    let fps = figure.settings.fps;
    let seconds = |adult: f32| figure.seconds(adult);
    let metres = |adult: f32| figure.length(adult);
    let (dip, takeoff, landing) = (seconds(0.42), seconds(0.74), seconds(1.16));
    let (caught, done) = (landing + seconds(0.20), landing + seconds(0.85));
    let frames = (seconds(2.3) * fps).round() as usize;
    let path = |_: f32| Planar::IDENTITY;

    let stand = stand_body(figure, 0.0);
    let standing = Jet::still(stand.place.y);
    let height = hop_height(figure, standing, [dip, takeoff, landing, caught, done]);
    let body = |t: f32| {
        let mut body = stand;
        body.place.y = height(t);
        let crouched = ease_between(0.0, dip, t) - ease_between(dip, takeoff, t);
        let yielding =
            ease_between(landing - seconds(0.05), caught, t) - ease_between(caught, done, t);
        let flying = ease_between(dip, takeoff + seconds(0.08), t)
            - ease_between(landing - seconds(0.12), caught, t);
        let fold = crouched + 0.8 * yielding;
        body.place.z -= metres(0.07) * fold;
        body.pelvis.x += 0.45 * fold;
        body.chest.x += 0.65 * fold - 0.08 * flying;
        body.head.x += 0.20 * fold - 0.10 * flying;
        for arm in &mut body.arms {
            arm.swing += -0.60 * crouched + 1.75 * flying + 0.35 * yielding;
            arm.elbow += 0.25 * crouched + 0.55 * flying + 0.45 * yielding;
            arm.spread += 0.12 * (flying + yielding);
        }
        body
    };
    let style = SwingStyle {
        curves: LegCurves::hanging(figure.settings, 14.0, 30.0, -32.0),
        normative: 1.0,
        lift: 0.0,
        clearance: metres(0.03),
        soft_landing: [1.0, 0.3],
        blend: Blend::SHORT,
    };
    let feet = [0, 1].map(|side| {
        let print = stand_print(figure, side);
        let leave = SynthStance {
            heel_off: takeoff - seconds(0.26),
            ball_off: takeoff - seconds(0.06),
            toe_off: takeoff,
            off_pitch: 0.95,
            toe_roll: 0.45,
            ..SynthStance::always(print)
        };
        let land = SynthStance {
            strike_pitch: -0.45,
            ..SynthStance::from(print, landing, landing + seconds(0.13))
        };
        Steps::standing(leave).step(style, land)
    });
    let performance = SynthPerformance::new(figure, &path, &body);
    performance.record(&feet, &Window::once("jump-standing", 0.0, frames))
}

/// Height of the hips: down to gather way, up off the ground, through the air, and caught again, at the times
/// at which each is over.
fn hop_height(
    figure: &BipedMeasures,
    standing: Jet,
    [dip, takeoff, landing, caught, done]: [f32; 5],
) -> impl Fn(f32) -> f32 {
    let gravity = figure.settings.gravity;
    let metres = |adult: f32| figure.length(adult);
    let low = Jet { p: standing.p - metres(0.30), v: 0.0, a: 0.35 * gravity };
    let up = 0.5 * gravity * (landing - takeoff);
    let leave = Jet { p: standing.p + metres(0.045), v: up, a: -gravity };
    let land = Jet { p: leave.p, v: -up, a: -gravity };
    let catch = Jet { p: standing.p - metres(0.25), v: 0.0, a: 0.6 * gravity };
    let pieces = [
        Quintic::new(0.0, dip, standing, low),
        Quintic::new(dip, takeoff, low, leave),
        Quintic::new(takeoff, landing, leave, land),
        Quintic::new(landing, caught, land, catch),
        Quintic::new(caught, done, catch, standing),
    ];
    move |t: f32| match t {
        _ if t < 0.0 => standing.p,
        _ if t < dip => pieces[0].at(t),
        _ if t < takeoff => pieces[1].at(t),
        _ if t < landing => pieces[2].at(t),
        _ if t < caught => pieces[3].at(t),
        _ if t < done => pieces[4].at(t),
        _ => standing.p,
    }
}
