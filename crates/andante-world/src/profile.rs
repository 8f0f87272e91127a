//! The ground under a path.

use crate::Ground;
use glam::{Vec2, Vec3};

/// Heights of the ground along a path, for drawing.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Profile {
    /// Distance along the path and height; `None` over a hole.
    pub samples: Vec<(f32, Option<f32>)>,
}

impl Profile {
    /// Asks the ground below a path of places `(x, z)` every `step` metres or less, and at each of the places,
    /// from height `above` downwards.
    ///
    /// At most a million samples: steps of a longer path grow.
    pub fn sample(ground: &dyn Ground, path: &[Vec2], step: f32, above: f32) -> Self {
        const MOST: f32 = 1e6;
        let length: f32 = path.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let step = if step > 0.0 { step.max(length / MOST) } else { length / MOST };
        let below = |place: Vec2| {
            let hit = ground.probe(Vec3::new(place.x, above, place.y), f32::INFINITY);
            hit.map(|hit| hit.point.y)
        };
        let mut samples = Vec::new();
        if !length.is_finite() {
            return Self { samples };
        }
        samples.extend(path.first().map(|&first| (0.0, below(first))));
        let mut walked = 0.0;
        for pair in path.windows(2) {
            let along = pair[1] - pair[0];
            let length = along.length();
            let pieces = (length / step).ceil().max(1.0) as usize;
            for piece in 1..=pieces {
                let part = piece as f32 / pieces as f32;
                samples.push((walked + part * length, below(pair[0] + part * along)));
            }
            walked += length;
        }
        Self { samples }
    }

    /// The pieces between holes, each a line of distance and height.
    pub fn lines(&self) -> Vec<Vec<Vec2>> {
        let solid = |pair: &[(f32, Option<f32>)]| {
            pair.iter().filter_map(|&(s, height)| Some(Vec2::new(s, height?))).collect()
        };
        let lines = self.samples.split(|(_, height)| height.is_none()).map(solid);
        lines.filter(|line: &Vec<Vec2>| !line.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HeightFunction;

    #[test]
    fn distances_run_along_the_path_and_holes_divide_it() {
        let ground = HeightFunction::new(|place| if place.y > 2.0 { f32::NAN } else { place.x });
        let path = [Vec2::ZERO, Vec2::new(3.0, 0.0), Vec2::new(3.0, 4.0), Vec2::new(5.0, 0.0)];
        let profile = Profile::sample(&ground, &path, 0.5, 10.0);
        assert_eq!(profile.samples[0], (0.0, Some(0.0)));
        assert_eq!(profile.samples[6], (3.0, Some(3.0)));
        let lines = profile.lines();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].last(), Some(&Vec2::new(5.0, 3.0)));
    }

    #[test]
    fn odd_paths_give_short_profiles() {
        let ground = HeightFunction::new(|_| 0.0);
        let sample = |path: &[Vec2], step| Profile::sample(&ground, path, step, 1.0).samples.len();
        assert_eq!(sample(&[], 0.1), 0);
        assert_eq!(sample(&[Vec2::ONE], 0.1), 1);
        assert_eq!(sample(&[Vec2::ZERO, Vec2::NAN], 0.1), 0);
        assert!(sample(&[Vec2::ZERO, Vec2::X], 0.0) <= 1_000_002);
        assert!(sample(&[Vec2::ZERO, Vec2::X * 1e9], 1e-9) <= 1_000_002);
    }
}
