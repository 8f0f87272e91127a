//! Vectors in the first three of four lanes, with zero in the last one, and numbers in all four.
//!
//! Quaternions have four lanes too, so that sums and products of all three need no rearranging, and a dot product
//! of four lanes serves for vectors and quaternions.

use glam::{Quat, Vec3, Vec4, Vec4Swizzles};
use wide::f32x4;

/// A vector in lanes. It is read in the two parts in which it is written, x and y together: read as y and z it would have
/// to wait until what was just written has reached memory.
#[inline(always)]
pub fn lanes(v: Vec3) -> Vec4 {
    let (xy, z) = (f32x4::new([v.x, v.y, 0.0, 0.0]), f32x4::new([v.z, 0.0, 0.0, 0.0]));
    Vec4::from_array(f32x4::unpack_lo(xy, z).to_array()).xzyw()
}

/// The dot product, in each lane.
#[inline(always)]
pub fn dot(a: Vec4, b: Vec4) -> Vec4 {
    let each = a * b;
    let pairs = each + each.yxwz();
    pairs + pairs.zwxy()
}

/// The square of a quaternion's length, in each lane.
#[inline(always)]
pub fn length_squared(q: Quat) -> Vec4 {
    dot(Vec4::from(q), Vec4::from(q))
}

/// The square root of each lane.
#[inline(always)]
pub fn sqrt(of: Vec4) -> Vec4 {
    Vec4::from_array(f32x4::new(of.to_array()).sqrt().to_array())
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

/// The displacement of a vector that a unit quaternion turns: 2w(q×v) + 2q×(q×v). Of one that is longer, it is the square
/// of its length times as much.
#[inline(always)]
pub fn twist(q: Quat, v: Vec4) -> Vec4 {
    let q = Vec4::from(q);
    let (across, twice) = (cross(q, v), q + q);
    across * twice.wwww() + cross(twice, across)
}

/// The product of two quaternions, in fewer steps than the operator takes.
#[inline(always)]
pub fn product(a: Quat, b: Quat) -> Quat {
    let [by_a, by_b, plus, minus] = terms(a, b);
    Quat::from_vec4(by_a - minus - conjugate(by_b + plus))
}

/// The inverse of a unit quaternion times another quaternion: `b` seen from `a`.
#[inline(always)]
pub fn under(a: Quat, b: Quat) -> Quat {
    let [by_a, by_b, plus, minus] = terms(a, b);
    Quat::from_vec4(by_a + minus + conjugate(by_b + plus))
}

/// A quaternion times the inverse of a unit quaternion: what leads from `b` to `a`.
#[inline(always)]
pub fn over(a: Quat, b: Quat) -> Quat {
    let [by_a, by_b, plus, minus] = terms(a, b);
    Quat::from_vec4(by_b + minus + conjugate(by_a + plus))
}

/// What products of quaternions are sums and differences of: in the first three lanes each one's vector times the other's
/// real part, here `b` times that of `a` first, and the two halves of the cross product; in the last one the
/// products of equal parts, real ones first.
#[inline(always)]
fn terms(a: Quat, b: Quat) -> [Vec4; 4] {
    let (a, b) = (Vec4::from(a), Vec4::from(b));
    [a.wwww() * b, a.xyzx() * b.wwwx(), a.yzxy() * b.zxyy(), a.zxyz() * b.yzxz()]
}

#[inline(always)]
fn conjugate(q: Vec4) -> Vec4 {
    Vec4::from(Quat::from_vec4(q).conjugate())
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
