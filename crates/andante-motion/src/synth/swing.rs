//! A foot in the air.

use super::curve::{Jet, Quintic, ease, hump};
use super::figure::LegMeasures;
use super::normative::LegCurves;
use super::stance::{CHANNELS, PITCH, SynthFootPose, SynthStance, rotation, soften};
use andante_skeleton::{Planar, Transform};
use glam::Vec3;

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
    /// How much of its horizontal and of its vertical speed the foot loses before it lands: 1 for
    /// all; what is left the ground stops.
    pub soft_landing: [f32; 2],
    /// How it leaves the ground and lands.
    pub blend: Blend,
}

/// The moving frame a swing is modelled in.
pub(super) struct SwingFrame {
    /// The hip joint in the world.
    pub hip: Vec3,
    /// The way the body goes.
    pub heading: f32,
    /// Outward turn of the foot against it.
    pub toe_out: f32,
    /// The time by which the swing progresses.
    pub clock: f32,
}

/// A foot between two contacts: the style's course plus the polynomials that make it leave the one
/// and reach the other in position, velocity and acceleration.
#[derive(Clone, Debug)]
pub(super) struct SynthSwing {
    style: SwingStyle,
    /// When it begins and ends, by the frame's clock.
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

/// Parts of a swing over which a foot leaves the one contact and turns to the other: for its place
/// and heading, and for its pitch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blend {
    leaving: [f32; 2],
    landing: [f32; 2],
}

impl Blend {
    /// Soon on the leg's own course.
    pub const SHORT: Self = Self { leaving: [0.6, 0.35], landing: [0.4, 0.25] };
    /// Without haste, but for the toes, which come up last: walkers.
    pub const LONG: Self = Self { leaving: [0.727, 0.32], landing: [0.845, 0.145] };

    fn leaving(&self, channel: usize) -> f32 {
        self.leaving[usize::from(channel == PITCH)]
    }

    fn landing(&self, channel: usize) -> f32 {
        self.landing[usize::from(channel == PITCH)]
    }
}

/// Step of the differences by which slopes are taken, in seconds.
const DT: f32 = 1.0 / 240.0;

impl SynthSwing {
    pub fn new(
        leg: &LegMeasures,
        style: SwingStyle,
        [before, after]: [&SynthStance; 2],
        (frame, clock): (&dyn Fn(f32) -> SwingFrame, &dyn Fn(f32) -> f32),
    ) -> Self {
        let (start, end) = (clock(before.toe_off), clock(after.strike));
        let still = Quintic::new(start, end, Jet::still(0.0), Jet::still(0.0));
        let relaxed = start + leg.limits.toes_relax * (end - start);
        let mut swing = Self {
            style,
            start,
            end,
            from: before.print,
            to: after.print,
            leaving: [still; CHANNELS],
            landing: [still; CHANNELS],
            toes: still,
            relaxed,
            extra_lift: 0.0,
        };
        // What the reference lacks at a contact, with its slopes by the frame's clock; the bend of the
        // toes is lacking altogether.
        let missing = |stance: &SynthStance, t: f32| -> [Jet; CHANNELS + 1] {
            let at = |t: f32| {
                let frame = frame(t);
                let reference = swing.reference(leg, &frame);
                let foot = stance.foot(leg, t, frame.hip);
                let wanted = foot.channels();
                std::array::from_fn::<f32, { CHANNELS + 1 }, _>(|c| {
                    if c < CHANNELS { wanted[c] - reference[c] } else { foot.toes }
                })
            };
            let (before, here, after) = (at(t - DT), at(t), at(t + DT));
            let rate = (clock(t + DT) - clock(t - DT)) / (2.0 * DT);
            std::array::from_fn(|c| Jet {
                p: here[c],
                v: (after[c] - before[c]) / (2.0 * DT * rate),
                a: (after[c] + before[c] - 2.0 * here[c]) / (DT * DT * rate * rate),
            })
        };
        let (leaving, mut landing) =
            (missing(before, before.toe_off), missing(after, after.strike));
        let [horizontal, vertical] = style.soft_landing;
        landing[0].v *= horizontal;
        landing[1].v *= vertical;
        landing[2].v *= horizontal;
        swing.leaving = std::array::from_fn(|c| {
            let left = start + style.blend.leaving(c) * (end - start);
            Quintic::new(start, left, leaving[c], Jet::still(0.0))
        });
        swing.landing = std::array::from_fn(|c| {
            let lands = end - style.blend.landing(c) * (end - start);
            Quintic::new(lands, end, Jet::still(0.0), Jet { a: 0.0, ..landing[c] })
        });
        let toes = Jet { a: 0.0, ..leaving[CHANNELS] };
        swing.toes = Quintic::new(start, relaxed, toes, Jet::still(0.0));
        swing.extra_lift = swing.lift(leg, [before.toe_off, after.strike], (frame, clock));
        swing
    }

