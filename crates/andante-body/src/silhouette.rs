//! What a shape looks like from a side.

use crate::{Geometry, RigidPlacement, SolidShape, SupportPolygon};
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;

impl SolidShape {
    /// The outline of the shape on a plane spanned by two unit vectors, for a segment at `place`: a convex polygon,
    /// counter-clockwise.
    pub fn silhouette(&self, place: &RigidPlacement, right: DVec3, up: DVec3) -> Vec<DVec2> {
        let own = *place * RigidPlacement::new(self.rotation, self.center);
        let project = |point: DVec3| {
            let point = own.transform_point(point);
            DVec2::new(point.dot(right), point.dot(up))
        };
        let circle = |center: DVec2, radius: f64| {
            (0..24).map(move |i| center + DVec2::from_angle(TAU * f64::from(i) / 24.0) * radius)
        };
        let points: Vec<DVec2> = match self.geometry {
            Geometry::Box { half } => (0..8)
                .map(|corner: u32| {
                    let sign = |bit: u32| if corner & bit == 0 { -1.0 } else { 1.0 };
                    project(half * DVec3::new(sign(1), sign(2), sign(4)))
                })
                .collect(),
            Geometry::Capsule { radius, half_length } => [-half_length, half_length]
                .into_iter()
                .flat_map(|y| circle(project(DVec3::Y * y), radius))
                .collect(),
            Geometry::Sphere { radius } => circle(project(DVec3::ZERO), radius).collect(),
        };
        let points: Vec<[f64; 2]> = points.iter().map(DVec2::to_array).collect();
        let hull = SupportPolygon::hull(&points);
        hull.corners().iter().copied().map(DVec2::from).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    fn area(polygon: &[DVec2]) -> f64 {
        let next = polygon.iter().cycle().skip(1);
        polygon.iter().zip(next).map(|(a, b)| 0.5 * a.perp_dot(*b)).sum()
    }

    #[test]
    fn silhouettes_have_the_area_that_is_seen() {
        let seen = |geometry, right, up| {
            let shape =
                SolidShape { geometry, center: DVec3::splat(0.3), rotation: DQuat::IDENTITY };
            area(&shape.silhouette(&RigidPlacement::IDENTITY, right, up))
        };
        let cuboid = Geometry::Box { half: DVec3::new(0.5, 1.0, 1.5) };
        assert!((seen(cuboid, DVec3::X, DVec3::Y) - 2.0).abs() < 1e-12);
        assert!((seen(cuboid, DVec3::Z, DVec3::Y) - 6.0).abs() < 1e-12);
        let capsule = Geometry::Capsule { radius: 0.1, half_length: 1.0 };
        let circle = TAU / 2.0 * 0.01;
        // A circle of 24 corners is a little smaller than a round one.
        assert!((seen(capsule, DVec3::X, DVec3::Y) - (0.4 + circle)).abs() < 0.02 * circle);
        assert!((seen(capsule, DVec3::X, DVec3::Z) - circle).abs() < 0.02 * circle);
    }
}
