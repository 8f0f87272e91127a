//! A motion as places and turns in the world, read from and written to BVH by code of its own: nothing here is shared with
//! what is tested.

use glam::{DMat3, DQuat, DVec3};
use std::fmt::Write;

/// A joint of a file.
#[derive(Clone)]
pub struct Node {
    pub name: String,
    pub parent: Option<usize>,
    pub offset: DVec3,
    pub tip: Option<DVec3>,
}

/// Joints and, frame by frame, how each is turned and where it is in the world.
#[derive(Clone)]
pub struct Motion {
    pub nodes: Vec<Node>,
    pub frame_time: f64,
    pub frames: Vec<Vec<(DQuat, DVec3)>>,
}

impl Motion {
    /// Reads a file as these tools write it.
    pub fn parse(text: &str) -> Self {
        let mut words = text.split_whitespace().peekable();
        let (mut nodes, mut open): (Vec<Node>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
        let mut channels: Vec<(usize, bool, usize)> = Vec::new();
        let mut next = None;
        while let Some(word) = words.next() {
            let mut number = || words.next().unwrap().parse::<f64>().unwrap();
            match word {
                "ROOT" | "JOINT" => {
                    let parent = open.last().copied().flatten();
                    let name = words.next().unwrap().to_owned();
                    nodes.push(Node { name, parent, offset: DVec3::ZERO, tip: None });
                    next = Some(nodes.len() - 1);
                }
                "End" => next = None,
                "{" => open.push(next),
                "}" => drop(open.pop()),
                "OFFSET" => {
                    let offset = DVec3::new(number(), number(), number());
                    match open[open.len() - 1] {
                        Some(joint) => nodes[joint].offset = offset,
                        None => nodes.last_mut().unwrap().tip = Some(offset),
                    }
                }
                "CHANNELS" => {
                    for _ in 0..number() as usize {
                        let channel = words.next().unwrap().to_lowercase();
                        let axis = (channel.as_bytes()[0] - b'x') as usize;
                        let joint = open[open.len() - 1].unwrap();
                        channels.push((joint, channel.ends_with("position"), axis));
                    }
                }
                "Time:" => {
                    let frame_time = number();
                    let numbers: Vec<f64> = words.map(|word| word.parse().unwrap()).collect();
                    let frames = numbers
                        .chunks_exact(channels.len())
                        .map(|row| place(&nodes, &channels, row));
                    let frames = frames.collect();
                    return Self { nodes, frame_time, frames };
                }
                _ => {}
            }
        }
        panic!("no motion")
    }

    /// The same motion as a file: rotations in this order of axes, placed joints with positions.
    pub fn bvh(&self, order: [usize; 3]) -> String {
        let mut text = "HIERARCHY\n".to_owned();
        let mut rows = Vec::new();
        self.write_node(0, 0, order, &mut text, &mut rows);
        let _ = writeln!(
            text,
            "MOTION\nFrames: {}\nFrame Time: {}",
            self.frames.len(),
            self.frame_time
        );
        for frame in &self.frames {
            for &(joint, placed) in &rows {
                let parent =
                    self.nodes[joint].parent.map_or((DQuat::IDENTITY, DVec3::ZERO), |p| frame[p]);
                if placed {
                    let at = parent.0.inverse() * (frame[joint].1 - parent.1);
                    let _ = write!(text, "{:.6} {:.6} {:.6} ", at.x, at.y, at.z);
                }
                let angles = euler(parent.0.inverse() * frame[joint].0, order);
                let _ = write!(text, "{:.5} {:.5} {:.5} ", angles[0], angles[1], angles[2]);
            }
            text.push('\n');
        }
        text
    }

    fn write_node(
        &self,
        joint: usize,
        depth: usize,
        order: [usize; 3],
        text: &mut String,
        rows: &mut Vec<(usize, bool)>,
    ) {
        let (node, pad) = (&self.nodes[joint], "  ".repeat(depth));
        let kind = if depth == 0 { "ROOT" } else { "JOINT" };
        let o = node.offset;
        // What does not stay where its parent puts it has a place of its own.
        let placed = self.frames.iter().any(|frame| match node.parent {
            None => true,
            Some(p) => (frame[p].1 + frame[p].0 * o).distance(frame[joint].1) > 1e-3 * self.size(),
        });
        rows.push((joint, placed));
        let _ = writeln!(
            text,
            "{pad}{kind} {}\n{pad}{{\n{pad}  OFFSET {:.6} {:.6} {:.6}",
            node.name, o.x, o.y, o.z
        );
        let _ = write!(
            text,
            "{pad}  CHANNELS {}",
            if placed { "6 Xposition Yposition Zposition" } else { "3" }
        );
        for axis in order {
            let _ = write!(text, " {}rotation", ["X", "Y", "Z"][axis]);
        }
        text.push('\n');
        let children: Vec<usize> = self.children(joint).collect();
        for &child in &children {
            self.write_node(child, depth + 1, order, text, rows);
        }
        if children.is_empty() {
            let t = node.tip.unwrap_or_default();
            let _ = writeln!(
                text,
                "{pad}  End Site\n{pad}  {{\n{pad}    OFFSET {:.6} {:.6} {:.6}\n{pad}  }}",
                t.x, t.y, t.z
            );
        }
        let _ = writeln!(text, "{pad}}}");
    }

    pub fn children(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(move |&child| self.nodes[child].parent == Some(joint))
    }

    /// The longest bone, as a measure of the unit.
    fn size(&self) -> f64 {
        self.nodes.iter().skip(1).map(|node| node.offset.length()).fold(0.0, f64::max)
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        self.nodes.iter().position(|node| node.name == name)
    }

    /// Another rest pose: turns of the joints as they are now.
    pub fn rested(&mut self, turns: &[DQuat]) {
        let old = self.nodes.clone();
        for (joint, node) in self.nodes.iter_mut().enumerate() {
            if let Some(parent) = old[joint].parent {
                node.offset = turns[parent] * old[joint].offset;
            }
            node.tip = old[joint].tip.map(|tip| turns[joint] * tip);
        }
        for frame in &mut self.frames {
            for (place, turn) in frame.iter_mut().zip(turns) {
                place.0 *= turn.inverse();
            }
        }
    }

    /// Other axes: everything is described anew.
    pub fn described(&mut self, turn: DQuat) {
        for node in &mut self.nodes {
            node.offset = turn * node.offset;
            node.tip = node.tip.map(|tip| turn * tip);
        }
        for place in self.frames.iter_mut().flatten() {
            *place = (turn * place.0 * turn.inverse(), turn * place.1);
        }
    }

    /// Another place in the world, with the same rest pose.
    pub fn turned(&mut self, turn: DQuat) {
        for place in self.frames.iter_mut().flatten() {
            *place = (turn * place.0, turn * place.1);
        }
    }

    pub fn scaled(&mut self, scale: f64) {
        for node in &mut self.nodes {
            node.offset *= scale;
            node.tip = node.tip.map(|tip| tip * scale);
        }
        self.frames.iter_mut().flatten().for_each(|place| place.1 *= scale);
    }

    /// Leaves a joint out; its children hang on its parent.
    pub fn without(&mut self, name: &str) {
        let Some(gone) = self.find(name) else { return };
        let Some(parent) = self.nodes[gone].parent else { return };
        let (offset, turn) =
            (self.nodes[gone].offset, self.frames[0][parent].0.inverse() * self.frames[0][gone].0);
        for node in self.nodes.iter_mut().filter(|node| node.parent == Some(gone)) {
            node.parent = Some(parent);
            node.offset = offset + turn * node.offset;
        }
        self.nodes.remove(gone);
        for node in &mut self.nodes {
            node.parent = node.parent.map(|parent| if parent > gone { parent - 1 } else { parent });
        }
        for frame in &mut self.frames {
            frame.remove(gone);
        }
    }

    /// A joint more on a bone, part of the way to a child; in line it carries the child, else it is a leaf beside it.
    pub fn with_joint_on(&mut self, child: usize, part: f64, name: &str, in_line: bool) {
        let Some(parent) = self.nodes[child].parent else { return };
        let offset = self.nodes[child].offset * part;
        self.nodes.push(Node { name: name.into(), parent: Some(parent), offset, tip: None });
        for frame in &mut self.frames {
            let (turn, at) = frame[parent];
            frame.push((turn, at + turn * offset));
        }
        if in_line {
            let new = self.nodes.len() - 1;
            self.nodes[child].parent = Some(new);
            self.nodes[child].offset *= 1.0 - part;
        }
    }

    /// Ends of bones as joints of their own.
    pub fn with_leaves(&mut self, ending: &str) {
        for joint in 0..self.nodes.len() {
            let is_last = self.children(joint).next().is_none();
            let Some(tip) = self.nodes[joint].tip.take().filter(|_| is_last) else { continue };
            let name = format!("{}{ending}", self.nodes[joint].name);
            self.nodes.push(Node { name, parent: Some(joint), offset: tip, tip: None });
            for frame in &mut self.frames {
                let (turn, at) = frame[joint];
                frame.push((turn, at + turn * tip));
            }
        }
    }

    /// A root above the hips, at the origin or below the hips on the ground.
    pub fn with_root(&mut self, name: &str, follows: bool) {
        let hips = self.frames[0][0].1;
        for node in &mut self.nodes {
            node.parent = Some(node.parent.map_or(0, |parent| parent + 1));
        }
        self.nodes[0].offset = DVec3::new(0.0, hips.y, 0.0);
        let root = Node { name: name.into(), parent: None, offset: DVec3::ZERO, tip: None };
        self.nodes.insert(0, root);
        for frame in &mut self.frames {
            let at = frame[0].1;
            let at = if follows { DVec3::new(at.x, 0.0, at.z) } else { DVec3::ZERO };
            frame.insert(0, (DQuat::IDENTITY, at));
        }
    }
}

fn place(nodes: &[Node], channels: &[(usize, bool, usize)], row: &[f64]) -> Vec<(DQuat, DVec3)> {
    let mut locals: Vec<(DQuat, DVec3)> =
        nodes.iter().map(|node| (DQuat::IDENTITY, node.offset)).collect();
    for (&(joint, is_place, axis), &value) in channels.iter().zip(row) {
        if is_place {
            locals[joint].1[axis] = value;
        } else {
            locals[joint].0 *= DQuat::from_axis_angle(DVec3::AXES[axis], value.to_radians());
        }
    }
    let mut world: Vec<(DQuat, DVec3)> = Vec::new();
    for (node, (turn, at)) in nodes.iter().zip(locals) {
        let (above, origin) =
            node.parent.map_or((DQuat::IDENTITY, DVec3::ZERO), |parent| world[parent]);
        world.push((above * turn, origin + above * at));
    }
    world
}

/// Degrees about three different axes, the first outermost.
fn euler(turn: DQuat, [a, b, c]: [usize; 3]) -> [f64; 3] {
    let matrix = DMat3::from_quat(turn.normalize());
    let at = |row: usize, column: usize| matrix.col(column)[row];
    let sign = if (a + 1) % 3 == b { 1.0 } else { -1.0 };
    let middle = (sign * at(a, c)).clamp(-1.0, 1.0).asin();
    let first = (-sign * at(b, c)).atan2(at(c, c));
    let last = (-sign * at(a, b)).atan2(at(a, a));
    [first, middle, last].map(f64::to_degrees)
}
