//! The point of a disc that is nearest to a wish and on the right side of every line.
//!
//! A linear program in the plane, solved line by line (M. de Berg, O. Cheong, M. van Kreveld and M. Overmars,
//! Computational Geometry, chapter 4): whenever the best point so far is on the wrong side of a line, the best is on
//! that line. Where no point satisfies all of them, the one that misses the worst by least is found by the same
//! method (J. van den Berg, S. Guy, M. Lin and D. Manocha, Reciprocal n-body collision avoidance, ISRR 2009).

use glam::Vec2;

/// More lines than this are not looked at.
pub(crate) const MOST_LINES: usize = 16;

/// Points this close to a line are on it.
const ON_IT: f32 = 1e-5;

/// Points with `normal · point ≥ offset`.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct HalfPlane {
    /// Of length 1.
    pub normal: Vec2,
    pub offset: f32,
}

impl HalfPlane {
    /// The distance of a point on the wrong side.
    pub fn missed_by(&self, point: Vec2) -> f32 {
        self.offset - self.normal.dot(point)
    }
}

/// What is wanted of a point.
#[derive(Clone, Copy)]
enum VelocityWish {
    Near(Vec2),
    Along(Vec2),
}

/// The point within `reach` of the origin that is nearest to a wish and on the right side of all half-planes. If there is no
/// such point, the most that any is missed by is as little as possible.
pub(crate) fn nearest(wish: Vec2, reach: f32, planes: &[HalfPlane]) -> Vec2 {
    let planes = &planes[..planes.len().min(MOST_LINES)];
    let (point, failed) = solve(VelocityWish::Near(wish), reach, planes);
    match failed {
        Some(failed) => least_missed(point, failed, reach, planes),
        None => point,
    }
}

/// The best point, or the best before the first half-plane that leaves none, and which that is.
fn solve(wish: VelocityWish, reach: f32, planes: &[HalfPlane]) -> (Vec2, Option<usize>) {
    let mut best = match wish {
        VelocityWish::Near(point) => point.clamp_length_max(reach),
        VelocityWish::Along(direction) => direction * reach,
    };
    for (index, plane) in planes.iter().enumerate() {
        if plane.missed_by(best) > ON_IT {
            match on_line(wish, reach, plane, &planes[..index]) {
                Some(point) => best = point,
                None => return (best, Some(index)),
            }
        }
    }
    (best, None)
}

/// The best point of a line, among those on the right side of earlier ones.
fn on_line(
    wish: VelocityWish,
    reach: f32,
    line: &HalfPlane,
    earlier: &[HalfPlane],
) -> Option<Vec2> {
    let half = reach * reach - line.offset * line.offset;
    if half < 0.0 {
        return None;
    }
    let (foot, along) = (line.normal * line.offset, line.normal.perp());
    let (mut low, mut high) = (-half.sqrt(), half.sqrt());
    for plane in earlier {
        let (slope, missing) = (plane.normal.dot(along), plane.missed_by(foot));
        if slope.abs() < 1e-6 {
            if missing > ON_IT {
                return None;
            }
        } else if slope > 0.0 {
            low = low.max(missing / slope);
        } else {
            high = high.min(missing / slope);
        }
    }
    if low > high {
        return None;
    }
    let part = match wish {
        VelocityWish::Near(point) => (point - foot).dot(along).clamp(low, high),
        VelocityWish::Along(direction) if direction.dot(along) > 0.0 => high,
        VelocityWish::Along(_) => low,
    };
    Some(foot + part * along)
}

/// Where no point is right: the one for which the worst is least.
fn least_missed(from: Vec2, failed: usize, reach: f32, planes: &[HalfPlane]) -> Vec2 {
    let mut best = from;
    let mut worst = 0.0;
    let mut between = [HalfPlane::default(); MOST_LINES];
    for (index, plane) in planes.iter().enumerate().skip(failed) {
        if plane.missed_by(best) <= worst + ON_IT {
            continue;
        }
        // Where this one is missed by no less than any before it.
        let mut count = 0;
        for other in &planes[..index] {
            let across = other.normal - plane.normal;
            let length = across.length();
            if length > 1e-4 {
                let offset = (other.offset - plane.offset) / length;
                between[count] = HalfPlane { normal: across / length, offset };
                count += 1;
            }
        }
        if let (point, None) = solve(VelocityWish::Along(plane.normal), reach, &between[..count]) {
            best = point;
        }
        worst = plane.missed_by(best);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec2;
    use proptest::prelude::*;

    fn planes() -> impl Strategy<Value = Vec<HalfPlane>> {
        let plane = (0.0f32..std::f32::consts::TAU, -1.5f32..1.5)
            .prop_map(|(turn, offset)| HalfPlane { normal: Vec2::from_angle(turn), offset });
        prop::collection::vec(plane, 0..9)
    }

    fn grid() -> impl Iterator<Item = Vec2> {
        let places = || (-40..=40).map(|step| 0.05 * step as f32);
        places().flat_map(move |x| places().map(move |y| vec2(x, y))).filter(|p| p.length() <= 2.0)
    }

    fn worst(planes: &[HalfPlane], point: Vec2) -> f32 {
        planes.iter().map(|plane| plane.missed_by(point)).fold(0.0, f32::max)
    }

    #[test]
    fn without_lines_the_wish_is_granted_as_far_as_the_disc_goes() {
        assert_eq!(nearest(vec2(0.5, 0.1), 1.0, &[]), vec2(0.5, 0.1));
        assert!(nearest(vec2(5.0, 0.0), 1.0, &[]).abs_diff_eq(Vec2::X, 1e-6));
    }

    proptest! {
        #[test]
        fn no_other_point_is_better(planes in planes(), x in -2.0f32..2.0, y in -2.0f32..2.0) {
            let wish = vec2(x, y);
            let found = nearest(wish, 2.0, &planes);
            prop_assert!(found.length() < 2.0 + 1e-4);
            let missed = worst(&planes, found);
            let feasible = grid().filter(|point| worst(&planes, *point) <= 0.0);
            let best = feasible.map(|point| point.distance(wish)).fold(f32::INFINITY, f32::min);
            if best.is_finite() {
                prop_assert!(missed < 1e-3, "missed by {missed}");
                prop_assert!(found.distance(wish) < best + 1e-3);
            }
            let least = grid().map(|point| worst(&planes, point)).fold(f32::INFINITY, f32::min);
            prop_assert!(missed < least + 1e-3, "{missed} instead of {least}");
        }
    }
}
