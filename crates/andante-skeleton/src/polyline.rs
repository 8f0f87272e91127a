//! A line of places to go along.

use glam::Vec2;

/// A polyline: places `(x, z)` joined by straight lines, with the distance along them.
///
/// ```
/// use andante_skeleton::Polyline;
/// use glam::vec2;
///
/// let path = Polyline::new(&[vec2(0.0, 0.0), vec2(0.0, 2.0), vec2(3.0, 2.0)]);
/// assert_eq!((path.length(), path.place(3.0)), (5.0, vec2(1.0, 2.0)));
/// assert!((path.closest(0.0..5.0, vec2(1.1, 2.3)) - 3.1).abs() < 0.1);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polyline {
    places: Vec<Vec2>,
    along: Vec<f32>,
}

impl Polyline {
    /// From place to place; neighbours that are the same count once.
    pub fn new(places: &[Vec2]) -> Self {
        let count = places.len().max(1);
        let mut line = Self { places: Vec::with_capacity(count), along: Vec::with_capacity(count) };
        line.lead_along(places);
        line
    }

    /// Through exactly these places.
    pub fn through(places: Vec<Vec2>) -> Self {
        let mut along = Vec::with_capacity(places.len());
        for index in 0..places.len() {
            let far = if index > 0 { places[index - 1].distance(places[index]) } else { 0.0 };
            along.push(along.last().map_or(0.0, |along| along + far));
        }
        Self { places, along }
    }

    /// From now on it leads elsewhere; nothing is allocated for a line that has no more places.
    pub fn lead_along(&mut self, places: &[Vec2]) {
        self.places.clear();
        self.along.clear();
        for &place in places {
            let far = self.places.last().map_or(f32::INFINITY, |last| last.distance(place));
            if far > 1e-4 {
                self.along.push(self.along.last().map_or(0.0, |along| along + far));
                self.places.push(place);
            }
        }
    }

    /// The curvature of the circle through three places in 1/m, positive when it turns left, and 0 for places on a line.
    pub fn curvature_through(before: Vec2, here: Vec2, after: Vec2) -> f32 {
        let (a, b, c) = (here - before, after - here, after - before);
        let product = a.length() * b.length() * c.length();
        // Heading grows from +Z towards +X: seen as (x, z), left turns are clockwise.
        let turned = 2.0 * b.perp_dot(a);
        if product > 1e-12 { turned / product } else { 0.0 }
    }

    /// Metres along a line through these places.
    pub fn length_of(places: &[Vec2]) -> f32 {
        places.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
    }

    /// Equidistant places along a line, at most `spacing` apart, both ends included; none for a line without length.
    pub fn resampled(places: &[Vec2], spacing: f32) -> Option<Vec<Vec2>> {
        let total = Self::length_of(places);
        if !(total.is_finite() && total > 1e-4) {
            return None;
        }
        let count = ((total / spacing).ceil() as usize).clamp(1, 1_000_000);
        let mut samples = Vec::with_capacity(count + 1);
        samples.push(places[0]);
        let (mut walked, mut corner) = (0.0, 0);
        for sample in 1..count {
            let wanted = total * sample as f32 / count as f32;
            let mut step = places[corner].distance(places[corner + 1]);
            while walked + step < wanted && corner + 2 < places.len() {
                walked += step;
                corner += 1;
                step = places[corner].distance(places[corner + 1]);
            }
            let part = if step > 0.0 { ((wanted - walked) / step).min(1.0) } else { 0.0 };
            samples.push(places[corner].lerp(places[corner + 1], part));
        }
        samples.push(places[places.len() - 1]);
        Some(samples)
    }

    /// Its corners.
    pub fn places(&self) -> &[Vec2] {
        &self.places
    }

    /// Its length in metres.
    pub fn length(&self) -> f32 {
        self.along.last().copied().unwrap_or(0.0)
    }

    /// The end of the line; the origin for a line of no places.
    pub fn end(&self) -> Vec2 {
        self.places.last().copied().unwrap_or_default()
    }

    /// The place after some metres, between its ends.
    pub fn place(&self, along: f32) -> Vec2 {
        self.lerp(along, 1.0)
    }

    /// The place after some metres; straight on beyond the end.
    pub fn extended(&self, along: f32) -> Vec2 {
        self.lerp(along, f32::INFINITY)
    }

