//! Matrices of three by three, full and symmetric.

use std::ops::Mul;

use super::vector::{Vec3, vec3};
use crate::real::Real;

/// A 3x3 matrix by columns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mat3<R> {
    /// Image of the first axis.
    pub x: Vec3<R>,
    /// Image of the second axis.
    pub y: Vec3<R>,
    /// Image of the third axis.
    pub z: Vec3<R>,
}

impl<R: Real> Mat3<R> {
    /// The identity.
    #[inline(always)]
    pub fn identity() -> Self {
        let (o, i) = (R::zero(), R::one());
        Mat3 { x: vec3(i, o, o), y: vec3(o, i, o), z: vec3(o, o, i) }
    }

    /// The zero matrix.
    #[inline(always)]
    pub fn zero() -> Self {
        Mat3 { x: Vec3::zero(), y: Vec3::zero(), z: Vec3::zero() }
    }

    /// The same plain matrix in every lane.
    #[inline(always)]
    pub fn splat(m: &Mat3<f64>) -> Self {
        Mat3 { x: Vec3::splat(m.x), y: Vec3::splat(m.y), z: Vec3::splat(m.z) }
    }

    /// The matrix in one lane.
    #[inline(always)]
    pub fn lane(&self, lane: usize) -> Mat3<f64> {
        Mat3 { x: self.x.lane(lane), y: self.y.lane(lane), z: self.z.lane(lane) }
    }

    /// Transposed matrix times vector: for a rotation, into its frame.
    #[inline(always)]
    pub fn transpose_mul(&self, v: Vec3<R>) -> Vec3<R> {
        vec3(self.x.dot(v), self.y.dot(v), self.z.dot(v))
    }

    /// The transpose.
    #[inline(always)]
    pub fn transpose(&self) -> Self {
        Mat3 {
            x: vec3(self.x.x, self.y.x, self.z.x),
            y: vec3(self.x.y, self.y.y, self.z.y),
            z: vec3(self.x.z, self.y.z, self.z.z),
        }
    }

    /// This matrix times `[v]x`, the matrix of the vector product with `v` on the left.
    #[inline(always)]
    pub fn mul_cross(&self, v: Vec3<R>) -> Self {
        // Columns of [v]x are (0, vz, -vy), (-vz, 0, vx), (vy, -vx, 0).
        Mat3 {
            x: self.y * v.z - self.z * v.y,
            y: self.z * v.x - self.x * v.z,
            z: self.x * v.y - self.y * v.x,
        }
    }
}

impl<R: Real> Mul<Vec3<R>> for Mat3<R> {
    type Output = Vec3<R>;
    #[inline(always)]
    fn mul(self, v: Vec3<R>) -> Vec3<R> {
        self.x * v.x + self.y * v.y + self.z * v.z
    }
}
impl<R: Real> Mul for Mat3<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Mat3 { x: self * o.x, y: self * o.y, z: self * o.z }
    }
}
linear!(Mat3 { x, y, z });

/// A symmetric 3x3 matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Sym3<R> {
    pub xx: R,
    pub yy: R,
    pub zz: R,
    pub xy: R,
    pub xz: R,
    pub yz: R,
}

impl<R: Real> Sym3<R> {
    /// A diagonal matrix.
    #[inline(always)]
    pub fn diagonal(d: Vec3<R>) -> Self {
        let o = R::zero();
        Sym3 { xx: d.x, yy: d.y, zz: d.z, xy: o, xz: o, yz: o }
    }

    /// The same plain matrix in every lane.
    #[inline(always)]
    pub fn splat(m: &Sym3<f64>) -> Self {
        Sym3 {
            xx: R::splat(m.xx),
            yy: R::splat(m.yy),
            zz: R::splat(m.zz),
            xy: R::splat(m.xy),
            xz: R::splat(m.xz),
            yz: R::splat(m.yz),
        }
    }

    /// As a full matrix.
    #[inline(always)]
    pub fn full(&self) -> Mat3<R> {
        Mat3 {
            x: vec3(self.xx, self.xy, self.xz),
            y: vec3(self.xy, self.yy, self.yz),
            z: vec3(self.xz, self.yz, self.zz),
        }
    }

    /// The upper half of a matrix that is symmetric by construction.
    #[inline(always)]
    pub fn upper(m: &Mat3<R>) -> Self {
        Sym3 { xx: m.x.x, yy: m.y.y, zz: m.z.z, xy: m.y.x, xz: m.z.x, yz: m.z.y }
    }

