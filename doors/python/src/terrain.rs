//! Ground, and motions put on it.

use crate::arrays::{Floats, expect_shape, view};
use crate::clip::Clip;
use crate::contacts::metrics_dict;
use crate::error::{OrRaise, refused, unreadable};
use crate::take::violations;
use andante_check::{CheckSettings, check};
use andante_formats::ReadLimits;
use andante_motion::adapt::{Adapted, Extent, TakeOptions, adapt_clip};
use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::oddities;
use andante_motion::planted_ground_clip;
use andante_play::{FootStatus, GroundClip, Start};
use andante_skeleton::{Character, Planar, check_setting};
use andante_take::Take;
use andante_world::{Grid, TerrainError};
use glam::Vec2;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// How far motions that repeat go unless it is said, in metres, as `andante ground` has it.
const DISTANCE: f32 = 10.0;

/// Ground to walk on.
///
/// Terrain(word): "level", "slope:DEGREES", "stairs:RISE:RUN", "hills:HEIGHT:LENGTH" and the other words of `andante ground --terrain`,
/// or a file of triangles or heights (.obj, .glb, .gltf, .csv). Lengths are in metres.
#[pyclass(frozen, module = "andante")]
pub struct Terrain {
    pub inner: andante_world::Terrain,
    word: String,
}

impl Terrain {
    fn named(py: Python<'_>, word: &str) -> PyResult<Self> {
        let found = andante_world::Terrain::named(word, &ReadLimits::default());
        let inner = found.map_err(|error| match &error {
            TerrainError::File(read) => unreadable(py, read),
            _ => refused(format!("terrain {word}: {error}")),
        })?;
        Ok(Self { inner, word: word.into() })
    }

    /// A terrain, or the word of one.
    pub fn of(given: &Bound<'_, PyAny>) -> PyResult<(andante_world::Terrain, String)> {
        if let Ok(terrain) = given.cast::<Self>() {
            return Ok((terrain.get().inner.clone(), terrain.get().word.clone()));
        }
        let word: String = given.extract()?;
        let Self { inner, word } = Self::named(given.py(), &word)?;
        Ok((inner, word))
    }
}

#[pymethods]
impl Terrain {
    #[new]
    fn new(py: Python<'_>, word: &str) -> PyResult<Self> {
        Self::named(py, word)
    }

    /// Ground from heights in metres: (rows, columns), each row along x, rows along z. cell: metres between neighbours.
    /// origin: [x, z] of the first. nan is a hole.
    #[staticmethod]
    #[pyo3(signature = (heights, cell, origin=None))]
    fn grid(heights: Floats<'_>, cell: f32, origin: Option<[f32; 2]>) -> PyResult<Self> {
        let heights = view(&heights);
        expect_shape("heights", &heights, &[(None, "rows"), (None, "columns")])?;
        let (rows, columns) = (heights.shape()[0], heights.shape()[1]);
        let origin = Vec2::from_array(origin.unwrap_or_default());
        let all = heights.iter().copied().collect();
        let grid = Grid::new(origin, Vec2::splat(cell), columns, rows, all).or_raise()?;
        let inner = andante_world::Terrain::Grid(Arc::new(grid));
        Ok(Self { inner, word: format!("grid of {rows} x {columns}") })
    }

    /// Height of the ground at x and z in metres; None where there is none.
    fn height(&self, x: f32, z: f32) -> Option<f32> {
        self.inner.height_at(Vec2::new(x, z))
    }

    fn __repr__(&self) -> String {
        format!("<andante.Terrain {}>", self.word)
    }
}

/// At the origin, with the way leading along +Z.
fn start(clip: &GroundClip, ground: &andante_world::Terrain) -> Start {
    let (first, last) = (clip.placement(0.0), clip.placement(clip.clip().duration()));
    let way = last.position - first.position;
    // Towards +X from +Z, as headings are.
    let towards =
        if way.length() > 0.1 { Vec2::new(way.y, way.x).to_angle() } else { first.heading };
    let height = ground.height_at(Vec2::ZERO).unwrap_or(0.0);
    let place = Planar { position: Vec2::ZERO, heading: first.heading - towards };
    Start { place, height, time: 0.0 }
}

fn gone(take: &Adapted) -> f32 {
    let [Some(first), Some(last)] = [take.frames.first(), take.frames.last()] else { return 0.0 };
    first.report.place.position.distance(last.report.place.position)
}

