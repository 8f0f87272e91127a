//! Where the links are and how they move, from coordinates and velocities.

use crate::joint_factor::JointPlace;
use crate::math::{Mat3, Sym3, Vec3};
use crate::model::Model;
use crate::real::Real;
use crate::spatial::{Inertia, MotionVector};

/// Poses, velocities and inertias of all links, in world axes.
///
/// Places are relative to the reference of the link's tree, its root's origin, so that a character far from the
/// world's origin is computed as precisely as one near it.
#[derive(Clone, Debug)]
pub struct Kinematics<R> {
    /// World position of each tree's reference.
    pub(crate) reference: Vec<Vec3<R>>,
    /// Rotation of each link.
    pub(crate) rotation: Vec<Mat3<R>>,
    /// Origin (and pivot) of each link.
    pub(crate) place: Vec<Vec3<R>>,
    /// Frame in which the joint's velocity is given: for a hinge, its axis is the first column.
    pub(crate) frame: Vec<Mat3<R>>,
    /// Inertia of each link.
    pub(crate) inertia: Vec<Inertia<R>>,
    /// Velocity of each link.
    pub(crate) velocity: Vec<MotionVector<R>>,
    /// Velocity of each link relative to its parent.
    pub(crate) relative: Vec<MotionVector<R>>,
}

impl<R: Real> Kinematics<R> {
    /// Room for a model's links.
    pub fn new(model: &Model) -> Self {
        let n = model.nodes.len();
        Kinematics {
            reference: vec![Vec3::zero(); model.roots.len()],
            rotation: vec![Mat3::identity(); n],
            place: vec![Vec3::zero(); n],
            frame: vec![Mat3::identity(); n],
            inertia: vec![Inertia::default(); n],
            velocity: vec![MotionVector::zero(); n],
            relative: vec![MotionVector::zero(); n],
        }
    }

    /// Poses and inertias from coordinates.
    pub fn set_positions(&mut self, model: &Model, q: &[R]) {
        for (i, node) in model.nodes.iter().enumerate() {
            let q = &q[node.q..];
            let origin = Vec3::splat(node.origin);
            // The joint's frame in the world.
            let (place, mut frame) = match node.parent {
                Some(parent) => {
                    let turned = self.rotation[parent];
                    let frame = match &node.rotation {
                        Some(rotation) => turned * Mat3::splat(rotation),
                        None => turned,
                    };
                    (self.place[parent] + turned * origin, frame)
                }
                None => {
                    self.reference[node.tree] = origin;
                    let frame = match &node.rotation {
                        Some(rotation) => Mat3::splat(rotation),
                        None => Mat3::identity(),
                    };
                    (Vec3::zero(), frame)
                }
            };
            let rotation = node.joint.rotation(q, &mut frame, &mut self.reference[node.tree]);
            let rotation = match &node.outwards {
                Some(outwards) => rotation * Mat3::splat(outwards),
                None => rotation,
            };
            self.frame[i] = frame;
            self.rotation[i] = rotation;
            self.place[i] = place;
            let centre = place + rotation * Vec3::splat(node.centre);
            let central = Sym3::splat(&node.inertia).rotated(&rotation);
            self.inertia[i] = Inertia::new(R::splat(node.mass), centre, central);
        }
    }

    /// Velocities of the links, after [`set_positions`](Self::set_positions).
    pub fn set_velocities(&mut self, model: &Model, v: &[R]) {
        for (i, node) in model.nodes.iter().enumerate() {
            let relative = self.motion(model, i, &v[node.v..]);
            self.relative[i] = relative;
            self.velocity[i] = match node.parent {
                Some(parent) => self.velocity[parent] + relative,
                None => relative,
            };
        }
    }

    /// Motion of a link relative to its parent for these joint velocities (or accelerations).
    #[inline(always)]
    pub(crate) fn motion(&self, model: &Model, link: usize, v: &[R]) -> MotionVector<R> {
        model.nodes[link].joint.motion(&self.frame[link], self.place[link], v)
    }

    /// Where a link's joint is.
    #[inline(always)]
    pub(crate) fn joint(&self, link: usize) -> JointPlace<'_, R> {
        JointPlace { frame: &self.frame[link], place: self.place[link] }
    }

    /// The part of a link's acceleration that comes from its velocity: `d/dt` of the joint's axes times velocity.
    #[inline(always)]
    pub(crate) fn drift(&self, model: &Model, link: usize) -> MotionVector<R> {
        model.nodes[link].joint.drift(self.velocity[link], self.relative[link])
    }

    /// World position of a link's origin.
    pub fn position(&self, model: &Model, link: usize) -> Vec3<R> {
        self.reference[model.nodes[link].tree] + self.place[link]
    }

    /// World rotation of a link.
    pub fn rotation(&self, link: usize) -> Mat3<R> {
        self.rotation[link]
    }

    /// World position of a point given in a link's frame.
    pub fn point(&self, model: &Model, link: usize, local: Vec3<R>) -> Vec3<R> {
        self.position(model, link) + self.rotation[link] * local
    }

    /// Angular velocity of a link, and the velocity of its origin.
    pub fn velocity(&self, link: usize) -> (Vec3<R>, Vec3<R>) {
        let motion = self.velocity[link];
        (motion.w, motion.at(self.place[link]))
    }

    /// World velocity of a link's point at a world position.
    pub fn velocity_at(&self, model: &Model, link: usize, position: Vec3<R>) -> Vec3<R> {
        self.velocity[link].at(position - self.reference[model.nodes[link].tree])
    }

    /// Angular acceleration of a link and acceleration of its point at a world position while no velocity of the model
    /// changes: what remains of the derivative of Jacobian times velocity.
    pub fn drift_at(&self, model: &Model, link: usize, position: Vec3<R>) -> (Vec3<R>, Vec3<R>) {
        let mut sum = MotionVector::zero();
        for &i in &model.chains[link] {
            sum += self.drift(model, i);
        }
        let point = position - self.reference[model.nodes[link].tree];
        let velocity = self.velocity[link];
        (sum.w, sum.at(point) + velocity.w.cross(velocity.at(point)))
    }

    /// The columns of a point's Jacobian: for each velocity the point's velocity in world axes per unit of it.
    ///
    /// `position` is a world position of a point fixed to `link`; `columns` has one entry per velocity of the model.
    /// Also gives the angular velocity per unit when `angular` is wanted.
    pub fn jacobian(
        &self,
        model: &Model,
        link: usize,
        position: Vec3<R>,
        columns: &mut [Vec3<R>],
        mut angular: Option<&mut [Vec3<R>]>,
    ) {
        columns.fill(Vec3::zero());
        if let Some(angular) = angular.as_deref_mut() {
            angular.fill(Vec3::zero());
        }
        let point = position - self.reference[model.nodes[link].tree];
        for &i in &model.chains[link] {
            let node = &model.nodes[i];
            let mut unit = [R::zero(); 6];
            for k in 0..node.joint.freedoms() {
                unit[k] = R::one();
                let motion = self.motion(model, i, &unit);
                unit[k] = R::zero();
                columns[node.v + k] = motion.at(point);
                if let Some(angular) = angular.as_deref_mut() {
                    angular[node.v + k] = motion.w;
                }
            }
        }
    }
}
