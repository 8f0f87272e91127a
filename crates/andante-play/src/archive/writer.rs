//! Numbers and lists to bytes.

use andante_skeleton::{Planar, Transform};
use glam::{Vec2, Vec3};

/// Bytes so far.
#[derive(Default)]
pub struct ArchiveWriter {
    bytes: Vec<u8>,
}

impl ArchiveWriter {
    /// All of them.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
    }

    /// One byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Two bytes.
    pub fn u16(&mut self, value: u16) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// Two bytes with a sign.
    pub fn i16(&mut self, value: i16) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// Four bytes.
    pub fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// Eight bytes.
    pub fn u64(&mut self, value: u64) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// A number.
    pub fn f32(&mut self, value: f32) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// The length of a list. Lists in memory that are longer than 32 bits can count do not occur.
    pub fn count(&mut self, count: usize) {
        self.u32(count as u32);
    }

    /// The index of a joint.
    pub fn joint(&mut self, joint: usize) {
        self.u16(joint as u16);
    }

    /// A text.
    pub fn string(&mut self, text: &str) {
        self.count(text.len());
        self.bytes.extend(text.as_bytes());
    }

    /// Two numbers.
    pub fn vec2(&mut self, v: Vec2) {
        v.to_array().into_iter().for_each(|number| self.f32(number));
    }

    /// Three numbers.
    pub fn vec3(&mut self, v: Vec3) {
        v.to_array().into_iter().for_each(|number| self.f32(number));
    }

    /// A placement.
    pub fn transform(&mut self, transform: &Transform) {
        transform.rotation.to_array().into_iter().for_each(|number| self.f32(number));
        self.vec3(transform.translation);
    }

    /// A place and a heading.
    pub fn planar(&mut self, planar: &Planar) {
        self.vec2(planar.position);
        self.f32(planar.heading);
    }
}
