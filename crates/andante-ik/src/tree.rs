//! The part of a skeleton that a solver moves.

use crate::align::Alignment;
use crate::{ChainError, IkTarget};
use andante_skeleton::{BodyPoint, JointLimit, Skeleton, Transform, rotation};
use glam::{Quat, Vec3};

/// The slot of a joint without a parent in the tree.
pub(crate) const NONE: usize = usize::MAX;

/// The joints between one root and several effectors, depth first as in the skeleton.
///
/// Solvers speak of slots: places in this list.
#[derive(Clone, Debug)]
pub(crate) struct EffectorTree {
    /// Skeleton index of each slot.
    pub joints: Vec<usize>,
    /// Slot of each slot's parent; [`NONE`] for the first.
    pub parents: Vec<usize>,
    /// Where the slots below each slot end.
    pub ends: Vec<usize>,
    /// The skeleton's joint above the first slot.
    pub above: Option<usize>,
    /// Rest rotation of each slot.
    pub rest: Vec<Quat>,
    /// Limit of each slot; `Free` where limits are not asked for.
    pub limits: Vec<JointLimit>,
    /// Effectors by slot.
    pub effectors: Vec<Effector>,
}

/// A point that is to be brought to a target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effector {
    pub slot: usize,
    pub offset: Vec3,
}

impl EffectorTree {
    pub fn new(
        skeleton: &Skeleton,
        root: usize,
        effectors: &[BodyPoint],
        limited: bool,
    ) -> Result<Self, ChainError> {
        if root >= skeleton.len() {
            return Err(ChainError::NoSuchJoint(root));
        }
        if effectors.is_empty() {
            return Err(ChainError::NoEffector);
        }
        let mut used = vec![false; skeleton.len()];
        for effector in effectors {
            let joint = effector.joint;
            if joint >= skeleton.len() {
                return Err(ChainError::NoSuchJoint(joint));
            }
            if !skeleton.subtree(root).contains(&joint) {
                return Err(ChainError::NotBelow { root, joint });
            }
            if !effector.offset.is_finite() {
                return Err(ChainError::OutOfRange("an effector's offset"));
            }
            for joint in skeleton.ancestors(joint).take_while(|&joint| joint >= root) {
                used[joint] = true;
            }
        }
        let joints: Vec<usize> = (0..skeleton.len()).filter(|&joint| used[joint]).collect();
        let slot = |joint: usize| joints.binary_search(&joint).unwrap_or(NONE);
        let parent = |&joint: &usize| match skeleton.parent(joint) {
            Some(parent) if joint != root => slot(parent),
            _ => NONE,
        };
        let end = |&joint: &usize| {
            let below = skeleton.subtree(joint);
            joints.partition_point(|&other| other < below.end)
        };
        let limit = |&joint: &usize| match limited {
            true => skeleton.joint(joint).limit,
            false => JointLimit::Free,
        };
        Ok(Self {
            parents: joints.iter().map(parent).collect(),
            ends: joints.iter().map(end).collect(),
            above: skeleton.parent(root),
            rest: joints.iter().map(|&joint| skeleton.joint(joint).rest.rotation).collect(),
            limits: joints.iter().map(limit).collect(),
            effectors: effectors
                .iter()
                .map(|effector| Effector { slot: slot(effector.joint), offset: effector.offset })
                .collect(),
            joints,
        })
    }

    /// Number of slots.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Rotation in the model of what a slot's local rotation is relative to.
    pub fn parent_rotation(&self, slot: usize, models: &[Transform]) -> Quat {
        self.parent_model(slot, models).rotation
    }

    fn parent_model(&self, slot: usize, models: &[Transform]) -> Transform {
        match self.parents[slot] {
            NONE => self.above.map_or(Transform::IDENTITY, |joint| models[joint]),
            parent => models[self.joints[parent]],
        }
    }

    /// Brings the models of a slot and everything below it in the tree up to date.
    pub fn update(&self, slot: usize, locals: &[Transform], models: &mut [Transform]) {
        for below in slot..self.ends[slot] {
            self.place(below, locals, models);
        }
    }

