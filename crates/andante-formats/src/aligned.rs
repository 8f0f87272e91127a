//! Joint frames that are parallel to the world's at rest.

use andante_skeleton::{Clip, Skeleton};
use glam::{DQuat, DVec3, Quat, Vec3};

/// How the motion of any skeleton is expressed on one without rest rotations, which is all that BVH and
/// Acclaim files can hold.
///
/// Let W be a joint's rotation from the model's origin at rest. A joint frame that is parallel to the
/// world's at rest is the joint's own frame turned by W⁻¹. Relative to the parent's such frame, a local
/// rotation l becomes W_parent·l·W⁻¹ and a translation t becomes W_parent·t: at rest, where l leads from
/// W_parent to W, no rotation is left, and all joints are where they were.
pub(crate) struct AlignedRest {
    /// Per joint: its rotation at rest, and its parent's.
    rest: Vec<(DQuat, DQuat)>,
    offsets: Vec<DVec3>,
}

impl AlignedRest {
    pub fn new(skeleton: &Skeleton) -> Self {
        let mut rest: Vec<(DQuat, DQuat)> = Vec::with_capacity(skeleton.len());
        for joint in skeleton.joints() {
            let parent = joint.parent.map_or(DQuat::IDENTITY, |parent| rest[parent].0);
            rest.push(((parent * joint.rest.rotation.as_dquat()).normalize(), parent));
        }
        let offsets = skeleton
            .joints()
            .iter()
            .zip(&rest)
            .map(|(joint, (_, parent))| *parent * joint.rest.translation.as_dvec3())
            .collect();
        Self { rest, offsets }
    }

    /// From the parent to the joint at rest.
    pub fn offset(&self, joint: usize) -> DVec3 {
        self.offsets[joint]
    }

    /// A point in the joint's frame.
    pub fn tip(&self, joint: usize, tip: Vec3) -> DVec3 {
        self.rest[joint].0 * tip.as_dvec3()
    }

    /// A translation relative to the parent.
    pub fn translation(&self, joint: usize, local: Vec3) -> DVec3 {
        self.rest[joint].1 * local.as_dvec3()
    }

    /// A rotation relative to the parent.
    pub fn rotation(&self, joint: usize, local: Quat) -> DQuat {
        let (own, parent) = self.rest[joint];
        (parent * local.as_dquat() * own.conjugate()).normalize()
    }
}

/// Which joints a clip moves away from their place at rest relative to their parents. The root counts
/// as moved.
///
/// # Panics
/// If the clip has another number of joints than the skeleton.
pub(crate) fn translating_joints(skeleton: &Skeleton, clip: &Clip) -> Vec<bool> {
    /// Less than a micrometre is rounding.
    const STILL: f32 = 1e-6;
    assert_eq!(clip.joint_count(), skeleton.len(), "the clip is one of another skeleton");
    let mut moved = vec![false; skeleton.len()];
    moved[0] = true;
    for frame in clip.frames() {
        for ((moved, local), joint) in moved.iter_mut().zip(frame).zip(skeleton.joints()) {
            *moved |= !local.translation.abs_diff_eq(joint.rest.translation, STILL);
        }
    }
    moved
}
