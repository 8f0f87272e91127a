//! The stage: a scene that is stepped by hand, whose world may change at any time.

use crate::actor::Actor;
use crate::arrays::{Floats, place, places, point, rows};
use crate::error::{OrRaise, bad_stage, refused};
use crate::scene::Scene;
use crate::take::{Event, events};
use crate::terrain::Terrain;
use andante_stage as base;
use andante_stage::{ActorId, BodyDrive, CharacterSpec, GroundPatch, Waypoint};
use andante_world::{Obstacle, ObstacleShape, Platform};
use glam::Vec2;
use numpy::PyArray2;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use std::path::PathBuf;

/// A scene in a loop of one's own.
///
/// Stage(source, seed=1): a Scene, or what makes one: the name of a built-in scene, a .toml file, or its text.
/// stage["walker"] is somebody on it. It can be used in a with statement, which closes it at the end.
#[pyclass(module = "andante")]
pub struct Stage {
    inner: Option<base::Stage>,
}

/// What a stage was like at a moment; see Stage.snapshot.
#[pyclass(frozen, module = "andante")]
pub struct StageSnapshot {
    inner: base::StageSnapshot,
}

/// A foot that came down: who, foot (name) and place [x, y, z] in metres.
#[pyclass(frozen, module = "andante", get_all)]
#[derive(Clone)]
pub struct Footfall {
    /// Whose foot.
    who: String,
    /// Which foot.
    foot: String,
    /// Where, in metres.
    place: [f32; 3],
}

#[pymethods]
impl Footfall {
    fn __repr__(&self) -> String {
        let [x, y, z] = self.place;
        format!("<andante.Footfall {}, {} at [{x:.2}, {y:.2}, {z:.2}]>", self.who, self.foot)
    }
}

impl Stage {
    /// The stage of a scene.
    pub fn of(py: Python<'_>, scene: &base::Scene, seed: u64) -> PyResult<Self> {
        let stage = py.detach(|| base::Stage::new(scene, seed));
        Ok(Self { inner: Some(stage.map_err(|error| bad_stage(&error))?) })
    }

    /// The stage, if it has not been closed.
    pub fn open(&self) -> PyResult<&base::Stage> {
        self.inner.as_ref().ok_or("this stage is closed").or_raise()
    }

    /// The same, to change it.
    pub fn open_mut(&mut self) -> PyResult<&mut base::Stage> {
        self.inner.as_mut().ok_or("this stage is closed").or_raise()
    }

    fn names(&self) -> PyResult<Vec<String>> {
        Ok(self.open()?.actors().iter().map(|actor| actor.name().to_string()).collect())
    }

    fn actor(slf: &Bound<'_, Self>, id: ActorId) -> Actor {
        Actor::new(slf.clone().unbind(), id)
    }
}

/// A place and, if it is given, the heading there.
pub fn waypoint(what: &str, at: &Floats<'_>, heading: Option<f32>) -> PyResult<Waypoint> {
    let (place, height) = place(what, at)?;
    Ok(Waypoint { place, height, heading })
}

/// What moves a body, by the words of scene files.
fn drive(body: &str) -> PyResult<BodyDrive> {
    match body {
        "kinematic" => Ok(BodyDrive::Kinematic),
        "physical" => Ok(BodyDrive::Physical),
        "physical_when_touched" => Ok(BodyDrive::WhenTouched),
        _ => Err(refused(format!(
            "body is \"{body}\"; it is \"kinematic\", \"physical\" or \"physical_when_touched\""
        ))),
    }
}

#[pymethods]
impl Stage {
    #[new]
    #[pyo3(signature = (source, seed=1))]
    fn new(source: &Bound<'_, PyAny>, seed: u64) -> PyResult<Self> {
        let py = source.py();
        if let Ok(scene) = source.cast::<Scene>() {
            return Self::of(py, &scene.get().inner, seed);
        }
        let scene = Scene::of(py, source, std::path::Path::new(""))?;
        Self::of(py, &scene.inner, seed)
    }

