//! Convex outlines. Corners run from x towards z, as those of boxes do.

use glam::{DVec2, Vec2};
use std::f32::consts::FRAC_PI_2;
use std::f64::consts::{PI, TAU};

/// An outline has no more corners than this: each costs time wherever a way is looked for.
const MOST: usize = 32;

/// A corner that stands out less than this, in metres, is none.
const FLAT: f32 = 1e-4;

/// The smallest convex outline around points; with very many corners, one of a few that lies around it.
pub(crate) fn around(points: &[Vec2]) -> Vec<Vec2> {
    let hull = smallest(points.to_vec());
    straightened(if hull.len() > MOST { smallest(tangents(&hull)) } else { hull })
}

/// The convex hull by A. M. Andrew's monotone chain (1979), without corners on straight edges.
fn smallest(mut points: Vec<Vec2>) -> Vec<Vec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = Vec2>| {
        let mut chain: Vec<Vec2> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && !turns_left(a, b, point)
            {
                chain.pop();
            }
            chain.push(point);
        }
        // The last is the first of the other half.
        chain.pop();
        chain
    };
    let mut hull = half(&mut points.iter().copied());
    hull.extend(half(&mut points.iter().rev().copied()));
    hull
}

fn turns_left(a: Vec2, b: Vec2, c: Vec2) -> bool {
    let [a, b, c] = [a, b, c].map(|point| point.as_dvec2());
    (b - a).perp_dot(c - b) > 0.0
}

/// Where lines that touch a hull meet: along its longest edges, and from evenly spread directions.
fn tangents(hull: &[Vec2]) -> Vec<Vec2> {
    let mut long: Vec<DVec2> = edges(hull).map(|(a, b)| b.as_dvec2() - a.as_dvec2()).collect();
    long.sort_by(|a, b| b.length_squared().total_cmp(&a.length_squared()));
    let mut angles: Vec<f64> =
        long[..MOST / 2].iter().map(|edge| (-edge.perp()).to_angle()).collect();
    angles.extend((0..MOST / 2).map(|turn| turn as f64 * TAU / (MOST / 2) as f64 - PI));
    angles.sort_by(f64::total_cmp);
    let touch = |angle: f64| {
        let normal = DVec2::from_angle(angle);
        let far = hull.iter().map(|corner| corner.as_dvec2().dot(normal)).fold(f64::MIN, f64::max);
        (normal, far)
    };
    let corner = |index: usize| {
        let ends = [angles[index], angles[(index + 1) % MOST]];
        let [(normal, far), (_, next)] = ends.map(touch);
        let (sin, cos) = libm::sincos(ends[1] - ends[0]);
        // The same line twice meets nowhere.
        (sin > 1e-6).then(|| (normal * far + normal.perp() * ((next - far * cos) / sin)).as_vec2())
    };
    (0..MOST).filter_map(corner).collect()
}

/// Without the corners that rounding has left on straight edges.
fn straightened(hull: Vec<Vec2>) -> Vec<Vec2> {
    let mut kept: Vec<usize> = vec![0];
    for index in 1..hull.len() {
        let before = kept[kept.len() - 1];
        let next = hull[(index + 1) % hull.len()];
        let chord = (next - hull[before]).normalize_or_zero();
        let stands_out = |corner: &Vec2| chord.perp_dot(hull[before] - corner) > FLAT;
        if hull[before + 1..=index].iter().any(stands_out) {
            kept.push(index);
        }
    }
    if kept.len() < 3 { hull } else { kept.into_iter().map(|index| hull[index]).collect() }
}

/// Whether an outline covers so little ground that it is a line or a point.
pub(crate) fn is_thin(hull: &[Vec2], least: f32) -> bool {
    let (mut area, mut length) = (0.0, 0.0);
    for (a, b) in edges(hull) {
        area += 0.5 * (a - hull[0]).perp_dot(b - hull[0]);
        length += a.distance(b);
    }
    area <= 0.5 * least * length
}

/// The outline moved outwards: parallel edges, and at sharp corners more of them, so that no corner moves farther than
/// that of a square. Lines and points become rectangles.
pub(crate) fn grown(hull: &[Vec2], by: f32) -> Vec<Vec2> {
    let ahead = |index: usize| hull[(index + 1) % hull.len()] - hull[index % hull.len()];
    let mut wide = Vec::with_capacity(2 * hull.len());
    for (index, &corner) in hull.iter().enumerate() {
        let (edge, next) = (ahead(index + hull.len() - 1), ahead(index));
        let (first, turn) = match hull.len() {
            1 => (Vec2::X, 4.0 * FRAC_PI_2),
            // There and back.
            2 => (-edge.perp().normalize_or(Vec2::X), 2.0 * FRAC_PI_2),
            _ => (-edge.perp().normalize_or(Vec2::X), edge.angle_to(next).max(0.0)),
        };
        // Rounding makes no corner of a box two.
        let parts = (turn / FRAC_PI_2 - 1e-3).ceil().max(1.0);
        let [half, part] = [0.5 * turn / parts, turn / parts];
        wide.extend((0..parts as usize).map(|index| {
            let middle = Vec2::from_angle(half + index as f32 * part).rotate(first);
            corner + middle * (by / libm::cosf(half))
        }));
    }
    wide
}

