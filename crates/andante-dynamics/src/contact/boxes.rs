//! Two boxes: the axis on which they are furthest apart, then one face clipped by the other.

use super::pairs::{PairContact, PairContacts, Posed};
use crate::math::{Mat3, Vec3};

fn column(m: &Mat3<f64>, k: usize) -> Vec3<f64> {
    match k {
        0 => m.x,
        1 => m.y,
        _ => m.z,
    }
}

/// Half the extent of a box along a direction.
fn extent(b: &Posed, half: Vec3<f64>, axis: Vec3<f64>) -> f64 {
    (0..3).map(|k| half[k] * column(&b.rotation, k).dot(axis).abs()).sum()
}

#[derive(Clone, Copy, PartialEq)]
enum BoxAxis {
    FaceOfA(usize),
    FaceOfB(usize),
    Edges(usize, usize),
}

/// The separating axis with the largest gap: that gap, the axis pointing from `b` to `a`, and what it comes from.
fn separation(a: &Posed, ha: Vec3<f64>, b: &Posed, hb: Vec3<f64>) -> (f64, Vec3<f64>, BoxAxis) {
    let off = a.centre - b.centre;
    let mut best = (f64::NEG_INFINITY, off, BoxAxis::FaceOfA(0));
    let mut consider = |axis: Vec3<f64>, kind: BoxAxis, handicap: f64| {
        let along = off.dot(axis);
        let gap = along.abs() - extent(a, ha, axis) - extent(b, hb, axis);
        if gap - handicap > best.0 {
            best = (gap, if along < 0.0 { -axis } else { axis }, kind);
        }
    };
    for k in 0..3 {
        consider(column(&a.rotation, k), BoxAxis::FaceOfA(k), 0.0);
    }
    // Among equals the first is kept, so that resting boxes do not change their minds.
    for k in 0..3 {
        consider(column(&b.rotation, k), BoxAxis::FaceOfB(k), 1e-4);
    }
    for i in 0..3 {
        for j in 0..3 {
            let cross = column(&a.rotation, i).cross(column(&b.rotation, j));
            if cross.length() > 0.05
                && let Some(axis) = cross.normalized()
            {
                consider(axis, BoxAxis::Edges(i, j), 1e-3);
            }
        }
    }
    best
}

pub(super) fn collide(
    a: &Posed,
    ha: Vec3<f64>,
    b: &Posed,
    hb: Vec3<f64>,
    reach: f64,
    out: &mut PairContacts,
) {
    let (gap, normal, axis) = separation(a, ha, b, hb);
    if gap > reach {
        return;
    }
    match axis {
        BoxAxis::Edges(i, j) => edges(a, ha, i, b, hb, j, normal, gap, out),
        BoxAxis::FaceOfB(k) => faces(b, hb, k, a, ha, normal, normal, reach, out),
        BoxAxis::FaceOfA(k) => faces(a, ha, k, b, hb, -normal, normal, reach, out),
    }
}

/// Nearest points of the two edges along axes `i` and `j` that face each other.
#[allow(clippy::too_many_arguments)]
fn edges(
    a: &Posed,
    ha: Vec3<f64>,
    i: usize,
    b: &Posed,
    hb: Vec3<f64>,
    j: usize,
    normal: Vec3<f64>,
    gap: f64,
    out: &mut PairContacts,
) {
    let support = |s: &Posed, h: Vec3<f64>, skip: usize, way: Vec3<f64>| {
        let mut p = s.centre;
        for k in (0..3).filter(|&k| k != skip) {
            let axis = column(&s.rotation, k);
            p += axis * if axis.dot(way) < 0.0 { -h[k] } else { h[k] };
        }
        p
    };
    let (p, q) = (support(a, ha, i, -normal), support(b, hb, j, normal));
    let (u, w) = (column(&a.rotation, i), column(&b.rotation, j));
    // Nearest points of two lines.
    let (r, c) = (p - q, u.dot(w));
    let det = 1.0 - c * c;
    let s = (c * w.dot(r) - u.dot(r)) / det;
    let t = (w.dot(r) - c * u.dot(r)) / det;
    let point = (p + u * s + q + w * t) * 0.5;
    out.push(PairContact { point, normal, distance: gap });
}

