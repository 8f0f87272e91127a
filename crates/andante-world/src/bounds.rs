//! Boxes around things.

use crate::Ray;
use glam::{Vec2, Vec3};

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The lowest corner.
    pub low: Vec3,
    /// The highest corner.
    pub high: Vec3,
}

impl Bounds {
    /// The smallest box around a triangle.
    pub(crate) fn of([a, b, c]: [Vec3; 3]) -> Self {
        Self { low: a.min(b).min(c), high: a.max(b).max(c) }
    }

    /// The smallest box around points; `None` if there are none.
    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Option<Self> {
        let mut points = points.into_iter();
        let first = points.next()?;
        let start = Self { low: first, high: first };
        Some(points.fold(start, |bounds, point| Self {
            low: bounds.low.min(point),
            high: bounds.high.max(point),
        }))
    }

    /// The box made larger on all sides.
    pub fn grown(self, margin: f32) -> Self {
        Self { low: self.low - margin, high: self.high + margin }
    }

    /// Distance from a point to the box; 0 inside.
    pub fn distance(&self, point: Vec3) -> f32 {
        (self.low - point).max(point - self.high).max(Vec3::ZERO).length()
    }

    /// The area under the box.
    pub fn area(&self) -> Area {
        Area { low: Vec2::new(self.low.x, self.low.z), high: Vec2::new(self.high.x, self.high.z) }
    }

    /// The part of a ray in the box, as distances.
    pub(crate) fn clip(&self, ray: &Ray) -> Option<[f32; 2]> {
        let mut range = [0.0f32, ray.length()];
        for axis in 0..3 {
            let (start, speed) = (ray.origin()[axis], ray.direction()[axis]);
            let (low, high) = (self.low[axis], self.high[axis]);
            if speed == 0.0 {
                if start < low || start > high {
                    return None;
                }
                continue;
            }
            let (a, b) = ((low - start) / speed, (high - start) / speed);
            range = [range[0].max(a.min(b)), range[1].min(a.max(b))];
        }
        (range[0] <= range[1]).then_some(range)
    }
}

/// A rectangle in the horizontal plane; places in it are `(x, z)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// The corner of the smallest x and z.
    pub low: Vec2,
    /// The corner of the largest x and z.
    pub high: Vec2,
}

impl Area {
    /// The rectangle between two corners.
    pub fn new(a: Vec2, b: Vec2) -> Self {
        Self { low: a.min(b), high: a.max(b) }
    }

    /// A square around a place.
    pub fn around(center: Vec2, half: f32) -> Self {
        Self::new(center - half, center + half)
    }

    /// Extent in x and z.
    pub fn size(&self) -> Vec2 {
        self.high - self.low
    }

    pub(crate) fn corners(&self) -> [Vec2; 4] {
        let Self { low, high } = *self;
        [low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)]
    }
}
