//! Helpers for unit quaternions: logarithm and exponential, hemispheres, heading.

use glam::{Quat, Vec3};

/// The one of `q` and `-q`, the same rotation, that lies on the hemisphere of `reference`.
#[inline]
pub fn nearest_sign(q: Quat, reference: Quat) -> Quat {
    if q.dot(reference) < 0.0 { -q } else { q }
}

/// The rotation vector of a unit quaternion: axis times angle, angle in [0, π].
///
/// The inverse of [`exp`]. Small angles use the series of `2·asin(|v|)/|v|`, so that nothing is
/// divided by zero.
#[inline]
pub fn log(q: Quat) -> Vec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let vector = Vec3::new(q.x, q.y, q.z);
    let sine = vector.length();
    if sine < 1e-4 {
        // angle / sine = 2 + sine²/3 + …
        return vector * (2.0 + sine * sine / 3.0);
    }
    vector * (2.0 * libm::atan2f(sine, q.w) / sine)
}

/// The unit quaternion of a rotation vector (axis times angle in radians).
#[inline]
pub fn exp(rotation: Vec3) -> Quat {
    let angle = rotation.length();
    let half = 0.5 * angle;
    // sin(half)/angle, by its series near zero.
    let scale = if angle < 1e-3 { 0.5 - angle * angle / 48.0 } else { libm::sinf(half) / angle };
    let v = rotation * scale;
    Quat::from_xyzw(v.x, v.y, v.z, libm::cosf(half)).normalize()
}

/// Normalised linear interpolation on the short way round. Close to [`Quat::slerp`] for the angles
/// between neighbouring frames, and much cheaper.
#[inline]
pub fn nlerp(a: Quat, b: Quat, t: f32) -> Quat {
    (a * (1.0 - t) + nearest_sign(b, a) * t).normalize()
}

/// The shortest rotation between two directions; none if one of them is no direction.
pub fn arc(from: Vec3, to: Vec3) -> Quat {
    match (from.try_normalize(), to.try_normalize()) {
        (Some(from), Some(to)) => Quat::from_rotation_arc(from, to),
        _ => Quat::IDENTITY,
    }
}

/// The angle of the rotation that leads from `a` to `b`, in radians, in [0, π]. Exact for small
/// angles too, unlike an arc cosine.
#[inline]
pub fn angle_between(a: Quat, b: Quat) -> f32 {
    let d = a.conjugate() * b;
    2.0 * libm::atan2f(Vec3::new(d.x, d.y, d.z).length(), d.w.abs())
}

/// Splits `q` into `swing * twist`, where `twist` turns about the unit `axis` and `swing` about an
/// axis across it. A half turn across the axis leaves the twist undefined; identity is taken then.
pub fn swing_twist(q: Quat, axis: Vec3) -> (Quat, Quat) {
    let along = Vec3::new(q.x, q.y, q.z).dot(axis);
    let length = (along * along + q.w * q.w).sqrt();
    if length < 1e-6 {
        return (q, Quat::IDENTITY);
    }
    let v = axis * (along / length);
    let twist = Quat::from_xyzw(v.x, v.y, v.z, q.w / length);
    (q * twist.conjugate(), twist)
}

/// The rotation about +Y contained in `q`, in (-π, π]: how far a body that faced +Z at rest has
/// turned towards +X.
pub fn heading(q: Quat) -> f32 {
    let angle = 2.0 * libm::atan2f(q.y, q.w);
    wrap_angle(angle)
}

/// The same angle in (-π, π].
pub fn wrap_angle(angle: f32) -> f32 {
    use std::f32::consts::{PI, TAU};
    let wrapped = angle.rem_euclid(TAU);
    if wrapped > PI { wrapped - TAU } else { wrapped }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rotation_vector() -> impl Strategy<Value = Vec3> {
        (-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0).prop_map(|(x, y, z)| Vec3::new(x, y, z) * 1.8)
    }

    proptest! {
        #[test]
        fn log_undoes_exp(v in rotation_vector()) {
            prop_assert!(log(exp(v)).abs_diff_eq(v, 2e-5));
        }

        #[test]
        fn exp_agrees_with_axis_angle(v in rotation_vector()) {
            let expected = Quat::from_scaled_axis(v);
            prop_assert!(angle_between(exp(v), expected) < 1e-5);
        }

        #[test]
        fn swing_and_twist_recompose(v in rotation_vector()) {
            let q = exp(v);
            let (swing, twist) = swing_twist(q, Vec3::Y);
            prop_assert!(angle_between(swing * twist, q) < 1e-5);
            prop_assert!(log(twist).cross(Vec3::Y).length() < 1e-5);
            prop_assert!(log(swing).dot(Vec3::Y).abs() < 1e-4);
        }

        #[test]
        fn opposite_quaternions_interpolate_as_one_rotation(v in rotation_vector(), w in rotation_vector(), t in 0.0f32..1.0) {
            let (a, b) = (exp(v), exp(w));
            // Near opposite rotations both ways round are short ways.
            prop_assume!(a.dot(b).abs() > 1e-3);
            prop_assert!(angle_between(nlerp(a, b, t), nlerp(a, -b, t)) < 1e-4);
        }
    }

    #[test]
    fn tiny_rotations_survive_log_and_exp() {
        for size in [0.0, 1e-20, 1e-8, 1e-5, 1e-4, 1e-3] {
            let v = Vec3::new(0.6, -0.8, 0.0) * size;
            assert!(log(exp(v)).abs_diff_eq(v, size * 1e-3 + 1e-12), "{size}");
        }
    }

    #[test]
    fn heading_grows_from_z_towards_x() {
        let q = Quat::from_rotation_arc(Vec3::Z, Vec3::new(1.0, 0.0, 1.0).normalize());
        assert!((heading(q) - std::f32::consts::FRAC_PI_4).abs() < 1e-6);
        assert!((heading(-q) - std::f32::consts::FRAC_PI_4).abs() < 1e-6);
    }
}