/// Clips the face of `other` that most opposes the reference face of `own` (axis `k`, outward `outward`).
#[allow(clippy::too_many_arguments)]
fn faces(
    own: &Posed,
    h: Vec3<f64>,
    k: usize,
    other: &Posed,
    g: Vec3<f64>,
    outward: Vec3<f64>,
    normal: Vec3<f64>,
    reach: f64,
    out: &mut PairContacts,
) {
    // The opposing face.
    let mut m = 0;
    for n in 1..3 {
        if column(&other.rotation, n).dot(outward).abs()
            > column(&other.rotation, m).dot(outward).abs()
        {
            m = n;
        }
    }
    let axis = column(&other.rotation, m);
    let face = other.centre + axis * if axis.dot(outward) > 0.0 { -g[m] } else { g[m] };
    let (m1, m2) = ((m + 1) % 3, (m + 2) % 3);
    let (e1, e2) = (column(&other.rotation, m1) * g[m1], column(&other.rotation, m2) * g[m2]);
    let mut polygon =
        ClipPolygon::new([face + e1 + e2, face - e1 + e2, face - e1 - e2, face + e1 - e2]);
    for side in [(k + 1) % 3, (k + 2) % 3] {
        let axis = column(&own.rotation, side);
        polygon.clip(axis, axis.dot(own.centre) + h[side]);
        polygon.clip(-axis, -axis.dot(own.centre) + h[side]);
    }
    for &p in &polygon.points[..polygon.count] {
        let distance = (p - own.centre).dot(outward) - h[k];
        if distance <= reach {
            out.push(PairContact { point: p - outward * (0.5 * distance), normal, distance });
        }
    }
}

/// A convex polygon of at most eight corners: a quadrilateral clipped by four planes.
struct ClipPolygon {
    points: [Vec3<f64>; 8],
    count: usize,
}

impl ClipPolygon {
    fn new(corners: [Vec3<f64>; 4]) -> Self {
        let mut points = [corners[0]; 8];
        points[..4].copy_from_slice(&corners);
        ClipPolygon { points, count: 4 }
    }

    /// Keeps what has `axis . p <= limit` (Sutherland & Hodgman 1974).
    fn clip(&mut self, axis: Vec3<f64>, limit: f64) {
        let mut kept = [Vec3::zero(); 8];
        let mut count = 0;
        let mut keep = |p| {
            if count < 8 {
                kept[count] = p;
                count += 1;
            }
        };
        for i in 0..self.count {
            let (p, q) = (self.points[i], self.points[(i + 1) % self.count]);
            let (dp, dq) = (axis.dot(p) - limit, axis.dot(q) - limit);
            if dp <= 0.0 {
                keep(p);
            }
            if (dp < 0.0 && dq > 0.0) || (dp > 0.0 && dq < 0.0) {
                keep(p + (q - p) * (dp / (dp - dq)));
            }
        }
        self.points = kept;
        self.count = count;
    }
}

#[cfg(test)]
mod tests {
    use super::super::pairs::{PairContacts, collide};
    use super::*;
    use crate::math::{Quat, vec3};
    use crate::shape::CollisionForm;
    use std::f64::consts::FRAC_PI_4;

    fn cube(centre: [f64; 3], turn: Vec3<f64>) -> Posed {
        let form = CollisionForm::Box { half: vec3(0.5, 0.5, 0.5) };
        Posed { form, centre: centre.into(), rotation: Quat::exp(turn).matrix() }
    }

    fn touches(a: &Posed, b: &Posed) -> PairContacts {
        collide(a, b, 0.02)
    }

    #[test]
    fn a_cube_turned_on_a_cube_rests_on_eight_corners() {
        let top = cube([0.0, 1.0, 0.0], vec3(0.0, FRAC_PI_4, 0.0));
        let found = touches(&top, &cube([0.0; 3], vec3(0.0, 0.0, 0.0)));
        assert_eq!(found.count, 8);
        for touch in &found.list {
            assert!(touch.distance.abs() < 1e-12 && (touch.point.y - 0.5).abs() < 1e-12);
            assert!(touch.point.x.abs() < 0.5 + 1e-9 && touch.point.z.abs() < 0.5 + 1e-9);
        }
    }

    #[test]
    fn crossed_edges_touch_at_one_point() {
        let low = cube([0.0; 3], vec3(FRAC_PI_4, 0.0, 0.0));
        let top = cube([0.0, 1.41, 0.0], vec3(0.0, 0.0, FRAC_PI_4));
        let found = touches(&top, &low);
        assert_eq!(found.count, 1);
        let touch = found.list[0];
        assert!((touch.normal - vec3(0.0, 1.0, 0.0)).length() < 1e-6, "{touch:?}");
        assert!((touch.point - vec3(0.0, 0.705, 0.0)).length() < 1e-3, "{touch:?}");
        assert!((touch.distance - (1.41 - 2f64.sqrt())).abs() < 1e-6);
    }
}
