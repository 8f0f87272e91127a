//! Planes.

use crate::triangle::against;
use crate::{Area, ClosestPoint, Hit, Ray, TerrainError, TriangleMesh};
use andante_skeleton::check_setting;
use glam::{Vec2, Vec3};

/// A plane through the origin that rises evenly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slope {
    /// Rise per metre along x and z.
    pub(crate) gradient: Vec2,
}

impl Slope {
    /// Level ground at height 0.
    pub const FLAT: Self = Self { gradient: Vec2::ZERO };

    /// Ground that rises by `angle` degrees towards `heading`, in degrees from +Z towards +X. Negative
    /// angles fall.
    pub fn new(angle: f32, heading: f32) -> Result<Self, TerrainError> {
        check_setting("DEG", &angle, -80.0..=80.0)?;
        check_setting("HEADING_DEG", &heading, -360.0..=360.0)?;
        let (sin, cos) = libm::sincosf(heading.to_radians());
        Ok(Self { gradient: libm::tanf(angle.to_radians()) * Vec2::new(sin, cos) })
    }

    pub(crate) fn scaled(&self, scale: Vec3) -> Self {
        Self { gradient: self.gradient * scale.y / Vec2::new(scale.x, scale.z) }
    }

    pub(crate) fn height(&self, place: Vec2) -> f32 {
        self.gradient.dot(place)
    }

    fn normal(&self) -> Vec3 {
        Vec3::new(-self.gradient.x, 1.0, -self.gradient.y).normalize()
    }

    pub(crate) fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
        let height = self.height(Vec2::new(from.x, from.z));
        let met = height.is_finite() && height <= from.y && height >= from.y - depth;
        met.then(|| Hit { point: Vec3::new(from.x, height, from.z), normal: self.normal() })
    }

    pub(crate) fn ray(&self, ray: &Ray) -> Option<ClosestPoint> {
        let normal = self.normal();
        let distance = -ray.origin().dot(normal) / ray.direction().dot(normal);
        // Also false along the plane, where it is not finite.
        (0.0..=ray.length()).contains(&distance).then(|| ClosestPoint {
            point: ray.at(distance),
            normal: against(normal, ray.direction()),
            distance,
        })
    }

    pub(crate) fn closest(&self, point: Vec3, within: f32) -> Option<ClosestPoint> {
        let normal = self.normal();
        let above = point.dot(normal);
        let distance = above.abs();
        (distance <= within).then(|| ClosestPoint {
            point: point - above * normal,
            normal: against(normal, -above * normal),
            distance,
        })
    }

    /// Two triangles are all a plane needs.
    pub(crate) fn mesh(&self, area: &Area) -> TriangleMesh {
        let corners = area.corners();
        TriangleMesh {
            positions: corners.map(|p| Vec3::new(p.x, self.height(p), p.y)).to_vec(),
            normals: vec![self.normal(); 4],
            triangles: vec![[0, 2, 1], [0, 3, 2]],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heading_is_the_way_up() {
        let up = Slope::new(45.0, 0.0).unwrap();
        assert!((up.height(Vec2::new(3.0, 2.0)) - 2.0).abs() < 1e-5);
        let across = Slope::new(45.0, 90.0).unwrap();
        assert!((across.height(Vec2::new(3.0, 2.0)) - 3.0).abs() < 1e-5);
        let down = Slope::new(-45.0, 0.0).unwrap();
        assert!((down.height(Vec2::new(3.0, 2.0)) + 2.0).abs() < 1e-5);
    }
}
