//! Files of motions and characters.

use crate::clip::Clip;
use crate::error::{refused, unreadable, unwritable};
use crate::figure::Figure;
use crate::skeleton::Skeleton;
use andante_formats::{ReadOptions, UnitSource, UpAxis, read_file, write_file};
use andante_skeleton::check_setting;
use andante_stage::on_its_feet;
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use std::path::PathBuf;
use std::sync::Arc;

/// What a file holds: a skeleton, clips, and what the character looks like.
///
/// len(asset) is the number of clips; asset[0] and asset["walk"] are clips by number and by name.
#[pyclass(frozen, module = "andante", sequence)]
pub struct Asset {
    pub figure: Arc<Figure>,
}

/// Reads a file of motions or a character: .bvh, .amc (with its .asf), .asf, .glb, .gltf.
///
/// path: the file. fps: frames per second to sample glTF keys at, and of .amc files, which do not tell (120 if not given);
/// BVH keeps its own. scale: metres per unit of the file; guessed if neither given nor told by the file.
/// up: "y", "z" or "auto": whichever axis legs lead down along. asf: the skeleton of an .amc file, if it is not beside it.
///
/// Raises FileNotFoundError or another OSError if it cannot be opened, andante.Error if it makes no sense.
#[pyfunction]
#[pyo3(signature = (path, *, fps=None, scale=None, up="auto", asf=None))]
pub fn read(
    py: Python<'_>,
    path: PathBuf,
    fps: Option<f32>,
    scale: Option<f32>,
    up: &str,
    asf: Option<PathBuf>,
) -> PyResult<Asset> {
    let check = |name, value, range| check_setting(name, value, range).map_err(refused);
    check("scale", &scale, 1e-9..=1e9)?;
    check("fps", &fps, 1e-3..=1e4)?;
    let (up, guess) = match up {
        "auto" => (UpAxis::Y, true),
        "y" => (UpAxis::Y, false),
        "z" => (UpAxis::Z, false),
        other => return Err(refused(format!("up is \"{other}\"; it is \"y\", \"z\" or \"auto\""))),
    };
    let options = ReadOptions { scale, up, fps, ..ReadOptions::default() };
    let read = py.detach(|| {
        let asset = read_file(&path, &options, asf.as_deref())?;
        Ok(if guess { on_its_feet(&path, asset) } else { asset })
    });
    Ok(Asset { figure: Figure::new(read.map_err(|error| unreadable(py, &error))?) })
}

impl Asset {
    fn count(&self) -> usize {
        self.figure.asset.clips.len()
    }

    fn at(&self, index: usize) -> Clip {
        Clip::of_asset(&self.figure, index)
    }
}

#[pymethods]
impl Asset {
    /// The joints.
    #[getter]
    fn skeleton(&self) -> Skeleton {
        self.figure.asset.skeleton.clone().into()
    }

    /// All motions.
    #[getter]
    fn clips(&self) -> Vec<Clip> {
        (0..self.count()).map(|index| self.at(index)).collect()
    }

    /// The only motion; IndexError if there is none or if there are several.
    #[getter]
    fn clip(&self) -> PyResult<Clip> {
        match self.count() {
            1 => Ok(self.at(0)),
            0 => Err(PyIndexError::new_err("there is no animation in this file")),
            count => {
                let names: Vec<_> =
                    self.figure.asset.clips.iter().map(|clip| clip.name()).collect();
                Err(PyIndexError::new_err(format!(
                    "there are {count} animations; choose one by asset[name]: {}",
                    names.join(", ")
                )))
            }
        }
    }

    /// What was odd about the file and how it was dealt with.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.figure.asset.warnings.iter().map(ToString::to_string).collect()
    }

    /// Metres per unit of the file.
    #[getter]
    fn metres_per_unit(&self) -> f32 {
        self.figure.asset.units.scale
    }

    /// Whether the unit was guessed from the height of the skeleton.
    #[getter]
    fn units_guessed(&self) -> bool {
        matches!(self.figure.asset.units.source, UnitSource::Guessed(_))
    }

    /// Whether the file has a skin.
    #[getter]
    fn has_mesh(&self) -> bool {
        self.figure.asset.mesh.is_some()
    }

    /// Names of the feet that were recognised; andante.Error if these joints do not walk.
    #[getter]
    fn feet(&self) -> PyResult<Vec<String>> {
        Ok(self.figure.rig()?.feet.iter().map(|foot| foot.name.clone()).collect())
    }

    /// Writes everything in the format that the extension names and returns the files written.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<Vec<PathBuf>> {
        write_asset(py, &path, &self.figure.asset)
    }

    fn __len__(&self) -> usize {
        self.count()
    }

    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Clip> {
        if key.is_instance_of::<PyString>() {
            let name: String = key.extract()?;
            let mut clips = self.figure.asset.clips.iter();
            return match clips.position(|clip| clip.name() == name) {
                Some(index) => Ok(self.at(index)),
                None => {
                    let clips = self.figure.asset.clips.iter();
                    let names: Vec<_> = clips.map(|clip| clip.name()).collect();
                    Err(PyKeyError::new_err(format!(
                        "there is no animation `{name}`; it has {}",
                        names.join(", ")
                    )))
                }
            };
        }
        let number: isize = key.cast::<PyInt>()?.extract()?;
        let count = self.count() as isize;
        let index = if number < 0 { number + count } else { number };
        match (0..count).contains(&index) {
            true => Ok(self.at(index as usize)),
            false => Err(PyIndexError::new_err(format!(
                "there is no animation {number}; there are {count}"
            ))),
        }
    }

    fn __repr__(&self) -> String {
        let asset = &self.figure.asset;
        let skin = if asset.mesh.is_some() { ", with a skin" } else { "" };
        format!("<andante.Asset: {} joints, {} clips{skin}>", asset.skeleton.len(), self.count())
    }
}

/// Writes an asset by its extension.
pub fn write_asset(
    py: Python<'_>,
    path: &std::path::Path,
    asset: &andante_formats::Asset,
) -> PyResult<Vec<PathBuf>> {
    py.detach(|| write_file(path, asset, &Default::default())).map_err(|error| unwritable(&error))
}
