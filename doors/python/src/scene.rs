//! Scenes: a world, characters in it, and what they are told to do.

use crate::error::{bad_stage, unreadable};
use crate::stage::Stage;
use crate::take::Take;
use andante_skeleton::check_setting;
use andante_stage as base;
use andante_stage::{
    PlayOptions, StageError, built_in_scenes, play, read_scene_file, read_scene_in,
};
use pyo3::exceptions::PyFileNotFoundError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A world and who goes where in it, as docs/scenes.md describes the files.
///
/// Scene(source): the name of a built-in scene (scenes() lists them), a .toml file, or the text of one.
/// folder: where files are that a text names; the current one if not given.
#[pyclass(frozen, module = "andante")]
pub struct Scene {
    pub inner: Arc<base::Scene>,
}

/// Names of the built-in scenes.
#[pyfunction]
pub fn scenes() -> Vec<&'static str> {
    built_in_scenes().iter().map(|scene| scene.name).collect()
}

impl Scene {
    /// The scene of a name, a file or a text.
    pub fn of(py: Python<'_>, source: &Bound<'_, PyAny>, folder: &Path) -> PyResult<Self> {
        let text: Option<String> = source.extract().ok();
        let scene = match text.as_deref() {
            Some(text) if text.contains('\n') => read_scene_in(folder, text),
            Some(name) if built_in_scenes().iter().any(|scene| scene.name == name) => {
                base::Scene::built_in(name)
            }
            // A word without an extension that is no file either was meant as a name.
            Some(name) if Path::new(name).extension().is_none() && !Path::new(name).exists() => {
                let error = base::Scene::built_in(name).err();
                let told = error.map(|error| error.to_string()).unwrap_or_default();
                return Err(PyFileNotFoundError::new_err(told));
            }
            _ => read_scene_file(&source.extract::<PathBuf>()?),
        };
        let scene = scene.map_err(|error| unreadable(py, &error))?;
        Ok(Self { inner: Arc::new(scene) })
    }
}

#[pymethods]
impl Scene {
    #[new]
    #[pyo3(signature = (source, *, folder=None))]
    fn new(source: &Bound<'_, PyAny>, folder: Option<PathBuf>) -> PyResult<Self> {
        Self::of(source.py(), source, &folder.unwrap_or_default())
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.name
    }

    /// One sentence about it.
    #[getter]
    fn about(&self) -> &str {
        &self.inner.about
    }

    /// Names of the characters.
    #[getter]
    fn characters(&self) -> Vec<&str> {
        self.inner.characters.iter().map(|part| part.name.as_str()).collect()
    }

    /// Plays it from beginning to end at 60 frames per second and returns what happened.
    ///
    /// seed: characters differ a little by it where there are several. longest: seconds after which it is over whatever happens.
    /// callback: called now and then with the seconds played so far; playing ends with andante.Error "cancelled" if it returns False.
    /// Ctrl-C raises KeyboardInterrupt. What could not be done is an event "failed" of the take.
    #[pyo3(signature = (seed=1, *, longest=600.0, callback=None))]
    fn run(
        &self,
        py: Python<'_>,
        seed: u64,
        longest: f32,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<Take> {
        check_setting("longest", &longest, 0.0..=86_400.0).map_err(crate::error::refused)?;
        let options = PlayOptions { longest, ..PlayOptions::default() };
        let mut raised = None;
        let mut watch = |seconds: f32| {
            Python::attach(|py| {
                let go_on = (|| {
                    py.check_signals()?;
                    match &callback {
                        None => Ok(true),
                        Some(callback) => {
                            let answer = callback.bind(py).call1((seconds,))?;
                            Ok(answer.is_none() || answer.is_truthy()?)
                        }
                    }
                })();
                go_on.unwrap_or_else(|error: PyErr| {
                    raised = Some(error);
                    false
                })
            })
        };
        let played = py.detach(|| play(&self.inner, seed, &options, &mut watch));
        match played {
            Ok(take) => Ok(Take::new(take, Some(self.inner.demand()))),
            Err(StageError::Cancelled) => {
                Err(raised.unwrap_or_else(|| bad_stage(&StageError::Cancelled)))
            }
            Err(error) => Err(bad_stage(&error)),
        }
    }

    /// A stage of it, to be stepped by hand.
    #[pyo3(signature = (seed=1))]
    fn stage(&self, py: Python<'_>, seed: u64) -> PyResult<Stage> {
        Stage::of(py, &self.inner, seed)
    }

    fn __repr__(&self) -> String {
        format!("<andante.Scene `{}`: {}>", self.inner.name, self.characters().join(", "))
    }
}
