//! Plain numbers that pass the border.

use crate::border::{Failure, andante_status, call, fill, slice};
use ::andante_skeleton::{Planar, Transform};
use ::andante_stage::Waypoint;
use glam::{Mat4, Quat, Vec2, Vec3};

/// A rotation and a place, 28 bytes: right-handed, Y up, metres. A character faces +Z at rest, and its left is +X.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct andante_transform {
    /// A unit quaternion: x, y, z, w.
    pub rotation: [f32; 4],
    /// x, y, z in metres.
    pub translation: [f32; 3],
}

/// A place on the ground and a direction.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct andante_placement {
    /// Metres.
    pub x: f32,
    /// Metres.
    pub z: f32,
    /// From +Z towards +X, in radians: positive turns left.
    pub heading: f32,
}

/// A place to go to.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct andante_waypoint {
    /// Metres.
    pub x: f32,
    /// Metres.
    pub z: f32,
    /// Height of the ground that is meant, in metres, to within a step; NAN is the highest.
    pub height: f32,
    /// Which way to face there, in radians; NAN is any.
    pub heading: f32,
}

impl From<&Transform> for andante_transform {
    fn from(own: &Transform) -> Self {
        Self { rotation: own.rotation.to_array(), translation: own.translation.to_array() }
    }
}

impl From<&andante_transform> for Transform {
    fn from(own: &andante_transform) -> Self {
        Self::new(Quat::from_array(own.rotation), Vec3::from_array(own.translation))
    }
}

impl From<Planar> for andante_placement {
    fn from(own: Planar) -> Self {
        Self { x: own.position.x, z: own.position.y, heading: own.heading }
    }
}

impl From<&andante_waypoint> for Waypoint {
    fn from(own: &andante_waypoint) -> Self {
        let said = |value: f32| (!value.is_nan()).then_some(value);
        let place = Vec2::new(own.x, own.z);
        Self { place, height: said(own.height), heading: said(own.heading) }
    }
}

/// Writes a row of transforms.
///
/// # Safety
/// `to` is null or has room for `capacity` of them.
pub(crate) unsafe fn put_transforms(
    to: *mut andante_transform,
    capacity: usize,
    transforms: &[Transform],
) -> Result<(), Failure> {
    // SAFETY: as the caller says.
    unsafe { fill(to, capacity, transforms.iter().map(andante_transform::from), "transforms") }
}

/// Turns transforms into matrices of 16 numbers each, column by column, as graphics libraries take them. There must be room for
/// 16 * count numbers.
///
/// # Safety
/// `transforms` points to `count` of them, `matrices` to room for `capacity` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_matrices(
    transforms: *const andante_transform,
    count: usize,
    matrices: *mut f32,
    capacity: usize,
) -> andante_status {
    call(|| {
        // SAFETY: the header asks for `count` transforms.
        let transforms = unsafe { slice(transforms, count, "transforms") }?;
        let numbers: Vec<f32> = transforms
            .iter()
            .map(Transform::from)
            .flat_map(|own| {
                Mat4::from_rotation_translation(own.rotation, own.translation).to_cols_array()
            })
            .collect();
        // SAFETY: the header asks for room for `capacity` numbers.
        unsafe { fill(matrices, capacity, numbers.into_iter(), "matrices") }
    })
}
