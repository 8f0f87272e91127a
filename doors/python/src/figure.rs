//! Whose motion it is: what a file holds beside the frames, shared by all clips of it.

use crate::error::{OrRaise, refused};
use andante_formats::Asset;
use andante_motion::rig;
use andante_skeleton::{Clip, Rig};
use pyo3::prelude::*;
use std::sync::{Arc, OnceLock};

/// A file's content, and what the joints are for, found out when somebody asks.
pub struct Figure {
    pub asset: Asset,
    rig: OnceLock<Result<Rig, String>>,
}

impl Figure {
    /// What a file or somebody's arrays hold.
    pub fn new(asset: Asset) -> Arc<Self> {
        Arc::new(Self { asset, rig: OnceLock::new() })
    }

    /// The same with roles that are known.
    pub fn known(asset: Asset, rig: Rig) -> Arc<Self> {
        let figure = Self { asset, rig: OnceLock::new() };
        // It is new, so that nobody has set it before.
        let _ = figure.rig.set(Ok(rig));
        Arc::new(figure)
    }

    /// The roles of the joints. All clips together tell where the feet are.
    pub fn rig(&self) -> PyResult<&Rig> {
        let found = self.rig.get_or_init(|| {
            rig::detect(&self.asset.skeleton, &self.asset.clips).map_err(|error| error.to_string())
        });
        found.as_ref().map_err(refused)
    }

    /// The same body with other motions.
    pub fn with_clips(&self, clips: Vec<Clip>) -> Asset {
        Asset { clips, ..self.without_clips() }
    }

    fn without_clips(&self) -> Asset {
        let Asset { skeleton, mesh, units, original, .. } = &self.asset;
        Asset {
            mesh: mesh.clone(),
            units: units.clone(),
            original: original.clone(),
            ..Asset::new(skeleton.clone(), Vec::new())
        }
    }

    /// Refuses a clip of another skeleton.
    pub fn same_joints(&self, other: &Self) -> PyResult<()> {
        let names = |figure: &Self| -> Vec<String> {
            figure.asset.skeleton.joints().iter().map(|joint| joint.name.clone()).collect()
        };
        match names(self) == names(other) {
            true => Ok(()),
            false => Err("it has another skeleton; retarget it first").or_raise(),
        }
    }
}
