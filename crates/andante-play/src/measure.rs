//! How good a motion is: one measure, by the same names in every command.
//!
//! Feet are measured at the point that bears, against the ground that is below it: heel, ball and tip of the toes hand
//! over to each other. A sole in the ground is as deep as the shortest way out is long. What people see between
//! contacts is measured over a thirtieth of a second, so that the noise of captured markers does not count.

mod soles;

use crate::Contacts;
use andante_skeleton::{
    Clip, Foot, Ground, HeightFunction, Rig, Side, Skeleton, Transform, model_frames_but, rotation,
};
use glam::{Quat, Vec3};
use soles::{Drift, SolePlace, SoleProbe};
use std::f32::consts::PI;

andante_skeleton::settings! {
    /// Settings of measuring motions.
    pub struct MeasureSettings {
        /// Ground is looked for from this far above a point of a sole, in metres: as deep as a sole can be in it and
        /// still be measured. Less than the room between two floors; usually 0.35.
        probe_above_m: f32 = 0.35, 0.0..;
        /// And down to this far below, in metres.
        probe_below_m: f32 = 3.0, 0.0..;
        /// A ball this much higher above the ground than the tip of the toes does not bear any more, in metres. At 0 it
        /// hands over with every ripple of a sole; above 0.02 toes that roll count as sliding.
        risen_m: f32 = 0.005, 0.0..;
        /// The time over which rates are taken, in seconds. Noise of markers counts below 1/60; above 1/10 quick joints
        /// are not seen.
        span_s: f32 = 1.0 / 30.0, 0.0..;
        /// How far around a point in the ground the way out is looked for, in metres, shortest first: each try is at most
        /// twice the one before, and depths are known as well as these are apart.
        ways_out_m: [f32; 8] = [0.0005, 0.001, 0.002, 0.003, 0.005, 0.01, 0.02, 0.04], 0.0..;
    }
}

/// Quality of a motion. Lengths of feet are in millimetres; those of two legs are the worse of both.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct MotionMetrics {
    /// Mean horizontal distance of a contact point from where it touched down.
    pub foot_slide_mm_mean: f32,
    /// Largest such distance.
    pub foot_slide_mm_max: f32,
    /// Deepest point of a sole in the ground at any time: the shortest way out.
    pub penetration_mm_max: f32,
    /// Mean height of heel and ball above the ground while both are down.
    pub sole_gap_mm_mean: f32,
    /// Largest change of a foot's world rotation from one frame to the next, in degrees.
    pub foot_rotation_deg_max: f32,
    /// Largest extension of a leg, as distance from hip to ankle over the length of its bones: 1 is straight.
    pub knee_extension_max: f32,
    /// Root mean square of the change of the hips' acceleration from one sixtieth of a second to the next, in m/s³.
    pub pelvis_jerk_rms: f32,
    /// Largest acceleration of the root from one sixtieth of a second to the next, in m/s².
    pub root_accel_max: f32,
    /// Fastest turn of a knee, in degrees per second.
    pub knee_speed_dps_max: f32,
    /// Fastest fall of an ankle, in m/s.
    pub ankle_fall_mps_max: f32,
    /// Fastest rise of an ankle, in m/s.
    pub ankle_rise_mps_max: f32,
    /// Smallest angle between shank and foot, in degrees.
    pub shank_foot_deg_min: f32,
    /// Largest bend of a knee, in degrees: 0 is straight.
    pub knee_bend_deg_max: f32,
    /// Largest change of a joint's rate of turn, in degrees per 1/60 s; toes, hands and fingers are left out.
    pub joint_pop_deg_max: f32,
    /// The same for toes.
    pub toe_pop_deg_max: f32,
    /// Largest acceleration of the hips, in m/s².
    pub hips_accel_max: f32,
    /// Least distance between the shins and feet of both sides, at seven points of each bone.
    pub legs_apart_mm_min: f32,
    /// Mean angle between the joints and those of the motion it was made from, in degrees, if it was.
    pub pose_change_deg_mean: Option<f32>,
}

