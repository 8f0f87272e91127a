//! Postures the springs pull to.

use glam::DQuat;

/// A posture in which no spring pulls (C4). Any posture can be one: muscles that are tensed evenly hold
/// a body away from where it hangs relaxed.
#[derive(Clone, Debug, PartialEq)]
pub struct RestPose {
    /// Short name, such as `crouched`.
    pub name: String,
    /// The root's orientation in the world, then every other segment's rotation relative to its parent;
    /// identities are the design pose.
    pub rotations: Vec<DQuat>,
}

impl RestPose {
    /// The design pose, of a body that gives no other.
    pub(crate) fn design(segments: usize) -> Self {
        Self { name: "default".into(), rotations: vec![DQuat::IDENTITY; segments] }
    }

    /// From orientations of all segments in the world; `parents` has one entry per segment, as
    /// [`Body::parents`](crate::Body::parents) returns.
    pub fn from_orientations(
        name: impl Into<String>,
        parents: impl Iterator<Item = Option<usize>>,
        orientations: &[DQuat],
    ) -> Self {
        let relative = |(parent, own): (Option<usize>, &DQuat)| match parent {
            Some(parent) => orientations[parent].conjugate() * *own,
            None => *own,
        };
        Self { name: name.into(), rotations: parents.zip(orientations).map(relative).collect() }
    }
}
