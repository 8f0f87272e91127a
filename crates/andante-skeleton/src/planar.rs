//! Where a character stands and which way it faces, seen from above.

use crate::{Transform, rotation};
use glam::{Quat, Vec2, Vec3};

/// A placement on the ground plane: the part of a root's motion that travels.
///
/// Composes like [`Transform`]: `a.then(b)` is `b` as seen by somebody who stands at `a`.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Planar {
    /// Position as (x, z) in metres.
    pub position: Vec2,
    /// Rotation about +Y from +Z towards +X in radians; not wrapped, so that turns add up.
    pub heading: f32,
}

impl Planar {
    /// At the origin, facing +Z.
    pub const IDENTITY: Self = Self { position: Vec2::ZERO, heading: 0.0 };

    /// From both parts.
    pub const fn new(position: Vec2, heading: f32) -> Self {
        Self { position, heading }
    }

    /// `next`, which is relative to this placement, seen from where this placement is seen from.
    #[inline]
    pub fn then(&self, next: &Planar) -> Planar {
        Planar {
            position: self.position + turn(next.position, self.heading),
            heading: self.heading + next.heading,
        }
    }

    /// The placement that undoes this one.
    #[inline]
    pub fn inverse(&self) -> Planar {
        Planar { position: turn(-self.position, -self.heading), heading: -self.heading }
    }

    /// `other` as seen from here: `self.then(&self.to(other)) == other`.
    #[inline]
    pub fn to(&self, other: &Planar) -> Planar {
        self.inverse().then(other)
    }

    /// Part of the way to a placement; headings are interpolated as they are, without wrapping.
    #[inline]
    pub fn lerp(&self, other: &Planar, t: f32) -> Planar {
        Planar {
            position: self.position.lerp(other.position, t),
            heading: self.heading + (other.heading - self.heading) * t,
        }
    }

    /// The same placement in space, on the plane y = 0.
    #[inline]
    pub fn to_transform(&self) -> Transform {
        Transform::new(
            Quat::from_rotation_y(self.heading),
            Vec3::new(self.position.x, 0.0, self.position.y),
        )
    }

    /// The ground part of a placement in space: height, pitch and roll are left out.
    pub fn from_transform(transform: &Transform) -> Planar {
        Planar {
            position: Vec2::new(transform.translation.x, transform.translation.z),
            heading: rotation::heading(transform.rotation),
        }
    }
}

/// Rotates (x, z) by a heading.
#[inline]
fn turn(v: Vec2, heading: f32) -> Vec2 {
    let (sin, cos) = libm::sincosf(heading);
    Vec2::new(v.x * cos + v.y * sin, v.y * cos - v.x * sin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn planar() -> impl Strategy<Value = Planar> {
        (-9.0f32..9.0, -9.0f32..9.0, -3.0f32..3.0)
            .prop_map(|(x, z, heading)| Planar::new(Vec2::new(x, z), heading))
    }

    proptest! {
        #[test]
        fn composes_like_the_transforms_it_stands_for(a in planar(), b in planar()) {
            let flat = a.then(&b).to_transform();
            let full = a.to_transform() * b.to_transform();
            prop_assert!(flat.translation.abs_diff_eq(full.translation, 1e-4));
            prop_assert!(rotation::angle_between(flat.rotation, full.rotation) < 1e-5);
        }

        #[test]
        fn going_to_a_placement_arrives_there(a in planar(), b in planar()) {
            let arrived = a.then(&a.to(&b));
            prop_assert!(arrived.position.abs_diff_eq(b.position, 1e-4));
            prop_assert!((arrived.heading - b.heading).abs() < 1e-5);
        }
    }
}