    /// Lets dt seconds pass, as long or as short as a frame of a game is: longer ones than 1/20 s are made in several steps, and
    /// more than a second at once is left out. Other Python threads run meanwhile.
    fn step(&mut self, py: Python<'_>, dt: f32) -> PyResult<()> {
        if !(dt >= 0.0 && dt.is_finite()) {
            return Err(refused(format!("dt is {dt}; it is 0 or more seconds")));
        }
        let stage = self.open_mut()?;
        py.detach(|| stage.step(dt));
        Ok(())
    }

    /// Seconds since the beginning.
    #[getter]
    fn time(&self) -> PyResult<f64> {
        Ok(self.open()?.time())
    }

    /// Whether every order of the scene has been carried out, given up or cannot come any more.
    #[getter]
    fn is_over(&self) -> PyResult<bool> {
        Ok(self.open()?.is_over())
    }

    /// Those who are on the stage.
    #[getter]
    fn actors(slf: &Bound<'_, Self>) -> PyResult<Vec<Actor>> {
        let ids: Vec<ActorId> = slf.borrow().open()?.present().map(|actor| actor.id()).collect();
        Ok(ids.into_iter().map(|id| Self::actor(slf, id)).collect())
    }

    fn __getitem__(slf: &Bound<'_, Self>, name: &str) -> PyResult<Actor> {
        let found = slf.borrow().open()?.find(name);
        match found {
            Some(id) => Ok(Self::actor(slf, id)),
            None => {
                let stage = slf.borrow();
                let names: Vec<&str> = stage.open()?.present().map(|actor| actor.name()).collect();
                Err(PyKeyError::new_err(format!(
                    "there is nobody called `{name}`; there are {}",
                    names.join(", ")
                )))
            }
        }
    }