impl MotionMetrics {
    /// Names as they are in files, and values.
    pub fn named(&self) -> [(&'static str, f32); 17] {
        [
            ("foot_slide_mm_mean", self.foot_slide_mm_mean),
            ("foot_slide_mm_max", self.foot_slide_mm_max),
            ("penetration_mm_max", self.penetration_mm_max),
            ("sole_gap_mm_mean", self.sole_gap_mm_mean),
            ("foot_rotation_deg_max", self.foot_rotation_deg_max),
            ("knee_extension_max", self.knee_extension_max),
            ("pelvis_jerk_rms", self.pelvis_jerk_rms),
            ("root_accel_max", self.root_accel_max),
            ("knee_speed_dps_max", self.knee_speed_dps_max),
            ("ankle_fall_mps_max", self.ankle_fall_mps_max),
            ("ankle_rise_mps_max", self.ankle_rise_mps_max),
            ("shank_foot_deg_min", self.shank_foot_deg_min),
            ("knee_bend_deg_max", self.knee_bend_deg_max),
            ("joint_pop_deg_max", self.joint_pop_deg_max),
            ("toe_pop_deg_max", self.toe_pop_deg_max),
            ("hips_accel_max", self.hips_accel_max),
            ("legs_apart_mm_min", self.legs_apart_mm_min),
        ]
    }
}

/// Measures a motion over ground.
///
/// ```
/// use andante_play::measure::measure_motion;
/// use andante_play::{Contacts, FootContacts};
/// use andante_skeleton::{Clip, HeightFunction, Pose, humanoid};
///
/// let human = humanoid();
/// let clip = Clip::new("rest", &human.skeleton, 60.0, Pose::rest(&human.skeleton).to_vec())?;
/// let contacts = Contacts { feet: vec![FootContacts::default(); 2] };
/// let level = HeightFunction::new(|_| 0.0);
/// let metrics = measure_motion(
///     &human.skeleton, &human.rig, &clip, &contacts, &level, &Default::default(),
/// );
/// assert!(metrics.knee_extension_max > 0.99 && metrics.legs_apart_mm_min > 50.0);
/// # Ok::<(), andante_skeleton::ClipError>(())
/// ```
pub fn measure_motion(
    skeleton: &Skeleton,
    rig: &Rig,
    clip: &Clip,
    contacts: &Contacts,
    ground: &dyn Ground,
    settings: &MeasureSettings,
) -> MotionMetrics {
    let frames = leg_frames(skeleton, rig, clip);
    let mut metrics = MotionMetrics::default();
    let measured = MotionFrames { skeleton, rig, clip, frames: &frames, settings };
    measured.feet(contacts, ground, &mut metrics);
    measured.body(&mut metrics);
    measured.legs(&mut metrics);
    measured.pops(&mut metrics);
    metrics
}

/// Measures a motion on level ground at a height, as usual.
pub fn measure_level(
    skeleton: &Skeleton,
    rig: &Rig,
    clip: &Clip,
    contacts: &Contacts,
    height: f32,
) -> MotionMetrics {
    let level = HeightFunction::new(move |_| height);
    measure_motion(skeleton, rig, clip, contacts, &level, &MeasureSettings::default())
}

/// The placement of hips, legs and feet in the model, frame by frame.
fn leg_frames(skeleton: &Skeleton, rig: &Rig, clip: &Clip) -> Vec<Vec<Transform>> {
    model_frames_but(&rig.upper_body(skeleton), skeleton, clip)
}

struct MotionFrames<'a> {
    skeleton: &'a Skeleton,
    rig: &'a Rig,
    clip: &'a Clip,
    frames: &'a [Vec<Transform>],
    settings: &'a MeasureSettings,
}

