//! The nearest point of an ellipse.

use glam::Vec2;

/// The point nearest to `point` of the filled ellipse with the given semi-axes; both may be zero.
///
/// Outside, the nearest point of the curve is (a²x/(t + a²), b²y/(t + b²)), where t is the root of
/// (ax/(t + a²))² + (by/(t + b²))² = 1 (D. Eberly, "Distance from a Point to an Ellipse"). The left side falls
/// and is convex for t ≥ 0, so Newton's method from 0 climbs to the root and never passes it.
pub(crate) fn nearest_in_ellipse(point: Vec2, semi_axes: Vec2) -> Vec2 {
    let squared = semi_axes * semi_axes;
    let flat = semi_axes.min_element() <= 1e-6;
    if flat {
        // No area: a segment, or a point.
        return point.clamp(-semi_axes, semi_axes);
    }
    if (point / semi_axes).length_squared() <= 1.0 {
        return point;
    }
    let scaled = semi_axes * point;
    let mut t = 0.0f32;
    for _ in 0..32 {
        let below = squared + Vec2::splat(t);
        let ratio = scaled / below;
        let excess = ratio.length_squared() - 1.0;
        if excess <= 1e-6 {
            break;
        }
        let slope = 2.0 * (ratio * ratio / below).element_sum();
        t += excess / slope;
    }
    squared * point / (squared + Vec2::splat(t))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_sampled_point_is_nearer(x in -4.0f32..4.0, y in -4.0f32..4.0, a in 0.05f32..3.0, b in 0.05f32..3.0) {
            let (point, axes) = (Vec2::new(x, y), Vec2::new(a, b));
            let found = nearest_in_ellipse(point, axes);
            prop_assert!((found / axes).length_squared() <= 1.0 + 1e-4);
            if (point / axes).length_squared() <= 1.0 {
                prop_assert_eq!(found, point);
            }
            for step in 0..720 {
                let other = axes * Vec2::from_angle(step as f32 * std::f32::consts::PI / 360.0);
                let inside = (point / axes).length_squared() <= 1.0;
                prop_assert!(inside || found.distance(point) <= other.distance(point) + 1e-4);
            }
        }
    }

    #[test]
    fn an_ellipse_without_area_is_a_segment_or_a_point() {
        let point = Vec2::new(2.0, -1.0);
        assert_eq!(nearest_in_ellipse(point, Vec2::new(0.5, 0.0)), Vec2::new(0.5, 0.0));
        assert_eq!(nearest_in_ellipse(point, Vec2::ZERO), Vec2::ZERO);
    }
}
