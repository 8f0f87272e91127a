//! Forward kinematics with matrices in double precision, straight from the published definitions. It
//! shares no code with the readers: its own tokens, its own matrices, its own recursion.
#![allow(dead_code, clippy::unwrap_used)]

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

/// World positions of bone ends of a well-formed ASF/AMC pair with `axis` order XYZ, angles in degrees
/// and root order TX TY TZ RX RY RZ: per frame, by bone name, in the file's unit.
pub fn acclaim(asf: &str, amc: &str) -> Vec<std::collections::BTreeMap<String, Vector>> {
    #[derive(Default)]
    struct Bone {
        name: String,
        direction: Vector,
        length: f64,
        axis: Vector,
        dof: Vec<usize>,
        parent: String,
    }
    let mut bones: Vec<Bone> = Vec::new();
    let (_, body) = asf.split_once(":bonedata").unwrap();
    let (body, hierarchy) = body.split_once(":hierarchy").unwrap();
    for line in body.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let three = || std::array::from_fn(|i| words[i + 1].parse().unwrap());
        match words.first().copied() {
            Some("begin") => bones.push(Bone::default()),
            Some("name") => bones.last_mut().unwrap().name = words[1].into(),
            Some("direction") => bones.last_mut().unwrap().direction = three(),
            Some("length") => bones.last_mut().unwrap().length = words[1].parse().unwrap(),
            Some("axis") => bones.last_mut().unwrap().axis = three(),
            Some("dof") => {
                bones.last_mut().unwrap().dof = words[1..]
                    .iter()
                    .map(|dof| ["rx", "ry", "rz"].iter().position(|d| d == dof).unwrap())
                    .collect();
            }
            _ => {}
        }
    }
    // In the order of the hierarchy, which lists parents before their children's children.
    let mut order = Vec::new();
    for line in hierarchy.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        for child in words.iter().skip(1) {
            let bone = bones.iter().position(|bone| bone.name == *child).unwrap();
            bones[bone].parent = words[0].into();
            order.push(bone);
        }
    }
    let turn = |angles: &Vector| {
        multiply(&about(2, angles[2]), &multiply(&about(1, angles[1]), &about(0, angles[0])))
    };
    let mut frames = Vec::new();
    let mut values = std::collections::BTreeMap::<&str, Vec<f64>>::new();
    let mut lines = amc.lines().filter(|line| !line.starts_with(['#', ':'])).peekable();
    lines.next();
    while let Some(line) = lines.next() {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap();
        values.insert(name, words.map(|word| word.parse().unwrap()).collect());
        if lines.peek().is_some_and(|next| next.split_whitespace().count() > 1) {
            continue;
        }
        lines.next();
        let root = &values["root"];
        let mut placed = std::collections::BTreeMap::<String, (Matrix, Vector)>::new();
        let rotation = turn(&[root[3], root[4], root[5]]);
        placed.insert("root".into(), (rotation, [root[0], root[1], root[2]]));
        for &index in &order {
            let bone = &bones[index];
            let mut angles = [0.0; 3];
            for (n, &axis) in bone.dof.iter().enumerate() {
                angles[axis] = values[bone.name.as_str()][n];
            }
            let c = turn(&bone.axis);
            let local = multiply(&multiply(&c, &turn(&angles)), &transpose(&c));
            let (parent, place) = placed[&bone.parent];
            let rotation = multiply(&parent, &local);
            let vector = bone.direction.map(|component| component * bone.length);
            placed.insert(bone.name.clone(), (rotation, add(&place, &apply(&rotation, &vector))));
        }
        frames.push(placed.into_iter().map(|(name, (_, end))| (name, end)).collect());
        values.clear();
    }
    frames
}
