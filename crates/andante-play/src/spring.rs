//! How what is left of a change dies away.

use glam::Vec3;

/// A critically damped spring towards nothing.
pub fn damped(x: Vec3, rate: Vec3, half_life: f32, dt: f32) -> (Vec3, Vec3) {
    let y = 1.678_347 / half_life;
    let decay = libm::expf(-y * dt);
    let j = rate + x * y;
    ((x + j * dt) * decay, (rate - j * (y * dt)) * decay)
}
