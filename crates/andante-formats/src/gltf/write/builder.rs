//! Numbers into the buffer of a document.

use crate::gltf::accessor::Component;
use serde_json::{Value, json};

/// The binary buffer of a document with the views and accessors into it.
#[derive(Default)]
pub(crate) struct Builder {
    /// The number of the buffer.
    pub buffer: usize,
    /// The end of the buffer, as far as it is not written yet.
    pub bytes: Vec<u8>,
    /// Bytes that are written already.
    pub written: usize,
    pub views: Vec<Value>,
    pub accessors: Vec<Value>,
}

/// What a buffer view is for, by its number in the specification.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BufferTarget {
    Vertices = 34962,
    Indices = 34963,
}

/// Names of vectors by their length.
const KINDS: [(usize, &str); 5] =
    [(1, "SCALAR"), (2, "VEC2"), (3, "VEC3"), (4, "VEC4"), (16, "MAT4")];

impl Builder {
    /// Writes what there is so far, in whole words.
    pub fn spill(&mut self, out: &mut impl std::io::Write) -> std::io::Result<()> {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        out.write_all(&self.bytes)?;
        self.written += self.bytes.len();
        self.bytes.clear();
        Ok(())
    }

    /// Bytes in a view of their own.
    pub fn view(
        &mut self,
        target: Option<BufferTarget>,
        bytes: impl IntoIterator<Item = u8>,
    ) -> usize {
        // Every element type of four bytes or less is aligned by this.
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        let (length, at) = (self.bytes.len() - start, self.written + start);
        let mut view = json!({ "buffer": self.buffer, "byteOffset": at, "byteLength": length });
        if let Some(target) = target {
            view["target"] = json!(target as u32);
        }
        self.views.push(view);
        self.views.len() - 1
    }

    /// Vectors of `N` floats.
    pub fn floats<const N: usize>(
        &mut self,
        target: Option<BufferTarget>,
        values: impl IntoIterator<Item = [f32; N]>,
    ) -> usize {
        let values = values.into_iter();
        let mut bytes: Vec<u8> = Vec::with_capacity(4 * N * values.size_hint().0);
        let mut count = 0;
        for value in values {
            count += 1;
            value.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        }
        let view = self.view(target, bytes);
        self.accessor(view, Component::F32, N, count)
    }

    /// Vectors of `N` floats with their bounds, which positions and key times must have.
    pub fn bounded_floats<const N: usize>(
        &mut self,
        target: Option<BufferTarget>,
        values: &[[f32; N]],
    ) -> usize {
        let mut low = [f32::INFINITY; N];
        let mut high = [f32::NEG_INFINITY; N];
        for value in values {
            for axis in 0..N {
                low[axis] = low[axis].min(value[axis]);
                high[axis] = high[axis].max(value[axis]);
            }
        }
        let accessor = self.floats(target, values.iter().copied());
        self.accessors[accessor]["min"] = json!(low.as_slice());
        self.accessors[accessor]["max"] = json!(high.as_slice());
        accessor
    }

    /// Vertex indices, in two bytes each where they fit. 65535 is not an index in glTF.
    pub fn indices(&mut self, indices: &[u32], vertices: usize) -> usize {
        let target = Some(BufferTarget::Indices);
        if vertices <= usize::from(u16::MAX) {
            let bytes = indices.iter().flat_map(|&index| (index as u16).to_le_bytes());
            let view = self.view(target, bytes);
            return self.accessor(view, Component::U16, 1, indices.len());
        }
        let view = self.view(target, indices.iter().flat_map(|index| index.to_le_bytes()));
        self.accessor(view, Component::U32, 1, indices.len())
    }

    /// The joints of each vertex, in one byte each where they fit.
    pub fn joints(&mut self, vertices: &[[u16; 4]], joints: usize) -> usize {
        let target = Some(BufferTarget::Vertices);
        if joints <= 256 {
            let view = self.view(target, vertices.iter().flatten().map(|&joint| joint as u8));
            return self.accessor(view, Component::U8, 4, vertices.len());
        }
        let bytes = vertices.iter().flatten().flat_map(|joint| joint.to_le_bytes());
        let view = self.view(target, bytes);
        self.accessor(view, Component::U16, 4, vertices.len())
    }

    fn accessor(&mut self, view: usize, component: Component, width: usize, count: usize) -> usize {
        let kind =
            KINDS.iter().find(|(length, _)| *length == width).map_or("SCALAR", |kind| kind.1);
        self.accessors.push(json!({
            "bufferView": view,
            "componentType": component as u32,
            "count": count,
            "type": kind,
        }));
        self.accessors.len() - 1
    }
}
