//! A body under gravity, one step after another; and many of them at once.

use crate::arrays::{Doubles, expect_shape, view};
use crate::body::{Body, actuators, coordinate_names, velocity_names};
use crate::error::{OrRaise, refused};
use crate::terrain::Terrain;
use andante_body as base;
use andante_dynamics::{
    ContactTerrain, JointState, Model, PhysicsSettings, Simulation as Sim, f64x4, vec3,
};
use andante_skeleton::check_setting;
use andante_stage::ProbedSurface;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::Arc;

/// Bodies that go through the same arithmetic together.
const LANES: usize = 4;

/// Steps between two looks at whether somebody pressed Ctrl-C.
const UNHEARD: u32 = 1000;

/// Steps in parts after which somebody may end them.
fn parts(steps: u32) -> impl Iterator<Item = u32> {
    let whole = std::iter::repeat_n(UNHEARD, (steps / UNHEARD) as usize);
    whole.chain((!steps.is_multiple_of(UNHEARD)).then_some(steps % UNHEARD))
}

/// The world of a simulation, from what Python says.
fn settings(step: f64, friction: f64, gravity: Option<f64>) -> PyResult<PhysicsSettings> {
    check_setting("step", &step, 1e-5..=0.02).or_raise()?;
    check_setting("friction", &friction, 0.0..=10.0).or_raise()?;
    check_setting("gravity", &gravity, 0.0..=100.0).or_raise()?;
    let gravity = vec3(0.0, -gravity.unwrap_or(PhysicsSettings::STANDARD_GRAVITY), 0.0);
    Ok(PhysicsSettings { step, friction, gravity, ..PhysicsSettings::default() })
}

/// The ground: level if nothing is said, nothing if it is "none", otherwise a terrain.
fn ground(given: Option<&Bound<'_, PyAny>>) -> PyResult<ContactTerrain> {
    let Some(given) = given else { return Ok(ContactTerrain::level()) };
    match given.extract::<String>().ok().as_deref() {
        Some("level") => Ok(ContactTerrain::level()),
        Some("none") => Ok(ContactTerrain::None),
        _ => Ok(ContactTerrain::surface(ProbedSurface(Terrain::of(given)?.0))),
    }
}

