//! Curves between values and rates.

use andante_skeleton::rotation;
use glam::{Quat, Vec3};

/// The cubic with given values and slopes at both ends of `length`, at `t` from its start.
pub(super) fn hermite(
    (from, from_slope): (Vec3, Vec3),
    (to, to_slope): (Vec3, Vec3),
    length: f32,
    t: f32,
) -> Vec3 {
    let u = (t / length).clamp(0.0, 1.0);
    let (u2, u3) = (u * u, u * u * u);
    from * (2.0 * u3 - 3.0 * u2 + 1.0)
        + from_slope * (length * (u3 - 2.0 * u2 + u))
        + to * (3.0 * u2 - 2.0 * u3)
        + to_slope * (length * (u3 - u2))
}

/// The rotation between two, `u` of the way from `a` to `b` along the shortest arc, and beyond them
/// for other `u`: `a · exp(u · log(a⁻¹ b))`.
pub(super) fn along_arc(a: Quat, b: Quat, u: f32) -> Quat {
    (a * rotation::exp(rotation::log(a.conjugate() * b) * u)).normalize()
}

/// The rate of a rotation vector c at which `exp(c)` turns at `velocity` (both in the turning
/// frame): the inverse of the right Jacobian of SO(3), in closed form as in G. S. Chirikjian,
/// "Stochastic Models, Information Theory, and Lie Groups", volume 2, section 10.6.
pub(super) fn rotation_vector_rate(c: Vec3, velocity: Vec3) -> Vec3 {
    let angle = c.length();
    let across = c.cross(velocity);
    let second = if angle < 1e-2 {
        // 1/θ² − (1 + cos θ)/(2 θ sin θ) = 1/12 + θ²/720 + …
        1.0 / 12.0 + angle * angle / 720.0
    } else {
        // The same by half angles, which stays finite at π.
        (1.0 - 0.5 * angle / libm::tanf(0.5 * angle)) / (angle * angle)
    };
    velocity + across * 0.5 + c.cross(across) * second
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector(size: f32) -> impl Strategy<Value = Vec3> {
        (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    proptest! {
        #[test]
        fn rates_of_rotation_vectors_agree_with_finite_differences(c in vector(1.5), velocity in vector(2.0)) {
            let step = 1e-3;
            let rate = rotation_vector_rate(c, velocity);
            let before = rotation::exp(c - rate * step);
            let after = rotation::exp(c + rate * step);
            let measured = rotation::log(before.conjugate() * after) / (2.0 * step);
            prop_assert!(measured.abs_diff_eq(velocity, 5e-3), "{measured} {velocity}");
        }

        #[test]
        fn the_cubic_has_the_values_and_slopes_it_was_given(
            from in vector(1.0), to in vector(1.0), slope in vector(1.0), other in vector(1.0),
        ) {
            let at = |t: f32| hermite((from, slope), (to, other), 0.5, t);
            prop_assert!(at(0.0).abs_diff_eq(from, 1e-6) && at(0.5).abs_diff_eq(to, 1e-6));
            let step = 1e-2;
            prop_assert!(((at(step) - at(0.0)) / step).abs_diff_eq(slope, 0.3));
            prop_assert!(((at(0.5) - at(0.5 - step)) / step).abs_diff_eq(other, 0.3));
        }
    }
}
