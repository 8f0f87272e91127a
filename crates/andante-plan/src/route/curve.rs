//! A way of straight segments made into a curve a person would walk.

use andante_skeleton::Polyline;
use glam::Vec2;

andante_skeleton::settings! {
    /// Options of rounding corners.
    pub struct CurveOptions: Copy {
        /// Length of the handles of each cubic, in metres: how far from a corner one starts to turn. Half the
        /// character's height looks natural; 0 keeps the corners.
        handle: f32 = 0.875, 0.0..;
        /// Distance between samples, in metres.
        spacing: f32 = 0.1, 0.0..;
        /// How much farther from obstacles the way leads where there is room, in metres: for arms that swing, and for
        /// feet that do not step exactly on a line. 0 is the shortest way, along the walls.
        room: f32 = 0.22, 0.0..;
        /// Halvings of the handles before a segment is left straight.
        halvings: usize = 6, 0..=10;
    }
}

/// A chain of cubic Bézier curves with one direction at each joint.
///
/// Every sample, and the straight line from each sample to the next, is free if the way was: to the last bit where the
/// way was rounded, and to a few micrometres where it had to stay straight, since a place computed on a segment that
/// grazes an obstacle is not exactly on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Control points of the cubics, one for each segment of the way.
    pub cubics: Vec<[Vec2; 4]>,
    /// Places along the curve, the first at the start and the last at the goal.
    pub samples: Vec<Vec2>,
    /// Segments that had to stay straight because there is no room to round them.
    pub straight: usize,
}

impl Curve {
    /// Fits the chain to a way whose segments are free, as `is_free(from, to)` tells.
    ///
    /// The direction at an inner place is that of the line from the place before it to the one after it. Where the curve
    /// would touch a wall its handles are halved: it lies within the handle's length of the free chord, so that ends as
    /// soon as the handles are shorter than the clearance; what is still blocked then is left straight.
    pub fn through(
        is_free: impl Fn(Vec2, Vec2) -> bool,
        way: &[Vec2],
        options: &CurveOptions,
    ) -> Self {
        let direction = |index: usize| {
            let (before, after) =
                (way[index.saturating_sub(1)], way[(index + 1).min(way.len() - 1)]);
            (after - before).normalize_or_zero()
        };
        let mut curve = Self {
            cubics: Vec::new(),
            samples: way.first().copied().into_iter().collect(),
            straight: 0,
        };
        for index in 0..way.len().saturating_sub(1) {
            let (a, b) = (way[index], way[index + 1]);
            let mut handle = options.handle.min(0.5 * a.distance(b));
            let mut fitted = None;
            for _ in 0..=options.halvings {
                let cubic =
                    [a, a + handle * direction(index), b - handle * direction(index + 1), b];
                let samples = sampled(&cubic, options.spacing);
                let mut from = a;
                if samples.iter().all(|&to| is_free(std::mem::replace(&mut from, to), to)) {
                    fitted = Some((cubic, samples));
                    break;
                }
                handle *= 0.5;
            }
            let (cubic, samples) = fitted.unwrap_or_else(|| {
                curve.straight += 1;
                let chord = [a, a.lerp(b, 1.0 / 3.0), a.lerp(b, 2.0 / 3.0), b];
                (chord, sampled(&chord, options.spacing))
            });
            curve.cubics.push(cubic);
            curve.samples.extend(samples);
        }
        curve
    }
}

/// Places along a cubic that are `spacing` apart at most, evenly, without the first.
fn sampled(cubic: &[Vec2; 4], spacing: f32) -> Vec<Vec2> {
    let polygon = Polyline::length_of(cubic);
    let count = ((polygon / spacing.max(1e-3)).ceil() as usize).clamp(1, 100_000);
    let fine = 8 * count;
    let steps = (0..=fine).map(|step| match step {
        0 => cubic[0],
        _ => point(cubic, step as f32 / fine as f32),
    });
    let line = Polyline::through(steps.collect());
    let place = |sample: usize| line.place(line.length() * sample as f32 / count as f32);
    (1..count).map(place).chain([cubic[3]]).collect()
}