fn vector(py: Python<'_>, values: impl IntoIterator<Item = f64>) -> Bound<'_, PyArray1<f64>> {
    values.into_iter().collect::<Vec<f64>>().into_pyarray(py)
}

/// Numbers of a known length.
fn numbers(what: &str, given: &Doubles<'_>, count: usize, of: &str) -> PyResult<Vec<f64>> {
    let array = view(given);
    expect_shape(what, &array, &[(Some(count), of)])?;
    Ok(array.iter().copied().collect())
}

/// One body in double precision.
///
/// qpos: coordinates: x, y, z and the quaternion x y z w of the root, then per joint an angle in radians or a quaternion.
/// qvel: velocities: angular, then linear of the root, in world axes, then per joint. Y is up. Names are in qpos_names and qvel_names.
/// step: seconds a step. pose: a rest pose of the body, towards which its springs pull. friction: Coulomb's, of everything.
/// gravity: m/s² downwards; 9.80665 if not given. terrain: a Terrain or its word; "level" if not given, "none" for free flight.
#[pyclass(module = "andante")]
pub struct Simulation {
    inner: Sim<f64>,
    model: Arc<Model>,
    actuators: Vec<(usize, f64)>,
}

impl Simulation {
    fn link(&self, segment: &str) -> PyResult<usize> {
        self.model
            .find(segment)
            .ok_or_else(|| PyKeyError::new_err(format!("there is no segment `{segment}`")))
    }
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (body, *, step=0.002, pose=None, friction=0.8, gravity=None, terrain=None))]
    fn new(
        body: &Bound<'_, PyAny>,
        step: f64,
        pose: Option<&str>,
        friction: f64,
        gravity: Option<f64>,
        terrain: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let settings = settings(step, friction, gravity)?;
        let body = Body::of(body)?;
        let model = Body::model(&body, pose, &settings)?;
        let inner = Sim::new(Arc::clone(&model), ground(terrain)?, settings).or_raise()?;
        Ok(Self { inner, actuators: actuators(&model), model })
    }

    /// Makes steps with torques: one number per actuator, in parts of its limit, -1 to 1, beyond which they are cut off; nothing
    /// drives it if not given. Raises andante.Error if it goes so fast that it cannot be simulated: it stays where it was before.
    #[pyo3(signature = (action=None, *, steps=1))]
    fn step(&mut self, py: Python<'_>, action: Option<Doubles<'_>>, steps: u32) -> PyResult<()> {
        let count = self.actuators.len();
        let action = match &action {
            Some(action) => numbers("action", action, count, "actuators")?,
            None => vec![0.0; count],
        };
        if let Some(bad) = action.iter().find(|value| !value.is_finite()) {
            return Err(refused(format!("an action is {bad}; it is -1 to 1")));
        }
        let torque = self.inner.controls_mut().torque_mut();
        for ((freedom, limit), value) in self.actuators.iter().zip(&action) {
            torque[*freedom] = limit * value.clamp(-1.0, 1.0);
        }
        for part in parts(steps) {
            let inner = &mut self.inner;
            py.detach(|| {
                for _ in 0..part {
                    inner.step();
                }
            });
            py.check_signals()?;
        }
        match self.inner.quarantine(0) {
            None => Ok(()),
            Some(found) => Err(refused(format!(
                "segment `{}` cannot be simulated any more after step {}: {:?}",
                self.model.links()[found.link].name,
                found.step,
                found.reason
            ))),
        }
    }

    /// Coordinates, a copy; names are in qpos_names. They can be set.
    #[getter]
    fn qpos<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, self.inner.state().q.iter().copied())
    }

    #[setter]
    fn set_qpos(&mut self, values: Doubles<'_>) -> PyResult<()> {
        let q = numbers("qpos", &values, self.model.coordinates(), "coordinates")?;
        let state = JointState { q, v: self.inner.state().v.clone() };
        self.inner.set_state(&state).or_raise()
    }

    /// Velocities, a copy; names are in qvel_names. They can be set.
    #[getter]
    fn qvel<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, self.inner.state().v.iter().copied())
    }

    #[setter]
    fn set_qvel(&mut self, values: Doubles<'_>) -> PyResult<()> {
        let v = numbers("qvel", &values, self.model.freedoms(), "velocities")?;
        let state = JointState { q: self.inner.state().q.clone(), v };
        self.inner.set_state(&state).or_raise()
    }

    /// Puts it at rest in its rest pose.
    fn reset(&mut self) -> PyResult<()> {
        self.inner.set_state(&JointState::rest(&self.model)).or_raise()
    }

    /// Names of the coordinates, such as left_shank:angle.
    #[getter]
    fn qpos_names(&self) -> Vec<String> {
        coordinate_names(&self.model)
    }

    /// Names of the velocities.
    #[getter]
    fn qvel_names(&self) -> Vec<String> {
        velocity_names(&self.model)
    }

    /// Names of the actuators: the joint axes that muscles or motors turn.
    #[getter]
    fn actuator_names(&self) -> Vec<String> {
        let names = velocity_names(&self.model);
        self.actuators.iter().map(|(freedom, _)| names[*freedom].clone()).collect()
    }

    /// Largest torque of each actuator, in N·m.
    #[getter]
    fn torque_limits<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, self.actuators.iter().map(|(_, limit)| *limit))
    }

    /// Seconds since the start.
    #[getter]
    fn time(&self) -> f64 {
        self.inner.time()
    }

    /// Kinetic, potential and elastic energy, in J.
    #[getter]
    fn energy(&self) -> (f64, f64, f64) {
        let sim = &self.inner;
        (sim.kinetic_energy(), sim.potential_energy(), sim.elastic_energy())
    }

    /// Centre of mass [x, y, z], in metres.
    #[getter]
    fn centre_of_mass<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let at = self.inner.centre_of_mass(0);
        vector(py, [at.x, at.y, at.z])
    }

    /// (segments, 3) float64: origin of every segment in the world, in metres.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        let kin = self.inner.kinematics();
        let count = self.model.links().len();
        Array2::from_shape_fn((count, 3), |(link, axis)| {
            let at = kin.position(&self.model, link);
            [at.x, at.y, at.z][axis]
        })
        .into_pyarray(py)
    }

    /// Contacts of the last step: list of (segment, point [x, y, z] in metres, force [x, y, z] on the segment in N).
    #[getter]
    fn contacts(&self) -> Vec<(String, [f64; 3], [f64; 3])> {
        self.inner
            .contacts(0)
            .map(|found| {
                let (at, force) = (found.point, found.force);
                let name = self.model.links()[found.link].name.clone();
                (name, [at.x, at.y, at.z], [force.x, force.y, force.z])
            })
            .collect()
    }

    /// A force [x, y, z] in N on a segment through a point [x, y, z] in the world, or through its origin, for the next step only.
    #[pyo3(signature = (segment, force, point=None))]
    fn apply_force(
        &mut self,
        segment: &str,
        force: Doubles<'_>,
        point: Option<Doubles<'_>>,
    ) -> PyResult<()> {
        let link = self.link(segment)?;
        let force = numbers("force", &force, 3, "numbers")?;
        let origin = self.inner.kinematics().position(&self.model, link);
        let point = match &point {
            Some(point) => numbers("point", point, 3, "numbers")?,
            None => vec![origin.x, origin.y, origin.z],
        };
        if force.iter().chain(&point).any(|number| !number.is_finite()) {
            return Err(refused("force and point are finite numbers"));
        }
        let (force, point) =
            (vec3(force[0], force[1], force[2]), vec3(point[0], point[1], point[2]));
        self.inner.apply_force(link, force, point);
        Ok(())
    }

    fn __repr__(&self) -> String {
        let links = self.model.links().len();
        format!("<andante.Simulation: {links} segments, {:.3} s>", self.inner.time())
    }
}

