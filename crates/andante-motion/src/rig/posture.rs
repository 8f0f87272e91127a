//! A posture in which the skeleton stands: what geometry is read from.

use super::RigOptions;
use super::limbs::LimbChain;
use crate::signal::{median, tame};
use andante_skeleton::{Clip, Skeleton, Transform};
use glam::Vec3;

/// No frame is farther from the origin than this, in metres.
pub(super) const FARTHEST: f32 = 1e6;

/// Postures to choose from: the rest pose first, then frames spread over the clips.
pub(super) fn candidates(
    skeleton: &Skeleton,
    clips: &[Clip],
    options: &RigOptions,
) -> Vec<Vec<Transform>> {
    let mut postures = vec![skeleton.rest_models()];
    for clip in clips {
        let step = clip.frame_count().div_ceil(options.frames_per_clip).max(1);
        for frame in (0..clip.frame_count()).step_by(step) {
            let mut models = clip.frame(frame).to_vec();
            skeleton.local_to_model(clip.frame(frame), &mut models);
            tame(&mut models, FARTHEST);
            postures.push(models);
        }
    }
    postures
}

/// The lowest point of a body that hangs on its hips, and how tall it is. Roots above the hips are no part of it.
pub(super) fn bottom_and_height(
    skeleton: &Skeleton,
    models: &[Transform],
    hips: usize,
) -> (f32, f32) {
    let heights = skeleton.subtree(hips).flat_map(|joint| {
        let tip = skeleton.joint(joint).tip.map(|tip| models[joint].transform_point(tip).y);
        std::iter::once(models[joint].translation.y).chain(tip)
    });
    let (low, high) =
        heights.fold((f32::MAX, f32::MIN), |(low, high), y| (low.min(y), high.max(y)));
    (low, high - low)
}

/// Where a limb ends.
pub(super) fn end_position(skeleton: &Skeleton, models: &[Transform], limb: &LimbChain) -> Vec3 {
    let end = limb.end();
    let tip = skeleton.joint(end).tip.unwrap_or(Vec3::ZERO);
    models[end].transform_point(tip)
}

/// The rest pose if it stands on all of these limbs, or else the posture that comes closest to it: the highest foot is lowest,
/// as a fraction of the posture's height. Legs that lead down far less than they do in clips do not stand.
pub(super) fn standing<'a>(
    skeleton: &Skeleton,
    postures: &'a [Vec<Transform>],
    (hips, legs): (usize, &[&LimbChain]),
    options: &RigOptions,
) -> &'a [Transform] {
    let lift = |models: &Vec<Transform>| {
        let (bottom, height) = bottom_and_height(skeleton, models, hips);
        let ends = legs.iter().map(|leg| end_position(skeleton, models, leg).y - bottom);
        ends.fold(0.0, f32::max) / height.max(f32::MIN_POSITIVE)
    };
    let drop = |models: &[Transform]| -> f32 {
        let down = |leg: &&LimbChain| {
            let end = end_position(skeleton, models, leg);
            (models[leg.path[0]].translation.y - end.y) / leg.length.max(f32::MIN_POSITIVE)
        };
        legs.iter().map(down).sum::<f32>() / legs.len().max(1) as f32
    };
    let rest = &postures[0];
    let usual = median(postures[1..].iter().map(|models| drop(models)));
    if lift(rest) <= options.standing_below && (postures.len() == 1 || drop(rest) >= 0.7 * usual) {
        return rest;
    }
    let mut best = (f32::MAX, rest);
    // Without clips the rest pose has to do.
    for models in postures.get(1..).filter(|frames| !frames.is_empty()).unwrap_or(postures) {
        let lift = lift(models);
        if lift < best.0 {
            best = (lift, models);
        }
    }
    best.1
}

/// The rest pose if the clips keep it upright and it is about as tall as they show it, else a frame in which the root is as
/// it mostly is.
pub(super) fn usual<'a>(
    skeleton: &Skeleton,
    postures: &'a [Vec<Transform>],
    hips: usize,
) -> &'a [Transform] {
    let rest = &postures[0];
    let tall = |models: &Vec<Transform>| bottom_and_height(skeleton, models, hips).1;
    let stretched =
        postures.len() == 1 || tall(rest) >= 0.7 * median(postures[1..].iter().map(tall));
    let up_at_rest = |models: &[Transform]| {
        (models[hips].rotation * rest[hips].rotation.conjugate() * Vec3::Y).y
    };
    let upright = postures.iter().filter(|models| up_at_rest(models) > 0.7).count();
    if stretched && 2 * upright > postures.len() {
        return rest;
    }
    // The frame whose hips are turned most like all the others'.
    let likeness = |models: &[Transform]| -> f32 {
        let own = models[hips].rotation;
        postures[1..].iter().map(|other| own.dot(other[hips].rotation).abs()).sum()
    };
    let best = postures[1..].iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    best.unwrap_or(rest)
}
