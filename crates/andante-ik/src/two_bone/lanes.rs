//! Vectors in the first three of four lanes, with zero in the last one.
//!
//! Quaternions have four lanes too, so that sums and products of both need no rearranging, and a dot product
//! of four lanes serves for either.

use glam::{Mat4, Quat, Vec3, Vec4, Vec4Swizzles};
use wide::f32x4;

/// A vector in lanes.
#[inline(always)]
pub fn lanes(v: Vec3) -> Vec4 {
    v.extend(0.0)
}

/// The cross product. One factor may be a quaternion, of which the vector counts.
#[inline(always)]
pub fn cross(a: Vec4, b: Vec4) -> Vec4 {
    (a.zxyw() * b - a * b.zxyw()).zxyw()
}

/// A vector turned by a unit quaternion.
#[inline(always)]
pub fn turned(q: Quat, v: Vec4) -> Vec4 {
    v + twist(q, v)
}

/// What a unit quaternion adds to a vector that it turns: 2w(q×v) + 2q×(q×v). Of one that is longer, it is
/// the square of its length times as much.
#[inline(always)]
pub fn twist(q: Quat, v: Vec4) -> Vec4 {
    let q = Vec4::from(q);
    let across = cross(q, v + v);
    across * q.wwww() + cross(q, across)
}

/// The product of two quaternions, in fewer steps than the operator takes.
#[inline(always)]
pub fn product(a: Quat, b: Quat) -> Quat {
    let (a, b) = (Vec4::from(a), Vec4::from(b));
    let sum = a.xyzx() * b.wwwx() + a.yzxy() * b.zxyy();
    let minus_last = Vec4::new(1.0, 1.0, 1.0, -1.0);
    Quat::from_vec4(a.wwww() * b + (sum * minus_last - a.zxyz() * b.yzxz()))
}

/// The sums of the first three lanes of four vectors.
#[inline(always)]
pub fn sums(a: Vec4, b: Vec4, c: Vec4, d: Vec4) -> Vec4 {
    let rows = Mat4::from_cols(a, b, c, d).transpose();
    rows.x_axis + rows.y_axis + rows.z_axis
}

/// The square roots of four numbers, all at once.
#[inline(always)]
pub fn roots(of: Vec4) -> Vec4 {
    Vec4::from_array(f32x4::new(of.to_array()).sqrt().to_array())
}

/// The larger of two numbers. Unlike [`f32::max`] it is one instruction, because it does not look for a NaN.
#[inline(always)]
pub fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The smaller of two numbers, like [`larger`].
#[inline(always)]
pub fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}
