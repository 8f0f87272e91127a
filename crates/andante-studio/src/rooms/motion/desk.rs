//! A motion, and what follows from it.

use crate::motion_plan::MotionPlan;
use andante_formats::ReadOptions;
use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::{rig, synth};
use andante_play::Contacts;
use andante_skeleton::{
    Clip, Rig, Skeleton, SkinnedMesh, Transform, capsule_body, humanoid, model_frames,
};
use std::sync::Arc;

/// Where clips come from: a file, or the built-in ones.
pub struct ClipShelf {
    /// The file, if it is one.
    pub file: Option<std::path::PathBuf>,
    /// The joints of every clip.
    pub skeleton: Skeleton,
    /// Which of them are feet, if there are any.
    pub rig: Option<Rig>,
    /// What it looks like.
    pub skin: Arc<SkinnedMesh>,
    /// The clips.
    pub clips: Vec<Clip>,
    /// What is odd about the file.
    pub oddities: Vec<String>,
}

impl ClipShelf {
    /// The motions that are made without any file.
    pub fn built_in() -> Self {
        let human = humanoid();
        let made = synth::NAMES.iter().filter_map(|name| synth::clip(&human, name).ok());
        let clips = made.map(|made| made.clip).collect();
        let skin = Arc::new(capsule_body(&human.skeleton));
        Self {
            file: None,
            skeleton: human.skeleton,
            rig: Some(human.rig),
            skin,
            clips,
            oddities: Vec::new(),
        }
    }

    /// The motions of a file.
    pub fn read(path: &std::path::Path) -> Result<Self, String> {
        let asset = andante_formats::read_file(path, &ReadOptions::default(), None);
        let asset = asset.map_err(|error| error.to_string())?;
        let rig = rig::detect(&asset.skeleton, &asset.clips).ok();
        let skin = asset.mesh.unwrap_or_else(|| capsule_body(&asset.skeleton));
        let oddities = asset.warnings.iter().map(|warning| warning.to_string()).collect();
        Ok(Self {
            file: Some(path.to_path_buf()),
            rig,
            skin: Arc::new(skin),
            skeleton: asset.skeleton,
            clips: asset.clips,
            oddities,
        })
    }
}

/// The clip that is worked on, after its edits.
pub struct ClipDesk {
    /// What it was made by.
    pub plan: MotionPlan,
    /// The motion.
    pub clip: Clip,
    /// Every joint in the world, frame by frame.
    pub models: Vec<Vec<Transform>>,
    /// When feet are down, if it has feet.
    pub contacts: Option<Contacts>,
}

impl ClipDesk {
    /// Takes a clip from a shelf and edits it.
    pub fn new(shelf: &ClipShelf, plan: &MotionPlan) -> Result<Self, String> {
        let named = shelf.clips.iter().find(|clip| clip.name() == plan.clip);
        let mut clip = named.ok_or(format!("there is no clip `{}`", plan.clip))?.clone();
        for edit in &plan.edits {
            clip = edit
                .apply(&shelf.skeleton, &clip)
                .map_err(|error| format!("{}: {error}", edit.describe()))?;
        }
        let contacts = shelf.rig.as_ref().and_then(|rig| {
            analyse(&shelf.skeleton, rig, &clip, &AnalysisOptions::default())
                .ok()
                .map(|done| done.contacts)
        });
        let models = model_frames(&shelf.skeleton, &clip);
        Ok(Self { plan: plan.clone(), clip, models, contacts })
    }

    /// The number of the frame at a time.
    pub fn frame(&self, time: f32) -> usize {
        ((time * self.clip.fps()).round().max(0.0) as usize).min(self.models.len() - 1)
    }

    /// Height of a joint above zero in every frame, in metres.
    pub fn heights(&self, joint: usize) -> Vec<f32> {
        self.models.iter().map(|models| models[joint].translation.y).collect()
    }

    /// How far a joint is turned from its rest pose in every frame, in degrees.
    pub fn angles(&self, skeleton: &Skeleton, joint: usize) -> Vec<f32> {
        let rest = skeleton.joint(joint).rest.rotation;
        self.clip
            .frames()
            .map(|frame| rest.angle_between(frame[joint].rotation).to_degrees())
            .collect()
    }

    /// How fast a joint is in every frame, in m/s.
    pub fn speeds(&self, joint: usize) -> Vec<f32> {
        let fps = self.clip.fps();
        let last = self.models.len() - 1;
        let speed = |frame: usize| {
            let [a, b] = [frame.saturating_sub(1), (frame + 1).min(last)];
            let way = self.models[b][joint].translation - self.models[a][joint].translation;
            way.length() * fps / (b - a).max(1) as f32
        };
        (0..=last).map(speed).collect()
    }
}