impl MotionFrames<'_> {
    fn feet(&self, contacts: &Contacts, ground: &dyn Ground, metrics: &mut MotionMetrics) {
        let sole = SoleProbe { ground, settings: self.settings };
        let (mut slide, mut gap) = (Mean::default(), Mean::default());
        for (foot, contact) in self.rig.feet.iter().zip(&contacts.feet) {
            let soles: Vec<SolePlace> =
                self.frames.iter().map(|models| sole.place(foot, models)).collect();
            for (points, intervals) in [([0; 2], &contact.heel), ([1, 2], &contact.toe)] {
                for interval in intervals {
                    let mut drift = Drift::default();
                    // No frame that is farther from it is in it.
                    let frame = |time: f32| (time * self.clip.fps()) as usize;
                    let first = frame(interval.start).saturating_sub(1);
                    let near = soles.iter().enumerate().take(frame(interval.end).saturating_add(3));
                    for (frame, place) in near.skip(first) {
                        if interval.contains(self.clip.frame_time(frame)) {
                            let places = points.map(|point| place.points[point]);
                            let heights = points.map(|point| place.above[point]);
                            slide.add(drift.moved(sole.bearing(heights), places));
                        }
                    }
                }
            }
            for (frame, (models, place)) in self.frames.iter().zip(&soles).enumerate() {
                for (&point, &above) in place.points.iter().zip(&place.above) {
                    let depth = 1e3 * sole.depth(point, above);
                    metrics.penetration_mm_max = metrics.penetration_mm_max.max(depth);
                }
                let time = self.clip.frame_time(frame);
                if let [Some(heel), Some(ball), _] = place.above
                    && contact.heel_down(time)
                    && contact.toe_down(time)
                {
                    gap.add(0.5 * (heel + ball));
                }
                metrics.knee_extension_max =
                    metrics.knee_extension_max.max(extension(models, &foot.leg));
                if frame > 0 {
                    let before = self.frames[frame - 1][foot.ankle()].rotation;
                    let turned = rotation::angle_between(before, models[foot.ankle()].rotation);
                    metrics.foot_rotation_deg_max =
                        metrics.foot_rotation_deg_max.max(turned.to_degrees());
                }
            }
        }
        metrics.foot_slide_mm_mean = 1e3 * slide.mean();
        metrics.foot_slide_mm_max = 1e3 * slide.max;
        metrics.sole_gap_mm_mean = 1e3 * gap.mean();
    }

    /// Smoothness, by differences over a sixtieth of a second, however many frames that is; frames that last longer are
    /// compared one by one. Fewer than four of these are as smooth as can be.
    fn body(&self, metrics: &mut MotionMetrics) {
        let frames = ((self.clip.fps() / 60.0).round() as usize).max(1);
        let rate = self.clip.fps() / frames as f32;
        let slopes = |values: &[Vec3]| -> Vec<Vec3> {
            values.iter().skip(frames).zip(values).map(|(b, a)| (*b - *a) * rate).collect()
        };
        let jerks = slopes(&slopes(&slopes(&self.path(self.rig.hips))));
        let accelerations = slopes(&slopes(&self.path(0)));
        let squares: f64 = jerks.iter().map(|jerk| f64::from(jerk.length_squared())).sum();
        metrics.pelvis_jerk_rms = (squares / jerks.len().max(1) as f64).sqrt() as f32;
        metrics.root_accel_max = accelerations.iter().map(|a| a.length()).fold(0.0, f32::max);
        let hips = self.rates(&self.rates(&self.path(self.rig.hips), |b, a| b - a), |b, a| b - a);
        metrics.hips_accel_max = hips.iter().map(|a| a.length()).fold(0.0, f32::max);
    }

    fn path(&self, joint: usize) -> Vec<Vec3> {
        self.frames.iter().map(|models| models[joint].translation).collect()
    }

    /// Frames over which rates are taken, and seconds.
    fn span(&self) -> (usize, f32) {
        let frames = ((self.settings.span_s * self.clip.fps()).round() as usize).max(1);
        (frames, frames as f32 / self.clip.fps())
    }

    fn rates<T: Copy, R: std::ops::Mul<f32, Output = R>>(
        &self,
        values: &[T],
        difference: impl Fn(T, T) -> R,
    ) -> Vec<R> {
        let (frames, seconds) = self.span();
        let later = values.iter().skip(frames);
        later.zip(values).map(|(b, a)| difference(*b, *a) * seconds.recip()).collect()
    }

    /// A leg frame by frame.
    fn leg(&self, foot: &Foot) -> LegCurves {
        let angle = |a: Vec3, b: Vec3, c: Vec3| (a - b).angle_between(c - b).to_degrees();
        let legs: Vec<LegPlace> =
            self.frames.iter().map(|models| LegPlace::new(foot, models)).collect();
        let knee: Vec<f32> = legs.iter().map(|leg| angle(leg.hip, leg.knee, leg.ankle)).collect();
        let heights: Vec<f32> =
            self.frames.iter().map(|models| models[foot.ankle()].translation.y).collect();
        let speeds = self.rates(&knee, |b, a| b - a);
        LegCurves {
            name: foot.name.clone(),
            knee_bend_deg: knee.iter().map(|angle| 180.0 - angle).collect(),
            knee_speed_dps: speeds.iter().map(|speed| speed.abs()).collect(),
            ankle_rise_mps: self.rates(&heights, |b, a| b - a),
            shank_foot_deg: legs.iter().map(|leg| angle(leg.knee, leg.ankle, leg.toe)).collect(),
        }
    }

    /// Knees, ankles and the room between legs, of everybody whose legs have a knee.
    fn legs(&self, metrics: &mut MotionMetrics) {
        let feet: Vec<&Foot> = self.rig.feet.iter().filter(|foot| foot.leg.len() >= 3).collect();
        metrics.shank_foot_deg_min = if feet.is_empty() { 0.0 } else { 180.0 };
        for foot in &feet {
            let leg = self.leg(foot);
            let most = |values: &[f32], most: f32| values.iter().fold(most, |a, b| a.max(*b));
            let angles = leg.shank_foot_deg.iter();
            metrics.shank_foot_deg_min =
                angles.fold(metrics.shank_foot_deg_min, |least, angle| least.min(*angle));
            metrics.knee_bend_deg_max = most(&leg.knee_bend_deg, metrics.knee_bend_deg_max);
            metrics.knee_speed_dps_max = most(&leg.knee_speed_dps, metrics.knee_speed_dps_max);
            for rise in leg.ankle_rise_mps {
                metrics.ankle_fall_mps_max = metrics.ankle_fall_mps_max.max(-rise);
                metrics.ankle_rise_mps_max = metrics.ankle_rise_mps_max.max(rise);
            }
        }
        let side = |side: Side| feet.iter().filter(move |foot| foot.side == side);
        let mut apart = f32::INFINITY;
        for models in self.frames {
            for left in side(Side::Left) {
                for right in side(Side::Right) {
                    let [left, right] = [left, right].map(|foot| LegPlace::new(foot, models));
                    apart = left.apart(&right, apart);
                }
            }
        }
        metrics.legs_apart_mm_min = if apart.is_finite() { 1e3 * apart } else { 0.0 };
    }

    /// How suddenly joints change how fast they turn.
    fn pops(&self, metrics: &mut MotionMetrics) {
        let (frames, seconds) = self.span();
        for index in 0..self.skeleton.len() {
            let Some((toes, steps)) = self.steps(index) else { continue };
            let mut most: f32 = 0.0;
            for (b, a) in steps.iter().skip(frames).zip(&steps) {
                most = a.change_or(b, seconds, most);
            }
            let pop = match toes {
                true => &mut metrics.toe_pop_deg_max,
                false => &mut metrics.joint_pop_deg_max,
            };
            *pop = pop.max(most);
        }
    }

    /// The same frame by frame: the most of one joint and what is the most so far, of toes and of all else but roots and
    /// hands.
    fn pop(&self, index: usize, [joints, toes]: [&mut Vec<f32>; 2]) {
        let (frames, seconds) = self.span();
        let Some((is_toe, steps)) = self.steps(index) else { return };
        let most = if is_toe { toes } else { joints };
        most.resize(most.len().max(steps.len().saturating_sub(frames)), 0.0);
        for (most, (b, a)) in most.iter_mut().zip(steps.iter().skip(frames).zip(&steps)) {
            *most = a.change_or(b, seconds, *most);
        }
    }

    /// How a joint turns over each span, and whether it is one of the toes; none of roots and hands.
    fn steps(&self, index: usize) -> Option<(bool, Vec<TurnStep>)> {
        let joint = self.skeleton.joint(index);
        let name = joint.name.to_lowercase();
        let is = |words: &[&str]| words.iter().any(|word| name.contains(word));
        if joint.parent.is_none() || is(&["finger", "thumb", "hand"]) {
            return None;
        }
        let turns: Vec<Quat> = self.clip.frames().map(|pose| pose[index].rotation).collect();
        let later = turns.iter().skip(self.span().0);
        let steps = later.zip(&turns).map(|(b, a)| {
            let turn = a.inverse() * *b;
            let turn = if turn.w < 0.0 { -turn } else { turn };
            TurnStep { turn, sine: turn.xyz().length() }
        });
        Some((is(&["toe", "ball"]), steps.collect()))
    }
}