/// The Bernstein form of a cubic.
fn point(&[a, b, c, d]: &[Vec2; 4], u: f32) -> Vec2 {
    let v = 1.0 - u;
    v * v * v * a + 3.0 * v * v * u * b + 3.0 * v * u * u * c + u * u * u * d
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::{Shortening, TwoTrees, WalkableFloor, Walls, shorten};
    use glam::vec2;
    use proptest::prelude::*;

    /// Rounding of a place on a segment twenty metres long, generously.
    const ROUNDING: f32 = 1e-5;

    fn floor(posts: &[(Vec2, f32)]) -> WalkableFloor {
        let outline = vec![vec2(0.0, 0.0), vec2(20.0, 0.0), vec2(20.0, 20.0), vec2(0.0, 20.0)];
        WalkableFloor::new(&[outline], &[], posts).unwrap()
    }

    fn field(posts: &[(Vec2, f32)]) -> Walls {
        floor(posts).walls(0.4)
    }

    fn through(walls: &Walls, way: &[Vec2], options: &CurveOptions) -> Curve {
        Curve::through(|from, to| walls.edge_is_free(from, to), way, options)
    }

    #[test]
    fn a_curve_passes_its_places_and_has_one_direction_at_each() {
        let way = [vec2(2.0, 2.0), vec2(8.0, 3.0), vec2(9.0, 12.0), vec2(15.0, 14.0)];
        let curve = through(&field(&[]), &way, &CurveOptions::default());
        assert_eq!((curve.samples[0], curve.samples[curve.samples.len() - 1]), (way[0], way[3]));
        for (pair, place) in curve.cubics.windows(2).zip(&way[1..]) {
            assert_eq!((pair[0][3], pair[1][0]), (*place, *place));
            let (before, after) = (pair[0][3] - pair[0][2], pair[1][1] - pair[1][0]);
            assert!(before.angle_to(after).abs() < 1e-3);
        }
    }

    #[test]
    fn ways_of_no_and_one_place_are_curves_of_as_many() {
        let walls = field(&[]);
        assert!(through(&walls, &[], &CurveOptions::default()).samples.is_empty());
        assert_eq!(through(&walls, &[vec2(1.0, 1.0)], &CurveOptions::default()).samples.len(), 1);
    }

    /// Every place of the curve is where a disc smaller by the rounding fits, and so is the way between.
    fn is_free(curve: &Curve, posts: &[(Vec2, f32)]) -> Result<(), TestCaseError> {
        let walls = floor(posts).walls(0.4 - ROUNDING);
        for pair in curve.samples.windows(2) {
            prop_assert!(walls.edge_is_free(pair[0], pair[1]), "{:?}", pair);
            prop_assert!(pair[0].distance(pair[1]) < 0.11);
        }
        Ok(())
    }

    #[test]
    fn a_straight_way_that_grazes_a_post_stays_free_between_its_samples() {
        let posts = [(vec2(6.248062, 4.486139), 0.8458725)];
        let way = [vec2(0.6, 0.6), vec2(19.4, 19.4)];
        let curve = through(&field(&posts), &way, &CurveOptions::default());
        is_free(&curve, &posts).unwrap();
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn whatever_the_posts_the_curve_is_free_from_sample_to_sample(
            posts in prop::collection::vec(((2.0f32..18.0, 2.0f32..18.0), 0.1f32..1.5), 0..20), seed: u64,
        ) {
            let posts: Vec<_> = posts.into_iter().map(|((x, y), radius)| (vec2(x, y), radius)).collect();
            let walls = field(&posts);
            let found = TwoTrees { attempts: 3000, seed, ..Default::default() }.find(&walls, vec2(0.6, 0.6), vec2(19.4, 19.4));
            prop_assume!(found.is_ok());
            let way = shorten(&walls, &found.unwrap().way, &Shortening::default());
            let curve = through(&walls, &way, &CurveOptions::default());
            is_free(&curve, &posts)?;
        }
    }
}
