//! How long steps are and how feet roll over the ground, by speed.
//!
//! Speeds and times are those of the adult; see [`BipedMeasures`](super::figure::BipedMeasures).

use super::stance::EVEN_OFF_SLOPE;

/// When in a cycle a foot does what, as phases since its strike, and its pitch.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootTiming {
    pub flat: f32,
    pub heel_off: f32,
    pub ball_off: f32,
    /// When the body passes over the ankle.
    pub over: f32,
    pub strike_pitch: f32,
    pub heel_up: f32,
    pub off_pitch: f32,
    pub off_slope: f32,
    pub toe_roll: f32,
}

/// Seconds a cycle lasts. D. W. Grieve and R. J. Gear, "The relationships between length of stride,
/// step frequency, time of swing and speed of walking for children and adults", Ergonomics 9 (1966):
/// 64.8 v^0.58 cycles a minute at v statures a second.
pub(super) fn walk_period(stature: f32, pace: f32) -> f32 {
    60.0 / (64.8 * libm::powf(pace / stature, 0.58))
}

/// Part of the cycle a foot is down: about 62 % at a normal walk, less at a quick one (Murray 1967;
/// Perry and Burnfield 2010). Measured feet wear shoes; these are bare, lower and shorter, and leave
/// the ground a little sooner for the same leg.
pub(super) fn walk_duty(pace: f32) -> f32 {
    (0.679 - 0.06 * pace).clamp(0.55, 0.68)
}

/// Step frequency of runners grows slowly: stride length is nearly proportional to speed (P. R.
/// Cavanagh and R. Kram 1989; P. G. Weyand and others 2000).
pub(super) fn run_period(pace: f32) -> f32 {
    2.0 / (2.5 + 0.012 * libm::powf(pace, 2.2))
}

/// Contact shortens with speed; the body travels no farther over a foot than legs allow.
pub(super) fn run_duty(longest: f32, pace: f32, period: f32) -> f32 {
    (0.27 + 0.15 * libm::expf(-(pace - 2.0) / 2.0)).min(0.46).min(longest / (pace * period))
}

/// A walker's foot: heel first, flat after a tenth of the cycle, the heel up before the other foot
/// strikes, last the tip of the toes.
pub(super) fn walk_feet(pace: f32, duty: f32) -> FootTiming {
    FootTiming {
        flat: 0.091,
        heel_off: (0.325 - 0.08 * pace).clamp(0.22, 0.38) * duty / 0.62,
        ball_off: duty - 0.0825,
        over: (0.24 - 0.017 * pace).clamp(0.18, 0.23),
        strike_pitch: (4.9 + 9.0 * pace).min(24.0).to_radians(),
        heel_up: 0.0,
        off_pitch: (35.5 + 18.0 * pace).min(64.0).to_radians(),
        off_slope: 2.2,
        toe_roll: 29.5f32.to_radians(),
    }
}

/// A runner's foot: on the ball throughout, the heel low after the strike and rising from then on.
pub(super) fn run_feet(pace: f32, duty: f32) -> FootTiming {
    FootTiming {
        flat: 0.08 * duty,
        heel_off: 0.09 * duty,
        ball_off: 0.82 * duty,
        over: (0.22 + 0.022 * pace).min(0.305) * duty,
        strike_pitch: -7f32.to_radians(),
        heel_up: 6f32.to_radians(),
        off_pitch: 70f32.to_radians(),
        off_slope: EVEN_OFF_SLOPE,
        toe_roll: 32f32.to_radians(),
    }
}
