//! The tree of joints and its rest pose.

use crate::{JointLimit, Transform};
use glam::Vec3;
use std::ops::Range;
use thiserror::Error;

/// One joint of a [`Skeleton`].
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Name as the artist or the file gave it; unique within a skeleton.
    pub name: String,
    /// Index of the parent joint; `None` for the root alone.
    pub parent: Option<usize>,
    /// Placement relative to the parent in the rest pose.
    pub rest: Transform,
    /// Where the bone ends, in this joint's frame, for a joint that has no child to show it: a toe
    /// tip, a finger tip, the crown of the head (an "end site").
    pub tip: Option<Vec3>,
    /// How far the joint can rotate away from its rest pose.
    pub limit: JointLimit,
}

impl Joint {
    /// A joint without rest rotation, tip or limits.
    pub fn new(name: impl Into<String>, parent: Option<usize>, offset: Vec3) -> Self {
        Self {
            name: name.into(),
            parent,
            rest: Transform::from_translation(offset),
            tip: None,
            limit: JointLimit::Free,
        }
    }
}

/// An error that keeps a list of joints from being a skeleton.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SkeletonError {
    /// The list is empty.
    #[error("a skeleton needs at least one joint")]
    Empty,
    /// More joints than [`Skeleton::MAX_JOINTS`].
    #[error("{0} joints; a skeleton has at most {max}", max = Skeleton::MAX_JOINTS)]
    TooMany(usize),
    /// The first joint has a parent, or another joint has none.
    #[error("joint `{0}`: exactly the first joint must be without a parent")]
    Root(String),
    /// Joints are not in depth-first order.
    #[error("joint `{0}` is out of order: joints must come depth first, each after its parent")]
    Order(String),
    /// Two joints have the same name.
    #[error("two joints are named `{0}`")]
    Duplicate(String),
    /// A rest transform or tip is not finite, or a rest rotation is no rotation.
    #[error("joint `{0}` has a rest pose that is not finite")]
    NonFinite(String),
}

/// A tree of joints in depth-first order (parents first), with its rest pose.
///
/// The order and the names are checked once, here, so that nothing that runs per frame has to.
///
/// ```
/// use andante_skeleton::{Joint, Skeleton};
/// use glam::Vec3;
///
/// let arm = Skeleton::new(vec![
///     Joint::new("shoulder", None, Vec3::ZERO),
///     Joint::new("elbow", Some(0), Vec3::new(0.3, 0.0, 0.0)),
///     Joint::new("wrist", Some(1), Vec3::new(0.25, 0.0, 0.0)),
/// ])?;
/// assert_eq!(arm.find("wrist"), Some(2));
/// assert_eq!(arm.children(0).collect::<Vec<_>>(), [1]);
/// # Ok::<(), andante_skeleton::SkeletonError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
    /// Parent of each joint; the root's entry is 0 and never read.
    parents: Vec<u16>,
    /// What each joint is for, where the file that it comes from says so; empty where it says nothing at all.
    said_roles: Vec<Option<String>>,
}

impl Skeleton {
    /// More joints than any rig in use; file readers refuse larger ones.
    pub const MAX_JOINTS: usize = 16_384;

    /// Checks the joints and takes them over; rest rotations are normalised.
    pub fn new(mut joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        for joint in &mut joints {
            let length = joint.rest.rotation.length();
            if !(length.is_finite() && length > 1e-6) {
                return Err(SkeletonError::NonFinite(joint.name.clone()));
            }
            joint.rest.rotation *= length.recip();
        }
        let first = joints.first().ok_or(SkeletonError::Empty)?;
        if first.parent.is_some() {
            return Err(SkeletonError::Root(first.name.clone()));
        }
        if joints.len() > Self::MAX_JOINTS {
            return Err(SkeletonError::TooMany(joints.len()));
        }
        // The chain from the root to the joint before: a depth-first order hangs the next joint on it.
        let mut chain = vec![0];
        let mut names = std::collections::HashSet::with_capacity(joints.len());
        for (index, joint) in joints.iter().enumerate() {
            if index > 0 {
                let parent = joint.parent.ok_or_else(|| SkeletonError::Root(joint.name.clone()))?;
                while chain.last().is_some_and(|&last| last != parent) {
                    chain.pop();
                }
                if chain.is_empty() {
                    return Err(SkeletonError::Order(joint.name.clone()));
                }
                chain.push(index);
            }
            if !names.insert(joint.name.as_str()) {
                return Err(SkeletonError::Duplicate(joint.name.clone()));
            }
            if !joint.rest.is_finite() || joint.tip.is_some_and(|tip| !tip.is_finite()) {
                return Err(SkeletonError::NonFinite(joint.name.clone()));
            }
        }
        let parents = joints.iter().map(|joint| joint.parent.unwrap_or(0) as u16).collect();
        Ok(Self { joints, parents, said_roles: Vec::new() })
    }

