//! Where a foot stands.

use andante_skeleton::{Planar, Transform, rotation};
use glam::{Quat, Vec2, Vec3};

/// The place of a flat foot on the ground: its sole lies in the plane through `position` across `up`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// Between heel and ball, on the ground.
    pub position: Vec3,
    /// Which way the foot points, from +Z towards +X.
    pub heading: f32,
    /// Leans the level foot onto the ground.
    pub tilt: Quat,
    /// How far the toes are bent up from there onto the ground ahead of the ball, in radians.
    pub toes: f32,
}

impl Footprint {
    /// A level print.
    pub(crate) fn level(position: Vec3, heading: f32) -> Self {
        Self { position, heading, tilt: Quat::IDENTITY, toes: 0.0 }
    }

    /// The place of the print seen from above.
    pub fn planar(&self) -> Planar {
        Planar::new(Vec2::new(self.position.x, self.position.z), self.heading)
    }

    /// Normal of the sole.
    pub fn up(&self) -> Vec3 {
        self.tilt * Vec3::Y
    }

    /// The frame of the print: +Y leaves the ground, +Z points where the foot points.
    pub fn frame(&self) -> Transform {
        Transform::new(self.tilt * Quat::from_rotation_y(self.heading), self.position)
    }

    /// What the toes are turned by in the world, as a rotation vector.
    pub(crate) fn toe_turn(&self) -> Vec3 {
        if self.toes == 0.0 {
            return Vec3::ZERO;
        }
        self.tilt * (Quat::from_rotation_y(self.heading) * (Vec3::NEG_X * self.toes))
    }

    /// The same print on ground that has moved.
    pub(crate) fn carried(&self, motion: &Transform) -> Self {
        let heading = self.heading + rotation::heading(motion.rotation);
        let frame = motion.rotation * self.tilt * Quat::from_rotation_y(self.heading);
        Self {
            position: motion.transform_point(self.position),
            heading,
            tilt: (frame * Quat::from_rotation_y(-heading)).normalize(),
            toes: self.toes,
        }
    }

    /// The same print elsewhere, in the plane it lies in.
    pub(crate) fn moved(&self, by: Vec3) -> Self {
        let up = self.up();
        let rise = -(up.x * by.x + up.z * by.z) / up.y.max(0.1);
        Self { position: self.position + by + Vec3::Y * rise, ..*self }
    }

    pub(crate) fn is_finite(&self) -> bool {
        let numbers = self.heading.is_finite() && self.toes.is_finite();
        numbers && self.position.is_finite() && self.tilt.is_finite()
    }

    /// Part of the way to another print.
    pub(crate) fn lerp(&self, other: &Footprint, t: f32) -> Footprint {
        let turn = rotation::wrap_angle(other.heading - self.heading);
        Footprint {
            position: self.position.lerp(other.position, t),
            heading: self.heading + turn * t,
            tilt: rotation::nlerp(self.tilt, other.tilt, t),
            toes: self.toes + (other.toes - self.toes) * t,
        }
    }
}
