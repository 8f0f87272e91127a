//! Numbers and lists from bytes, none of which is trusted.

use super::ArchiveError;
use andante_skeleton::{Planar, Transform};
use glam::{Quat, Vec2, Vec3};

/// Bytes that are left.
pub struct ArchiveReader<'a> {
    bytes: &'a [u8],
}

type Read<T> = Result<T, ArchiveError>;

/// No number of a character or motion, in metres, seconds or radians, is as large.
const LARGEST: f32 = 1e5;

impl<'a> ArchiveReader<'a> {
    /// All of them.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// True if none is left.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Those that are left, as they are.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    fn take<const N: usize>(&mut self) -> Read<[u8; N]> {
        let missing = ArchiveError::Invalid("a list is longer than the file");
        let (taken, rest) = self.bytes.split_first_chunk().ok_or(missing)?;
        self.bytes = rest;
        Ok(*taken)
    }

    /// One byte.
    pub fn u8(&mut self) -> Read<u8> {
        Ok(u8::from_le_bytes(self.take()?))
    }

    /// Two bytes.
    pub fn u16(&mut self) -> Read<u16> {
        Ok(u16::from_le_bytes(self.take()?))
    }

    /// Two bytes with a sign.
    pub fn i16(&mut self) -> Read<i16> {
        Ok(i16::from_le_bytes(self.take()?))
    }

    /// Four bytes.
    pub fn u32(&mut self) -> Read<u32> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    /// Eight bytes.
    pub fn u64(&mut self) -> Read<u64> {
        Ok(u64::from_le_bytes(self.take()?))
    }

    /// A number that is finite and not absurd.
    pub fn f32(&mut self) -> Read<f32> {
        let value = f32::from_le_bytes(self.take()?);
        if value.abs() <= LARGEST {
            Ok(value)
        } else {
            Err(ArchiveError::Invalid("a number is not finite or far too large"))
        }
    }

    /// True if the file still has so many items of so many bytes.
    pub fn has(&self, count: usize, bytes: usize) -> bool {
        count.checked_mul(bytes).is_some_and(|bytes| bytes <= self.bytes.len())
    }

    /// The length of a list of items of at least so many bytes, which the file must still have.
    pub fn count(&mut self, least: usize) -> Read<usize> {
        let count = self.u32()? as usize;
        if !self.has(count, least) {
            return Err(ArchiveError::Invalid("a list is longer than the file"));
        }
        Ok(count)
    }

    /// A list of items of at least so many bytes.
    pub fn list<T>(
        &mut self,
        least: usize,
        mut item: impl FnMut(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        let count = self.count(least)?;
        (0..count).map(|_| item(self)).collect()
    }

    /// The index of a joint of so many.
    pub fn joint(&mut self, joints: usize) -> Read<usize> {
        let joint = usize::from(self.u16()?);
        if joint < joints {
            Ok(joint)
        } else {
            Err(ArchiveError::Invalid("a joint that the skeleton does not have"))
        }
    }

    /// A text.
    pub fn string(&mut self) -> Read<String> {
        let count = self.count(1)?;
        let (text, rest) = self.bytes.split_at(count);
        self.bytes = rest;
        let text = std::str::from_utf8(text);
        Ok(text.map_err(|_| ArchiveError::Invalid("a name is not text"))?.to_owned())
    }

    /// Two numbers.
    pub fn vec2(&mut self) -> Read<Vec2> {
        Ok(Vec2::new(self.f32()?, self.f32()?))
    }

    /// Three numbers.
    pub fn vec3(&mut self) -> Read<Vec3> {
        Ok(Vec3::new(self.f32()?, self.f32()?, self.f32()?))
    }

    /// A placement.
    pub fn transform(&mut self) -> Read<Transform> {
        let rotation = Quat::from_xyzw(self.f32()?, self.f32()?, self.f32()?, self.f32()?);
        if (rotation.length_squared() - 1.0).abs() > 1e-2 {
            return Err(ArchiveError::Invalid("a rotation is none"));
        }
        Ok(Transform::new(rotation, self.vec3()?))
    }

    /// A place and a heading.
    pub fn planar(&mut self) -> Read<Planar> {
        Ok(Planar::new(self.vec2()?, self.f32()?))
    }
}