/// A turn of a joint over a span of time, and the sine of half of it.
struct TurnStep {
    turn: Quat,
    sine: f32,
}

impl TurnStep {
    /// How much faster or slower, in degrees per sixtieth of a second, the next one turns over as many seconds.
    fn change(&self, next: &Self, seconds: f32) -> f32 {
        let rate = |step: &Self| step.turn.to_scaled_axis() * (1f32.to_degrees() / seconds);
        (rate(next) - rate(self)).length() / 60.0
    }

    /// The same, or the most so far if that is more.
    fn change_or(&self, next: &Self, seconds: f32, most: f32) -> f32 {
        // An angle is no more than half a turn for each unit of the sine of its half, and rates differ by no more than
        // their sum: most are told to be less than the most so far without an arc tangent.
        let at_most = 1.001 * PI * (next.sine + self.sine) * 1f32.to_degrees() / seconds / 60.0;
        if at_most > most { most.max(self.change(next, seconds)) } else { most }
    }
}

/// A leg frame by frame. Rates begin as many frames later as they are taken over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LegCurves {
    /// The name of its foot.
    pub name: String,
    /// Bend of the knee, in degrees: 0 is straight.
    pub knee_bend_deg: Vec<f32>,
    /// How fast it turns, in degrees per second.
    pub knee_speed_dps: Vec<f32>,
    /// How fast the ankle rises, in m/s; it falls below 0.
    pub ankle_rise_mps: Vec<f32>,
    /// The angle between shank and foot, in degrees.
    pub shank_foot_deg: Vec<f32>,
}

