//! What holds a segment to its parent.

use glam::{DMat3, DQuat, DVec3};

/// How a segment turns on its parent, and what resists.
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

/// Which rotations a joint lets through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// All three.
    Ball,
    /// About the x axis of the joint's frame alone.
    Hinge,
}

/// How far a joint turns before soft stops push it back.
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

impl BodyJoint {
    /// How many degrees of freedom it has.
    pub fn dof(&self) -> usize {
        match self.kind {
            JointKind::Ball => 3,
            JointKind::Hinge => 1,
        }
    }

    /// The axes it turns about, in the parent's frame; the first [`BodyJoint::dof`] count.
    pub fn axes(&self) -> [DVec3; 3] {
        let frame = DMat3::from_quat(self.frame);
        [frame.x_axis, frame.y_axis, frame.z_axis]
    }
}