/// Many bodies of one kind, each alone in its world: four go through the same arithmetic at once, and threads share them.
/// andante.gym makes environments of it.
///
/// The same actions give the same bits for any number of threads, and for any number of bodies.
#[pyclass(module = "andante")]
pub struct Batch {
    packs: Vec<Sim<f64x4>>,
    model: Arc<Model>,
    body: Arc<base::Body>,
    actuators: Vec<(usize, f64)>,
    count: usize,
    pool: Option<rayon::ThreadPool>,
}

impl Batch {
    /// Does something with every pack and its rows of an array, on all threads.
    fn each(
        packs: &mut [Sim<f64x4>],
        pool: Option<&rayon::ThreadPool>,
        work: impl Fn(usize, &mut Sim<f64x4>) + Sync,
    ) {
        match pool {
            None => packs.iter_mut().enumerate().for_each(|(index, pack)| work(index, pack)),
            Some(pool) => pool.install(|| {
                packs.par_iter_mut().enumerate().for_each(|(index, pack)| work(index, pack));
            }),
        }
    }

    /// A number of every body as rows.
    fn table<'py>(
        &self,
        py: Python<'py>,
        columns: usize,
        of: impl Fn(&JointState<f64x4>, usize) -> f64x4,
    ) -> Bound<'py, PyArray2<f64>> {
        let mut all = Array2::zeros((self.count, columns));
        for (pack, mut rows) in
            self.packs.iter().zip(all.axis_chunks_iter_mut(numpy::ndarray::Axis(0), LANES))
        {
            for column in 0..columns {
                let numbers = of(pack.state(), column).to_array();
                for (lane, row) in rows.column_mut(column).iter_mut().enumerate() {
                    *row = numbers[lane];
                }
            }
        }
        all.into_pyarray(py)
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (body, count, *, step=0.002, pose=None, friction=0.8, gravity=None, terrain=None, threads=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        body: &Bound<'_, PyAny>,
        count: usize,
        step: f64,
        pose: Option<&str>,
        friction: f64,
        gravity: Option<f64>,
        terrain: Option<&Bound<'_, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        if !(1..=1 << 20).contains(&count) {
            return Err(refused(format!("count is {count}; it is 1 to {}", 1 << 20)));
        }
        let settings = settings(step, friction, gravity)?;
        let body = Body::of(body)?;
        let model = Body::model(&body, pose, &settings)?;
        let first = Sim::<f64x4>::new(Arc::clone(&model), ground(terrain)?, settings).or_raise()?;
        let packs = vec![first; count.div_ceil(LANES)];
        let usual = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.unwrap_or(usual).min(packs.len());
        if threads == 0 {
            return Err(refused("threads is 0; it is 1 or more"));
        }
        let pool = (threads > 1)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build())
            .transpose()
            .or_raise()?;
        let actuators = actuators(&model);
        Ok(Self { packs, model, body, actuators, count, pool })
    }

    /// Makes steps of all bodies with the same torques throughout. actions: (bodies, actuators) in parts of the limits, -1 to 1,
    /// beyond which they are cut off. Other Python threads run meanwhile.
    #[pyo3(signature = (actions, *, steps=1))]
    fn step(&mut self, py: Python<'_>, actions: Doubles<'_>, steps: u32) -> PyResult<()> {
        let actions = view(&actions);
        let (bodies, axes) = (self.count, self.actuators.len());
        expect_shape("actions", &actions, &[(Some(bodies), "bodies"), (Some(axes), "actuators")])?;
        if let Some(bad) = actions.iter().find(|value| !value.is_finite()) {
            return Err(refused(format!("an action is {bad}; it is -1 to 1")));
        }
        let actions: Vec<f64> = actions.iter().copied().collect();
        let (pool, actuators) = (self.pool.as_ref(), &self.actuators);
        for part in parts(steps) {
            let packs = &mut self.packs;
            py.detach(|| {
                Self::each(packs, pool, |index, pack| {
                    let torque = pack.controls_mut().torque_mut();
                    for (column, (freedom, limit)) in actuators.iter().enumerate() {
                        let mut numbers = [0.0; LANES];
                        for (lane, number) in numbers.iter_mut().enumerate() {
                            let row = index * LANES + lane;
                            if row < bodies {
                                *number = limit * actions[row * axes + column].clamp(-1.0, 1.0);
                            }
                        }
                        torque[*freedom] = f64x4::from(numbers);
                    }
                    for _ in 0..part {
                        pack.step();
                    }
                });
            });
            py.check_signals()?;
        }
        Ok(())
    }

    /// Puts some bodies at rest in the rest pose and moves them from there. which: indices. turned: (len(which), velocities): how far
    /// along each velocity, in metres and radians. moving: (len(which), velocities): how fast. Whoever could not be simulated
    /// any more is again.
    #[pyo3(signature = (which, turned=None, moving=None))]
    fn reset(
        &mut self,
        which: Vec<usize>,
        turned: Option<Doubles<'_>>,
        moving: Option<Doubles<'_>>,
    ) -> PyResult<()> {
        let freedoms = self.model.freedoms();
        let table = |what: &str, given: &Option<Doubles<'_>>| -> PyResult<Vec<f64>> {
            let Some(given) = given else { return Ok(vec![0.0; which.len() * freedoms]) };
            let array = view(given);
            let shape = [(Some(which.len()), "bodies"), (Some(freedoms), "velocities")];
            expect_shape(what, &array, &shape)?;
            Ok(array.iter().copied().collect())
        };
        let (turned, moving) = (table("turned", &turned)?, table("moving", &moving)?);
        for (row, body) in which.iter().enumerate() {
            if *body >= self.count {
                return Err(refused(format!("there is no body {body}; there are {}", self.count)));
            }
            let range = row * freedoms..(row + 1) * freedoms;
            let mut state = JointState::<f64>::rest(&self.model);
            state.v.copy_from_slice(&turned[range.clone()]);
            state.advance(&self.model, 1.0);
            state.v.copy_from_slice(&moving[range]);
            self.packs[body / LANES].set_lane(body % LANES, &state).or_raise()?;
        }
        Ok(())
    }

    /// (bodies, coordinates) float64: coordinates of every body, a copy.
    #[getter]
    fn qpos<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        self.table(py, self.model.coordinates(), |state, column| state.q[column])
    }

    /// (bodies, velocities) float64: velocities of every body, a copy.
    #[getter]
    fn qvel<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        self.table(py, self.model.freedoms(), |state, column| state.v[column])
    }

    /// (bodies,) bool: bodies that went so fast that they stay where they are until they are reset.
    #[getter]
    fn quarantined<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let state = |body: usize| self.packs[body / LANES].is_quarantined(body % LANES);
        (0..self.count).map(state).collect::<Vec<bool>>().into_pyarray(py)
    }

    /// (bodies,) int64: contacts with the ground in the last step.
    #[getter]
    fn contact_counts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let count = |body: usize| self.packs[body / LANES].contacts(body % LANES).count() as i64;
        (0..self.count).map(count).collect::<Vec<i64>>().into_pyarray(py)
    }

    /// Names of the coordinates.
    #[getter]
    fn qpos_names(&self) -> Vec<String> {
        coordinate_names(&self.model)
    }

    /// Names of the velocities.
    #[getter]
    fn qvel_names(&self) -> Vec<String> {
        velocity_names(&self.model)
    }

    /// Names of the actuators.
    #[getter]
    fn actuator_names(&self) -> Vec<String> {
        let names = velocity_names(&self.model);
        self.actuators.iter().map(|(freedom, _)| names[*freedom].clone()).collect()
    }

    /// Largest torque of each actuator, in N·m.
    #[getter]
    fn torque_limits<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, self.actuators.iter().map(|(_, limit)| *limit))
    }

    /// The rest pose: (coordinates,) float64.
    #[getter]
    fn rest<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, self.model.rest().iter().copied())
    }

    /// The body.
    #[getter]
    fn body(&self) -> Body {
        Body { inner: Arc::clone(&self.body) }
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        format!("<andante.Batch: {} of `{}`>", self.count, self.body.name())
    }
}
