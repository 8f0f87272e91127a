//! The three terms of the descent over chains, and what they share.

use super::Term;
use crate::IkTarget;
use crate::tree::EffectorTree;
use andante_skeleton::{Transform, rotation};
use glam::{Quat, Vec3};

/// The variables of one joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variables {
    pub slot: usize,
    /// The first variable; one follows, or three.
    pub first: usize,
    /// The axis of a single variable. The joint's rotation is `base · R(axis, x)`.
    pub axis: Option<Vec3>,
    /// What the variables turn: identity for the axis of a frame's own rotation, where the variable is
    /// the whole angle; the rotation of the source otherwise.
    pub base: Quat,
}

impl Variables {
    pub fn count(&self) -> usize {
        if self.axis.is_some() { 1 } else { 3 }
    }

    /// The joint's local rotation.
    pub fn rotation(&self, x: &[f32]) -> Quat {
        self.base * rotation::exp(self.vector(x))
    }

    /// The rotation vector of the variables.
    pub fn vector(&self, x: &[f32]) -> Vec3 {
        match self.axis {
            Some(axis) => axis * x[self.first],
            None => Vec3::from_slice(&x[self.first..self.first + 3]),
        }
    }

    /// The axis, in the joint's own frame, about which variable `k` of the joint turns it: a column of the
    /// right Jacobian of the exponential map.
    fn own_axis(&self, x: &[f32], k: usize) -> Vec3 {
        let Some(axis) = self.axis else {
            let v = self.vector(x);
            let angle = v.length();
            let unit = Vec3::AXES[k];
            let (a, b) = if angle < 1e-2 {
                (0.5 - angle * angle / 24.0, 1.0 / 6.0 - angle * angle / 120.0)
            } else {
                let square = angle * angle;
                ((1.0 - libm::cosf(angle)) / square, (angle - libm::sinf(angle)) / (square * angle))
            };
            return unit - v.cross(unit) * a + v.cross(v.cross(unit)) * b;
        };
        axis
    }
}

/// What the terms depend on beside the variables; brought up to date by the hook after each step.
pub(super) struct DescentData<'a> {
    pub tree: &'a EffectorTree,
    pub variables: &'a [Variables],
    pub targets: &'a [IkTarget],
    /// The variables in the original pose.
    pub original: &'a [f32],
    /// The variables in the frame before.
    pub previous: &'a [f32],
    pub locals: &'a mut [Transform],
    pub models: &'a mut [Transform],
}

impl DescentData<'_> {
    /// Poses the skeleton by the variables: one forward pass that all gradients share.
    pub fn refresh(&mut self, x: &[f32]) {
        for variables in self.variables {
            let joint = self.tree.joints[variables.slot];
            self.locals[joint].rotation = variables.rotation(x);
        }
        self.tree.update(0, self.locals, self.models);
    }
}

/// f1: the squared distances of the effectors from their targets.
pub(super) struct ReachTerm(pub f32);

/// f2: the squared change from the original pose.
pub(super) struct SimilarityTerm(pub f32);

/// f3: the squared change from the frame before.
pub(super) struct Continuity(pub f32);

impl Term<DescentData<'_>> for ReachTerm {
    fn weight(&self) -> f32 {
        self.0
    }

    fn value(&self, _: &[f32], data: &DescentData) -> f32 {
        let distance = |(index, target): (usize, &IkTarget)| {
            target.weight * data.tree.point(index, data.models).distance_squared(target.position)
        };
        data.targets.iter().enumerate().map(distance).sum()
    }

    /// ∂f1/∂θ = 2 (e − t)·(â × (e − p)) for each effector e below the joint at p with axis â: the
    /// geometric form of the derivative of the chain's product.
    fn add_gradient(&self, x: &[f32], data: &DescentData, weight: f32, gradient: &mut [f32]) {
        for variables in data.variables {
            let joint = &data.models[data.tree.joints[variables.slot]];
            let mut torque = Vec3::ZERO;
            for (index, target) in data.targets.iter().enumerate() {
                if data.tree.moves(variables.slot, index) {
                    let point = data.tree.point(index, data.models);
                    let lever = point - joint.translation;
                    torque += lever.cross(point - target.position) * target.weight;
                }
            }
            for k in 0..variables.count() {
                let axis = joint.rotation * variables.own_axis(x, k);
                gradient[variables.first + k] += weight * 2.0 * axis.dot(torque);
            }
        }
    }
}

impl Term<DescentData<'_>> for SimilarityTerm {
    fn weight(&self) -> f32 {
        self.0
    }

    fn value(&self, x: &[f32], data: &DescentData) -> f32 {
        squared_distance(x, data.original)
    }

    fn add_gradient(&self, x: &[f32], data: &DescentData, weight: f32, gradient: &mut [f32]) {
        add_difference(x, data.original, weight, gradient);
    }
}

impl Term<DescentData<'_>> for Continuity {
    fn weight(&self) -> f32 {
        self.0
    }

    fn value(&self, x: &[f32], data: &DescentData) -> f32 {
        squared_distance(x, data.previous)
    }

    fn add_gradient(&self, x: &[f32], data: &DescentData, weight: f32, gradient: &mut [f32]) {
        add_difference(x, data.previous, weight, gradient);
    }
}

fn squared_distance(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

fn add_difference(a: &[f32], b: &[f32], weight: f32, gradient: &mut [f32]) {
    for ((sum, a), b) in gradient.iter_mut().zip(a).zip(b) {
        *sum += weight * 2.0 * (a - b);
    }
}
