//! Real clips with the rig that is detected on them.

#![allow(dead_code, clippy::unwrap_used)]

use andante_formats::{ReadOptions, UpAxis, read_file};
use andante_motion::analysis::{AnalysisOptions, ClipAnalysis, analyse};
use andante_motion::rig;
use andante_skeleton::{Clip, Rig, Skeleton};
use std::path::Path;

/// Our own files with one clip of a human.
pub const OWN: [&str; 4] = ["walk_metres.bvh", "run_centimetres.bvh", "turn_z_up.bvh", "leap.amc"];

/// A skeleton, what its joints are for, and its clips.
pub struct Captured {
    pub skeleton: Skeleton,
    pub rig: Rig,
    pub clips: Vec<Clip>,
}

impl Captured {
    pub fn load(path: &Path) -> Self {
        let up = if path.ends_with("turn_z_up.bvh") { UpAxis::Z } else { UpAxis::Y };
        let asset = read_file(path, &ReadOptions { up, ..Default::default() }, None).unwrap();
        let rig = rig::detect(&asset.skeleton, &asset.clips).unwrap();
        Self { skeleton: asset.skeleton, rig, clips: asset.clips }
    }

    /// A small file of our own.
    pub fn own(name: &str) -> Self {
        Self::load(&andante_testdata::own(name))
    }

    /// Clips of our own, then those of the motion capture data that are here.
    pub fn all(mocap: &[&'static str]) -> Vec<(&'static str, Self)> {
        let own = OWN.map(|name| (name, Self::own(name)));
        let real = mocap.iter().filter_map(|path| Some((*path, Self::mocap(path)?)));
        own.into_iter().chain(real).collect()
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
