//! Somebody on a stage.

use crate::arrays::{Floats, place, places, point, rows, seven};
use crate::error::{OrRaise, refused};
use crate::skeleton::Skeleton;
use crate::stage::{Stage, waypoint};
use andante_stage as base;
use andante_stage::{ActorId, Command, GazeTarget, PropForm, PushOrder, ThrowOrder, Waypoint};
use glam::Vec3;
use numpy::PyArray2;
use pyo3::prelude::*;

/// Somebody on a stage. Positions and poses are copies of the moment.
///
/// Commands give up what it was doing and go over without a jolt; whether they can be carried out shows in the events of later
/// steps. What makes no sense is refused with andante.Error. Places are [x, z] or [x, y, z] in metres, headings radians from +Z
/// towards +X.
#[pyclass(frozen, module = "andante")]
pub struct Actor {
    stage: Py<Stage>,
    id: ActorId,
}

impl Actor {
    /// Somebody on a stage.
    pub fn new(stage: Py<Stage>, id: ActorId) -> Self {
        Self { stage, id }
    }

    fn ask<T>(&self, py: Python<'_>, what: impl FnOnce(&base::Actor) -> T) -> PyResult<T> {
        let stage = self.stage.bind(py).borrow();
        Ok(what(stage.open()?.actor(self.id).or_raise()?))
    }

    fn tell(&self, py: Python<'_>, command: Command) -> PyResult<()> {
        let mut stage = self.stage.bind(py).borrow_mut();
        stage.open_mut()?.command(self.id, command).or_raise()
    }

    /// A heading, a point or somebody else.
    fn gaze(target: &Bound<'_, PyAny>) -> PyResult<GazeTarget> {
        if let Ok(other) = target.cast::<Self>() {
            return Ok(GazeTarget::Character(other.get().id));
        }
        if let Ok(heading) = target.extract::<f32>() {
            return Ok(GazeTarget::Heading(heading));
        }
        let given: Floats<'_> = target.extract()?;
        let (place, height) = place("target", &given)?;
        Ok(GazeTarget::Point(Vec3::new(place.x, height.unwrap_or(0.0), place.y)))
    }

    fn posts(what: &str, given: &Floats<'_>) -> PyResult<Vec<Waypoint>> {
        let post = |(place, height)| Waypoint { place, height, heading: None };
        Ok(places(what, given)?.into_iter().map(post).collect())
    }
}

