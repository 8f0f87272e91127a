//! A triangulated set of points and barycentric weights over it, continued beyond its hull.

use delaunator::Point;
use glam::Vec2;

/// Points nearer to each other than this, in scaled units, are one point.
const SAME: f32 = 1e-5;

/// A triangle is flat when its height is below this: its points are on one line.
const FLAT: f32 = 1e-4;

/// A weight may be this much below zero for a point on an edge, by rounding.
const ON_EDGE: f32 = 1e-5;

/// More than weights can change sign on one way out.
const MAX_NEWTON_STEPS: usize = 8;

/// A Delaunay triangulation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Triangles {
    corners: Vec<[usize; 3]>,
    barycentric: Vec<Barycentric>,
    hull: Vec<HullCorner>,
}

/// The weights of a triangle's corners as linear functions: `at + gradient · (p - origin)`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Barycentric {
    origin: Vec2,
    /// Gradients of the three weights; they sum to zero. The first weight is 1 at the origin.
    gradient: [Vec2; 3],
}

/// A corner of the hull, in order.
#[derive(Clone, Debug, PartialEq)]
struct HullCorner {
    point: usize,
    position: Vec2,
    /// Gradients of the weights that change around this corner: the mean of the triangles behind the
    /// two edges that meet here.
    gradient: Vec<(usize, Vec2)>,
}

impl Barycentric {
    fn new([a, b, c]: [Vec2; 3]) -> Option<Self> {
        let (ab, ac) = (b - a, c - a);
        let area = ab.perp_dot(ac);
        let longest = ab.length().max(ac.length()).max((c - b).length());
        if area.abs() < FLAT * longest {
            return None;
        }
        let second = Vec2::new(ac.y, -ac.x) / area;
        let third = Vec2::new(-ab.y, ab.x) / area;
        Some(Self { origin: a, gradient: [-second - third, second, third] })
    }

    fn at(&self, point: Vec2) -> [f32; 3] {
        let from = point - self.origin;
        let [_, second, third] = self.gradient.map(|gradient| gradient.dot(from));
        [1.0 - second - third, second, third]
    }
}

/// The triangulation of points that are not all on one line.
pub(super) fn triangulate(points: &[Vec2]) -> Option<Triangles> {
    let mut kept: Vec<usize> = Vec::with_capacity(points.len());
    for (index, point) in points.iter().enumerate() {
        if kept.iter().all(|&other| points[other].distance(*point) > SAME) {
            kept.push(index);
        }
    }
    let exact: Vec<Point> = kept
        .iter()
        .map(|&index| Point { x: f64::from(points[index].x), y: f64::from(points[index].y) })
        .collect();
    let found = delaunator::triangulate(&exact);
    let mut corners = Vec::new();
    let mut barycentric = Vec::new();
    for triangle in found.triangles.chunks_exact(3) {
        let triangle = [kept[triangle[0]], kept[triangle[1]], kept[triangle[2]]];
        if let Some(weights) = Barycentric::new(triangle.map(|corner| points[corner])) {
            corners.push(triangle);
            barycentric.push(weights);
        }
    }
    if corners.is_empty() {
        return None;
    }
    let hull = hull(points, &corners, &barycentric);
    Some(Triangles { corners, barycentric, hull })
}

