//! A clip made possible for a body: a motion near it that soles on level ground can drive.
//!
//! Feet stand where they stand, in the air they do not touch, legs reach. The centre of mass falls freely while no foot is
//! down, and otherwise moves so that the pressure of the ground stays below the feet that are down (an inverted pendulum
//! over the whole clip at once, by least squares). In the air the trunk turns so that angular momentum stays what it is.

use andante_dynamics::{Vec3, vec3};
use andante_skeleton::{Character, Clip};
use glam::{DQuat, DVec3};

use super::clip_cast::{ClipFrame, align_knees, calm, frames};
use super::foot_way::{FootWay, spans};
use super::footing::{SoleBreadth, areas};
use super::making::Making;
use crate::control::tracker::{Reference, mean_angle};
use crate::fit::HumanFit;
use crate::physique::Physique;
use crate::walk::bounce::Swinging;
use crate::walk::cast::{Build, CastPose, WalkError};
use crate::walk::cycle::{Momenta, rates};
use crate::walk::cycle_settings::CycleSettings;
use crate::walk::spline::Spline;

andante_skeleton::settings! {
    /// Settings by which a clip becomes a motion that a body can follow.
    pub struct ClipPlanSettings: Copy {
        /// Seconds of a frame of the motion.
        frame: f64 = 1.0 / 120.0, 1e-3..=0.05;
        /// Width of the bell curve that takes the shaking out of a capture, s. Wide: no haste is left.
        calm: f64 = 0.02, 0.0..=0.2;
        /// Faster than this an arm leaps, rad/s.
        arm_speed: f64 = 14.0, 1.0..;
        /// Width of the bell curve that takes leaps out of arms, s.
        arm_calm: f64 = 0.12, 0.0..=1.0;
        /// How much knees go where toes point, 0 to 1; at 0 they go where the clip has them.
        knees: f64 = 0.0, 0.0..=1.0;
        /// Shorter than this a stance is none, s.
        least_stance: f64 = 0.05, 0.0..=1.0;
        /// Shorter than this a swing is none, s.
        least_swing: f64 = 0.08, 0.0..=1.0;
        /// How long weight takes to come on a foot or to leave it while the other one is down, s.
        shift: f64 = 0.12, 0.0..=1.0;
        /// Width of the bell curve over which the way of the centre of mass says where the pressure is, s.
        look: f64 = 0.05, 0.0..=1.0;
        /// How long before and after a leg is too short the hips sink, s.
        sink: f64 = 0.12, 0.01..=1.0;
        /// Part of a sole that is relied on.
        trusted: f64 = 0.5, 0.0..=1.0;
        /// Pitch at which only one end of a sole bears, rad.
        rolled: f64 = 0.12, 1e-3..=1.0;
        /// How straight a standing leg may become: part of its length.
        stretch: f64 = 0.985, 0.5..=1.0;
        /// How far arms stay from the ends of their joints' ranges, rad.
        room: f64 = 0.1, 0.0..=1.0;
        /// Width of the bell curve that takes the shaking out of angular momentum, s.
        spin: f64 = 0.03, 0.0..=1.0;
        /// Rounds in which the motion is made possible.
        rounds: usize = 8, 1..=100;
        /// How much nearness to the clip counts beside a pressure below the feet.
        near: f64 = 2e-3, 0.0..;
        /// How much the clip's velocity counts beside it, s².
        pace: f64 = 2e-3, 0.0..;
        /// How much evenness of accelerations counts beside it.
        even: f64 = 1e-7, 0.0..;
        /// How much nearness to the clip's height counts beside its accelerations, 1/s⁴.
        height: f64 = 2e3, 0.0..;
        /// How much evenness of the body's rise and fall counts beside its accelerations, s².
        ease: f64 = 3e-4, 0.0..;
        /// Least part of its weight that a body keeps on the ground while a foot is down.
        least_weight: f64 = 0.4, 0.0..=1.0;
        /// How long before and after a flight a body moves as a runner does, s.
        spring: f64 = 0.35, 0.0..=10.0;
        /// Most that the trunk is turned against what limbs do in the air, rad.
        lean: f64 = 0.3, 0.0..=3.0;
        /// Most that hips sink so that legs reach, m.
        lowest: f64 = 0.15, 0.0..=1.0;
        /// How much of the clip's trunk counts beside angular momentum in the air, 1/s⁴.
        trunk: f64 = 400.0, 0.0..;
    }
}

