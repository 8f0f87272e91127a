//! When feet are down, and what a motion is.

use crate::clip::Clip;
use crate::error::{OrRaise, refused};
use andante_motion::analysis::{ClipAnalysis, Cycle, Direction, MotionClass};
use andante_play::measure::{MotionMetrics, measure_level};
use andante_play::{Contacts as FeetContacts, FootContacts, Interval};
use andante_skeleton as base;
use andante_skeleton::Rig;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// How far off a frame the end of a contact may be and still be in it, in frames.
const ROUNDING: f32 = 0.01;

/// When feet are on the ground.
#[pyclass(frozen, module = "andante")]
pub struct Contacts {
    names: Vec<String>,
    contacts: FeetContacts,
    frames: usize,
    fps: f32,
}

impl Contacts {
    /// The contacts of a rig over so many frames.
    pub fn new(rig: &Rig, contacts: &FeetContacts, frames: usize, fps: f32) -> Self {
        let names = rig.feet.iter().map(|foot| foot.name.clone()).collect();
        Self { names, contacts: contacts.clone(), frames, fps }
    }

    fn table<'py>(
        &self,
        py: Python<'py>,
        parts: impl Fn(&FootContacts) -> Vec<Interval>,
    ) -> Bound<'py, PyArray2<bool>> {
        let feet = &self.contacts.feet;
        let mut table = Array2::from_elem((feet.len(), self.frames), false);
        for (mut row, foot) in table.rows_mut().into_iter().zip(feet) {
            for interval in parts(foot) {
                // Ends of intervals are times of frames, up to rounding.
                let first = (interval.start * self.fps - ROUNDING).ceil().max(0.0) as usize;
                let last = (interval.end * self.fps + ROUNDING).floor();
                let end = if last < 0.0 { 0 } else { (last as usize + 1).min(self.frames) };
                (first..end).for_each(|frame| row[frame] = true);
            }
        }
        table.into_pyarray(py)
    }

    fn intervals<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&FootContacts) -> Vec<Interval>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, foot) in self.names.iter().zip(&self.contacts.feet) {
            dict.set_item(name, pairs(&of(foot)))?;
        }
        Ok(dict)
    }
}

/// Intervals in whole microseconds: in double precision they would show digits that single precision does not have.
fn pairs(intervals: &[Interval]) -> Vec<(f64, f64)> {
    let shown = |seconds: f32| (1e6 * f64::from(seconds)).round() / 1e6;
    intervals.iter().map(|interval| (shown(interval.start), shown(interval.end))).collect()
}

#[pymethods]
impl Contacts {
    /// Names of the feet, in the order of the rows below.
    #[getter]
    fn feet(&self) -> Vec<String> {
        self.names.clone()
    }

    /// (feet, frames) bool: whether any part of the foot is down.
    #[getter]
    fn down<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<bool>> {
        self.table(py, FootContacts::stance)
    }

    /// (feet, frames) bool: whether the heel is down.
    #[getter]
    fn heel<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<bool>> {
        self.table(py, |foot| foot.heel.clone())
    }

    /// (feet, frames) bool: whether the ball or the toes are down.
    #[getter]
    fn toe<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<bool>> {
        self.table(py, |foot| foot.toe.clone())
    }

    /// From heel strike to toe off, by name of the foot: lists of (start, end) in seconds.
    #[getter]
    fn stance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.intervals(py, FootContacts::stance)
    }

    /// From heel strike to heel off, by name of the foot: lists of (start, end) in seconds.
    #[getter]
    fn heel_intervals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.intervals(py, |foot| foot.heel.clone())
    }

    /// From foot flat to toe off, by name of the foot: lists of (start, end) in seconds.
    #[getter]
    fn toe_intervals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.intervals(py, |foot| foot.toe.clone())
    }

    fn __repr__(&self) -> String {
        format!("<andante.Contacts: {}, {} frames>", self.names.join(", "), self.frames)
    }
}

/// Metrics under the names that every command uses.
pub fn metrics_dict<'py>(py: Python<'py>, metrics: &MotionMetrics) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in metrics.named() {
        dict.set_item(name, value)?;
    }
    if let Some(change) = metrics.pose_change_deg_mean {
        dict.set_item("pose_change_deg_mean", change)?;
    }
    Ok(dict)
}

/// Measures a motion as `andante inspect` does: off its treadmill if it is on one, and with the first frame of the motion in
/// the place of those that have nothing to do with it.
pub fn measured(
    skeleton: &base::Skeleton,
    rig: &Rig,
    clip: &base::Clip,
    analysis: &ClipAnalysis,
) -> PyResult<MotionMetrics> {
    let walked_off = analysis.belt.map(|belt| belt.walked_off(skeleton, clip)).transpose();
    let walked_off = walked_off.or_raise()?;
    let clip = walked_off.as_ref().unwrap_or(clip);
    let added = analysis.frames.start;
    let without = (added > 0).then(|| {
        let frames = std::iter::repeat_n(clip.frame(added), added).chain(clip.frames().skip(added));
        base::Clip::new(clip.name(), skeleton, clip.fps(), frames.flatten().copied().collect())
    });
    let without = without.transpose().or_raise()?;
    let clip = without.as_ref().unwrap_or(clip);
    Ok(measure_level(skeleton, rig, clip, &analysis.contacts, analysis.ground.height))
}

