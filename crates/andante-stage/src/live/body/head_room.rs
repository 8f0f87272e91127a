//! Room for the head of a body that is led by a performance.

use super::AnimatedBody;
use crate::head_room::HeadRoom;
use andante_plan::steps::PlannedMotion;
use andante_world::Obstacle;

impl AnimatedBody {
    /// By how much the crown is too high for what hangs above, frame by frame, and what is below something low.
    pub(super) fn too_high(
        &self,
        performance: &PlannedMotion,
        obstacles: &[Obstacle],
    ) -> (Vec<f32>, Vec<bool>) {
        let kind = &self.kind;
        let room = HeadRoom {
            stoop: &kind.stoop,
            repertoire: &kind.repertoire,
            radius: kind.radius,
            spare: kind.settings.behavior.head_room,
            floor: self.floor,
        };
        let (too_high, below) = room.too_high(performance, obstacles);
        // Whose steps are not planned one by one has been bent with its plan.
        let is_bent = kind.bodies[0].planner.ducked_height().is_none();
        (if is_bent { Vec::new() } else { too_high }, below)
    }

    /// True if its performance is, or soon will be, under something low.
    pub fn is_below_something(&self) -> bool {
        let Some(played) = self.played.as_ref() else { return false };
        let fps = played.fps();
        let from = ((played.time() - 0.2).max(0.0) * fps) as usize;
        let ahead = ((0.2 + self.kind.stoop.settings().duck_seconds) * fps) as usize;
        played.below.iter().skip(from).take(ahead).any(|&below| below)
    }

    /// The head room, as a height, below what hangs above the next part of its way, if it is led by a performance.
    pub fn planned_room(&self) -> Option<f32> {
        let played = self.played.as_ref()?;
        Some(HeadRoom::around(&self.kind.stoop, &played.too_high, played.time(), played.fps()))
    }
}
