//! Somebody who plays its clips over any ground.

use crate::character::SharedCharacter;
use crate::error::{DoorError, within};
use andante_play::{
    GroundClip, GroundReport, Grounding, GroundingOptions, Input, Start, SupportKind,
};
use andante_skeleton::{Ground, Planar, Pose, Transform};
use glam::Vec2;
use std::sync::Arc;

/// A character that plays its clips over ground which is asked as it goes.
#[derive(Clone, Debug)]
pub struct Walker {
    character: SharedCharacter,
    grounding: Grounding,
    clips: Vec<Arc<GroundClip>>,
    pose: Pose,
    models: Pose,
}

impl Walker {
    /// Somebody who will play one of its clips, from a place `[x, z]` and a heading on, on ground that is about so high.
    pub fn new(
        character: &SharedCharacter,
        clip: &str,
        [x, z]: [f32; 2],
        heading: f32,
        height: f32,
    ) -> Result<Self, DoorError> {
        let clip = Arc::new(character.ground_clip(clip)?);
        let start = Start { place: Planar::new(Vec2::new(x, z), heading), height, time: 0.0 };
        let grounding = Grounding::new(Arc::clone(&clip), start, GroundingOptions::default())?;
        let pose = Pose::rest(&character.character().skeleton);
        let models = pose.clone();
        let mut walker =
            Self { character: character.clone(), grounding, clips: vec![clip], pose, models };
        walker.stand_up();
        Ok(walker)
    }

    /// Goes over to another of its clips, at the next moment that suits both.
    pub fn play(&mut self, name: &str) -> Result<(), DoorError> {
        let known = self.clips.iter().find(|clip| clip.clip().name() == name);
        let clip = match known {
            Some(clip) => Arc::clone(clip),
            None => {
                let clip = Arc::new(self.character.ground_clip(name)?);
                self.clips.push(Arc::clone(&clip));
                clip
            }
        };
        Ok(self.grounding.play(clip)?)
    }

    /// Lets time pass over the ground. `rate` is how fast the clip is played, `turn_rate` is to the left.
    pub fn step(
        &mut self,
        dt: f32,
        rate: f32,
        turn_rate: f32,
        ground: &dyn Ground,
    ) -> Result<GroundReport, DoorError> {
        within("dt", dt, 0.0..=1e3, " s")?;
        within("rate", rate, 0.0..=10.0, "")?;
        within("turn_rate", turn_rate, -100.0..=100.0, " rad/s")?;
        let input = Input { rate, turn_rate, ..Input::default() };
        let report = self.grounding.step(dt, &input, ground, &mut self.pose);
        self.stand_up();
        Ok(report)
    }

    fn stand_up(&mut self) {
        let skeleton = &self.character.character().skeleton;
        skeleton.local_to_model(&self.pose, &mut self.models);
    }

    /// Whom it is.
    pub fn character(&self) -> &SharedCharacter {
        &self.character
    }

    /// The pose: joint 0 in the world, the others relative to their parents.
    pub fn pose(&self) -> &[Transform] {
        &self.pose
    }

    /// Every joint in the world.
    pub fn models(&self) -> &[Transform] {
        &self.models
    }

    /// Whether it has stopped because the next step leads nowhere.
    pub fn is_stopped(&self) -> bool {
        self.grounding.report().motion == SupportKind::Stopped
    }

    /// Whether heel and toes of a foot are down; none without such a foot.
    pub fn contact(&self, foot: usize) -> Option<[bool; 2]> {
        self.grounding.feet().get(foot).map(|foot| foot.down)
    }
}
