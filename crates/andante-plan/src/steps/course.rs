//! A way as a smooth curve by length.

use andante_skeleton::{Planar, Polyline, rotation};
use glam::Vec2;

/// Distance between samples in metres.
pub(super) const SPACING: f32 = 0.05;

/// Corners are rounded over about this length, in metres.
const ROUNDING: f32 = 0.25;

/// Places at equal distances, with the direction the body faces there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SampledCourse {
    pub places: Vec<Vec2>,
    /// Not wrapped.
    pub headings: Vec<f32>,
    /// Distance between the places.
    pub spacing: f32,
}

impl SampledCourse {
    /// The curve along a polygon, its corners rounded; ends stay. `None` for a way without length.
    pub fn along(polygon: &[Vec2]) -> Option<Self> {
        let places = Polyline::resampled(polygon, SPACING)?;
        // What smoothing takes away is put on first: otherwise every bend would be cut a little.
        let smoothed = smooth(&places);
        let sharper: Vec<Vec2> =
            places.iter().zip(&smoothed).map(|(own, s)| 2.0 * own - s).collect();
        let places = smooth(&sharper);
        // Smoothing shortens corners: places are no longer equally far apart.
        Self::through(&places)
    }

    /// The curve along places that are smooth already.
    pub fn through(places: &[Vec2]) -> Option<Self> {
        let places = Polyline::resampled(places, SPACING)?;
        let mut headings: Vec<f32> = Vec::with_capacity(places.len());
        for index in 0..places.len() {
            let (a, b) = (index.saturating_sub(1), (index + 1).min(places.len() - 1));
            let along = places[b] - places[a];
            let heading = libm::atan2f(along.x, along.y);
            let before = headings.last().copied().unwrap_or(heading);
            headings.push(before + rotation::wrap_angle(heading - before));
        }
        let spacing = Polyline::length_of(&places) / (places.len() - 1) as f32;
        Some(Self { places, headings, spacing })
    }

    /// A straight way on which the body turns from one heading to another, whatever its direction.
    pub fn sidling(from: Planar, to: Planar) -> Self {
        let steps = (from.position.distance(to.position) / SPACING).ceil().max(1.0);
        let turn = rotation::wrap_angle(to.heading - from.heading);
        let part = |step: usize| step as f32 / steps;
        let count = steps as usize;
        Self {
            places: (0..=count).map(|k| from.position.lerp(to.position, part(k))).collect(),
            headings: (0..=count)
                .map(|k| from.heading + turn * andante_skeleton::ease(part(k)))
                .collect(),
            spacing: from.position.distance(to.position) / steps,
        }
    }

    pub fn length(&self) -> f32 {
        self.spacing * (self.places.len() - 1) as f32
    }

    /// The place of the body after a way, and its heading. Beyond the ends it goes straight on.
    pub fn at(&self, way: f32) -> Planar {
        let last = self.places.len() - 1;
        let at = if self.spacing > 0.0 { way / self.spacing } else { 0.0 };
        let index = (at.max(0.0) as usize).min(last - 1);
        let t = at - index as f32;
        if !(0.0..=1.0).contains(&t) {
            let place = self.places[index].lerp(self.places[index + 1], t);
            return Planar::new(place, self.headings[if t < 0.0 { 0 } else { last }]);
        }
        // A cubic through the samples, so that speed does not change direction at each of them.
        let (tt, ttt) = (t * t, t * t * t);
        let weights = [
            -0.5 * ttt + tt - 0.5 * t,
            1.5 * ttt - 2.5 * tt + 1.0,
            -1.5 * ttt + 2.0 * tt + 0.5 * t,
            0.5 * ttt - 0.5 * tt,
        ];
        let around = [index as isize - 1, index as isize, index as isize + 1, index as isize + 2];
        let (mut place, mut heading) = (Vec2::ZERO, 0.0);
        for (k, weight) in around.into_iter().zip(weights) {
            let (at, turned) = self.sample(k);
            place += at * weight;
            heading += turned * weight;
        }
        Planar::new(place, heading)
    }

