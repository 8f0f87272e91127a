//! Single triangles.

use crate::{Bounds, ClosestPoint, Ray};
use glam::Vec3;

/// How far outside its edges a triangle still counts, as a part of its size, so that nothing falls
/// through where two of them meet.
pub(crate) const EDGE: f32 = 1e-5;

pub(crate) type Triangle = [Vec3; 3];

/// The unit normal, counter-clockwise seen from its side; `None` if the triangle has no area.
pub(crate) fn normal([a, b, c]: Triangle) -> Option<Vec3> {
    (b - a).cross(c - a).try_normalize()
}

/// A normal on the side that a direction comes from.
pub(crate) fn against(normal: Vec3, direction: Vec3) -> Vec3 {
    if normal.dot(direction) > 0.0 { -normal } else { normal }
}

/// Where a ray meets a triangle, from either side (Möller and Trumbore 1997).
pub(crate) fn ray(ray: &Ray, triangle: Triangle) -> Option<ClosestPoint> {
    let [a, b, c] = triangle;
    let (ab, ac) = (b - a, c - a);
    let p = ray.direction().cross(ac);
    let determinant = ab.dot(p);
    if determinant == 0.0 {
        return None;
    }
    let from_a = ray.origin() - a;
    let u = from_a.dot(p) / determinant;
    let q = from_a.cross(ab);
    let v = ray.direction().dot(q) / determinant;
    let distance = ac.dot(q) / determinant;
    let inside = u >= -EDGE && v >= -EDGE && u + v <= 1.0 + EDGE;
    if !(inside && (0.0..=ray.length()).contains(&distance)) {
        return None;
    }
    let normal = against(normal(triangle)?, ray.direction());
    Some(ClosestPoint { point: a + u * ab + v * ac, normal, distance })
}

/// The point of a triangle nearest to `point` (Ericson, Real-Time Collision Detection, 5.1.5).
pub(crate) fn closest(point: Vec3, [a, b, c]: Triangle) -> Vec3 {
    let (ab, ac) = (b - a, c - a);
    let along = |from: Vec3, edge: Vec3| {
        let squared = edge.length_squared();
        let part = if squared > 0.0 { (point - from).dot(edge) / squared } else { 0.0 };
        from + part.clamp(0.0, 1.0) * edge
    };
    let normal = ab.cross(ac);
    let squared = normal.length_squared();
    if squared > 0.0 {
        let from_a = point - a;
        let v = from_a.cross(ac).dot(normal) / squared;
        let w = ab.cross(from_a).dot(normal) / squared;
        if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
            return a + v * ab + w * ac;
        }
    }
    // Outside, or without area: on the boundary.
    let mut best = along(a, ab);
    for candidate in [along(b, c - b), along(c, a - c)] {
        if candidate.distance_squared(point) < best.distance_squared(point) {
            best = candidate;
        }
    }
    best
}

/// The nearest point of a triangle with its normal, if it is within a distance.
pub(crate) fn touch(point: Vec3, triangle: Triangle, within: f32) -> Option<ClosestPoint> {
    // Most triangles are too far away, which their boxes tell sooner.
    if Bounds::of(triangle).distance(point) > within {
        return None;
    }
    let nearest = closest(point, triangle);
    let distance = nearest.distance(point);
    let is_close = distance <= within;
    if !is_close {
        return None;
    }
    let normal = against(normal(triangle)?, nearest - point);
    Some(ClosestPoint { point: nearest, normal, distance })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = Vec3> {
        (-5.0f32..5.0, -5.0f32..5.0, -5.0f32..5.0).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    proptest! {
        #[test]
        fn no_sample_of_a_triangle_is_nearer_than_the_nearest(
            point in vector(), a in vector(), b in vector(), c in vector(),
        ) {
            let nearest = closest(point, [a, b, c]).distance(point);
            for i in 0..=20 {
                for j in 0..=20 - i {
                    let (v, w) = (i as f32 / 20.0, j as f32 / 20.0);
                    let sample = a + v * (b - a) + w * (c - a);
                    prop_assert!(nearest <= sample.distance(point) + 1e-4);
                }
            }
        }

        #[test]
        fn a_ray_aimed_at_a_triangle_meets_it(
            origin in vector(), a in vector(), b in vector(), c in vector(),
            v in 0.05f32..0.45, w in 0.05f32..0.45,
        ) {
            let target = a + v * (b - a) + w * (c - a);
            let area = (b - a).cross(c - a).length();
            let Some(aimed) = Ray::new(origin, target - origin, 100.0) else { return Ok(()) };
            // Not along the triangle's own plane.
            let normal = normal([a, b, c]).unwrap_or(Vec3::Y);
            prop_assume!(area > 0.1 && normal.dot(aimed.direction()).abs() > 0.05);
            let hit = ray(&aimed, [a, b, c]);
            prop_assert!(hit.is_some_and(|hit| hit.point.distance(target) < 1e-2));
            prop_assert!(hit.is_some_and(|hit| hit.normal.dot(aimed.direction()) <= 0.0));
        }
    }
}
