//! Vectors of three over [`Real`].

use std::ops::{Index, IndexMut};

use crate::real::Real;

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

    /// Reads `x, y, z`.
    #[inline(always)]
    pub fn read(v: &[R]) -> Self {
        Vec3::new(v[0], v[1], v[2])
    }

    /// Writes `x, y, z`.
    #[inline(always)]
    pub fn write(self, v: &mut [R]) {
        v[0] = self.x;
        v[1] = self.y;
        v[2] = self.z;
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

    /// True if all components are finite.
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

linear!(Vec3 { x, y, z });

#[cfg(test)]
mod tests {
    use super::*;

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