/// Distance of a place from an outline; negative inside.
pub(crate) fn distance(hull: &[Vec2], place: Vec2) -> f32 {
    let (mut nearest, mut is_inside) = (f32::INFINITY, true);
    for (a, b) in edges(hull) {
        let (edge, from) = (b - a, place - a);
        let part = (from.dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
        nearest = nearest.min((from - part * edge).length_squared());
        is_inside &= edge.perp_dot(from) > 0.0;
    }
    if is_inside { -nearest.sqrt() } else { nearest.sqrt() }
}

fn edges(hull: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> {
    hull.iter().copied().zip(hull.iter().copied().cycle().skip(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn places(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Vec2>> {
        prop::collection::vec(prop::array::uniform2(-2.0f32..2.0).prop_map(Vec2::from), count)
    }

    #[test]
    fn a_square_grows_as_a_box_does() {
        let square =
            around(&[Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y, Vec2::splat(0.4), Vec2::X * 0.5]);
        assert_eq!(square, [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y]);
        let wide = grown(&square, 0.5);
        let expected = [[-0.5, -0.5], [1.5, -0.5], [1.5, 1.5], [-0.5, 1.5]].map(Vec2::from);
        assert_eq!(wide.len(), 4);
        for (corner, expected) in wide.iter().zip(expected) {
            assert!(corner.distance(expected) < 1e-5, "{wide:?}");
        }
    }

    #[test]
    fn the_straight_sides_of_a_thing_with_round_corners_stay_where_they_are() {
        let turned = Vec2::from_angle(0.1);
        let corner = |k: usize| {
            let round = Vec2::from_angle(k as f32 * 0.1);
            (Vec2::new(2.0, 0.4) * round.signum() + 0.1 * round).rotate(turned)
        };
        let hull = around(&(0..63).map(corner).collect::<Vec<_>>());
        assert!(hull.len() <= MOST);
        for (corner, side) in hull.iter().flat_map(|corner| [(corner, Vec2::X), (corner, Vec2::Y)])
        {
            let far = corner.dot(side.rotate(turned)).abs();
            assert!(far < side.dot(Vec2::new(2.1, 0.5)) + 1e-3, "{far}");
        }
    }

    #[test]
    fn lines_and_points_become_rectangles() {
        for (thin, area) in [(vec![Vec2::ONE], 0.04), (vec![Vec2::ZERO, Vec2::new(3.0, 4.0)], 1.04)]
        {
            assert!(is_thin(&thin, 1e-3));
            let wide = grown(&thin, 0.1);
            let doubled: f32 = edges(&wide).map(|(a, b)| a.perp_dot(b)).sum();
            assert!(wide.len() == 4 && (0.5 * doubled - area).abs() < 1e-4, "{wide:?}");
            assert!(!is_thin(&wide, 1e-3));
        }
    }

    proptest! {
        #[test]
        fn a_hull_is_convex_and_around_its_points(points in places(3..200), round in any::<bool>()) {
            // Points on a circle are all corners of their hull.
            let points: Vec<Vec2> = points.iter().map(|at| if round { at.normalize_or(Vec2::X) } else { *at }).collect();
            let hull = around(&points);
            prop_assert!(hull.len() <= MOST);
            if !is_thin(&hull, 1e-2) {
                let turns = (0..hull.len()).map(|k| [0, 1, 2].map(|next| hull[(k + next) % hull.len()]));
                prop_assert!(turns.clone().all(|[a, b, c]| turns_left(a, b, c)), "{hull:?}");
                for point in &points {
                    prop_assert!(distance(&hull, *point) < 1.1 * FLAT, "{point} {hull:?}");
                }
                // No farther out than lines from 16 directions can be.
                let far = points.iter().map(|at| at.length()).fold(0.0, f32::max);
                prop_assert!(hull.iter().all(|corner| corner.length() < 1.02 * far));
            }
        }

        #[test]
        fn a_grown_hull_is_that_far_from_the_hull_and_at_corners_a_little_more(
            points in places(1..12), by in 0.01f32..1.0,
        ) {
            let hull = around(&points);
            let wide = grown(&hull, by);
            for (a, b) in edges(&wide) {
                for part in [0.0, 0.3, 0.5, 0.9] {
                    let apart = match hull[..] {
                        [only] => only.distance(a.lerp(b, part)),
                        _ => distance(&hull, a.lerp(b, part)).abs(),
                    };
                    prop_assert!(apart > by - 1e-3 && apart < by * 1.4143 + 1e-3, "{apart} {hull:?} {wide:?}");
                }
            }
        }
    }
}
