//! Frames of a clip as numpy arrays without a copy: the one place that needs `unsafe`.
#![allow(unsafe_code)]

use crate::clip::Clip;
use andante_skeleton::Transform;
use numpy::ndarray::ArrayView3;
use numpy::{PyArray3, PyArrayMethods};
use pyo3::prelude::*;

/// Numbers of a transform: a rotation x y z w and a translation x y z.
pub const NUMBERS: usize = 7;

// A transform is seven numbers one after the other, and nothing else: `repr(C)` of a quaternion and a vector.
const _: () = {
    assert!(size_of::<Transform>() == NUMBERS * size_of::<f32>());
    assert!(align_of::<Transform>() == align_of::<f32>());
    assert!(std::mem::offset_of!(Transform, rotation) == 0);
    assert!(std::mem::offset_of!(Transform, translation) == 4 * size_of::<f32>());
};

/// All frames of a clip, `(frames, joints, 7)`, read only. The array keeps the clip alive.
pub fn transforms<'py>(clip: &Bound<'py, Clip>) -> PyResult<Bound<'py, PyArray3<f32>>> {
    let motion = clip.get().motion();
    let transforms = motion.transforms();
    // SAFETY: transforms are laid out as seven f32 each without padding, as asserted above, and any bits are an f32.
    let numbers = unsafe {
        std::slice::from_raw_parts(transforms.as_ptr().cast::<f32>(), transforms.len() * NUMBERS)
    };
    let shape = (motion.frame_count(), motion.joint_count(), NUMBERS);
    let view = ArrayView3::from_shape(shape, numbers).map_err(crate::error::refused)?;
    // SAFETY: the frames belong to the Python object `clip`, which is frozen, so that nothing moves or frees them before it is
    // gone; the array holds on to it. Nobody writes to them: the array is made read only before anybody has seen it, and
    // numpy does not make one writeable again whose owner is no buffer.
    let array = unsafe { PyArray3::borrow_from_array(&view, clip.clone().into_any()) };
    Ok(array.readwrite().make_nonwriteable().as_any().clone().cast_into::<PyArray3<f32>>()?)
}
