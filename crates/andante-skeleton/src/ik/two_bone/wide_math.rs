//! Vectors and quaternions of four limbs at once, one limb in each lane.

use glam::{Quat, Vec3, Vec4};
use std::ops::{Add, Mul, Sub};
use wide::f32x4;

/// Four numbers.
pub type Four = f32x4;

/// Four vectors.
#[derive(Clone, Copy)]
pub struct Vectors {
    pub x: Four,
    pub y: Four,
    pub z: Four,
}

/// Four quaternions.
#[derive(Clone, Copy)]
pub struct Quats {
    pub v: Vectors,
    pub w: Four,
}

/// The same for each of four. Unlike the arrays' own `map` it is always inlined, which decides about the
/// speed of it all.
#[inline(always)]
pub fn each<T: Copy, U>(of: [T; 4], what: impl Fn(T) -> U) -> [U; 4] {
    [what(of[0]), what(of[1]), what(of[2]), what(of[3])]
}

/// Columns of four rows.
#[inline(always)]
fn transposed(rows: [Vec4; 4]) -> [Four; 4] {
    Four::transpose(each(rows, |row| Four::new(row.to_array())))
}

impl Vectors {
    #[inline(always)]
    pub fn gather(of: [Vec3; 4]) -> Self {
        let [x, y, z, _] = transposed(each(of, |v| v.extend(0.0)));
        Self { x, y, z }
    }

    #[inline(always)]
    pub fn scatter(self) -> [Vec3; 4] {
        let rows = Four::transpose([self.x, self.y, self.z, Four::ZERO]);
        each(rows, |row| Vec4::from_array(row.to_array()).truncate())
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> Four {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }
}

impl Add for Vectors {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl Sub for Vectors {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl Mul<Four> for Vectors {
    type Output = Self;
    #[inline(always)]
    fn mul(self, by: Four) -> Self {
        Self { x: self.x * by, y: self.y * by, z: self.z * by }
    }
}

impl Quats {
    #[inline(always)]
    pub fn gather(of: [Quat; 4]) -> Self {
        let [x, y, z, w] = transposed(each(of, Vec4::from));
        Self { v: Vectors { x, y, z }, w }
    }

    #[inline(always)]
    pub fn scatter(self) -> [Quat; 4] {
        let rows = Four::transpose([self.v.x, self.v.y, self.v.z, self.w]);
        each(rows, |row| Quat::from_array(row.to_array()))
    }

    /// The product with the inverses of unit quaternions: what leads from `other` to these.
    #[inline(always)]
    pub fn over(self, other: Self) -> Self {
        Self { v: self.v * other.w - other.v * self.w - self.v.cross(other.v), w: self.dot(other) }
    }

    /// The inverses of these unit quaternions, times `other`: `other` seen from within.
    #[inline(always)]
    pub fn under(self, other: Self) -> Self {
        Self { v: other.v * self.w - self.v * other.w - self.v.cross(other.v), w: self.dot(other) }
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> Four {
        self.v.dot(other.v) + self.w * other.w
    }

    /// The product with quaternions that have no real part.
    #[inline(always)]
    pub fn times(self, v: Vectors) -> Self {
        Self { v: v * self.w + self.v.cross(v), w: -self.v.dot(v) }
    }

    /// Vectors turned by unit quaternions: v + 2w(q×v) + 2q×(q×v).
    #[inline(always)]
    pub fn turned(self, v: Vectors) -> Vectors {
        let across = self.v.cross(v);
        let half = across * self.w + self.v.cross(across);
        v + (half + half)
    }
}

impl Add for Quats {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { v: self.v + other.v, w: self.w + other.w }
    }
}

impl Sub for Quats {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { v: self.v - other.v, w: self.w - other.w }
    }
}

impl Mul<Four> for Quats {
    type Output = Self;
    #[inline(always)]
    fn mul(self, by: Four) -> Self {
        Self { v: self.v * by, w: self.w * by }
    }
}

impl Mul for Quats {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self {
            v: other.v * self.w + self.v * other.w + self.v.cross(other.v),
            w: self.w * other.w - self.v.dot(other.v),
        }
    }
}
