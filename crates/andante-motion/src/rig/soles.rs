//! Where the soles are.
//!
//! Files know joints, not flesh. A foot that stands still shows how high its ankle and its toes are above
//! the ground; the sole is that much below them, in the frames of the joints.

use super::roles::{Leg, Roles};
use crate::signal::{median_point, percentile, smooth};
use andante_skeleton::{BodyPoint, Clip, Foot, Skeleton, Transform};
use glam::Vec3;

/// Heel behind the ankle, as a fraction of the distance from ankle to ball: 0.25 to 0.45 of the length of
/// the foot, as in the built-in human.
const HEEL: f32 = 0.25 / 0.45;
/// Tip of the toes in front of the ball, as a fraction of the same distance.
const TIP: f32 = 0.30 / 0.45;
/// Sole below the toe joint, as a fraction of the length of the leg, where nothing else is known.
const THICKNESS: f32 = 0.02;
/// A floor at y = 0 is believed if the toes at rest on it are no higher than this fraction of the leg.
const BELIEVED: f32 = 0.1;
/// Clips that are looked at; more add nothing.
const CLIPS: usize = 8;

/// The sole in the frames of its joints, as one frame shows it.
struct Sole {
    heel: Vec3,
    ball: Vec3,
    tip: Vec3,
}

pub(super) fn feet(skeleton: &Skeleton, clips: &[Clip], roles: &Roles) -> Vec<Foot> {
    roles.legs.iter().map(|leg| foot(skeleton, clips, roles, leg)).collect()
}

fn foot(skeleton: &Skeleton, clips: &[Clip], roles: &Roles, leg: &Leg) -> Foot {
    let ankle = leg.ankle();
    let front = leg.toes.unwrap_or(ankle);
    let standing = &roles.standing;
    let length: f32 = leg
        .chain
        .windows(2)
        .map(|bone| standing[bone[0]].translation.distance(standing[bone[1]].translation))
        .sum();
    let mut seen: Vec<Sole> = Vec::new();
    for clip in clips.iter().take(CLIPS) {
        let flat = flat_frames(skeleton, clip, ankle, front, length);
        let low =
            |joint: usize| percentile(flat.iter().map(|frame| frame[joint].translation.y), 0.5);
        let floor = floor_below(low(front).min(low(ankle)), length);
        seen.extend(flat.iter().map(|frame| sole(skeleton, leg, frame, floor, roles, length)));
    }
    if seen.is_empty() {
        let lowest = standing[front].translation.y.min(standing[ankle].translation.y);
        let floor = floor_below(lowest, length);
        seen.push(sole(skeleton, leg, standing, floor, roles, length));
    }
    let middle =
        |point: fn(&Sole) -> Vec3| median_point(&seen.iter().map(point).collect::<Vec<_>>());
    Foot {
        name: leg.name.clone(),
        side: leg.side,
        leg: leg.chain.clone(),
        toes: leg.toes,
        heel: BodyPoint { joint: ankle, offset: middle(|sole| sole.heel) },
        ball: BodyPoint { joint: front, offset: middle(|sole| sole.ball) },
        tip: BodyPoint { joint: front, offset: middle(|sole| sole.tip) },
    }
}

/// Files put the floor at zero; where that cannot be, it is a sole's thickness below the toes.
fn floor_below(toes: f32, length: f32) -> f32 {
    if (-0.02 * length..=BELIEVED * length).contains(&toes) {
        0.0f32.min(toes)
    } else {
        toes - THICKNESS * length
    }
}

/// Frames in which the foot is down and still: ankle and toes slow, and the ankle as low as it gets.
fn flat_frames(
    skeleton: &Skeleton,
    clip: &Clip,
    ankle: usize,
    front: usize,
    length: f32,
) -> Vec<Vec<Transform>> {
    let frames: Vec<Vec<Transform>> = clip
        .frames()
        .map(|pose| {
            let mut models = pose.to_vec();
            skeleton.local_to_model(pose, &mut models);
            models
        })
        .collect();
    let slow = 0.1 * (9.81 * length).sqrt();
    let time = (length / 9.81).sqrt();
    let speeds = |joint: usize| {
        let track: Vec<Vec3> = frames.iter().map(|models| models[joint].translation).collect();
        smooth(&track, clip.fps(), 0.1 * time).slope
    };
    let (ankle_speed, front_speed) = (speeds(ankle), speeds(front));
    let still =
        |frame: &usize| ankle_speed[*frame].length() < slow && front_speed[*frame].length() < slow;
    let still: Vec<usize> = (0..frames.len()).filter(still).collect();
    let height = |frame: usize| frames[frame][ankle].translation.y;
    let lowest = percentile(still.iter().map(|&frame| height(frame)), 0.1);
    let mut frames: Vec<Option<Vec<Transform>>> = frames.into_iter().map(Some).collect();
    let flat = still.into_iter().filter_map(|frame| {
        let models = frames[frame].take()?;
        ((models[ankle].translation.y - lowest).abs() < 0.02 * length).then_some(models)
    });
    flat.collect()
}

fn sole(
    skeleton: &Skeleton,
    leg: &Leg,
    models: &[Transform],
    floor: f32,
    roles: &Roles,
    length: f32,
) -> Sole {
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
        (None, Some(tip)) => ankle_place.lerp(tip, 1.0 / (1.0 + TIP)),
        (None, None) => ankle_place,
    };
    let along = on_floor(ball_place) - on_floor(ankle_place);
    // A hoof, a paw or the tip of a spider's leg: the foot is a point.
    if along.length() < 0.02 * length {
        let point = local(ankle, on_floor(ankle_place));
        let below = local(front, on_floor(ball_place));
        let tip = marked.map_or(below, |tip| local(front, on_floor(tip)));
        return Sole { heel: point, ball: below, tip };
    }
    let ahead = along.try_normalize().unwrap_or(roles.forward) * along.length();
    let tip = marked.unwrap_or(ball_place + ahead * TIP);
    Sole {
        heel: local(ankle, on_floor(ankle_place - ahead * HEEL)),
        ball: local(front, on_floor(ball_place)),
        tip: local(front, on_floor(tip)),
    }
}
