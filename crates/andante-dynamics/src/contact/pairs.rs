//! Where two shapes are nearest to each other: spheres, capsules and boxes.

use super::boxes;
use crate::math::{Mat3, Vec3, vec3};
use crate::shape::CollisionForm;

/// A shape in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posed {
    pub form: CollisionForm,
    pub centre: Vec3<f64>,
    pub rotation: Mat3<f64>,
}

/// One place where two shapes touch or nearly do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PairContact {
    /// Midway between the surfaces.
    pub point: Vec3<f64>,
    /// Unit, from the second shape to the first.
    pub normal: Vec3<f64>,
    /// Between the surfaces; negative if they overlap.
    pub distance: f64,
}

/// The most places two shapes touch at.
pub(crate) const MOST: usize = 8;

/// A few touches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairContacts {
    pub list: [PairContact; MOST],
    pub count: usize,
}

impl PairContacts {
    pub fn none() -> Self {
        let blank =
            PairContact { point: vec3(0.0, 0.0, 0.0), normal: vec3(0.0, 1.0, 0.0), distance: 0.0 };
        PairContacts { list: [blank; MOST], count: 0 }
    }

    pub fn push(&mut self, touch: PairContact) {
        if self.count < MOST {
            self.list[self.count] = touch;
            self.count += 1;
        }
    }
}

/// How many touches two forms can have.
pub(crate) fn capacity(a: &CollisionForm, b: &CollisionForm) -> usize {
    match (a, b) {
        (CollisionForm::Box { .. }, CollisionForm::Box { .. }) => MOST,
        (CollisionForm::Sphere { .. }, _) | (_, CollisionForm::Sphere { .. }) => 1,
        (CollisionForm::Capsule { .. }, CollisionForm::Capsule { .. }) => 2,
        _ => 3,
    }
}

/// Touches of two shapes no further apart than `reach`.
pub(crate) fn collide(a: &Posed, b: &Posed, reach: f64) -> PairContacts {
    let mut out = PairContacts::none();
    match (a.form, b.form) {
        (CollisionForm::Box { half }, CollisionForm::Box { half: other }) => {
            boxes::collide(a, half, b, other, reach, &mut out)
        }
        (CollisionForm::Box { .. }, _) => {
            out = collide(b, a, reach);
            for touch in &mut out.list[..out.count] {
                touch.normal = -touch.normal;
            }
        }
        (_, CollisionForm::Box { half }) => round_on_box(a, b, half, reach, &mut out),
        _ => round_on_round(a, b, reach, &mut out),
    }
    out
}

/// The segment a round shape surrounds, and at what distance.
fn segment(s: &Posed) -> (Vec3<f64>, Vec3<f64>, f64) {
    match s.form {
        CollisionForm::Sphere { radius } => (s.centre, s.centre, radius),
        CollisionForm::Capsule { half_length, radius } => {
            let axis = s.rotation.y * half_length;
            (s.centre - axis, s.centre + axis, radius)
        }
        CollisionForm::Box { .. } => (s.centre, s.centre, 0.0),
    }
}

/// Two balls.
fn balls(a: Vec3<f64>, ra: f64, b: Vec3<f64>, rb: f64) -> PairContact {
    let off = a - b;
    let length = off.length();
    let normal = if length > 1e-12 { off * (1.0 / length) } else { vec3(0.0, 1.0, 0.0) };
    let distance = length - ra - rb;
    PairContact { point: b + normal * (rb + 0.5 * distance), normal, distance }
}

