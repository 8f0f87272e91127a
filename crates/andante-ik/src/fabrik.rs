//! Forward and backward reaching, for chains and trees, with limits.

use crate::align::Alignment;
use crate::ccd::ANGLE;
use crate::tree::{ChainError, NONE, Tree};
use crate::{Report, Solver, Target};
use andante_skeleton::{BodyPoint, Skeleton, Transform};
use glam::Vec3;

/// How a [`Fabrik`] is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FabrikOptions {
    /// Most pairs of passes (10…200).
    pub max_iterations: usize,
    /// Distance that counts as reached, as a fraction of the chain's length (1e-5…1e-2).
    pub tolerance: f32,
    /// Whether the joints' limits are kept. Strong limits make the method slow, or stop it short of its
    /// target.
    pub limits: bool,
}

impl Default for FabrikOptions {
    fn default() -> Self {
        Self { max_iterations: 100, tolerance: 1e-4, limits: true }
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
    tree: Tree,
    options: FabrikOptions,
    /// Where the inward pass wants each slot, and how much.
    wanted: Vec<(Vec3, f32)>,
}

impl Fabrik {
    /// For the joints from `root` down to the effectors' joints.
    pub fn new(
        skeleton: &Skeleton,
        root: usize,
        effectors: &[BodyPoint],
        options: FabrikOptions,
    ) -> Result<Self, ChainError> {
        if !(options.tolerance > 0.0) {
            return Err(ChainError::OutOfRange("a tolerance"));
        }
        let tree = Tree::new(skeleton, root, effectors, options.limits)?;
        let wanted = vec![(Vec3::ZERO, 0.0); tree.len()];
        Ok(Self { tree, options, wanted })
    }

    /// From the tips to the root: where each joint would have to be.
    fn inward(&mut self, targets: &[Target], locals: &[Transform], models: &[Transform]) {
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

    /// From the root to the tips: each joint turned towards what is wanted of its children.
    fn outward(&self, targets: &[Target], locals: &mut [Transform], models: &mut [Transform]) {
        let tree = &self.tree;
        for slot in 0..tree.len() {
            let joint = tree.joints[slot];
            tree.place(slot, locals, models);
            let pivot = models[joint].translation;
            let mut asked = Alignment::NONE;
            let mut fixed = None;
            for child in slot + 1..tree.ends[slot] {
                let (place, weight) = self.wanted[child];
                if tree.parents[child] == slot && weight > 0.0 {
                    let bone = locals[tree.joints[child]].translation;
                    asked.add(models[joint].rotation * bone, place - pivot, weight);
                }
            }
            for (effector, target) in tree.effectors.iter().zip(targets) {
                if effector.slot == slot && target.active() {
                    let bone = models[joint].rotation * effector.offset;
                    asked.add(bone, target.position - pivot, target.weight);
                    fixed = fixed.or(target.rotation);
                }
            }
            match fixed {
                Some(rotation) => {
                    tree.turn_to(slot, rotation, locals, models);
                }
                None => tree.align(slot, &asked, std::f32::consts::PI, locals, models),
            }
            tree.place(slot, locals, models);
        }
    }

    /// A chain that cannot reach its target points at it, joint by joint.
    fn straighten(&mut self, target: Vec3, locals: &[Transform], models: &[Transform]) {
        let tree = &self.tree;
        let mut place = models[tree.joints[0]].translation;
        let direction = (target - place).normalize_or_zero();
        for (slot, wanted) in self.wanted.iter_mut().enumerate() {
            if slot > 0 {
                place += direction * locals[tree.joints[slot]].translation.length();
            }
            *wanted = (place, 1.0);
        }
    }
}

/// The point at a distance from `from`, in the direction of `way`.
fn at_distance(from: Vec3, way: Vec3, distance: f32) -> Vec3 {
    from + way.normalize_or_zero() * distance
}

impl Solver for Fabrik {
    fn solve(
        &mut self,
        targets: &[Target],
        locals: &mut [Transform],
        models: &mut [Transform],
    ) -> Report {
        if !self.tree.accepts(targets) {
            return Report::REFUSED;
        }
        let reach = self.tree.reach(locals);
        let tolerance = self.options.tolerance * reach;
        self.tree.clamp_all(locals);
        self.tree.update(0, locals, models);
        let root = models[self.tree.joints[0]].translation;
        let beyond = match targets {
            [one] if one.rotation.is_none() && one.active() => {
                (root.distance(one.position) >= reach).then_some(one.position)
            }
            _ => None,
        };
        let mut iterations = 0;
        let mut nudged = false;
        let (mut residual, mut angle) = self.tree.residual(targets, models);
        while (residual > tolerance || angle > ANGLE) && iterations < self.options.max_iterations {
            let before = residual + angle;
            match beyond {
                Some(target) => self.straighten(target, locals, models),
                None => self.inward(targets, locals, models),
            }
            self.outward(targets, locals, models);
            iterations += 1;
            (residual, angle) = self.tree.residual(targets, models);
            if (before - (residual + angle)).abs() < 1e-3 * tolerance {
                if nudged || !self.tree.is_stuck(targets, tolerance, locals, models) {
                    break;
                }
                self.tree.nudge(locals, models);
                nudged = true;
            }
        }
        Report { reached: residual <= tolerance && angle <= ANGLE, residual, iterations }
    }

    fn joints(&self) -> &[usize] {
        &self.tree.joints
    }
}
