//! Where everything is, how it moves, and what drives it.

use crate::model::Model;
use crate::real::Real;

/// Coordinates and velocities, laid out as the [`Model`] says. With a pack for `R`, one character per lane.
#[derive(Clone, Debug, PartialEq)]
pub struct JointState<R> {
    /// Coordinates.
    pub q: Vec<R>,
    /// Velocities.
    pub v: Vec<R>,
}

impl<R: Real> JointState<R> {
    /// At rest in the model's rest pose.
    pub fn rest(model: &Model) -> Self {
        JointState {
            q: model.rest().iter().map(|&x| R::splat(x)).collect(),
            v: vec![R::zero(); model.freedoms()],
        }
    }

    /// The state of one lane.
    pub fn lane(&self, lane: usize) -> JointState<f64> {
        JointState {
            q: self.q.iter().map(|x| x.lane(lane)).collect(),
            v: self.v.iter().map(|x| x.lane(lane)).collect(),
        }
    }

    /// Replaces one lane, without allocating. Numbers beyond either's length are left alone.
    pub fn set_lane(&mut self, lane: usize, state: &JointState<f64>) {
        for (to, &from) in self.q.iter_mut().zip(&state.q) {
            to.set_lane(lane, from);
        }
        for (to, &from) in self.v.iter_mut().zip(&state.v) {
            to.set_lane(lane, from);
        }
    }

    /// True if the vectors fit the model.
    pub fn fits(&self, model: &Model) -> bool {
        self.q.len() == model.coordinates() && self.v.len() == model.freedoms()
    }

    /// Moves on along the velocities for `h` seconds.
    pub fn advance(&mut self, model: &Model, h: R) {
        advance(model, &mut self.q, &self.v, h);
    }
}

/// `q` moved along the constant velocities `v` for `h` seconds.
pub(crate) fn advance<R: Real>(model: &Model, q: &mut [R], v: &[R], h: R) {
    for node in &model.nodes {
        let (q, v) = (&mut q[node.q..], &v[node.v..]);
        node.joint.advance(q, v, h);
    }
}

/// The controls that drive the joints during a step.
///
/// The active torque of an axis is `torque + gain * (target - angle) - rate_gain * velocity`, held within the axis'
/// torque limit. The two gains are integrated implicitly like the passive springs, so they may be as stiff as wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Controls<R> {
    pub(crate) torque: Vec<R>,
    pub(crate) target: Vec<R>,
    pub(crate) gain: Vec<R>,
    pub(crate) rate_gain: Vec<R>,
}

impl<R: Real> Controls<R> {
    /// Nothing drives: no torque, no gain, and the rest pose as target.
    pub fn none(model: &Model) -> Self {
        let zero = vec![R::zero(); model.freedoms()];
        Controls {
            torque: zero.clone(),
            target: model.rest().iter().map(|&x| R::splat(x)).collect(),
            gain: zero.clone(),
            rate_gain: zero,
        }
    }

    /// Torque per velocity, in the velocity's frame. Those of floating roots are ignored: nothing holds a root.
    pub fn torque_mut(&mut self) -> &mut [R] {
        &mut self.torque
    }

    /// Coordinates to reach; those of floating roots are ignored.
    pub fn target_mut(&mut self) -> &mut [R] {
        &mut self.target
    }

    /// Stiffness towards the target, N m/rad per velocity.
    pub fn gain_mut(&mut self) -> &mut [R] {
        &mut self.gain
    }

    /// Damping, N m s/rad per velocity.
    pub fn rate_gain_mut(&mut self) -> &mut [R] {
        &mut self.rate_gain
    }
}
