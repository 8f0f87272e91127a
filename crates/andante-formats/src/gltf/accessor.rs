//! Numbers in buffers, read with every bound checked.

use super::json::{Accessor, AccessorKind, Root, Sparse};
use super::uri;
use crate::{ErrorPlace, ReadError, ReadLimits};
use std::borrow::Cow;
use std::cell::Cell;
use std::path::Path;

/// A document with its buffers, and how much may still be decoded from them.
///
/// Several accessors can share the same bytes, so that a small file could ask for any amount of
/// memory; the allowance keeps it in proportion to the file.
pub(super) struct DocumentData<'a> {
    pub root: &'a Root,
    buffers: Vec<Cow<'a, [u8]>>,
    allowance: Cell<u64>,
}

/// The type of a single number, by its number in the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gltf) enum Component {
    I8 = 5120,
    U8 = 5121,
    I16 = 5122,
    U16 = 5123,
    U32 = 5125,
    F32 = 5126,
}

impl Component {
    fn from_code(code: u32) -> Option<Self> {
        let all = [Self::I8, Self::U8, Self::I16, Self::U16, Self::U32, Self::F32];
        all.into_iter().find(|&component| component as u32 == code)
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// One number; `bytes` is as long as the component.
    fn decode(self, bytes: &[u8], normalized: bool) -> f32 {
        let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
        let word = u16::from_le_bytes([byte(0), byte(1)]);
        let double = u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]);
        // Section 3.11 of the glTF 2.0 specification: signed numbers reach −1 twice.
        let scale = |value: f32, largest: f32| {
            if normalized { (value / largest).max(-1.0) } else { value }
        };
        match self {
            Self::I8 => scale(f32::from(byte(0) as i8), 127.0),
            Self::U8 => scale(f32::from(byte(0)), 255.0),
            Self::I16 => scale(f32::from(word as i16), 32767.0),
            Self::U16 => scale(f32::from(word), 65535.0),
            Self::U32 => scale(double as f32, u32::MAX as f32),
            Self::F32 => f32::from_bits(double),
        }
    }
}

impl AccessorKind {
    fn width(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Vec2 => 2,
            Self::Vec3 => 3,
            Self::Vec4 | Self::Mat2 => 4,
            Self::Mat3 => 9,
            Self::Mat4 => 16,
        }
    }
}

/// The elements of an accessor, tightly packed, sparse ones in place.
struct Elements<'a> {
    bytes: Cow<'a, [u8]>,
    component: Component,
    normalized: bool,
    kind: AccessorKind,
}

impl<'a> DocumentData<'a> {
    /// Gets hold of every buffer.
    pub fn load(
        root: &'a Root,
        binary: Option<&'a [u8]>,
        base: Option<&Path>,
        file_length: usize,
        limits: &ReadLimits,
    ) -> Result<Self, ReadError> {
        let mut buffers = Vec::with_capacity(root.buffers.len());
        let mut total = file_length as u64;
        for (index, buffer) in root.buffers.iter().enumerate() {
            let element = || format!("buffers[{index}]");
            let bytes: Cow<[u8]> = match (&buffer.uri, binary) {
                (Some(uri), _) => {
                    let bytes = uri::load(uri, base, buffer.byte_length, limits)
                        .map_err(|error| in_element(error, element()))?;
                    total += bytes.len() as u64;
                    bytes.into()
                }
                (None, Some(binary)) if index == 0 => binary.into(),
                (None, _) => {
                    return Err(ReadError::element(element(), "has no data and no address"));
                }
            };
            let length = usize::try_from(buffer.byte_length).unwrap_or(usize::MAX);
            if bytes.len() < length {
                let message = format!("should have {length} bytes and has {}", bytes.len());
                return Err(ReadError::element(element(), message));
            }
            buffers.push(bytes);
        }
        let more = total.saturating_mul(limits.decoded_per_byte);
        let allowance = limits.decoded.saturating_add(more);
        Ok(Self { root, buffers, allowance: Cell::new(allowance) })
    }

