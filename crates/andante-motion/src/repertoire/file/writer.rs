//! Numbers and lists to bytes.

use andante_skeleton::{Planar, Transform};
use glam::{Vec2, Vec3};

/// Bytes so far.
#[derive(Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub fn u16(&mut self, value: u16) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub fn i16(&mut self, value: i16) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub fn f32(&mut self, value: f32) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// The length of a list. Lists in memory that are longer than 32 bits can count do not occur.
    pub fn count(&mut self, count: usize) {
        self.bytes.extend((count as u32).to_le_bytes());
    }

    /// The index of a joint.
    pub fn joint(&mut self, joint: usize) {
        self.u16(joint as u16);
    }

    pub fn string(&mut self, text: &str) {
        self.count(text.len());
        self.bytes.extend(text.as_bytes());
    }

    pub fn vec2(&mut self, v: Vec2) {
        v.to_array().into_iter().for_each(|number| self.f32(number));
    }

    pub fn vec3(&mut self, v: Vec3) {
        v.to_array().into_iter().for_each(|number| self.f32(number));
    }

    pub fn transform(&mut self, transform: &Transform) {
        transform.rotation.to_array().into_iter().for_each(|number| self.f32(number));
        self.vec3(transform.translation);
    }

    pub fn planar(&mut self, planar: &Planar) {
        self.vec2(planar.position);
        self.f32(planar.heading);
    }
}
