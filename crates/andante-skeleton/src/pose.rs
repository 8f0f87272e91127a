//! One posture of a skeleton.

use crate::{Skeleton, Transform};
use std::ops::{Deref, DerefMut};

/// Placement of every joint relative to its parent at one moment.
///
/// Functions that read or write postures take slices of [`Transform`], so that a frame of a
/// [`Clip`](crate::Clip), a pose and a part of a larger buffer are all the same to them; this type is
/// the owner of such a buffer.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Pose(Vec<Transform>);

impl Pose {
    /// The skeleton's rest pose.
    pub fn rest(skeleton: &Skeleton) -> Self {
        Self(skeleton.joints().iter().map(|joint| joint.rest).collect())
    }

    /// Every joint at the identity: a buffer to be written to.
    pub fn identity(joints: usize) -> Self {
        Self(vec![Transform::IDENTITY; joints])
    }

    /// Takes over a buffer.
    pub fn from_locals(locals: Vec<Transform>) -> Self {
        Self(locals)
    }
}

impl Deref for Pose {
    type Target = [Transform];

    #[inline]
    fn deref(&self) -> &[Transform] {
        &self.0
    }
}

impl DerefMut for Pose {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Transform] {
        &mut self.0
    }
}
