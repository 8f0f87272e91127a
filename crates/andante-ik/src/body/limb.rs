//! A limb of a whole body.

use crate::{ChainError, IkTarget, Jacobian, JacobianOptions, Solver};
use andante_skeleton::{BodyPoint, JointLimit, Skeleton, Transform};
use andante_skeleton::{TwoBone, TwoBoneOptions};
use glam::{Quat, Vec3};

/// A limb: closed form where it has two bones, and where its limits allow the result.
#[derive(Clone, Debug)]
pub(super) struct SolvedLimb {
    pub joints: Vec<usize>,
    /// Everything that hangs on the limb's first joint.
    pub below: std::ops::Range<usize>,
    two_bone: Option<TwoBone>,
    jacobian: Jacobian,
    limits: Vec<(JointLimit, Quat)>,
    /// Length of the stretched limb.
    pub length: f32,
    source: Vec<Quat>,
}

impl SolvedLimb {
    pub fn new(skeleton: &Skeleton, joints: &[usize], limited: bool) -> Result<Self, ChainError> {
        let (Some(&root), Some(&end)) = (joints.first(), joints.last()) else {
            return Err(ChainError::NoEffector);
        };
        let options = JacobianOptions {
            max_iterations: 6,
            similarity: 0.0,
            limits: limited,
            ..JacobianOptions::default()
        };
        let whole = BodyPoint { joint: end, offset: Vec3::ZERO };
        let jacobian = Jacobian::new(skeleton, root, &[whole], options)?;
        let joints = jacobian.joints().to_vec();
        let two_bone = match *joints {
            [root, middle, end] => {
                TwoBone::new(skeleton, [root, middle, end], bending_axis(skeleton, middle, end))
                    .ok()
            }
            _ => None,
        };
        // Behind a closed form, the search is for the two bones alone: four unknowns or six.
        let jacobian = match (joints.as_slice(), &two_bone) {
            (&[root, middle, end], Some(_)) => {
                let offset = skeleton.joint(end).rest.translation;
                Jacobian::new(skeleton, root, &[BodyPoint { joint: middle, offset }], options)?
            }
            _ => jacobian,
        };
        let limit = |&joint: &usize| {
            let joint = skeleton.joint(joint);
            (if limited { joint.limit } else { JointLimit::Free }, joint.rest.rotation)
        };
        Ok(Self {
            below: skeleton.subtree(root),
            two_bone,
            jacobian,
            limits: joints.iter().map(limit).collect(),
            length: joints[1..]
                .iter()
                .map(|&joint| skeleton.joint(joint).rest.translation.length())
                .sum(),
            source: vec![Quat::IDENTITY; joints.len()],
            joints,
        })
    }

    /// The joint at its end.
    pub fn end(&self) -> usize {
        self.joints[self.joints.len() - 1]
    }

    /// Remembers the pose to stay close to, within its limits.
    pub fn remember(&mut self, locals: &[Transform]) {
        for ((source, &joint), (limit, rest)) in
            self.source.iter_mut().zip(&self.joints).zip(&self.limits)
        {
            *source = limit.clamp(*rest, locals[joint].rotation);
        }
    }

    /// Puts the remembered pose back.
    pub fn restore(&self, locals: &mut [Transform]) {
        for (source, &joint) in self.source.iter().zip(&self.joints) {
            locals[joint].rotation = *source;
        }
    }

    /// Reaches for a target from the remembered pose. `models` must be up to date, and is so
    /// afterwards for the limb's own joints.
    pub fn reach(
        &mut self,
        target: &IkTarget,
        options: &TwoBoneOptions,
        locals: &mut [Transform],
        models: &mut [Transform],
    ) {
        let Some(two_bone) = &self.two_bone else {
            self.jacobian.solve(&[*target], locals, models);
            return;
        };
        match target.rotation {
            Some(rotation) => {
                let place = Transform::new(rotation, target.position);
                two_bone.solve(&place, options, locals, models);
            }
            None => {
                two_bone.solve_position(target.position, options, locals, models);
            }
        }
        let (end, bones) = match self.joints.split_last() {
            Some((&end, bones)) => (end, bones),
            None => return,
        };
        let mut held_back = false;
        for (&joint, (limit, rest)) in bones.iter().zip(&self.limits) {
            let wanted = locals[joint].rotation;
            let held = limit.clamp(*rest, wanted);
            held_back |= held != wanted;
            locals[joint].rotation = held;
        }
        if held_back {
            // The swivel asks too much. From the nearest pose that is allowed, search among those
            // that are.
            let position = IkTarget::position(target.position);
            self.jacobian.solve(&[position], locals, models);
        }
        // An end that cannot turn as far as it should stays where it should be.
        let (limit, rest) = &self.limits[bones.len()];
        let above = models[bones[bones.len() - 1]];
        if let Some(rotation) = target.rotation {
            locals[end].rotation = (above.rotation.conjugate() * rotation).normalize();
        }
        locals[end].rotation = limit.clamp(*rest, locals[end].rotation);
        models[end] = above * locals[end];
    }
}

/// The axis about which a limb bends, in the model's frame at rest: that of its hinge, or across its bones.
fn bending_axis(skeleton: &Skeleton, middle: usize, end: usize) -> Vec3 {
    let models = skeleton.rest_models();
    let joint = skeleton.joint(middle);
    if let JointLimit::Hinge { axis, range } = joint.limit {
        let axis = if range[1] + range[0] >= 0.0 { axis } else { -axis };
        return models[middle].rotation * axis;
    }
    let upper = skeleton
        .parent(middle)
        .map_or(Vec3::ZERO, |parent| models[middle].translation - models[parent].translation);
    let lower = models[end].translation - models[middle].translation;
    let across = upper.cross(lower);
    if across.length() > 0.02 * upper.length() * lower.length() {
        across
    } else {
        lower.try_normalize().map_or(Vec3::X, |lower| lower.any_orthonormal_vector())
    }
}
