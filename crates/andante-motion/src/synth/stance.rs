//! A foot on the ground.

use super::curve::{Jet, Quintic};
use super::figure::LegMeasures;
use andante_skeleton::{Planar, Transform};
use glam::{Quat, Vec3};

/// Placement of a foot: the ankle in the world, the way the foot points, its pitch (toes up is
/// positive) and how far the toes are bent up against it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SynthFootPose {
    pub ankle: Vec3,
    pub heading: f32,
    pub pitch: f32,
    pub toes: f32,
}

impl SynthFootPose {
    pub fn transform(&self) -> Transform {
        Transform::new(rotation(self.heading, self.pitch), self.ankle)
    }

    /// The same foot in another frame on the ground, told as a placement as well.
    pub fn seen_from(&self, frame: &Planar, placed: &Transform) -> Self {
        let ankle = placed.transform_point(self.ankle);
        Self { ankle, heading: self.heading + frame.heading, ..*self }
    }

    /// Heights of heel, ball and tip of the sole.
    pub fn sole_heights(&self, leg: &LegMeasures) -> [f32; 3] {
        self.sole_heights_at(&self.transform(), leg)
    }

    /// The same where its placement is known.
    pub fn sole_heights_at(&self, foot: &Transform, leg: &LegMeasures) -> [f32; 3] {
        let toes = Transform::new(
            foot.rotation * Quat::from_rotation_x(-self.toes),
            foot.transform_point(leg.toe_joint),
        );
        let tip = leg.tip - leg.toe_joint;
        let below = Vec3::Y * tip.y;
        [foot.transform_point(leg.heel), toes.transform_point(below), toes.transform_point(tip)]
            .map(|point| point.y)
    }

    pub fn channels(&self) -> [f32; CHANNELS] {
        [self.ankle.x, self.ankle.y, self.ankle.z, self.heading, self.pitch]
    }

    pub fn from_channels([x, y, z, heading, pitch]: [f32; CHANNELS], toes: f32) -> Self {
        Self { ankle: Vec3::new(x, y, z), heading, pitch, toes }
    }
}

/// Numbers that place a foot but for its toes.
pub(super) const CHANNELS: usize = 5;
/// The one of them that is the pitch.
pub(super) const PITCH: usize = 4;

pub(super) fn rotation(heading: f32, pitch: f32) -> Quat {
    Quat::from_rotation_y(heading) * Quat::from_rotation_x(-pitch)
}

/// One contact of a foot with the ground: it strikes with the heel (or, with a negative pitch, the
/// ball), rolls flat about that point, and leaves by rising about the ball while the toes stay
/// down, and at last over their tip. The rockers of Perry and Burnfield, as exact constraints.
///
/// Infinite times stand for a foot that was or stays there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SynthStance {
    /// Below the ankle of the flat foot, facing where the toes point.
    pub print: Planar,
    pub strike: f32,
    pub flat: f32,
    pub heel_off: f32,
    pub ball_off: f32,
    pub toe_off: f32,
    pub strike_pitch: f32,
    /// How far the heel stays up in between, for those who run or sneak on the balls of their feet;
    /// then they do not strike with the heel either.
    pub heel_up: f32,
    /// How far the heel has risen when the toes leave, in radians, positive.
    pub off_pitch: f32,
    /// How fast it still rises then, as a multiple of its mean speed.
    pub off_slope: f32,
    /// How far the toes have risen over their tip by then.
    pub toe_roll: f32,
}

/// Slopes at which pitch begins to fall at strike and toes still rise at toe off, as multiples of the
/// mean slopes; the rest of the curves follows from flat ground being reached and left at rest.
const STRIKE_SLOPE: f32 = 1.8;
const ROLL_SLOPE: f32 = 1.8;

/// The usual [`SynthStance::off_slope`]; walkers push off late and more quickly.
pub(super) const EVEN_OFF_SLOPE: f32 = 1.6;

/// Toes this far over their tip, in radians, have moved the ball by 1 % of their length.
const HARDLY_ROLLED: f32 = 0.14;

impl SynthStance {
    /// A foot that comes down flat on a print and stays.
    pub fn from(print: Planar, strike: f32, flat: f32) -> Self {
        Self { strike, flat, ..Self::always(print) }
    }

    /// The same stance, so many seconds later.
    pub fn later(self, seconds: f32) -> Self {
        Self {
            strike: self.strike + seconds,
            flat: self.flat + seconds,
            heel_off: self.heel_off + seconds,
            ball_off: self.ball_off + seconds,
            toe_off: self.toe_off + seconds,
            ..self
        }
    }

    /// A foot that never moves.
    pub fn always(print: Planar) -> Self {
        let (before, after) = (f32::NEG_INFINITY, f32::INFINITY);
        Self {
            print,
            strike: before,
            flat: before,
            heel_off: after,
            ball_off: after,
            toe_off: after,
            strike_pitch: 0.0,
            heel_up: 0.0,
            off_pitch: 0.0,
            off_slope: EVEN_OFF_SLOPE,
            toe_roll: 0.0,
        }
    }

