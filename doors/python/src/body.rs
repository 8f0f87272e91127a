//! Physical bodies.

use crate::error::{OrRaise, refused, unreadable};
use andante_body as base;
use andante_body::{
    BodyModel, CREATURES, FitOptions, RestPose, creature, fit, read_body, read_body_file,
    read_mjcf, read_mjcf_file, read_urdf, read_urdf_file, write_body,
};
use andante_dynamics::{Model, PhysicsSettings};
use andante_formats::{ReadError, ReadLimits, ReadOptions, read_file};
use andante_motion::rig;
use andante_skeleton::Character;
use andante_stage::on_its_feet;
use pyo3::exceptions::PyFileNotFoundError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A physical body: segments with masses and shapes, joints with springs and torques.
///
/// Body(source): a built-in one (creatures() lists them), a .toml file, a robot (.xml or .mjcf in MJCF, .urdf), a motion or
/// character file for whose skeleton a body is made (.bvh, .amc, .glb, .gltf), or the text of a TOML, MJCF or URDF document.
#[pyclass(frozen, module = "andante")]
pub struct Body {
    pub inner: Arc<base::Body>,
}

/// Names of the built-in physical bodies.
#[pyfunction]
pub fn creatures() -> Vec<&'static str> {
    CREATURES.iter().map(|(name, _)| *name).collect()
}

/// A body for whoever moves in a file.
fn fitted(path: &Path) -> Result<base::Body, ReadError> {
    let asset = on_its_feet(path, read_file(path, &ReadOptions::default(), None)?);
    let about = |error: &dyn std::fmt::Display| ReadError::file(error.to_string()).in_file(path);
    let rig = rig::detect(&asset.skeleton, &asset.clips).map_err(|error| about(&error))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let character = Character::new(name, asset.skeleton, rig);
    let fitted = fit(&character, asset.mesh.as_ref(), &FitOptions::default());
    Ok(fitted.map_err(|error| about(&error))?.body)
}

impl Body {
    /// The body of a name, a file or a text, or one that is given.
    pub fn of(source: &Bound<'_, PyAny>) -> PyResult<Arc<base::Body>> {
        let py = source.py();
        if let Ok(body) = source.cast::<Self>() {
            return Ok(Arc::clone(&body.get().inner));
        }
        let text: Option<String> = source.extract().ok();
        let body = match text.as_deref() {
            Some(text) if text.trim_start().starts_with('<') => match text.contains("<robot") {
                true => read_urdf(text),
                false => read_mjcf(text),
            },
            Some(text) if text.contains('\n') => read_body(text),
            Some(name) if CREATURES.iter().any(|(known, _)| *known == name) => creature(name),
            _ => {
                let path: PathBuf = source.extract()?;
                let extension = path.extension().unwrap_or_default().to_string_lossy();
                match extension.to_lowercase().as_str() {
                    "" if !path.exists() => {
                        let (path, names) = (path.display(), creatures().join(", "));
                        return Err(PyFileNotFoundError::new_err(format!(
                            "there is no physical character `{path}`; built in: {names}; or give a file"
                        )));
                    }
                    "urdf" => read_urdf_file(&path),
                    "xml" | "mjcf" => read_mjcf_file(&path, &ReadLimits::default()),
                    "bvh" | "asf" | "amc" | "glb" | "gltf" => fitted(&path),
                    _ => read_body_file(&path),
                }
            }
        };
        Ok(Arc::new(body.map_err(|error| unreadable(py, &error))?))
    }

    /// A rest pose by name; the first if none is given.
    pub fn pose<'a>(body: &'a base::Body, name: Option<&str>) -> PyResult<&'a RestPose> {
        let Some(name) = name else { return Ok(&body.poses()[0]) };
        body.pose(name).ok_or_else(|| {
            let names: Vec<&str> = body.poses().iter().map(|pose| pose.name.as_str()).collect();
            refused(format!("{} has no pose `{name}`; it has {}", body.name(), names.join(", ")))
        })
    }

    /// The model of a body in a pose.
    pub fn model(
        body: &base::Body,
        pose: Option<&str>,
        settings: &PhysicsSettings,
    ) -> PyResult<Arc<Model>> {
        let pose = Self::pose(body, pose)?;
        Ok(Arc::new(BodyModel::new(body, pose, settings).or_raise()?.model))
    }
}

