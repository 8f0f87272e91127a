//! Clips on a plane: speed and turn rate.

use super::BlendSpaceError;
use super::triangles::{Triangles, triangulate};
use glam::Vec2;

/// The most that the weights of clips may fall below zero, together, when a demand lies outside them.
pub const EXTRAPOLATION: f32 = 0.25;

/// The most that the playback rate may leave 1, to either side.
pub const RATE_RANGE: f32 = 0.2;

/// Clips placed on the plane of speed ahead (m/s) and turn rate (rad/s), triangulated after
/// Delaunay (mocap-tool appendix B.4, after Pettré and Laumond).
///
/// Inside the hull the weights are the barycentric coordinates of the triangle the demand falls
/// into, so that three clips at most take part. Outside, the weights of the nearest point of the
/// hull are continued outwards until the negative ones sum to −[`EXTRAPOLATION`]; what is then left of
/// the demand goes to the playback rate, up to ±[`RATE_RANGE`], and what is left then is reported as
/// unmet.
///
/// Weights are continuous everywhere. Beyond the hull this needs more than continuing the
/// triangle behind the nearest edge, because the triangles behind two neighbouring edges disagree on
/// what happens beyond their common corner. So each corner gets the mean of the gradients of its two
/// triangles, and along an edge the gradient goes over from one corner's to the other's.
#[derive(Clone, Debug, PartialEq)]
pub struct BlendSpace2 {
    /// Where the clips are, in units of `scale`.
    points: Vec<Vec2>,
    scale: Vec2,
    shape: PlaneShape,
}

#[derive(Clone, Debug, PartialEq)]
enum PlaneShape {
    /// All clips are in one place.
    Point { clip: usize },
    /// All clips are on one line: clip and place along it, in order.
    Line { origin: Vec2, direction: Vec2, points: Vec<(usize, f32)> },
    /// At least one triangle.
    Plane(Triangles),
}

/// The achievable part of a demand, and the rest of it.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct BoundaryPoint {
    /// Speed and turn rate of the weighted clips, played at their own rate.
    pub blended: Vec2,
    /// Playback rate, 1 ± [`RATE_RANGE`].
    pub rate: f32,
    /// What the demand asks for beyond the clips at that rate: speed and turn rate.
    pub unmet: Vec2,
}

impl BlendSpace2 {
    /// One point (speed, turn rate) per clip. Axes are scaled by the largest values, because they
    /// have different units. Of clips in the same place the first is used.
    pub fn new(points: &[Vec2]) -> Result<Self, BlendSpaceError> {
        if points.is_empty() {
            return Err(BlendSpaceError::Empty);
        }
        if let Some(clip) = points.iter().position(|point| !point.is_finite()) {
            return Err(BlendSpaceError::NonFinite { clip });
        }
        let largest = points.iter().fold(Vec2::ZERO, |most, point| most.max(point.abs()));
        let scale = Vec2::select(largest.cmpgt(Vec2::splat(1e-6)), largest, Vec2::ONE);
        let points: Vec<Vec2> = points.iter().map(|point| *point / scale).collect();
        let shape = match triangulate(&points) {
            Some(triangles) => PlaneShape::Plane(triangles),
            None => line(&points),
        };
        Ok(Self { points, scale, shape })
    }

    /// Number of clips.
    pub fn clip_count(&self) -> usize {
        self.points.len()
    }

    /// The point of a clip: speed and turn rate.
    pub fn point(&self, clip: usize) -> Vec2 {
        self.points[clip] * self.scale
    }

    /// The clips of each triangle.
    pub fn triangles(&self) -> impl Iterator<Item = [usize; 3]> + '_ {
        let triangles = match &self.shape {
            PlaneShape::Plane(triangles) => triangles.corners(),
            _ => &[],
        };
        triangles.iter().copied()
    }

    /// Writes one weight per clip, with sum 1. A demand that is not finite leaves the weights as
    /// they were.
    ///
    /// # Panics
    /// If there are fewer weights than clips.
    pub fn weights(&self, demand: Vec2, weights: &mut [f32]) -> Option<BoundaryPoint> {
        if !demand.is_finite() {
            return None;
        }
        let weights = &mut weights[..self.points.len()];
        weights.fill(0.0);
        // Far beyond any use, and near enough for all arithmetic to stay finite.
        let at = (demand / self.scale).clamp(Vec2::splat(-1e6), Vec2::splat(1e6));
        match &self.shape {
            PlaneShape::Point { clip } => weights[*clip] = 1.0,
            PlaneShape::Line { origin, direction, points } => {
                along_line(points, (at - *origin).dot(*direction), weights);
            }
            PlaneShape::Plane(triangles) => triangles.weights(at, EXTRAPOLATION, weights),
        }
        let reached: Vec2 =
            weights.iter().zip(&self.points).map(|(weight, point)| *point * *weight).sum();
        // The rate that comes closest to the demand; the small number keeps it still where
        // nothing moves.
        let still = 1e-4;
        let rate = (at.dot(reached) + still) / (reached.length_squared() + still);
        let rate = if (at - reached).length_squared() < 1e-10 { 1.0 } else { rate };
        let rate = rate.clamp(1.0 - RATE_RANGE, 1.0 + RATE_RANGE);
        let blended = reached * self.scale;
        Some(BoundaryPoint { blended, rate, unmet: demand - blended * rate })
    }
}

