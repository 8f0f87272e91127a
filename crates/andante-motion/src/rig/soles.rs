//! Where the soles are.
//!
//! Files know joints, not flesh. A foot that stands still shows how high its ankle and its toes are above
//! the ground; the sole is that much below them, in the frames of the joints.

use super::RigOptions;
use super::posture::FARTHEST;
use super::roles::{Roles, UnsoledLeg};
use crate::analysis::NaturalUnits;
use crate::signal::{median, median_point, percentile, smooth, tame};
use andante_skeleton::model_frames;
use andante_skeleton::{BodyPoint, Clip, Foot, Side, Skeleton, Transform};
use glam::Vec3;

/// The sole in the frames of its joints, as one frame shows it.
struct SoleGuess {
    heel: Vec3,
    ball: Vec3,
    tip: Vec3,
}

pub(super) fn feet(
    skeleton: &Skeleton,
    clips: &[Clip],
    roles: &Roles,
    options: &RigOptions,
) -> Vec<Foot> {
    let lengths: Vec<f32> = roles.legs.iter().map(|leg| leg.length(&roles.standing)).collect();
    let mut seen: Vec<Vec<SoleGuess>> = roles.legs.iter().map(|_| Vec::new()).collect();
    for clip in clips.iter().take(options.sole_clips) {
        let mut frames = model_frames(skeleton, clip);
        frames.iter_mut().for_each(|models| tame(models, FARTHEST));
        let flat =
            |(leg, length): (&UnsoledLeg, &f32)| flat_frames(&frames, clip.fps(), leg, *length);
        let flat: Vec<StillFrames> = roles.legs.iter().zip(&lengths).map(flat).collect();
        for (all, new) in
            seen.iter_mut().zip(observe(skeleton, roles, &lengths, &frames, &flat, options))
        {
            all.extend(new);
        }
    }
    // Where no clip shows a foot at rest, the posture that stands has to do.
    let standing = [roles.standing.clone()];
    let once = vec![StillFrames { flat: vec![0], rises: 0.0 }; roles.legs.len()];
    let at_rest = observe(skeleton, roles, &lengths, &standing, &once, options);
    for (all, rest) in seen.iter_mut().zip(at_rest) {
        if all.is_empty() {
            *all = rest;
        }
    }
    let foot = |(leg, seen): (&UnsoledLeg, &Vec<SoleGuess>)| {
        let middle = |point: fn(&SoleGuess) -> Vec3| {
            median_point(&seen.iter().map(point).collect::<Vec<_>>())
        };
        let ankle = leg.ankle();
        let front = leg.toes.unwrap_or(ankle);
        Foot {
            name: leg.name.clone(),
            side: leg.side,
            leg: leg.chain.clone(),
            toes: leg.toes,
            heel: BodyPoint { joint: ankle, offset: middle(|sole| sole.heel) },
            ball: BodyPoint { joint: front, offset: middle(|sole| sole.ball) },
            tip: BodyPoint { joint: front, offset: middle(|sole| sole.tip) },
        }
    };
    roles.legs.iter().zip(&seen).map(foot).collect()
}

/// The soles of all feet as the frames show them in which each is flat on the ground.
fn observe(
    skeleton: &Skeleton,
    roles: &Roles,
    lengths: &[f32],
    frames: &[Vec<Transform>],
    flat: &[StillFrames],
    options: &RigOptions,
) -> Vec<Vec<SoleGuess>> {
    let heights: Vec<Option<StandingHeight>> = roles
        .legs
        .iter()
        .zip(flat)
        .map(|(leg, still)| StandingHeight::of(leg, frames, &still.flat))
        .collect();
    let at_zero = |(height, length): (&Option<StandingHeight>, &f32)| {
        height.as_ref().is_some_and(|height| height.is_above_zero(*length, options))
    };
    let floor_at_zero = heights.iter().zip(lengths).any(at_zero);
    // The first step of a slope or of stairs is higher than the other foot at zero: its sole is as thick as that one's.
    let on_a_step = |index: usize| {
        let (length, mate) = (lengths[index], mate(&roles.legs, index)?);
        let (own, other) = (heights[index].as_ref()?, heights[mate].as_ref()?);
        let higher = own.lowest() - other.lowest();
        let rises = flat[index].rises.max(flat[mate].rises);
        // Marks are known no better than that.
        let is_uneven = higher > 0.02 * length && rises > higher.max(options.uneven * length);
        let thick = other.lowest() - other.floor(length, floor_at_zero, options);
        (is_uneven && other.is_above_zero(length, options)).then(|| own.lowest() - thick)
    };
    let soles = |(index, leg): (usize, &UnsoledLeg)| match &heights[index] {
        Some(height) => {
            let floor = on_a_step(index)
                .unwrap_or_else(|| height.floor(lengths[index], floor_at_zero, options));
            let one = |&frame: &usize| {
                sole(skeleton, leg, &frames[frame], floor, roles, (lengths[index], options))
            };
            flat[index].flat.iter().map(one).collect()
        }
        None => Vec::new(),
    };
    roles.legs.iter().enumerate().map(soles).collect()
}

/// The leg of the other side that is as far from the front, if there is one.
fn mate(legs: &[UnsoledLeg], index: usize) -> Option<usize> {
    let (side, of) = match legs[index].side {
        Side::Left => (Side::Left, Side::Right),
        Side::Right => (Side::Right, Side::Left),
        _ => return None,
    };
    let rank = legs[..index].iter().filter(|leg| leg.side == side).count();
    let mut others = (0..legs.len()).filter(|&other| legs[other].side == of);
    others.nth(rank)
}

