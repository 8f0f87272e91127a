//! Which nodes are joints.

use super::accessor::missing;
use super::graph::Graph;
use super::json::{Property, Root};
use crate::text::{UniqueNames, shown};
use crate::{ReadError, Warning};
use andante_skeleton::Skeleton;

/// The nodes that become joints, in the order of the skeleton.
#[derive(Default)]
pub(super) struct NodeJoints {
    /// The node of each joint; none for a root that joins separate trees.
    pub nodes: Vec<Option<usize>>,
    /// The parent joint of each joint.
    pub parents: Vec<Option<usize>>,
    /// Unique names.
    pub names: Vec<String>,
    /// The joint of each node that is one.
    pub of_node: Vec<Option<usize>>,
    /// The joint that each node is or hangs on.
    pub carriers: Vec<Option<usize>>,
}

impl NodeJoints {
    /// Joints are the joints of all skins, animated nodes below them, and every node between two
    /// of these. In a document without skins the animated nodes are joints, and in one without
    /// animations and meshes all nodes.
    ///
    /// Separate trees are joined at their lowest common ancestor, or else by a new root at the
    /// origin.
    pub fn choose(
        root: &Root,
        graph: &Graph,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, ReadError> {
        let wanted = wanted(root, graph, warnings)?;
        let mut inside = graph.with_descendants(wanted.clone());
        let has_parent_inside = |node: usize| graph.parents[node].is_some_and(|p| inside[p]);
        let is_top = |node: &usize| wanted[*node] && !has_parent_inside(*node);
        let tops: Vec<_> = graph.order.iter().copied().filter(is_top).collect();
        let common = common_ancestor(graph, &tops);
        if let Some(common) = common {
            inside[common] = true;
            inside = graph.with_descendants(inside);
        }
        // Between two wanted nodes: below one and above one.
        let above = graph.with_ancestors(wanted);
        let is_joint = |node: usize| inside[node] && above[node];

        let mut joints = Self { of_node: vec![None; root.nodes.len()], ..Self::default() };
        let mut names = UniqueNames::default();
        let mut renamed: Option<String> = None;
        let mut renamed_count = 0;
        // Depth first; the stack holds nodes with the joint they hang on.
        let mut stack: Vec<(usize, Option<usize>)> = match common {
            Some(common) => vec![(common, None)],
            None => {
                joints.push(None, None, names.claim("root".into()));
                tops.iter().rev().map(|&top| (top, Some(0))).collect()
            }
        };
        while let Some((node, parent)) = stack.pop() {
            let given = root.nodes[node].name.clone().unwrap_or_else(|| format!("node_{node}"));
            let name = names.claim(given.clone());
            if name != given {
                let [from, to] = [&given, &name].map(|name| shown(name.as_bytes()));
                renamed.get_or_insert_with(|| format!("`{from}` is now `{to}`"));
                renamed_count += 1;
            }
            let joint = joints.push(Some(node), parent, name);
            joints.of_node[node] = Some(joint);
            if joints.nodes.len() > Skeleton::MAX_JOINTS {
                let message = format!("more than {} joints", Skeleton::MAX_JOINTS);
                return Err(ReadError::file(message));
            }
            let children = root.nodes[node].children.iter().rev();
            stack.extend(children.filter(|&&c| is_joint(c)).map(|&c| (c, Some(joint))));
        }
        if let Some(first) = renamed {
            let message = format!("{renamed_count} joints had the name of another one: {first}");
            warnings.push(Warning::new(message));
        }
        joints.carriers = joints.of_node.clone();
        for &node in &graph.order {
            let inherited = graph.parents[node].and_then(|parent| joints.carriers[parent]);
            joints.carriers[node] = joints.carriers[node].or(inherited);
        }
        Ok(joints)
    }

    fn push(&mut self, node: Option<usize>, parent: Option<usize>, name: String) -> usize {
        self.nodes.push(node);
        self.parents.push(parent);
        self.names.push(name);
        self.nodes.len() - 1
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }
}

/// The nodes that must be joints.
fn wanted(root: &Root, graph: &Graph, warnings: &mut Vec<Warning>) -> Result<Vec<bool>, ReadError> {
    let count = root.nodes.len();
    let animated = animated(root)?;
    let mut wanted = vec![false; count];
    for (index, skin) in root.skins.iter().enumerate() {
        if skin.joints.is_empty() {
            return Err(ReadError::element(format!("skins[{index}]"), "has no joints"));
        }
        for &joint in &skin.joints {
            *wanted.get_mut(joint).ok_or_else(|| missing(format!("nodes[{joint}]")))? = true;
        }
    }
    if root.skins.is_empty() {
        if animated.contains(&true) {
            return Ok(animated);
        }
        if count == 0 || !root.meshes.is_empty() {
            return Err(ReadError::file(
                "no skeleton in this file: it has no skin and no animated nodes",
            ));
        }
        return Ok(graph.in_scene.clone());
    }
    // Animated nodes below joints are joints; those above move the root; others are not ours.
    let inside = graph.with_descendants(wanted.clone());
    (0..count).for_each(|node| wanted[node] |= inside[node] && animated[node]);
    let above = graph.with_ancestors(wanted.clone());
    let stray: Vec<_> = (0..count).filter(|&node| animated[node] && !above[node]).collect();
    if let Some(&first) = stray.first() {
        let name = shown(root.nodes[first].name.as_deref().unwrap_or("without a name").as_bytes());
        warnings.push(Warning::new(format!(
            "{} animated nodes are not part of the skeleton and were left out: nodes[{first}] ({name})",
            stray.len()
        )));
    }
    Ok(wanted)
}

/// Which nodes an animation moves, turns or scales.
fn animated(root: &Root) -> Result<Vec<bool>, ReadError> {
    let mut animated = vec![false; root.nodes.len()];
    for channel in root.animations.iter().flat_map(|animation| &animation.channels) {
        let moves = !matches!(channel.target.path, Property::Weights | Property::Other);
        if let (Some(node), true) = (channel.target.node, moves) {
            *animated.get_mut(node).ok_or_else(|| missing(format!("nodes[{node}]")))? = true;
        }
    }
    Ok(animated)
}

/// The lowest node that all of these are or hang below.
fn common_ancestor(graph: &Graph, nodes: &[usize]) -> Option<usize> {
    let mut below = vec![0; graph.parents.len()];
    nodes.iter().for_each(|&node| below[node] += 1);
    for &node in graph.order.iter().rev() {
        if let Some(parent) = graph.parents[node] {
            below[parent] += below[node];
        }
    }
    graph.order.iter().rev().copied().find(|&node| below[node] == nodes.len())
}
