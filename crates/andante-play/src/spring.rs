//! How what is left of a change dies away.

use glam::Vec3;

/// How fast a critically damped spring of a half-life answers, 1/s.
fn stiffness(half_life: f32) -> f32 {
    1.678_347 / half_life
}

/// A critically damped spring towards nothing that something accelerates all the while, exactly: `push` in m/s² or rad/s².
pub fn damped_under(push: Vec3, x: Vec3, rate: Vec3, half_life: f32, dt: f32) -> (Vec3, Vec3) {
    let y = stiffness(half_life);
    let rest = push / (y * y);
    let (left, rate) = damped(x - rest, rate, half_life, dt);
    (rest + left, rate)
}

/// A critically damped spring towards nothing.
pub fn damped(x: Vec3, rate: Vec3, half_life: f32, dt: f32) -> (Vec3, Vec3) {
    let y = stiffness(half_life);
    let decay = libm::expf(-y * dt);
    let j = rate + x * y;
    ((x + j * dt) * decay, (rate - j * (y * dt)) * decay)
}
