//! Small glTF files, built from JSON, one for each feature and malformation.

#![allow(dead_code)]

use serde_json::{Value, json};

pub const I8: u32 = 5120;
pub const U8: u32 = 5121;
pub const I16: u32 = 5122;
pub const U16: u32 = 5123;
pub const U32: u32 = 5125;
pub const F32: u32 = 5126;

/// A document with its binary chunk.
#[derive(Clone)]
pub struct Doc {
    pub json: Value,
    pub binary: Vec<u8>,
}

impl Doc {
    pub fn new(json: Value) -> Self {
        let mut doc = Self { json, binary: Vec::new() };
        doc.json["asset"] = json!({ "version": "2.0" });
        doc
    }

    /// Puts a value at the end of an array and returns its index.
    pub fn push(&mut self, array: &str, value: Value) -> usize {
        let array = &mut self.json[array];
        if array.is_null() {
            *array = json!([]);
        }
        let array = array.as_array_mut().unwrap();
        array.push(value);
        array.len() - 1
    }

    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.binary.resize(self.binary.len().next_multiple_of(4), 0);
        let offset = self.binary.len();
        self.binary.extend(bytes);
        let view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() });
        self.push("bufferViews", view)
    }

    pub fn accessor(&mut self, component: u32, kind: &str, count: usize, bytes: &[u8]) -> usize {
        let view = self.view(bytes);
        let accessor =
            json!({ "bufferView": view, "componentType": component, "type": kind, "count": count });
        self.push("accessors", accessor)
    }

    pub fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(F32, kind, values.len() / width(kind), &bytes)
    }

    pub fn shorts(&mut self, kind: &str, values: &[u16]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(U16, kind, values.len() / width(kind), &bytes)
    }

    pub fn normalized(&mut self, component: u32, kind: &str, values: &[i32]) -> usize {
        let bytes: Vec<u8> = match component {
            I8 | U8 => values.iter().map(|&value| value as u8).collect(),
            _ => values.iter().flat_map(|&value| (value as u16).to_le_bytes()).collect(),
        };
        let accessor = self.accessor(component, kind, values.len() / width(kind), &bytes);
        self.json["accessors"][accessor]["normalized"] = json!(true);
        accessor
    }

    /// An animation of one channel, or one more channel of the last animation.
    pub fn animate(&mut self, node: usize, path: &str, mode: &str, times: usize, values: usize) {
        let sampler = json!({ "input": times, "output": values, "interpolation": mode });
        let animations = &mut self.json["animations"];
        if animations.is_null() {
            *animations = json!([{ "name": "move", "samplers": [], "channels": [] }]);
        }
        let animation = animations.as_array_mut().unwrap().last_mut().unwrap();
        let samplers = animation["samplers"].as_array_mut().unwrap();
        samplers.push(sampler);
        let channel =
            json!({ "sampler": samplers.len() - 1, "target": { "node": node, "path": path } });
        animation["channels"].as_array_mut().unwrap().push(channel);
    }

    pub fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        let mut binary = self.binary.clone();
        binary.resize(binary.len().next_multiple_of(4), 0);
        json["buffers"] = json!([{ "byteLength": binary.len() }]);
        let mut text = json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut glb = Vec::new();
        glb.extend(b"glTF\x02\0\0\0");
        glb.extend(((28 + text.len() + binary.len()) as u32).to_le_bytes());
        for (kind, chunk) in [(b"JSON", &text), (b"BIN\0", &binary)] {
            glb.extend((chunk.len() as u32).to_le_bytes());
            glb.extend(kind);
            glb.extend(chunk);
        }
        glb
    }

    /// As text, the buffer at this address.
    pub fn gltf(&self, uri: &str) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([{ "byteLength": self.binary.len(), "uri": uri }]);
        json.to_string().into_bytes()
    }
}

fn width(kind: &str) -> usize {
    match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        _ => 16,
    }
}

/// Two joints, the lower one half a metre above the ground and the upper one a metre above that,
/// and no mesh.
pub fn pole() -> Doc {
    Doc::new(json!({
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [
            { "name": "base", "translation": [0.0, 0.5, 0.0], "children": [1] },
            { "name": "top", "translation": [0.0, 1.0, 0.0] },
        ],
        "skins": [{ "joints": [0, 1] }],
    }))
}

/// The pole with a triangle at each end. The joints of the triangles are as given, the weights 1.
pub fn skinned_pole() -> Doc {
    let mut doc = pole();
    add_skinned_mesh(
        &mut doc,
        &[
            0.1, 0.5, 0.0, -0.1, 0.5, 0.0, 0.0, 0.6, 0.0, 0.1, 1.5, 0.0, -0.1, 1.5, 0.0, 0.0, 1.6,
            0.0,
        ],
    );
    let binds: Vec<f32> =
        [-0.5, -1.5].into_iter().flat_map(|y| translation([0.0, y, 0.0])).collect();
    doc.json["skins"][0]["inverseBindMatrices"] = json!(doc.floats("MAT4", &binds));
    doc
}

/// Three vertices on the first joint, three on the second.
pub fn add_skinned_mesh(doc: &mut Doc, positions: &[f32]) {
    let position = doc.floats("VEC3", positions);
    let normal = doc.floats("VEC3", &[0.0, 0.0, 1.0].repeat(6));
    let mut joints = [0u8; 24];
    (3..6).for_each(|vertex| joints[4 * vertex] = 1);
    let joints = doc.accessor(U8, "VEC4", 6, &joints);
    let weights = doc.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(6));
    let attributes = json!({
        "POSITION": position, "NORMAL": normal, "JOINTS_0": joints, "WEIGHTS_0": weights,
    });
    let mesh = doc.push("meshes", json!({ "primitives": [{ "attributes": attributes }] }));
    let node = doc.push("nodes", json!({ "name": "skin", "mesh": mesh, "skin": 0 }));
    doc.json["scenes"][0]["nodes"].as_array_mut().unwrap().push(json!(node));
}

/// A column-major matrix.
pub fn translation(t: [f32; 3]) -> [f32; 16] {
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, t[0], t[1], t[2], 1.0]
}

/// A triangle that hangs on a node without a skin; returns its mesh.
pub fn triangle(doc: &mut Doc) -> usize {
    let position = doc.floats("VEC3", &[0.0, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.2, 0.0]);
    let normal = doc.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
    let attributes = json!({ "POSITION": position, "NORMAL": normal });
    doc.push("meshes", json!({ "primitives": [{ "attributes": attributes }] }))
}

/// Keys for the rotation of the upper joint: still, then a quarter turn about X.
pub fn swinging_pole(mode: &str, times: &[f32]) -> Doc {
    let mut doc = skinned_pole();
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let input = doc.floats("SCALAR", times);
    let key = |number: usize| {
        if number.is_multiple_of(2) { [0.0, 0.0, 0.0, 1.0] } else { [half, 0.0, 0.0, half] }
    };
    let keys: Vec<f32> = (0..times.len())
        .flat_map(|number| match mode {
            "CUBICSPLINE" => [[0.0; 4], key(number), [0.0; 4]].concat(),
            _ => key(number).to_vec(),
        })
        .collect();
    let output = doc.floats("VEC4", &keys);
    doc.animate(1, "rotation", mode, input, output);
    doc
}
