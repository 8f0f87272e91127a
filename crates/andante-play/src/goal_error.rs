//! How far from its goal a motion has ended.

use andante_skeleton::rotation::wrap_angle;
use andante_skeleton::{Ground, Planar};
use glam::Vec3;

/// Goal error: metres in three dimensions, from the ground that is stood on to that of the goal, and degrees.
///
/// `hips` is how high the hips are at the `end`: the ground below them is what is stood on, whatever lies above or below
/// it. A goal without a height is met on any level.
pub fn goal_error(
    end: Planar,
    hips: f32,
    goal: (Planar, Option<f32>),
    ground: &dyn Ground,
) -> (f32, f32) {
    let (place, height) = goal;
    let from = Vec3::new(end.position.x, hips, end.position.y);
    let level = ground.probe(from, f32::INFINITY).map(|hit| hit.point.y);
    let above = level.zip(height).map_or(0.0, |(level, height)| level - height);
    let far = libm::hypotf(end.position.distance(place.position), above);
    (far, wrap_angle(end.heading - place.heading).abs().to_degrees())
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::HeightFunction;
    use glam::Vec2;

    #[test]
    fn a_goal_on_another_storey_is_missed_by_its_height_as_well() {
        let level = HeightFunction::new(|_| 0.5);
        let end = Planar { position: Vec2::new(3.0, 0.0), heading: 0.5 };
        let goal = |height| (Planar { position: Vec2::ZERO, heading: 0.0 }, height);
        let (flat, turned) = goal_error(end, 1.4, goal(None), &level);
        assert!((flat - 3.0).abs() < 1e-6 && (turned - 0.5f32.to_degrees()).abs() < 1e-4);
        let (high, _) = goal_error(end, 1.4, goal(Some(4.5)), &level);
        assert!((high - 5.0).abs() < 1e-6, "{high}");
    }
}
