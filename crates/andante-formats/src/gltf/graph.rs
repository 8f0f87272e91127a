//! The tree of nodes.

use super::accessor::missing;
use super::json::{GltfNode, Root};
use crate::ReadError;
use crate::text::shown;
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// The nodes of a document, checked to be trees.
pub(super) struct Graph {
    /// Parent of each node.
    pub parents: Vec<Option<usize>>,
    /// All nodes, each after its parent.
    pub order: Vec<usize>,
    /// Placement of each node relative to its parent, as the document gives it.
    pub rest: Vec<Local>,
    /// Whether a node is part of the scene that is shown.
    pub in_scene: Vec<bool>,
}

/// A placement in one of the two forms that glTF has.
#[derive(Clone, Copy, Debug)]
pub(super) enum Local {
    /// Scale, then rotation, then translation.
    Parts(Parts),
    /// Any affine map.
    Matrix(DAffine3),
}

/// Scale, then rotation, then translation: what animations move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
}

impl Parts {
    pub fn affine(&self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

impl Local {
    pub fn affine(&self) -> DAffine3 {
        match self {
            Self::Parts(parts) => parts.affine(),
            Self::Matrix(matrix) => *matrix,
        }
    }

    /// In a form that can be animated; a shear is lost, as the specification has it.
    pub fn parts(&self) -> Parts {
        match self {
            Self::Parts(parts) => *parts,
            Self::Matrix(matrix) => {
                let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
                let rotation =
                    if rotation.is_finite() { rotation.normalize() } else { DQuat::IDENTITY };
                Parts { translation, rotation, scale }
            }
        }
    }
}

impl Graph {
    /// Checks that the nodes form trees with finite placements.
    pub fn new(root: &Root) -> Result<Self, ReadError> {
        let count = root.nodes.len();
        let mut parents = vec![None; count];
        for (index, node) in root.nodes.iter().enumerate() {
            for &child in &node.children {
                let parent = parents.get_mut(child).ok_or_else(|| missing(name(child)))?;
                if let Some(other) = parent.replace(index) {
                    let message = format!("is a child of both nodes[{other}] and nodes[{index}]");
                    return Err(ReadError::element(name(child), message));
                }
            }
        }
        let mut order: Vec<_> = (0..count).filter(|&node| parents[node].is_none()).collect();
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            order.extend(&root.nodes[node].children);
            next += 1;
        }
        if order.len() < count {
            let mut reached = vec![false; count];
            order.iter().for_each(|&node| reached[node] = true);
            let node = reached.iter().position(|reached| !reached).unwrap_or(0);
            return Err(ReadError::element(
                name(node),
                "is its own ancestor: the nodes form a ring",
            ));
        }
        let rest = root.nodes.iter().enumerate().map(|(i, node)| local(i, node));
        let rest = rest.collect::<Result<_, _>>()?;
        let in_scene = scene_nodes(root)?;
        let mut graph = Self { parents, order, rest, in_scene: Vec::new() };
        graph.in_scene = graph.with_descendants(in_scene);
        Ok(graph)
    }

    /// Some nodes and everything below them.
    pub fn with_descendants(&self, mut nodes: Vec<bool>) -> Vec<bool> {
        for &node in &self.order {
            nodes[node] |= self.parents[node].is_some_and(|parent| nodes[parent]);
        }
        nodes
    }

    /// Some nodes and everything above them.
    pub fn with_ancestors(&self, mut nodes: Vec<bool>) -> Vec<bool> {
        for &node in self.order.iter().rev() {
            if let (true, Some(parent)) = (nodes[node], self.parents[node]) {
                nodes[parent] = true;
            }
        }
        nodes
    }
}

/// The topmost nodes of the scene to show: the default one, or else the first, or else all nodes.
fn scene_nodes(root: &Root) -> Result<Vec<bool>, ReadError> {
    let index = root.scene.unwrap_or(0);
    let mut shown = vec![false; root.nodes.len()];
    match root.scenes.get(index) {
        Some(scene) => {
            for &node in &scene.nodes {
                *shown.get_mut(node).ok_or_else(|| missing(name(node)))? = true;
            }
        }
        None if root.scene.is_none() => shown.fill(true),
        None => return Err(missing(format!("scenes[{index}]"))),
    }
    Ok(shown)
}

fn local(index: usize, node: &GltfNode) -> Result<Local, ReadError> {
    let fail = |what: &str| {
        let given = node.name.as_deref().map(|given| format!(" (`{}`)", shown(given.as_bytes())));
        ReadError::element(format!("{}{}", name(index), given.unwrap_or_default()), what)
    };
    if let Some(m) = &node.matrix {
        if !m.iter().all(|value| value.is_finite()) {
            return Err(fail("the matrix is not finite"));
        }
        let linear =
            DMat3::from_cols_slice(&[m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]]);
        let translation = DVec3::new(m[12], m[13], m[14]);
        return Ok(Local::Matrix(DAffine3::from_mat3_translation(linear, translation)));
    }
    let translation = DVec3::from(node.translation.unwrap_or_default());
    let scale = DVec3::from(node.scale.unwrap_or([1.0; 3]));
    let rotation = DQuat::from_array(node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]));
    if !(translation.is_finite() && scale.is_finite() && rotation.is_finite()) {
        return Err(fail("the placement is not finite"));
    }
    let length = rotation.length();
    if !(length.is_finite() && length > 1e-6) {
        return Err(fail("the rotation is not a quaternion of length 1"));
    }
    Ok(Local::Parts(Parts { translation, rotation: rotation * length.recip(), scale }))
}

fn name(index: usize) -> String {
    format!("nodes[{index}]")
}