/// The pattern of footfalls of an animal, and otherwise what kind of motion it is.
fn gait_name(analysis: &ClipAnalysis) -> &'static str {
    match (analysis.locomotion, &analysis.footfalls) {
        (MotionClass::Walk | MotionClass::Run, Some(footfalls))
            if analysis.contacts.feet.len() > 2 =>
        {
            footfalls.gait.name()
        }
        (MotionClass::Run, _) if analysis.jog => "jog",
        (class, _) => class.name(),
    }
}

fn cycle_dict<'py>(py: Python<'py>, cycle: &Cycle) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("start", cycle.interval.start)?;
    dict.set_item("end", cycle.interval.end)?;
    dict.set_item("stride_m", cycle.stride_length)?;
    dict.set_item("speed_mps", cycle.speed)?;
    dict.set_item("duty_factor", cycle.duty_factor)?;
    Ok(dict)
}

#[pymethods]
impl Clip {
    /// When feet are down.
    ///
    /// Of clips that were made (synth, ground) they are those that their maker knows; of others, and with detect=True, they are
    /// found in the motion. andante.Error if these joints have no feet that can be recognised.
    #[pyo3(signature = (*, detect=false))]
    fn contacts(&self, py: Python<'_>, detect: bool) -> PyResult<Contacts> {
        let contacts = match self.known.as_ref().filter(|_| !detect) {
            Some(known) => known,
            None => &self.analysis(py)?.contacts,
        };
        let motion = self.motion();
        Ok(Contacts::new(self.figure.rig()?, contacts, motion.frame_count(), motion.fps()))
    }

    /// What the motion is, in one word: stand, walk, jog, run, turn, start, stop, jump, action, …; of animals the pattern of
    /// their footfalls, such as trot.
    #[getter]
    fn gait(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(gait_name(self.analysis(py)?))
    }

    /// Quality: foot slide, penetration, jerk and more, by the names that `andante inspect --json` uses; units are in the names.
    fn metrics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let analysis = self.analysis(py)?;
        let measured = measured(self.joints(), self.figure.rig()?, self.motion(), analysis)?;
        metrics_dict(py, &measured)
    }

    /// What is known about the motion, as a dict with the names of `andante inspect --json`: speed_mps, turn_rate_dps, gait, class,
    /// direction, in_place, cyclic, contacts, cycles, loop, cadence_spm, stride_m, duty_factor, ground_m, metrics and warnings.
    fn inspect<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (motion, rig, analysis) = (self.motion(), self.figure.rig()?, self.analysis(py)?);
        let metrics = measured(self.joints(), rig, motion, analysis)?;
        let (low, high) = self.joints().rest_bounds();
        let direction = match analysis.travel.direction {
            Direction::Straight => "straight",
            Direction::Left => "left",
            Direction::Right => "right",
        };
        let found = Contacts::new(rig, &analysis.contacts, motion.frame_count(), motion.fps());
        let cycles: PyResult<Vec<_>> =
            analysis.cycles.iter().map(|cycle| cycle_dict(py, cycle)).collect();
        let loop_point = analysis.loop_point.as_ref();
        let loop_point = loop_point.map(|point| (point.interval.start, point.interval.end));
        let oddities: Vec<String> = analysis.oddities.iter().map(ToString::to_string).collect();
        let dict = PyDict::new(py);
        dict.set_item("height_m", high.y - low.y)?;
        dict.set_item("fps", motion.fps())?;
        dict.set_item("frames", motion.frame_count())?;
        dict.set_item("seconds", motion.duration())?;
        dict.set_item("speed_mps", analysis.travel.speed)?;
        dict.set_item("turn_rate_dps", analysis.travel.turn_rate.to_degrees())?;
        dict.set_item("curvature_per_m", analysis.travel.curvature)?;
        dict.set_item("gait", gait_name(analysis))?;
        dict.set_item("class", analysis.class.name())?;
        dict.set_item("direction", direction)?;
        dict.set_item("in_place", analysis.in_place())?;
        dict.set_item("cyclic", analysis.cyclic)?;
        dict.set_item("contacts", found.stance(py)?)?;
        dict.set_item("heel_contacts", found.heel_intervals(py)?)?;
        dict.set_item("toe_contacts", found.toe_intervals(py)?)?;
        dict.set_item("cycles", cycles?)?;
        dict.set_item("loop", loop_point)?;
        dict.set_item("cadence_spm", 60.0 * analysis.cadence)?;
        dict.set_item("stride_m", analysis.stride_length)?;
        dict.set_item("duty_factor", analysis.duty_factor)?;
        dict.set_item("ground_m", analysis.ground.height)?;
        dict.set_item("foot_slide_mm_mean", metrics.foot_slide_mm_mean)?;
        dict.set_item("foot_slide_mm_max", metrics.foot_slide_mm_max)?;
        dict.set_item("metrics", metrics_dict(py, &metrics)?)?;
        dict.set_item("warnings", oddities)?;
        Ok(dict)
    }

    /// (frames,) float32: how far through its stride the motion is, 0 to 1, from strike to strike of the first foot; nan where
    /// it does not stride.
    fn phase<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, numpy::PyArray1<f32>>> {
        let analysis = self.analysis(py)?;
        if analysis.phase.len() != self.motion().frame_count() {
            return Err(refused("the phase is not known of every frame"));
        }
        let phase: Vec<f32> =
            analysis.phase.iter().map(|phase| phase.unwrap_or(f32::NAN)).collect();
        Ok(phase.into_pyarray(py))
    }
}
