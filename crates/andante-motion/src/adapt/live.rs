//! A clip that is played to a layer which knows nothing of it ahead.

use super::{TakeError, TakeOptions};
use andante_play::{
    FootPlacement, FootReport, GroundClip, GroundReport, GroundingError, Input, PlacementSettings,
    SourceFrame, Start, SupportKind,
};
use andante_skeleton::{Planar, Transform, Wrap};
use andante_world::Ground;
use glam::Vec3;
use std::sync::Arc;

/// A clip that goes over a plane, frame by frame, and the layer that puts it on the ground.
pub(super) struct LiveClip {
    clip: Arc<GroundClip>,
    layer: FootPlacement,
    time: f32,
    /// What leads from the clip to the world, and from the first round to this one.
    chain: Planar,
    round: Planar,
    /// Height of the plane in the world.
    floor: f32,
}

impl LiveClip {
    pub fn new(
        clip: &Arc<GroundClip>,
        start: &Start,
        options: &TakeOptions,
    ) -> Result<Self, TakeError> {
        let feet = options.grounding.feet;
        let settings = PlacementSettings { feet, ..PlacementSettings::default() };
        let layer = FootPlacement::new(Arc::clone(clip.character()), settings)?;
        let chain = start.place.then(&clip.placement(start.time).inverse());
        let (clip, round) = (Arc::clone(clip), Planar::IDENTITY);
        Ok(Self { clip, layer, time: start.time, chain, round, floor: start.height })
    }

    pub fn feet(&self) -> &[FootReport] {
        self.layer.feet()
    }

    pub fn step(
        &mut self,
        dt: f32,
        input: &Input,
        ground: &dyn Ground,
        pose: &mut [Transform],
    ) -> Result<GroundReport, GroundingError> {
        let (clip, duration) = (&*self.clip, self.clip.clip().duration());
        self.time += dt * input.rate;
        while self.time >= duration && clip.cyclic() {
            self.time -= duration;
            self.round = clip.round().map_or(self.round, |round| self.round.then(&round));
        }
        let within = self.round.then(&clip.placement(self.time));
        let Planar { position, heading } = self.chain.then(&within);
        let place = Planar::new(position, heading + input.turn_rate * dt);
        self.chain = place.then(&within.inverse());
        clip.clip().sample(self.time, Wrap::Clamp, pose);
        let up = Transform::from_translation(Vec3::Y * (self.floor - clip.height()));
        pose[0] = up * self.chain.then(&self.round).to_transform() * pose[0];
        let report = self.layer.step(pose, &SourceFrame::over(self.floor), ground, dt)?;
        Ok(GroundReport {
            motion: if clip.idle() { SupportKind::Standing } else { SupportKind::Moving },
            time: self.time,
            place,
            height: self.floor + report.raised + report.lowered,
            grade: report.grade,
            lowered: report.lowered,
            residual: report.residual,
            planned: false,
        })
    }
}
