//! Rotations as unit quaternions.

use std::ops::Mul;

use super::matrix::Mat3;
use super::vector::{Vec3, vec3};
use crate::real::{Real, angle_over_sine, cos_sinc};

/// A unit quaternion: a rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Quat<R> {
    pub x: R,
    pub y: R,
    pub z: R,
    pub w: R,
}

impl<R: Real> Quat<R> {
    /// No rotation.
    #[inline(always)]
    pub fn identity() -> Self {
        let o = R::zero();
        Quat { x: o, y: o, z: o, w: R::one() }
    }

    /// Reads `x, y, z, w`.
    #[inline(always)]
    pub fn read(q: &[R]) -> Self {
        Quat { x: q[0], y: q[1], z: q[2], w: q[3] }
    }

    /// Writes `x, y, z, w`.
    #[inline(always)]
    pub fn write(self, q: &mut [R]) {
        q[0] = self.x;
        q[1] = self.y;
        q[2] = self.z;
        q[3] = self.w;
    }

    /// The vector part.
    #[inline(always)]
    pub fn vector(self) -> Vec3<R> {
        vec3(self.x, self.y, self.z)
    }

    /// The inverse rotation.
    #[inline(always)]
    pub fn conjugate(self) -> Self {
        Quat { x: -self.x, y: -self.y, z: -self.z, w: self.w }
    }

    /// Scaled to unit length.
    #[inline(always)]
    pub fn normalized(self) -> Self {
        let n = self.x * self.x + self.y * self.y + self.z * self.z + self.w * self.w;
        let s = R::one() / n.sqrt();
        Quat { x: self.x * s, y: self.y * s, z: self.z * s, w: self.w * s }
    }

    /// The rotation about `v` by its length, for lengths up to about pi.
    #[inline(always)]
    pub fn exp(v: Vec3<R>) -> Self {
        let half = v * R::splat(0.5);
        let (c, sinc) = cos_sinc(half.length_squared());
        let h = half * sinc;
        Quat { x: h.x, y: h.y, z: h.z, w: c }
    }

    /// The rotation vector, of length at most pi: the inverse of [`exp`](Self::exp).
    #[inline(always)]
    pub fn log(self) -> Vec3<R> {
        let negative = R::lt(self.w, R::zero());
        let v = self.vector();
        let v = Vec3::select(negative, -v, v);
        v * angle_over_sine(v.length(), self.w.abs())
    }

    /// As a matrix.
    #[inline(always)]
    pub fn matrix(self) -> Mat3<R> {
        let Quat { x, y, z, w } = self;
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, yy, zz) = (x * x2, y * y2, z * z2);
        let (xy, xz, yz) = (x * y2, x * z2, y * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        let i = R::one();
        Mat3 {
            x: vec3(i - (yy + zz), xy + wz, xz - wy),
            y: vec3(xy - wz, i - (xx + zz), yz + wx),
            z: vec3(xz + wy, yz - wx, i - (xx + yy)),
        }
    }
}

impl Quat<f64> {
    /// The rotation about a unit axis by any angle.
    pub fn from_axis_angle(axis: Vec3<f64>, angle: f64) -> Self {
        let (s, c) = libm::sincos(angle * 0.5);
        Quat { x: axis.x * s, y: axis.y * s, z: axis.z * s, w: c }
    }
}

impl<R: Real> Mul for Quat<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Quat {
            w: self.w * o.w - self.x * o.x - self.y * o.y - self.z * o.z,
            x: self.w * o.x + self.x * o.w + self.y * o.z - self.z * o.y,
            y: self.w * o.y - self.x * o.z + self.y * o.w + self.z * o.x,
            z: self.w * o.z + self.x * o.y - self.y * o.x + self.z * o.w,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_undoes_exp() {
        for i in 0..200 {
            let a = i as f64 * 0.0157;
            let axis = vec3((i as f64).sin(), (i as f64 * 1.7).cos(), 0.3).normalized().unwrap();
            let v = axis * a;
            assert!((Quat::exp(v).log() - v).length() < 1e-13, "{a}");
            assert!((Quat { w: -1.0, ..Quat::identity() }).log().length() == 0.0);
        }
    }
}
