//! Smooth motion to fourth order, for reference runs.

use crate::aba::Aba;
use crate::joint_forces::JointForces;
use crate::kinematics::Kinematics;
use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::real::Real;
use crate::spatial::Force;
use crate::state::{Controls, JointState};

/// The classical Runge-Kutta method on a model without contacts.
///
/// Springs and dampers are explicit here, so stiffness limits the step: use it to check, not to simulate.
#[derive(Clone, Debug)]
pub struct RungeKutta<R> {
    kin: Kinematics<R>,
    aba: Aba<R>,
    joints: JointForces<R>,
    external: Vec<Force<R>>,
    stage: JointState<R>,
    rate: JointState<R>,
    sum: JointState<R>,
}

/// Scales all quaternions to unit length.
fn normalize<R: Real>(model: &Model, q: &mut [R]) {
    for node in &model.nodes {
        if let Some(first) = node.joint.quaternion() {
            let q = &mut q[node.q + first..];
            Quat::read(q).normalized().write(q);
        }
    }
}

impl<R: Real> RungeKutta<R> {
    /// Working memory for a model.
    pub fn new(model: &Model) -> Self {
        RungeKutta {
            kin: Kinematics::new(model),
            aba: Aba::new(model),
            joints: JointForces::new(model),
            external: vec![Force::zero(); model.links().len()],
            stage: JointState::rest(model),
            rate: JointState::rest(model),
            sum: JointState::rest(model),
        }
    }

    /// Moves a state on by `h` seconds.
    pub fn step(
        &mut self,
        model: &Model,
        state: &mut JointState<R>,
        controls: &Controls<R>,
        gravity: Vec3<R>,
        h: R,
    ) {
        let third = R::splat(1.0 / 3.0);
        let half = R::splat(0.5);
        self.sum.clone_from(state);
        self.stage.clone_from(state);
        // Weight in the sum, and how far the next stage goes.
        let plan = [
            (half * third, Some(half)),
            (third, Some(half)),
            (third, Some(R::one())),
            (half * third, None),
        ];
        for (weight, next) in plan {
            for node in &model.nodes {
                let (q, v) = (&self.stage.q[node.q..], &self.stage.v[node.v..]);
                node.joint.rates(q, v, &mut self.rate.q[node.q..]);
            }
            normalize(model, &mut self.stage.q);
            self.kin.set_positions(model, &self.stage.q);
            self.kin.set_velocities(model, &self.stage.v);
            self.joints.set(model, &self.stage.q, &self.stage.v, controls, R::zero());
            let (tau, none) = (&self.joints.torque, &self.joints.augment);
            self.aba.solve(model, &self.kin, gravity, tau, none, &self.external, &mut self.rate.v);
            let add = |to: &mut [R], from: &[R], rate: &[R], by: R| {
                for ((to, from), rate) in to.iter_mut().zip(from).zip(rate) {
                    *to = *from + *rate * by;
                }
            };
            if let Some(next) = next {
                add(&mut self.stage.q, &state.q, &self.rate.q, h * next);
                add(&mut self.stage.v, &state.v, &self.rate.v, h * next);
            }
            for (sum, rate) in self.sum.q.iter_mut().zip(&self.rate.q) {
                *sum += *rate * (h * weight);
            }
            for (sum, rate) in self.sum.v.iter_mut().zip(&self.rate.v) {
                *sum += *rate * (h * weight);
            }
        }
        normalize(model, &mut self.sum.q);
        state.clone_from(&self.sum);
    }
}
