//! Forward dynamics: the articulated-body algorithm, with the joints' implicit terms inside.
//!
//! Each joint's inertia `D` is kept as the inverse `F` of its Cholesky factor, and `G = U F^T`. The inverse of the
//! joint-space inertia matrix is then `Y^T Y` with rows `Y` that [`Aba::response`] finds in one walk to the root, which
//! is what the contact solver works with: nothing the size of the matrix is ever built.

use crate::joint_factor::{Factor6, JointLoad, Pass};
use crate::kinematics::Kinematics;
use crate::math::Vec3;
use crate::model::Model;
use crate::real::Real;
use crate::spatial::{Articulated, Force, MotionVector};

/// The articulated-body algorithm and its working memory.
#[derive(Clone, Debug)]
pub struct Aba<R> {
    passes: Vec<Pass<R>>,
    /// By tree; unused for trees whose root does not float.
    floating: Vec<Factor6<R>>,
    y: Vec<R>,
}

impl<R: Real> Aba<R> {
    /// Working memory for a model.
    pub fn new(model: &Model) -> Self {
        Aba {
            passes: vec![Pass::blank(); model.nodes.len()],
            floating: vec![[[R::zero(); 6]; 6]; model.roots.len()],
            y: vec![R::zero(); model.freedoms()],
        }
    }

    /// Accelerations from torques: `a = (M + diag(augment))^-1 (tau - C v - g + external)`.
    ///
    /// `augment` is added to the inertia of each velocity (zero for plain forward dynamics; what is given for a
    /// floating root is ignored). `external` holds a force per link, with its moment about the tree's reference.
    #[allow(clippy::too_many_arguments)]
    pub fn solve(
        &mut self,
        model: &Model,
        kin: &Kinematics<R>,
        gravity: Vec3<R>,
        tau: &[R],
        augment: &[R],
        external: &[Force<R>],
        a: &mut [R],
    ) {
        for (i, pass) in self.passes.iter_mut().enumerate() {
            let velocity = kin.velocity[i];
            let momentum = kin.inertia[i].mul(velocity);
            pass.inertia = Articulated::rigid(&kin.inertia[i]);
            pass.bias = velocity.cross_force(momentum) - external[i];
            pass.drift = kin.drift(model, i);
        }
        self.towards_root(model, kin, tau, augment);
        self.towards_leaves(model, kin, gravity, a);
    }

    fn towards_root(&mut self, model: &Model, kin: &Kinematics<R>, tau: &[R], augment: &[R]) {
        for (i, node) in model.nodes.iter().enumerate().rev() {
            let (before, after) = self.passes.split_at_mut(i);
            let pass = &mut after[0];
            let own = node.v..node.v + node.joint.freedoms();
            let load = JointLoad { torque: &tau[own.clone()], augment: &augment[own.clone()] };
            let (whole, y) = (&mut self.floating[node.tree], &mut self.y[own]);
            node.joint.factor(kin.joint(i), load, pass, whole, y);
            if let Some(parent) = node.parent {
                before[parent].inertia += pass.inertia;
                before[parent].bias += pass.bias;
            }
        }
    }

    fn towards_leaves(
        &mut self,
        model: &Model,
        kin: &Kinematics<R>,
        gravity: Vec3<R>,
        a: &mut [R],
    ) {
        for (i, node) in model.nodes.iter().enumerate() {
            let (before, after) = self.passes.split_at_mut(i);
            let pass = &mut after[0];
            // Gravity is a world that accelerates upwards.
            let base = match node.parent {
                Some(parent) => before[parent].acceleration,
                None => MotionVector { w: Vec3::zero(), v: -gravity },
            } + pass.drift;
            let (whole, y) = (&self.floating[node.tree], &self.y[node.v..]);
            let (rates, motion) = node.joint.accelerate(kin.joint(i), pass, whole, y, base);
            let a = &mut a[node.v..node.v + node.joint.freedoms()];
            a.copy_from_slice(&rates[..a.len()]);
            pass.acceleration = motion;
            if node.joint.floats() {
                // All of the motion in the accelerating world; the drift was part of the load.
                for k in 0..3 {
                    a[3 + k] += gravity[k];
                }
                pass.acceleration = motion + pass.drift;
            }
        }
    }

    /// Follows an impulse on a link to the root. `take` gets, joint by joint, the first velocity's index and the
    /// entries of the row `Y`; the response of velocities to impulses is `Y^T Y`.
    #[inline(always)]
    pub(crate) fn response(
        &self,
        model: &Model,
        kin: &Kinematics<R>,
        link: usize,
        impulse: Force<R>,
        mut take: impl FnMut(usize, &[R]),
    ) {
        let mut force = impulse;
        for &i in &model.chains[link] {
            let (node, pass) = (&model.nodes[i], &self.passes[i]);
            let whole = &self.floating[node.tree];
            node.joint.respond(kin.joint(i), pass, whole, &mut force, |y| take(node.v, y));
        }
    }

    /// Adds to `v` the velocities that the sum of rows `w` stands for.
    pub(crate) fn apply_response(
        &mut self,
        model: &Model,
        kin: &Kinematics<R>,
        w: &[R],
        v: &mut [R],
    ) {
        for (i, node) in model.nodes.iter().enumerate() {
            let (before, after) = self.passes.split_at_mut(i);
            let pass = &mut after[0];
            let base = match node.parent {
                Some(parent) => before[parent].acceleration,
                None => MotionVector::zero(),
            };
            let (whole, w) = (&self.floating[node.tree], &w[node.v..]);
            let (rates, motion) = node.joint.accelerate(kin.joint(i), pass, whole, w, base);
            for (v, rate) in v[node.v..node.v + node.joint.freedoms()].iter_mut().zip(rates) {
                *v += rate;
            }
            pass.acceleration = motion;
        }
    }
}
