//! Feet in the air that would pass through the ground.

use super::anchors::{Anchors, PlantedFoot};
use super::target::FootTarget;
use super::{PlantOptions, signal};
use andante_skeleton::{BodyPoint, ease};
use glam::{Quat, Vec3};

/// Keeps feet above level ground while they are not on it: toes that point into it are bent up, as
/// they are when a foot rolls off, and what is still too low is lifted.
pub(super) fn lift_swings(
    track: &PlantedFoot,
    anchors: &Anchors,
    ground: f32,
    options: &PlantOptions,
    window: f32,
    down: &[bool],
    targets: &mut [FootTarget],
) {
    let foot = track.foot;
    let mut swings = Swings::new(track, ground, options, down, targets);
    for (frame, target) in targets.iter_mut().enumerate() {
        if anchors.toe(frame).is_none() {
            let tip = position(track, frame, target, &foot.tip);
            bend_toes(track, frame, ground + swings.clearance(frame, 2, tip), target);
        }
    }
    swings = Swings::new(track, ground, options, down, targets);
    let deep: Vec<f32> = targets
        .iter()
        .enumerate()
        .map(|(frame, target)| {
            let too_low = |(index, point): (usize, &BodyPoint)| {
                let place = position(track, frame, target, point);
                ground + swings.clearance(frame, index, place) - place.y
            };
            match down[frame] {
                true => 0.0,
                false => points(track).iter().enumerate().map(too_low).fold(0.0, f32::max),
            }
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

fn points(track: &PlantedFoot) -> [BodyPoint; 3] {
    [track.foot.heel, track.foot.ball, track.foot.tip]
}

/// A stretch of frames between two contacts.
#[derive(Default)]
struct SwingSpan {
    /// Where the points of the foot are at the contacts before and after it.
    ends: [Option<[Vec3; 3]>; 2],
    /// How deep below the ground they get, now or before anything was corrected.
    depth: [f32; 3],
}

/// The swings of a foot.
struct Swings {
    swings: Vec<SwingSpan>,
    /// Per frame the index of its swing.
    of: Vec<usize>,
    /// Length of the foot.
    length: f32,
    options: PlantOptions,
}

impl Swings {
    fn new(
        track: &PlantedFoot,
        ground: f32,
        options: &PlantOptions,
        down: &[bool],
        targets: &[FootTarget],
    ) -> Self {
        let places = |frame: usize| {
            points(track).map(|point| position(track, frame, &targets[frame], &point))
        };
        let mut swings = vec![SwingSpan::default()];
        let mut of = Vec::with_capacity(down.len());
        for (frame, &is_down) in down.iter().enumerate() {
            let was_down = frame > 0 && down[frame - 1];
            if is_down
                && !was_down
                && let Some(swing) = swings.last_mut()
            {
                swing.ends[1] = Some(places(frame));
            }
            if !is_down && was_down {
                let ends = [Some(places(frame - 1)), None];
                swings.push(SwingSpan { ends, ..SwingSpan::default() });
            }
            if !is_down && let Some(swing) = swings.last_mut() {
                let before = points(track).map(|point| point.position(&track.models[frame]));
                for (depth, places) in swing.depth.iter_mut().zip(places(frame).iter().zip(before))
                {
                    *depth = depth.max(ground - places.0.y.min(places.1.y));
                }
            }
            of.push(swings.len() - 1);
        }
        let [heel, _, tip] = points(track).map(|point| track.in_foot(&point, 0));
        Self { swings, of, length: heel.distance(tip), options: *options }
    }

    /// How high a point belongs above the ground, by how far it is from where it stood or will stand.
    fn clearance(&self, frame: usize, point: usize, place: Vec3) -> f32 {
        let swing = &self.swings[self.of[frame]];
        let way = |end: &[Vec3; 3]| (place - end[point]).with_y(0.0).length();
        let way = swing.ends.iter().flatten().map(way).fold(f32::INFINITY, f32::min);
        let highest =
            (self.options.bounce * swing.depth[point]).min(self.options.clearance * self.length);
        if highest > 0.0 { highest * ease(way / (self.options.rise * self.length)) } else { 0.0 }
    }
}

/// Where a point of the foot is in a frame.
fn position(track: &PlantedFoot, frame: usize, target: &FootTarget, point: &BodyPoint) -> Vec3 {
    match (track.foot.toes, target.toes) {
        (Some(joint), Some(toes)) if point.joint == joint => {
            toe_joint(track, frame, target, joint) + toes * point.offset
        }
        _ => target.ankle.transform_point(track.in_foot(point, frame)),
    }
}

fn toe_joint(track: &PlantedFoot, frame: usize, target: &FootTarget, joint: usize) -> Vec3 {
    target.ankle.transform_point(track.toe_joint(joint, frame))
}

/// Bends toes up until their tip is on the ground, if it is below.
fn bend_toes(track: &PlantedFoot, frame: usize, ground: f32, target: &mut FootTarget) {
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
    target.toes_turned += 2.0 * libm::acosf(turn.w.clamp(-1.0, 1.0));
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
