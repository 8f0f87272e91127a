//! A foot on the ground and in the air.

use super::curve::{Jet, Quintic, hump};
use super::figure::Leg;
use super::normative::LegCurves;
use andante_skeleton::{Planar, Transform};
use glam::{Quat, Vec3};

/// Placement of a foot: the ankle in the world, the way the foot points, its pitch (toes up is
/// positive) and how far the toes are bent up against it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FootPose {
    pub ankle: Vec3,
    pub heading: f32,
    pub pitch: f32,
    pub toes: f32,
}

impl FootPose {
    pub fn transform(&self) -> Transform {
        Transform::new(rotation(self.heading, self.pitch), self.ankle)
    }

    /// Heights of heel, ball and tip of the sole.
    pub fn sole_heights(&self, leg: &Leg) -> [f32; 3] {
        let foot = self.transform();
        let toes = Transform::new(
            foot.rotation * Quat::from_rotation_x(-self.toes),
            foot.transform_point(leg.toe_joint),
        );
        let tip = leg.tip - leg.toe_joint;
        let below = Vec3::Y * tip.y;
        [foot.transform_point(leg.heel), toes.transform_point(below), toes.transform_point(tip)]
            .map(|point| point.y)
    }

    fn channels(&self) -> [f32; CHANNELS] {
        [self.ankle.x, self.ankle.y, self.ankle.z, self.heading, self.pitch]
    }

    fn from_channels([x, y, z, heading, pitch]: [f32; CHANNELS], toes: f32) -> Self {
        Self { ankle: Vec3::new(x, y, z), heading, pitch, toes }
    }
}

const CHANNELS: usize = 5;

fn rotation(heading: f32, pitch: f32) -> Quat {
    Quat::from_rotation_y(heading) * Quat::from_rotation_x(-pitch)
}

/// One contact of a foot with the ground: it strikes with the heel (or, with a negative pitch, the
/// ball), rolls flat about that point, and leaves by rising about the ball while the toes stay
/// down, and at last over their tip. The rockers of Perry and Burnfield, as exact constraints.
///
/// Infinite times stand for a foot that was or stays there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stance {
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
    /// How far the toes have risen over their tip by then.
    pub toe_roll: f32,
}

/// Slope at which pitch begins to fall at strike and still rises at toe off, as a multiple of the
/// mean slope; the rest of the two curves follows from flat ground being reached and left at rest.
const STRIKE_SLOPE: f32 = 1.8;
const OFF_SLOPE: f32 = 1.7;
const ROLL_SLOPE: f32 = 2.0;

impl Stance {
    /// When the heel is down, if ever.
    pub fn heel_contact(&self) -> Option<[f32; 2]> {
        let start = if self.strike_pitch > 0.0 { self.strike } else { self.flat };
        (self.heel_up <= 0.0).then_some([start, self.heel_off])
    }

    /// When the ball is down.
    pub fn toe_contact(&self) -> [f32; 2] {
        let start = if self.strike_pitch > 0.0 { self.flat } else { self.strike };
        [start, self.ball_off]
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
            let slope = -OFF_SLOPE * rise / (self.toe_off - self.heel_off);
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

    pub fn foot(&self, leg: &Leg, t: f32) -> FootPose {
        let (pitch, roll) = (self.pitch(t), self.roll(t));
        let flat = Vec3::new(self.print.position.x, leg.ankle_height, self.print.position.y);
        let heading = self.print.heading;
        let level = rotation(heading, 0.0);
        let pivot = if pitch > 0.0 { leg.heel } else { leg.toe_joint };
        let toes = leg.tip - leg.toe_joint;
        let ankle = flat + level * (pivot + toes)
            - rotation(heading, pitch) * pivot
            - rotation(heading, -roll) * toes;
        FootPose { ankle, heading, pitch, toes: (-pitch).max(0.0) - roll }
    }
}

/// What a swing is modelled on.
#[derive(Clone, Copy, Debug)]
pub(super) struct SwingStyle {
    /// The leg's normative course.
    pub curves: LegCurves,
    /// 1 follows those curves, 0 takes the foot straight from print to print.
    pub normative: f32,
    /// How high a foot that goes straight is lifted, in metres.
    pub lift: f32,
    /// Smallest height of the sole in the middle of the swing, in metres.
    pub clearance: f32,
    /// How much of its horizontal speed the foot loses before it lands: 1 for all, as in walking;
    /// runners leave part of it to the ground.
    pub soft_landing: f32,
}

/// The moving frame a swing is modelled in.
pub(super) struct SwingFrame {
    /// The hip joint in the world.
    pub hip: Vec3,
    /// The way the body goes.
    pub heading: f32,
    /// Outward turn of the foot against it.
    pub toe_out: f32,
}

/// A foot between two contacts: the style's course plus the polynomials that make it leave the one
/// and reach the other in position, velocity and acceleration.
#[derive(Clone, Debug)]
pub(super) struct Swing {
    style: SwingStyle,
    start: f32,
    end: f32,
    from: Planar,
    to: Planar,
    leaving: [Quintic; CHANNELS],
    landing: [Quintic; CHANNELS],
    toes: Quintic,
    relaxed: f32,
    extra_lift: f32,
}

/// Parts of a swing over which position, heading and pitch leave the one contact and turn to the
/// other.
const LEAVING: [f32; CHANNELS] = [0.6, 0.6, 0.6, 0.6, 0.35];
const LANDING: f32 = 0.4;

/// A landing foot is stopped by the ground: this part of its vertical speed it loses before.
const IMPACT: f32 = 0.3;

/// Step of the differences by which slopes are taken, in seconds.
const DT: f32 = 1.0 / 240.0;

impl Swing {
    pub fn new(
        leg: &Leg,
        style: SwingStyle,
        before: &Stance,
        after: &Stance,
        frame: &dyn Fn(f32) -> SwingFrame,
    ) -> Self {
        let (start, end) = (before.toe_off, after.strike);
        let still = Quintic::new(start, end, Jet::still(0.0), Jet::still(0.0));
        let relaxed = start + 0.45 * (end - start);
        let toes_at = |t: f32| before.foot(leg, t).toes;
        let toe_slope = (toes_at(start + DT) - toes_at(start - DT)) / (2.0 * DT);
        let toes = Jet { p: toes_at(start), v: toe_slope, a: 0.0 };
        let mut swing = Self {
            style,
            start,
            end,
            from: before.print,
            to: after.print,
            leaving: [still; CHANNELS],
            landing: [still; CHANNELS],
            toes: Quintic::new(start, relaxed, toes, Jet::still(0.0)),
            relaxed,
            extra_lift: 0.0,
        };
        let missing = |stance: &Stance, t: f32| -> [Jet; CHANNELS] {
            let at = |t: f32| {
                let reference = swing.reference(leg, t, &frame(t));
                let wanted = stance.foot(leg, t).channels();
                std::array::from_fn::<f32, CHANNELS, _>(|c| wanted[c] - reference[c])
            };
            let (before, here, after) = (at(t - DT), at(t), at(t + DT));
            std::array::from_fn(|c| Jet {
                p: here[c],
                v: (after[c] - before[c]) / (2.0 * DT),
                a: (after[c] + before[c] - 2.0 * here[c]) / (DT * DT),
            })
        };
        let (leaving, mut landing) = (missing(before, start), missing(after, end));
        landing[0].v *= style.soft_landing;
        landing[1].v *= IMPACT;
        landing[2].v *= style.soft_landing;
        let lands = end - LANDING * (end - start);
        swing.leaving = std::array::from_fn(|c| {
            let left = start + LEAVING[c] * (end - start);
            Quintic::new(start, left, leaving[c], Jet::still(0.0))
        });
        swing.landing =
            landing.map(|jet| Quintic::new(lands, end, Jet::still(0.0), Jet { a: 0.0, ..jet }));
        swing.lift_clear(leg, frame);
        swing
    }

