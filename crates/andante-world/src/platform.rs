//! Ground with an edge.

use crate::rim::is_left_of;
use crate::{ClosestPoint, Ground, Hit, Ray};
use glam::{Vec2, Vec3};

/// A flat piece of ground, level or sloping.
#[derive(Clone, Debug, PartialEq)]
pub struct Platform {
    /// What it is called in a scene.
    pub name: String,
    /// Its corners in order, as `(x, z)`.
    pub outline: Vec<Vec2>,
    /// Height of its surface at the origin of the plane.
    pub height: f32,
    /// How much higher it is a metre further along x and along z.
    pub slope: Vec2,
}

impl Platform {
    /// A level platform.
    pub fn level(name: impl Into<String>, outline: Vec<Vec2>, height: f32) -> Self {
        Self { name: name.into(), outline, height, slope: Vec2::ZERO }
    }

    /// Height of its plane.
    pub fn height_at(&self, place: Vec2) -> f32 {
        self.height + self.slope.dot(place)
    }

    /// True if a place is on it.
    pub fn contains(&self, place: Vec2) -> bool {
        let Some(mut a) = self.outline.last() else { return false };
        let mut is_inside = false;
        for b in &self.outline {
            is_inside ^= is_left_of(place, *a, *b);
            a = b;
        }
        is_inside
    }

    /// The height of its plane below a point, however far it reaches.
    pub(crate) fn plane_below(&self, from: Vec3, depth: f32) -> Option<f32> {
        let height = self.height_at(Vec2::new(from.x, from.z));
        let met = height.is_finite() && height <= from.y && height >= from.y - depth;
        met.then_some(height)
    }

    /// The unit normal of its surface.
    pub fn normal(&self) -> Vec3 {
        Vec3::new(-self.slope.x, 1.0, -self.slope.y).normalize()
    }
}

impl Ground for Platform {
    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
        let height = self.height_below(from, depth)?;
        Some(Hit { point: Vec3::new(from.x, height, from.z), normal: self.normal() })
    }

    fn height_below(&self, from: Vec3, depth: f32) -> Option<f32> {
        self.plane_below(from, depth).filter(|_| self.contains(flat(from)))
    }

    fn ray(&self, ray: &Ray) -> Option<ClosestPoint> {
        let normal = self.normal();
        let falls = ray.direction().dot(normal);
        let distance = (Vec3::Y * self.height - ray.origin()).dot(normal) / falls;
        let point = ray.at(distance);
        let met = (0.0..=ray.length()).contains(&distance) && self.contains(flat(point));
        let normal = if falls > 0.0 { -normal } else { normal };
        met.then_some(ClosestPoint { point, normal, distance })
    }

    fn closest(&self, point: Vec3, within: f32) -> Option<ClosestPoint> {
        let normal = self.normal();
        let above = (point - Vec3::Y * self.height).dot(normal);
        let foot = point - above * normal;
        let at = |corner: Vec2| Vec3::new(corner.x, self.height_at(corner), corner.y);
        let found = if self.contains(flat(foot)) {
            foot
        } else {
            let nexts = self.outline.iter().skip(1).chain(self.outline.first());
            let sides = self.outline.iter().zip(nexts).map(|(&from, &to)| {
                let (from, side) = (at(from), at(to) - at(from));
                let part = (point - from).dot(side) / side.length_squared();
                from + part.clamp(0.0, 1.0) * side
            });
            sides
                .filter(|near| near.is_finite())
                .min_by(|a, b| a.distance_squared(point).total_cmp(&b.distance_squared(point)))?
        };
        let distance = found.distance(point);
        let normal = if above < 0.0 { -normal } else { normal };
        (distance <= within).then_some(ClosestPoint { point: found, normal, distance })
    }
}

fn flat(point: Vec3) -> Vec2 {
    Vec2::new(point.x, point.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beside_a_platform_there_is_nothing() {
        let outline =
            vec![Vec2::ZERO, Vec2::new(2.0, 0.0), Vec2::new(2.0, 2.0), Vec2::new(0.0, 2.0)];
        let ramp = Platform { slope: Vec2::new(0.0, 0.5), ..Platform::level("ramp", outline, 1.0) };
        let hit = ramp.probe(Vec3::new(1.0, 5.0, 1.0), 9.0).unwrap();
        assert!((hit.point.y - 1.5).abs() < 1e-6 && hit.normal.z < 0.0);
        assert_eq!(ramp.probe(Vec3::new(3.0, 5.0, 1.0), 9.0), None);
        assert_eq!(ramp.probe(Vec3::new(1.0, 1.2, 1.0), 9.0), None, "the ramp is above");
    }

    #[test]
    fn rays_and_nearest_points_end_at_its_rim() {
        let outline =
            vec![Vec2::ZERO, Vec2::new(2.0, 0.0), Vec2::new(2.0, 2.0), Vec2::new(0.0, 2.0)];
        let ramp = Platform { slope: Vec2::new(0.0, 0.5), ..Platform::level("ramp", outline, 1.0) };
        let up = Ray::new(Vec3::new(1.0, 0.0, 1.0), Vec3::Y, 9.0).unwrap();
        let met = ramp.ray(&up).unwrap();
        assert!((met.distance - 1.5).abs() < 1e-6 && met.normal.y < 0.0);
        assert_eq!(ramp.ray(&Ray::new(Vec3::new(3.0, 0.0, 1.0), Vec3::Y, 9.0).unwrap()), None);
        let above = Vec3::new(1.0, 1.5, 1.0) + ramp.normal();
        let nearest = ramp.closest(above, 2.0).unwrap();
        assert!(nearest.point.distance(Vec3::new(1.0, 1.5, 1.0)) < 1e-5);
        let nearest = ramp.closest(Vec3::new(4.0, 1.5, 1.0), 3.0).unwrap();
        assert!(nearest.point.distance(Vec3::new(2.0, 1.5, 1.0)) < 1e-5);
        assert_eq!(ramp.closest(above, 0.9), None);
        assert_eq!(ramp.closest(Vec3::NAN, 0.9), None);
    }
}
