//! Which axis of a file points up.

use super::posture::{self, FARTHEST};
use super::roles::{self, Roles};
use super::{RigOptions, UpOptions};
use crate::signal::{median, tame};
use andante_skeleton::{Clip, Skeleton, Transform};
use glam::{Quat, Vec3};

/// The turn that puts a body on its feet whose file has another axis than Y pointing up, as Blender's have: what pointed
/// up points along +Y afterwards. Joints and clips are to be described in turned axes. `None` if Y points up as it should, or if nothing tells.
///
/// Legs lead down while somebody walks. Whoever lies down does not go along a level way with its head first; and
/// a rest pose that stands is believed before a motion that stays where it is.
pub fn up_axis(skeleton: &Skeleton, clips: &[Clip], options: &UpOptions) -> Option<Quat> {
    let few = few_frames(skeleton, clips);
    let stands = |turn: Quat| legs_lead_down(skeleton, &few, turn, options);
    let usual = stands(Quat::IDENTITY);
    if usual.is_some_and(|usual| usual.moving >= options.stands) {
        return None;
    }
    // Z first, towards +Z what faced −Y; then whatever else there is.
    let quarter = std::f32::consts::FRAC_PI_2;
    let turns = [
        Quat::from_rotation_x(-quarter),
        Quat::from_rotation_x(quarter),
        Quat::from_rotation_z(quarter),
        Quat::from_rotation_z(-quarter),
        Quat::from_rotation_x(2.0 * quarter),
    ];
    let found = turns.iter().filter_map(|&turn| Some((turn, stands(turn)?)));
    let (turn, best) = found.reduce(|a, b| if b.1.moving > a.1.moving { b } else { a })?;
    let rest_stands = usual.is_some_and(|usual| usual.resting >= options.stands);
    (best.moving >= options.clearly && (!rest_stands || best.walks)).then_some(turn)
}

/// How far legs lead down, as a fraction of their length, in the middle frame and at rest; and whether the way is level and
/// longer than a leg.
#[derive(Clone, Copy)]
struct LegsDown {
    moving: f32,
    resting: f32,
    walks: bool,
}

fn legs_lead_down(
    skeleton: &Skeleton,
    clips: &[Clip],
    turn: Quat,
    options: &UpOptions,
) -> Option<LegsDown> {
    let (skeleton, clips) = described(skeleton, clips, turn)?;
    let roles = roles::find(&skeleton, &clips, &RigOptions::default())?;
    // Whatever hangs down alone is no body on its legs.
    if roles.legs.len() < 2 {
        return None;
    }
    let postures = posture::candidates(&skeleton, &clips, &RigOptions::default());
    let resting = drop(&roles, &postures[0]);
    let moving = if postures.len() > 1 {
        median(postures[1..].iter().map(|models| drop(&roles, models)))
    } else {
        resting
    };
    let hips = |models: &[Transform]| models[roles.hips].translation;
    let ends = postures[1..].first().zip(postures.last());
    let way = ends.map_or(Vec3::ZERO, |(first, last)| hips(last) - hips(first));
    let length = roles.legs.iter().map(|leg| leg.length(&postures[0])).fold(0.0, f32::max);
    let walks = way.with_y(0.0).length() > options.way * length
        && way.y.abs() < 0.3 * way.with_y(0.0).length();
    Some(LegsDown { moving, resting, walks })
}

fn drop(roles: &Roles, models: &[Transform]) -> f32 {
    let down = |leg: &roles::UnsoledLeg| {
        let (hip, ankle) = (models[leg.chain[0]].translation, models[leg.ankle()].translation);
        (hip.y - ankle.y) / leg.length(models).max(f32::MIN_POSITIVE)
    };
    roles.legs.iter().map(down).sum::<f32>() / roles.legs.len().max(1) as f32
}

/// Clips of as few frames as are looked at.
fn few_frames(skeleton: &Skeleton, clips: &[Clip]) -> Vec<Clip> {
    let few = |clip: &Clip| {
        let step = clip.frame_count().div_ceil(RigOptions::default().frames_per_clip).max(1);
        let mut frames: Vec<Transform> = clip.frames().step_by(step).flatten().copied().collect();
        tame(&mut frames, FARTHEST);
        Clip::new(clip.name(), skeleton, clip.fps() / step as f32, frames).ok()
    };
    clips.iter().filter_map(few).collect()
}

/// A skeleton and its clips described in turned axes: what pointed along `v` points along `turn * v`.
pub fn described(skeleton: &Skeleton, clips: &[Clip], turn: Quat) -> Option<(Skeleton, Vec<Clip>)> {
    let one = |local: &Transform| {
        let rotation = (turn * local.rotation * turn.conjugate()).normalize();
        Transform::new(rotation, turn * local.translation)
    };
    let joints = skeleton.joints().iter().map(|joint| andante_skeleton::Joint {
        rest: one(&joint.rest),
        tip: joint.tip.map(|tip| turn * tip),
        ..joint.clone()
    });
    let turned = Skeleton::new(joints.collect()).ok()?;
    let clip = |clip: &Clip| {
        let transforms = clip.transforms().iter().map(one).collect();
        Clip::new(clip.name(), &turned, clip.fps(), transforms).ok()
    };
    let clips = clips.iter().map(clip).collect::<Option<Vec<_>>>()?;
    Some((turned, clips))
}