/// Frames in which a foot stands flat and as low as it gets, and how much higher it stands in others.
#[derive(Clone)]
struct StillFrames {
    flat: Vec<usize>,
    rises: f32,
}

/// How high the joints of a standing foot are.
struct StandingHeight {
    ankle: f32,
    toes: f32,
}

impl StandingHeight {
    fn of(leg: &UnsoledLeg, frames: &[Vec<Transform>], flat: &[usize]) -> Option<Self> {
        let height = |frame: usize, joint: usize| frames[frame][joint].translation.y;
        let middle = |joint: usize| median(flat.iter().map(|&frame| height(frame, joint)));
        let (ankle, toes) = (leg.ankle(), leg.toes.unwrap_or(leg.ankle()));
        (!flat.is_empty()).then(|| Self { ankle: middle(ankle), toes: middle(toes) })
    }

    fn lowest(&self) -> f32 {
        self.ankle.min(self.toes)
    }

    /// Whether the foot may well stand at y = 0.
    fn is_above_zero(&self, length: f32, options: &RigOptions) -> bool {
        let lowest = self.lowest();
        lowest > -0.02 * length
            && (lowest <= options.believed_toes * length
                || self.ankle <= options.believed_ankle * length)
    }

    /// Files put the floor at zero. Where that cannot be, it is a sole's thickness below the toes. A foot
    /// that is higher than another that stands at zero has a thicker sole, unless it is on a step.
    fn floor(&self, length: f32, floor_at_zero: bool, options: &RigOptions) -> f32 {
        let near = self.lowest().abs() < 2.0 * options.believed_toes * length;
        if self.is_above_zero(length, options) || (floor_at_zero && near) {
            self.lowest().min(0.0)
        } else {
            self.lowest() - options.sole_thickness * length
        }
    }
}

/// Frames in which the foot is down and still: ankle and toes slow, and the ankle as low as it gets.
fn flat_frames(frames: &[Vec<Transform>], fps: f32, leg: &UnsoledLeg, length: f32) -> StillFrames {
    let (ankle, front) = (leg.ankle(), leg.toes.unwrap_or(leg.ankle()));
    let Some(units) = NaturalUnits::from_length(length) else {
        return StillFrames { flat: Vec::new(), rises: 0.0 };
    };
    let slow = 0.1 * units.speed;
    let speeds = |joint: usize| {
        let track: Vec<Vec3> = frames.iter().map(|models| models[joint].translation).collect();
        smooth(&track, fps, 0.1 * units.time).slope
    };
    let (ankle_speed, front_speed) = (speeds(ankle), speeds(front));
    let still =
        |frame: &usize| ankle_speed[*frame].length() < slow && front_speed[*frame].length() < slow;
    let height = |frame: usize| frames[frame][ankle].translation.y;
    let still: Vec<usize> = (0..frames.len()).filter(still).collect();
    let lowest = percentile(still.iter().map(|&frame| height(frame)), 0.1);
    let flat = |frame: &usize| (height(*frame) - lowest).abs() < 0.02 * length;
    let flat: Vec<usize> = still.iter().copied().filter(flat).collect();
    // Heels are raised on level ground, too; on higher ground a foot is as it is on the lowest.
    let lean = |frame: usize| height(frame) - frames[frame][front].translation.y;
    let usual = median(flat.iter().map(|&frame| lean(frame)));
    let stands = still.iter().filter(|&&frame| (lean(frame) - usual).abs() < 0.02 * length);
    let highest = percentile(stands.map(|&frame| height(frame)), 0.9);
    StillFrames { flat, rises: highest - lowest }
}

fn sole(
    skeleton: &Skeleton,
    leg: &UnsoledLeg,
    models: &[Transform],
    floor: f32,
    roles: &Roles,
    (length, options): (f32, &RigOptions),
) -> SoleGuess {
    let ankle = leg.ankle();
    let front = leg.toes.unwrap_or(ankle);
    let on_floor = |point: Vec3| Vec3::new(point.x, floor, point.z);
    let local = |joint: usize, point: Vec3| models[joint].inverse().transform_point(point);
    let ankle_place = models[ankle].translation;
    let marked = leg
        .tip
        .map(|tip| models[tip].translation)
        .or_else(|| skeleton.joint(front).tip.map(|tip| models[front].transform_point(tip)));
    let ball_place = match (leg.toes, marked) {
        (Some(toes), _) => models[toes].translation,
        // No toe joint: the ball is where it would be on the way to the tip.
        (None, Some(tip)) => ankle_place.lerp(tip, 1.0 / (1.0 + options.tip)),
        (None, None) => ankle_place,
    };
    let along = on_floor(ball_place) - on_floor(ankle_place);
    // A hoof, a paw or the tip of a spider's leg: the foot is a point.
    if along.length() < 0.02 * length {
        let point = local(ankle, on_floor(ankle_place));
        let below = local(front, on_floor(ball_place));
        let tip = marked.map_or(below, |tip| local(front, on_floor(tip)));
        return SoleGuess { heel: point, ball: below, tip };
    }
    let ahead = along.try_normalize().unwrap_or(roles.forward) * along.length();
    let tip = marked.unwrap_or(ball_place + ahead * options.tip);
    SoleGuess {
        heel: local(ankle, on_floor(ankle_place - ahead * options.heel)),
        ball: local(front, on_floor(ball_place)),
        tip: local(front, on_floor(tip)),
    }
}