/// The border of the triangles that are left, corner after corner, with their gradients.
fn hull(points: &[Vec2], corners: &[[usize; 3]], barycentric: &[Barycentric]) -> Vec<HullCorner> {
    // Edges that belong to one triangle alone; all triangles turn the same way, so these edges
    // follow each other around the border.
    let edges = |triangle: usize| {
        let [a, b, c] = corners[triangle];
        [(a, b), (b, c), (c, a)]
    };
    let all =
        || (0..corners.len()).flat_map(|triangle| edges(triangle).map(|edge| (edge, triangle)));
    let border: Vec<((usize, usize), usize)> =
        all().filter(|((a, b), _)| !all().any(|(other, _)| other == (*b, *a))).collect();
    let mut ordered = vec![border[0]];
    while ordered.len() < border.len() {
        let ((_, end), _) = ordered[ordered.len() - 1];
        match border.iter().find(|((start, _), _)| *start == end) {
            Some(next) if next.0 != ordered[0].0 => ordered.push(*next),
            _ => break,
        }
    }
    let mut hull = Vec::with_capacity(ordered.len());
    for (index, &((start, _), leaving)) in ordered.iter().enumerate() {
        let (_, arriving) = ordered[(index + ordered.len() - 1) % ordered.len()];
        let mut gradient: Vec<(usize, Vec2)> = Vec::new();
        for triangle in [arriving, leaving] {
            for (corner, slope) in corners[triangle].iter().zip(barycentric[triangle].gradient) {
                match gradient.iter_mut().find(|(point, _)| point == corner) {
                    Some((_, sum)) => *sum += 0.5 * slope,
                    None => gradient.push((*corner, 0.5 * slope)),
                }
            }
        }
        hull.push(HullCorner { point: start, position: points[start], gradient });
    }
    hull
}

impl Triangles {
    pub fn corners(&self) -> &[[usize; 3]] {
        &self.corners
    }

    /// Writes the weights at a point over zeros. `bound` is how far negative weights may sum up.
    pub fn weights(&self, at: Vec2, bound: f32, weights: &mut [f32]) {
        // Inside: the triangle whose smallest weight is largest, so that rounding on a common edge
        // does not matter.
        let mut best = (f32::NEG_INFINITY, 0, [0.0; 3]);
        for (triangle, barycentric) in self.barycentric.iter().enumerate() {
            let found = barycentric.at(at);
            let smallest = found[0].min(found[1]).min(found[2]);
            if smallest > best.0 {
                best = (smallest, triangle, found);
            }
        }
        let (smallest, triangle, found) = best;
        if smallest >= -ON_EDGE {
            for (corner, weight) in self.corners[triangle].iter().zip(found) {
                weights[*corner] = weight;
            }
            return;
        }
        self.outside(at, bound, weights);
    }

    fn outside(&self, at: Vec2, bound: f32, weights: &mut [f32]) {
        let mut nearest = (f32::INFINITY, 0, 0.0);
        for (index, corner) in self.hull.iter().enumerate() {
            let edge = self.next(index).position - corner.position;
            let share = ((at - corner.position).dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
            let distance = at.distance_squared(corner.position + edge * share);
            if distance < nearest.0 {
                nearest = (distance, index, share);
            }
        }
        let (_, index, share) = nearest;
        let (from, to) = (&self.hull[index], self.next(index));
        let out = at - from.position.lerp(to.position, share);
        weights[from.point] = 1.0 - share;
        weights[to.point] += share;

        // Slopes of all weights on the way out. A handful of points take part; a point may belong to
        // both corners.
        let slope = |point: usize| -> f32 {
            let at_corner = |corner: &HullCorner| {
                corner.gradient.iter().find(|(p, _)| *p == point).map_or(0.0, |(_, g)| g.dot(out))
            };
            at_corner(from) * (1.0 - share) + at_corner(to) * share
        };
        let both = || {
            let repeated = |point: &usize| from.gradient.iter().any(|(p, _)| p == point);
            let first = from.gradient.iter().map(|(point, _)| *point);
            first.chain(to.gradient.iter().map(|(point, _)| *point).filter(move |p| !repeated(p)))
        };
        // How far out: until the negative weights sum to the bound. Their sum falls ever faster on the
        // way, so Newton's method from the far end arrives after as many steps as weights change sign.
        let mut reach: f32 = 1.0;
        for _ in 0..MAX_NEWTON_STEPS {
            let (mut start, mut fall) = (0.0, 0.0);
            for point in both() {
                let slope = slope(point);
                if weights[point] + slope * reach < 0.0 {
                    start += weights[point];
                    fall += slope;
                }
            }
            if start + fall * reach >= -bound * (1.0 + 1e-5) || fall >= 0.0 {
                break;
            }
            reach = (-bound - start) / fall;
        }
        for point in both() {
            weights[point] += slope(point) * reach;
        }
    }

    fn next(&self, index: usize) -> &HullCorner {
        &self.hull[(index + 1) % self.hull.len()]
    }
}
