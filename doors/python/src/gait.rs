//! Natural vibrations, and gaits that are found from them.

use crate::body::Body;
use crate::clip::Clip;
use crate::error::{OrRaise, refused, unreadable};
use crate::figure::Figure;
use andante_body::RestPose;
use andante_formats::{Asset, ReadLimits, write_atomically};
use andante_gait as base;
use andante_gait::{
    Evaluator, FoundGait, GaitCycle, GaitProblem, GaitSketch, Modes as Vibrations, PinnedPoint,
    PlainWalkOptions, ProblemOptions, SKETCHES, Search, SearchOptions, read_gait_file, read_sketch,
    read_sketch_file,
};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::{PyFileNotFoundError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The natural vibrations of a body in a pose, slowest first.
#[pyclass(frozen, module = "andante")]
pub struct Modes {
    found: Vibrations,
    body: Arc<andante_body::Body>,
}

/// Finds the natural vibrations of a body.
///
/// body: a Body or what makes one. pose: the rest pose of its springs; the first if not given. foot: name of a foot whose toe is
/// pinned to the ground; in the air if not given.
#[pyfunction]
#[pyo3(signature = (body, *, pose=None, foot=None))]
pub fn modes(body: &Bound<'_, PyAny>, pose: Option<&str>, foot: Option<&str>) -> PyResult<Modes> {
    let body = Body::of(body)?;
    let pins: Vec<PinnedPoint> = match foot {
        None => Vec::new(),
        Some(name) => match body.feet().iter().find(|foot| foot.name == name) {
            Some(foot) => vec![PinnedPoint::toe(foot)],
            None => {
                let names: Vec<&str> = body.feet().iter().map(|foot| foot.name.as_str()).collect();
                let (body, names) = (body.name(), names.join(", "));
                return Err(refused(format!("{body} has no foot `{name}`; it has {names}")));
            }
        },
    };
    let rest: &RestPose = Body::pose(&body, pose)?;
    let found = Vibrations::find(&body, rest, &pins).or_raise()?;
    Ok(Modes { found, body })
}

impl Modes {
    fn each<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&base::VibrationMode) -> f64,
    ) -> Bound<'py, PyArray1<f64>> {
        self.found.modes.iter().map(of).collect::<Vec<f64>>().into_pyarray(py)
    }
}

#[pymethods]
impl Modes {
    /// (modes,) float64: natural frequencies in Hz, ascending.
    #[getter]
    fn frequencies<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.each(py, base::VibrationMode::hz)
    }

    /// (modes, joint angles) float64: deflection of every joint angle, of unit length, the largest entry positive.
    #[getter]
    fn shapes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        let modes = &self.found.modes;
        let columns = modes.first().map_or(0, |mode| mode.shape.len());
        Array2::from_shape_fn((modes.len(), columns), |(row, column)| modes[row].shape[column])
            .into_pyarray(py)
    }

    /// (modes, 6) float64: what the root does meanwhile: its turn in radians, then its shift in metres.
    #[getter]
    fn roots<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        let modes = &self.found.modes;
        Array2::from_shape_fn((modes.len(), 6), |(row, column)| modes[row].root[column])
            .into_pyarray(py)
    }

    /// (modes,) float64: modal masses, kg·m².
    #[getter]
    fn masses<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.each(py, |mode| mode.mass)
    }

    /// (modes,) float64: modal stiffnesses, N·m/rad.
    #[getter]
    fn stiffnesses<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.each(py, |mode| mode.stiffness)
    }

    /// (modes,) float64: modal dampings, N·m·s/rad.
    #[getter]
    fn dampings<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.each(py, |mode| mode.damping)
    }

    /// Motions that meet no spring at all; they are not in the arrays.
    #[getter]
    fn rigid(&self) -> usize {
        self.found.rigid
    }

    /// What each mode does, in words.
    #[getter]
    fn descriptions(&self) -> Vec<String> {
        self.found.modes.iter().map(|mode| mode.describe(&self.body).text).collect()
    }

    fn __len__(&self) -> usize {
        self.found.modes.len()
    }

    fn __repr__(&self) -> String {
        format!("<andante.Modes of `{}`: {}>", self.body.name(), self.found.modes.len())
    }
}

/// What an animator says of a gait: which modes are pushed in flight and in stance.
///
/// Sketch(source): a built-in one (sketches() lists them), a .toml file, or its text.
#[pyclass(frozen, module = "andante")]
pub struct Sketch {
    inner: GaitSketch,
}

/// Names of the built-in sketches of gaits.
#[pyfunction]
pub fn sketches() -> Vec<&'static str> {
    SKETCHES.iter().map(|(name, _)| *name).collect()
}