#[pymethods]
impl Actor {
    /// Its name.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |actor| actor.name().to_string())
    }

    /// Its joints.
    #[getter]
    fn skeleton(&self, py: Python<'_>) -> PyResult<Skeleton> {
        self.ask(py, |actor| actor.character().skeleton.clone().into())
    }

    /// x and z in metres.
    #[getter]
    fn place(&self, py: Python<'_>) -> PyResult<(f32, f32)> {
        self.ask(py, |actor| actor.disc().place.position.into())
    }

    /// Where it faces, in radians from +Z towards +X.
    #[getter]
    fn heading(&self, py: Python<'_>) -> PyResult<f32> {
        self.ask(py, |actor| actor.disc().place.heading)
    }

    /// Along its heading, in m/s.
    #[getter]
    fn speed(&self, py: Python<'_>) -> PyResult<f32> {
        self.ask(py, |actor| actor.disc().speed)
    }

    /// (joints, 7) float32: rotations x y z w relative to the parent, and translations in metres; the root is placed in the world.
    #[getter]
    fn pose<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let pose: Vec<[f32; 7]> = self.ask(py, |actor| actor.pose().iter().map(seven).collect())?;
        Ok(rows(py, pose.into_iter()))
    }

    /// (joints, 3) float32: place of every joint in the world, in metres.
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let all: Vec<[f32; 3]> = self
            .ask(py, |actor| actor.models().iter().map(|m| m.translation.to_array()).collect())?;
        Ok(rows(py, all.into_iter()))
    }

    /// Heel and ball of every foot: list of (bool, bool), true if down.
    #[getter]
    fn contacts(&self, py: Python<'_>) -> PyResult<Vec<(bool, bool)>> {
        self.ask(py, |actor| {
            let feet = actor.character().rig.feet.len();
            (0..feet).map(|foot| actor.contact(foot)).map(|[heel, ball]| (heel, ball)).collect()
        })
    }

    /// What it is doing, in the words of a scene file; empty if nothing.
    #[getter]
    fn doing(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |actor| actor.doing().to_string())
    }

    /// Whether it has nothing to do.
    #[getter]
    fn is_idle(&self, py: Python<'_>) -> PyResult<bool> {
        self.ask(py, base::Actor::is_idle)
    }

    /// Whether it is still on the stage.
    #[getter]
    fn is_present(&self, py: Python<'_>) -> PyResult<bool> {
        let stage = self.stage.bind(py).borrow();
        Ok(stage.open()?.actor(self.id).is_ok())
    }

    /// Walks to a place and, with a heading, faces that way there.
    #[pyo3(signature = (at, heading=None))]
    fn walk_to(&self, py: Python<'_>, at: Floats<'_>, heading: Option<f32>) -> PyResult<()> {
        self.tell(py, Command::WalkTo(waypoint("at", &at, heading)?))
    }

    /// The same at a run, over gaps if it may jump.
    #[pyo3(signature = (at, heading=None))]
    fn run_to(&self, py: Python<'_>, at: Floats<'_>, heading: Option<f32>) -> PyResult<()> {
        self.tell(py, Command::RunTo(waypoint("at", &at, heading)?))
    }

    /// Runs up, jumps from one place to another and comes to a stop.
    fn jump(&self, py: Python<'_>, start: Floats<'_>, to: Floats<'_>) -> PyResult<()> {
        let (from, to) = (place("start", &start)?.0, place("to", &to)?.0);
        self.tell(py, Command::Jump { from, to })
    }

    /// Turns on the spot: to a heading, towards a place or towards another actor.
    fn face(&self, target: &Bound<'_, PyAny>) -> PyResult<()> {
        self.tell(target.py(), Command::Face(Self::gaze(target)?))
    }

    /// Keeps an eye on a place or on another actor, whatever else it does; on nothing if it is None.
    #[pyo3(signature = (target=None))]
    fn look_at(&self, py: Python<'_>, target: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.tell(py, Command::LookAt(target.map(Self::gaze).transpose()?))
    }

    /// Stands for some seconds.
    fn wait(&self, py: Python<'_>, seconds: f32) -> PyResult<()> {
        self.tell(py, Command::Wait(seconds))
    }

    /// Comes to a stop.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        self.tell(py, Command::Stop)
    }

    /// Goes after another actor until told otherwise, so many metres behind, from middle to middle.
    #[pyo3(signature = (whom, distance=1.5))]
    fn follow(&self, py: Python<'_>, whom: &Self, distance: f32) -> PyResult<()> {
        self.tell(py, Command::Follow { whom: whom.id, distance })
    }

    /// From place to place, round and round, until told otherwise: rows of [x, z].
    fn patrol(&self, py: Python<'_>, posts: Floats<'_>) -> PyResult<()> {
        self.tell(py, Command::Patrol(Self::posts("posts", &posts)?))
    }

    /// Along a line drawn by hand: rows of [x, z].
    fn path(&self, py: Python<'_>, posts: Floats<'_>) -> PyResult<()> {
        self.tell(py, Command::Path(Self::posts("posts", &posts)?))
    }

    /// Goes at this speed from now on, in m/s; at the usual one if it is None.
    #[pyo3(signature = (speed=None))]
    fn set_speed(&self, py: Python<'_>, speed: Option<f32>) -> PyResult<()> {
        self.tell(py, Command::Speed(speed))
    }

    /// Is led by hand: speed ahead in m/s and turn rate to the left in rad/s, until told otherwise.
    #[pyo3(signature = (speed, turn_rate=0.0))]
    fn steer(&self, py: Python<'_>, speed: f32, turn_rate: f32) -> PyResult<()> {
        let mut stage = self.stage.bind(py).borrow_mut();
        stage.open_mut()?.steer(self.id, speed, turn_rate).or_raise()
    }

    /// Is pushed: impulse in N·s towards a heading in radians, height metres above the ground (at the chest if not given) or on a
    /// bone, for some seconds. Refused for kinematic bodies.
    #[pyo3(signature = (impulse, direction, *, height=None, bone=None, seconds=0.1))]
    fn push(
        &self,
        py: Python<'_>,
        impulse: f32,
        direction: f32,
        height: Option<f32>,
        bone: Option<String>,
        seconds: f32,
    ) -> PyResult<()> {
        self.tell(py, Command::Push(PushOrder { impulse, direction, height, seconds, bone }))
    }

    /// Something is thrown at its chest from a point: a ball of a radius or a cube of a side in metres, of some mass in kg, at some
    /// speed in m/s.
    #[pyo3(signature = (start, *, ball=None, cube=None, mass, speed))]
    fn throw(
        &self,
        py: Python<'_>,
        start: Floats<'_>,
        ball: Option<f64>,
        cube: Option<f64>,
        mass: f32,
        speed: f32,
    ) -> PyResult<()> {
        let form = match (ball, cube) {
            (Some(radius), None) => PropForm::Ball { radius },
            (None, Some(side)) => PropForm::Cube { side },
            _ => return Err(refused("a ball or a cube is thrown: give one of them")),
        };
        let from = point("start", &start)?;
        self.tell(py, Command::Throw(ThrowOrder { form, mass, from, speed }))
    }

    /// Lets itself fall and lies there.
    fn fall(&self, py: Python<'_>) -> PyResult<()> {
        self.tell(py, Command::Fall)
    }

    /// Gets up.
    fn get_up(&self, py: Python<'_>) -> PyResult<()> {
        self.tell(py, Command::GetUp)
    }

    /// Is elsewhere at once.
    #[pyo3(signature = (at, heading=None))]
    fn teleport(&self, py: Python<'_>, at: Floats<'_>, heading: Option<f32>) -> PyResult<()> {
        let to = waypoint("at", &at, heading)?;
        let mut stage = self.stage.bind(py).borrow_mut();
        stage.open_mut()?.teleport(self.id, to).or_raise()
    }

    /// Is back where it began, with nothing to do.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.stage.bind(py).borrow_mut().open_mut()?.reset(self.id).or_raise()
    }

    /// Is taken away; whatever is asked of it afterwards raises andante.Error.
    fn despawn(&self, py: Python<'_>) -> PyResult<()> {
        self.stage.bind(py).borrow_mut().open_mut()?.despawn(self.id).or_raise()
    }

    /// Whether it ducks under what hangs low.
    fn set_ducking(&self, py: Python<'_>, ducks: bool) -> PyResult<()> {
        self.stage.bind(py).borrow_mut().open_mut()?.set_ducking(self.id, ducks).or_raise()
    }

    /// Free metres around it from the rim of its body, straight ahead first, then on to the left; at most its reach.
    fn senses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, numpy::PyArray1<f32>>> {
        let mut stage = self.stage.bind(py).borrow_mut();
        let felt = stage.open_mut()?.senses(self.id).or_raise()?;
        Ok(numpy::PyArray1::from_slice(py, &felt.free))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.id == other.id && self.stage.is(&other.stage)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let told = self.ask(py, |actor| {
            let at = actor.disc().place.position;
            format!("<andante.Actor `{}` at [{:.2}, {:.2}]>", actor.name(), at.x, at.y)
        });
        told.unwrap_or_else(|_| "<andante.Actor, gone>".into())
    }
}
