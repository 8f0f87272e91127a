//! How far joints rotate.

use crate::ellipse::nearest_in_ellipse;
use crate::rotation;
use glam::{Quat, Vec2, Vec3};

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

impl JointLimit {
    /// The rotation nearest to `local` that the joint can make, given its rotation at rest.
    ///
    /// Ball joints: the rotation is split into swing and twist. The twist is cut off at its range, the
    /// swing's rotation vector is moved to the nearest point of the ellipse of its quadrant. The four
    /// quarter-ellipses make one convex shape, so the result follows the input without a jump, except
    /// for swings by half a turn. Angles instead of their tangents (balance-recovery 2.3.6) let a joint swing
    /// beyond a right angle. Hinges keep the part of the rotation about their axis.
    ///
    /// Rotations that are allowed come back bit for bit.
    pub fn clamp(&self, rest: Quat, local: Quat) -> Quat {
        match *self {
            JointLimit::Free => local,
            JointLimit::Fixed => rest,
            JointLimit::Hinge { axis, range } => {
                let q = rest.conjugate() * local;
                let angle = twist_angle(q, axis);
                let held = angle.clamp(range[0], range[1].max(range[0]));
                let off_axis = q.xyz().cross(axis).length_squared();
                if held == angle && off_axis <= 1e-10 {
                    return local;
                }
                rest * Quat::from_axis_angle(axis, held)
            }
            JointLimit::Ball { twist_axis, swing_axis, twist, swing_a, swing_b } => {
                let q = rest.conjugate() * local;
                let (swing, turn) = rotation::swing_twist(q, twist_axis);
                let angle = twist_angle(turn, twist_axis);
                let held = angle.clamp(twist[0], twist[1].max(twist[0]));
                let second_axis = twist_axis.cross(swing_axis);
                let vector = rotation::log(swing);
                let lean = Vec2::new(vector.dot(swing_axis), vector.dot(second_axis));
                let inside = nearest_in_ellipse(lean, semi_axes(lean, swing_a, swing_b));
                if held == angle && inside == lean {
                    return local;
                }
                let swing = rotation::exp(swing_axis * inside.x + second_axis * inside.y);
                rest * swing * Quat::from_axis_angle(twist_axis, held)
            }
        }
    }

    /// The strain of a rotation, as a part of what its limit allows: at most 1 is inside, 0 is rest.
    pub fn strain(&self, rest: Quat, local: Quat) -> f32 {
        let part = |angle: f32, [low, high]: [f32; 2]| {
            // A range that does not hold the angle's side at all is strained by any angle.
            if angle < 0.0 { angle / low.min(-1e-3) } else { angle / high.max(1e-3) }
        };
        let q = rest.conjugate() * local;
        match *self {
            JointLimit::Free => 0.0,
            JointLimit::Fixed => rotation::log(q).length() / 1e-3,
            JointLimit::Hinge { axis, range } => {
                let across = rotation::log(q).cross(axis).length() / 1e-2;
                part(twist_angle(q, axis), range).max(across)
            }
            JointLimit::Ball { twist_axis, swing_axis, twist, swing_a, swing_b } => {
                let (swing, turn) = rotation::swing_twist(q, twist_axis);
                let swing = rotation::log(swing);
                let a = part(swing.dot(swing_axis), swing_a);
                let b = part(swing.dot(twist_axis.cross(swing_axis)), swing_b);
                part(twist_angle(turn, twist_axis), twist).max(libm::hypotf(a, b))
            }
        }
    }

    /// The axes a joint turns about, in its own frame: none, one or three.
    pub fn axes(&self) -> &[Vec3] {
        match self {
            JointLimit::Fixed => &[],
            JointLimit::Hinge { axis, .. } => std::slice::from_ref(axis),
            JointLimit::Free | JointLimit::Ball { .. } => &[Vec3::X, Vec3::Y, Vec3::Z],
        }
    }
}

