//! How far joints rotate.

use glam::Vec3;

/// The rotations a joint can make, relative to its rest rotation, in the joint's own frame.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum JointLimit {
    /// Any rotation.
    #[default]
    Free,
    /// None at all.
    Fixed,
    /// About one axis.
    Hinge {
        /// Unit axis; positive angles follow the right hand.
        axis: Vec3,
        /// Smallest and largest angle in radians.
        range: [f32; 2],
    },
    /// A ball and socket: the bone swings within a cone whose cross-section is an ellipse per
    /// quadrant, and twists about itself.
    Ball {
        /// Unit axis along the bone, about which it twists.
        twist_axis: Vec3,
        /// Unit axis across the bone that `swing_a` turns about; the second swing axis is
        /// `twist_axis × swing_axis`.
        swing_axis: Vec3,
        /// Smallest and largest twist in radians.
        twist: [f32; 2],
        /// Smallest (at most 0) and largest (at least 0) swing about `swing_axis` in radians.
        swing_a: [f32; 2],
        /// Smallest and largest swing about the second swing axis, likewise.
        swing_b: [f32; 2],
    },
}