/// All points on one line, or in one place.
fn line(points: &[Vec2]) -> PlaneShape {
    let origin = points[0];
    let farthest = points
        .iter()
        .map(|point| *point - origin)
        .fold(Vec2::ZERO, |far, v| if v.length_squared() > far.length_squared() { v } else { far });
    let Some(direction) = farthest.try_normalize().filter(|_| farthest.length() > 1e-6) else {
        return PlaneShape::Point { clip: 0 };
    };
    let place = |(clip, point): (usize, &Vec2)| (clip, (*point - origin).dot(direction));
    let mut along: Vec<(usize, f32)> = points.iter().enumerate().map(place).collect();
    along.sort_by(|a, b| a.1.total_cmp(&b.1));
    along.dedup_by(|later, earlier| later.1 - earlier.1 < 1e-6);
    PlaneShape::Line { origin, direction, points: along }
}

/// Linear between neighbours and, beyond the ends, until the weight of the last but one is down to
/// its bound.
fn along_line(points: &[(usize, f32)], at: f32, weights: &mut [f32]) {
    let above = points.partition_point(|point| point.1 <= at).clamp(1, points.len() - 1);
    let ((a, from), (b, to)) = (points[above - 1], points[above]);
    let share = ((at - from) / (to - from)).clamp(-EXTRAPOLATION, 1.0 + EXTRAPOLATION);
    weights[b] = share;
    weights[a] = 1.0 - share;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn nine() -> Vec<Vec2> {
        // Rows of a grid: hull corners in line, four points on a circle.
        let speeds = [0.0, 0.8, 1.6];
        let turns = [-1.2, 0.0, 1.2];
        speeds.iter().flat_map(|&v| turns.map(|w| Vec2::new(v, w))).collect()
    }

    fn sums(space: &BlendSpace2, weights: &[f32]) -> (f32, Vec2) {
        let mean = weights.iter().enumerate().map(|(clip, w)| space.point(clip) * *w).sum();
        (weights.iter().sum(), mean)
    }

    /// Largest change of any weight per change of the scaled demand, over a fine grid that reaches
    /// far beyond the hull.
    fn steepest(space: &BlendSpace2, range: f32, steps: i32) -> f32 {
        let count = space.clip_count();
        let weights = |x: i32, y: i32| {
            let at = Vec2::new(x as f32, y as f32) * (range / steps as f32) * space.scale;
            let mut weights = vec![0.0; count];
            space.weights(at, &mut weights).unwrap();
            weights
        };
        let mut steepest: f32 = 0.0;
        let mut row: Vec<Vec<f32>> = (-steps..=steps).map(|x| weights(x, -steps)).collect();
        for y in 1 - steps..=steps {
            let next: Vec<Vec<f32>> = (-steps..=steps).map(|x| weights(x, y)).collect();
            for x in 0..next.len() {
                let mut compare = |other: &[f32]| {
                    for (a, b) in next[x].iter().zip(other) {
                        steepest = steepest.max((a - b).abs());
                    }
                };
                compare(&row[x]);
                if x > 0 {
                    compare(&next[x - 1]);
                }
            }
            row = next;
        }
        steepest / (range / steps as f32)
    }

    #[test]
    fn weights_change_no_faster_than_the_demand_inside_outside_and_across_the_hull() {
        // The gradient inside is one over the lowest height of a triangle, here of half a unit or
        // more; outside it is at most doubled by the corner.
        for points in [nine(), fan(), vec![Vec2::ZERO, Vec2::X, Vec2::new(2.0, 0.0)]] {
            let space = BlendSpace2::new(&points).unwrap();
            for (range, steps) in [(1.6, 400), (30.0, 300)] {
                let slope = steepest(&space, range, steps);
                assert!(slope < 12.0, "{slope} at range {range}");
            }
        }
    }

    /// Stand, slow, normal and fast walks with turns: an irregular library.
    fn fan() -> Vec<Vec2> {
        [
            (0.0, 0.0),
            (0.6, 0.0),
            (0.6, 0.9),
            (0.6, -0.9),
            (1.3, 0.0),
            (1.25, 0.7),
            (1.3, -0.7),
            (1.9, 0.0),
            (-0.7, 0.0),
        ]
        .map(|(v, w)| Vec2::new(v, w))
        .to_vec()
    }

    proptest! {
        #[test]
        fn weights_sum_to_one_and_what_they_reach_is_reported(v in -9.0f32..9.0, w in -9.0f32..9.0) {
            for points in [nine(), fan()] {
                let space = BlendSpace2::new(&points).unwrap();
                let mut weights = vec![0.0; points.len()];
                let demand = Vec2::new(v, w);
                let met = space.weights(demand, &mut weights).unwrap();
                let (sum, mean) = sums(&space, &weights);
                prop_assert!((sum - 1.0).abs() < 1e-5);
                prop_assert!(mean.abs_diff_eq(met.blended, 1e-4));
                prop_assert!((met.blended * met.rate + met.unmet).abs_diff_eq(demand, 1e-4));
                let below: f32 = weights.iter().map(|w| w.min(0.0)).sum();
                prop_assert!(below >= -EXTRAPOLATION - 1e-4, "{below}");
                prop_assert!((met.rate - 1.0).abs() <= RATE_RANGE + 1e-6);
            }
        }

        #[test]
        fn demands_inside_are_met_exactly_by_three_clips(v in 0.0f32..1.6, w in -1.2f32..1.2) {
            let space = BlendSpace2::new(&nine()).unwrap();
            let mut weights = [0.0; 9];
            let met = space.weights(Vec2::new(v, w), &mut weights).unwrap();
            prop_assert!(met.unmet.length() < 1e-4 && (met.rate - 1.0).abs() < 1e-4);
            prop_assert!(weights.iter().filter(|w| w.abs() > 1e-6).count() <= 3);
            prop_assert!(weights.iter().all(|w| *w >= -1e-6));
        }

        #[test]
        fn any_points_make_a_space(
            points in proptest::collection::vec((-2i8..3, -2i8..3), 1..14),
            v in -6.0f32..6.0,
            w in -6.0f32..6.0,
        ) {
            // Small whole numbers: many duplicates, collinear and cocircular points.
            let points: Vec<Vec2> = points.iter().map(|p| Vec2::new(f32::from(p.0), f32::from(p.1))).collect();
            let space = BlendSpace2::new(&points).unwrap();
            let mut weights = vec![0.0; points.len()];
            for demand in points.iter().copied().chain([Vec2::new(v, w)]) {
                let met = space.weights(demand, &mut weights).unwrap();
                let (sum, mean) = sums(&space, &weights);
                prop_assert!((sum - 1.0).abs() < 1e-5);
                prop_assert!(mean.abs_diff_eq(met.blended, 1e-4));
            }
            for (clip, point) in points.iter().enumerate() {
                let met = space.weights(*point, &mut weights).unwrap();
                let first = points.iter().position(|other| other == point).unwrap();
                prop_assert!((weights[first] - 1.0).abs() < 1e-5, "clip {} at its own point", clip);
                prop_assert!(met.unmet.length() < 1e-5);
            }
        }
    }

    #[test]
    fn a_little_outside_is_extrapolated_and_farther_out_played_faster() {
        let space = BlendSpace2::new(&nine()).unwrap();
        let mut weights = [0.0; 9];
        let met = space.weights(Vec2::new(1.7, 0.0), &mut weights).unwrap();
        assert!(met.unmet.length() < 1e-4 && (met.rate - 1.0).abs() < 1e-4);
        assert!(weights.iter().any(|w| *w < -0.05));
        let met = space.weights(Vec2::new(2.0, 0.0), &mut weights).unwrap();
        assert!(met.rate > 1.05 && met.unmet.length() < 0.01, "{met:?}");
        let met = space.weights(Vec2::new(9.0, 0.0), &mut weights).unwrap();
        assert_eq!(met.rate, 1.0 + RATE_RANGE);
        assert!(met.unmet.x > 6.0);
    }

    #[test]
    fn numbers_that_are_not_finite_are_refused() {
        assert_eq!(BlendSpace2::new(&[]), Err(BlendSpaceError::Empty));
        let bad = [Vec2::ZERO, Vec2::new(f32::INFINITY, 0.0)];
        assert_eq!(BlendSpace2::new(&bad), Err(BlendSpaceError::NonFinite { clip: 1 }));
        let space = BlendSpace2::new(&nine()).unwrap();
        let mut weights = [7.0; 9];
        for demand in [Vec2::new(f32::NAN, 0.0), Vec2::new(0.0, f32::NEG_INFINITY)] {
            assert_eq!(space.weights(demand, &mut weights), None);
        }
        assert_eq!(weights, [7.0; 9]);
        let met = space.weights(Vec2::splat(f32::MAX), &mut weights).unwrap();
        assert!(met.blended.is_finite() && weights.iter().all(|w| w.is_finite()));
    }
}