/// Parameters of the nearest points of two segments (Ericson, *Real-Time Collision Detection*, 2005, 5.1.9).
fn nearest_on_segments(p1: Vec3<f64>, q1: Vec3<f64>, p2: Vec3<f64>, q2: Vec3<f64>) -> (f64, f64) {
    let (d1, d2, r) = (q1 - p1, q2 - p2, p1 - p2);
    let (a, e, f) = (d1.dot(d1), d2.dot(d2), d2.dot(r));
    let tiny = 1e-18;
    if a <= tiny && e <= tiny {
        return (0.0, 0.0);
    }
    if a <= tiny {
        return (0.0, (f / e).clamp(0.0, 1.0));
    }
    let c = d1.dot(r);
    if e <= tiny {
        return ((-c / a).clamp(0.0, 1.0), 0.0);
    }
    let b = d1.dot(d2);
    let denominator = a * e - b * b;
    let s = if denominator > tiny * a * e {
        ((b * f - c * e) / denominator).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let t = (b * s + f) / e;
    if t < 0.0 {
        ((-c / a).clamp(0.0, 1.0), 0.0)
    } else if t > 1.0 {
        (((b - c) / a).clamp(0.0, 1.0), 1.0)
    } else {
        (s, t)
    }
}

fn round_on_round(a: &Posed, b: &Posed, reach: f64, out: &mut PairContacts) {
    let ((p1, q1, ra), (p2, q2, rb)) = (segment(a), segment(b));
    let (d1, d2) = (q1 - p1, q2 - p2);
    let mut keep = |s: f64, t: f64| {
        let touch = balls(p1 + d1 * s, ra, p2 + d2 * t, rb);
        if touch.distance <= reach {
            out.push(touch);
        }
    };
    let (l1, l2) = (d1.length(), d2.length());
    let parallel = l1 > 0.0 && l2 > 0.0 && d1.cross(d2).length() < 0.05 * l1 * l2;
    if !parallel {
        let (s, t) = nearest_on_segments(p1, q1, p2, q2);
        keep(s, t);
        return;
    }
    // Side by side: the two ends of the stretch they share.
    let along = |x: Vec3<f64>| ((x - p1).dot(d1) / (l1 * l1)).clamp(0.0, 1.0);
    for s in [along(p2), along(q2)] {
        let t = ((p1 + d1 * s - p2).dot(d2) / (l2 * l2)).clamp(0.0, 1.0);
        keep(s, t);
    }
}

/// A ball on a box.
fn ball_on_box(p: Vec3<f64>, radius: f64, b: &Posed, half: Vec3<f64>) -> PairContact {
    let local = b.rotation.transpose_mul(p - b.centre);
    let mut nearest = local;
    for k in 0..3 {
        nearest[k] = local[k].clamp(-half[k], half[k]);
    }
    let off = local - nearest;
    let length = off.length();
    let (normal, depth) = if length > 1e-12 {
        (off * (1.0 / length), length)
    } else {
        // The centre is inside: leave by the nearest face.
        let mut best = 0;
        for k in 1..3 {
            if half[k] - local[k].abs() < half[best] - local[best].abs() {
                best = k;
            }
        }
        let mut normal = vec3(0.0, 0.0, 0.0);
        normal[best] = if local[best] < 0.0 { -1.0 } else { 1.0 };
        (normal, -(half[best] - local[best].abs()))
    };
    let normal = b.rotation * normal;
    let distance = depth - radius;
    PairContact { point: p - normal * (radius + 0.5 * distance), normal, distance }
}

fn round_on_box(a: &Posed, b: &Posed, half: Vec3<f64>, reach: f64, out: &mut PairContacts) {
    let (p, q, radius) = segment(a);
    let mut keep = |x: Vec3<f64>| {
        let touch = ball_on_box(x, radius, b, half);
        if touch.distance <= reach {
            out.push(touch);
        }
    };
    keep(p);
    if (q - p).length() == 0.0 {
        return;
    }
    keep(q);
    // Between the ends an edge of the box may be nearest. The distance to a box is convex along the segment.
    let gap = |t: f64| ball_on_box(p + (q - p) * t, radius, b, half).distance;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..24 {
        let (m, n) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if gap(m) <= gap(n) { high = n } else { low = m }
    }
    let middle = 0.5 * (low + high);
    if middle > 0.05 && middle < 0.95 && gap(middle) < gap(0.0).min(gap(1.0)) - 1e-6 {
        keep(p + (q - p) * middle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Quat;

    fn posed(form: CollisionForm, centre: [f64; 3]) -> Posed {
        Posed { form, centre: centre.into(), rotation: Mat3::identity() }
    }

    #[test]
    fn normals_lead_from_the_second_shape_to_the_first() {
        let ball = CollisionForm::Sphere { radius: 0.5 };
        let cube = CollisionForm::Box { half: vec3(1.0, 1.0, 1.0) };
        let rod = CollisionForm::Capsule { half_length: 1.0, radius: 0.25 };
        for (a, b, at, distance) in [
            (ball, ball, [0.0, 1.2, 0.0], 0.2),
            (ball, cube, [0.0, 1.4, 0.0], -0.1),
            (cube, ball, [0.0, 1.4, 0.0], -0.1),
            (rod, ball, [0.0, 1.7, 0.0], -0.05),
            (rod, cube, [0.0, 2.3, 0.0], 0.05),
            (cube, cube, [0.1, 1.95, 0.2], -0.05),
        ] {
            let found = collide(&posed(a, at), &posed(b, [0.0; 3]), 0.5);
            assert!(found.count > 0, "{a:?} {b:?}");
            let first =
                found.list[..found.count].iter().min_by(|a, b| a.distance.total_cmp(&b.distance));
            let first = first.unwrap();
            assert!((first.distance - distance).abs() < 1e-12, "{a:?} {b:?} {first:?}");
            assert!((first.normal - vec3(0.0, 1.0, 0.0)).length() < 1e-9, "{a:?} {b:?} {first:?}");
        }
    }

    #[test]
    fn a_rod_across_an_edge_touches_between_its_ends() {
        let cube = posed(CollisionForm::Box { half: vec3(0.2, 0.2, 0.2) }, [0.0; 3]);
        let mut rod =
            posed(CollisionForm::Capsule { half_length: 1.0, radius: 0.1 }, [0.0, 0.29, 0.0]);
        rod.rotation = Quat::exp(vec3(0.0, 0.0, 1.6)).matrix();
        let found = collide(&rod, &cube, 0.01);
        assert!(found.count >= 1 && found.list[0].distance < 0.0);
    }

    #[test]
    fn parallel_rods_touch_at_both_ends_of_what_they_share() {
        let rod = CollisionForm::Capsule { half_length: 1.0, radius: 0.25 };
        let found = collide(&posed(rod, [0.45, 0.5, 0.0]), &posed(rod, [0.0; 3]), 0.1);
        assert_eq!(found.count, 2);
        assert!((found.list[0].point - vec3(0.225, -0.5, 0.0)).length() < 1e-12);
        assert!((found.list[1].point - vec3(0.225, 1.0, 0.0)).length() < 1e-12);
    }
}
