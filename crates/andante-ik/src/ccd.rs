//! Cyclic coordinate descent: one joint after the other, each as well as it can alone.

use crate::align::Alignment;
use crate::tree::EffectorTree;
use crate::{ChainError, IkReport, IkTarget, Solver};
use andante_skeleton::{BodyPoint, Skeleton, Transform};
use glam::Quat;
use std::f32::consts::PI;

andante_skeleton::settings! {
    /// Options of a [`Ccd`].
    pub struct CcdOptions: Copy {
        /// Most sweeps over the joints. Few leave the effector short of its target.
        max_iterations: usize = 100, 0..=10_000;
        /// Distance that counts as reached, as a fraction of the chain's length.
        tolerance: f32 = 1e-4, 1e-6..=0.1;
        /// Largest turn of a joint in one sweep, in radians. Small values spread the bend over the chain and need more
        /// sweeps; large ones curl its end.
        max_turn: f32 = 0.5, 1e-3..=std::f32::consts::PI;
        /// Whether the joints' limits are kept.
        limits: bool = true;
    }
}

/// Cyclic coordinate descent over a chain, or a tree with several effectors.
///
/// From the tips to the root, each joint turns so that the effectors below it come as close to
/// their targets as this one joint can bring them. An effector with a target orientation is given
/// it before the others turn. Cheap sweeps, many of them, and bends gather at the tips. A chain with one
/// position to reach is first made as long as its target is far away, because near the straight line sweeps
/// are slow and rounding decides about their side.
#[derive(Clone, Debug)]
pub struct Ccd {
    tree: EffectorTree,
    options: CcdOptions,
}

impl Ccd {
    /// For the joints from `root` down to the effectors' joints.
    pub fn new(
        skeleton: &Skeleton,
        root: usize,
        effectors: &[BodyPoint],
        options: CcdOptions,
    ) -> Result<Self, ChainError> {
        options.check()?;
        Ok(Self { tree: EffectorTree::new(skeleton, root, effectors, options.limits)?, options })
    }

    /// Makes a chain as long as its target is far away, in the plane it lies in, and points it there. Near the
    /// straight line one joint alone brings the effector hardly closer, and sweeps take long.
    fn prepare(&self, targets: &[IkTarget], locals: &mut [Transform], models: &mut [Transform]) {
        let tree = &self.tree;
        let ([effector], [target]) = (&tree.effectors[..], targets) else { return };
        if !target.active() || target.rotation.is_some() {
            return;
        }
        let root = models[tree.joints[0]].translation;
        let wanted = root.distance(target.position);
        for slot in 1..=effector.slot {
            let joint = tree.joints[slot];
            let pivot = models[joint].translation;
            let (back, out) = (root - pivot, tree.point(0, models) - pivot);
            let sides = back.length() * out.length();
            let Some(axis) = back.cross(out).try_normalize().filter(|_| sides > 0.0) else {
                continue;
            };
            let squares = back.length_squared() + out.length_squared() - wanted * wanted;
            let angle = libm::acosf((squares / (2.0 * sides)).clamp(-1.0, 1.0));
            let turn = Quat::from_axis_angle(axis, angle - back.angle_between(out));
            tree.turn_to(slot, turn * models[joint].rotation, locals, models);
            tree.update(slot, locals, models);
        }
        let mut asked = Alignment::NONE;
        asked.add(tree.point(0, models) - root, target.position - root, 1.0);
        tree.align(0, &asked, PI, locals, models);
        tree.update(0, locals, models);
    }

    fn sweep(&self, targets: &[IkTarget], locals: &mut [Transform], models: &mut [Transform]) {
        let tree = &self.tree;
        for slot in (0..tree.len()).rev() {
            let joint = tree.joints[slot];
            let mut asked = Alignment::NONE;
            let mut fixed = None;
            for (index, target) in targets.iter().enumerate().filter(|(_, target)| target.active())
            {
                if !tree.moves(slot, index) {
                    continue;
                }
                if tree.effectors[index].slot == slot && target.rotation.is_some() {
                    fixed = target.rotation;
                }
                let pivot = models[joint].translation;
                asked.add(
                    tree.point(index, models) - pivot,
                    target.position - pivot,
                    target.weight,
                );
            }
            match fixed {
                Some(rotation) => {
                    tree.turn_to(slot, rotation, locals, models);
                }
                None => tree.align(slot, &asked, self.options.max_turn, locals, models),
            }
            tree.update(slot, locals, models);
        }
    }
}

impl Solver for Ccd {
    fn solve(
        &mut self,
        targets: &[IkTarget],
        locals: &mut [Transform],
        models: &mut [Transform],
    ) -> IkReport {
        let tree = &self.tree;
        if !tree.accepts(targets) {
            return IkReport::REFUSED;
        }
        let tolerance = self.options.tolerance * tree.reach(locals);
        tree.clamp_all(locals);
        tree.update(0, locals, models);
        let mut iterations = 0;
        tree.unstick(targets, tolerance, locals, models);
        self.prepare(targets, locals, models);
        let mut nudged = false;
        let (mut residual, mut angle) = tree.residual(targets, models);
        while (residual > tolerance || angle > ANGLE) && iterations < self.options.max_iterations {
            let before = residual + angle;
            self.sweep(targets, locals, models);
            iterations += 1;
            (residual, angle) = tree.residual(targets, models);
            if before - (residual + angle) < 1e-3 * tolerance {
                if nudged || !tree.unstick(targets, tolerance, locals, models) {
                    break;
                }
                (residual, angle) = tree.residual(targets, models);
                nudged = true;
            }
        }
        IkReport { reached: residual <= tolerance && angle <= ANGLE, residual, iterations }
    }

    fn joints(&self) -> &[usize] {
        &self.tree.joints
    }
}

/// Angle between orientations that counts as none, in radians.
pub(crate) const ANGLE: f32 = 2e-3;
