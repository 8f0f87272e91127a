//! Keys: joints that are turned at a time, and go back to their own way around it.

use super::error::{EditError, check};
use andante_play::Interval;
use andante_skeleton::{Clip, Skeleton, ease, rotation};
use glam::{Quat, Vec3};
use std::ops::Range;

/// A stretch of time in which an edit holds in full, and the fades around it. A stretch without length is a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EditWindow {
    /// When it holds, in seconds of the clip.
    pub held: Interval,
    /// Seconds in which it sets in before that and wears off after it (0.1…1). None at all jumps.
    pub fade: f32,
}

impl EditWindow {
    /// A moment.
    pub const fn at(time: f32, fade: f32) -> Self {
        Self { held: Interval::new(time, time), fade }
    }

    /// The frames of a clip in which the edit holds in full: at least the one that is nearest.
    pub fn frames(&self, clip: &Clip) -> Result<Range<usize>, EditError> {
        let (held, fps) = (self.held, clip.fps());
        let (duration, slack) = (clip.duration(), 0.5 / fps);
        if !(self.fade.is_finite() && self.fade >= 0.0) {
            return Err(EditError::NonFinite { what: "the fade" });
        }
        let inside = held.start >= -slack && held.end <= duration + slack;
        if !(inside && held.start <= held.end) {
            let (start, end) = (held.start, held.end);
            return Err(match start.is_finite() && end.is_finite() && start <= end {
                true => EditError::OutsideClip { clip: clip.name().into(), start, end, duration },
                false => EditError::EmptyRange { clip: clip.name().into(), start, end },
            });
        }
        let frame =
            |time: f32| ((time * fps).round().max(0.0) as usize).min(clip.frame_count() - 1);
        Ok(frame(held.start)..frame(held.end) + 1)
    }

    /// The share of the edit in a frame, given those in which it holds in full: from 0 to 1, and level at both.
    pub fn share(&self, held: &Range<usize>, frame: usize, fps: f32) -> f32 {
        let away = held.start.saturating_sub(frame).max((frame + 1).saturating_sub(held.end));
        match away {
            0 => 1.0,
            _ if self.fade <= 0.0 => 0.0,
            _ => 1.0 - ease(away as f32 / fps / self.fade),
        }
    }
}

/// A turn of a joint in degrees: about X, then about Y, then about Z of the body at rest, which are left, up and ahead. The same
/// numbers mean the same on every rig, however its joints are turned at rest; in .bvh files they are the channels of the joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointTurn {
    /// So far from the rest pose, whatever the motion did.
    FromRest(Vec3),
    /// So far from where the motion has it.
    Further(Vec3),
}

/// The turn of three angles in degrees as the parent of a joint sees it.
fn in_parent(skeleton: &Skeleton, joint: usize, degrees: Vec3) -> Quat {
    let [x, y, z] = [degrees.x, degrees.y, degrees.z].map(f32::to_radians);
    let turn = Quat::from_rotation_z(z) * Quat::from_rotation_y(y) * Quat::from_rotation_x(x);
    let above = skeleton
        .parent(joint)
        .map_or(Quat::IDENTITY, |parent| skeleton.rest_models()[parent].rotation);
    above.conjugate() * turn * above
}

/// The clip with one joint turned while a window holds; everything else stays as it is.
///
/// Around the window it is the difference that fades (A. Witkin and Z. Popović, "Motion Warping", SIGGRAPH 1995), so that what
/// the joint does there goes on.
pub fn turn_joint(
    skeleton: &Skeleton,
    clip: &Clip,
    joint: usize,
    turn: JointTurn,
    window: &EditWindow,
) -> Result<Clip, EditError> {
    check(skeleton, clip)?;
    let count = skeleton.len();
    if joint >= count {
        return Err(EditError::Joint { joint, count });
    }
    let (JointTurn::FromRest(degrees) | JointTurn::Further(degrees)) = turn;
    if !degrees.is_finite() {
        return Err(EditError::NonFinite { what: "the turn" });
    }
    let held = window.frames(clip)?;
    let by = in_parent(skeleton, joint, degrees);
    let set = (by * skeleton.joint(joint).rest.rotation).normalize();
    let mut transforms = clip.transforms().to_vec();
    for (frame, pose) in transforms.chunks_exact_mut(count).enumerate() {
        let share = window.share(&held, frame, clip.fps());
        if share <= 0.0 {
            continue;
        }
        let own = pose[joint].rotation;
        pose[joint].rotation = match turn {
            JointTurn::FromRest(_) if share >= 1.0 => set,
            JointTurn::FromRest(_) => {
                let edge = frame.clamp(held.start, held.end - 1);
                let difference = set * clip.rotation(edge, joint).conjugate();
                (rotation::exp(rotation::log(difference) * share) * own).normalize()
            }
            JointTurn::Further(_) => (rotation::exp(rotation::log(by) * share) * own).normalize(),
        };
    }
    Ok(Clip::new(clip.name(), skeleton, clip.fps(), transforms)?)
}
