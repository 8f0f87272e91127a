//! Whether a person moves between contacts as people do.

use crate::distance::segments;
use crate::limit_gate::is_nearer;
use crate::moving::{PosedFrame, Recent};
use crate::tally::Tally;
use crate::{NaturalBounds, NaturalSettings, ViolationKind};
use andante_skeleton::{Character, rotation};
use glam::Vec3;
use std::collections::VecDeque;

/// What one frame measures. A leg that is not worst has no name.
#[derive(Clone, Copy, Debug)]
struct Measured {
    time: f32,
    knee_speed: f32,
    fall: f32,
    rise: f32,
    shank_foot: f32,
    pop: (f32, usize),
    hips: f32,
    apart: f32,
}

/// Kinds of motion that other bounds hold for than for a walk on level ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MotionKind {
    Run,
    Steps,
    Slope,
    Jump,
}

/// The joints of a leg that are looked at.
#[derive(Clone, Copy, Debug)]
struct LegJoints {
    hip: usize,
    knee: usize,
    ankle: usize,
    toe: usize,
    toe_offset: Vec3,
}

impl LegJoints {
    fn places(&self, frame: &PosedFrame) -> [Vec3; 4] {
        let at = |joint: usize| frame.models[joint].translation;
        let toe = frame.models[self.toe].transform_point(self.toe_offset);
        [at(self.hip), at(self.knee), at(self.ankle), toe]
    }
}

/// A person's motion over time. Bounds depend on what happens shortly after, so that frames wait to be judged.
#[derive(Clone, Debug)]
pub(crate) struct NaturalMotion {
    legs: [LegJoints; 2],
    hips: usize,
    /// Joints whose turning is looked at: not toes, fingers and hands.
    body: Vec<usize>,
    scale: f32,
    /// Whether joints that turn slowly are looked at all the same.
    looks_at_all: bool,
    waiting: VecDeque<Measured>,
    /// When each kind of motion was seen last.
    seen: [f32; 4],
}

impl NaturalMotion {
    /// None for who has not two legs with knees: nothing is known about them.
    pub fn new(character: &Character, scale: f32, looks_at_all: bool) -> Option<Self> {
        let (skeleton, rig) = (&character.skeleton, &character.rig);
        let [left, right] = &rig.feet[..] else { return None };
        let leg = |foot: &andante_skeleton::Foot| {
            let [hip, knee, .., ankle] = foot.leg[..] else { return None };
            let (toe, toe_offset) =
                foot.toes.map_or((foot.ball.joint, foot.ball.offset), |toes| (toes, Vec3::ZERO));
            Some(LegJoints { hip, knee, ankle, toe, toe_offset })
        };
        let hands: Vec<usize> =
            rig.arms.iter().filter_map(|arm| arm.chain.last().copied()).collect();
        let toes = rig.feet.iter().filter_map(|foot| foot.toes);
        let ends: Vec<usize> = hands.into_iter().chain(toes).collect();
        let is_body = |joint: &usize| !skeleton.ancestors(*joint).any(|up| ends.contains(&up));
        Some(Self {
            legs: [leg(left)?, leg(right)?],
            hips: rig.hips,
            body: (1..skeleton.len()).filter(is_body).collect(),
            scale,
            looks_at_all,
            waiting: VecDeque::new(),
            seen: [f32::NEG_INFINITY; 4],
        })
    }

    pub fn is_ankle(&self, joint: usize) -> bool {
        self.legs.iter().any(|leg| leg.ankle == joint)
    }

    pub fn saw(&mut self, kind: MotionKind, time: f32) {
        self.seen[kind as usize] = time;
    }

    /// The speed of the hips over the ground, in m/s.
    pub fn speed(&self, recent: &Recent) -> Option<f32> {
        let [now, before] = [0, recent.span].map(|ago| recent.ago(ago));
        let way = now?.models[self.hips].translation - before?.models[self.hips].translation;
        Some(way.with_y(0.0).length() / recent.seconds)
    }

    pub fn frame(
        &mut self,
        recent: &mut Recent,
        time: f32,
        settings: &NaturalSettings,
        name: impl Fn(usize) -> String,
        tally: &mut Tally,
    ) {
        self.rate(recent, settings);
        if let Some(measured) = self.measured(recent, time) {
            self.waiting.push_back(measured);
        }
        self.judge(time - settings.around_s, settings, name, tally);
    }

    /// Judges all frames up to a time.
    pub fn judge(
        &mut self,
        until: f32,
        settings: &NaturalSettings,
        name: impl Fn(usize) -> String,
        tally: &mut Tally,
    ) {
        while self.waiting.front().is_some_and(|measured| measured.time <= until) {
            let Some(measured) = self.waiting.pop_front() else { break };
            let mut bounds = settings.walk;
            let kinds = [settings.run, settings.steps, settings.slope, settings.jump];
            for (kind, seen) in kinds.into_iter().zip(self.seen) {
                if seen >= measured.time - settings.around_s {
                    bounds = bounds.or(kind);
                }
            }
            self.note(&measured, &bounds, settings.margin, &name, tally);
        }
    }

