//! Three-vectors, matrices and quaternions over [`Real`].

use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Sub, SubAssign};

use crate::real::{Real, angle_over_sine, cos_sinc};

/// A vector of three.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec3<R> {
    /// First component.
    pub x: R,
    /// Second component, up in the world.
    pub y: R,
    /// Third component, forwards in the world.
    pub z: R,
}

/// Shorthand for [`Vec3::new`].
#[inline(always)]
pub fn vec3<R>(x: R, y: R, z: R) -> Vec3<R> {
    Vec3 { x, y, z }
}

impl<R: Real> Vec3<R> {
    /// A vector of three components.
    #[inline(always)]
    pub fn new(x: R, y: R, z: R) -> Self {
        Vec3 { x, y, z }
    }

    /// The zero vector.
    #[inline(always)]
    pub fn zero() -> Self {
        Vec3::new(R::zero(), R::zero(), R::zero())
    }

    /// The same plain vector in every lane.
    #[inline(always)]
    pub fn splat(v: Vec3<f64>) -> Self {
        Vec3::new(R::splat(v.x), R::splat(v.y), R::splat(v.z))
    }

    /// The vector in one lane.
    #[inline(always)]
    pub fn lane(self, lane: usize) -> Vec3<f64> {
        vec3(self.x.lane(lane), self.y.lane(lane), self.z.lane(lane))
    }

    /// Replaces the vector in one lane.
    #[inline(always)]
    pub fn set_lane(&mut self, lane: usize, v: Vec3<f64>) {
        self.x.set_lane(lane, v.x);
        self.y.set_lane(lane, v.y);
        self.z.set_lane(lane, v.z);
    }

    /// Scalar product.
    #[inline(always)]
    pub fn dot(self, o: Self) -> R {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    /// Vector product.
    #[inline(always)]
    pub fn cross(self, o: Self) -> Self {
        Vec3::new(
            self.y * o.z - self.z * o.y,
            self.z * o.x - self.x * o.z,
            self.x * o.y - self.y * o.x,
        )
    }

    /// Squared length.
    #[inline(always)]
    pub fn length_squared(self) -> R {
        self.dot(self)
    }

    /// Length.
    #[inline(always)]
    pub fn length(self) -> R {
        self.dot(self).sqrt()
    }

    /// Component by component product.
    #[inline(always)]
    pub fn scale(self, o: Self) -> Self {
        Vec3::new(self.x * o.x, self.y * o.y, self.z * o.z)
    }

    /// `yes` where the mask is true, else `no`.
    #[inline(always)]
    pub fn select(mask: R::Mask, yes: Self, no: Self) -> Self {
        Vec3::new(
            R::select(mask, yes.x, no.x),
            R::select(mask, yes.y, no.y),
            R::select(mask, yes.z, no.z),
        )
    }

    /// Two unit vectors square to this unit vector and to each other.
    ///
    /// For anything like ground the first lies close to world x, so that it does not jump from step to step.
    #[inline(always)]
    pub fn tangents(self) -> (Self, Self) {
        let steep = R::lt(R::splat(0.8), self.x.abs());
        let axis = Vec3::new(
            R::select(steep, R::zero(), R::one()),
            R::select(steep, R::one(), R::zero()),
            R::zero(),
        );
        let t = axis - self * self.dot(axis);
        let t1 = t * (R::one() / t.length());
        (t1, self.cross(t1))
    }
}

impl Vec3<f64> {
    /// The unit vector along this one, or `None` if it has no direction.
    pub fn normalized(self) -> Option<Self> {
        let length = self.length();
        (length > 1e-300 && length.is_finite()).then(|| self * (1.0 / length))
    }

    /// Whether all components are finite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }

    /// As an array.
    pub fn to_array(self) -> [f64; 3] {
        [self.x, self.y, self.z]
    }
}

impl From<[f64; 3]> for Vec3<f64> {
    fn from(a: [f64; 3]) -> Self {
        vec3(a[0], a[1], a[2])
    }
}

impl<R> Index<usize> for Vec3<R> {
    type Output = R;
    #[inline(always)]
    fn index(&self, i: usize) -> &R {
        match i {
            0 => &self.x,
            1 => &self.y,
            _ => &self.z,
        }
    }
}

impl<R> IndexMut<usize> for Vec3<R> {
    #[inline(always)]
    fn index_mut(&mut self, i: usize) -> &mut R {
        match i {
            0 => &mut self.x,
            1 => &mut self.y,
            _ => &mut self.z,
        }
    }
}

impl<R: Real> Add for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Vec3::new(self.x + o.x, self.y + o.y, self.z + o.z)
    }
}
impl<R: Real> Sub for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Vec3::new(self.x - o.x, self.y - o.y, self.z - o.z)
    }
}
impl<R: Real> Neg for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Vec3::new(-self.x, -self.y, -self.z)
    }
}
impl<R: Real> Mul<R> for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: R) -> Self {
        Vec3::new(self.x * s, self.y * s, self.z * s)
    }
}
impl<R: Real> AddAssign for Vec3<R> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl<R: Real> SubAssign for Vec3<R> {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

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
impl<R: Real> Add for Mat3<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Mat3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}
impl<R: Real> Sub for Mat3<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Mat3 { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}

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
impl<R: Real> Add for Sym3<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Sym3 {
            xx: self.xx + o.xx,
            yy: self.yy + o.yy,
            zz: self.zz + o.zz,
            xy: self.xy + o.xy,
            xz: self.xz + o.xz,
            yz: self.yz + o.yz,
        }
    }
}

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
        let (s, c) = (angle * 0.5).sin_cos();
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

    #[test]
    fn tangents_are_square_to_any_normal() {
        for i in 0..100 {
            let t = i as f64;
            let n = vec3(t.sin(), (1.3 * t).cos(), (0.7 * t).sin()).normalized().unwrap();
            let (a, b) = n.tangents();
            assert!(a.dot(n).abs() < 1e-15 && b.dot(n).abs() < 1e-15 && a.dot(b).abs() < 1e-15);
            assert!((a.length() - 1.0).abs() < 1e-14 && (b.length() - 1.0).abs() < 1e-14);
        }
    }
}