impl Sketch {
    fn of(source: &Bound<'_, PyAny>) -> PyResult<GaitSketch> {
        if let Ok(sketch) = source.cast::<Self>() {
            return Ok(sketch.get().inner.clone());
        }
        let text: Option<String> = source.extract().ok();
        let sketch = match text.as_deref() {
            Some(text) if text.contains('\n') => read_sketch(text),
            Some(name) if sketches().contains(&name) => GaitSketch::built_in(name),
            Some(name) if Path::new(name).extension().is_none() && !Path::new(name).exists() => {
                return Err(PyFileNotFoundError::new_err(format!(
                    "there is no sketch `{name}`; there are {}",
                    sketches().join(", ")
                )));
            }
            _ => read_sketch_file(&source.extract::<PathBuf>()?, &ReadLimits::default()),
        };
        sketch.map_err(|error| unreadable(source.py(), &error))
    }
}

#[pymethods]
impl Sketch {
    #[new]
    fn new(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { inner: Self::of(source)? })
    }

    /// A walk for the build of a body.
    #[staticmethod]
    fn walk(body: &Bound<'_, PyAny>) -> PyResult<Self> {
        let body = Body::of(body)?;
        Ok(Self { inner: GaitSketch::walk(&body, &PlainWalkOptions::default()).or_raise()? })
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

    /// Name of a built-in body, or the path of a file.
    #[getter]
    fn character(&self) -> &str {
        &self.inner.character
    }

    /// The sketch as the text of a file.
    fn to_toml(&self) -> String {
        self.inner.to_toml()
    }

    fn __repr__(&self) -> String {
        format!("<andante.Sketch `{}` of `{}`>", self.inner.name, self.inner.character)
    }
}

/// A gait that was found. valid says whether its cycle closes and every soft constraint holds: checked anew, not as a file says.
#[pyclass(frozen, module = "andante")]
pub struct Gait {
    found: FoundGait,
    problem: Arc<GaitProblem>,
    candidate: base::PulseController,
    complaints: Vec<String>,
    evaluations: u64,
}

impl Gait {
    /// A gait from a file or one that was found before, tried out again.
    fn tried(py: Python<'_>, gait: &FoundGait, sketch: &GaitSketch) -> PyResult<Self> {
        let character = pyo3::types::PyString::new(py, &sketch.character);
        let body = Body::of(&character)?;
        let problem = GaitProblem::new(&body, sketch, &gait.options()).or_raise()?;
        let problem = Arc::new(problem);
        let candidate = gait.candidate(&problem).or_raise()?;
        let evaluator = Evaluator::new(Arc::clone(&problem), 1).or_raise()?;
        let tried = py.detach(|| evaluator.try_out(std::slice::from_ref(&candidate))).pop();
        let trial = tried.ok_or_else(|| refused("it could not be tried out"))?;
        let complaints = problem.complaints(&trial);
        let again = FoundGait::of(&problem, &candidate, &trial);
        let found = FoundGait { made_by: gait.made_by.clone(), ..again };
        Ok(Self { found, problem, candidate, complaints, evaluations: 1 })
    }
}

#[pymethods]
impl Gait {
    /// The gait of a built-in sketch that was found before, or of a file that `andante gait` wrote.
    #[new]
    fn new(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = source.py();
        let name: Option<String> = source.extract().ok();
        if let Some(name) = name.filter(|name| sketches().contains(&name.as_str())) {
            let sketch = Sketch::of(source)?;
            let found = FoundGait::built_in(&name).map_err(|error| unreadable(py, &error))?;
            let found = found.ok_or_else(|| refused(format!("no gait of `{name}` is built in")))?;
            return Self::tried(py, &found, &sketch);
        }
        let path: PathBuf = source.extract()?;
        let found = read_gait_file(&path, &ReadLimits::default())
            .map_err(|error| unreadable(py, &error))?
            .ok_or_else(|| refused(format!("{}: is not the file of a gait", path.display())))?;
        let sketch = found.asked_sketch().map_err(|error| unreadable(py, &error.in_file(&path)))?;
        Self::tried(py, &found, &sketch)
    }

    /// Name of the sketch.
    #[getter]
    fn sketch(&self) -> &str {
        &self.found.sketch
    }

    /// Whether the cycle closes and every soft constraint holds.
    #[getter]
    fn valid(&self) -> bool {
        self.found.valid
    }

    /// What is wrong with it, in words.
    #[getter]
    fn complaints(&self) -> Vec<String> {
        self.complaints.clone()
    }

    /// Mean speed forwards, in m/s.
    #[getter]
    fn speed(&self) -> f64 {
        self.found.speed
    }

