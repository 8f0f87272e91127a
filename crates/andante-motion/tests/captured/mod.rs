//! Real clips with the rig that is detected on them.

#![allow(dead_code, clippy::unwrap_used)]

use andante_formats::{ReadOptions, read_file};
use andante_motion::analysis::{AnalysisOptions, ClipAnalysis, analyse};
use andante_motion::rig;
use andante_skeleton::{Clip, Rig, Skeleton};
use std::path::Path;

/// A skeleton, what its joints are for, and its clips.
pub struct Captured {
    pub skeleton: Skeleton,
    pub rig: Rig,
    pub clips: Vec<Clip>,
}

impl Captured {
    pub fn load(path: &Path) -> Self {
        let asset = read_file(path, &ReadOptions::default(), None).unwrap();
        let rig = rig::detect(&asset.skeleton, &asset.clips).unwrap();
        Self { skeleton: asset.skeleton, rig, clips: asset.clips }
    }

    /// A file of the motion capture data; `None` if it is not here.
    pub fn mocap(path: &str) -> Option<Self> {
        Some(Self::load(&andante_testdata::mocap(path)?))
    }

    /// A file of the glTF samples; `None` if it is not here.
    pub fn gltf(path: &str) -> Option<Self> {
        Some(Self::load(&andante_testdata::gltf(path)?))
    }

    pub fn clip(&self, name: &str) -> &Clip {
        self.clips.iter().find(|clip| clip.name() == name).unwrap()
    }

    pub fn analyse(&self, clip: &Clip) -> ClipAnalysis {
        analyse(&self.skeleton, &self.rig, clip, &AnalysisOptions::default()).unwrap()
    }
}