/// A stance as times of the plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanStance {
    pub from: f64,
    pub to: f64,
    /// Where the middle of the sole is as it strikes.
    pub print: Vec3<f64>,
    /// Where the capture point is then.
    pub capture: Vec3<f64>,
}

/// A whole clip as a motion that a body can follow.
#[derive(Clone, Debug)]
pub struct ClipPlan {
    pub(super) seconds: f64,
    pub(super) step: f64,
    pub(super) knots: usize,
    pub(super) stances: [Vec<PlanStance>; 2],
    pub(super) motion: Spline,
    pub(super) momenta: Spline,
    pub(super) pendulum: Spline,
    /// Frames near which the body is in the air.
    pub(super) bouncing: Vec<bool>,
    pub(super) clip: Vec<Vec<f64>>,
    pub(super) made: Vec<Vec<f64>>,
    pub(super) scratch: [Vec<f64>; 3],
}

/// Frames by which a motion goes on before and after the clip, so that its curves have no ends.
pub(super) const BEYOND: usize = 16;

impl ClipPlan {
    /// The plan for a clip of a character that a body was fitted to. `ground` is the height of its ground; `down` says of a
    /// foot (0 is the left one) and a time whether its heel and its toe are down.
    pub fn new(
        physique: &Physique,
        fit: &HumanFit,
        (character, clip): (&Character, &Clip),
        ground: f64,
        down: &dyn Fn(usize, f32) -> [bool; 2],
        settings: &ClipPlanSettings,
    ) -> Result<Self, WalkError> {
        let build = Build::new(physique)?;
        let rig = &character.rig;
        if rig.feet.len() != 2 || rig.arms.len() != 2 || fit.joints.len() < 11 {
            return Err(WalkError::Clip("it needs two feet and two arms"));
        }
        let mut frames = frames(fit, character, clip, ground, down, settings.frame);
        if frames.len() < 12 {
            return Err(WalkError::Clip("it is over in a moment"));
        }
        let as_it_is = |frame: &ClipFrame| {
            let foot = |side: usize| {
                let own = &frame.feet[side];
                let turn = DQuat::from_rotation_y(own.yaw) * DQuat::from_rotation_x(-own.pitch);
                (own.ankle, turn)
            };
            let arms = frame.arms.map(|arm| Some(arm.map(|v| v.normalize_or(DVec3::X))));
            let (trunk, hips, knees) = (frame.trunk, frame.hips, frame.knees);
            let pose = CastPose { trunk, hips, knees, feet: [foot(0), foot(1)], arms };
            build.coordinates(&physique.model, &pose)
        };
        let raw: Vec<Vec<f64>> = frames.iter().map(as_it_is).collect();
        calm(&mut frames, settings);
        align_knees(&mut frames, settings.knees);
        let cycle = CycleSettings::default();
        let downs = [0, 1].map(|foot: usize| {
            let is_down = |f: &ClipFrame| f.feet[foot].heel_down || f.feet[foot].toe_down;
            spans(&frames.iter().map(is_down).collect::<Vec<bool>>(), settings)
        });
        if downs.iter().all(Vec::is_empty) {
            return Err(WalkError::Clip("no foot is ever down"));
        }
        let ways = [0, 1].map(|foot: usize| {
            let both = [&downs[foot][..], &downs[1 - foot][..]];
            FootWay::new(&frames, foot, both, &build.shoe, (settings, &cycle))
        });
        let edges = physique.soles[0].edges();
        let breadth = SoleBreadth {
            half: 0.5 * (edges[0].x - edges[1].x).abs(),
            middles: [0, 1].map(|foot: usize| physique.soles[foot].centre.x),
        };
        let n = frames.len();
        let mut making = Making {
            areas: areas(&ways, &build.shoe, &breadth, settings),
            physique,
            build,
            frames,
            ways,
            shifts: vec![DVec3::ZERO; n],
            leans: vec![DVec3::ZERO; n],
            settings: *settings,
            cycle,
            origin: Vec::new(),
            wanted: Vec::new(),
        };
        making.finish(raw)
    }

