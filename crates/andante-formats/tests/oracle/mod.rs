//! Forward kinematics with matrices in double precision, straight from the published definitions. It
//! shares no code with the readers: its own tokens, its own matrices, its own recursion.
#![allow(dead_code)]

pub type Matrix = [[f64; 3]; 3];
pub type Vector = [f64; 3];

pub const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

pub fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

pub fn transpose(a: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| a[j][i]))
}

pub fn apply(a: &Matrix, v: &Vector) -> Vector {
    std::array::from_fn(|i| (0..3).map(|k| a[i][k] * v[k]).sum())
}

pub fn add(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| a[i] + b[i])
}

/// Rotation about X (0), Y (1) or Z (2).
pub fn about(axis: usize, degrees: f64) -> Matrix {
    let (s, c) = degrees.to_radians().sin_cos();
    match axis {
        0 => [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]],
        1 => [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]],
        _ => [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]],
    }
}

/// A node of a BVH file; end sites are nodes without channels.
struct Node {
    parent: Option<usize>,
    end_site: bool,
    offset: Vector,
    channels: Vec<(bool, usize)>,
}

/// World positions of a well-formed BVH file: per frame, per node (joints and end sites in file order),
/// in the file's unit.
pub struct Bvh {
    /// Which nodes are end sites.
    pub end_sites: Vec<bool>,
    pub frames: Vec<Vec<Vector>>,
}

pub fn bvh(text: &str) -> Bvh {
    let mut words = text.split_whitespace();
    let mut nodes: Vec<Node> = Vec::new();
    let mut stack: Vec<usize> = Vec::new();
    while let Some(word) = words.next() {
        match word {
            "ROOT" | "JOINT" | "End" => nodes.push(Node {
                parent: stack.last().copied(),
                end_site: word == "End",
                offset: [0.0; 3],
                channels: Vec::new(),
            }),
            "{" => stack.push(nodes.len() - 1),
            "}" => {
                stack.pop();
            }
            "OFFSET" => {
                let offset = std::array::from_fn(|_| words.next().unwrap().parse().unwrap());
                nodes.last_mut().unwrap().offset = offset;
            }
            "CHANNELS" => {
                let count: usize = words.next().unwrap().parse().unwrap();
                for _ in 0..count {
                    let name = words.next().unwrap();
                    let axis = "XYZ".find(&name[..1]).unwrap();
                    nodes.last_mut().unwrap().channels.push((&name[1..] == "rotation", axis));
                }
            }
            "MOTION" => break,
            _ => {}
        }
    }
    let mut values = words.skip_while(|&word| word != "Time:").skip(2);
    let mut frames = Vec::new();
    'frames: loop {
        let mut placed: Vec<(Matrix, Vector)> = Vec::with_capacity(nodes.len());
        for node in &nodes {
            let mut local = IDENTITY;
            let mut offset = node.offset;
            for &(rotation, axis) in &node.channels {
                let Some(word) = values.next() else { break 'frames };
                let value: f64 = word.parse().unwrap();
                if rotation {
                    local = multiply(&local, &about(axis, value));
                } else {
                    offset[axis] = value;
                }
            }
            let (turn, place) = node.parent.map_or((IDENTITY, [0.0; 3]), |parent| placed[parent]);
            placed.push((multiply(&turn, &local), add(&place, &apply(&turn, &offset))));
        }
        frames.push(placed.into_iter().map(|(_, place)| place).collect());
    }
    Bvh { end_sites: nodes.iter().map(|node| node.end_site).collect(), frames }
}
