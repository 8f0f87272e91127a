//! A second reading of a GLB file, written without the code under test: plain arrays of `f64`,
//! matrices straight from the JSON, one joint or vertex at a time.

use serde_json::Value;

pub type Matrix = [[f64; 4]; 4];

pub struct Oracle {
    pub json: Value,
    binary: Vec<u8>,
    parents: Vec<Option<usize>>,
}

/// What an animation does to one node: times, values and whether they are steps.
struct Channel {
    node: usize,
    path: String,
    times: Vec<f64>,
    values: Vec<Vec<f64>>,
    is_step: bool,
}

pub struct Animation {
    pub name: Option<String>,
    channels: Vec<Channel>,
}

impl Oracle {
    pub fn new(glb: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
        let json_end = 20 + word(12);
        let json: Value = serde_json::from_slice(&glb[20..json_end]).unwrap();
        let binary = glb[json_end + 8..].to_vec();
        let nodes = json["nodes"].as_array().unwrap();
        let mut parents = vec![None; nodes.len()];
        for (index, node) in nodes.iter().enumerate() {
            for child in node["children"].as_array().into_iter().flatten() {
                parents[child.as_u64().unwrap() as usize] = Some(index);
            }
        }
        Self { json, binary, parents }
    }

    pub fn accessor(&self, index: &Value) -> Vec<Vec<f64>> {
        let accessor = &self.json["accessors"][index.as_u64().unwrap() as usize];
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let kind = number(&accessor["componentType"]);
        let size = match kind {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            _ => 4,
        };
        let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
        let stride = view["byteStride"].as_u64().map_or(size * width, |stride| stride as usize);
        let is_normalized = accessor["normalized"].as_bool().unwrap_or(false);
        let read = |at: usize| {
            let b = &self.binary[at..];
            let (value, largest) = match kind {
                5120 => (f64::from(b[0] as i8), 127.0),
                5121 => (f64::from(b[0]), 255.0),
                5122 => (f64::from(i16::from_le_bytes([b[0], b[1]])), 32767.0),
                5123 => (f64::from(u16::from_le_bytes([b[0], b[1]])), 65535.0),
                5125 => (f64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]])), 1.0),
                _ => (f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])), 1.0),
            };
            if is_normalized { value / largest } else { value }
        };
        (0..number(&accessor["count"]))
            .map(|row| (0..width).map(|c| read(start + row * stride + c * size)).collect())
            .collect()
    }

    pub fn node_named(&self, name: &str) -> usize {
        let nodes = self.json["nodes"].as_array().unwrap();
        nodes.iter().position(|node| node["name"] == name).unwrap()
    }

    pub fn animations(&self) -> Vec<Animation> {
        let animations = self.json["animations"].as_array().unwrap().iter();
        animations
            .map(|animation| {
                let channels = animation["channels"].as_array().unwrap().iter().map(|channel| {
                    let sampler = channel["sampler"].as_u64().unwrap() as usize;
                    let sampler = &animation["samplers"][sampler];
                    let times = self.accessor(&sampler["input"]);
                    Channel {
                        node: channel["target"]["node"].as_u64().unwrap() as usize,
                        path: channel["target"]["path"].as_str().unwrap().to_owned(),
                        times: times.into_iter().map(|time| time[0]).collect(),
                        values: self.accessor(&sampler["output"]),
                        is_step: sampler["interpolation"] == "STEP",
                    }
                });
                let name = animation["name"].as_str().map(str::to_owned);
                Animation { name, channels: channels.collect() }
            })
            .collect()
    }

    /// World matrix of every node at a time of an animation, or at rest.
    pub fn worlds(&self, animation: Option<(&Animation, f64)>) -> Vec<Matrix> {
        let nodes = self.json["nodes"].as_array().unwrap();
        let locals: Vec<Matrix> = nodes
            .iter()
            .enumerate()
            .map(|(index, node)| {
                if let Some(matrix) = node["matrix"].as_array() {
                    let at = |row: usize, column: usize| matrix[4 * column + row].as_f64().unwrap();
                    return std::array::from_fn(|r| std::array::from_fn(|c| at(r, c)));
                }
                let rest = |path: &str, otherwise: &[f64]| -> Vec<f64> {
                    let values = node[path].as_array();
                    values.map_or(otherwise.to_vec(), |v| {
                        v.iter().map(|v| v.as_f64().unwrap()).collect()
                    })
                };
                let part = |path: &str, otherwise: &[f64]| {
                    animation
                        .and_then(|(animation, time)| animation.value(index, path, time))
                        .unwrap_or_else(|| rest(path, otherwise))
                };
                compose(
                    &part("translation", &[0.0; 3]),
                    &part("rotation", &[0.0, 0.0, 0.0, 1.0]),
                    &part("scale", &[1.0; 3]),
                )
            })
            .collect();
        (0..nodes.len())
            .map(|node| {
                let mut world = locals[node];
                let mut above = self.parents[node];
                while let Some(parent) = above {
                    world = product(&locals[parent], &world);
                    above = self.parents[parent];
                }
                world
            })
            .collect()
    }

    /// Where skinning puts a vertex of the first primitive of the first mesh.
    pub fn skinned(&self, vertex: usize, worlds: &[Matrix], attributes: &Attributes) -> [f64; 3] {
        let skin = &self.json["skins"][0];
        let total: f64 = attributes.weights[vertex].iter().sum();
        let mut sum = [0.0; 3];
        for slot in 0..4 {
            let joint = attributes.joints[vertex][slot] as usize;
            let node = skin["joints"][joint].as_u64().unwrap() as usize;
            let bind = &attributes.binds[joint];
            let bind = std::array::from_fn(|r| std::array::from_fn(|c| bind[4 * c + r]));
            let moved = apply(&product(&worlds[node], &bind), &attributes.positions[vertex]);
            for axis in 0..3 {
                sum[axis] += moved[axis] * attributes.weights[vertex][slot] / total;
            }
        }
        sum
    }

    pub fn attributes(&self) -> Attributes {
        let attributes = &self.json["meshes"][0]["primitives"][0]["attributes"];
        Attributes {
            positions: self.accessor(&attributes["POSITION"]),
            joints: self.accessor(&attributes["JOINTS_0"]),
            weights: self.accessor(&attributes["WEIGHTS_0"]),
            binds: self.accessor(&self.json["skins"][0]["inverseBindMatrices"]),
        }
    }
}

