//! Shortening of a way: the detours of random trees are cut.

use super::Walls;
use andante_skeleton::Polyline;
use glam::Vec2;

andante_skeleton::settings! {
    /// Settings of shortening a way.
    ///
    /// After D. Hsu's adaptive smoothing: every segment is halved and the way is cut short between its points, at
    /// ever finer resolution, from both ends.
    pub struct Shortening: Copy, Eq {
        /// Passes in each direction, each at twice the resolution of the one before. 1 leaves wide corners; from
        /// 6 on the cost doubles and nothing visible is gained.
        passes: u32 = 4;
    }
}

/// A way with the same ends that is at most as long; every segment is free if every segment of `way` is.
pub fn shorten(walls: &Walls, way: &[Vec2], options: &Shortening) -> Vec<Vec2> {
    let mut best = cut(walls, way);
    for _direction in 0..2 {
        for pass in 1..=options.passes {
            let shorter = cut(walls, &divided(&best, 1 << pass.min(12)));
            // A cut from one end can lose by its greed.
            if Polyline::length_of(&shorter) < Polyline::length_of(&best) {
                best = shorter;
            }
        }
        best.reverse();
    }
    best
}

/// Every segment in equal parts.
fn divided(way: &[Vec2], parts: usize) -> Vec<Vec2> {
    let inner = |pair: &[Vec2], part: usize| pair[0].lerp(pair[1], part as f32 / parts as f32);
    let firsts = way.windows(2).flat_map(|pair| (0..parts).map(move |part| inner(pair, part)));
    firsts.chain(way.last().copied()).collect()
}

/// From each point straight to the farthest one that can be reached.
fn cut(walls: &Walls, way: &[Vec2]) -> Vec<Vec2> {
    let mut kept: Vec<Vec2> = way.first().copied().into_iter().collect();
    let mut here = 0;
    while here + 1 < way.len() {
        // The next point can always be reached: it was the way so far.
        let seen =
            (here + 2..way.len()).rev().find(|&there| walls.edge_is_free(way[here], way[there]));
        here = seen.unwrap_or(here + 1);
        kept.push(way[here]);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::WalkableFloor;
    use glam::vec2;
    use proptest::prelude::*;

    fn field() -> Walls {
        let outline = vec![vec2(0.0, 0.0), vec2(20.0, 0.0), vec2(20.0, 20.0), vec2(0.0, 20.0)];
        let posts = [(vec2(10.0, 10.0), 4.0), (vec2(5.0, 15.0), 2.0)];
        WalkableFloor::new(&[outline], &[], &posts).unwrap().walls(0.4)
    }

    #[test]
    fn on_a_free_plane_two_points_remain() {
        let way = [vec2(1.0, 1.0), vec2(3.0, 9.0), vec2(2.0, 4.0), vec2(1.0, 2.0), vec2(5.0, 1.0)];
        assert_eq!(shorten(&field(), &way, &Shortening::default()), [way[0], way[4]]);
    }

    #[test]
    fn ways_of_no_and_one_place_stay() {
        assert!(shorten(&field(), &[], &Shortening::default()).is_empty());
        assert_eq!(shorten(&field(), &[vec2(1.0, 1.0)], &Shortening::default()), [vec2(1.0, 1.0)]);
    }

    #[test]
    fn around_a_post_the_way_becomes_almost_taut() {
        let walls = field();
        let way = [vec2(1.0, 10.0), vec2(1.0, 1.0), vec2(19.0, 1.0), vec2(19.0, 10.0)];
        let short = shorten(&walls, &way, &Shortening::default());
        // Two tangents of length sqrt(9² - 4.4²) and the arc between them.
        let (reach, centre) = (4.4f32, 9.0f32);
        let taut = 2.0 * (centre * centre - reach * reach).sqrt()
            + reach * (std::f32::consts::PI - 2.0 * (reach / centre).acos());
        assert!(
            Polyline::length_of(&short) < 1.05 * taut,
            "{} against {taut}",
            Polyline::length_of(&short)
        );
    }

    proptest! {
        #[test]
        fn a_way_never_grows_and_stays_free(
            places in prop::collection::vec((0.5f32..19.5, 0.5f32..19.5), 2..20),
        ) {
            let walls = field();
            let mut way: Vec<Vec2> = Vec::new();
            for (x, y) in places {
                let place = vec2(x, y);
                if walls.is_free(place) && way.last().is_none_or(|&last| walls.edge_is_free(last, place)) {
                    way.push(place);
                }
            }
            let short = shorten(&walls, &way, &Shortening::default());
            prop_assert!(Polyline::length_of(&short) <= Polyline::length_of(&way) + 1e-4);
            prop_assert_eq!(short.first(), way.first());
            prop_assert_eq!(short.last(), way.last());
            for pair in short.windows(2) {
                prop_assert!(walls.edge_is_free(pair[0], pair[1]));
            }
        }
    }
}
