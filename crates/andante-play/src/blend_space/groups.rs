//! Turning and speed along a path (footstep-planning 3.6).

use super::{BlendSpace1, BlendSpaceError};

/// How many gait cycles a change of speed takes: the σ of [`speed_profile`].
pub const SPEED_CYCLES: f32 = 2.0;

/// Clips that turn, by the curvature of the way they go: wide and narrow bends to both sides and
/// straight ahead.
///
/// The source prints the two weights exchanged; the weight of the clip above is
/// (τ − τ_a)/(τ_b − τ_a).
#[derive(Clone, Debug, PartialEq)]
pub struct TurningGroup {
    space: BlendSpace1,
}

impl TurningGroup {
    /// One curvature per clip in 1/m, positive to the left, in any order.
    pub fn new(curvatures: &[f32]) -> Result<Self, BlendSpaceError> {
        Ok(Self { space: BlendSpace1::new(curvatures)? })
    }

    /// Writes one weight per clip: linear between neighbours, the nearest clip outside. A curvature
    /// that is not a number leaves the weights as they were and is answered by `None`; otherwise the
    /// answer is the curvature that the weights stand for.
    ///
    /// # Panics
    /// If there are fewer weights than clips.
    pub fn turning_weights(&self, curvature: f32, weights: &mut [f32]) -> Option<f32> {
        self.space.weights(curvature, weights)
    }
}

/// The curvature of the circle through three points of a path in 1/m, positive when it turns left,
/// and 0 for points on a line. Positions are (x, z), as in
/// [`Planar`](andante_skeleton::Planar).
pub fn curvature_through(before: glam::Vec2, here: glam::Vec2, after: glam::Vec2) -> f32 {
    let (a, b, c) = (here - before, after - here, after - before);
    let product = a.length() * b.length() * c.length();
    // Heading grows from +Z towards +X: seen as (x, z), left turns are clockwise.
    let turned = 2.0 * b.perp_dot(a);
    if product > 1e-12 { turned / product } else { 0.0 }
}

/// The speed parameter between two moments where it is known: 0 walks, 1 runs.
///
/// `s1` is known `d1` gait cycles ago and `s2` `d2` cycles ahead. Where both are near, one goes over
/// into the other; where they are far, both come to a walk within [`SPEED_CYCLES`].
pub fn speed_profile(s1: f32, d1: f32, s2: f32, d2: f32) -> f32 {
    let sigma = SPEED_CYCLES;
    let (d1, d2) = (d1.max(0.0), d2.max(0.0));
    if d1 + d2 < 2.0 * sigma * (s1 + s2) {
        return if d1 + d2 > 0.0 { (s1 * d2 + s2 * d1) / (d1 + d2) } else { 0.5 * (s1 + s2) };
    }
    let leaving = s1 * (sigma - d1) / sigma;
    let arriving = s2 * (sigma - d2) / sigma;
    leaving.max(arriving).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;
    use proptest::prelude::*;

    #[test]
    fn a_bend_between_two_clips_is_made_of_both_and_a_sharper_one_of_the_sharpest() {
        // Left, wide left, ahead, wide right, right.
        let group = TurningGroup::new(&[1.0, 0.4, 0.0, -0.4, -1.0]).unwrap();
        let mut weights = [0.0; 5];
        group.turning_weights(0.1, &mut weights);
        assert!((weights[1] - 0.25).abs() < 1e-6 && (weights[2] - 0.75).abs() < 1e-6);
        assert_eq!(group.turning_weights(-7.0, &mut weights), Some(-1.0));
        assert_eq!(weights, [0.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(group.turning_weights(f32::NAN, &mut weights), None);
    }

    proptest! {
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
            let found = curvature_through(at(-step), at(0.0), at(step));
            prop_assert!((found * radius - side).abs() < 0.02, "{} against {}", found, side / radius);
        }

        #[test]
        fn speed_stays_between_its_ends_and_meets_them(
            s1 in 0.0f32..=1.0, s2 in 0.0f32..=1.0, gap in 0.01f32..20.0, part in 0.0f32..=1.0,
        ) {
            let s = speed_profile(s1, gap * part, s2, gap * (1.0 - part));
            prop_assert!((-1e-6..=s1.max(s2) + 1e-6).contains(&s));
            if gap < 4.0 * (s1 + s2) || gap > 2.0 {
                prop_assert!((speed_profile(s1, 0.0, s2, gap) - s1).abs() < 1e-5);
                prop_assert!((speed_profile(s1, gap, s2, 0.0) - s2).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn between_two_far_runs_is_a_walk_and_between_near_ones_a_run() {
        assert_eq!(speed_profile(1.0, 10.0, 1.0, 10.0), 0.0);
        assert_eq!(speed_profile(1.0, 3.0, 1.0, 3.0), 1.0);
        assert_eq!(speed_profile(1.0, 1.0, 0.0, 9.0), 0.5);
        assert_eq!(speed_profile(0.0, 0.0, 0.0, 0.0), 0.0);
        assert_eq!(speed_profile(1.0, 0.0, 0.5, 0.0), 0.75);
    }

    #[test]
    fn points_on_a_line_or_in_one_place_have_no_curvature() {
        assert_eq!(curvature_through(Vec2::ZERO, Vec2::X, Vec2::X * 2.0), 0.0);
        assert_eq!(curvature_through(Vec2::ONE, Vec2::ONE, Vec2::ONE), 0.0);
    }
}