    /// Work of the active torques over weight times distance.
    #[getter]
    fn cost_of_transport(&self) -> f64 {
        self.found.cost_of_transport
    }

    /// Mean of the sum of squared active torques, in (N·m)².
    #[getter]
    fn effort(&self) -> f64 {
        self.found.effort
    }

    /// Simulations that it took.
    #[getter]
    fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// One cycle as a clip of the body's segments, at about 60 frames per second; its contacts are those of the simulation.
    fn clip(&self, py: Python<'_>) -> PyResult<Clip> {
        let (problem, candidate) = (&self.problem, &self.candidate);
        let cycle = py.detach(|| GaitCycle::new(problem, candidate));
        let (character, puppet) = base::character(problem.body()).or_raise()?;
        let source = cycle.source(problem, &puppet, &self.found.sketch).or_raise()?;
        let mut asset = Asset::new(character.skeleton, vec![source.clip]);
        asset.mesh = Some(puppet.skin);
        Ok(Clip::of_asset(&Figure::known(asset, character.rig), 0).knowing(source.contacts))
    }

    /// The gait as the text of a file.
    fn to_toml(&self) -> PyResult<String> {
        self.found.to_toml().or_raise()
    }

    /// Writes it as a .toml file that `andante gait` and Gait read.
    fn write(&self, path: PathBuf) -> PyResult<()> {
        write_atomically(&path, self.to_toml()?.as_bytes()).map_err(|error| {
            PyOSError::new_err(format!("{}: cannot be written: {error}", path.display()))
        })
    }

    fn __repr__(&self) -> String {
        let valid = if self.found.valid { "valid" } else { "not valid" };
        format!("<andante.Gait `{}`: {:.2} m/s, {valid}>", self.found.sketch, self.found.speed)
    }
}

/// Searches for a gait, until it is found or the callback says so; returns the best so far. Finding one takes minutes.
///
/// sketch: a Sketch or what makes one. body: a Body or what makes one; that of the sketch if not given. seed: for everything random.
/// evaluations: ends after about so many simulations. callback: called after every generation with a dict of evaluations, merit
/// (0 would be perfect), speed (m/s), effort, residual (in parts of its tolerance) and violated (soft constraints); the search ends
/// if it returns False. threads: as many as there are cores if not given. Ctrl-C raises KeyboardInterrupt at the next
/// generation. The same sketch, body and seed give the same gait for any number of threads.
#[pyfunction]
#[pyo3(signature = (sketch, *, body=None, seed=1, evaluations=None, callback=None, threads=None))]
pub fn search(
    sketch: &Bound<'_, PyAny>,
    body: Option<&Bound<'_, PyAny>>,
    seed: u64,
    evaluations: Option<u64>,
    callback: Option<&Bound<'_, PyAny>>,
    threads: Option<usize>,
) -> PyResult<Gait> {
    let py = sketch.py();
    let sketch = Sketch::of(sketch)?;
    let body = match body {
        Some(body) => Body::of(body)?,
        None => Body::of(&pyo3::types::PyString::new(py, &sketch.character))?,
    };
    if threads == Some(0) {
        return Err(refused("threads is 0; it is 1 or more"));
    }
    let usual = std::thread::available_parallelism().map_or(1, usize::from);
    let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default());
    let problem = Arc::new(problem.map_err(|error| refused(format!("{}: {error}", sketch.name)))?);
    let options = SearchOptions { seed, ..SearchOptions::default() };
    let search = Search::new(Arc::clone(&problem), &options, threads.unwrap_or(usual));
    let mut search = search.or_raise()?;
    while !search.is_over() {
        py.detach(|| search.step());
        py.check_signals()?;
        if let (Some(callback), Some(now)) = (callback, search.history().last()) {
            let told = PyDict::new(py);
            told.set_item("evaluations", now.evaluations)?;
            told.set_item("merit", now.merit)?;
            told.set_item("speed", now.speed)?;
            told.set_item("effort", now.effort)?;
            told.set_item("residual", now.residual)?;
            told.set_item("violated", now.violated)?;
            let answer = callback.call1((told,))?;
            if !answer.is_none() && !answer.is_truthy()? {
                break;
            }
        }
        if evaluations.is_some_and(|most| search.evaluations() >= most) {
            break;
        }
    }
    let best = search.best().ok_or_else(|| refused("nothing was simulated"))?;
    let complaints = problem.complaints(&best.trial);
    let mut found = FoundGait::new(&problem, best);
    found.made_by = format!("andante.search(\"{}\", seed={seed})", sketch.name);
    let candidate = problem.decode(&best.point);
    Ok(Gait { found, candidate, complaints, evaluations: search.evaluations(), problem })
}
