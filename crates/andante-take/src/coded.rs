//! What is written to a file and read again, in one order for both.

use crate::file::{Get, invalid};
use andante_play::archive::{ArchiveReader, ArchiveWriter};
use andante_skeleton::{Character, Planar, Transform};
use andante_world::MeshShape;
use glam::{Mat4, Vec2, Vec3};
use std::sync::Arc;

/// Stands for "none" where an index is expected.
const NONE: u32 = u32::MAX;

/// Something that a file can hold.
pub(crate) trait Coded: Sized {
    fn write(&self, writer: &mut ArchiveWriter) -> Get<()>;

    fn read(reader: &mut ArchiveReader) -> Get<Self>;

    /// The same for what may be missing: whether it is there, and then what it is.
    fn write_option(option: Option<&Self>, writer: &mut ArchiveWriter) -> Get<()> {
        writer.u8(u8::from(option.is_some()));
        option.map_or(Ok(()), |own| own.write(writer))
    }

    fn read_option(reader: &mut ArchiveReader) -> Get<Option<Self>> {
        Ok(match reader.u8()? {
            0 => None,
            _ => Some(Self::read(reader)?),
        })
    }
}

/// What the archive knows itself.
macro_rules! known {
    ($($type:ty: $method:ident, |$own:ident| $value:expr;)*) => { $(
        impl Coded for $type {
            fn write(&self, writer: &mut ArchiveWriter) -> Get<()> {
                let $own = self;
                writer.$method($value);
                Ok(())
            }

            fn read(reader: &mut ArchiveReader) -> Get<Self> {
                Ok(reader.$method()?)
            }
        }
    )* };
}

known! {
    u8: u8, |own| *own;
    u16: u16, |own| *own;
    u32: u32, |own| *own;
    u64: u64, |own| *own;
    String: string, |own| own;
    Vec2: vec2, |own| *own;
    Vec3: vec3, |own| *own;
    Planar: planar, |own| own;
    Transform: transform, |own| own;
    Character: character, |own| own;
}

impl Coded for bool {
    fn write(&self, writer: &mut ArchiveWriter) -> Get<()> {
        writer.u8(u8::from(*self));
        Ok(())
    }

    fn read(reader: &mut ArchiveReader) -> Get<Self> {
        Ok(reader.u8()? == 1)
    }
}

impl Coded for f32 {
    fn write(&self, writer: &mut ArchiveWriter) -> Get<()> {
        writer.f32(*self);
        Ok(())
    }

    fn read(reader: &mut ArchiveReader) -> Get<Self> {
        Ok(reader.f32()?)
    }

    fn write_option(option: Option<&Self>, writer: &mut ArchiveWriter) -> Get<()> {
        option.is_some().write(writer)?;
        option.copied().unwrap_or(0.0).write(writer)
    }

    fn read_option(reader: &mut ArchiveReader) -> Get<Option<Self>> {
        let (is_there, number) = (bool::read(reader)?, f32::read(reader)?);
        Ok(is_there.then_some(number))
    }
}

/// An index, or how many.
impl Coded for usize {
    fn write(&self, writer: &mut ArchiveWriter) -> Get<()> {
        writer.count(*self);
        Ok(())
    }

    fn read(reader: &mut ArchiveReader) -> Get<Self> {
        Ok(reader.u32()? as usize)
    }

    fn write_option(option: Option<&Self>, writer: &mut ArchiveWriter) -> Get<()> {
        writer.u32(option.map_or(NONE, |index| *index as u32));
        Ok(())
    }

    fn read_option(reader: &mut ArchiveReader) -> Get<Option<Self>> {
        let index = reader.u32()?;
        Ok((index != NONE).then_some(index as usize))
    }
}

impl<T: Coded> Coded for Option<T> {
    fn write(&self, writer: &mut ArchiveWriter) -> Get<()> {
        T::write_option(self.as_ref(), writer)
    }

    fn read(reader: &mut ArchiveReader) -> Get<Self> {
        T::read_option(reader)
    }
}

impl<T: Coded> Coded for Vec<T> {
    fn write(&self, writer: &mut ArchiveWriter) -> Get<()> {
        writer.count(self.len());
        self.iter().try_for_each(|item| item.write(writer))
    }

    fn read(reader: &mut ArchiveReader) -> Get<Self> {
        // Nothing takes no room: memory stays in proportion to the file.
        let count = reader.count(1)?;
        (0..count).map(|_| T::read(reader)).collect()
    }
}

impl<T: Coded + Copy + Default, const N: usize> Coded for [T; N] {
    fn write(&self, writer: &mut ArchiveWriter) -> Get<()> {
        self.iter().try_for_each(|item| item.write(writer))
    }

    fn read(reader: &mut ArchiveReader) -> Get<Self> {
        let mut items = [T::default(); N];
        for item in &mut items {
            *item = T::read(reader)?;
        }
        Ok(items)
    }
}