/// The semi-axes of the ellipse in the quadrant of `lean`.
fn semi_axes(lean: Vec2, a: [f32; 2], b: [f32; 2]) -> Vec2 {
    let side = |angle: f32, [low, high]: [f32; 2]| {
        if angle < 0.0 { (-low).max(0.0) } else { high.max(0.0) }
    };
    Vec2::new(side(lean.x, a), side(lean.y, b))
}

/// The angle of the part of `q` about the unit `axis`, in [-π, π].
fn twist_angle(q: Quat, axis: Vec3) -> f32 {
    let along = q.xyz().dot(axis);
    let (along, w) = if q.w < 0.0 { (-along, -q.w) } else { (along, q.w) };
    2.0 * libm::atan2f(along, w)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::humanoid;
    use proptest::prelude::*;

    fn rotations() -> impl Strategy<Value = Quat> {
        (-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0)
            .prop_map(|(x, y, z)| rotation::exp(Vec3::new(x, y, z) * 1.7))
    }

    proptest! {
        #[test]
        fn a_clamped_rotation_is_within_the_limit_and_stays_when_clamped_again(q in rotations(), rest in rotations()) {
            for joint in humanoid().skeleton.joints() {
                let once = joint.limit.clamp(rest, q);
                prop_assert!(once.is_normalized());
                prop_assert!(joint.limit.strain(rest, once) < 1.001, "{} {}", joint.name, joint.limit.strain(rest, once));
                let twice = joint.limit.clamp(rest, once);
                prop_assert!(rotation::angle_between(once, twice) < 2e-3, "{}", joint.name);
            }
        }

        #[test]
        fn allowed_rotations_are_left_as_they_are(q in rotations()) {
            for joint in humanoid().skeleton.joints() {
                if joint.limit.strain(Quat::IDENTITY, q) < 0.999 {
                    let same = joint.limit.clamp(Quat::IDENTITY, q);
                    // What turns a hinge across by less than this does not strain it, and is taken away.
                    let across = if matches!(joint.limit, JointLimit::Hinge { .. }) { 1e-2 } else { 1e-3 };
                    prop_assert!(rotation::angle_between(same, q) < across);
                }
            }
        }

        #[test]
        fn small_turns_of_the_input_make_small_turns_of_the_result(q in rotations(), x in -1.0f32..1.0, y in -1.0f32..1.0, z in -1.0f32..1.0) {
            let nudged = q * rotation::exp(Vec3::new(x, y, z) * 1e-3);
            // Opposite to rest, swing and twist are not continuous.
            prop_assume!(q.w.abs() > 0.3);
            for joint in humanoid().skeleton.joints() {
                let moved = rotation::angle_between(
                    joint.limit.clamp(Quat::IDENTITY, q),
                    joint.limit.clamp(Quat::IDENTITY, nudged),
                );
                prop_assert!(moved < 0.02, "{} jumped by {moved}", joint.name);
            }
        }
    }

    #[test]
    fn each_quadrant_has_its_own_ellipse() {
        let limit = JointLimit::Ball {
            twist_axis: Vec3::Y,
            swing_axis: Vec3::X,
            twist: [-0.1, 0.2],
            swing_a: [-0.4, 0.8],
            swing_b: [-1.2, 0.6],
        };
        // The second swing axis is Y × X = −Z.
        for (x, y, a, b) in [
            (2.0, 2.0, 0.8, 0.6),
            (-2.0, 2.0, 0.4, 0.6),
            (-2.0, -2.0, 0.4, 1.2),
            (2.0, -2.0, 0.8, 1.2),
        ] {
            let q = rotation::exp(Vec3::new(x, 0.0, -y).normalize() * 2.0);
            let held = rotation::log(limit.clamp(Quat::IDENTITY, q));
            let on = (held.x / a).powi(2) + (held.z / b).powi(2);
            assert!((on - 1.0).abs() < 1e-3, "{on} in quadrant {x} {y}");
            assert!(held.x * x > 0.0 && -held.z * y > 0.0, "the quadrant is kept");
        }
    }
}
