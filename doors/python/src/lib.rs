//! The Python door: the library as numpy arrays. What it offers is written down in its README; here are thin wrappers, and the
//! words of the library come through unchanged.

mod actor;
mod arrays;
mod asset;
mod body;
mod clip;
mod contacts;
mod edit;
mod error;
mod figure;
mod gait;
mod retarget;
mod scene;
mod simulation;
mod skeleton;
mod stage;
mod synth;
mod take;
mod terrain;
mod view;

use pyo3::prelude::*;

/// The compiled half of `andante`.
#[pymodule]
mod _andante {
    #[pymodule_export]
    use crate::actor::Actor;
    #[pymodule_export]
    use crate::asset::{Asset, read};
    #[pymodule_export]
    use crate::body::{Body, creatures};
    #[pymodule_export]
    use crate::clip::Clip;
    #[pymodule_export]
    use crate::contacts::Contacts;
    #[pymodule_export]
    use crate::error::Error;
    #[pymodule_export]
    use crate::gait::{Gait, Modes, Sketch, modes, search, sketches};
    #[pymodule_export]
    use crate::scene::{Scene, scenes};
    #[pymodule_export]
    use crate::simulation::{Batch, Simulation};
    #[pymodule_export]
    use crate::skeleton::Skeleton;
    #[pymodule_export]
    use crate::stage::{Footfall, Stage, StageSnapshot};
    #[pymodule_export]
    use crate::synth::{clip, clips, locomotion};
    #[pymodule_export]
    use crate::take::{Event, Take, Track, Violation};
    #[pymodule_export]
    use crate::terrain::Terrain;
}