impl<T: Coded> Coded for Arc<T> {
    fn write(&self, writer: &mut ArchiveWriter) -> Get<()> {
        T::write(self, writer)
    }

    fn read(reader: &mut ArchiveReader) -> Get<Self> {
        T::read(reader).map(Self::new)
    }
}

impl Coded for Mat4 {
    fn write(&self, writer: &mut ArchiveWriter) -> Get<()> {
        self.to_cols_array().write(writer)
    }

    fn read(reader: &mut ArchiveReader) -> Get<Self> {
        Ok(Self::from_cols_array(&Coded::read(reader)?))
    }
}

impl Coded for MeshShape {
    fn write(&self, writer: &mut ArchiveWriter) -> Get<()> {
        self.triangles().write(writer)
    }

    fn read(reader: &mut ArchiveReader) -> Get<Self> {
        match Self::new(Coded::read(reader)?) {
            Ok(mesh) => Ok(mesh),
            Err(_) => invalid("an obstacle of triangles that are none"),
        }
    }
}

/// Numbers that may be none, bit by bit.
pub(crate) mod bits {
    use super::{ArchiveReader, ArchiveWriter, Coded, Get};

    pub fn write(numbers: &[f32], writer: &mut ArchiveWriter) -> Get<()> {
        numbers.iter().map(|number| number.to_bits()).collect::<Vec<u32>>().write(writer)
    }

    pub fn read(reader: &mut ArchiveReader) -> Get<Vec<f32>> {
        Ok(Vec::<u32>::read(reader)?.into_iter().map(f32::from_bits).collect())
    }
}

/// Numbers of twice the digits.
pub(crate) mod double {
    use super::{ArchiveReader, ArchiveWriter, Get, invalid};

    pub fn write(number: &f64, writer: &mut ArchiveWriter) -> Get<()> {
        writer.u64(number.to_bits());
        Ok(())
    }

    pub fn read(reader: &mut ArchiveReader) -> Get<f64> {
        let number = f64::from_bits(reader.u64()?);
        if number.is_finite() { Ok(number) } else { invalid("a number that is not finite") }
    }
}

/// Small indices.
pub(crate) mod byte {
    use super::{ArchiveReader, ArchiveWriter, Get};

    pub fn write(index: &usize, writer: &mut ArchiveWriter) -> Get<()> {
        writer.u8(*index as u8);
        Ok(())
    }

    pub fn read(reader: &mut ArchiveReader) -> Get<usize> {
        Ok(usize::from(reader.u8()?))
    }
}

/// Writes a field, by itself or by a module.
macro_rules! put {
    ($writer:ident, $value:expr) => {
        $crate::coded::Coded::write($value, $writer)?
    };
    ($writer:ident, $value:expr, $how:ident) => {
        $crate::coded::$how::write($value, $writer)?
    };
}

/// Reads it.
macro_rules! get {
    ($reader:ident) => {
        $crate::coded::Coded::read($reader)?
    };
    ($reader:ident, $how:ident) => {
        $crate::coded::$how::read($reader)?
    };
}

/// Structures, field by field; what a file does not hold there comes from `..`, or is told as `field = value`.
macro_rules! coded {
    ($($type:ty {
        $($field:ident $(via $how:ident)?),* $(; $($later:ident = $first:expr),+)? $(; ..$rest:expr)?
    })*) => { $(
        impl Coded for $type {
            fn write(&self, writer: &mut ArchiveWriter) -> Get<()> {
                $( put!(writer, &self.$field $(, $how)?); )*
                Ok(())
            }

            fn read(reader: &mut ArchiveReader) -> Get<Self> {
                Ok(Self {
                    $( $field: get!(reader $(, $how)?), )*
                    $( $( $later: $first, )+ )?
                    $(..$rest)?
                })
            }
        }
    )* };
}

/// Choices, by a number for each; `$read` reads what follows the number.
macro_rules! coded_choice {
    ($type:ident, $read:ident, $unknown:literal: $(
        $tag:literal => $variant:ident $(($item:ident))? $({ $($field:ident $(via $how:ident)?),* })?,
    )*) => {
        impl Coded for $type {
            fn write(&self, writer: &mut ArchiveWriter) -> Get<()> {
                match self { $(
                    Self::$variant $(($item))? $({ $($field),* })? => {
                        writer.u8($tag);
                        $( put!(writer, $item); )?
                        $( $( put!(writer, $field $(, $how)?); )* )?
                    }
                )* }
                Ok(())
            }

            fn read(reader: &mut ArchiveReader) -> Get<Self> {
                let tag = reader.u8()?;
                $read(tag, reader)
            }
        }

        fn $read(tag: u8, reader: &mut ArchiveReader) -> Get<$type> {
            Ok(match tag {
                $( $tag => $type::$variant
                    $(({ let $item = get!(reader); $item }))?
                    $({ $( $field: get!(reader $(, $how)?) ),* })?, )*
                _ => return invalid($unknown),
            })
        }
    };
}

pub(crate) use {coded, coded_choice, get, put};
