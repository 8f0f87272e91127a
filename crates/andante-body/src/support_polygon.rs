//! Convex polygons on the ground, seen from above: `[x, z]`.

/// A point seen from above.
pub type Point = [f64; 2];

fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

fn turn(a: Point, b: Point) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// The convex hull of some points, counter-clockwise in the order `x, z` (Andrew's monotone chain).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SupportPolygon {
    corners: Vec<Point>,
    sorted: Vec<Point>,
}

impl SupportPolygon {
    /// Nothing yet, with room for so many points.
    pub fn with_room(points: usize) -> Self {
        // The chain along the second half still holds its first point twice.
        SupportPolygon {
            corners: Vec::with_capacity(points + 2),
            sorted: Vec::with_capacity(points),
        }
    }

    /// The hull of the points; those that are not finite are left out.
    pub fn hull(points: &[Point]) -> Self {
        let mut polygon = SupportPolygon::default();
        polygon.set_hull(points.iter().copied());
        polygon
    }

    /// The same without allocating once it has been as large.
    pub fn set_hull(&mut self, points: impl Iterator<Item = Point>) {
        let SupportPolygon { corners, sorted } = self;
        sorted.clear();
        sorted.extend(points.filter(|p| p[0].is_finite() && p[1].is_finite()));
        sorted.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        sorted.dedup();
        corners.clear();
        if sorted.len() < 3 {
            corners.extend_from_slice(sorted);
            return;
        }
        for upper in [false, true] {
            let first = corners.len();
            for k in 0..sorted.len() {
                let p = sorted[if upper { sorted.len() - 1 - k } else { k }];
                while corners.len() >= first + 2 {
                    let (a, b) = (corners[corners.len() - 2], corners[corners.len() - 1]);
                    if turn(minus(b, a), minus(p, b)) > 0.0 {
                        break;
                    }
                    corners.pop();
                }
                corners.push(p);
            }
            corners.pop();
        }
    }

    /// The corners, counter-clockwise in the order `x, z`.
    pub fn corners(&self) -> &[Point] {
        &self.corners
    }

    fn edges(&self) -> impl Iterator<Item = (Point, Point)> + '_ {
        let n = self.corners.len();
        (0..n).map(move |k| (self.corners[k], self.corners[(k + 1) % n]))
    }

    /// The depth of a point inside the polygon, m; negative outside. Far outside if there is no polygon.
    pub fn depth(&self, p: Point) -> f64 {
        if self.corners.is_empty() {
            return f64::NEG_INFINITY;
        }
        let near = self.nearest_on_border(p);
        let distance = libm::hypot(minus(p, near)[0], minus(p, near)[1]);
        if self.contains(p) { distance } else { -distance }
    }

    /// True if a point is inside or on the border.
    pub fn contains(&self, p: Point) -> bool {
        self.corners.len() > 2 && self.edges().all(|(a, b)| turn(minus(b, a), minus(p, a)) >= 0.0)
    }

    /// The nearest point of the polygon: the point itself if it is inside.
    pub fn clamp(&self, p: Point) -> Point {
        if self.contains(p) { p } else { self.nearest_on_border(p) }
    }

    fn nearest_on_border(&self, p: Point) -> Point {
        let mut best = (f64::INFINITY, p);
        for (a, b) in self.edges() {
            let (edge, to) = (minus(b, a), minus(p, a));
            let length = edge[0] * edge[0] + edge[1] * edge[1];
            let along = (to[0] * edge[0] + to[1] * edge[1]) / length;
            let s = if length > 0.0 { along.clamp(0.0, 1.0) } else { 0.0 };
            let near = [a[0] + s * edge[0], a[1] + s * edge[1]];
            let off = minus(p, near);
            let distance = off[0] * off[0] + off[1] * off[1];
            if distance < best.0 {
                best = (distance, near);
            }
        }
        best.1
    }

    /// Centre of the area; of the corners if there is none.
    pub fn centroid(&self) -> Point {
        let n = self.corners.len().max(1) as f64;
        let sum = self.corners.iter().fold([0.0, 0.0], |s, c| [s[0] + c[0], s[1] + c[1]]);
        let middle = [sum[0] / n, sum[1] / n];
        let (mut area, mut moment) = (0.0, [0.0, 0.0]);
        for (a, b) in self.edges() {
            let (a, b) = (minus(a, middle), minus(b, middle));
            let twice = turn(a, b);
            area += twice;
            moment = [moment[0] + twice * (a[0] + b[0]), moment[1] + twice * (a[1] + b[1])];
        }
        if area < 1e-12 {
            return middle;
        }
        [middle[0] + moment[0] / (3.0 * area), middle[1] + moment[1] / (3.0 * area)]
    }

    /// The part of a segment inside, as fractions of its way (Cyrus and Beck); `None` if it stays outside.
    pub fn clip(&self, a: Point, b: Point) -> Option<(f64, f64)> {
        if self.corners.len() < 3 {
            return None;
        }
        let way = minus(b, a);
        let (mut enter, mut leave) = (0.0f64, 1.0f64);
        for (c, d) in self.edges() {
            let edge = minus(d, c);
            let (inside, rate) = (turn(edge, minus(a, c)), turn(edge, way));
            if rate == 0.0 {
                if inside < 0.0 {
                    return None;
                }
            } else if rate > 0.0 {
                enter = enter.max(-inside / rate);
            } else {
                leave = leave.min(-inside / rate);
            }
        }
        (enter <= leave).then_some((enter, leave))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn square() -> SupportPolygon {
        SupportPolygon::hull(&[
            [0.0, 0.0],
            [2.0, 0.0],
            [2.0, 2.0],
            [0.0, 2.0],
            [1.0, 1.0],
            [1.0, 0.0],
        ])
    }

    #[test]
    fn a_hull_keeps_corners_alone() {
        assert_eq!(square().corners().len(), 4);
        assert_eq!(square().centroid(), [1.0, 1.0]);
        assert!((square().depth([0.5, 1.0]) - 0.5).abs() < 1e-15);
        assert!((square().depth([3.0, 3.0]) + 2.0f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn points_that_make_no_area_hold_nothing() {
        for points in
            [vec![], vec![[1.0, 1.0]], vec![[0.0, 0.0], [1.0, 1.0]], vec![[f64::NAN, 0.0]]]
        {
            let polygon = SupportPolygon::hull(&points);
            assert!(!polygon.contains([0.5, 0.5]));
            assert!(polygon.depth([0.5, 0.4]) < 0.0);
            assert_eq!(polygon.clip([0.0, 0.0], [1.0, 1.0]), None);
        }
    }

    #[test]
    fn a_segment_is_clipped_at_both_ends() {
        assert_eq!(square().clip([-1.0, 1.0], [3.0, 1.0]), Some((0.25, 0.75)));
        assert_eq!(square().clip([0.5, 1.0], [1.5, 1.0]), Some((0.0, 1.0)));
        assert_eq!(square().clip([-1.0, 3.0], [3.0, 3.0]), None);
        assert_eq!(square().clip([1.0, 1.0], [1.0, 1.0]), Some((0.0, 1.0)));
    }

    proptest! {
        #[test]
        fn the_hull_contains_its_points(points in prop::collection::vec([-1.0f64..1.0, -1.0f64..1.0], 3..20)) {
            let hull = SupportPolygon::hull(&points);
            for p in &points {
                prop_assert!(hull.depth(*p) > -1e-12);
                prop_assert!(minus(hull.clamp(*p), *p)[0].abs() < 1e-12);
            }
        }
    }
}
