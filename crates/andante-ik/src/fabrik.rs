//! Forward and backward reaching, for chains and trees, with limits.

use crate::align::Alignment;
use crate::ccd::ANGLE;
use crate::tree::{EffectorTree, NONE};
use crate::{ChainError, IkReport, IkTarget, Solver};
use andante_skeleton::{BodyPoint, JointLimit, Skeleton, Transform};
use glam::{Quat, Vec3};

andante_skeleton::settings! {
    /// Options of a [`Fabrik`].
    pub struct FabrikOptions: Copy {
        /// Most pairs of passes.
        max_iterations: usize = 100, 0..=10_000;
        /// Distance that counts as reached, as a fraction of the chain's length.
        tolerance: f32 = 1e-4, 1e-6..=0.1;
        /// Whether the joints' limits are kept. Strong limits make the method slow, or stop it short of its
        /// target.
        limits: bool = true;
    }
}

/// Forward and backward reaching inverse kinematics (A. Aristidou and J. Lasenby 2011) over a chain, or a
/// tree with several effectors.
///
/// The inward pass places the effectors at their targets and drags the joints behind them; where
/// branches meet, their wishes are averaged by weight. The outward pass starts at the root, which
/// stays, and turns each joint towards where the inward pass left its children. It works with rotations:
/// a joint is turned within its limits *before* its children are placed, so limits and bone
/// lengths hold by construction, and a joint with several children moves them as one body.
#[derive(Clone, Debug)]
pub struct Fabrik {
    tree: EffectorTree,
    options: FabrikOptions,
    /// Where the inward pass wants each slot, and how much.
    wanted: Vec<(Vec3, f32)>,
    /// Placement of slots relative to one above them.
    relative: Vec<Transform>,
    /// The best pose so far: with limits, a pass may lead away from the target.
    best: Vec<Quat>,
}

impl Fabrik {
    /// For the joints from `root` down to the effectors' joints.
    pub fn new(
        skeleton: &Skeleton,
        root: usize,
        effectors: &[BodyPoint],
        options: FabrikOptions,
    ) -> Result<Self, ChainError> {
        options.check()?;
        let tree = EffectorTree::new(skeleton, root, effectors, options.limits)?;
        let wanted = vec![(Vec3::ZERO, 0.0); tree.len()];
        let relative = vec![Transform::IDENTITY; tree.len()];
        let best = vec![Quat::IDENTITY; tree.len()];
        Ok(Self { tree, options, wanted, relative, best })
    }

    /// From the tips to the root: where each joint would have to be.
    fn inward(&mut self, targets: &[IkTarget], locals: &[Transform], models: &[Transform]) {
        let tree = &self.tree;
        self.wanted.fill((Vec3::ZERO, 0.0));
        for (effector, target) in tree.effectors.iter().zip(targets).filter(|(_, t)| t.active()) {
            let joint = tree.joints[effector.slot];
            let place = match target.rotation {
                Some(rotation) => target.position - rotation * effector.offset,
                None => {
                    let back = models[joint].translation - target.position;
                    at_distance(target.position, back, effector.offset.length())
                }
            };
            let (sum, weight) = &mut self.wanted[effector.slot];
            *sum += place * target.weight;
            *weight += target.weight;
        }
        for slot in (0..tree.len()).rev() {
            let (sum, weight) = self.wanted[slot];
            if weight <= 0.0 {
                continue;
            }
            let place = sum / weight;
            self.wanted[slot] = (place, weight);
            let parent = tree.parents[slot];
            if parent != NONE {
                let back = models[tree.joints[parent]].translation - place;
                let bone = locals[tree.joints[slot]].translation.length();
                let (sum, total) = &mut self.wanted[parent];
                *sum += at_distance(place, back, bone) * weight;
                *total += weight;
            }
        }
    }

    /// From the root to the tips: each joint turned towards what is wanted of its children, and beyond
    /// hinges also of theirs: the plane in which a knee bends is the hip's to choose.
    fn outward(
        &mut self,
        targets: &[IkTarget],
        locals: &mut [Transform],
        models: &mut [Transform],
    ) {
        for slot in 0..self.tree.len() {
            self.tree.place(slot, locals, models);
            let fixed = self.orientation(slot, targets);
            match fixed {
                Some(rotation) => {
                    self.tree.turn_to(slot, rotation, locals, models);
                }
                None => {
                    let asked = self.alignment(slot, targets, locals, models);
                    self.tree.align(slot, &asked, std::f32::consts::PI, locals, models);
                }
            }
            self.tree.place(slot, locals, models);
        }
    }

