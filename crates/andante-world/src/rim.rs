//! The rim of a platform, sorted so that a place is compared with few of its edges.

use glam::Vec2;

/// The edges of an outline in rows across z.
#[derive(Clone, Debug)]
pub(crate) struct Rim {
    low: f32,
    rows_per_metre: f32,
    /// Where the edges of each row begin.
    starts: Vec<u32>,
    edges: Vec<[Vec2; 2]>,
}

impl Rim {
    /// None where it would save nothing.
    pub fn new(outline: &[Vec2]) -> Option<Self> {
        let (low, high) = outline
            .iter()
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), at| (l.min(at.y), h.max(at.y)));
        let is_finite = outline.iter().all(|corner| corner.is_finite());
        // Few corners are looked at edge by edge.
        if outline.len() <= 8 || !is_finite || high - low < 1e-3 {
            return None;
        }
        let rows = outline.len();
        let rows_per_metre = rows as f32 / (high - low);
        let mut rim = Self { low, rows_per_metre, starts: vec![0; rows + 1], edges: Vec::new() };
        let before = outline.last().into_iter().chain(outline);
        let edges: Vec<[Vec2; 2]> = before.zip(outline).map(|(&a, &b)| [a, b]).collect();
        let mut sorted = vec![Vec::new(); rows];
        for edge in edges {
            let [first, last] = [edge[0].y.min(edge[1].y), edge[0].y.max(edge[1].y)];
            for row in &mut sorted[rim.row(first)..=rim.row(last)] {
                row.push(edge);
            }
        }
        for (row, edges) in sorted.into_iter().enumerate() {
            rim.edges.extend(edges);
            rim.starts[row + 1] = rim.edges.len() as u32;
        }
        Some(rim)
    }

    /// Rises with z: whatever crosses a height is in its row.
    fn row(&self, z: f32) -> usize {
        let last = self.starts.len() - 2;
        (((z - self.low) * self.rows_per_metre) as usize).min(last)
    }

    /// True if a place is within the outline.
    pub fn contains(&self, place: Vec2) -> bool {
        let row = self.row(place.y);
        let [from, to] = [row, row + 1].map(|row| self.starts[row] as usize);
        self.edges[from..to]
            .iter()
            .fold(false, |is_inside, [a, b]| is_inside ^ is_left_of(place, *a, *b))
    }
}

/// True if an edge lies to the right of a place, on its height.
#[inline]
pub(crate) fn is_left_of(place: Vec2, a: Vec2, b: Vec2) -> bool {
    (a.y > place.y) != (b.y > place.y)
        && place.x < a.x + (b.x - a.x) * (place.y - a.y) / (b.y - a.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Platform;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_place_is_within_a_rim_exactly_if_it_is_on_the_platform(
            corners in proptest::collection::vec((-4.0f32..4.0, -4.0f32..4.0), 9..40),
            places in proptest::collection::vec((-5.0f32..5.0, -5.0f32..5.0), 60),
        ) {
            let outline: Vec<Vec2> = corners.into_iter().map(Vec2::from).collect();
            let rim = Rim::new(&outline).unwrap();
            let platform = Platform::level("any", outline.clone(), 0.0);
            // At the height of corners, too.
            let level = outline.iter().map(|corner| Vec2::new(0.3, corner.y));
            for place in places.into_iter().map(Vec2::from).chain(level) {
                prop_assert_eq!(rim.contains(place), platform.contains(place));
            }
            for odd in [Vec2::NAN, Vec2::INFINITY, Vec2::NEG_INFINITY] {
                prop_assert_eq!(rim.contains(odd), platform.contains(odd));
            }
        }
    }

    #[test]
    fn few_corners_and_what_has_no_depth_are_not_sorted() {
        assert!(Rim::new(&[Vec2::ZERO, Vec2::X, Vec2::Y]).is_none());
        let line: Vec<Vec2> = (0..20).map(|x| Vec2::new(x as f32, 1.0)).collect();
        assert!(Rim::new(&line).is_none());
        let mut odd: Vec<Vec2> = (0..20).map(|x| Vec2::new(x as f32, (x * x) as f32)).collect();
        odd[3] = Vec2::NAN;
        assert!(Rim::new(&odd).is_none());
    }
}