    /// The same, looked for from a corner that may be near it.
    pub fn extended_near(&self, along: f32, corner: usize) -> Vec2 {
        self.between(self.corner(corner, |own| own < along), along, f32::INFINITY)
    }

    /// The number of the first corner that is this far along the line or farther, looked for from one that may be near it.
    pub fn corner_near(&self, along: f32, corner: usize) -> usize {
        self.corner(corner, |own| own < along)
    }

    /// How many corners are before some place. Those around a guess are looked at first: lines are long, and who goes along
    /// one asks for what is around them.
    fn corner(&self, guess: usize, is_before: impl Fn(f32) -> bool) -> usize {
        let mut corner = guess.min(self.along.len());
        // Beyond a few, halving is quicker.
        for _ in 0..16 {
            if corner < self.along.len() && is_before(self.along[corner]) {
                corner += 1;
            } else if corner > 0 && !is_before(self.along[corner - 1]) {
                corner -= 1;
            } else {
                return corner;
            }
        }
        self.along.partition_point(|&own| is_before(own))
    }

    fn lerp(&self, along: f32, most: f32) -> Vec2 {
        self.between(self.along.partition_point(|&own| own < along), along, most)
    }

    /// The place after some metres, which are up to a corner or to the end.
    fn between(&self, corner: usize, along: f32, most: f32) -> Vec2 {
        if self.places.len() < 2 {
            return self.end();
        }
        let index = corner.clamp(1, self.places.len() - 1);
        let (a, b) = (self.along[index - 1], self.along[index]);
        if b <= a {
            return self.places[index];
        }
        let part = ((along - a) / (b - a)).max(0.0).min(most);
        self.places[index - 1].lerp(self.places[index], part)
    }

    /// The direction of the line after some metres, from `around` before to `around` behind; +Z where it leads nowhere.
    pub fn direction(&self, along: f32, around: f32) -> Vec2 {
        let along = along.clamp(0.0, self.length());
        (self.place(along + around) - self.place(along - around)).normalize_or(Vec2::Y)
    }

    /// The same as a heading.
    pub fn heading(&self, along: f32, around: f32) -> f32 {
        let direction = self.direction(along, around);
        libm::atan2f(direction.x, direction.y)
    }

    /// The distance along the line of the closest place in a range of metres; the first if several are.
    pub fn closest(&self, range: std::ops::Range<f32>, place: Vec2) -> f32 {
        let first = self.along.partition_point(|&own| own <= range.start);
        self.closest_from(first, range, place)
    }

    /// The same, with the beginning of the range looked for from a corner that may be near it.
    pub fn closest_near(&self, range: std::ops::Range<f32>, place: Vec2, corner: usize) -> f32 {
        self.closest_from(self.corner(corner, |own| own <= range.start), range, place)
    }