/// How many footholds there were of each kind.
fn footholds<'py>(py: Python<'py>, take: &Adapted) -> PyResult<Bound<'py, PyDict>> {
    let mut counts = [("firm", 0), ("overhanging", 0), ("without_ground", 0), ("out_of_reach", 0)];
    let feet = take.frames.first().map_or(0, |frame| frame.feet.len());
    for foot in 0..feet {
        let mut was_down = false;
        for frame in &take.frames {
            let report = &frame.feet[foot];
            let down = report.down[0] || report.down[1];
            if down && !was_down {
                match report.status {
                    FootStatus::Firm => counts[0].1 += 1,
                    FootStatus::Overhang => counts[1].1 += 1,
                    FootStatus::Unsupported | FootStatus::Blocked => counts[2].1 += 1,
                    FootStatus::OutOfReach => counts[3].1 += 1,
                    FootStatus::Settling | FootStatus::Aloft => {}
                }
            }
            was_down = down;
        }
    }
    let dict = PyDict::new(py);
    for (name, count) in counts {
        dict.set_item(name, count)?;
    }
    Ok(dict)
}

impl Clip {
    /// The clip with its feet planted, ready to be put on any ground.
    fn ground_clip(&self, character: &Arc<Character>) -> PyResult<GroundClip> {
        let motion = self.motion();
        if let (Some(cyclic), Some(contacts)) = (self.made_level, &self.known) {
            return GroundClip::new(character, motion.clone(), contacts, cyclic, 0.0).or_raise();
        }
        let motion = &oddities::without_added_frames(self.joints(), motion, 0).or_raise()?;
        let analysis =
            analyse(&character.skeleton, &character.rig, motion, &AnalysisOptions::default())
                .or_raise()?;
        planted_ground_clip(character, motion, &analysis).or_raise()
    }
}

#[pymethods]
impl Clip {
    /// The motion over uneven ground, from the origin along +Z.
    ///
    /// terrain: a Terrain or its word, such as "stairs:0.17:0.29". distance: metres to go (10 for motions that repeat, the whole
    /// clip once for others). fps: frames per second of the result (60). turn: rad/s to the left beside the clip's own.
    ///
    /// The report of the clip that is returned says what became of it: distance_m, stopped, footholds, metrics, source_metrics and
    /// violations: what a checker that shares no code with this finds wrong.
    #[pyo3(signature = (terrain, *, distance=None, fps=60.0, turn=0.0))]
    fn ground(
        &self,
        terrain: &Bound<'_, PyAny>,
        distance: Option<f32>,
        fps: f32,
        turn: f32,
    ) -> PyResult<Self> {
        let py = terrain.py();
        check_setting("fps", &fps, 1e-3..=1000.0).or_raise()?;
        check_setting("distance", &distance, 1e-3..=1e4).or_raise()?;
        check_setting("turn", &turn, -6.3..=6.3).or_raise()?;
        let (ground, word) = Terrain::of(terrain)?;
        let rig = self.figure.rig()?.clone();
        let character = Arc::new(Character::new("character", self.joints().clone(), rig));
        let clip = Arc::new(self.ground_clip(&character)?);
        let extent = match distance {
            Some(distance) => Extent::Distance(distance),
            None if clip.cyclic() && !clip.idle() => Extent::Distance(DISTANCE),
            None => Extent::Once,
        };
        let options = TakeOptions {
            extent,
            fps: Some(fps),
            start: Some(start(&clip, &ground)),
            turn_rate: turn,
            ..TakeOptions::default()
        };
        let made = py.detach(|| adapt_clip(&clip, &ground, &options)).or_raise()?;
        let whole = Take::of_clip(&character, &made.clip, made.contacts.clone(), Some(&ground));
        let verdict = check(&whole, None, &CheckSettings::default()).or_raise()?;
        let gone = gone(&made);
        let short = matches!(extent, Extent::Distance(asked) if gone < 0.99 * asked);
        let report = PyDict::new(py);
        report.set_item("terrain", word)?;
        report.set_item("distance_m", gone)?;
        report.set_item("stopped", made.stopped || short)?;
        report.set_item("footholds", footholds(py, &made)?)?;
        report.set_item("metrics", metrics_dict(py, &made.metrics)?)?;
        report.set_item("source_metrics", metrics_dict(py, &made.source_metrics)?)?;
        report.set_item("violations", violations(&verdict))?;
        Ok(Self::own(&self.figure, made.clip).knowing(made.contacts).telling(report))
    }
}
