//! A line of places to go along.

use glam::Vec2;

/// Places joined by straight lines, with the distance along them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Polyline {
    places: Vec<Vec2>,
    along: Vec<f32>,
}

impl Polyline {
    /// From place to place; those that are the same count once.
    pub fn new(places: &[Vec2]) -> Self {
        let mut way = Self { places: Vec::new(), along: Vec::new() };
        for &place in places {
            let far = way.places.last().map_or(f32::INFINITY, |last| last.distance(place));
            if far > 1e-4 {
                way.along.push(way.along.last().map_or(0.0, |along| along + far));
                way.places.push(place);
            }
        }
        way
    }

    pub fn length(&self) -> f32 {
        self.along.last().copied().unwrap_or(0.0)
    }

    pub fn end(&self) -> Vec2 {
        self.places.last().copied().unwrap_or_default()
    }

    /// The place after some metres, between its ends.
    pub fn place(&self, along: f32) -> Vec2 {
        if self.places.len() < 2 {
            return self.end();
        }
        let index = self.along.partition_point(|&own| own < along).clamp(1, self.places.len() - 1);
        let (a, b) = (self.along[index - 1], self.along[index]);
        self.places[index - 1].lerp(self.places[index], ((along - a) / (b - a)).clamp(0.0, 1.0))
    }

    /// Which way it leads after some metres.
    pub fn direction(&self, along: f32) -> Vec2 {
        let along = along.clamp(0.0, self.length());
        (self.place(along + 0.1) - self.place(along - 0.1)).normalize_or(Vec2::Y)
    }

    /// The same as a heading.
    pub fn heading(&self, along: f32) -> f32 {
        let direction = self.direction(along);
        direction.x.atan2(direction.y)
    }

    /// How far along the nearest place is, looking some metres ahead and never back.
    pub fn follow(&self, at: f32, place: Vec2, ahead: f32) -> f32 {
        const STEPS: usize = 40;
        let end = (at + ahead).min(self.length());
        let along = |step: usize| at + (end - at) * step as f32 / STEPS as f32;
        let far = |along: &f32| self.place(*along).distance_squared(place);
        (0..=STEPS).map(along).min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec2;

    #[test]
    fn a_way_round_a_corner_is_as_long_as_both_its_sides() {
        let way = Polyline::new(&[vec2(0.0, 0.0), vec2(0.0, 2.0), vec2(0.0, 2.0), vec2(3.0, 2.0)]);
        assert_eq!(way.length(), 5.0);
        assert_eq!(way.place(3.0), vec2(1.0, 2.0));
        assert_eq!(way.place(9.0), way.end());
        assert!((way.heading(5.0) - std::f32::consts::FRAC_PI_2).abs() < 1e-5);
        assert!((way.follow(1.0, vec2(1.1, 2.3), 3.0) - 3.1).abs() < 0.1);
        assert!(way.follow(3.0, vec2(0.0, 0.0), 2.0) >= 3.0, "never back");
    }
}
