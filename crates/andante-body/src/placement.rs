//! Where a segment is.

use glam::{DQuat, DVec3};
use std::ops::Mul;

/// A rotation, then a translation, in f64.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidPlacement {
    /// Takes the segment's axes to those of the outer frame.
    pub rotation: DQuat,
    /// Where the segment's origin is in the outer frame.
    pub translation: DVec3,
}

impl RigidPlacement {
    /// Nothing moves.
    pub const IDENTITY: Self = Self { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };

    /// A rotation followed by a translation.
    pub fn new(rotation: DQuat, translation: DVec3) -> Self {
        Self { rotation, translation }
    }

    /// A point of the segment, seen from outside.
    pub fn transform_point(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation
    }

    /// From the outer frame to the segment's.
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, translation: rotation * -self.translation }
    }
}

impl Mul for RigidPlacement {
    type Output = Self;

    fn mul(self, inner: Self) -> Self {
        Self {
            rotation: self.rotation * inner.rotation,
            translation: self.transform_point(inner.translation),
        }
    }
}