/// The curves of which [`MotionMetrics`] has the extremes, frame by frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionCurves {
    /// Every leg with a knee.
    pub legs: Vec<LegCurves>,
    /// The largest change of any joint's rate of turn, in degrees per 1/60 s.
    pub joint_pop_deg: Vec<f32>,
    /// The same for toes.
    pub toe_pop_deg: Vec<f32>,
    /// Acceleration of the hips, in m/s².
    pub hips_accel: Vec<f32>,
    /// Distance between the legs of both sides; empty of who has not both.
    pub legs_apart_mm: Vec<f32>,
}

impl MotionCurves {
    /// Those of a motion.
    pub fn new(skeleton: &Skeleton, rig: &Rig, clip: &Clip, settings: &MeasureSettings) -> Self {
        let frames = leg_frames(skeleton, rig, clip);
        let measured = MotionFrames { skeleton, rig, clip, frames: &frames, settings };
        let legs = || rig.feet.iter().filter(|foot| foot.leg.len() >= 3);
        let mut curves =
            Self { legs: legs().map(|foot| measured.leg(foot)).collect(), ..Self::default() };
        for joint in 0..skeleton.len() {
            measured.pop(joint, [&mut curves.joint_pop_deg, &mut curves.toe_pop_deg]);
        }
        let rates = |values: &[Vec3]| measured.rates(values, |b: Vec3, a: Vec3| b - a);
        let hips = rates(&rates(&measured.path(rig.hips)));
        curves.hips_accel = hips.iter().map(|accel| accel.length()).collect();
        let of = |side: Side| legs().filter(move |foot| foot.side == side);
        if of(Side::Left).next().is_some() && of(Side::Right).next().is_some() {
            let apart = |models: &Vec<Transform>| {
                let place = |foot| LegPlace::new(foot, models);
                let pairs = of(Side::Left).flat_map(|left| of(Side::Right).map(move |r| (left, r)));
                1e3 * pairs.fold(f32::INFINITY, |least, (a, b)| place(a).apart(&place(b), least))
            };
            curves.legs_apart_mm = frames.iter().map(apart).collect();
        }
        curves
    }
}

