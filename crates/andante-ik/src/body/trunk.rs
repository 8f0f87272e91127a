//! Pelvis and spine as one least-squares problem.

use crate::linear::{decompose, substitute};
use andante_skeleton::{JointLimit, Skeleton, Transform, rotation};
use glam::{Quat, Vec3};

/// Joints that carry the limbs: the hips, which also travel, and the spine up to the head.
///
/// Unknowns: the hips' travel, then three turns for each joint, about the axes of the model's frame.
#[derive(Clone, Debug, Default)]
pub(super) struct SolvedTrunk {
    /// The hips first, then the spine and the head, parents first.
    pub joints: Vec<usize>,
    /// Everything that hangs on each joint.
    below: Vec<std::ops::Range<usize>>,
    limits: Vec<(JointLimit, Quat)>,
    source: Vec<Transform>,
    /// Normal equations, row-major.
    matrix: Vec<f32>,
    right: Vec<f32>,
    row: Vec<f32>,
}

impl SolvedTrunk {
    pub fn new(skeleton: &Skeleton, joints: Vec<usize>, limited: bool) -> Self {
        let size = 3 + 3 * joints.len();
        let limit = |&joint: &usize| {
            let joint = skeleton.joint(joint);
            (if limited { joint.limit } else { JointLimit::Free }, joint.rest.rotation)
        };
        Self {
            below: joints.iter().map(|&joint| skeleton.subtree(joint)).collect(),
            limits: joints.iter().map(limit).collect(),
            source: vec![Transform::IDENTITY; joints.len()],
            matrix: vec![0.0; size * size],
            right: vec![0.0; size],
            row: vec![0.0; size],
            joints,
        }
    }

    /// Remembers the pose to stay close to.
    pub fn remember(&mut self, locals: &[Transform]) {
        for (source, &joint) in self.source.iter_mut().zip(&self.joints) {
            *source = locals[joint];
        }
    }

    /// Brings the joints within their limits.
    pub fn clamp(&self, locals: &mut [Transform]) {
        for (&joint, (limit, rest)) in self.joints.iter().zip(&self.limits) {
            locals[joint].rotation = limit.clamp(*rest, locals[joint].rotation);
        }
    }

    /// Begins a system that leads back to the remembered pose by `home` and resists any step by
    /// `damping` (per squared radian; travel counts `travel` times as much per squared metre).
    pub fn begin(
        &mut self,
        home: f32,
        damping: f32,
        travel: f32,
        locals: &[Transform],
        models: &[Transform],
    ) {
        let size = self.right.len();
        self.matrix.fill(0.0);
        self.right.fill(0.0);
        let mut set = |unknown: usize, away: Vec3, scale: f32| {
            for k in 0..3 {
                self.matrix[(unknown + k) * size + unknown + k] = scale * (home + damping);
                self.right[unknown + k] = -scale * home * away[k];
            }
        };
        for (index, &joint) in self.joints.iter().enumerate() {
            let source = &self.source[index];
            // The frame above, in which both rotations are given.
            let above = models[joint].rotation * locals[joint].rotation.conjugate();
            if index == 0 {
                let away = above * (locals[joint].translation - source.translation);
                set(0, away, travel);
            }
            let away = rotation::log(locals[joint].rotation * source.rotation.conjugate());
            set(3 + 3 * index, above * away, 1.0);
        }
    }

    /// Adds the wish that a point fixed to `joint` move by `error` along the unit `direction`.
    pub fn move_point(
        &mut self,
        joint: usize,
        point: Vec3,
        direction: Vec3,
        error: f32,
        weight: f32,
        models: &[Transform],
    ) {
        self.row[..3].copy_from_slice(&direction.to_array());
        for (index, &own) in self.joints.iter().enumerate() {
            let slope = if self.below[index].contains(&joint) {
                (point - models[own].translation).cross(direction)
            } else {
                Vec3::ZERO
            };
            self.row[3 + 3 * index..6 + 3 * index].copy_from_slice(&slope.to_array());
        }
        self.add_row(error, weight);
    }

    /// Adds the wish that `joint` turn by `turn`, a rotation vector.
    pub fn turn_joint(&mut self, joint: usize, turn: Vec3, weight: f32) {
        for axis in 0..3 {
            self.row.fill(0.0);
            for index in 0..self.joints.len() {
                if self.below[index].contains(&joint) {
                    self.row[3 + 3 * index + axis] = 1.0;
                }
            }
            self.add_row(turn[axis], weight);
        }
    }

    /// Adds the wish that the centre of mass move by `error` along `direction`, given the mass and the moment
    /// of each joint's subtree.
    pub fn move_centre(
        &mut self,
        direction: Vec3,
        error: f32,
        weight: f32,
        subtree: impl Fn(usize) -> (f32, Vec3),
        models: &[Transform],
    ) {
        self.row[..3].copy_from_slice(&direction.to_array());
        for (index, &own) in self.joints.iter().enumerate() {
            let (mass, moment) = subtree(own);
            let slope = (moment - models[own].translation * mass).cross(direction);
            self.row[3 + 3 * index..6 + 3 * index].copy_from_slice(&slope.to_array());
        }
        self.add_row(error, weight);
    }

    fn add_row(&mut self, error: f32, weight: f32) {
        let size = self.right.len();
        for (i, &a) in self.row.iter().enumerate() {
            let scaled = weight * a;
            if scaled != 0.0 {
                let line = &mut self.matrix[i * size..i * size + i + 1];
                for (sum, b) in line.iter_mut().zip(&self.row) {
                    *sum += scaled * b;
                }
                self.right[i] += scaled * error;
            }
        }
    }

    /// Solves the system and moves the joints, each turn at most `most` radians.
    pub fn step(&mut self, most: f32, locals: &mut [Transform], models: &[Transform]) {
        let size = self.right.len();
        decompose(&mut self.matrix, size, 1e-9);
        substitute(&self.matrix, size, &mut self.right);
        for (index, &joint) in self.joints.iter().enumerate() {
            let above = models[joint].rotation * locals[joint].rotation.conjugate();
            if index == 0 {
                let travel = Vec3::from_slice(&self.right[..3]).clamp_length_max(0.5);
                locals[joint].translation += above.conjugate() * travel;
            }
            let turn = Vec3::from_slice(&self.right[3 + 3 * index..]).clamp_length_max(most);
            let turned = rotation::exp(above.conjugate() * turn) * locals[joint].rotation;
            let (limit, rest) = &self.limits[index];
            locals[joint].rotation = limit.clamp(*rest, turned.normalize());
        }
    }
}
