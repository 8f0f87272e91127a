//! A character and the poses it has.

use crate::common::built_in;
use andante_play::{GroundClip, GroundReport, Grounding, GroundingOptions, Input, Start};
use andante_skeleton::{Pose, Transform};
use andante_world::Ground;
use glam::Vec3;
use std::sync::Arc;

/// Seconds of a frame.
pub const DT: f32 = 1.0 / 60.0;

/// Somebody who walks over the ground, frame by frame.
pub struct Player {
    pub grounding: Grounding,
    pub pose: Pose,
    pub models: Pose,
    pub clip: Arc<GroundClip>,
}

impl Player {
    pub fn new(clip: &Arc<GroundClip>, start: Start, options: GroundingOptions) -> Self {
        let skeleton = &clip.character().skeleton;
        let pose = Pose::rest(skeleton);
        let grounding = Grounding::new(Arc::clone(clip), start, options).unwrap();
        Self { grounding, models: pose.clone(), pose, clip: Arc::clone(clip) }
    }

    pub fn playing(name: &str) -> Self {
        Self::new(&built_in(name), Start::default(), GroundingOptions::default())
    }

    pub fn walking() -> Self {
        Self::playing("walk")
    }

    pub fn step(&mut self, dt: f32, input: &Input, ground: &dyn Ground) -> GroundReport {
        let report = self.grounding.step(dt, input, ground, &mut self.pose);
        self.clip.character().skeleton.local_to_model(&self.pose, &mut self.models);
        assert!(self.models.iter().all(Transform::is_finite));
        report
    }

    pub fn run(&mut self, seconds: f32, input: &Input, ground: &dyn Ground) -> GroundReport {
        for _ in 0..(seconds / DT).round() as usize {
            self.step(DT, input, ground);
        }
        *self.grounding.report()
    }

    pub fn ball(&self, foot: usize) -> Vec3 {
        self.clip.character().rig.feet[foot].ball.position(&self.models)
    }
}
