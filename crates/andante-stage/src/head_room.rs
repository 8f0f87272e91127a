//! Room for the head of a body that is led by a performance: where it has to bend, and the performance bent.

use crate::live::overhead;
use andante_plan::steps::PlannedMotion;
use andante_play::posture::{LivePosture, Stoop};
use andante_play::repertoire::Repertoire;
use andante_skeleton::{Clip, Transform};
use andante_world::Obstacle;

/// A body that may bend.
pub(crate) struct HeadRoom<'a> {
    pub stoop: &'a Stoop,
    pub repertoire: &'a Repertoire,
    pub radius: f32,
    /// A crown closer than this to what hangs above goes lower, in metres.
    pub spare: f32,
    /// The ground it sets off from.
    pub floor: f32,
}

impl HeadRoom<'_> {
    /// By how much the crown is too high for what hangs above, frame by frame, and what is below something low; none if
    /// nothing hangs there.
    pub fn too_high(
        &self,
        performance: &PlannedMotion,
        obstacles: &[Obstacle],
    ) -> (Vec<f32>, Vec<bool>) {
        let (stoop, skeleton) = (self.stoop, &self.repertoire.character().skeleton);
        let (mut found, mut below) = (Vec::new(), Vec::new());
        if obstacles.is_empty() {
            return (found, below);
        }
        let mut models = vec![Transform::IDENTITY; skeleton.len()];
        for (frame, body) in performance.body.iter().enumerate() {
            let feet = self.floor_below(performance, frame);
            let above = feet + stoop.lowest().min(0.5 * stoop.tall());
            let low = overhead(obstacles, body.position, body.position, self.radius, above);
            if low > feet + stoop.tall() + 0.2 {
                continue;
            }
            if low < feet + stoop.tall() {
                below.resize(performance.body.len(), false);
                below[frame] = true;
            }
            skeleton.local_to_model(performance.clip.frame(frame), &mut models);
            let crown = stoop.crown_of(&models).unwrap_or(feet + stoop.tall());
            if crown > low - self.spare {
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

    /// The room for the head around a time of a performance, as a height: from a little before until a duck takes effect.
    pub fn around(stoop: &Stoop, too_high: &[f32], time: f32, fps: f32) -> f32 {
        if too_high.is_empty() {
            return f32::INFINITY;
        }
        let from = ((time - 0.2).max(0.0) * fps) as usize;
        let to = ((time + stoop.settings().duck_seconds) * fps) as usize;
        let span = &too_high[from.min(too_high.len())..to.min(too_high.len())];
        stoop.tall() - span.iter().copied().fold(f32::NEG_INFINITY, f32::max)
    }

    /// A performance in which nobody ducks, with the bends that who plays it would make: what is planned is what is seen.
    pub fn bend(&self, performance: &mut PlannedMotion, obstacles: &[Obstacle]) {
        let (too_high, _) = self.too_high(performance, obstacles);
        if too_high.is_empty() {
            return;
        }
        let skeleton = &self.repertoire.character().skeleton;
        let fps = performance.clip.fps();
        let mut posture = LivePosture::default();
        let mut models = vec![Transform::IDENTITY; skeleton.len()];
        let mut transforms = performance.clip.transforms().to_vec();
        let poses = transforms.chunks_exact_mut(skeleton.len());
        for (frame, (pose, body)) in poses.zip(&performance.body).enumerate() {
            let room = Self::around(self.stoop, &too_high, frame as f32 / fps, fps);
            posture.advance(self.stoop.settings(), self.stoop.share(room), None, 1.0 / fps);
            if !posture.is_upright() {
                skeleton.local_to_model(pose, &mut models);
                posture.apply(self.stoop, self.repertoire, body.heading, pose, &mut models);
            }
        }
        let clip = &performance.clip;
        if let Ok(bent) = Clip::new(clip.name(), skeleton, fps, transforms) {
            performance.clip = bent;
        }
    }
}