    /// Brings the model of one slot up to date.
    pub fn place(&self, slot: usize, locals: &[Transform], models: &mut [Transform]) {
        let joint = self.joints[slot];
        models[joint] = self.parent_model(slot, models) * locals[joint];
    }

    /// The position of an effector.
    pub fn point(&self, effector: usize, models: &[Transform]) -> Vec3 {
        let Effector { slot, offset } = self.effectors[effector];
        models[self.joints[slot]].transform_point(offset)
    }

    /// True if an effector hangs on a slot.
    pub fn moves(&self, slot: usize, effector: usize) -> bool {
        (slot..self.ends[slot]).contains(&self.effectors[effector].slot)
    }

    /// Sets the model rotation of a slot within its limits, without updating what is below. Returns
    /// whether the limit allowed it.
    pub fn turn_to(
        &self,
        slot: usize,
        model: Quat,
        locals: &mut [Transform],
        models: &[Transform],
    ) -> bool {
        let wanted = (self.parent_rotation(slot, models).conjugate() * model).normalize();
        let held = self.limits[slot].clamp(self.rest[slot], wanted);
        locals[self.joints[slot]].rotation = held;
        held == wanted
    }

    /// Brings every joint within its limits.
    pub fn clamp_all(&self, locals: &mut [Transform]) {
        for (slot, &joint) in self.joints.iter().enumerate() {
            let local = &mut locals[joint].rotation;
            *local = self.limits[slot].clamp(self.rest[slot], *local);
        }
    }

    /// True if there is one finite target for each effector.
    pub fn accepts(&self, targets: &[IkTarget]) -> bool {
        targets.len() == self.effectors.len() && targets.iter().all(IkTarget::is_finite)
    }

    /// Largest distance and largest angle between active targets and their effectors.
    pub fn residual(&self, targets: &[IkTarget], models: &[Transform]) -> (f32, f32) {
        let (mut distance, mut angle) = (0.0f32, 0.0f32);
        for (index, target) in targets.iter().enumerate().filter(|(_, target)| target.active()) {
            distance = distance.max(self.point(index, models).distance(target.position));
            if let Some(rotation) = target.rotation {
                let joint = self.joints[self.effectors[index].slot];
                let turn = rotation::angle_between(models[joint].rotation, rotation);
                angle = angle.max(turn);
            }
        }
        (distance, angle)
    }

    /// Length of the longest way from the root to an effector: a measure for tolerances.
    pub fn reach(&self, locals: &[Transform]) -> f32 {
        let way = |effector: &Effector| {
            let mut length = effector.offset.length();
            let mut slot = effector.slot;
            while self.parents[slot] != NONE {
                length += locals[self.joints[slot]].translation.length();
                slot = self.parents[slot];
            }
            length
        };
        self.effectors.iter().map(way).fold(0.0, f32::max)
    }
}

/// Least turn of each joint when a chain is helped out of a straight line, in radians.
const NUDGE: f32 = 0.02;

impl EffectorTree {
    /// Turns a slot as `alignment` asks, about its one axis if it is a hinge, within its limits.
    /// What is below the slot is not updated.
    pub fn align(
        &self,
        slot: usize,
        alignment: &Alignment,
        most: f32,
        locals: &mut [Transform],
        models: &[Transform],
    ) {
        let model = models[self.joints[slot]].rotation;
        let turn = match self.limits[slot] {
            JointLimit::Fixed => return,
            JointLimit::Hinge { axis, .. } => {
                let axis = model * axis;
                Quat::from_axis_angle(axis, alignment.angle_about(axis).clamp(-most, most))
            }
            JointLimit::Free | JointLimit::Ball { .. } => {
                let turn = rotation::log(alignment.rotation());
                rotation::exp(turn.clamp_length_max(most))
            }
        };
        self.turn_to(slot, turn * model, locals, models);
    }