/// The axes of a joint of several freedoms.
const AXES: [&str; 3] = ["x", "y", "z"];

/// The names of a model's coordinates.
pub fn coordinate_names(model: &Model) -> Vec<String> {
    let mut names = Vec::with_capacity(model.coordinates());
    for (index, link) in model.links().iter().enumerate() {
        let count = model.coordinate_range(index).len();
        let parts: &[&str] = match count {
            7 => &["x", "y", "z", "quat_x", "quat_y", "quat_z", "quat_w"],
            4 => &["quat_x", "quat_y", "quat_z", "quat_w"],
            1 => &["angle"],
            _ => &[],
        };
        names.extend(parts.iter().map(|part| format!("{}:{part}", link.name)));
    }
    names
}

/// The names of a model's velocities.
pub fn velocity_names(model: &Model) -> Vec<String> {
    let mut names = Vec::with_capacity(model.freedoms());
    for (index, link) in model.links().iter().enumerate() {
        match model.freedom_range(index).len() {
            6 => {
                names.extend(AXES.map(|axis| format!("{}:angular_{axis}", link.name)));
                names.extend(AXES.map(|axis| format!("{}:linear_{axis}", link.name)));
            }
            3 => names.extend(AXES.map(|axis| format!("{}:{axis}", link.name))),
            1 => names.push(format!("{}:angle", link.name)),
            _ => {}
        }
    }
    names
}

/// The axes that muscles or motors can turn: their velocity, and the largest torque in N·m.
pub fn actuators(model: &Model) -> Vec<(usize, f64)> {
    let mut found = Vec::new();
    for (index, link) in model.links().iter().enumerate() {
        let range = model.freedom_range(index);
        if range.len() == 6 {
            continue;
        }
        for (axis, freedom) in range.enumerate() {
            let limit = link.axes[axis].torque_limit;
            if limit > 0.0 && limit.is_finite() {
                found.push((freedom, limit));
            }
        }
    }
    found
}

#[pymethods]
impl Body {
    #[new]
    fn new(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { inner: Self::of(source)? })
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    /// Names of the segments.
    #[getter]
    fn segments(&self) -> Vec<&str> {
        self.inner.segments().iter().map(|segment| segment.name.as_str()).collect()
    }

    /// Index of each segment's parent; -1 for the root.
    #[getter]
    fn parents(&self) -> Vec<i64> {
        self.inner.parents().map(|parent| parent.map_or(-1, |parent| parent as i64)).collect()
    }

    /// Mass of each segment, in kg.
    #[getter]
    fn masses(&self) -> Vec<f64> {
        self.inner.segments().iter().map(|segment| segment.mass.mass).collect()
    }

    /// Mass of everything, in kg.
    #[getter]
    fn mass(&self) -> f64 {
        self.inner.total_mass()
    }

    /// Number of joint angles.
    #[getter]
    fn dof(&self) -> usize {
        self.inner.internal_dof()
    }

    /// Names of the feet that were found or named; those that locomotion does without are left out.
    #[getter]
    fn feet(&self) -> Vec<&str> {
        let feet = self.inner.feet().iter().filter(|foot| !foot.disregarded);
        feet.map(|foot| foot.name.as_str()).collect()
    }

    /// Names of the rest poses.
    #[getter]
    fn poses(&self) -> Vec<&str> {
        self.inner.poses().iter().map(|pose| pose.name.as_str()).collect()
    }

    /// The body as the text of a TOML file.
    fn to_toml(&self) -> String {
        write_body(&self.inner)
    }

    fn __repr__(&self) -> String {
        format!(
            "<andante.Body `{}`: {} segments, {:.1} kg, {} joint angles>",
            self.inner.name(),
            self.inner.segments().len(),
            self.inner.total_mass(),
            self.inner.internal_dof()
        )
    }
}
