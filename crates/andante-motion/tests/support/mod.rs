//! Captured walks for tests.

// Each test uses a part of this.
#![allow(dead_code)]

use andante_formats::ReadOptions;
use andante_motion::analysis::{AnalysisOptions, ClipGround, analyse};
use andante_motion::edit::{GroundLevel, PlantOptions};
use andante_motion::retarget::RetargetRig;
use andante_motion::rig;
use andante_play::Contacts;
use andante_skeleton::{Clip, Rig, Skeleton};

/// A captured motion with everything that is known about it.
pub struct Captured {
    pub skeleton: Skeleton,
    pub rig: Rig,
    pub clip: Clip,
    pub contacts: Contacts,
    /// Height of the ground.
    pub ground: f32,
    pub found: ClipGround,
    pub level: GroundLevel,
}

impl Captured {
    pub fn actor(&self) -> RetargetRig<'_> {
        RetargetRig { skeleton: &self.skeleton, rig: &self.rig }
    }
}

/// Reads a motion of the Carnegie Mellon data, without the T-pose in its first frame.
pub fn cmu(path: &str) -> Option<Captured> {
    let file = andante_testdata::mocap(path)?;
    let options = ReadOptions { scale: Some(0.056444), ..ReadOptions::default() };
    let asset = andante_formats::bvh::read(&std::fs::read(file).unwrap(), path, &options).unwrap();
    let skeleton = asset.skeleton;
    let clip = &asset.clips[0];
    let transforms = clip.transforms()[skeleton.len()..].to_vec();
    let clip = Clip::new(path, &skeleton, clip.fps(), transforms).unwrap();
    let rig = rig::detect(&skeleton, std::slice::from_ref(&clip)).unwrap();
    let analysis = analyse(&skeleton, &rig, &clip, &AnalysisOptions::default()).unwrap();
    let (contacts, ground) = (analysis.contacts, analysis.ground.height);
    let (found, level) =
        (analysis.ground, GroundLevel::found(&analysis.ground, &PlantOptions::default()));
    Some(Captured { skeleton, rig, clip, contacts, ground, found, level })
}

/// A walk of subject 16.
pub fn walk(number: u32) -> Option<Captured> {
    cmu(&format!("cmu/16/16_{number:02}.bvh"))
}
