//! When other parts of the body than feet are on the ground: hands, elbows, knees, pelvis, back and head.

use super::NaturalUnits;
use crate::signal::{median, runs, seeded_runs, smooth, tidy};
use andante_play::Interval;
use andante_skeleton::{Clip, Rig, Side, Skeleton, Transform};
use glam::Vec3;
use std::ops::Range;

andante_skeleton::settings! {
    /// Touch limits: what counts as a part of the body on the ground, in natural units (1 is a leg's length, and the speed of its
    /// pendulum). Joints are inside of the body: heights are those of the joint when the skin lies on the ground.
    pub struct TouchLimits: Copy {
        /// Height of the lowest point of a hand, fingers included.
        hand: f32 = 0.02, 0.0..=0.3;
        /// Height of an elbow.
        elbow: f32 = 0.045, 0.0..=0.3;
        /// Height of a knee.
        knee: f32 = 0.06, 0.0..=0.3;
        /// Height of the hips, of who sits or lies on the ground.
        pelvis: f32 = 0.11, 0.0..=0.4;
        /// Height of the lowest joint of the spine.
        back: f32 = 0.11, 0.0..=0.4;
        /// Height of the head.
        head: f32 = 0.1, 0.0..=0.4;
        /// A part is down while it is no higher than its own height and this. Captured bodies sink and hover by as much.
        slack: f32 = 0.06, 0.0..=0.3;
        /// And is the same contact while it is no higher than this.
        slack_kept: f32 = 0.08, 0.0..=0.3;
        /// A hand that is below both feet bears the body, and is down while it is no higher than its own height and this: captured
        /// hands of who stands on them are seldom where the ground is. They are at least half as far below the feet.
        bearing: f32 = 0.26, 0.0..=0.5;
        /// A part that is down is slower than this.
        speed: f32 = 0.13, 0.01..=1.0;
        /// And is the same contact while it is slower than this.
        speed_kept: f32 = 0.25, 0.01..=1.0;
        /// Shortest contact, in natural times.
        shortest: f32 = 0.3, 0.0..=5.0;
    }
}

/// A part of the body that can be on the ground, beside feet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TouchPart {
    /// A hand: the arm of the rig.
    Hand(usize),
    /// An elbow: the arm of the rig.
    Elbow(usize),
    /// A knee: the foot of the rig.
    Knee(usize),
    /// Seat or belly.
    Pelvis,
    /// Back or chest.
    Back,
    /// The head.
    Head,
}

/// The contacts of one part of the body with the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct TouchContacts {
    /// The part.
    pub part: TouchPart,
    /// Its name, such as `left hand`.
    pub name: String,
    /// The height of its joint, of a hand that of its lowest point, that is taken for lying on the ground, in metres.
    pub thickness: f32,
    /// When it is down.
    pub down: Vec<Interval>,
    /// Middle height above the ground while it is down, without its thickness, in metres: negative if it is in the ground.
    pub gap: f32,
    /// The farthest way it strays from the middle of its places within one contact, in metres.
    pub slide: f32,
}

impl TouchPart {
    /// The parts that a rig has. Knees and elbows of animals are no parts that they go on.
    pub fn all(rig: &Rig) -> Vec<Self> {
        let two = rig.feet.len() == 2;
        let hands =
            (0..rig.arms.len()).filter(|_| two).flat_map(|arm| [Self::Hand(arm), Self::Elbow(arm)]);
        let elbows =
            |part: &Self| !matches!(part, Self::Elbow(arm) if rig.arms[*arm].chain.len() < 3);
        let knees = (0..rig.feet.len())
            .filter(|&foot| two && rig.feet[foot].leg.len() >= 3)
            .map(Self::Knee);
        let back = (!rig.spine.is_empty()).then_some(Self::Back);
        let head = rig.head.map(|_| Self::Head);
        hands.filter(elbows).chain(knees).chain([Self::Pelvis]).chain(back).chain(head).collect()
    }

    /// The name of the part, such as `left hand`.
    pub fn name(self, rig: &Rig) -> String {
        let sided = |side: Side, what: &str| match side {
            Side::Left => format!("left {what}"),
            Side::Right => format!("right {what}"),
            Side::Middle => what.to_owned(),
        };
        match self {
            Self::Hand(arm) => sided(rig.arms[arm].side, "hand"),
            Self::Elbow(arm) => sided(rig.arms[arm].side, "elbow"),
            Self::Knee(foot) => sided(rig.feet[foot].side, "knee"),
            Self::Pelvis => "pelvis".into(),
            Self::Back => "back".into(),
            Self::Head => "head".into(),
        }
    }

    /// The height of the part when it lies on the ground, for legs of a length.
    pub fn thickness(self, limits: &TouchLimits, length: f32) -> f32 {
        length
            * match self {
                Self::Hand(_) => limits.hand,
                Self::Elbow(_) => limits.elbow,
                Self::Knee(_) => limits.knee,
                Self::Pelvis => limits.pelvis,
                Self::Back => limits.back,
                Self::Head => limits.head,
            }
    }