    /// `r * self * r^T`.
    #[inline(always)]
    pub fn rotated(&self, r: &Mat3<R>) -> Self {
        let m = *r * self.full();
        // Row i of m times row j of r.
        let e = |a: (R, R, R), b: (R, R, R)| a.0 * b.0 + a.1 * b.1 + a.2 * b.2;
        let (mx, my, mz) = ((m.x.x, m.y.x, m.z.x), (m.x.y, m.y.y, m.z.y), (m.x.z, m.y.z, m.z.z));
        let (rx, ry, rz) = ((r.x.x, r.y.x, r.z.x), (r.x.y, r.y.y, r.z.y), (r.x.z, r.y.z, r.z.z));
        Sym3 {
            xx: e(mx, rx),
            yy: e(my, ry),
            zz: e(mz, rz),
            xy: e(mx, ry),
            xz: e(mx, rz),
            yz: e(my, rz),
        }
    }

    /// `r * diag(d) * r^T`.
    #[inline(always)]
    pub fn rotated_diagonal(d: Vec3<R>, r: &Mat3<R>) -> Self {
        let (a, b, c) = (r.x * d.x, r.y * d.y, r.z * d.z);
        Sym3 {
            xx: a.x * r.x.x + b.x * r.y.x + c.x * r.z.x,
            yy: a.y * r.x.y + b.y * r.y.y + c.y * r.z.y,
            zz: a.z * r.x.z + b.z * r.y.z + c.z * r.z.z,
            xy: a.x * r.x.y + b.x * r.y.y + c.x * r.z.y,
            xz: a.x * r.x.z + b.x * r.y.z + c.x * r.z.z,
            yz: a.y * r.x.z + b.y * r.y.z + c.y * r.z.z,
        }
    }

    /// `v v^T`.
    #[inline(always)]
    pub fn square(v: Vec3<R>) -> Self {
        Sym3 {
            xx: v.x * v.x,
            yy: v.y * v.y,
            zz: v.z * v.z,
            xy: v.x * v.y,
            xz: v.x * v.z,
            yz: v.y * v.z,
        }
    }

    /// Inertia of a point mass `m` at `c`: `m (c.c 1 - c c^T)`.
    #[inline(always)]
    pub fn point_mass(m: R, c: Vec3<R>) -> Self {
        let mc = c * m;
        let (x2, y2, z2) = (mc.x * c.x, mc.y * c.y, mc.z * c.z);
        Sym3 {
            xx: y2 + z2,
            yy: x2 + z2,
            zz: x2 + y2,
            xy: -(mc.x * c.y),
            xz: -(mc.x * c.z),
            yz: -(mc.y * c.z),
        }
    }
}

impl<R: Real> Mul<Vec3<R>> for Sym3<R> {
    type Output = Vec3<R>;
    #[inline(always)]
    fn mul(self, v: Vec3<R>) -> Vec3<R> {
        vec3(
            self.xx * v.x + self.xy * v.y + self.xz * v.z,
            self.xy * v.x + self.yy * v.y + self.yz * v.z,
            self.xz * v.x + self.yz * v.y + self.zz * v.z,
        )
    }
}
linear!(Sym3 { xx, yy, zz, xy, xz, yz });

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Quat;

    #[test]
    fn the_matrix_of_a_product_is_the_product_of_the_matrices() {
        let a = Quat::exp(vec3(0.3, -0.8, 1.1));
        let b = Quat::exp(vec3(-1.3, 0.2, 0.4));
        let d = (a * b).matrix() - a.matrix() * b.matrix();
        assert!(d.x.length() + d.y.length() + d.z.length() < 1e-14);
        let v = vec3(0.1, 0.2, -0.7);
        let r = a.matrix();
        assert!((r.transpose_mul(r * v) - v).length() < 1e-15);
        let w = vec3(1.0, -0.4, 0.2);
        assert!((r.mul_cross(v) * w - r * v.cross(w)).length() < 1e-15);
        let s = Sym3::diagonal(vec3(1.0, 2.0, 3.0));
        assert!((s.rotated(&r) * w - r * (s * r.transpose_mul(w))).length() < 1e-14);
        assert!(
            (Sym3::rotated_diagonal(vec3(1.0, 2.0, 3.0), &r) * w - s.rotated(&r) * w).length()
                < 1e-14
        );
    }
}
