//! Feet in the air that would pass through the ground.

use super::anchors::{Anchors, FootTrack};
use super::signal;
use super::target::FootTarget;
use andante_skeleton::{BodyPoint, ease};
use glam::{Quat, Vec3};

/// Keeps feet above level ground while they are not on it: toes that point into it are bent up, as
/// they are when a foot rolls off, and what is still below is lifted.
pub(super) fn lift_swings(
    track: &FootTrack,
    anchors: &Anchors,
    ground: f32,
    window: f32,
    down: &[bool],
    targets: &mut [FootTarget],
) {
    for (frame, target) in targets.iter_mut().enumerate() {
        if anchors.toe(frame).is_none() {
            bend_toes(track, frame, ground, target);
        }
    }
    let foot = track.foot;
    let deep: Vec<f32> = targets
        .iter()
        .enumerate()
        .map(|(frame, target)| {
            if down[frame] {
                return 0.0;
            }
            let height = |point: &BodyPoint| position(track, frame, target, point).y - ground;
            [foot.heel, foot.ball, foot.tip].iter().map(|p| -height(p)).fold(0.0, f32::max)
        })
        .collect();
    let smooth = signal::smooth_above(&deep, window as usize);
    let away = frames_from_contact(down);
    for (frame, target) in targets.iter_mut().enumerate().filter(|(frame, _)| !down[*frame]) {
        // Smooth in mid-air; next to a contact, where the foot must be on the ground in a moment, just
        // as much as is needed.
        let lift = deep[frame].max(smooth[frame] * ease(away[frame] / window));
        if lift > 0.0 {
            target.ankle.translation.y += lift;
            target.moved += lift;
        }
    }
}

/// Where a point of the foot is in a frame.
fn position(track: &FootTrack, frame: usize, target: &FootTarget, point: &BodyPoint) -> Vec3 {
    match (track.foot.toes, target.toes) {
        (Some(joint), Some(toes)) if point.joint == joint => {
            toe_joint(track, frame, target, joint) + toes * point.offset
        }
        _ => target.ankle.transform_point(track.in_foot(point, frame)),
    }
}

fn toe_joint(track: &FootTrack, frame: usize, target: &FootTarget, joint: usize) -> Vec3 {
    target.ankle.transform_point(track.toe_joint(joint, frame))
}

/// Bends toes up until their tip is on the ground, if it is below.
fn bend_toes(track: &FootTrack, frame: usize, ground: f32, target: &mut FootTarget) {
    let (Some(joint), Some(toes)) = (track.foot.toes, target.toes) else { return };
    if track.foot.tip.joint != joint {
        return;
    }
    let above = toe_joint(track, frame, target, joint).y - ground;
    let now = toes * track.foot.tip.offset;
    let level = Vec3::new(now.x, 0.0, now.z);
    let across = now.length_squared() - above * above;
    if now.y + above >= 0.0 || across <= 0.0 || level.length() < 1e-4 {
        return;
    }
    let raised = level.normalize() * across.sqrt() - Vec3::Y * above;
    let turn = Quat::from_rotation_arc(now.normalize(), raised.normalize());
    target.toes = Some((turn * toes).normalize());
    target.toes_turned += 2.0 * turn.w.clamp(-1.0, 1.0).acos();
}

/// Per frame the number of frames to the nearest one in which the foot is down.
fn frames_from_contact(down: &[bool]) -> Vec<f32> {
    let mut away = vec![f32::INFINITY; down.len()];
    let mut last = f32::INFINITY;
    for (frame, &down) in down.iter().enumerate() {
        last = if down { 0.0 } else { last + 1.0 };
        away[frame] = last;
    }
    last = f32::INFINITY;
    for (frame, &down) in down.iter().enumerate().rev() {
        last = if down { 0.0 } else { last + 1.0 };
        away[frame] = away[frame].min(last);
    }
    away
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_from_contact_counts_both_ways() {
        let away = frames_from_contact(&[false, false, true, false, false, false, true]);
        assert_eq!(away, [2.0, 1.0, 0.0, 1.0, 2.0, 1.0, 0.0]);
        assert_eq!(frames_from_contact(&[false]), [f32::INFINITY]);
    }
}