    /// The same with what each joint is for, in words such as `leftUpperLeg`: whoever looks for roles believes them before
    /// names. Joints beyond the list, and those with none, have no role that is worth one.
    pub fn with_said_roles(mut self, mut roles: Vec<Option<String>>) -> Self {
        if roles.iter().any(Option::is_some) {
            roles.resize(self.joints.len(), None);
            self.said_roles = roles;
        }
        self
    }

    /// True where it was said what joints are for.
    pub fn has_said_roles(&self) -> bool {
        !self.said_roles.is_empty()
    }

    /// The role that a joint is said to have.
    pub fn said_role(&self, index: usize) -> Option<&str> {
        self.said_roles.get(index)?.as_deref()
    }

    /// Number of joints; at least 1.
    #[inline]
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Always false: a skeleton has a root.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// All joints, parents first.
    #[inline]
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// One joint.
    #[inline]
    pub fn joint(&self, index: usize) -> &Joint {
        &self.joints[index]
    }

    /// The parent's index, or `None` for the root.
    #[inline]
    pub fn parent(&self, index: usize) -> Option<usize> {
        (index > 0).then(|| usize::from(self.parents[index]))
    }

    /// The joint with exactly this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// The joints that hang directly on this one, in order.
    pub fn children(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        (index + 1..self.len()).filter(move |&child| usize::from(self.parents[child]) == index)
    }

    /// This joint and everything below it: a contiguous range, because the order is depth first.
    pub fn subtree(&self, index: usize) -> std::ops::Range<usize> {
        let end = (index + 1..self.len())
            .find(|&other| usize::from(self.parents[other]) < index)
            .unwrap_or(self.len());
        index..if index == 0 { self.len() } else { end }
    }

