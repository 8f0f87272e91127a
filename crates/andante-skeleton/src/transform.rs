//! A rigid placement: rotation, then translation.

use glam::{Quat, Vec3};
use std::ops::Mul;

/// A rigid transform. Joints have no scale: importers bake it into offsets, because every solver
/// that follows relies on bone lengths staying what they are.
///
/// ```
/// use andante_skeleton::Transform;
/// use glam::{Quat, Vec3};
///
/// let quarter_turn = Transform::from_rotation(Quat::from_rotation_y(std::f32::consts::FRAC_PI_2));
/// let forward = Transform::from_translation(Vec3::Z);
/// // Heading grows from +Z towards +X.
/// assert!((quarter_turn * forward).translation.abs_diff_eq(Vec3::X, 1e-6));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Transform {
    /// Orientation; a unit quaternion.
    pub rotation: Quat,
    /// Position of the origin, in metres.
    pub translation: Vec3,
}

impl Transform {
    /// No rotation, no translation.
    pub const IDENTITY: Self = Self { rotation: Quat::IDENTITY, translation: Vec3::ZERO };

    /// From both parts.
    #[inline]
    pub const fn new(rotation: Quat, translation: Vec3) -> Self {
        Self { rotation, translation }
    }

    /// Rotation about the origin.
    #[inline]
    pub const fn from_rotation(rotation: Quat) -> Self {
        Self { rotation, translation: Vec3::ZERO }
    }

    /// Translation without rotation.
    #[inline]
    pub const fn from_translation(translation: Vec3) -> Self {
        Self { rotation: Quat::IDENTITY, translation }
    }

    /// The transform that undoes this one.
    #[inline]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, translation: rotation * -self.translation }
    }

    /// A point given in this frame, seen from the parent frame.
    #[inline]
    pub fn transform_point(&self, point: Vec3) -> Vec3 {
        self.rotation * point + self.translation
    }

    /// Part of the way to another, turning on the short way round.
    #[inline]
    pub fn lerp(&self, other: &Self, t: f32) -> Self {
        Self::new(
            crate::rotation::nlerp(self.rotation, other.rotation, t),
            self.translation.lerp(other.translation, t),
        )
    }

    /// True if every number is finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        self.rotation.is_finite() && self.translation.is_finite()
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Mul for Transform {
    type Output = Self;

    /// `parent * child`: the child's placement seen from the parent's parent.
    #[inline]
    fn mul(self, child: Self) -> Self {
        Self {
            rotation: self.rotation * child.rotation,
            translation: self.rotation * child.translation + self.translation,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_undoes_the_transform() {
        let t = Transform::new(
            Quat::from_axis_angle(Vec3::new(1.0, 2.0, -0.5).normalize(), 1.3),
            Vec3::new(0.2, -4.0, 7.0),
        );
        let back = t.inverse() * t;
        assert!(back.translation.length() < 1e-5);
        assert!(back.rotation.angle_between(Quat::IDENTITY) < 1e-3);
    }
}