    /// The place of the part, given the placement of every joint: its joint, or the lowest of several points.
    pub fn position(self, skeleton: &Skeleton, rig: &Rig, models: &[Transform]) -> Vec3 {
        let at = |joint: usize| models[joint].translation;
        let lower = |a: Vec3, b: Vec3| if b.y < a.y { b } else { a };
        match self {
            Self::Hand(arm) => {
                let hand = self.joint(rig);
                let tips = skeleton.subtree(hand).filter_map(|joint| {
                    let tip = skeleton.joint(joint).tip?;
                    Some(models[joint].transform_point(tip))
                });
                debug_assert!(arm < rig.arms.len());
                skeleton.subtree(hand).map(at).chain(tips).fold(at(hand), lower)
            }
            Self::Back => {
                rig.spine.iter().map(|&joint| at(joint)).fold(Vec3::splat(f32::MAX), lower)
            }
            _ => at(self.joint(rig)),
        }
    }

    /// The joint that carries the part.
    pub fn joint(self, rig: &Rig) -> usize {
        let last = |chain: &[usize], before: usize| chain[chain.len().saturating_sub(1 + before)];
        match self {
            Self::Hand(arm) => last(&rig.arms[arm].chain, 0),
            Self::Elbow(arm) => last(&rig.arms[arm].chain, 1),
            Self::Knee(foot) => last(&rig.feet[foot].leg, 1),
            Self::Pelvis => rig.hips,
            Self::Back => rig.spine[rig.spine.len() / 2],
            Self::Head => rig.head.unwrap_or(rig.hips),
        }
    }
}

/// The contacts of all parts of a body but its feet with level ground of this height; parts that never touch it are left out.
pub fn touch_contacts(
    skeleton: &Skeleton,
    rig: &Rig,
    clip: &Clip,
    ground: f32,
    limits: &TouchLimits,
) -> Vec<TouchContacts> {
    let Some(units) = NaturalUnits::of(skeleton, rig) else { return Vec::new() };
    let parts = TouchPart::all(rig);
    let mut tracks = vec![[Vec::new(), Vec::new()]; parts.len()];
    let mut feet = Vec::with_capacity(clip.frame_count());
    // Frame by frame: the placements of all joints of a long recording would be a lot.
    let mut models = vec![Transform::IDENTITY; skeleton.len()];
    for pose in clip.frames() {
        skeleton.local_to_model(pose, &mut models);
        let soles = rig.feet.iter().flat_map(|foot| [foot.heel, foot.ball, foot.tip]);
        feet.push(soles.map(|point| point.position(&models).y).fold(f32::INFINITY, f32::min));
        for (part, [track, own]) in parts.iter().zip(&mut tracks) {
            track.push(part.position(skeleton, rig, &models));
            own.push(models[part.joint(rig)].translation);
        }
    }
    let found = parts.into_iter().zip(&tracks).filter_map(|(part, [track, own])| {
        let touch = Touching { part, limits, units, fps: clip.fps(), ground };
        // The lowest point of a hand may be another one in the next frame: its joint tells how fast it is.
        let runs = touch.runs(track, own, &feet);
        (!runs.is_empty()).then(|| touch.contacts(rig, track, &runs))
    });
    found.collect()
}

/// One part while its contacts are looked for.
struct Touching<'a> {
    part: TouchPart,
    limits: &'a TouchLimits,
    units: NaturalUnits,
    fps: f32,
    ground: f32,
}

impl Touching<'_> {
    /// The frames in which the part is low and slow, given the height of the lower foot.
    fn runs(&self, track: &[Vec3], joint: &[Vec3], feet: &[f32]) -> Vec<Range<usize>> {
        let (limits, length) = (self.limits, self.units.length);
        let thick = self.part.thickness(limits, length);
        let is_hand = matches!(self.part, TouchPart::Hand(_));
        let bears =
            |frame: usize| is_hand && track[frame].y < feet[frame] - 0.5 * limits.bearing * length;
        let low = |frame: usize, slack: f32| {
            let slack = if bears(frame) { slack.max(limits.bearing) } else { slack };
            track[frame].y - self.ground < thick + slack * length
        };
        if runs(track.len(), |frame| low(frame, limits.slack)).is_empty() {
            return Vec::new();
        }
        let speed: Vec<f32> = smooth(joint, self.fps, 0.1 * self.units.time)
            .slope
            .iter()
            .map(|v| v.length() / self.units.speed)
            .collect();
        let strict = |frame: usize| {
            let speed_below = if bears(frame) { limits.speed_kept } else { limits.speed };
            low(frame, limits.slack) && speed[frame] < speed_below
        };
        let loose =
            |frame: usize| low(frame, limits.slack_kept) && speed[frame] < limits.speed_kept;
        let shortest = (limits.shortest * self.units.time * self.fps).round().max(3.0) as usize;
        tidy(seeded_runs(track.len(), strict, loose), shortest, shortest)
    }

    fn contacts(&self, rig: &Rig, track: &[Vec3], runs: &[Range<usize>]) -> TouchContacts {
        let thickness = self.part.thickness(self.limits, self.units.length);
        let heights = runs
            .iter()
            .flat_map(|run| track[run.clone()].iter().map(|place| place.y - self.ground));
        let stray = |run: &Range<usize>| {
            let middle = crate::signal::median_point(&track[run.clone()]);
            let off = track[run.clone()].iter().map(|place| (*place - middle).with_y(0.0).length());
            off.fold(0.0, f32::max)
        };
        let time = |frame: usize| frame as f32 / self.fps;
        TouchContacts {
            part: self.part,
            name: self.part.name(rig),
            thickness,
            down: runs
                .iter()
                .map(|run| Interval::new(time(run.start), time(run.end - 1)))
                .collect(),
            gap: median(heights) - thickness,
            slide: runs.iter().map(stray).fold(0.0, f32::max),
        }
    }
}
