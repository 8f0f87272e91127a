//! Takes: what happened, frame by frame.

use crate::arrays::rows;
use crate::clip::Clip;
use crate::contacts::{Contacts, metrics_dict};
use crate::error::{OrRaise, bad_take, refused};
use crate::figure::Figure;
use crate::scene::Scene;
use andante_check::{CheckSettings, Demand, Severity, Verdict, check};
use andante_formats::{Asset, write_atomically};
use andante_take as base;
use andante_take::{TakeFile, TakeSource, measure, write_csv};
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString};
use std::path::PathBuf;
use std::sync::Arc;

/// Something that happened: time in seconds, who (a name, or None if it is about the world), kind (one word), text (a sentence).
#[pyclass(frozen, module = "andante", get_all)]
#[derive(Clone)]
pub struct Event {
    /// Seconds from the beginning.
    time: f64,
    /// Whom it is about; None if it is about the world.
    who: Option<String>,
    /// One word: began, done, failed, arrived, pushed, fell, …
    kind: String,
    /// A short sentence without its subject.
    text: String,
}

#[pymethods]
impl Event {
    fn __repr__(&self) -> String {
        let who = self.who.as_deref().unwrap_or("the world");
        format!("<andante.Event {:.2} s: {who} {}>", self.time, self.text)
    }
}

/// Events in Python's terms.
pub fn events(found: &[base::Event], names: &[&str]) -> Vec<Event> {
    let event = |event: &base::Event| Event {
        time: f64::from(event.time),
        who: event.track.and_then(|track| names.get(track)).map(|name| (*name).to_string()),
        kind: event.word().into(),
        text: event.describe(names),
    };
    found.iter().map(event).collect()
}

/// Something a checker found: kind, severity ("wrong" or "unnatural"), who, what, time_s, value, limit, unit, frames, text.
#[pyclass(frozen, module = "andante", get_all)]
#[derive(Clone)]
pub struct Violation {
    /// Its kind, such as slide.
    kind: &'static str,
    /// "wrong": the take says something that is not so; "unnatural": nobody moves like that.
    severity: &'static str,
    /// Whose track it is.
    who: String,
    /// Where in the body or the world.
    what: String,
    /// When it is worst, in seconds.
    time_s: f32,
    /// How much then, in the unit.
    value: f32,
    /// How much is allowed then.
    limit: f32,
    /// Unit of value and limit.
    unit: &'static str,
    /// In how many frames.
    frames: usize,
    /// A sentence.
    text: String,
}

#[pymethods]
impl Violation {
    fn __repr__(&self) -> String {
        format!("<andante.Violation {}: {}>", self.severity, self.text)
    }
}

/// Violations in Python's terms, the worst first.
pub fn violations(verdict: &Verdict) -> Vec<Violation> {
    let found = verdict.violations.iter();
    found
        .map(|found| Violation {
            kind: found.kind.name(),
            severity: match found.severity() {
                Severity::Wrong => "wrong",
                Severity::Unnatural => "unnatural",
            },
            who: found.who.clone(),
            what: found.what.clone(),
            time_s: found.time_s,
            value: found.value,
            limit: found.limit,
            unit: found.kind.unit(),
            frames: found.frames,
            text: found.to_string(),
        })
        .collect()
}

/// One body of a take.
#[pyclass(frozen, module = "andante")]
pub struct Track {
    take: Arc<base::Take>,
    index: usize,
    figure: Arc<Figure>,
}

impl Track {
    fn inner(&self) -> &base::Track {
        &self.take.tracks[self.index]
    }

    fn by_name<'py>(py: Python<'py>, curves: &[base::ScalarCurve]) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for curve in curves {
            dict.set_item(&curve.name, curve.values.clone().into_pyarray(py))?;
        }
        Ok(dict)
    }
}

#[pymethods]
impl Track {
    /// What the body is called.
    #[getter]
    fn name(&self) -> &str {
        &self.inner().name
    }

    /// Its motion in the world.
    #[getter]
    fn clip(&self) -> Clip {
        let track = self.inner();
        let clip = Clip::of_asset(&self.figure, 0);
        if track.character.rig.feet.is_empty() {
            clip
        } else {
            clip.knowing(track.contacts.clone())
        }
    }

    /// When feet are down.
    #[getter]
    fn contacts(&self) -> Contacts {
        let track = self.inner();
        let (frames, fps) = (track.clip.frame_count(), track.clip.fps());
        Contacts::new(&track.character.rig, &track.contacts, frames, fps)
    }