    /// Helps a chain that is straight with its target on the near side of its end, or folded so that its end is at its
    /// root: there no turn of a joint brings the effector closer. Returns whether it was needed.
    pub fn unstick(
        &self,
        targets: &[IkTarget],
        tolerance: f32,
        locals: &mut [Transform],
        models: &mut [Transform],
    ) -> bool {
        let root = models[self.joints[0]].translation;
        let reach = self.reach(locals);
        for (index, target) in targets.iter().enumerate().filter(|(_, target)| target.active()) {
            let point = self.point(index, models);
            let (out, wanted) = (root.distance(point), root.distance(target.position));
            if point.distance(target.position) <= tolerance {
                continue;
            }
            if out > 0.999 * reach && wanted < 0.999 * reach {
                // About half of what two equal bones would need.
                self.bend(libm::acosf(wanted / reach).max(NUDGE), locals, models);
                return true;
            }
            if out < 0.02 * reach && wanted > 0.04 * reach {
                self.unfold(index, target.position - root, locals, models);
                return true;
            }
        }
        false
    }

    /// Bends every joint by an angle, to the side with more room: out of a straight line.
    fn bend(&self, angle: f32, locals: &mut [Transform], models: &mut [Transform]) {
        for slot in 1..self.len() {
            let joint = self.joints[slot];
            let axis = match self.limits[slot] {
                JointLimit::Fixed => continue,
                JointLimit::Hinge { axis, range } if range[1] + range[0] < 0.0 => -axis,
                JointLimit::Hinge { axis, .. } => axis,
                _ => Vec3::X,
            };
            let turned = locals[joint].rotation * Quat::from_axis_angle(axis, angle);
            locals[joint].rotation = self.limits[slot].clamp(self.rest[slot], turned);
        }
        self.update(0, locals, models);
    }

    /// The rest pose, turned as a whole so that an effector lies in a direction.
    fn unfold(
        &self,
        effector: usize,
        direction: Vec3,
        locals: &mut [Transform],
        models: &mut [Transform],
    ) {
        for (&joint, &rest) in self.joints.iter().zip(&self.rest) {
            locals[joint].rotation = rest;
        }
        self.update(0, locals, models);
        let root = models[self.joints[0]];
        let own = self.point(effector, models) - root.translation;
        let arc =
            Quat::from_rotation_arc(own.normalize_or(Vec3::Y), direction.normalize_or(Vec3::Y));
        self.turn_to(0, arc * root.rotation, locals, models);
        self.update(0, locals, models);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::humanoid;

    #[test]
    fn paths_to_several_effectors_share_their_joints() {
        let human = humanoid();
        let hands: Vec<BodyPoint> = human
            .rig
            .arms
            .iter()
            .map(|arm| BodyPoint { joint: arm.chain[2], offset: Vec3::ZERO })
            .collect();
        let tree = EffectorTree::new(&human.skeleton, human.rig.spine[0], &hands, true).unwrap();
        // Three joints of the spine, then collar bone, two arm bones and hand on each side.
        assert_eq!(tree.len(), 3 + 4 + 4);
        assert_eq!(tree.above, Some(human.rig.hips));
        assert!(tree.moves(0, 0) && tree.moves(0, 1));
        assert!(tree.moves(3, 0) && !tree.moves(3, 1));
    }

    #[test]
    fn effectors_that_do_not_hang_on_the_root_are_refused() {
        let human = humanoid();
        let skeleton = &human.skeleton;
        let leg = &human.rig.feet[0].leg;
        let point = |joint| BodyPoint { joint, offset: Vec3::ZERO };
        let new = |root, points: &[BodyPoint]| {
            EffectorTree::new(skeleton, root, points, true).map(|_| ())
        };
        let head = human.rig.head.unwrap();
        assert_eq!(new(leg[0], &[]), Err(ChainError::NoEffector));
        assert_eq!(new(999, &[point(0)]), Err(ChainError::NoSuchJoint(999)));
        assert_eq!(new(0, &[point(999)]), Err(ChainError::NoSuchJoint(999)));
        let refused = ChainError::NotBelow { root: leg[0], joint: head };
        assert_eq!(new(leg[0], &[point(head)]), Err(refused));
        let odd = BodyPoint { joint: leg[2], offset: Vec3::NAN };
        assert_eq!(new(leg[0], &[odd]), Err(ChainError::OutOfRange("an effector's offset")));
    }
}