    fn __contains__(&self, name: &str) -> PyResult<bool> {
        Ok(self.open()?.find(name).is_some())
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.open()?.present().count())
    }

    /// (characters, 3) float32: x and z in metres and heading in radians of everybody who is there, in the order of actors.
    #[getter]
    fn places<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let all: Vec<[f32; 3]> = self
            .open()?
            .present()
            .map(|actor| actor.disc().place)
            .map(|at| [at.position.x, at.position.y, at.heading])
            .collect();
        Ok(rows(py, all.into_iter()))
    }

    /// Events of the last step.
    #[getter]
    fn events(&self) -> PyResult<Vec<Event>> {
        let names = self.names()?;
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Ok(events(self.open()?.events(), &names))
    }

    /// Feet that came down in the last step.
    #[getter]
    fn footfalls(&self) -> PyResult<Vec<Footfall>> {
        let stage = self.open()?;
        let footfall = |found: &base::Footfall| {
            let actor = stage.actor(found.who).ok()?;
            let foot = actor.character().rig.feet.get(found.foot)?.name.clone();
            Some(Footfall { who: actor.name().into(), foot, place: found.place.to_array() })
        };
        Ok(stage.footfalls().iter().filter_map(footfall).collect())
    }

    /// Puts somebody on the stage.
    ///
    /// name: what it is called. at: [x, z] or [x, y, z] in metres. heading: radians from +Z towards +X. character: "humanoid", or a
    /// file of bones and skin. repertoire: a file made by `andante repertoire`. height: in metres. run, jump: whether it may.
    /// body: "kinematic", "physical" or "physical_when_touched".
    #[pyo3(signature = (name, at, heading=None, *, character=None, repertoire=None, height=None, run=true, jump=true, body="kinematic"))]
    #[allow(clippy::too_many_arguments)]
    fn spawn(
        slf: &Bound<'_, Self>,
        name: &str,
        at: Floats<'_>,
        heading: Option<f32>,
        character: Option<String>,
        repertoire: Option<PathBuf>,
        height: Option<f32>,
        run: bool,
        jump: bool,
        body: &str,
    ) -> PyResult<Actor> {
        let mut part = CharacterSpec::new(name, waypoint("at", &at, heading)?);
        if let Some(character) = character {
            part.character = character;
        }
        let nature = drive(body)?;
        part = CharacterSpec { repertoire, height, run, jump, nature, ..part };
        let py = slf.py();
        let mut stage = slf.borrow_mut();
        let stage = stage.open_mut()?;
        let id = py.detach(|| stage.spawn(&part)).map_err(|error| bad_stage(&error))?;
        Ok(Self::actor(slf, id))
    }

    /// Puts something in the way, or moves what has this name. at: [x, y, z], the middle of its underside.
    /// box: width, height and depth; or radius and tall, of a cylinder; all in metres. heading: radians.
    #[pyo3(signature = (name, at, *, r#box=None, radius=None, tall=None, heading=0.0))]
    fn place_obstacle(
        &mut self,
        name: &str,
        at: Floats<'_>,
        r#box: Option<Floats<'_>>,
        radius: Option<f32>,
        tall: Option<f32>,
        heading: f32,
    ) -> PyResult<()> {
        let shape = match (r#box, radius, tall) {
            (Some(size), None, None) => ObstacleShape::Box(point("box", &size)?),
            (None, Some(radius), Some(height)) => ObstacleShape::Cylinder { radius, height },
            _ => return Err(refused("an obstacle is a box, or has a radius and is tall")),
        };
        let obstacle = Obstacle { name: name.into(), shape, at: point("at", &at)?, heading };
        self.open_mut()?.place_obstacle(obstacle).or_raise()
    }

    /// Takes an obstacle away.
    fn remove_obstacle(&mut self, name: &str) -> PyResult<()> {
        self.open_mut()?.remove_obstacle(name).or_raise()
    }

    /// Names of the obstacles that stand or hang in the way now.
    #[getter]
    fn obstacles(&self) -> PyResult<Vec<String>> {
        Ok(self.open()?.obstacles().iter().map(|thing| thing.name.clone()).collect())
    }

    /// Adds ground, or replaces what has this name. outline: corners [x, z], in metres. height: of the plane. terrain: a Terrain or
    /// its word on top of it.
    #[pyo3(signature = (name, outline, *, height=0.0, terrain=None))]
    fn place_ground(
        &mut self,
        name: &str,
        outline: Floats<'_>,
        height: f32,
        terrain: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let outline: Vec<Vec2> =
            places("outline", &outline)?.into_iter().map(|(place, _)| place).collect();
        let terrain = terrain.map(Terrain::of).transpose()?.map(|(terrain, _)| terrain);
        let patch = GroundPatch { platform: Platform::level(name, outline, height), terrain };
        self.open_mut()?.place_ground(patch).map_err(|error| bad_stage(&error))
    }

    /// Takes ground away.
    fn remove_ground(&mut self, name: &str) -> PyResult<()> {
        self.open_mut()?.remove_ground(name).map_err(|error| bad_stage(&error))
    }

    /// Says from where the stage is looked at, [x, y, z]: who is far away is made with less detail. None: everybody in full.
    fn set_viewer(&mut self, viewer: Option<Floats<'_>>) -> PyResult<()> {
        let viewer = viewer.map(|viewer| point("viewer", &viewer)).transpose()?;
        self.open_mut()?.set_viewer(viewer).or_raise()
    }

    /// Everything as it is now, for restore.
    fn snapshot(&self) -> PyResult<StageSnapshot> {
        Ok(StageSnapshot { inner: self.open()?.snapshot() })
    }

    /// Goes back to a snapshot; the same calls give the same bits again.
    fn restore(&mut self, snapshot: &StageSnapshot) -> PyResult<()> {
        self.open_mut()?.restore(&snapshot.inner);
        Ok(())
    }

    /// Ends it and frees its memory. Whatever is done with it or with its actors afterwards raises andante.Error.
    fn close(&mut self) {
        self.inner = None;
    }

    /// Whether it has been closed.
    #[getter]
    fn closed(&self) -> bool {
        self.inner.is_none()
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __exit__(
        &mut self,
        _kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) {
        self.close();
    }

    fn __repr__(&self) -> String {
        match &self.inner {
            None => "<andante.Stage, closed>".into(),
            Some(stage) => {
                let names: Vec<&str> = stage.present().map(|actor| actor.name()).collect();
                format!("<andante.Stage at {:.2} s: {}>", stage.time(), names.join(", "))
            }
        }
    }
}
