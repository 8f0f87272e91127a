//! Ground given by a formula.

use crate::{Ground, Hit};
use glam::{Vec2, Vec3};

/// Step of the central differences that give the slope, in metres.
const SLOPE_STEP: f32 = 0.005;

/// A surface whose height is a function of the place in the horizontal plane, `(x, z)`.
///
/// ```
/// use andante_skeleton::{Ground, HeightFunction};
/// use glam::Vec3;
///
/// let ramp = HeightFunction::new(|place| 0.5 * place.y);
/// let hit = ramp.probe(Vec3::new(0.0, 3.0, 2.0), 5.0).expect("the ramp is everywhere");
/// assert_eq!(hit.point, Vec3::new(0.0, 1.0, 2.0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct HeightFunction<F> {
    height: F,
}

impl<F: Fn(Vec2) -> f32 + Send + Sync> HeightFunction<F> {
    /// Ground at `height((x, z))`. Where the function is not finite, there is none.
    pub fn new(height: F) -> Self {
        Self { height }
    }

    /// The slope at a place, along x and z, by central differences.
    pub fn gradient(&self, place: Vec2) -> Vec2 {
        let along = |step: Vec2| {
            ((self.height)(place + step) - (self.height)(place - step)) / (2.0 * SLOPE_STEP)
        };
        Vec2::new(along(Vec2::X * SLOPE_STEP), along(Vec2::Y * SLOPE_STEP))
    }
}

impl<F: Fn(Vec2) -> f32 + Send + Sync> Ground for HeightFunction<F> {
    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
        let place = Vec2::new(from.x, from.z);
        let height = self.height_below(from, depth)?;
        let slope = self.gradient(place);
        let normal = Vec3::new(-slope.x, 1.0, -slope.y);
        let normal = if normal.is_finite() { normal.normalize() } else { Vec3::Y };
        Some(Hit { point: Vec3::new(from.x, height, from.z), normal })
    }

    fn height_below(&self, from: Vec3, depth: f32) -> Option<f32> {
        let height = (self.height)(Vec2::new(from.x, from.z));
        // Also false for what is not a number.
        let met = height.is_finite() && height <= from.y && height >= from.y - depth;
        met.then_some(height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_height_that_is_not_a_number_is_a_hole() {
        for height in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(HeightFunction::new(move |_| height).probe(Vec3::Y, f32::INFINITY), None);
        }
    }

    #[test]
    fn ground_above_or_too_far_below_is_not_met() {
        let floor = HeightFunction::new(|_| 1.0);
        assert_eq!(floor.probe(Vec3::ZERO, 5.0), None);
        assert_eq!(floor.probe(Vec3::Y * 3.0, 1.5), None);
        assert!(floor.probe(Vec3::Y * 3.0, 2.0).is_some());
    }

    #[test]
    fn the_normal_leans_away_from_the_slope() {
        let ramp = HeightFunction::new(|place| 0.5 * place.y - 0.25 * place.x);
        let hit = ramp.probe(Vec3::new(0.0, 9.0, 0.0), 20.0).expect("ground everywhere");
        assert!(hit.normal.abs_diff_eq(Vec3::new(0.25, 1.0, -0.5).normalize(), 1e-4));
    }
}