    /// Seconds of the clip.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Room for a reference.
    pub fn reference(&self, physique: &Physique) -> Reference {
        Reference::pose(physique.model.rest(), physique.model.freedoms())
    }

    /// The clip's own coordinates at the frame next to a time, before anything was done to them.
    pub fn as_captured(&self, time: f64) -> &[f64] {
        let frame = (time / self.step).round().max(0.0) as usize;
        &self.clip[frame.min(self.clip.len() - 1)]
    }

    /// Mean angle by which joints were changed to make the clip possible, rad.
    pub fn change(&self, physique: &Physique) -> f64 {
        let both = self.clip.iter().zip(&self.made);
        let sum: f64 = both.map(|(a, b)| mean_angle(physique, a, b)).sum();
        sum / self.clip.len() as f64
    }

    /// True near moments at which no foot is down.
    pub fn bounces(&self, time: f64) -> bool {
        let frame = (time / self.step).round().max(0.0) as usize;
        self.bouncing[frame.min(self.bouncing.len() - 1)]
    }

    /// The motion at a time that goes on at `pace` times the usual one.
    pub fn at(&mut self, physique: &Physique, time: f64, pace: f64, reference: &mut Reference) {
        let (phase, period) = (self.phase(time), self.period());
        let [value, first, second] = &mut self.scratch;
        self.motion.at(phase, value, first, second);
        rates(physique, [value, first, second], pace / period, reference);
    }

    /// The momenta at a time.
    pub fn momenta(&self, time: f64) -> Momenta {
        let (mut a, mut b, mut c) = ([0.0; 9], [0.0; 9], [0.0; 9]);
        self.momenta.at(self.phase(time), &mut a, &mut b, &mut c);
        let rate = 1.0 / self.period();
        let three = |x: &[f64], k: usize| vec3(x[k], x[k + 1], x[k + 2]);
        Momenta {
            centre: [three(&a, 0), three(&b, 0) * rate, three(&c, 0) * (rate * rate)],
            spin: [three(&a, 3), three(&b, 3) * rate],
            pressure: three(&a, 6),
        }
    }

    /// The pendulum that the centre of mass is at a time.
    pub fn swing(&self, time: f64) -> Swinging {
        let (mut a, mut b, mut c) = ([0.0; 3], [0.0; 3], [0.0; 3]);
        self.pendulum.at(self.phase(time), &mut a, &mut b, &mut c);
        Swinging { square: a[0].max(0.0), lead: a[1], growth: a[2] }
    }

    fn period(&self) -> f64 {
        self.knots as f64 * self.step
    }

    fn phase(&self, time: f64) -> f64 {
        let last = (self.knots - BEYOND - 1) as f64;
        ((time / self.step + BEYOND as f64).clamp(0.0, last)) / self.knots as f64
    }

    /// The stance of a foot at a time.
    pub(super) fn stance(&self, foot: usize, time: f64) -> Option<&PlanStance> {
        self.stances[foot].iter().find(|stance| stance.from <= time && time < stance.to)
    }

    /// The next stance of a foot that begins after a time.
    pub(super) fn next(&self, foot: usize, time: f64) -> Option<&PlanStance> {
        self.stances[foot].iter().find(|stance| stance.from > time)
    }

    /// The part of the swing that is over at a time, 0 in stance; and its seconds.
    pub(super) fn swung(&self, foot: usize, time: f64) -> (f64, f64) {
        if self.stance(foot, time).is_some() {
            return (0.0, 0.4);
        }
        let from = self.stances[foot].iter().rev().find(|s| s.to <= time).map_or(-0.2, |s| s.to);
        let to = self.next(foot, time).map_or(self.seconds + 0.4, |s| s.from);
        (((time - from) / (to - from).max(1e-3)).clamp(1e-6, 1.0), to - from)
    }
}