    /// The contact of the heel, if it is ever down.
    pub fn heel_contact(&self) -> Option<[f32; 2]> {
        let start = if self.strike_pitch > 0.0 { self.strike } else { self.flat };
        (self.heel_up <= 0.0).then_some([start, self.heel_off])
    }

    /// The contact of the ball.
    pub fn ball_contact(&self) -> [f32; 2] {
        let start = if self.strike_pitch > 0.0 { self.flat } else { self.strike };
        [start, self.ball_off]
    }

    /// The contact of the toes: the ball is down, or so little above the tip of the toes that it has hardly moved.
    pub fn toe_contact(&self) -> [f32; 2] {
        let [start, _] = self.ball_contact();
        if self.toe_roll <= HARDLY_ROLLED {
            return [start, self.toe_off];
        }
        let (mut low, mut high) = (self.ball_off, self.toe_off);
        for _ in 0..24 {
            let middle = 0.5 * (low + high);
            if self.roll(middle) < HARDLY_ROLLED {
                low = middle;
            } else {
                high = middle;
            }
        }
        [start, low]
    }

    /// Pitch at a time; before the strike and after toe off the curves go on, so that swings can
    /// take their slopes from them.
    fn pitch(&self, t: f32) -> f32 {
        if t < self.flat {
            let fall = self.strike_pitch + self.heel_up;
            let slope = -STRIKE_SLOPE * fall / (self.flat - self.strike);
            let from = Jet { p: self.strike_pitch, v: slope, a: 0.0 };
            Quintic::new(self.strike, self.flat, from, Jet::still(-self.heel_up)).at(t)
        } else if t > self.heel_off {
            let rise = self.off_pitch - self.heel_up;
            let slope = -self.off_slope * rise / (self.toe_off - self.heel_off);
            let to = Jet { p: -self.off_pitch, v: slope, a: 0.0 };
            Quintic::new(self.heel_off, self.toe_off, Jet::still(-self.heel_up), to).at(t)
        } else {
            -self.heel_up
        }
    }

    /// How far the toes have risen over their tip.
    fn roll(&self, t: f32) -> f32 {
        if t <= self.ball_off || self.toe_roll == 0.0 {
            return 0.0;
        }
        let slope = ROLL_SLOPE * self.toe_roll / (self.toe_off - self.ball_off);
        let to = Jet { p: self.toe_roll, v: slope, a: 0.0 };
        Quintic::new(self.ball_off, self.toe_off, Jet::still(0.0), to).at(t)
    }

    /// The foot at a time under a hip. Where the ankle would bend up too far the heel gives way and
    /// rises.
    pub fn foot(&self, leg: &LegMeasures, t: f32, hip: Vec3) -> SynthFootPose {
        let (turned, roll) = (Quat::from_rotation_y(self.print.heading), self.roll(t));
        let mut foot = self.pitched(leg, turned, self.pitch(t), roll);
        let ahead = Quat::from_rotation_y(-foot.heading);
        let bend = foot.pitch - leg.shank_angle_in(ahead, hip, foot.ankle);
        if bend > leg.limits.dorsiflexion[0] {
            let most = soften(bend, leg.limits.dorsiflexion);
            // Raising the heel moves the ankle, but less and less.
            for _ in 0..5 {
                let shank = leg.shank_angle_in(ahead, hip, foot.ankle);
                foot = self.pitched(leg, turned, shank + most, roll);
            }
        }
        foot
    }

    /// The foot at a time if its ankle could bend without end.
    pub fn unhindered_foot(&self, leg: &LegMeasures, t: f32) -> SynthFootPose {
        let turned = Quat::from_rotation_y(self.print.heading);
        self.pitched(leg, turned, self.pitch(t), self.roll(t))
    }

    /// The foot, turned as its print is, at a pitch and with its toes rolled over.
    fn pitched(&self, leg: &LegMeasures, turned: Quat, pitch: f32, roll: f32) -> SynthFootPose {
        let flat = Vec3::new(self.print.position.x, leg.ankle_height, self.print.position.y);
        let heading = self.print.heading;
        let rotation = |pitch: f32| turned * Quat::from_rotation_x(-pitch);
        let pivot = if pitch > 0.0 { leg.heel } else { leg.toe_joint };
        let toes = leg.tip - leg.toe_joint;
        // Most of the time toes do not roll.
        let rolled = if roll == 0.0 { turned } else { rotation(-roll) };
        let ankle = flat + turned * (pivot + toes) - rotation(pitch) * pivot - rolled * toes;
        SynthFootPose { ankle, heading, pitch, toes: (-pitch).max(0.0) - roll }
    }
}

/// Keeps an angle below the second of two others; below the first it is left as it is.
pub(super) fn soften(angle: f32, [from, to]: [f32; 2]) -> f32 {
    if angle <= from {
        angle
    } else {
        from + (to - from) * libm::tanhf((angle - from) / (to - from))
    }
}