    fn note(
        &self,
        found: &Measured,
        bounds: &NaturalBounds,
        margin: f32,
        name: impl Fn(usize) -> String,
        tally: &mut Tally,
    ) {
        use ViolationKind::{
            AnkleFall, AnkleRise, BodyPop, HipsAcceleration, KneeSpeed, LegsApart, ShankFoot,
        };
        let Measured { time, knee_speed, fall, rise, shank_foot, pop, hips, apart } = *found;
        // Larger bodies move farther in the same time.
        let by = margin * self.scale;
        for (kind, value, limit) in [
            (KneeSpeed, knee_speed, margin * bounds.knee_speed_dps),
            (AnkleFall, fall, by * bounds.ankle_fall_mps),
            (AnkleRise, rise, by * bounds.ankle_rise_mps),
            (ShankFoot, shank_foot, bounds.shank_foot_deg / margin),
            (HipsAcceleration, hips, by * bounds.hips_accel),
            (LegsApart, apart, self.scale * bounds.legs_apart_m / margin),
        ] {
            tally.note(kind, time, value, limit, String::new);
        }
        tally.note(BodyPop, time, pop.0, margin * bounds.body_pop_deg, || name(pop.1));
    }

    /// Notes which joints of the body turn so fast that a change of it may be too much, in the last frame and where that is
    /// not known yet in the one that it is compared with.
    fn rate(&self, recent: &mut Recent, settings: &NaturalSettings) {
        let (span, seconds) = (recent.span, recent.seconds);
        // Two turns by less than this cannot differ by more than the least of all limits allows.
        let least = (settings.margin * settings.walk.body_pop_deg).to_radians() * 60.0 * seconds;
        let slow = (0.45 * least).clamp(0.0, 1.0);
        let cosine = if self.looks_at_all { f32::INFINITY } else { libm::cosf(0.5 * slow) };
        let cosine2 = cosine * cosine;
        for ago in [span, 0] {
            let mut fast = match recent.ago_mut(ago) {
                Some(frame) if frame.fast.is_empty() => std::mem::take(&mut frame.fast),
                _ => continue,
            };
            if let (Some(to), Some(from)) = (recent.ago(ago), recent.ago(ago + span)) {
                let is_fast = |&joint: &usize| {
                    let [from, to] = [from, to].map(|frame| frame.locals[joint].rotation);
                    !is_nearer(from, to, cosine2)
                };
                fast.extend(self.body.iter().map(is_fast));
            }
            if let Some(frame) = recent.ago_mut(ago) {
                frame.fast = fast;
            }
        }
    }

    /// Rates are over the last 1/30 s, pops and accelerations over the last two.
    fn measured(&self, recent: &Recent, time: f32) -> Option<Measured> {
        let [now, then, before] = [0, 1, 2].map(|spans| recent.ago(spans * recent.span));
        let (now, then, before) = (now?, then?, before?);
        let mut found = Measured {
            time,
            knee_speed: 0.0,
            fall: 0.0,
            rise: 0.0,
            shank_foot: 180.0,
            pop: (0.0, 0),
            hips: 0.0,
            apart: f32::INFINITY,
        };
        for leg in &self.legs {
            let [hip, knee, ankle, toe] = leg.places(now);
            let [old_hip, old_knee, old_ankle, _] = leg.places(then);
            let bend = angle(hip - knee, ankle - knee);
            let old_bend = angle(old_hip - old_knee, old_ankle - old_knee);
            found.knee_speed = found.knee_speed.max((bend - old_bend).abs() / recent.seconds);
            let rise = (ankle.y - old_ankle.y) / recent.seconds;
            found.rise = found.rise.max(rise);
            found.fall = found.fall.max(-rise);
            found.shank_foot = found.shank_foot.min(angle(knee - ankle, toe - ankle));
        }
        let hips = [now, then, before].map(|frame| frame.models[self.hips].translation);
        found.hips = (hips[0] - 2.0 * hips[1] + hips[2]).length() / recent.seconds.powi(2);
        let [left, right] = [0, 1].map(|leg| self.legs[leg].places(now));
        for (a, b) in [(1, 1), (2, 2), (2, 1), (1, 2)] {
            let apart = segments([left[a], left[a + 1]], [right[b], right[b + 1]]);
            found.apart = found.apart.min(apart);
        }
        let rate = |from: &PosedFrame, to: &PosedFrame, joint: usize| {
            let step = from.locals[joint].rotation.conjugate() * to.locals[joint].rotation;
            rotation::log(step) / recent.seconds
        };
        for ((&joint, fast), was_fast) in self.body.iter().zip(&now.fast).zip(&then.fast) {
            if !(*fast || *was_fast) {
                continue;
            }
            let change = rate(then, now, joint) - rate(before, then, joint);
            let change = change.length().to_degrees() / 60.0;
            if change > found.pop.0 {
                found.pop = (change, joint);
            }
        }
        Some(found)
    }
}

fn angle(a: Vec3, b: Vec3) -> f32 {
    let cosine = a.dot(b) / (a.length() * b.length()).max(1e-9);
    libm::acosf(cosine.clamp(-1.0, 1.0)).to_degrees()
}
