//! Joints for a fitted body: axes, stiffness and limits.

use super::FitOptions;
use super::bone_frame;
use super::group::Groups;
use crate::weight;
use crate::{BodyJoint, BodySegment, JointKind, JointLimits, RigidPlacement};
use andante_skeleton::{JointLimit, Skeleton};
use glam::{DMat3, DQuat, DVec3};

/// Gives every segment but the root its joint.
pub(super) fn add(
    skeleton: &Skeleton,
    rest: &[RigidPlacement],
    groups: &Groups,
    options: &FitOptions,
    segments: &mut [BodySegment],
) {
    let carried = weight::carried(segments, &groups.parents, options.gravity);
    for (index, segment) in segments.iter_mut().enumerate() {
        let Some(parent) = groups.parents[index] else { continue };
        let joint = groups.joints[index];
        let stiffness = options.springs(carried[index]);
        let along = segment.mass.center;
        let limit = skeleton.joint(joint).limit;
        let (kind, frame) = match limit {
            JointLimit::Hinge { axis, .. } => {
                let axis = rest[joint].rotation * axis.as_dvec3();
                (JointKind::Hinge, hinge_frame(axis, along))
            }
            _ => (JointKind::Ball, bone_frame(along)),
        };
        segment.joint = Some(BodyJoint {
            parent,
            kind,
            frame,
            stiffness,
            damping: stiffness.map(|k| options.damping * k),
            limits: limits(&limit, rest[joint].rotation, frame, stiffness[0], options),
            torque_limit: options.torques(stiffness, carried[index]),
        });
    }
}

/// Axes with x along a hinge and y as much against the limb as that leaves.
fn hinge_frame(axis: DVec3, along: DVec3) -> DQuat {
    let x = axis.normalize_or(DVec3::X);
    let y = (-along).reject_from(x).normalize_or(x.any_orthonormal_vector());
    DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y)))
}

/// The skeleton's ranges about the joint's axes: each axis takes the range of the one it is nearest to.
fn limits(
    limit: &JointLimit,
    rest: DQuat,
    frame: DQuat,
    stiffness: f64,
    options: &FitOptions,
) -> Option<JointLimits> {
    let mut lower = [f64::NEG_INFINITY; 3];
    let mut upper = [f64::INFINITY; 3];
    let frame = DMat3::from_quat(frame);
    match limit {
        JointLimit::Free | JointLimit::Fixed => return None,
        JointLimit::Hinge { range, .. } => {
            (lower[0], upper[0]) = (f64::from(range[0]), f64::from(range[1]));
        }
        JointLimit::Ball { twist_axis, swing_axis, twist, swing_a, swing_b } => {
            let second = twist_axis.cross(*swing_axis);
            let known = [(*twist_axis, twist), (*swing_axis, swing_a), (second, swing_b)]
                .map(|(axis, range)| (rest * axis.as_dvec3(), range.map(f64::from)));
            for axis in 0..3 {
                let own = frame.col(axis);
                let nearest =
                    known.iter().max_by(|a, b| a.0.dot(own).abs().total_cmp(&b.0.dot(own).abs()));
                let Some((other, [low, high])) = nearest else { continue };
                (lower[axis], upper[axis]) =
                    if other.dot(own) > 0.0 { (*low, *high) } else { (-high, -low) };
            }
        }
    }
    // The rest pose must be inside: springs that press against a stop are no springs.
    for axis in 0..3 {
        (lower[axis], upper[axis]) = (lower[axis].min(-0.02), upper[axis].max(0.02));
    }
    let stop = options.stop * stiffness;
    Some(JointLimits { lower, upper, stiffness: stop, damping: options.damping * stop })
}