    /// Raises the middle of the swing until the sole clears the ground.
    fn lift_clear(&mut self, leg: &Leg, frame: &dyn Fn(f32) -> SwingFrame) {
        const SAMPLES: usize = 32;
        let mut lift: f32 = 0.0;
        for sample in SAMPLES / 4..=3 * SAMPLES / 4 {
            let u = sample as f32 / SAMPLES as f32;
            let t = self.start + u * (self.end - self.start);
            let foot = self.free_foot(leg, t, &frame(t));
            let lowest = foot.sole_heights(leg).into_iter().fold(f32::INFINITY, f32::min);
            lift = lift.max((self.style.clearance - lowest) / hump(u));
        }
        self.extra_lift = lift;
    }

    fn reference(&self, leg: &Leg, t: f32, frame: &SwingFrame) -> [f32; CHANNELS] {
        let u = (t - self.start) / (self.end - self.start);
        let weight = self.style.normative;
        let forward = rotation(frame.heading, 0.0);
        let angles = self.style.curves.swing(u);
        let shank = angles.thigh - angles.knee;
        let drop = Vec3::new(
            0.0,
            -(leg.thigh * angles.thigh.cos() + leg.shank * shank.cos()),
            leg.thigh * angles.thigh.sin() + leg.shank * shank.sin(),
        );
        let natural = frame.hip + forward * drop;
        let s = super::curve::ease(u);
        let between = self.from.lerp(&self.to, s);
        let height = leg.ankle_height + self.style.lift * hump(u);
        let direct = Vec3::new(between.position.x, height, between.position.y);
        let ankle = direct.lerp(natural, weight);
        let natural_heading = frame.heading + frame.toe_out;
        let heading = between.heading + weight * (natural_heading - between.heading);
        [ankle.x, ankle.y, ankle.z, heading, weight * (shank + angles.ankle)]
    }

    pub fn foot(&self, leg: &Leg, t: f32, frame: &SwingFrame) -> FootPose {
        let mut foot = self.free_foot(leg, t, frame);
        foot.toes = foot.toes.max(lowest_toes(&foot, leg));
        foot
    }

    /// The foot before its toes give way to the ground.
    fn free_foot(&self, leg: &Leg, t: f32, frame: &SwingFrame) -> FootPose {
        let mut channels = self.reference(leg, t, frame);
        let u = (t - self.start) / (self.end - self.start);
        for (c, channel) in channels.iter_mut().enumerate() {
            if u < LEAVING[c] {
                *channel += self.leaving[c].at(t);
            }
            if u > 1.0 - LANDING {
                *channel += self.landing[c].at(t);
            }
        }
        channels[1] += self.extra_lift * hump(u);
        let toes = if t < self.relaxed { self.toes.at(t) } else { 0.0 };
        FootPose::from_channels(channels, toes)
    }
}

/// The least bend that keeps the tip of the toes out of the ground.
fn lowest_toes(foot: &FootPose, leg: &Leg) -> f32 {
    let joint = foot.transform().transform_point(leg.toe_joint).y;
    let (along, below) = (leg.tip.z - leg.toe_joint.z, leg.toe_joint.y - leg.tip.y);
    // Height of the tip with the toes at a pitch q: joint + along·sin q − below·cos q = 0.
    let length = along.hypot(below);
    if joint >= length {
        return f32::NEG_INFINITY;
    }
    let q = (-joint / length).asin() + below.atan2(along);
    q - foot.pitch
}
