//! Numbers on their way between numpy and the library.

use crate::error::refused;
use andante_skeleton::Transform;
use glam::{Quat, Vec2, Vec3};
use numpy::ndarray::{Array2, Array3, ArrayView, Dimension, IxDyn};
use numpy::{AllowTypeChange, IntoPyArray, PyArray2, PyArray3, PyArrayLikeDyn, PyReadonlyArrayDyn};
use pyo3::prelude::*;

/// An array, or lists that make one, as single precision.
pub type Floats<'py> = PyArrayLikeDyn<'py, f32, AllowTypeChange>;
/// The same as double precision.
pub type Doubles<'py> = PyArrayLikeDyn<'py, f64, AllowTypeChange>;

/// The read-only array behind what was given.
pub fn view<'a, 'py, T: numpy::Element>(
    given: &'a PyArrayLikeDyn<'py, T, AllowTypeChange>,
) -> ArrayView<'a, T, IxDyn> {
    let array: &PyReadonlyArrayDyn<'py, T> = given;
    array.as_array()
}

/// Refuses an array of another shape; `None` stands for any length.
pub fn expect_shape<T, D: Dimension>(
    what: &str,
    array: &ArrayView<'_, T, D>,
    wanted: &[(Option<usize>, &str)],
) -> PyResult<()> {
    let shape = array.shape();
    let fits = shape.len() == wanted.len()
        && shape
            .iter()
            .zip(wanted)
            .all(|(found, (want, _))| want.is_none_or(|want| want == *found));
    if fits {
        return Ok(());
    }
    let axes: Vec<String> = wanted
        .iter()
        .map(|(length, name)| match length {
            Some(length) if name.is_empty() => length.to_string(),
            Some(length) => format!("{length} {name}"),
            None => (*name).to_string(),
        })
        .collect();
    Err(refused(format!("{what} has the shape {shape:?}; it is ({})", axes.join(", "))))
}

/// A list of points or rotations as an array of one row each.
pub fn rows<'py, const N: usize>(
    py: Python<'py>,
    rows: impl ExactSizeIterator<Item = [f32; N]>,
) -> Bound<'py, PyArray2<f32>> {
    let count = rows.len();
    let flat: Vec<f32> = rows.flatten().collect();
    // As many numbers as rows of N have.
    Array2::from_shape_vec((count, N), flat)
        .unwrap_or_else(|_| Array2::zeros((0, N)))
        .into_pyarray(py)
}

/// Numbers of every joint in every frame.
pub fn frames<'py, const N: usize>(
    py: Python<'py>,
    joints: usize,
    numbers: Vec<[f32; N]>,
) -> Bound<'py, PyArray3<f32>> {
    let count = numbers.len() / joints.max(1);
    Array3::from_shape_vec((count, joints, N), numbers.into_flattened())
        .unwrap_or_else(|_| Array3::zeros((0, joints, N)))
        .into_pyarray(py)
}

/// A pose as rows of x y z w, x y z.
pub fn seven(transform: &Transform) -> [f32; 7] {
    let ([a, b, c, d], [x, y, z]) =
        (transform.rotation.to_array(), transform.translation.to_array());
    [a, b, c, d, x, y, z]
}

/// A point from three numbers.
pub fn point(what: &str, given: &Floats<'_>) -> PyResult<Vec3> {
    let array = view(given);
    expect_shape(what, &array, &[(Some(3), "numbers")])?;
    Ok(Vec3::new(array[[0]], array[[1]], array[[2]]))
}

/// A place on the ground from `[x, z]` or `[x, y, z]`, whose y is the height of its ground.
pub fn place(what: &str, given: &Floats<'_>) -> PyResult<(Vec2, Option<f32>)> {
    let array = view(given);
    match array.shape() {
        [2] => Ok((Vec2::new(array[[0]], array[[1]]), None)),
        [3] => Ok((Vec2::new(array[[0]], array[[2]]), Some(array[[1]]))),
        shape => Err(refused(format!(
            "{what} has the shape {shape:?}; a place is [x, z] or [x, y, z], in metres"
        ))),
    }
}

/// Places in a row.
pub fn places(what: &str, given: &Floats<'_>) -> PyResult<Vec<(Vec2, Option<f32>)>> {
    let array = view(given);
    match array.shape() {
        [_, 2] => Ok(array.outer_iter().map(|row| (Vec2::new(row[[0]], row[[1]]), None)).collect()),
        [_, 3] => Ok(array
            .outer_iter()
            .map(|row| (Vec2::new(row[[0]], row[[2]]), Some(row[[1]])))
            .collect()),
        shape => Err(refused(format!(
            "{what} has the shape {shape:?}; places are rows of [x, z] or [x, y, z], in metres"
        ))),
    }
}

/// A rotation from x, y, z, w.
pub fn quat(row: &ArrayView<'_, f32, IxDyn>) -> Quat {
    Quat::from_xyzw(row[[0]], row[[1]], row[[2]], row[[3]])
}
