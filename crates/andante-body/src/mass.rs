//! How a segment resists being moved.

use crate::{RigidPlacement, SolidShape};
use glam::{DMat3, DVec3};

/// Mass, centre of mass and inertia of a segment, in the segment's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mass {
    /// In kilograms.
    pub mass: f64,
    /// Centre of mass.
    pub center: DVec3,
    /// Inertia about the centre of mass, along the segment's axes; symmetric.
    pub inertia: DMat3,
}

impl Mass {
    /// Several shapes of the same density that weigh `mass` together. The centre and the inertia are
    /// not finite if no shape has a volume.
    pub fn of_shapes(shapes: &[SolidShape], mass: f64) -> Self {
        let volume: f64 = shapes.iter().map(|shape| shape.geometry.volume()).sum();
        let share = |shape: &SolidShape| shape.mass(mass * shape.geometry.volume() / volume);
        Self::sum(shapes.iter().map(share))
    }

    /// Parts that move as one.
    pub fn sum(parts: impl Iterator<Item = Self> + Clone) -> Self {
        let mass: f64 = parts.clone().map(|part| part.mass).sum();
        let center = parts.clone().map(|part| part.center * part.mass).sum::<DVec3>() / mass;
        let inertia = parts
            .map(|part| part.inertia + point_inertia(part.center - center) * part.mass)
            .fold(DMat3::ZERO, |sum, part| sum + part);
        Self { mass, center, inertia }
    }

    /// The same mass, which is in `place`, as seen from where that is given.
    pub fn placed(&self, place: &RigidPlacement) -> Self {
        let turn = DMat3::from_quat(place.rotation);
        Self {
            mass: self.mass,
            center: place.transform_point(self.center),
            inertia: turn * self.inertia * turn.transpose(),
        }
    }

    /// True if such a thing can exist: positive mass, and an inertia whose principal moments are positive and obey the
    /// triangle inequality (no moment exceeds the sum of the other two).
    pub fn is_physical(&self) -> bool {
        let i = &self.inertia;
        let scale = i.x_axis.x + i.y_axis.y + i.z_axis.z;
        let symmetric =
            (*i - i.transpose()).to_cols_array().iter().all(|d| d.abs() <= 1e-9 * scale);
        // The triangle inequality is that ½ tr(I)·1 − I, the second moments of mass, are not negative.
        let moments = DMat3::from_diagonal(DVec3::splat(0.5 * scale)) - *i;
        self.mass.is_finite()
            && self.mass > 0.0
            && self.center.is_finite()
            && i.is_finite()
            && symmetric
            && minors(i).into_iter().all(|minor| minor > 0.0)
            && minors(&(moments + DMat3::from_diagonal(DVec3::splat(1e-9 * scale))))
                .into_iter()
                .all(|minor| minor >= 0.0)
    }
}

/// The inertia that has these entries: xx, yy, zz, xy, xz, yz.
pub(crate) fn symmetric([xx, yy, zz, xy, xz, yz]: [f64; 6]) -> DMat3 {
    DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz])
}

/// Leading principal minors: all positive for a positive definite matrix (Sylvester's criterion).
fn minors(m: &DMat3) -> [f64; 3] {
    let second = m.x_axis.x * m.y_axis.y - m.x_axis.y * m.y_axis.x;
    [m.x_axis.x, second, m.determinant()]
}

/// Inertia of a unit mass at a point, about the origin (Steiner's theorem).
fn point_inertia(r: DVec3) -> DMat3 {
    let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
    DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Geometry;
    use glam::DQuat;

    /// A box cut into two is still that box.
    #[test]
    fn parts_weigh_what_the_whole_weighs() {
        let shape = |half: DVec3, center: DVec3| SolidShape {
            geometry: Geometry::Box { half },
            center,
            rotation: DQuat::IDENTITY,
        };
        let whole = shape(DVec3::new(0.1, 0.3, 0.2), DVec3::new(1.0, 2.0, 3.0)).mass(6.0);
        let halves =
            [-0.15, 0.15].map(|y| shape(DVec3::new(0.1, 0.15, 0.2), DVec3::new(1.0, 2.0 + y, 3.0)));
        let sum = Mass::of_shapes(&halves, 6.0);
        assert!(sum.center.abs_diff_eq(whole.center, 1e-12));
        assert!(sum.inertia.abs_diff_eq(whole.inertia, 1e-12));
    }

    #[test]
    fn only_what_can_exist_is_physical() {
        let of = |x: f64, y: f64, z: f64| Mass {
            mass: 1.0,
            center: DVec3::ZERO,
            inertia: DMat3::from_diagonal(DVec3::new(x, y, z)),
        };
        assert!(of(1.0, 1.0, 1.0).is_physical());
        // A flat disc is the limit: one moment is the sum of the others.
        assert!(of(1.0, 1.0, 2.0).is_physical());
        assert!(!of(1.0, 1.0, 2.1).is_physical());
        assert!(!of(1.0, -1.0, 1.0).is_physical());
        assert!(!of(0.0, 1.0, 1.0).is_physical());
        assert!(!Mass { mass: 0.0, ..of(1.0, 1.0, 1.0) }.is_physical());
        assert!(!Mass { center: DVec3::NAN, ..of(1.0, 1.0, 1.0) }.is_physical());
    }
}
