//! A clip as the curves that gait is read from: hips, heading and the points of the feet.

use super::AnalysisOptions;
use super::frames::{MendedFrames, Oddity, examine};
use super::travel::{self, Belt};
use crate::signal::{median, smooth, tame};
use andante_skeleton::{Clip, Foot, Planar, Pose, Rig, Side, Skeleton, Transform, rotation};
use glam::{Vec2, Vec3};
use std::ops::Range;

/// No joint is farther from the origin than this many leg lengths.
const FARTHEST: f32 = 1e6;

/// Units in which all bodies are alike: the length of a leg, the time it falls in, the speed that
/// follows. Motions of bodies of different size are similar if they agree in these (R. McN. Alexander
/// and A. S. Jayes, "A dynamic similarity hypothesis for the gaits of quadrupedal mammals", 1983).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NaturalUnits {
    /// Length of a leg from hip to sole, in metres.
    pub length: f32,
    /// √(length / g) in seconds: 0.3 for a human.
    pub time: f32,
    /// √(g · length) in metres per second: 3 for a human. Its square is what a Froude number is
    /// measured against.
    pub speed: f32,
}

impl NaturalUnits {
    /// Standard gravity in m/s², by which motions are read.
    pub const GRAVITY: f32 = 9.80665;

    /// From the rest pose: the mean over the legs of bones and sole. `None` if they have no length.
    pub fn of(skeleton: &Skeleton, rig: &Rig) -> Option<Self> {
        Self::in_pose(skeleton, rig, &Pose::rest(skeleton))
    }

    /// The same from any pose, for clips that give joints places that the rest pose does not.
    pub(super) fn in_pose(skeleton: &Skeleton, rig: &Rig, pose: &[Transform]) -> Option<Self> {
        let leg = |foot: &Foot| -> f32 {
            let below = |joint: usize| skeleton.ancestors(joint).take_while(|&j| j != foot.hip());
            let bones = below(foot.ankle()).map(|joint| pose[joint].translation.length());
            // Of the way from the ankle to the heel about half is down.
            bones.sum::<f32>() + 0.5 * foot.heel.offset.length()
        };
        let length = rig.feet.iter().map(leg).sum::<f32>() / rig.feet.len().max(1) as f32;
        Self::from_length(length)
    }

    /// The same body for a loop of this many seconds. No body makes a stride in less than a natural time:
    /// a file that says so is not in metres, and its pace tells more than its size.
    fn paced(self, seconds: f32) -> Self {
        if seconds >= self.time {
            return self;
        }
        let time = 0.5 * seconds;
        Self { time, speed: self.length / time, ..self }
    }

    /// From the length of a leg; `None` unless it is a positive number.
    pub fn from_length(length: f32) -> Option<Self> {
        let units = Self {
            length,
            time: (length / Self::GRAVITY).sqrt(),
            speed: (length * Self::GRAVITY).sqrt(),
        };
        (length.is_finite() && units.time > 1e-6 && units.speed < 1e6).then_some(units)
    }
}

/// One foot over the frames.
pub(super) struct Tracks {
    pub heel: Vec<Vec3>,
    pub ball: Vec<Vec3>,
    pub tip: Vec<Vec3>,
}

/// A clip as curves; a short cyclic one goes on for a round before and two after, so that it has a past
/// and a future.
pub(super) struct FootMotion {
    pub fps: f32,
    pub units: NaturalUnits,
    pub joints: usize,
    /// Placements in the model, frame after frame.
    pub models: Vec<Transform>,
    pub hips: Vec<Vec3>,
    /// Where the body faces, unwrapped.
    pub heading: Vec<f32>,
    /// Whether the body lies on its side.
    pub lying: Vec<bool>,
    pub feet: Vec<Tracks>,
    /// The frames that the clip itself has, among those of a repeated one.
    pub own: Range<usize>,
    /// Frames of the clip before the first one here.
    pub first: usize,
    /// Frames of one round, if the clip is cyclic.
    pub period: Option<usize>,
    /// How the ground moves under a root that stays, as on a treadmill.
    pub belt: Option<Belt>,
    pub oddities: Vec<Oddity>,
    pub options: AnalysisOptions,
}

impl FootMotion {
    pub fn new(
        skeleton: &Skeleton,
        rig: &Rig,
        clip: &Clip,
        units: NaturalUnits,
        options: &AnalysisOptions,
    ) -> Self {
        let MendedFrames { locals, first, oddities } =
            examine(skeleton, clip, [units.length, units.time], options);
        let joints = skeleton.len();
        let count = locals.len() / joints;
        let mut models = locals.clone();
        for frame in 0..count {
            let range = frame * joints..(frame + 1) * joints;
            skeleton.local_to_model(&locals[range.clone()], &mut models[range]);
        }
        tame(&mut models, FARTHEST * units.length);
        let period = cycle_period(skeleton, rig, &locals, clip.fps(), units, options);
        let units = match period {
            Some(period) => units.paced(period as f32 / clip.fps()),
            None => units,
        };
        let sideways = Sideways::new(skeleton, rig);
        let own = match period {
            Some(period) => {
                models = repeated(&models, joints, count, period, &sideways);
                period..period + count
            }
            None => 0..count,
        };
        let mut motion = Self {
            fps: clip.fps(),
            units,
            joints,
            models,
            hips: Vec::new(),
            heading: Vec::new(),
            lying: Vec::new(),
            feet: Vec::new(),
            own,
            first,
            period,
            belt: None,
            oddities,
            options: *options,
        };
        motion.trace(rig, &sideways);
        if let Some(belt) = travel::treadmill(&motion) {
            travel::walk_off(&mut motion, belt);
            motion.trace(rig, &sideways);
            motion.belt = Some(belt);
        }
        motion
    }