andante_skeleton::settings! {
    /// The band that captured people stay in between contacts: the extremes of takes of the CMU database, measured as
    /// [`measure_motion`] measures. By default that of walks, stairs, ledges and ramps together.
    pub struct CapturedBand: Copy {
        /// Fastest turn of a knee, in degrees per second.
        knee_speed_dps: f32 = 560.0, 0.0..=2000.0;
        /// Largest bend of a knee, in degrees.
        knee_bend_deg: f32 = 119.0, 0.0..=180.0;
        /// Fastest fall of an ankle, in m/s.
        ankle_fall_mps: f32 = 1.9, 0.0..=10.0;
        /// Fastest rise of an ankle, in m/s.
        ankle_rise_mps: f32 = 2.9, 0.0..=10.0;
        /// Smallest angle between shank and foot, in degrees.
        shank_foot_deg: f32 = 60.0, 0.0..=180.0;
        /// Largest change of a joint's rate of turn, in degrees per 1/60 s.
        joint_pop_deg: f32 = 14.0, 0.0..=180.0;
        /// Largest acceleration of the hips, in m/s².
        hips_accel: f32 = 26.0, 0.0..=200.0;
        /// Least distance between legs, in millimetres.
        legs_apart_mm: f32 = 70.0, 0.0..=500.0;
    }
}

impl CapturedBand {
    /// The band of jogs and runs.
    pub fn running() -> Self {
        Self {
            knee_speed_dps: 840.0,
            knee_bend_deg: 117.0,
            ankle_fall_mps: 2.9,
            ankle_rise_mps: 4.3,
            shank_foot_deg: 77.0,
            joint_pop_deg: 20.0,
            hips_accel: 26.0,
            legs_apart_mm: 94.0,
        }
    }
}

/// Where a leg is.
struct LegPlace {
    hip: Vec3,
    knee: Vec3,
    ankle: Vec3,
    toe: Vec3,
}

impl LegPlace {
    fn new(foot: &Foot, models: &[Transform]) -> Self {
        let at = |joint: usize| models[joint].translation;
        let ankle = foot.leg.len() - 1;
        Self {
            hip: at(foot.leg[ankle - 2]),
            knee: at(foot.leg[ankle - 1]),
            ankle: at(foot.leg[ankle]),
            toe: foot.toes.map_or_else(|| foot.ball.position(models), at),
        }
    }

    /// How far shins and feet are from those of another leg, if that is less than the least so far.
    fn apart(&self, other: &Self, mut least: f32) -> f32 {
        let parts = |leg: &Self| [[leg.knee, leg.ankle], [leg.ankle, leg.toe]];
        for a in parts(self) {
            for b in parts(other) {
                // No two points are nearer than balls around both bones.
                let reach = 0.5 * (a[0].distance(a[1]) + b[0].distance(b[1]));
                let middles = a[0].midpoint(a[1]).distance(b[0].midpoint(b[1]));
                if middles - reach < least + 1e-4 {
                    least = least.min(between(a, b));
                }
            }
        }
        least
    }
}

/// The least distance between seven points of each of two bones, its ends and five between them.
fn between([p, q]: [Vec3; 2], [r, s]: [Vec3; 2]) -> f32 {
    let share = |index: i32| index as f32 / 6.0;
    let mut least = f32::INFINITY;
    for one in (0..=6).map(|index| p.lerp(q, share(index))) {
        for other in (0..=6).map(|index| r.lerp(s, share(index))) {
            least = least.min(one.distance_squared(other));
        }
    }
    least.sqrt()
}

fn extension(models: &[Transform], leg: &[usize]) -> f32 {
    let place = |joint: usize| models[joint].translation;
    let straight: f32 = leg.windows(2).map(|bone| place(bone[0]).distance(place(bone[1]))).sum();
    let across = place(leg[0]).distance(place(leg[leg.len() - 1]));
    if straight > 0.0 { across / straight } else { 0.0 }
}

