//! Straight lines of sight, and what they meet.

use crate::Bounds;
use glam::{Quat, Vec3};

/// A half line of finite length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts.
    pub(crate) origin: Vec3,
    /// Unit vector.
    pub(crate) direction: Vec3,
    /// How far it goes.
    pub(crate) length: f32,
}

impl Ray {
    /// Rays end here: nothing in a world of people is farther away.
    pub const LONGEST: f32 = 10_000.0;

    /// From `origin` towards `direction`, which need not be a unit vector, for `length` metres, at most
    /// [`Self::LONGEST`]. `None` if a number is not finite or the direction has no length.
    pub fn new(origin: Vec3, direction: Vec3, length: f32) -> Option<Self> {
        let direction = direction.try_normalize()?;
        let usable = origin.is_finite() && length >= 0.0;
        usable.then_some(Self { origin, direction, length: length.min(Self::LONGEST) })
    }

    /// Where it is after `distance`.
    pub fn at(&self, distance: f32) -> Vec3 {
        self.origin + distance * self.direction
    }

    /// The same ray seen from a frame that is turned and moved.
    pub(crate) fn into_frame(self, rotation: Quat, translation: Vec3) -> Self {
        let back = rotation.conjugate();
        Self {
            origin: back * (self.origin - translation),
            direction: back * self.direction,
            length: self.length,
        }
    }

    /// The part of the ray in a box, as distances.
    pub(crate) fn clip(&self, bounds: &Bounds) -> Option<[f32; 2]> {
        let mut range = [0.0f32, self.length];
        for axis in 0..3 {
            let (start, speed) = (self.origin[axis], self.direction[axis]);
            let (low, high) = (bounds.low[axis], bounds.high[axis]);
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

/// A point of a surface and how far it is from where the question was asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoint {
    /// The point of the surface.
    pub point: Vec3,
    /// The surface's unit normal there, on the side that the question came from.
    pub normal: Vec3,
    /// Distance in metres: along the ray or the sweep, or to the nearest point.
    pub distance: f32,
}

impl ClosestPoint {
    /// Of two, the nearer one; the first if they are equally near.
    pub(crate) fn nearer(self, other: Option<Self>) -> Self {
        match other {
            Some(other) if other.distance <= self.distance => other,
            _ => self,
        }
    }
}
