//! Trees of joints.

use crate::arrays::{Floats, expect_shape, quat, rows, view};
use crate::error::{OrRaise, refused};
use andante_skeleton as base;
use glam::Vec3;
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use std::sync::Arc;

/// The joints of a character: names, parents and a rest pose, in depth-first order, parents first.
///
/// Skeleton(names, parents, offsets, rotations=None)
///
/// names: str of each joint, all different. parents: index of each joint's parent, -1 (or None) for the first joint alone.
/// offsets: (joints, 3) place of each joint in the frame of its parent at rest, in metres.
/// rotations: (joints, 4) rotation at rest, quaternions x y z w; none if not given.
#[pyclass(frozen, module = "andante", name = "Skeleton")]
pub struct Skeleton {
    pub inner: Arc<base::Skeleton>,
}

impl From<base::Skeleton> for Skeleton {
    fn from(skeleton: base::Skeleton) -> Self {
        Self { inner: Arc::new(skeleton) }
    }
}

impl Skeleton {
    /// The joint of a name.
    pub fn index(skeleton: &base::Skeleton, name: &str) -> PyResult<usize> {
        skeleton
            .find(name)
            .ok_or_else(|| PyKeyError::new_err(format!("there is no joint `{name}`")))
    }
}

#[pymethods]
impl Skeleton {
    #[new]
    #[pyo3(signature = (names, parents, offsets, rotations=None))]
    fn new(
        names: Vec<String>,
        parents: Vec<Option<i64>>,
        offsets: Floats<'_>,
        rotations: Option<Floats<'_>>,
    ) -> PyResult<Self> {
        let count = names.len();
        if parents.len() != count {
            return Err(refused(format!("{} parents for {count} joints", parents.len())));
        }
        let offsets = view(&offsets);
        expect_shape("offsets", &offsets, &[(Some(count), "joints"), (Some(3), "")])?;
        let rotations = rotations.as_ref().map(view);
        if let Some(rotations) = &rotations {
            expect_shape("rotations", rotations, &[(Some(count), "joints"), (Some(4), "")])?;
        }
        let mut joints = Vec::with_capacity(count);
        for (index, (name, parent)) in names.into_iter().zip(parents).enumerate() {
            let parent = match parent {
                None | Some(-1) => None,
                Some(parent) => Some(usize::try_from(parent).map_err(|_| {
                    refused(format!("joint `{name}`: {parent} is no parent; -1 is the root's"))
                })?),
            };
            let at = Vec3::from_array([0, 1, 2].map(|axis| offsets[[index, axis]]));
            let mut joint = base::Joint::new(name, parent, at);
            if let Some(rotations) = &rotations {
                joint.rest.rotation = quat(&rotations.index_axis(numpy::ndarray::Axis(0), index));
            }
            joints.push(joint);
        }
        Ok(base::Skeleton::new(joints).or_raise()?.into())
    }

    /// The built-in human, 26 joints; height in metres.
    #[staticmethod]
    #[pyo3(signature = (height=None))]
    fn humanoid(height: Option<f32>) -> PyResult<Self> {
        Ok(crate::synth::human(height)?.skeleton.into())
    }

    /// Names of the joints.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.inner.joints().iter().map(|joint| joint.name.as_str()).collect()
    }

    /// Index of each joint's parent; -1 for the root. (joints,) int64, a copy.
    #[getter]
    fn parents<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let parent = |joint: &base::Joint| joint.parent.map_or(-1, |parent| parent as i64);
        self.inner.joints().iter().map(parent).collect::<Vec<_>>().into_pyarray(py)
    }

    /// Place of each joint in the frame of its parent at rest, in metres. (joints, 3) float32, a copy.
    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f32>> {
        rows(py, self.inner.joints().iter().map(|joint| joint.rest.translation.to_array()))
    }

    /// Rotation of each joint at rest, as quaternions x y z w. (joints, 4) float32, a copy.
    #[getter]
    fn rest_rotations<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f32>> {
        rows(py, self.inner.joints().iter().map(|joint| joint.rest.rotation.to_array()))
    }

    /// Place of each joint at rest, in the model. (joints, 3) float32, metres, a copy.
    fn rest_positions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f32>> {
        let models = self.inner.rest_models();
        rows(py, models.iter().map(|model| model.translation.to_array()))
    }

    /// Pairs of joints that are joined by a bone: (joints - 1, 2) int64, parent and child.
    #[getter]
    fn bones<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i64>> {
        let pairs: Vec<[i64; 2]> = (1..self.inner.len())
            .filter_map(|child| Some([self.inner.parent(child)? as i64, child as i64]))
            .collect();
        let count = pairs.len();
        numpy::ndarray::Array2::from_shape_vec((count, 2), pairs.into_flattened())
            .unwrap_or_else(|_| numpy::ndarray::Array2::zeros((0, 2)))
            .into_pyarray(py)
    }

    /// Index of the joint of a name; KeyError if there is none.
    fn find(&self, name: &str) -> PyResult<usize> {
        Self::index(&self.inner, name)
    }

    /// Height at rest, in metres.
    #[getter]
    fn height(&self) -> f32 {
        let (low, high) = self.inner.rest_bounds();
        high.y - low.y
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.inner == other.inner
    }

    fn __repr__(&self) -> String {
        format!("<andante.Skeleton: {} joints, {:.2} m tall>", self.inner.len(), self.height())
    }
}