    /// The bytes of a buffer view.
    pub fn view(&self, index: usize) -> Result<&[u8], ReadError> {
        let element = || format!("bufferViews[{index}]");
        let view = self.root.buffer_views.get(index).ok_or_else(|| missing(element()))?;
        let buffer = self
            .buffers
            .get(view.buffer)
            .ok_or_else(|| missing(format!("buffers[{}]", view.buffer)))?;
        part(buffer, view.byte_offset, view.byte_length).ok_or_else(|| {
            let message = format!(
                "{} bytes from byte {} reach beyond the {} bytes of buffers[{}]",
                view.byte_length,
                view.byte_offset,
                buffer.len(),
                view.buffer
            );
            ReadError::element(element(), message)
        })
    }

    /// Elements of `N` numbers each, whatever they are stored as. Integers that are not marked as
    /// normalised keep their value. Every number is finite.
    pub fn floats<const N: usize>(&self, index: usize) -> Result<Vec<[f32; N]>, ReadError> {
        let elements = self.elements(index)?;
        if elements.kind.width() != N {
            let message = format!("{:?} elements where {N} numbers are needed", elements.kind);
            return Err(ReadError::element(name(index), message));
        }
        let size = elements.component.size();
        let mut values = Vec::with_capacity(elements.bytes.len() / (size * N));
        for element in elements.bytes.chunks_exact(size * N) {
            let mut value = [0.0; N];
            for (value, bytes) in value.iter_mut().zip(element.chunks_exact(size)) {
                *value = elements.component.decode(bytes, elements.normalized);
            }
            if !value.iter().all(|value| value.is_finite()) {
                let message = format!("element {} is not a finite number", values.len());
                return Err(ReadError::element(name(index), message));
            }
            values.push(value);
        }
        Ok(values)
    }

    /// Elements of `N` whole numbers each.
    pub fn integers<const N: usize>(&self, index: usize) -> Result<Vec<[u32; N]>, ReadError> {
        let elements = self.elements(index)?;
        let unsigned =
            matches!(elements.component, Component::U8 | Component::U16 | Component::U32);
        if elements.kind.width() != N || !unsigned {
            let message = format!(
                "{:?} elements of {:?} where {N} unsigned whole numbers are needed",
                elements.kind, elements.component
            );
            return Err(ReadError::element(name(index), message));
        }
        let size = elements.component.size();
        Ok(elements
            .bytes
            .chunks_exact(size * N)
            .map(|element| {
                let mut value = [0; N];
                for (value, bytes) in value.iter_mut().zip(element.chunks_exact(size)) {
                    *value = little_endian(bytes);
                }
                value
            })
            .collect())
    }

    /// The shape of the elements.
    pub fn kind_of(&self, index: usize) -> Result<AccessorKind, ReadError> {
        Ok(self.accessor(index)?.kind)
    }

    fn accessor(&self, index: usize) -> Result<&Accessor, ReadError> {
        self.root.accessors.get(index).ok_or_else(|| missing(name(index)))
    }