    /// How far the middle of the swing must be raised for the sole to clear the ground.
    fn lift(
        &self,
        leg: &LegMeasures,
        [from, to]: [f32; 2],
        (frame, clock): (&dyn Fn(f32) -> SwingFrame, &dyn Fn(f32) -> f32),
    ) -> f32 {
        const SAMPLES: usize = 32;
        let mut lift: f32 = 0.0;
        for sample in 0..=SAMPLES {
            let t = from + (to - from) * sample as f32 / SAMPLES as f32;
            let u = self.progress(clock(t));
            // Near its ends a swing is low, and lifting it there would throw its middle up.
            if (0.24..0.76).contains(&u) {
                let heights = self.free_foot(leg, &frame(t)).sole_heights(leg);
                let lowest = heights.into_iter().fold(f32::INFINITY, f32::min);
                lift = lift.max((self.style.clearance - lowest) / hump(u));
            }
        }
        lift
    }

    /// From 0 to 1 over the swing.
    fn progress(&self, clock: f32) -> f32 {
        (clock - self.start) / (self.end - self.start)
    }

    fn reference(&self, leg: &LegMeasures, frame: &SwingFrame) -> [f32; CHANNELS] {
        let u = self.progress(frame.clock);
        let weight = self.style.normative;
        let forward = rotation(frame.heading, 0.0);
        let angles = self.style.curves.swing(u);
        let shank = angles.thigh - angles.knee;
        let drop = Vec3::new(
            0.0,
            -(leg.thigh * libm::cosf(angles.thigh) + leg.shank * libm::cosf(shank)),
            leg.thigh * libm::sinf(angles.thigh) + leg.shank * libm::sinf(shank),
        );
        let natural = frame.hip + forward * drop;
        let s = ease(u);
        let between = self.from.lerp(&self.to, s);
        let height = leg.ankle_height + self.style.lift * hump(u);
        let direct = Vec3::new(between.position.x, height, between.position.y);
        let ankle = direct.lerp(natural, weight);
        let natural_heading = frame.heading + frame.toe_out;
        let heading = between.heading + weight * (natural_heading - between.heading);
        [ankle.x, ankle.y, ankle.z, heading, weight * (shank + angles.ankle)]
    }

    /// The foot at a moment; its ankle bends no farther than it can under the given hip, and no part
    /// of the sole goes below the ground.
    pub fn foot(&self, leg: &LegMeasures, frame: &SwingFrame, hip: Vec3) -> SynthFootPose {
        let mut foot = self.free_foot(leg, frame);
        let shank = leg.shank_angle(hip, foot.ankle, foot.heading);
        let bend = soften(foot.pitch - shank, leg.limits.dorsiflexion);
        foot.pitch = shank - soften(-bend, leg.limits.plantar_flexion);
        let placed = foot.transform();
        foot.toes = foot.toes.max(leg.limits.least_toes).max(lowest_toes(&foot, &placed, leg));
        let heights = foot.sole_heights_at(&placed, leg);
        let lowest = heights.into_iter().fold(f32::INFINITY, f32::min);
        foot.ankle.y += (-lowest).max(0.0);
        foot
    }

    /// The foot before its ankle and toes give way.
    fn free_foot(&self, leg: &LegMeasures, frame: &SwingFrame) -> SynthFootPose {
        let mut channels = self.reference(leg, frame);
        let (t, u) = (frame.clock, self.progress(frame.clock));
        for (c, channel) in channels.iter_mut().enumerate() {
            if u < self.style.blend.leaving(c) {
                *channel += self.leaving[c].at(t);
            }
            if u > 1.0 - self.style.blend.landing(c) {
                *channel += self.landing[c].at(t);
            }
        }
        channels[1] += self.extra_lift * hump(u);
        let toes = if t < self.relaxed { self.toes.at(t) } else { 0.0 };
        SynthFootPose::from_channels(channels, toes)
    }
}

/// The least bend that keeps the tip of the toes out of the ground.
fn lowest_toes(foot: &SynthFootPose, placed: &Transform, leg: &LegMeasures) -> f32 {
    let joint = placed.transform_point(leg.toe_joint).y;
    let (along, below) = (leg.tip.z - leg.toe_joint.z, leg.toe_joint.y - leg.tip.y);
    // Height of the tip with the toes at a pitch q: joint + along·sin q − below·cos q = 0.
    let length = libm::hypotf(along, below);
    if joint >= length {
        return f32::NEG_INFINITY;
    }
    let q = libm::asinf(-joint / length) + libm::atan2f(below, along);
    q - foot.pitch
}
