//! What holds a segment to its parent.

use andante_dynamics::{LinkJoint, vec3};
use glam::{DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// The joint between a segment and its parent, with its springs, dampers and stops.
///
/// The joint is at the child's origin. Its frame is fixed to the parent. With `R` the child's rotation
/// relative to the parent, `R₀` the same in the rest pose and `F` the frame, the joint's *deflection* is
/// the rotation vector of `F⁻¹·R·R₀⁻¹·F`: zero at rest, in the frame's axes. Springs pull it to zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyJoint {
    /// Index of the segment it hangs on.
    pub parent: usize,
    /// Which rotations it lets through.
    pub kind: JointKind,
    /// From the joint's axes to the parent's. By custom y is along the limb, so that a turn about y is a
    /// twist, and x is sideways, so that a turn about x bends a knee.
    pub frame: DQuat,
    /// Torque per angle of deflection about each axis of the frame, N·m/rad; not negative. A hinge has
    /// the first alone.
    pub stiffness: [f64; 3],
    /// Torque per angular velocity of the child against the parent, N·m·s/rad; not negative.
    pub damping: [f64; 3],
    /// Soft stops, if it has any.
    pub limits: Option<JointLimits>,
    /// The largest torque that muscles or motors apply about each axis, N·m.
    pub torque_limit: [f64; 3],
}

/// The kind of a joint: the rotations that it lets through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum JointKind {
    /// All three.
    #[default]
    Ball,
    /// About the x axis of the joint's frame alone.
    Hinge,
}

/// The range of a joint, at the ends of which soft stops push it back.
///
/// Angles are the components of the rotation vector of `F⁻¹·R·F`: they are measured from the design
/// pose, not from the rest pose, because anatomy does not change with posture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLimits {
    /// Smallest angle about each axis in radians.
    pub lower: [f64; 3],
    /// Largest angle about each axis in radians.
    pub upper: [f64; 3],
    /// Torque per angle beyond a limit, N·m/rad.
    pub stiffness: f64,
    /// Torque per angular velocity while beyond a limit, N·m·s/rad.
    pub damping: f64,
}

impl JointKind {
    /// As the simulation has it.
    pub(crate) fn link_joint(self) -> LinkJoint {
        match self {
            JointKind::Ball => LinkJoint::Ball,
            JointKind::Hinge => LinkJoint::Hinge(vec3(1.0, 0.0, 0.0)),
        }
    }

    /// The coordinates for a unit rotation in the joint's axes.
    pub(crate) fn set_coordinates(self, turn: DQuat, q: &mut [f64]) {
        match self {
            JointKind::Ball => q.copy_from_slice(&turn.to_array()),
            JointKind::Hinge => q[0] = 2.0 * libm::atan2(turn.x, turn.w),
        }
    }

    /// What is wrong with a rotation in the parent's axes for a joint with these of its own.
    pub(crate) fn flaw(self, turn: DQuat, axes: [DVec3; 3]) -> Option<&'static str> {
        let apart = match self {
            JointKind::Ball => 0.0,
            JointKind::Hinge => turn.xyz().cross(axes[0]).length(),
        };
        (apart > 1e-6).then_some("it turns a hinge about another axis than its own")
    }
}

impl BodyJoint {
    /// The number of its degrees of freedom.
    pub fn dof(&self) -> usize {
        self.kind.link_joint().freedoms()
    }

    /// The axes it turns about, in the parent's frame; the first [`BodyJoint::dof`] count.
    pub fn axes(&self) -> [DVec3; 3] {
        let frame = DMat3::from_quat(self.frame);
        [frame.x_axis, frame.y_axis, frame.z_axis]
    }
}
