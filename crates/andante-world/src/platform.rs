//! Ground with an edge.

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

    /// Whether a place is on it.
    pub fn contains(&self, place: Vec2) -> bool {
        let corners = &self.outline;
        let nexts = corners.iter().skip(1).chain(corners.first());
        let crossed = corners.iter().zip(nexts).filter(|(a, b)| {
            (a.y > place.y) != (b.y > place.y)
                && place.x < a.x + (b.x - a.x) * (place.y - a.y) / (b.y - a.y)
        });
        crossed.count() % 2 == 1
    }

    /// The unit normal of its surface.
    pub fn normal(&self) -> Vec3 {
        Vec3::new(-self.slope.x, 1.0, -self.slope.y).normalize()
    }
}

impl crate::Ground for Platform {
    fn probe(&self, from: Vec3, depth: f32) -> Option<crate::Hit> {
        let height = self.height_below(from, depth)?;
        Some(crate::Hit { point: Vec3::new(from.x, height, from.z), normal: self.normal() })
    }

    fn height_below(&self, from: Vec3, depth: f32) -> Option<f32> {
        let place = Vec2::new(from.x, from.z);
        let height = self.height_at(place);
        let met = height.is_finite()
            && height <= from.y
            && height >= from.y - depth
            && self.contains(place);
        met.then_some(height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ground;

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
}