    /// (footprints, 3) float32: middle between heel and ball of every footprint, in metres, in the order in which feet leave them.
    #[getter]
    fn footprints<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f32>> {
        rows(py, self.inner().footprints.iter().map(|print| print.position.to_array()))
    }

    /// (frames, 3) float32: x and z of the body in metres, and its heading in radians from +Z towards +X.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f32>> {
        let bodies = self.inner().body.iter();
        rows(py, bodies.map(|at| [at.position.x, at.position.y, at.heading]))
    }

    /// Named numbers of every frame, such as speed: name to (frames,) float32. units has their units.
    #[getter]
    fn curves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        Self::by_name(py, &self.inner().curves)
    }

    /// Torques at joints in every frame, in N·m: name of the joint to (frames,) float32.
    #[getter]
    fn torques<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        Self::by_name(py, &self.inner().torques)
    }

    /// Named points and forces of every frame: name to (frames, 3) float32; nan where there is none.
    #[getter]
    fn vectors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for curve in &self.inner().vectors {
            dict.set_item(&curve.name, rows(py, curve.values.iter().map(|v| v.to_array())))?;
        }
        Ok(dict)
    }

    /// Units of curves and vectors, by name.
    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (dict, track) = (PyDict::new(py), self.inner());
        for curve in &track.curves {
            dict.set_item(&curve.name, &curve.unit)?;
        }
        for curve in &track.vectors {
            dict.set_item(&curve.name, &curve.unit)?;
        }
        Ok(dict)
    }

    /// When it is moved by forces: list of (start, end) in seconds.
    #[getter]
    fn physical(&self) -> Vec<(f32, f32)> {
        self.inner().physical.iter().map(|part| (part.start, part.end)).collect()
    }

    /// (frames, joints, 3) float32: places of all joints in the world, in metres.
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Bound::new(py, self.clip())?.call_method0("positions")
    }

    fn __len__(&self) -> usize {
        self.inner().clip.frame_count()
    }

    fn __repr__(&self) -> String {
        let clip = &self.inner().clip;
        format!(
            "<andante.Track `{}`: {} frames, {:.2} s>",
            self.name(),
            clip.frame_count(),
            clip.duration()
        )
    }
}

/// What happened: everybody's frames, curves and events.
///
/// len(take) is the number of tracks; take[0] and take["walker"] are tracks by number and by name.
#[pyclass(frozen, module = "andante", sequence)]
pub struct Take {
    inner: Arc<base::Take>,
    figures: Vec<Arc<Figure>>,
    /// What was asked for, where it is known.
    demand: Option<Demand>,
}

impl Take {
    /// A take, and what was asked for.
    pub fn new(take: base::Take, demand: Option<Demand>) -> Self {
        let figure = |track: &base::Track| {
            let skeleton = track.character.skeleton.clone();
            let mut asset = Asset::new(skeleton, vec![track.clip.clone()]);
            asset.mesh = track.mesh.as_deref().cloned();
            match track.character.rig.feet.is_empty() {
                true => Figure::new(asset),
                false => Figure::known(asset, track.character.rig.clone()),
            }
        };
        let figures = take.tracks.iter().map(figure).collect();
        Self { inner: Arc::new(take), figures, demand }
    }

    fn at(&self, index: usize) -> Track {
        let (take, figure) = (Arc::clone(&self.inner), Arc::clone(&self.figures[index]));
        Track { take, index, figure }
    }

    fn verdict(&self, py: Python<'_>, demand: Option<&Demand>) -> PyResult<Verdict> {
        py.detach(|| check(&*self.inner, demand, &CheckSettings::default())).or_raise()
    }
}