    /// From this joint up to and including the root.
    pub fn ancestors(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(index), |&joint| self.parent(joint))
    }

    /// Placement of every joint in the rest pose, seen from the model's origin.
    pub fn rest_models(&self) -> Vec<Transform> {
        let locals: Vec<_> = self.joints.iter().map(|joint| joint.rest).collect();
        let mut models = locals.clone();
        self.local_to_model(&locals, &mut models);
        models
    }

    /// Turns placements relative to the parent into placements relative to the model's origin.
    ///
    /// # Panics
    /// If a slice is shorter than the skeleton.
    #[inline]
    pub fn local_to_model(&self, locals: &[Transform], models: &mut [Transform]) {
        self.local_to_model_in(0..self.len(), locals, models);
    }

    /// The same for the joints of a range alone; those they hang on have their places already.
    ///
    /// # Panics
    /// If a slice is shorter than the skeleton.
    #[inline]
    pub fn local_to_model_in(
        &self,
        joints: Range<usize>,
        locals: &[Transform],
        models: &mut [Transform],
    ) {
        let count = self.len();
        let (locals, models) = (&locals[..count], &mut models[..count]);
        if joints.start == 0 && joints.end > 0 {
            models[0] = locals[0];
        }
        for joint in joints.start.max(1)..joints.end.min(count) {
            models[joint] = models[usize::from(self.parents[joint])] * locals[joint];
        }
    }

    /// [`Skeleton::local_to_model`] but for a range of joints that no other joint hangs on.
    ///
    /// # Panics
    /// If a slice is shorter than the skeleton, or the range is longer.
    #[inline]
    pub fn local_to_model_but(
        &self,
        left_out: &Range<usize>,
        locals: &[Transform],
        models: &mut [Transform],
    ) {
        self.local_to_model_in(0..left_out.start, locals, models);
        self.local_to_model_in(left_out.end..self.len(), locals, models);
    }

    /// The inverse of [`Skeleton::local_to_model`].
    ///
    /// # Panics
    /// If a slice is shorter than the skeleton.
    pub fn model_to_local(&self, models: &[Transform], locals: &mut [Transform]) {
        let count = self.len();
        let (models, locals) = (&models[..count], &mut locals[..count]);
        locals[0] = models[0];
        for joint in 1..count {
            locals[joint] = models[usize::from(self.parents[joint])].inverse() * models[joint];
        }
    }

    /// Lower and upper corner of the rest pose, tips included.
    pub fn rest_bounds(&self) -> (Vec3, Vec3) {
        let models = self.rest_models();
        let mut low = models[0].translation;
        let mut high = low;
        for (joint, model) in self.joints.iter().zip(&models) {
            let tip = joint.tip.map(|tip| model.transform_point(tip));
            for point in std::iter::once(model.translation).chain(tip) {
                low = low.min(point);
                high = high.max(point);
            }
        }
        (low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    fn joint(name: &str, parent: Option<usize>) -> Joint {
        Joint::new(name, parent, Vec3::Y)
    }

    #[test]
    fn trees_that_are_none_are_refused_by_name() {
        let refused = |joints: Vec<Joint>| Skeleton::new(joints).unwrap_err();
        assert_eq!(refused(vec![]), SkeletonError::Empty);
        assert_eq!(refused(vec![joint("a", Some(0))]), SkeletonError::Root("a".into()));
        assert_eq!(
            refused(vec![joint("a", None), joint("b", None)]),
            SkeletonError::Root("b".into())
        );
        assert_eq!(
            refused(vec![joint("a", None), joint("b", Some(1))]),
            SkeletonError::Order("b".into())
        );
        // Breadth first: the second child comes before the first one's child.
        let breadth =
            vec![joint("a", None), joint("b", Some(0)), joint("c", Some(0)), joint("d", Some(1))];
        assert_eq!(refused(breadth), SkeletonError::Order("d".into()));
        assert_eq!(
            refused(vec![joint("a", None), joint("a", Some(0))]),
            SkeletonError::Duplicate("a".into())
        );
    }

    #[test]
    fn rest_rotations_become_rotations_or_are_refused() {
        let mut long = joint("a", None);
        long.rest.rotation = Quat::from_xyzw(0.0, 3.0, 0.0, 3.0);
        assert!(Skeleton::new(vec![long.clone()]).unwrap().joint(0).rest.rotation.is_normalized());
        for bad in [Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0)] {
            long.rest.rotation = bad;
            assert_eq!(
                Skeleton::new(vec![long.clone()]),
                Err(SkeletonError::NonFinite("a".into()))
            );
        }
    }

    #[test]
    fn subtrees_are_ranges() {
        let joints = vec![
            joint("root", None),
            joint("left", Some(0)),
            joint("left hand", Some(1)),
            joint("right", Some(0)),
            joint("right hand", Some(3)),
        ];
        let skeleton = Skeleton::new(joints).unwrap();
        assert_eq!(skeleton.subtree(0), 0..5);
        assert_eq!(skeleton.subtree(1), 1..3);
        assert_eq!(skeleton.subtree(3), 3..5);
        assert_eq!(skeleton.subtree(4), 4..5);
        assert_eq!(skeleton.ancestors(4).collect::<Vec<_>>(), [4, 3, 0]);
        assert_eq!(skeleton.children(0).collect::<Vec<_>>(), [1, 3]);
    }

    #[test]
    fn model_to_local_undoes_local_to_model() {
        let skeleton = crate::humanoid().skeleton;
        let mut locals = crate::Pose::rest(&skeleton);
        for (index, local) in locals.iter_mut().enumerate() {
            local.rotation = crate::rotation::exp(Vec3::new(0.3, -0.2, 0.1) * index as f32 * 0.2);
        }
        let mut models = locals.clone();
        skeleton.local_to_model(&locals, &mut models);
        let mut back = models.clone();
        skeleton.model_to_local(&models, &mut back);
        for (a, b) in locals.iter().zip(back.iter()) {
            assert!(a.translation.abs_diff_eq(b.translation, 1e-5));
            assert!(crate::rotation::angle_between(a.rotation, b.rotation) < 1e-5);
        }
    }
}
