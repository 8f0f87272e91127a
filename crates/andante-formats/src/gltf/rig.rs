//! Nodes with scale become rigid joints.

use super::graph::{Graph, Local};
use super::joints::NodeJoints;
use super::json::Root;
use super::rigid::Rigid;
use crate::text::shown;
use crate::{ReadError, ReadOptions, UpAxis};
use andante_skeleton::{Joint, JointLimit, Skeleton, Transform};
use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};

/// The joints of a document and how their nodes move them.
///
/// The world matrix of every joint is computed with all the scale that nodes have; its rigid part
/// is the joint's placement. So joints are exactly where glTF says they are, ancestors of the root
/// joint count, and scale shows up as offsets. What remains of a matrix at rest goes to the mesh.
pub(super) struct NodeRig<'a> {
    pub graph: &'a Graph,
    pub joints: NodeJoints,
    /// The joints and all nodes above them, parents first.
    pub nodes: Vec<usize>,
    /// World matrix of every node at rest, in the file's unit and axes.
    pub rest_worlds: Vec<DAffine3>,
    /// Placement of every joint at rest, in metres, Y up.
    pub rest: Vec<Rigid>,
    /// Scale and shear of every joint's world matrix at rest, still without the file's unit.
    pub residuals: Vec<DMat3>,
    /// Metres per unit of the file.
    pub scale: f64,
    /// From the file's axes to ours.
    up: DQuat,
}

impl<'a> NodeRig<'a> {
    pub fn new(
        graph: &'a Graph,
        joints: NodeJoints,
        facing: DQuat,
        options: &ReadOptions,
    ) -> Result<Self, ReadError> {
        let is_joint = joints.of_node.iter().map(Option::is_some).collect();
        let is_needed = graph.with_ancestors(is_joint);
        let mut rest_worlds = vec![DAffine3::IDENTITY; graph.parents.len()];
        graph_worlds(graph, &graph.order, &graph.rest, &mut rest_worlds);
        let up = match options.up {
            UpAxis::Y => DQuat::IDENTITY,
            UpAxis::Z => DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2),
        };
        let mut rig = Self {
            nodes: graph.order.iter().copied().filter(|&node| is_needed[node]).collect(),
            rest_worlds,
            rest: vec![Rigid::IDENTITY; joints.len()],
            residuals: vec![DMat3::IDENTITY; joints.len()],
            scale: f64::from(options.scale.unwrap_or(1.0)),
            up: up * facing,
            graph,
            joints,
        };
        for joint in 0..rig.joints.len() {
            let (rigid, residual) = rig.split(joint, &rig.rest_worlds, &graph.rest, &rig.rest);
            if !(rigid.translation.is_finite() && residual.is_finite()) {
                let name = shown(rig.joints.names[joint].as_bytes());
                let message = "the nodes above it place it at no finite position";
                return Err(ReadError::element(format!("joint `{name}`"), message));
            }
            rig.rest[joint] = rigid;
            rig.residuals[joint] = residual;
        }
        Ok(rig)
    }

    /// Placement of a joint in metres, Y up, and what its matrix has beyond it. The placement of
    /// its parent must be in `placed`.
    pub fn split(
        &self,
        joint: usize,
        worlds: &[DAffine3],
        locals: &[Local],
        placed: &[Rigid],
    ) -> (Rigid, DMat3) {
        let Some(node) = self.joints.nodes[joint] else {
            return (Rigid::IDENTITY, DMat3::IDENTITY);
        };
        let world = &worlds[node];
        let parent = self.joints.parents[joint].map_or(DQuat::IDENTITY, |p| placed[p].rotation);
        // Where a scale of zero leaves no rotation in the matrix, the node's own one counts.
        let otherwise = self.up.conjugate() * parent * locals[node].parts().rotation;
        let rigid = Rigid::nearest(world, otherwise.normalize());
        let residual = rigid.residual(world);
        let rotation = (self.up * rigid.rotation).normalize();
        let translation = self.up * rigid.translation * self.scale;
        (Rigid { rotation, translation }, residual)
    }

    /// World matrix of the node of a joint that is placed in metres, Y up: the way back from [`NodeRig::split`].
    pub fn world(&self, joint: usize, placed: &Rigid) -> DAffine3 {
        let back = self.up.conjugate();
        DAffine3 {
            matrix3: DMat3::from_quat(back * placed.rotation) * self.residuals[joint],
            translation: back * placed.translation / self.scale,
        }
    }

    /// World matrix of a node at rest, in metres, Y up.
    pub fn rest_world_in_metres(&self, node: usize) -> DAffine3 {
        let turn = DAffine3::from_quat(self.up) * DAffine3::from_scale(DVec3::splat(self.scale));
        turn * self.rest_worlds[node]
    }

    /// World matrices of the joints and the nodes above them.
    pub fn worlds(&self, locals: &[Local], worlds: &mut [DAffine3]) {
        graph_worlds(self.graph, &self.nodes, locals, worlds);
    }

    /// A placement relative to the parent joint, in single precision.
    pub fn local(&self, joint: usize, placed: &[Rigid]) -> Transform {
        let rigid = match self.joints.parents[joint] {
            Some(parent) => placed[joint].relative_to(&placed[parent]),
            None => placed[joint],
        };
        Transform::new(rigid.rotation.as_quat().normalize(), rigid.translation.as_vec3())
    }

    /// The skeleton in its rest pose. The end of a bone without a child joint is shown by a plain
    /// node that hangs on it, if there is one.
    pub fn skeleton(&self, root: &Root) -> Result<Skeleton, ReadError> {
        let mut joints: Vec<_> = (0..self.joints.len())
            .map(|joint| Joint {
                name: self.joints.names[joint].clone(),
                parent: self.joints.parents[joint],
                rest: self.local(joint, &self.rest),
                tip: None,
                limit: JointLimit::Free,
            })
            .collect();
        let mut has_child = vec![false; joints.len()];
        self.joints.parents.iter().flatten().for_each(|&parent| has_child[parent] = true);
        for joint in (0..joints.len()).filter(|&joint| !has_child[joint]) {
            joints[joint].tip = self.tip(root, joint);
        }
        Skeleton::new(joints).map_err(|error| ReadError::file(error.to_string()))
    }

    fn tip(&self, root: &Root, joint: usize) -> Option<Vec3> {
        let is_plain = |node: usize| {
            let node = &root.nodes[node];
            node.children.is_empty() && node.mesh.is_none() && node.camera.is_none()
        };
        let children = &root.nodes[self.joints.nodes[joint]?].children;
        let tip = children.iter().copied().find(|&child| is_plain(child))?;
        let tip = self.up * self.rest_worlds[tip].translation * self.scale;
        let place = &self.rest[joint];
        let tip = (place.rotation.conjugate() * (tip - place.translation)).as_vec3();
        (tip.is_finite() && tip != Vec3::ZERO).then_some(tip)
    }
}

fn graph_worlds(graph: &Graph, nodes: &[usize], locals: &[Local], worlds: &mut [DAffine3]) {
    for &node in nodes {
        let local = locals[node].affine();
        worlds[node] = match graph.parents[node] {
            Some(parent) => worlds[parent] * local,
            None => local,
        };
    }
}