    /// The orientation asked of a slot.
    fn orientation(&self, slot: usize, targets: &[IkTarget]) -> Option<Quat> {
        let own = self.tree.effectors.iter().zip(targets);
        own.filter(|(effector, target)| effector.slot == slot && target.active())
            .find_map(|(_, target)| target.rotation)
    }

    /// What a slot is asked to do for the slots that hang on it alone.
    fn alignment(
        &mut self,
        slot: usize,
        targets: &[IkTarget],
        locals: &[Transform],
        models: &[Transform],
    ) -> Alignment {
        let tree = &self.tree;
        let Transform { rotation: own, translation: pivot } = models[tree.joints[slot]];
        let mut asked = Alignment::NONE;
        self.relative[slot] = Transform::IDENTITY;
        // The next slot whose own freedom takes over; what is below it is not this slot's.
        let mut skip_to = slot + 1;
        for below in slot..tree.ends[slot] {
            if below > slot {
                if below < skip_to {
                    continue;
                }
                self.relative[below] =
                    self.relative[tree.parents[below]] * locals[tree.joints[below]];
                let (place, weight) = self.wanted[below];
                if weight > 0.0 {
                    asked.add(own * self.relative[below].translation, place - pivot, weight);
                }
                if matches!(tree.limits[below], JointLimit::Free | JointLimit::Ball { .. }) {
                    skip_to = tree.ends[below];
                    continue;
                }
            }
            for (effector, target) in tree.effectors.iter().zip(targets) {
                if effector.slot == below && target.active() && effector.offset != Vec3::ZERO {
                    let point = own * self.relative[below].transform_point(effector.offset);
                    asked.add(point, target.position - pivot, target.weight);
                }
            }
        }
        asked
    }
}

/// The point at a distance from `from`, in the direction of `way`.
fn at_distance(from: Vec3, way: Vec3, distance: f32) -> Vec3 {
    from + way.normalize_or_zero() * distance
}

/// Part of its length to which a chain stretches for a target beyond it.
const STRETCH: f32 = 0.9998;

impl Solver for Fabrik {
    fn solve(
        &mut self,
        targets: &[IkTarget],
        locals: &mut [Transform],
        models: &mut [Transform],
    ) -> IkReport {
        if !self.tree.accepts(targets) {
            return IkReport::REFUSED;
        }
        let reach = self.tree.reach(locals);
        let tolerance = self.options.tolerance * reach;
        self.tree.clamp_all(locals);
        self.tree.update(0, locals, models);
        // A target beyond the chain's reach is pulled back to it, so that a chain that stretches and one
        // that has stretched are solved alike.
        let root = models[self.tree.joints[0]].translation;
        let nearer = |target: &IkTarget| {
            let way = (target.position - root).clamp_length_max(STRETCH * reach);
            IkTarget { position: root + way, ..*target }
        };
        let pulled = targets.first().map(nearer);
        let goals = match (targets, &pulled) {
            ([one], Some(pulled)) if one.rotation.is_none() => std::slice::from_ref(pulled),
            _ => targets,
        };
        let mut iterations = 0;
        let mut nudged = false;
        let (mut residual, mut angle) = self.tree.residual(goals, models);
        let mut least = f32::INFINITY;
        while (residual > tolerance || angle > ANGLE) && iterations < self.options.max_iterations {
            let before = residual + angle;
            self.inward(goals, locals, models);
            self.outward(goals, locals, models);
            iterations += 1;
            (residual, angle) = self.tree.residual(goals, models);
            if residual + angle < least {
                least = residual + angle;
                for (best, &joint) in self.best.iter_mut().zip(&self.tree.joints) {
                    *best = locals[joint].rotation;
                }
            }
            if (before - (residual + angle)).abs() < 1e-3 * tolerance {
                if nudged || !self.tree.unstick(goals, tolerance, locals, models) {
                    break;
                }
                nudged = true;
            }
        }
        if residual + angle > least {
            for (best, &joint) in self.best.iter().zip(&self.tree.joints) {
                locals[joint].rotation = *best;
            }
            self.tree.update(0, locals, models);
        }
        let (residual, angle) = self.tree.residual(targets, models);
        IkReport { reached: residual <= tolerance && angle <= ANGLE, residual, iterations }
    }

    fn joints(&self) -> &[usize] {
        &self.tree.joints
    }
}