    /// Reads the curves off the placements.
    fn trace(&mut self, rig: &Rig, sideways: &Sideways) {
        let frames = || self.models.chunks_exact(self.joints);
        self.hips = frames().map(|models| models[rig.hips].translation).collect();
        let mut heading: Vec<f32> = Vec::with_capacity(self.hips.len());
        for models in frames() {
            let before = heading.last().copied();
            heading.push(sideways.heading(models, before));
        }
        self.lying = frames().map(|models| sideways.is_vertical(models)).collect();
        self.heading = heading;
        let track = |point: andante_skeleton::BodyPoint| {
            frames().map(|models| point.position(models)).collect::<Vec<Vec3>>()
        };
        let feet = rig.feet.iter().map(|foot| Tracks {
            heel: track(foot.heel),
            ball: track(foot.ball),
            tip: track(foot.tip),
        });
        self.feet = feet.collect();
    }

    pub fn frames(&self) -> usize {
        self.hips.len()
    }

    /// A number of frames that lasts about this many natural times.
    pub fn frames_in(&self, natural_times: f32) -> usize {
        (natural_times * self.units.time * self.fps).round().clamp(0.0, 1e6) as usize
    }

    /// The time in the clip of a frame.
    pub fn time(&self, frame: usize) -> f32 {
        (frame + self.first) as f32 / self.fps - self.own.start as f32 / self.fps
    }

    /// Upward acceleration of the hips in units of gravity; in free fall it is −1.
    pub fn hip_acceleration(&self) -> Vec<f32> {
        let heights: Vec<f32> = self.hips.iter().map(|hips| hips.y).collect();
        let half_width = 0.25 * self.units.time;
        let rising = smooth(&heights, self.fps, half_width).slope;
        let mut acceleration = smooth(&rising, self.fps, half_width).slope;
        acceleration.iter_mut().for_each(|value| *value /= NaturalUnits::GRAVITY);
        acceleration
    }

    /// The hips seen from above, smoothed over about a step, and their velocity.
    pub fn path(&self) -> crate::signal::Smooth<Vec2> {
        let flat: Vec<Vec2> = self.hips.iter().map(|hips| Vec2::new(hips.x, hips.z)).collect();
        smooth(&flat, self.fps, self.units.time)
    }
}

/// Where the left of a body is, in the frames of joints that tell.
struct Sideways {
    /// A joint, its left, and how much it counts.
    axes: Vec<(usize, Vec3, f32)>,
}

impl Sideways {
    /// The pelvis from the legs nearest to it, the chest from the arms: in walking they turn against each
    /// other, and their mean goes straight.
    fn new(skeleton: &Skeleton, rig: &Rig) -> Self {
        let rest = skeleton.rest_models();
        let mut axes = Vec::new();
        let sign = |side| match side {
            Side::Left => 1.0,
            Side::Right => -1.0,
            Side::Middle => 0.0,
        };
        // Legs that hang on the hips; all legs if none does.
        let near = |foot: &&Foot| {
            skeleton.parent(foot.hip()).is_some_and(|parent| {
                parent == rig.hips || skeleton.parent(parent) == Some(rig.hips)
            })
        };
        let mut legs: Vec<&Foot> = rig.feet.iter().filter(near).collect();
        if legs.len() < 2 {
            legs = rig.feet.iter().collect();
        }
        for joint in [Foot::hip, Foot::ankle] {
            let across: Vec3 =
                legs.iter().map(|foot| rest[joint(foot)].translation * sign(foot.side)).sum();
            let balanced: f32 = legs.iter().map(|foot| sign(foot.side)).sum();
            if let (true, Some(left)) = (balanced == 0.0, across.try_normalize()) {
                axes.push((rig.hips, rest[rig.hips].rotation.conjugate() * left, 1.0));
                break;
            }
        }
        if let [left, right] = rig.arms.as_slice() {
            let shoulder = |joint: usize| rest[joint].translation;
            let across = shoulder(left.chain[0]) - shoulder(right.chain[0]);
            let chest = skeleton
                .ancestors(left.chain[0])
                .find(|joint| skeleton.ancestors(right.chain[0]).any(|other| other == *joint));
            if let (Some(chest), Some(left)) = (chest, across.try_normalize()) {
                // It swings about twice as far as the pelvis.
                axes.push((chest, rest[chest].rotation.conjugate() * left, 0.5));
            }
        }
        if axes.is_empty() {
            axes.push((rig.hips, rest[rig.hips].rotation.conjugate() * Vec3::X, 1.0));
        }
        Self { axes }
    }

