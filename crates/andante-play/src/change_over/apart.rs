//! Legs that do not get into each other while a gait is led on the fly or goes over into another motion.

use super::{ChangeOver, sixtieths};
use crate::repertoire::Repertoire;
use andante_skeleton::ease;
use glam::Vec3;

/// How far a foot in the air is led aside at most in a sixtieth of a second, as a part of the room that legs keep.
const QUICKEST: f32 = 0.2;
/// From how far ahead or behind, in leg lengths, a foot is led past the one that stands.
const NEAR: f32 = 0.55;

impl ChangeOver {
    /// Leads a foot in the air past the leg that stands: the nearer it is, the more of the room it has that legs keep.
    /// What it is moved by dies away like any other difference from the motion.
    pub(super) fn keep_apart(&mut self, repertoire: &Repertoire, dt: f32) {
        let feet = &repertoire.character().rig.feet;
        let ([_, _], [Some(left), Some(right)]) = (&feet[..], repertoire.legs()) else { return };
        let is_up =
            |foot: usize| self.feet[foot].pin.is_none() && self.feet[foot].down == [false; 2];
        let (swings, leg, other) = match [is_up(0), is_up(1)] {
            [true, false] => (0, left, right),
            [false, true] => (1, right, left),
            _ => return,
        };
        let models = self.shown.last();
        let [hip, knee, ankle] = leg.joints().map(|joint| models[joint].translation);
        let [beside, _, stands] = other.joints().map(|joint| models[joint].translation);
        let length = hip.distance(knee) + knee.distance(ankle);
        let Some(out) = (hip - beside).with_y(0.0).try_normalize() else { return };
        let moved = self.feet[swings].moved.dot(out);
        let room = self.settings.feet.swing.apart * length;
        let tip = |foot: usize| feet[foot].tip.position(models);
        let lacks = [ankle - stands, tip(swings) - tip(1 - swings)].map(|seen| {
            let near = ease(1.0 - seen.dot(out.cross(Vec3::Y)).abs() / (NEAR * length));
            near * (room - (seen.dot(out) - moved)) - moved
        });
        let lacks = lacks[0].max(lacks[1]);
        if lacks > 0.0 {
            self.feet[swings].moved += lacks.min(QUICKEST * room * sixtieths(dt)) * out;
        }
    }
}