pub struct Attributes {
    pub positions: Vec<Vec<f64>>,
    joints: Vec<Vec<f64>>,
    weights: Vec<Vec<f64>>,
    binds: Vec<Vec<f64>>,
}

impl Animation {
    pub fn start(&self) -> f64 {
        self.channels.iter().map(|channel| channel.times[0]).fold(f64::INFINITY, f64::min)
    }

    pub fn end(&self) -> f64 {
        self.channels.iter().map(|c| c.times[c.times.len() - 1]).fold(0.0, f64::max)
    }

    fn value(&self, node: usize, path: &str, time: f64) -> Option<Vec<f64>> {
        let channel = self.channels.iter().find(|c| c.node == node && c.path == path)?;
        let last = channel.times.len() - 1;
        if time <= channel.times[0] {
            return Some(channel.values[0].clone());
        }
        if time >= channel.times[last] {
            return Some(channel.values[last].clone());
        }
        let key = (0..last).find(|&key| time < channel.times[key + 1])?;
        let (a, b) = (&channel.values[key], &channel.values[key + 1]);
        let span = channel.times[key + 1] - channel.times[key];
        let share = if channel.is_step { 0.0 } else { (time - channel.times[key]) / span };
        if path != "rotation" {
            return Some(a.iter().zip(b).map(|(a, b)| a + (b - a) * share).collect());
        }
        let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
        let (sign, angle) = (dot.signum(), dot.abs().min(1.0).acos());
        let (from, to) = if angle < 1e-6 {
            (1.0 - share, share)
        } else {
            (((1.0 - share) * angle).sin() / angle.sin(), (share * angle).sin() / angle.sin())
        };
        Some(a.iter().zip(b).map(|(a, b)| a * from + b * to * sign).collect())
    }
}

fn compose(t: &[f64], q: &[f64], s: &[f64]) -> Matrix {
    let length = q.iter().map(|v| v * v).sum::<f64>().sqrt();
    let [x, y, z, w]: [f64; 4] = std::array::from_fn(|i| q[i] / length);
    let rotation = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ];
    let mut matrix = [[0.0; 4]; 4];
    for row in 0..3 {
        for column in 0..3 {
            matrix[row][column] = rotation[row][column] * s[column];
        }
        matrix[row][3] = t[row];
    }
    matrix[3][3] = 1.0;
    matrix
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|r| std::array::from_fn(|c| (0..4).map(|k| a[r][k] * b[k][c]).sum()))
}

fn apply(m: &Matrix, p: &[f64]) -> [f64; 3] {
    std::array::from_fn(|r| m[r][0] * p[0] + m[r][1] * p[1] + m[r][2] * p[2] + m[r][3])
}
