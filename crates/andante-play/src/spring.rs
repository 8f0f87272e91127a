//! How what is left of a change dies away.

use glam::Vec3;
use std::ops::{Add, Mul};

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

/// A difference that dies away without a jerk: value, speed and acceleration of a third-order system, critically
/// damped.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Trailing<T> {
    pub value: T,
    pub speed: T,
    pub acceleration: T,
    /// How often it has shrunk by e since something was added.
    shrunk: f32,
}

/// After so many of these nothing is left.
const GONE: f32 = 30.0;

impl<T: Copy + Default + PartialEq + Add<Output = T> + Mul<f32, Output = T>> Trailing<T> {
    /// Adds to what is left.
    pub fn add(&mut self, value: T, speed: T, acceleration: T) {
        self.value = self.value + value;
        self.speed = self.speed + speed;
        self.acceleration = self.acceleration + acceleration;
        self.shrunk = 0.0;
    }

    /// Lets time pass, in seconds, at a rate: the exact solution, whatever the length of a frame.
    pub fn pass(&mut self, seconds: f32, k: f32) {
        if *self == Self::default() {
            return;
        }
        // (a + b t + c t²) exp(−k t)
        let a = self.value;
        let b = self.speed + a * k;
        let c = (self.acceleration + self.speed * (2.0 * k) + a * (k * k)) * 0.5;
        let t = seconds;
        let decay = libm::expf(-k * t);
        let (value, slope, curve) = (a + (b + c * t) * t, b + c * (2.0 * t), c * 2.0);
        self.value = value * decay;
        self.speed = (slope + value * -k) * decay;
        self.acceleration = (curve + slope * (-2.0 * k) + value * (k * k)) * decay;
        self.shrunk += k * t;
        if self.shrunk > GONE {
            *self = Self::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_a_change_fades_alike_at_any_frame_rate() {
        let mut start = Trailing::<f32>::default();
        start.add(0.03, -0.1, 2.0);
        let (mut slow, mut fast) = (start, start);
        for _ in 0..10 {
            slow.pass(0.02, 18.0);
        }
        for _ in 0..100 {
            fast.pass(0.002, 18.0);
        }
        assert!((slow.value - fast.value).abs() < 1e-5 && slow.value.abs() < 0.03);
        assert!((slow.speed - fast.speed).abs() < 1e-4);
        assert!((slow.acceleration - fast.acceleration).abs() < 3e-3);
        let mut still = start;
        still.pass(0.0, 18.0);
        assert!((still.speed - start.speed).abs() < 1e-5);
        assert!((still.acceleration - start.acceleration).abs() < 1e-3);
        fast.pass(2.0, 18.0);
        assert_eq!(fast, Trailing::default());
    }
}