    fn elements(&self, index: usize) -> Result<Elements<'_>, ReadError> {
        let accessor = self.accessor(index)?;
        let fail = |message: String| ReadError::element(name(index), message);
        let component = Component::from_code(accessor.component_type)
            .ok_or_else(|| fail(format!("unknown componentType {}", accessor.component_type)))?;
        let size = component.size() * accessor.kind.width();
        let length = accessor.count.saturating_mul(size as u64);
        // Packed, and then decoded to four bytes for each number.
        let decoded = accessor.count.saturating_mul(4 * accessor.kind.width() as u64);
        self.charge(length.saturating_add(decoded)).map_err(|e| in_accessor(e, index))?;
        let mut bytes = match accessor.buffer_view {
            Some(view) => self.packed(view, accessor, size).map_err(|e| in_accessor(e, index))?,
            // Zeros, for a sparse accessor to fill in.
            None => Cow::Owned(vec![0; length as usize]),
        };
        if let Some(sparse) = &accessor.sparse {
            self.apply(sparse, bytes.to_mut(), size).map_err(|e| in_accessor(e, index))?;
        }
        Ok(Elements { bytes, component, normalized: accessor.normalized, kind: accessor.kind })
    }

    /// Takes memory from the allowance before it is used.
    pub fn charge(&self, bytes: u64) -> Result<(), ReadError> {
        let left = self.allowance.get().checked_sub(bytes).ok_or_else(|| {
            ReadError::file("asks for far more data than a file of this size can hold")
        })?;
        self.allowance.set(left);
        Ok(())
    }

    /// The elements without what a stride leaves between them.
    fn packed(
        &self,
        view_index: usize,
        accessor: &Accessor,
        size: usize,
    ) -> Result<Cow<'_, [u8]>, ReadError> {
        let view = self.view(view_index)?;
        let stride = self.root.buffer_views[view_index].byte_stride.unwrap_or(size as u64);
        let last = accessor.count.saturating_sub(1);
        let length = match accessor.count {
            0 => 0,
            _ => last.saturating_mul(stride).saturating_add(size as u64),
        };
        let bytes = part(view, accessor.byte_offset, length).ok_or_else(|| {
            ReadError::file(format!(
                "{} elements of {size} bytes from byte {} reach beyond the {} bytes of \
                 bufferViews[{view_index}]",
                accessor.count,
                accessor.byte_offset,
                view.len()
            ))
        })?;
        let stride = stride as usize;
        if stride == size {
            return Ok(bytes.into());
        }
        if stride < size {
            return Err(ReadError::file(format!(
                "elements of {size} bytes overlap: the stride of bufferViews[{view_index}] is {stride}"
            )));
        }
        Ok(bytes.chunks(stride).flat_map(|element| &element[..size]).copied().collect())
    }

    /// Puts sparse elements in their places.
    fn apply(&self, sparse: &Sparse, bytes: &mut [u8], size: usize) -> Result<(), ReadError> {
        let component = match Component::from_code(sparse.indices.component_type) {
            Some(c @ (Component::U8 | Component::U16 | Component::U32)) => c,
            _ => return Err(ReadError::file("sparse indices of an unknown type")),
        };
        let beyond = || ReadError::file("sparse elements reach beyond their bufferView");
        let length = |size: usize| sparse.count.checked_mul(size as u64).ok_or_else(beyond);
        let indices = part(
            self.view(sparse.indices.buffer_view)?,
            sparse.indices.byte_offset,
            length(component.size())?,
        )
        .ok_or_else(beyond)?;
        let values =
            part(self.view(sparse.values.buffer_view)?, sparse.values.byte_offset, length(size)?)
                .ok_or_else(beyond)?;
        let places = indices.chunks_exact(component.size()).map(little_endian);
        for (place, value) in places.zip(values.chunks_exact(size)) {
            let target = bytes.chunks_exact_mut(size).nth(place as usize);
            let target = target.ok_or_else(|| {
                ReadError::file(format!("sparse index {place} is beyond the last element"))
            })?;
            target.copy_from_slice(value);
        }
        Ok(())
    }
}

/// An unsigned number of one to four bytes.
fn little_endian(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte))
}

fn part(bytes: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    let start = usize::try_from(offset).ok()?;
    let end = start.checked_add(usize::try_from(length).ok()?)?;
    bytes.get(start..end)
}

fn name(index: usize) -> String {
    format!("accessors[{index}]")
}

/// An element that something refers to and that is not there.
pub(super) fn missing(element: String) -> ReadError {
    ReadError::element(element, "does not exist, and is referred to")
}

/// Puts the element that refers to something before the place of an error in that something.
pub(super) fn in_element(mut error: ReadError, element: String) -> ReadError {
    error.place = ErrorPlace::Element(match error.place {
        ErrorPlace::Element(inner) => format!("{element}, {inner}"),
        _ => element,
    });
    error
}

fn in_accessor(error: ReadError, index: usize) -> ReadError {
    in_element(error, name(index))
}
