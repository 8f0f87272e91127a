//! Angles, turns, and ways that begin and end gently.

use andante_dynamics::{Kinematics, Vec3, vec3};

/// From 0 to 1, level at both ends; done a little early.
pub(crate) fn ease(u: f64) -> f64 {
    let u = (u / 0.9).clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}

pub(crate) fn slope(u: f64) -> f64 {
    let u = (u / 0.9).clamp(0.0, 1.0);
    6.0 * u * (1.0 - u) / 0.9
}

/// A vector turned about y.
pub(crate) fn turned(v: Vec3<f64>, by: f64) -> Vec3<f64> {
    let (sin, cos) = libm::sincos(by);
    vec3(v.x * cos + v.z * sin, v.y, v.z * cos - v.x * sin)
}

pub(crate) fn wrap(angle: f64) -> f64 {
    angle - (angle / std::f64::consts::TAU).round() * std::f64::consts::TAU
}

/// The rotation vector that brings a link to where it should be.
pub(crate) fn rotation_error(
    to: &Kinematics<f64>,
    from: &Kinematics<f64>,
    link: usize,
) -> Vec3<f64> {
    let (to, from) = (to.rotation(link), from.rotation(link));
    // Of the matrix to · fromᵀ: its skew part, with the angle made exact.
    let skew = from.x.cross(to.x) + from.y.cross(to.y) + from.z.cross(to.z);
    let sin = 0.5 * skew.length();
    let cos = 0.5 * (from.x.dot(to.x) + from.y.dot(to.y) + from.z.dot(to.z) - 1.0);
    if sin < 1e-9 { Vec3::default() } else { skew * (0.5 * libm::atan2(sin, cos) / sin) }
}