/// Mean angle between the joints of two clips of the same skeleton, in degrees, over the frames they
/// share; roots are left out, since moving elsewhere is not another pose.
pub fn pose_change_deg_mean(clip: &Clip, source: &Clip) -> f32 {
    let mut change = Mean::default();
    for (pose, before) in clip.frames().zip(source.frames()) {
        for (a, b) in pose.iter().zip(before).skip(1) {
            change.add(rotation::angle_between(a.rotation, b.rotation).to_degrees());
        }
    }
    change.mean()
}

/// A running mean and maximum.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mean {
    sum: f64,
    count: usize,
    /// The largest value so far.
    pub max: f32,
}

impl Mean {
    /// One value more.
    pub fn add(&mut self, value: f32) {
        self.sum += f64::from(value);
        self.count += 1;
        self.max = self.max.max(value);
    }

    /// The mean so far; 0 of nothing.
    pub fn mean(&self) -> f32 {
        if self.count == 0 { 0.0 } else { (self.sum / self.count as f64) as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FootContacts, Interval};
    use andante_skeleton::{Hit, Pose, humanoid};

    #[test]
    fn smoothness_agrees_with_a_path_whose_derivatives_are_known() {
        // z = t³: acceleration 6t, jerk 6; over one second.
        let human = humanoid();
        let mut transforms = Vec::new();
        for frame in 0..=100 {
            let time = frame as f32 / 100.0;
            let mut pose = Pose::rest(&human.skeleton);
            pose[0].translation.z = time.powi(3);
            transforms.extend_from_slice(&pose);
        }
        let clip = Clip::new("cubic", &human.skeleton, 100.0, transforms).unwrap();
        let contacts = Contacts { feet: vec![FootContacts::default(); 2] };
        let level = HeightFunction::new(|_| 0.0);
        let (skeleton, rig) = (&human.skeleton, &human.rig);
        let metrics =
            measure_motion(skeleton, rig, &clip, &contacts, &level, &MeasureSettings::default());
        assert!((metrics.pelvis_jerk_rms - 6.0).abs() < 0.3, "{metrics:?}");
        assert!((metrics.root_accel_max - 6.0).abs() < 0.2, "{metrics:?}");
    }

    /// Who writes more frames of the same motion has the same motion.
    #[test]
    fn a_jolt_is_as_hard_at_any_number_of_frames() {
        let human = humanoid();
        let contacts = Contacts { feet: vec![FootContacts::default(); 2] };
        for fps in [60, 120, 180, 240] {
            let mut transforms = Vec::new();
            for frame in 0..=fps {
                let time = frame as f32 / fps as f32;
                let mut pose = Pose::rest(&human.skeleton);
                pose[0].translation.z = (time - 0.5).max(0.0);
                transforms.extend_from_slice(&pose);
            }
            let clip = Clip::new("jolt", &human.skeleton, fps as f32, transforms).unwrap();
            let metrics = measure_level(&human.skeleton, &human.rig, &clip, &contacts, 0.0);
            assert!((metrics.root_accel_max - 60.0).abs() < 0.1, "{fps}: {metrics:?}");
        }
    }

    #[test]
    fn a_pose_differs_from_itself_by_nothing_and_from_a_bent_one_by_its_share() {
        let human = humanoid();
        let rest = Pose::rest(&human.skeleton);
        let mut bent = rest.clone();
        bent[5].rotation = glam::Quat::from_rotation_x(0.5);
        let clip = |pose: &Pose| Clip::new("pose", &human.skeleton, 60.0, pose.to_vec()).unwrap();
        assert!(pose_change_deg_mean(&clip(&rest), &clip(&rest)) < 1e-3);
        let expected = 0.5f32.to_degrees() / (human.skeleton.len() - 1) as f32;
        assert!((pose_change_deg_mean(&clip(&bent), &clip(&rest)) - expected).abs() < 1e-3);
    }

    #[test]
    fn a_standing_figure_that_is_dragged_slides_by_as_much() {
        let human = humanoid();
        let mut transforms = Vec::new();
        for frame in 0..=10 {
            let mut pose = Pose::rest(&human.skeleton);
            pose[0].translation += Vec3::new(0.002, -0.0005, 0.0) * frame as f32;
            transforms.extend_from_slice(&pose);
        }
        let clip = Clip::new("dragged", &human.skeleton, 60.0, transforms).unwrap();
        let whole = vec![Interval::new(0.0, 1.0)];
        let foot = FootContacts { heel: whole.clone(), toe: whole };
        let contacts = Contacts { feet: vec![foot.clone(), foot] };
        let level = HeightFunction::new(|_| 0.0);
        let (skeleton, rig) = (&human.skeleton, &human.rig);
        let metrics =
            measure_motion(skeleton, rig, &clip, &contacts, &level, &MeasureSettings::default());
        assert!((metrics.foot_slide_mm_max - 20.0).abs() < 1e-2);
        assert!((metrics.foot_slide_mm_mean - 10.0).abs() < 1e-2);
        assert!((metrics.penetration_mm_max - 5.0).abs() < 1e-2);
        assert!((metrics.sole_gap_mm_mean + 2.5).abs() < 1e-2);
        assert!((metrics.knee_extension_max - 1.0).abs() < 1e-5);
        assert!(metrics.foot_rotation_deg_max < 1e-3);
    }

    fn depth(ground: &dyn Ground, point: Vec3) -> f32 {
        let probe = SoleProbe { ground, settings: &MeasureSettings::default() };
        probe.depth(point, probe.above(point))
    }

    #[test]
    fn the_way_out_of_a_stair_is_the_shorter_one() {
        let stair = HeightFunction::new(|place| if place.y > 0.0 { 0.2 } else { 0.0 });
        assert!((depth(&stair, Vec3::new(0.0, 0.19, 0.5)) - 0.01).abs() < 1e-5);
        let beside = depth(&stair, Vec3::new(0.0, 0.05, 0.0015));
        assert!((0.0015..0.0031).contains(&beside), "{beside}");
        assert_eq!(depth(&stair, Vec3::new(0.0, 0.05, -0.1)), 0.0);
        let slope = HeightFunction::new(|place| place.y);
        let below = depth(&slope, Vec3::new(0.0, -0.002, 0.0));
        assert!((below - 0.002 * std::f32::consts::FRAC_1_SQRT_2).abs() < 2e-5, "{below}");
    }

    /// Under a bridge soles are measured against the ground they are on, on it against the bridge.
    #[test]
    fn levels_above_each_other_are_told_apart() {
        struct Bridge;
        impl Ground for Bridge {
            fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
                let level = if from.y >= 2.0 { 2.0 } else { 0.0 };
                let hit = Hit { point: Vec3::new(from.x, level, from.z), normal: Vec3::Y };
                (from.y - level <= depth).then_some(hit)
            }
        }
        assert!((depth(&Bridge, Vec3::new(0.0, -0.004, 0.0)) - 0.004).abs() < 1e-6);
        assert!((depth(&Bridge, Vec3::new(0.0, 1.996, 0.0)) - 0.004).abs() < 1e-4);
        assert_eq!(depth(&Bridge, Vec3::new(0.0, 1.2, 0.0)), 0.0);
    }

    #[test]
    fn bones_are_as_far_apart_as_their_closest_points() {
        let cross =
            between([Vec3::NEG_X, Vec3::X], [Vec3::new(0.0, 0.3, -1.0), Vec3::new(0.0, 0.3, 1.0)]);
        assert!((cross - 0.3).abs() < 1e-6, "{cross}");
        let ends = between([Vec3::ZERO, Vec3::X], [Vec3::X * 3.0, Vec3::X * 5.0]);
        assert!((ends - 2.0).abs() < 1e-6, "{ends}");
        let beside = between([Vec3::ZERO, Vec3::X], [Vec3::Z, Vec3::Z + Vec3::X]);
        assert!((beside - 1.0).abs() < 1e-6, "{beside}");
    }
}