    /// Whether left is more up or down than level.
    fn is_vertical(&self, models: &[Transform]) -> bool {
        self.axes.first().is_some_and(|&(joint, left, _)| {
            (models[joint].rotation * left).y.abs() > std::f32::consts::FRAC_1_SQRT_2
        })
    }

    /// Where the body faces; the turn nearest to `before`, so that turns add up.
    fn heading(&self, models: &[Transform], before: Option<f32>) -> f32 {
        let mut left = Vec3::ZERO;
        for &(joint, own, weight) in &self.axes {
            let axis = models[joint].rotation * own;
            left += Vec3::new(axis.x, 0.0, axis.z).normalize_or_zero() * weight;
        }
        // Forward is left × up.
        let forward = left.cross(Vec3::Y);
        let heading = if forward.length_squared() < 1e-6 {
            before.unwrap_or(0.0)
        } else {
            libm::atan2f(forward.x, forward.z)
        };
        match before {
            Some(before) => before + rotation::wrap_angle(heading - before),
            None => heading,
        }
    }
}

/// The frames after which a clip repeats itself, if it is short and its last pose leads to its first.
fn cycle_period(
    skeleton: &Skeleton,
    rig: &Rig,
    locals: &[Transform],
    fps: f32,
    units: NaturalUnits,
    options: &AnalysisOptions,
) -> Option<usize> {
    let count = locals.len() / skeleton.len();
    let duration = count.saturating_sub(1) as f32 / fps / units.time;
    if count < 6 || duration > options.longest_cycle {
        return None;
    }
    let pose = |frame: usize| &locals[frame * skeleton.len()..][..skeleton.len()];
    let difference = |a: usize, b: usize| pose_difference(pose(a), pose(b), rig.hips, units.length);
    let last = count - 1;
    let widest = (0..count).map(|frame| difference(0, frame)).fold(0.0, f32::max);
    let step = 0.5 * (difference(0, 1) + difference(last - 1, last));
    let seam = difference(0, last);
    if widest < 0.02 || seam > 0.3 * widest || seam > 1.6 * step + 1e-3 {
        return None;
    }
    // What is little on average may be much of a single joint: more than it ever turns in two frames, one of which drawn cycles
    // may lack between their end and their beginning.
    let leaps = (rig.hips + 1..skeleton.len()).any(|joint| {
        let turn = |a: usize, b: usize| {
            rotation::angle_between(pose(a)[joint].rotation, pose(b)[joint].rotation)
        };
        let most = (0..last).map(|frame| turn(frame, frame + 1)).fold(0.0, f32::max);
        turn(0, last) > 2.0 * most + options.cycle_seam
    });
    if leaps {
        return None;
    }
    // A loop may or may not repeat its first frame at its end.
    Some(if seam > 0.5 * step { count } else { last })
}

/// Mean angle between two poses in radians, wherever they stand and whichever way they face, plus the
/// difference in height of the hips in leg lengths.
fn pose_difference(a: &[Transform], b: &[Transform], hips: usize, length: f32) -> f32 {
    let upright = |q: glam::Quat| rotation::swing_twist(q, Vec3::Y).0;
    let mut sum = 0.0;
    for (joint, (from, to)) in a.iter().zip(b).enumerate() {
        sum += if joint <= hips {
            let (from, to) = (upright(from.rotation.conjugate()), upright(to.rotation.conjugate()));
            rotation::angle_between(from, to)
        } else {
            rotation::angle_between(from.rotation, to.rotation)
        };
    }
    let heights = (0..=hips).map(|joint| (a[joint].translation.y - b[joint].translation.y).abs());
    sum / a.len() as f32 + heights.fold(0.0, f32::max) / length
}

/// Four rounds of a cyclic motion, each beginning where the one before ends; the second is the clip.
fn repeated(
    models: &[Transform],
    joints: usize,
    count: usize,
    period: usize,
    sideways: &Sideways,
) -> Vec<Transform> {
    let frame = |index: usize| &models[index * joints..][..joints];
    let placed = |index: usize| {
        let models = frame(index);
        let place = models[0].translation;
        Planar::new(Vec2::new(place.x, place.z), sideways.heading(models, None))
    };
    // Travel of one round; without a repeated first frame the last step is taken to be like the first.
    let (start, end) = (placed(0), placed(count - 1));
    let mut end = end;
    if period == count {
        let step = placed(0).to(&placed(1));
        end = end.then(&step);
    }
    let round = start.inverse();
    let forth = end.then(&round);
    let back = start.then(&end.inverse());
    let rounds =
        [(back, period), (Planar::IDENTITY, period), (forth, period), (forth.then(&forth), count)];
    let mut all = Vec::with_capacity((3 * period + count) * joints);
    for (round, until) in rounds {
        let moved = round.to_transform();
        for index in 0..until {
            all.extend(frame(index).iter().map(|model| moved * *model));
        }
    }
    all
}

/// The middle of the heights of the hips above the ground level.
pub(super) fn usual_hip_height(motion: &FootMotion, ground: f32) -> f32 {
    median(motion.hips.iter().map(|hips| hips.y)) - ground
}
