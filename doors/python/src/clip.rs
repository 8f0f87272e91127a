//! Clips: motions at a fixed rate, as arrays.

use crate::arrays::{Floats, expect_shape, frames, seven, view};
use crate::asset::write_asset;
use crate::error::{OrRaise, refused};
use crate::figure::Figure;
use crate::skeleton::Skeleton;
use crate::view;
use andante_formats::Asset;
use andante_motion::analysis::{AnalysisOptions, ClipAnalysis, analyse};
use andante_play::Contacts;
use andante_skeleton as base;
use andante_skeleton::{Transform, Wrap, model_frames};
use glam::{Quat, Vec3};
use numpy::{PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// A motion: full poses at a fixed rate. Clips do not change: whatever edits one gives another.
///
/// rotations, translations and transforms are views of the clip's own memory, read only and without a copy; they keep the clip
/// alive. Everything else is a copy. Rotations are quaternions x y z w (as in scipy) relative to the parent joint; metres, Y up,
/// facing +Z at rest.
#[pyclass(frozen, module = "andante")]
pub struct Clip {
    pub figure: Arc<Figure>,
    frames: Frames,
    /// Contacts that its maker knows.
    pub known: Option<Contacts>,
    /// Of what was made on the plane y = 0: whether it repeats.
    pub made_level: Option<bool>,
    report: Option<Py<PyDict>>,
    analysis: OnceLock<Result<ClipAnalysis, String>>,
}

/// Whose memory the frames are in.
enum Frames {
    OfAsset(usize),
    Own(Box<base::Clip>),
}

impl Clip {
    /// The clip of a file.
    pub fn of_asset(figure: &Arc<Figure>, index: usize) -> Self {
        Self::made(Arc::clone(figure), Frames::OfAsset(index))
    }

    /// A clip that was made of others.
    pub fn own(figure: &Arc<Figure>, clip: base::Clip) -> Self {
        Self::made(Arc::clone(figure), Frames::Own(Box::new(clip)))
    }

    fn made(figure: Arc<Figure>, frames: Frames) -> Self {
        Self {
            figure,
            frames,
            known: None,
            made_level: None,
            report: None,
            analysis: OnceLock::new(),
        }
    }

    /// The same with contacts that are known.
    pub fn knowing(self, contacts: Contacts) -> Self {
        Self { known: Some(contacts), ..self }
    }

    /// The same as something that was made on the plane y = 0, and repeats or not.
    pub fn on_the_level(self, cyclic: bool) -> Self {
        Self { made_level: Some(cyclic), ..self }
    }

    /// The same with what its maker tells.
    pub fn telling(self, report: Bound<'_, PyDict>) -> Self {
        Self { report: Some(report.unbind()), ..self }
    }

    /// The frames.
    pub fn motion(&self) -> &base::Clip {
        match &self.frames {
            Frames::OfAsset(index) => &self.figure.asset.clips[*index],
            Frames::Own(clip) => clip,
        }
    }

    /// Its joints.
    pub fn joints(&self) -> &base::Skeleton {
        &self.figure.asset.skeleton
    }

    /// What the motion is, found out once.
    pub fn analysis(&self, py: Python<'_>) -> PyResult<&ClipAnalysis> {
        let rig = self.figure.rig()?;
        let found = py.detach(|| {
            self.analysis.get_or_init(|| {
                analyse(self.joints(), rig, self.motion(), &AnalysisOptions::default())
                    .map_err(|error| error.to_string())
            })
        });
        found.as_ref().map_err(refused)
    }

    /// An asset of this clip alone.
    pub fn asset(&self) -> Asset {
        self.figure.with_clips(vec![self.motion().clone()])
    }

    fn part<'py>(
        slf: &Bound<'py, Self>,
        numbers: std::ops::Range<isize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let all = view::transforms(slf)?;
        all.get_item((py.Ellipsis(), PySlice::new(py, numbers.start, numbers.end, 1)))
    }
}

/// Poses from arrays, each checked for its shape.
fn poses(
    skeleton: &base::Skeleton,
    rotations: &Floats<'_>,
    translations: Option<&Floats<'_>>,
) -> PyResult<Vec<Transform>> {
    let joints = skeleton.len();
    let rotations = view(rotations);
    expect_shape(
        "rotations",
        &rotations,
        &[(None, "frames"), (Some(joints), "joints"), (Some(4), "")],
    )?;
    let count = rotations.shape()[0];
    let translations = translations.map(view);
    // Of the root alone, or of every joint.
    let root_only = translations.as_ref().is_some_and(|given| given.ndim() == 2);
    if let Some(given) = &translations {
        let (frames, three) = ((Some(count), "frames"), (Some(3), ""));
        match root_only {
            true => expect_shape("translations", given, &[frames, three])?,
            false => {
                expect_shape("translations", given, &[frames, (Some(joints), "joints"), three])?;
            }
        }
    }
    let mut poses = Vec::with_capacity(count * joints);
    for frame in 0..count {
        for (joint, rest) in skeleton.joints().iter().map(|joint| joint.rest).enumerate() {
            let turn = [0, 1, 2, 3].map(|k| rotations[[frame, joint, k]]);
            let place = match &translations {
                Some(given) if root_only && joint == 0 => {
                    Vec3::from_array([0, 1, 2].map(|k| given[[frame, k]]))
                }
                Some(given) if !root_only => {
                    Vec3::from_array([0, 1, 2].map(|k| given[[frame, joint, k]]))
                }
                _ => rest.translation,
            };
            poses.push(Transform::new(Quat::from_array(turn), place));
        }
    }
    Ok(poses)
}