    fn closest_from(&self, first: usize, range: std::ops::Range<f32>, place: Vec2) -> f32 {
        let end = range.end.min(self.length());
        let first = first.max(1);
        let mut best = (f32::INFINITY, range.start);
        let mut index = first;
        while index < self.places.len() && self.along[index - 1] <= end {
            let (from, to) = (self.along[index - 1], self.along[index]);
            let (a, b) = (self.places[index - 1], self.places[index]);
            let part = (place - a).dot(b - a) / (b - a).length_squared().max(1e-12);
            let low = from.max(range.start);
            let along = (from + part * (to - from)).clamp(low, to.min(end).max(low));
            let at = a.lerp(b, (along - from) / (to - from).max(1e-6));
            let distance = at.distance_squared(place);
            if distance < best.0 - 1e-9 {
                best = (distance, along);
            }
            // Nothing is nearer before the line is as much longer as it is farther away here.
            let skipped = to + 0.999 * (b.distance(place) - best.0.sqrt());
            index += 1;
            while index < self.places.len() && self.along[index] < skipped {
                index += 1;
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec2;
    use proptest::prelude::*;

    #[test]
    fn a_way_round_a_corner_is_as_long_as_both_its_sides() {
        let corners = [vec2(0.0, 0.0), vec2(0.0, 2.0), vec2(0.0, 2.0), vec2(3.0, 2.0)];
        let way = Polyline::new(&corners);
        assert_eq!((way.length(), Polyline::length_of(&corners)), (5.0, 5.0));
        assert_eq!(way.places().len(), 3);
        for way in [way, Polyline::through(corners.to_vec())] {
            assert_eq!(way.place(3.0), vec2(1.0, 2.0));
            assert_eq!(way.place(2.0), vec2(0.0, 2.0));
            assert_eq!((way.place(9.0), way.extended(6.0)), (way.end(), vec2(4.0, 2.0)));
            assert!(way.direction(5.0, 0.1).abs_diff_eq(Vec2::X, 1e-5));
            assert!((way.closest(1.0..4.0, vec2(1.1, 2.3)) - 3.1).abs() < 0.1);
            assert!(way.closest(3.0..5.0, vec2(0.0, 0.0)) >= 3.0, "never back");
        }
    }

    #[test]
    fn a_line_of_no_places_is_at_the_origin() {
        let way = Polyline::default();
        assert_eq!((way.length(), way.end(), way.place(1.0)), (0.0, Vec2::ZERO, Vec2::ZERO));
        assert_eq!((way.direction(0.0, 0.1), way.closest(0.0..2.0, Vec2::ONE)), (Vec2::Y, 0.0));
        assert_eq!(Polyline::resampled(&[Vec2::ONE, Vec2::ONE], 0.1), None);
    }

    #[test]
    fn samples_are_equally_far_apart() {
        let corners = [vec2(0.0, 0.0), vec2(0.0, 2.0), vec2(3.0, 2.0)];
        let samples = Polyline::resampled(&corners, 0.3).unwrap();
        assert_eq!(samples.len(), 18);
        assert_eq!((samples[0], samples[17]), (corners[0], corners[2]));
    }

    proptest! {
        #[test]
        fn what_is_looked_for_from_any_corner_is_the_same(
            corners in prop::collection::vec((-5f32..5.0, -5f32..5.0), 0..60),
            at in (-6f32..6.0, -6f32..6.0), along in -2f32..200.0, long in 0.1f32..30.0, guess in 0usize..70,
        ) {
            let line = Polyline::new(&corners.into_iter().map(Vec2::from).collect::<Vec<_>>());
            prop_assert_eq!(line.extended_near(along, guess), line.extended(along));
            let (place, range) = (Vec2::from(at), along..along + long);
            prop_assert_eq!(line.closest_near(range.clone(), place, guess), line.closest(range, place));
            let before = line.along.iter().filter(|&&own| own < along).count();
            prop_assert_eq!(line.corner_near(along, guess), before);
        }

        #[test]
        fn no_place_of_the_range_is_closer(
            corners in prop::collection::vec((-5f32..5.0, -5f32..5.0), 2..40),
            at in (-6f32..6.0, -6f32..6.0), start in 0f32..20.0, long in 0.1f32..30.0,
        ) {
            let line = Polyline::new(&corners.into_iter().map(Vec2::from).collect::<Vec<_>>());
            let (place, range) = (Vec2::from(at), start..start + long);
            let found = line.closest(range.clone(), place);
            let end = range.end.min(line.length()).max(range.start);
            prop_assert!((range.start..=end).contains(&found));
            let far = |along: f32| line.place(along).distance(place);
            for step in 0..=200 {
                let along = range.start + (end - range.start) * step as f32 / 200.0;
                prop_assert!(far(found) <= far(along) + 1e-3, "{} at {found}, {} at {along}", far(found), far(along));
            }
        }

        #[test]
        fn curvature_is_one_over_the_radius_and_positive_to_the_left(
            radius in 0.3f32..50.0, left in any::<bool>(), step in 0.02f32..0.5, turn in -3.0f32..3.0,
        ) {
            // Facing +Z, a left turn leads towards +X.
            let side = if left { 1.0 } else { -1.0 };
            let at = |angle: f32| {
                let on_circle = Vec2::new(side * radius * (1.0 - angle.cos()), radius * angle.sin());
                Vec2::from_angle(turn).rotate(on_circle)
            };
            let found = Polyline::curvature_through(at(-step), at(0.0), at(step));
            prop_assert!((found * radius - side).abs() < 0.02, "{} against {}", found, side / radius);
        }
    }

    #[test]
    fn points_on_a_line_or_in_one_place_have_no_curvature() {
        assert_eq!(Polyline::curvature_through(Vec2::ZERO, Vec2::X, Vec2::X * 2.0), 0.0);
        assert_eq!(Polyline::curvature_through(Vec2::ONE, Vec2::ONE, Vec2::ONE), 0.0);
    }
}
