//! The ground and the soles on it.

use super::{ChangeOverSettings, SpliceSource};
use crate::feet::toe_lift;
use andante_skeleton::{BodyPoint, Foot, Transform, ease};
use glam::Vec3;
use std::f32::consts::FRAC_PI_2;

/// Lifts a foot whose heel or ball would be in the ground, and toes whose tip would be.
pub(super) fn keep_above(
    foot: &Foot,
    ground: &dyn Fn(Vec3) -> Option<f32>,
    ankle: &mut Transform,
    pose: &mut [Transform],
    sunk: f32,
    set: &ChangeOverSettings,
) {
    let deep = |point: &BodyPoint| depth(foot, point, ground, ankle, pose, sunk);
    let deepest = deep(&foot.heel).max(deep(&foot.ball));
    if deepest > 0.0 {
        ankle.translation.y += deepest;
    }
    let Some(toes) = foot.toes.filter(|&toes| foot.tip.joint == toes) else { return };
    let deep = depth(foot, &foot.tip, ground, ankle, pose, sunk);
    if deep <= 0.0 {
        return;
    }
    let joint = *ankle * pose[toes];
    let toe = joint.rotation * foot.tip.offset;
    // Toes that point down are not bent: the foot is lifted.
    let level = toe.with_y(0.0);
    let share =
        ease((level.length() / toe.length() - set.toes_steep) / (set.toes_level - set.toes_steep));
    if share > 0.0
        && let Some(lift) = toe_lift(toe, toe.y + share * deep, FRAC_PI_2)
    {
        pose[toes].rotation = (ankle.rotation.conjugate() * lift * joint.rotation).normalize();
    }
    ankle.translation.y += (1.0 - share) * deep;
}

/// How deep a foot is in ground that has risen, if it is deeper than any motion has it.
pub(super) fn risen(
    foot: &Foot,
    shown: &[Transform],
    played: &SpliceSource,
    set: &ChangeOverSettings,
) -> f32 {
    let depth = |point: &BodyPoint| {
        let place = point.position(shown);
        below(played.ground, place)
    };
    let deepest = depth(&foot.heel).max(depth(&foot.ball)).max(depth(&foot.tip));
    if deepest > set.rising { deepest } else { 0.0 }
}

/// How deep a point of a foot is in the ground, if it moves with the ankle or the toes, and beyond what it may be.
pub(super) fn depth(
    foot: &Foot,
    point: &BodyPoint,
    ground: &dyn Fn(Vec3) -> Option<f32>,
    ankle: &Transform,
    pose: &[Transform],
    sunk: f32,
) -> f32 {
    let joint = match point.joint {
        joint if joint == foot.ankle() => *ankle,
        joint if foot.toes == Some(joint) => *ankle * pose[joint],
        _ => return 0.0,
    };
    let place = joint.transform_point(point.offset);
    below(ground, place) - sunk
}

/// How far a point is below the ground; not at all where there is none, or its height is no number.
fn below(ground: &dyn Fn(Vec3) -> Option<f32>, place: Vec3) -> f32 {
    let height = ground(place).filter(|height| height.is_finite());
    height.map_or(0.0, |height| height - place.y)
}
