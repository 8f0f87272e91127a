//! Where a body is and how it moves, in the coordinates of its joints.

use crate::{ControllerError, CoordinateLayout, Mirror};
use andante_body::{Body, RestPose, RigidPlacement};
use glam::{DQuat, DVec3};

/// Position and velocity of a whole body, relative to a rest pose: all zeros is the rest pose, standing still.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyState {
    /// Where the root's origin is.
    pub position: DVec3,
    /// The root's orientation in the world.
    pub orientation: DQuat,
    /// Velocity of the root's origin.
    pub velocity: DVec3,
    /// The root's angular velocity, along the axes of the world.
    pub spin: DVec3,
    /// Rotation vectors of joints away from rest, in the order of [`CoordinateLayout`].
    pub deflections: Vec<f64>,
    /// Angular velocities of segments relative to their parents, along the axes of joints.
    pub rates: Vec<f64>,
}

impl BodyState {
    /// Standing still in a rest pose, feet on the ground.
    pub fn rest(body: &Body, pose: &RestPose) -> Self {
        let dof = CoordinateLayout::new(body).dof();
        let placed = body.stand(pose);
        Self {
            position: placed[0].translation,
            orientation: placed[0].rotation,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            deflections: vec![0.0; dof],
            rates: vec![0.0; dof],
        }
    }

    /// Checks that it has so many joint angles, and nothing but a rotation and numbers that a body can have.
    pub(crate) fn check(&self, dof: usize) -> Result<(), ControllerError> {
        let joints = [&self.deflections, &self.rates];
        if let Some(values) = joints.iter().find(|values| values.len() != dof) {
            return Err(ControllerError::Angles(values.len(), dof));
        }
        let vectors = [self.position, self.velocity, self.spin].map(|vector| vector.to_array());
        let numbers = joints.into_iter().flatten().chain(vectors.as_flattened());
        let sound = { numbers }.all(|number| number.abs() <= Body::MAX_LENGTH)
            && self.orientation.is_normalized();
        if sound { Ok(()) } else { Err(ControllerError::Start) }
    }

    /// Rotations of all segments: the root's in the world, the others relative to their parents.
    ///
    /// # Panics
    /// If body or pose are not those of the state.
    pub fn rotations(&self, body: &Body, pose: &RestPose) -> Vec<DQuat> {
        let layout = CoordinateLayout::new(body);
        let mut rotations = pose.rotations.clone();
        rotations[0] = self.orientation;
        for (segment, joint) in body.joints() {
            let mut deflection = DVec3::ZERO;
            for (axis, index) in layout.range(segment).enumerate() {
                deflection[axis] = self.deflections[index];
            }
            let turn = joint.frame * DQuat::from_scaled_axis(deflection) * joint.frame.conjugate();
            rotations[segment] = turn * rotations[segment];
        }
        rotations
    }

    /// The placement of every segment.
    ///
    /// # Panics
    /// If body or pose are not those of the state.
    pub fn place(&self, body: &Body, pose: &RestPose) -> Vec<RigidPlacement> {
        body.place(self.position, &self.rotations(body, pose))
    }

    /// Turns and shifts the state by a part of what leads from one state to another.
    ///
    /// # Panics
    /// If the states are not of one body.
    pub fn lead(&mut self, from: &Self, to: &Self, part: f64) {
        let turn = rotation_vector(to.orientation * from.orientation.conjugate());
        let turn = DQuat::from_scaled_axis(part * turn);
        self.orientation = (turn * self.orientation).normalize();
        self.position += part * (to.position - from.position);
        self.velocity += part * (to.velocity - from.velocity);
        self.spin += part * (to.spin - from.spin);
        // Rotation vectors that are not far apart add up well enough.
        for k in 0..self.deflections.len() {
            self.deflections[k] += part * (to.deflections[k] - from.deflections[k]);
            self.rates[k] += part * (to.rates[k] - from.rates[k]);
        }
    }

    /// The state seen after turning about the vertical through the origin; positive turns left.
    pub fn turned(&self, angle: f64) -> Self {
        let turn = DQuat::from_rotation_y(angle);
        Self {
            position: turn * self.position,
            orientation: turn * self.orientation,
            velocity: turn * self.velocity,
            spin: turn * self.spin,
            ..self.clone()
        }
    }

    /// The state in a mirror at x = 0; the rest pose must be symmetric.
    pub fn mirrored(&self, mirror: &Mirror) -> Self {
        Self {
            position: Mirror::polar(self.position),
            orientation: Mirror::rotation(self.orientation),
            velocity: Mirror::polar(self.velocity),
            spin: Mirror::axial(self.spin),
            deflections: mirror.joints(&self.deflections),
            rates: mirror.joints(&self.rates),
        }
    }
}

/// The short way round.
pub(crate) fn rotation_vector(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    q.to_scaled_axis()
}
