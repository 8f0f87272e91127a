//! Distances between lines and triangles.

use glam::{Vec2, Vec3};
use parry3d::bounding_volume::Aabb;
use parry3d::query::PointQuery;
use parry3d::shape::Triangle;

/// Distance of the nearest points of two line segments (Ericson 2005, 5.1.9).
pub(crate) fn segments([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> f32 {
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
    let (uw, vw) = (u.dot(w), v.dot(w));
    let spread = uu * vv - uv * uv;
    let part = |above: f32, below: f32| if below > 1e-12 { above / below } else { 0.0 };
    let mut s = if spread > 1e-9 * uu * vv { (uv * vw - uw * vv) / spread } else { 0.0 };
    s = s.clamp(0.0, 1.0);
    let t = part(uv * s + vw, vv).clamp(0.0, 1.0);
    let s = part(uv * t - uw, uu).clamp(0.0, 1.0);
    (a + s * u).distance(c + t * v)
}

/// Distance of a line segment from a triangle; negative if it crosses it, by how far it would have to be drawn back.
pub(crate) fn segment_to_triangle(ends: [Vec3; 2], triangle: &Triangle) -> f32 {
    if crosses(ends, triangle) {
        let normal = (triangle.b - triangle.a).cross(triangle.c - triangle.a).normalize_or_zero();
        let [one, other] = ends.map(|end| (end - triangle.a).dot(normal).abs());
        return -one.min(other);
    }
    let corners = [triangle.a, triangle.b, triangle.c];
    let edges = [[0, 1], [1, 2], [2, 0]].map(|edge| edge.map(|corner| corners[corner]));
    let beside = edges.into_iter().map(|edge| segments(ends, edge));
    let above = ends.into_iter().map(|end| triangle.distance_to_local_point(end, true));
    beside.chain(above).fold(f32::INFINITY, f32::min)
}

/// True if a line segment is on one side of the plane of a triangle and farther from it than so much.
#[inline]
pub(crate) fn is_beside(ends: [Vec3; 2], triangle: &Triangle, far: f32) -> bool {
    let normal = (triangle.b - triangle.a).cross(triangle.c - triangle.a);
    let [one, other] = ends.map(|end| (end - triangle.a).dot(normal));
    // Rounding stays on the safe side.
    let far = 1.001 * far + 1e-5;
    let nearer = if one.abs() < other.abs() { one } else { other };
    one * other > 0.0 && nearer * nearer > far * far * normal.length_squared()
}

fn crosses([from, to]: [Vec3; 2], triangle: &Triangle) -> bool {
    let (u, v) = (triangle.b - triangle.a, triangle.c - triangle.a);
    let normal = u.cross(v);
    let way = to - from;
    let falls = way.dot(normal);
    if falls.abs() < 1e-12 {
        return false;
    }
    let share = (triangle.a - from).dot(normal) / falls;
    if !(0.0..=1.0).contains(&share) {
        return false;
    }
    let at = from + share * way - triangle.a;
    let size = normal.length_squared();
    let (p, q) = (at.cross(v).dot(normal) / size, u.cross(at).dot(normal) / size);
    p >= 0.0 && q >= 0.0 && p + q <= 1.0
}

/// Height of a triangle above a place `(x, z)`, if it is there.
pub(crate) fn height_over(place: Vec2, triangle: &Triangle) -> Option<f32> {
    let flat = |at: Vec3| Vec2::new(at.x, at.z);
    let [a, b, c] = [triangle.a, triangle.b, triangle.c].map(flat);
    let size = (b - a).perp_dot(c - a);
    let longest = (b - a).length().max((c - a).length()).max((c - b).length());
    // What stands upright has no area from above.
    if size.abs() < 1e-6 * longest * longest {
        return None;
    }
    let p = (place - a).perp_dot(c - a) / size;
    let q = (b - a).perp_dot(place - a) / size;
    // A tenth of a millimetre closes the cracks between neighbours.
    let slack = 1e-4 * longest / size.abs();
    let inside = p >= -slack && q >= -slack && p + q <= 1.0 + slack;
    let [p, q] = [p, q].map(|part| part.clamp(0.0, 1.0));
    let (low, high) = (triangle.a, triangle.b - triangle.a);
    inside.then(|| low.y + p * high.y + q * (triangle.c - triangle.a).y)
}

/// The box around a line segment, wider by so much.
pub(crate) fn around([a, b]: [Vec3; 2], reach: f32) -> Aabb {
    Aabb::new(a.min(b) - reach, a.max(b) + reach)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Many points of both, as an oracle.
    #[test]
    fn lines_and_triangles_are_as_far_apart_as_their_nearest_points() {
        let mut seed = 1u32;
        let mut number = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1u32 << 24) as f32 * 2.0 - 1.0
        };
        for _ in 0..60 {
            let mut point = || Vec3::new(number(), number(), number());
            let ends = [point(), point()];
            let triangle = Triangle::new(point(), point(), point());
            let mut least = f32::INFINITY;
            for step in 0..=400 {
                let at = ends[0].lerp(ends[1], step as f32 / 400.0);
                least = least.min(triangle.distance_to_local_point(at, true));
            }
            let found = segment_to_triangle(ends, &triangle).max(0.0);
            assert!(found <= least + 1e-4 && found > least - 0.01, "{found} {least}");
        }
    }

    #[test]
    fn what_stands_upright_has_no_height_and_a_roof_has_one() {
        let wall = Triangle::new(Vec3::ZERO, Vec3::Y, Vec3::new(1.0, 0.5, 0.0));
        assert_eq!(height_over(Vec2::new(0.5, 0.0), &wall), None);
        let roof = Triangle::new(Vec3::ZERO, Vec3::new(2.0, 2.0, 0.0), Vec3::Z);
        let height = height_over(Vec2::new(1.0, 0.1), &roof);
        assert!((height.unwrap_or(9.0) - 1.0).abs() < 1e-6);
        assert_eq!(height_over(Vec2::new(1.0, -0.1), &roof), None);
    }
}
