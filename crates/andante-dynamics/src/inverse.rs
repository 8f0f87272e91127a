//! Inverse dynamics (the recursive Newton-Euler algorithm) and the joint-space inertia matrix.

use crate::kinematics::Kinematics;
use crate::math::{Vec3, vec3};
use crate::model::Model;
use crate::real::Real;
use crate::spatial::{Force, Inertia, MotionVector};

/// Working memory of [`rnea`](Self::rnea) and [`crba`](Self::crba).
#[derive(Clone, Debug)]
pub struct Inverse<R> {
    acceleration: Vec<MotionVector<R>>,
    force: Vec<Force<R>>,
    composite: Vec<Inertia<R>>,
}

impl<R: Real> Inverse<R> {
    /// Working memory for a model.
    pub fn new(model: &Model) -> Self {
        let n = model.nodes.len();
        Inverse {
            acceleration: vec![MotionVector::zero(); n],
            force: vec![Force::zero(); n],
            composite: vec![Inertia::default(); n],
        }
    }

    /// The joint torques that give these accelerations: `tau = M a + C v + g`.
    ///
    /// `kin` holds positions and velocities. `a` of a floating root is its angular acceleration and the acceleration of
    /// its origin. The torques include what gravity takes and no springs.
    pub fn rnea(
        &mut self,
        model: &Model,
        kin: &Kinematics<R>,
        gravity: Vec3<R>,
        a: &[R],
        tau: &mut [R],
    ) {
        for (i, node) in model.nodes.iter().enumerate() {
            // Gravity is a world that accelerates upwards.
            let base = match node.parent {
                Some(parent) => self.acceleration[parent],
                None => MotionVector { w: Vec3::zero(), v: -gravity },
            };
            let acceleration = base + kin.drift(model, i) + kin.motion(model, i, &a[node.v..]);
            let momentum = kin.inertia[i].mul(kin.velocity[i]);
            self.force[i] =
                kin.inertia[i].mul(acceleration) + kin.velocity[i].cross_force(momentum);
            self.acceleration[i] = acceleration;
        }
        for (i, node) in model.nodes.iter().enumerate().rev() {
            let (frame, place) = (&kin.frame[i], kin.place[i]);
            node.joint.along_axes(frame, place, self.force[i], &mut tau[node.v..]);
            if let Some(parent) = node.parent {
                let force = self.force[i];
                self.force[parent] += force;
            }
        }
    }

    /// The joint-space inertia matrix `M`, row by row (the composite-rigid-body algorithm).
    pub fn crba(&mut self, model: &Model, kin: &Kinematics<R>, matrix: &mut [R]) {
        let n = model.freedoms();
        matrix.fill(R::zero());
        self.composite.copy_from_slice(&kin.inertia[..model.links().len()]);
        for (i, node) in model.nodes.iter().enumerate().rev() {
            let composite = self.composite[i];
            if let Some(parent) = node.parent {
                self.composite[parent] += composite;
            }
            let mut unit = [R::zero(); 6];
            for k in 0..node.joint.freedoms() {
                unit[k] = R::one();
                let force = composite.mul(kin.motion(model, i, &unit));
                unit[k] = R::zero();
                for &j in &model.chains[i] {
                    let mut along = [R::zero(); 6];
                    let (joint, column) = (model.nodes[j].joint, model.nodes[j].v);
                    joint.along_axes(&kin.frame[j], kin.place[j], force, &mut along);
                    for (l, &m) in along.iter().enumerate().take(joint.freedoms()) {
                        matrix[(node.v + k) * n + column + l] = m;
                        matrix[(column + l) * n + node.v + k] = m;
                    }
                }
            }
        }
    }
}

/// Mass, centre of mass (relative to the reference) and momentum (moment about the reference) of one tree.
pub(crate) fn tree_momentum<R: Real>(
    model: &Model,
    kin: &Kinematics<R>,
    tree: usize,
) -> (Inertia<R>, Force<R>) {
    let zero = Vec3::zero();
    let mut inertia = Inertia { mass: R::zero(), moment: zero, about: Default::default() };
    let mut momentum = Force::zero();
    for (i, node) in model.nodes.iter().enumerate() {
        if node.tree == tree {
            inertia += kin.inertia[i];
            momentum += kin.inertia[i].mul(kin.velocity[i]);
        }
    }
    (inertia, momentum)
}

/// `s^-1 v` for a symmetric positive definite matrix.
#[inline(always)]
pub(crate) fn solve_symmetric<R: Real>(s: &crate::math::Sym3<R>, v: Vec3<R>) -> Vec3<R> {
    let a = vec3(s.xx, s.xy, s.xz);
    let b = vec3(s.xy, s.yy, s.yz);
    let c = vec3(s.xz, s.yz, s.zz);
    let (bc, ca, ab) = (b.cross(c), c.cross(a), a.cross(b));
    let inverse = R::one() / a.dot(bc);
    vec3(bc.dot(v), ca.dot(v), ab.dot(v)) * inverse
}