    /// A sample, or what it would be beyond the ends.
    fn sample(&self, index: isize) -> (Vec2, f32) {
        let last = self.places.len() as isize - 1;
        let end = index.clamp(0, last);
        let inner = (2 * end - index).clamp(0, last);
        let (at, other) = (end as usize, inner as usize);
        if index == end {
            return (self.places[at], self.headings[at]);
        }
        (2.0 * self.places[at] - self.places[other], 2.0 * self.headings[at] - self.headings[other])
    }

    /// Turn per metre at each sample, smoothed over about half a metre.
    pub fn curvatures(&self) -> Vec<f32> {
        let last = self.places.len() - 1;
        let reach = (0.25 / self.spacing.max(1e-3)).ceil().max(1.0) as usize;
        (0..=last)
            .map(|index| {
                let (a, b) = (index.saturating_sub(reach), (index + reach).min(last));
                (self.headings[b] - self.headings[a]) / ((b - a) as f32 * self.spacing).max(1e-3)
            })
            .collect()
    }

    /// Faces another way at an end: the difference is taken in over a length.
    pub fn face(&mut self, heading: f32, at_start: bool, over: f32) {
        let last = self.places.len() - 1;
        let own = self.headings[if at_start { 0 } else { last }];
        let turn = rotation::wrap_angle(heading - own);
        let over = over.min(0.9 * self.length()).max(1e-3);
        for index in 0..=last {
            let way = if at_start { index } else { last - index } as f32 * self.spacing;
            self.headings[index] += turn * (1.0 - andante_skeleton::ease(way / over));
        }
    }
}

/// The course of a body along a way, whose corners it rounds; empty if the way has no length.
pub fn rounded(way: &[Vec2]) -> Vec<Vec2> {
    SampledCourse::along(way).map_or_else(Vec::new, |course| course.places)
}

/// Binomial smoothing; beyond its ends the way is thought to go on point-symmetrically, so that
/// they stay and straight lines do too.
fn smooth(places: &[Vec2]) -> Vec<Vec2> {
    let rounds = (ROUNDING / SPACING).powi(2).round() as usize;
    let mut places = places.to_vec();
    let mut next = places.clone();
    let last = places.len() as isize - 1;
    for _ in 0..rounds {
        let get = |index: isize| {
            if index < 0 {
                2.0 * places[0] - places[(-index).min(last) as usize]
            } else if index > last {
                2.0 * places[last as usize] - places[(2 * last - index).max(0) as usize]
            } else {
                places[index as usize]
            }
        };
        for index in 0..=last {
            let sum = get(index - 2)
                + get(index + 2)
                + 4.0 * (get(index - 1) + get(index + 1))
                + 6.0 * get(index);
            next[index as usize] = sum / 16.0;
        }
        std::mem::swap(&mut places, &mut next);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec2;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ends_stay_and_straight_ways_too(x in -9.0f32..9.0, z in -9.0f32..9.0, length in 0.2f32..20.0, turn in 0.0f32..6.3) {
            let (a, b) = (vec2(x, z), vec2(x, z) + length * Vec2::from_angle(turn));
            let course = SampledCourse::along(&[a, b]).unwrap();
            prop_assert!((course.length() - length).abs() < 1e-3);
            prop_assert!(course.at(0.0).position.abs_diff_eq(a, 1e-4));
            prop_assert!(course.at(length).position.abs_diff_eq(b, 1e-3));
            prop_assert!(course.at(0.3 * length).position.abs_diff_eq(a.lerp(b, 0.3), 1e-3));
            prop_assert!(course.curvatures().iter().all(|c| c.abs() < 1e-2));
        }
    }

    #[test]
    fn a_corner_is_rounded_within_a_hand() {
        let corner = vec2(0.0, 3.0);
        let course = SampledCourse::along(&[Vec2::ZERO, corner, vec2(3.0, 3.0)]).unwrap();
        let nearest = course.places.iter().map(|p| p.distance(corner)).fold(9.0, f32::min);
        assert!((0.03..0.25).contains(&nearest), "{nearest}");
        let sharpest = course.curvatures().into_iter().fold(0.0, f32::max);
        assert!((1.0..4.0).contains(&sharpest), "{sharpest}");
    }

    #[test]
    fn a_way_without_length_is_none() {
        assert_eq!(SampledCourse::along(&[]), None);
        assert_eq!(SampledCourse::along(&[Vec2::ONE]), None);
        assert_eq!(SampledCourse::along(&[Vec2::ONE, Vec2::ONE]), None);
    }
}