#[pymethods]
impl Take {
    /// Reads a .take file.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let take = py.detach(|| TakeFile::open(&path).and_then(|file| file.load()));
        Ok(Self::new(take.map_err(|error| bad_take(&path, &error))?, None))
    }

    /// What it is called.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.head.name
    }

    /// One sentence about it.
    #[getter]
    fn about(&self) -> &str {
        &self.inner.head.about
    }

    /// The seed it was made with.
    #[getter]
    fn seed(&self) -> u64 {
        self.inner.head.seed
    }

    /// Frames per second of everything.
    #[getter]
    fn fps(&self) -> f32 {
        self.inner.head.fps
    }

    /// Frames of the longest track.
    #[getter]
    fn frames(&self) -> usize {
        self.inner.frames()
    }

    /// Seconds until the last one is done.
    #[getter]
    fn seconds(&self) -> f32 {
        self.inner.seconds()
    }

    /// (frames,) float64: seconds of every frame.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let fps = f64::from(self.inner.head.fps);
        PyArray1::from_iter(py, (0..self.inner.frames()).map(|k| k as f64 / fps))
    }

    /// Names of the tracks.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.inner.names()
    }

    /// Everybody in it.
    #[getter]
    fn tracks(&self) -> Vec<Track> {
        (0..self.figures.len()).map(|index| self.at(index)).collect()
    }

    /// What happened, in order of time.
    #[getter]
    fn events(&self) -> Vec<Event> {
        events(&self.inner.events, &self.inner.names())
    }

    /// What is wrong with it, the worst first: found by code that shares nothing with what made it. With a scene, world, starts and
    /// goals are those that it asks for; without one, those of the scene that was run, or that the take says.
    #[pyo3(signature = (scene=None))]
    fn check(&self, py: Python<'_>, scene: Option<&Scene>) -> PyResult<Vec<Violation>> {
        let demand = scene.map(|scene| scene.inner.demand());
        let demand = demand.as_ref().or(self.demand.as_ref());
        Ok(violations(&self.verdict(py, demand)?))
    }

    /// Quality of every track, by its name: reached, goal_error_m, way_m, footsteps, collision_frames, … and motion, a dict of
    /// metrics. Nobody has reached a goal whose track the checker finds wrong or unnatural.
    fn metrics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let verdict = self.verdict(py, self.demand.as_ref())?;
        let all = py.detach(|| measure(&*self.inner)).or_raise()?;
        let dict = PyDict::new(py);
        for (name, found) in self.inner.names().into_iter().zip(&all) {
            let one = PyDict::new(py);
            one.set_item("reached", found.reached && verdict.is_ok_of(name))?;
            one.set_item("goal_error_m", found.goal_error_m)?;
            one.set_item("goal_heading_error_deg", found.goal_heading_error_deg)?;
            one.set_item("way_m", found.way_m)?;
            one.set_item("footsteps", found.footsteps)?;
            one.set_item("footprints_off", found.footprints_off)?;
            one.set_item("collision_frames", found.collision_frames)?;
            one.set_item("collision_mm_max", found.collision_mm_max)?;
            one.set_item("motion", metrics_dict(py, &found.motion)?)?;
            dict.set_item(name, one)?;
        }
        Ok(dict)
    }

    /// Writes it by the extension: .take (everything), .glb (everybody in their world, one animation) or .csv (curves). Files are
    /// written whole or not at all. Single tracks are written as clips: take["walker"].clip.write("walker.bvh").
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let bytes = match extension.as_str() {
            "take" => {
                let saved = py.detach(|| self.inner.save(&path));
                return saved.map_err(|error| bad_take(&path, &error));
            }
            "glb" => py.detach(|| self.inner.to_glb()).or_raise()?,
            "csv" => {
                let mut bytes = Vec::new();
                py.detach(|| write_csv(&*self.inner, &mut bytes)).or_raise()?;
                bytes
            }
            _ => {
                let path = path.display();
                return Err(refused(format!("{path}: a take is written as .take, .glb or .csv")));
            }
        };
        py.detach(|| write_atomically(&path, &bytes)).map_err(|error| {
            PyOSError::new_err(format!("{}: cannot be written: {error}", path.display()))
        })
    }

    fn __len__(&self) -> usize {
        self.figures.len()
    }

    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Track> {
        let names = self.inner.names();
        if key.is_instance_of::<PyString>() {
            let name: String = key.extract()?;
            return match names.iter().position(|known| *known == name) {
                Some(index) => Ok(self.at(index)),
                None => Err(PyKeyError::new_err(format!(
                    "there is no track `{name}`; there are {}",
                    names.join(", ")
                ))),
            };
        }
        let number: isize = key.cast::<PyInt>()?.extract()?;
        let count = names.len() as isize;
        let index = if number < 0 { number + count } else { number };
        match (0..count).contains(&index) {
            true => Ok(self.at(index as usize)),
            false => {
                Err(PyIndexError::new_err(format!("there is no track {number}; there are {count}")))
            }
        }
    }

    fn __repr__(&self) -> String {
        format!(
            "<andante.Take `{}`: {}, {:.1} s at {} fps>",
            self.name(),
            self.inner.names().join(", "),
            self.seconds(),
            self.fps()
        )
    }
}
