//! Room for the head of a body that is led by a performance.

use super::AnimatedBody;
use crate::live::sensors::overhead;
use andante_plan::steps::PlannedMotion;
use andante_world::Obstacle;

impl AnimatedBody {
    /// By how much the crown is too high for what hangs above, frame by frame, and what is below something low; none if
    /// nothing hangs there.
    pub(super) fn too_high(
        &self,
        performance: &PlannedMotion,
        obstacles: &[Obstacle],
    ) -> (Vec<f32>, Vec<bool>) {
        let (stoop, skeleton) = (&self.kind.stoop, &self.kind.character().skeleton);
        let (mut found, mut below) = (Vec::new(), Vec::new());
        if obstacles.is_empty() {
            return (found, below);
        }
        let mut models = self.models.clone();
        let radius = self.kind.radius;
        for (frame, body) in performance.body.iter().enumerate() {
            let feet = self.floor_below(performance, frame);
            let above = feet + stoop.lowest().min(0.5 * stoop.tall());
            let low = overhead(obstacles, body.position, body.position, radius, above);
            if low > feet + stoop.tall() + 0.2 {
                continue;
            }
            if low < feet + stoop.tall() {
                below.resize(performance.body.len(), false);
                below[frame] = true;
            }
            skeleton.local_to_model(performance.clip.frame(frame), &mut models);
            let crown = stoop.crown_of(&models).unwrap_or(feet + stoop.tall());
            if crown > low - self.kind.settings.behavior.head_room {
                found.resize(performance.body.len(), f32::NEG_INFINITY);
                found[frame] = crown - low;
            }
        }
        (found, below)
    }

    fn floor_below(&self, performance: &PlannedMotion, frame: usize) -> f32 {
        let time = frame as f32 / performance.clip.fps();
        let prints = performance.footprints.iter().filter(|print| print.landing <= time);
        prints
            .map(|print| (print.landing, print.position.y))
            .fold((f32::MIN, self.floor), |a, b| if b.0 >= a.0 { b } else { a })
            .1
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
        if played.too_high.is_empty() {
            return Some(f32::INFINITY);
        }
        let fps = played.fps();
        let from = ((played.time() - 0.2).max(0.0) * fps) as usize;
        let to = ((played.time() + self.kind.stoop.settings().duck_seconds) * fps) as usize;
        let span = &played.too_high[from.min(played.too_high.len())..to.min(played.too_high.len())];
        Some(self.kind.stoop.tall() - span.iter().copied().fold(f32::NEG_INFINITY, f32::max))
    }
}