#[pymethods]
impl Clip {
    /// A clip from arrays.
    ///
    /// skeleton: its joints, or another clip or asset with the same. rotations: (frames, joints, 4) quaternions x y z w relative to
    /// the parent, of any length but 0. translations: (frames, 3) places of the root, or (frames, joints, 3) of every joint, in
    /// metres; where the skeleton rests if not given. fps: frames per second.
    ///
    /// The arrays are copied: rotations are normalised, and put on the hemisphere of the frame before.
    #[staticmethod]
    #[pyo3(signature = (skeleton, rotations, translations=None, *, fps, name="clip"))]
    fn from_arrays(
        skeleton: &Skeleton,
        rotations: Floats<'_>,
        translations: Option<Floats<'_>>,
        fps: f32,
        name: &str,
    ) -> PyResult<Self> {
        let poses = poses(&skeleton.inner, &rotations, translations.as_ref())?;
        let clip = base::Clip::new(name, &skeleton.inner, fps, poses).or_raise()?;
        let asset = Asset::new((*skeleton.inner).clone(), vec![clip]);
        Ok(Self::of_asset(&Figure::new(asset), 0))
    }

    /// The same body in another motion: as from_arrays, but skin and units stay. fps: that of this clip if not given.
    #[pyo3(signature = (rotations, translations=None, *, fps=None, name=None))]
    fn with_arrays(
        &self,
        rotations: Floats<'_>,
        translations: Option<Floats<'_>>,
        fps: Option<f32>,
        name: Option<&str>,
    ) -> PyResult<Self> {
        let poses = poses(self.joints(), &rotations, translations.as_ref())?;
        let (name, fps) =
            (name.unwrap_or(self.motion().name()), fps.unwrap_or(self.motion().fps()));
        let clip = base::Clip::new(name, self.joints(), fps, poses).or_raise()?;
        Ok(Self::own(&self.figure, clip))
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        self.motion().name()
    }

    /// Frames per second.
    #[getter]
    fn fps(&self) -> f32 {
        self.motion().fps()
    }

    /// Seconds from the first frame to the last: (frames - 1) / fps.
    #[getter]
    fn duration(&self) -> f32 {
        self.motion().duration()
    }

    /// Seconds of every frame: (frames,) float64, a copy.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> Bound<'py, numpy::PyArray1<f64>> {
        let fps = f64::from(self.motion().fps());
        numpy::PyArray1::from_iter(py, (0..self.motion().frame_count()).map(|k| k as f64 / fps))
    }

    /// Its joints.
    #[getter]
    fn skeleton(&self) -> Skeleton {
        self.joints().clone().into()
    }

    /// (frames, joints, 4) float32: rotations relative to the parent, quaternions x y z w. A view, read only.
    #[getter]
    fn rotations<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::part(slf, 0..4)
    }

    /// (frames, joints, 3) float32: places in the frame of the parent, in metres; of the root, in the world. A view, read only.
    #[getter]
    fn translations<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::part(slf, 4..7)
    }

    /// (frames, joints, 7) float32: rotations and translations side by side, as they lie in memory. A view, read only.
    #[getter]
    fn transforms<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        view::transforms(slf)
    }

    /// (frames, joints, 3) float32: places of all joints in the world, in metres, by forward kinematics. A copy.
    fn positions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray3<f32>> {
        let models = py.detach(|| {
            let models = model_frames(self.joints(), self.motion());
            models.iter().flatten().map(|model| model.translation.to_array()).collect()
        });
        frames(py, self.joints().len(), models)
    }

    /// (frames, joints, 4) float32: rotations of all joints in the world, quaternions x y z w. A copy.
    fn world_rotations<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray3<f32>> {
        let models = py.detach(|| {
            let models = model_frames(self.joints(), self.motion());
            models.iter().flatten().map(|model| model.rotation.to_array()).collect()
        });
        frames(py, self.joints().len(), models)
    }

    /// The pose at any time in seconds, between frames too: (joints, 7) float32, rotations x y z w and translations.
    /// Before the beginning and after the end it is held, or with loop=True begins again.
    #[pyo3(signature = (time, *, r#loop=false))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        time: f32,
        r#loop: bool,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        if !time.is_finite() {
            return Err(refused(format!("time is {time}; it is a number of seconds")));
        }
        let mut pose = vec![Transform::IDENTITY; self.joints().len()];
        self.motion().sample(time, if r#loop { Wrap::Loop } else { Wrap::Clamp }, &mut pose);
        let flat: Vec<f32> = pose.iter().flat_map(seven).collect();
        numpy::PyArray1::from_vec(py, flat).reshape([pose.len(), view::NUMBERS])
    }

    /// Writes the clip, with its body and skin where it has one, in the format that the extension names: .bvh, .amc (with
    /// .asf), .glb, .gltf. Returns the files written. Files are written whole or not at all.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<Vec<PathBuf>> {
        write_asset(py, &path, &self.asset())
    }

    /// The same under another name.
    fn renamed(&self, name: &str) -> Self {
        Self::own(&self.figure, self.motion().clone().renamed(name))
    }

    /// What the operation that made this clip tells (retarget, ground), as a dict; None for other clips.
    #[getter]
    fn report<'py>(&self, py: Python<'py>) -> Option<&Bound<'py, PyDict>> {
        self.report.as_ref().map(|report| report.bind(py))
    }

    fn __len__(&self) -> usize {
        self.motion().frame_count()
    }

    fn __repr__(&self) -> String {
        let motion = self.motion();
        format!(
            "<andante.Clip `{}`: {} frames at {} fps, {:.2} s, {} joints>",
            motion.name(),
            motion.frame_count(),
            motion.fps(),
            motion.duration(),
            motion.joint_count()
        )
    }
}
