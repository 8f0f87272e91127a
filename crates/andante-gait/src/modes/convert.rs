//! A body's state in the coordinates of a simulation, and back.

use crate::modes::body_state::rotation_vector;
use crate::{BodyState, CoordinateLayout};
use andante_body::{Body, RestPose};
use andante_dynamics::{JointState, Model, Quat};
use glam::{DQuat, DVec3};

fn rotation(q: DQuat) -> Quat<f64> {
    Quat { x: q.x, y: q.y, z: q.z, w: q.w }
}

fn dquat(q: Quat<f64>) -> DQuat {
    DQuat::from_xyzw(q.x, q.y, q.z, q.w)
}

impl BodyState {
    /// As a simulation of the body's [`BodyModel`](andante_body::BodyModel) wants it.
    ///
    /// # Panics
    /// If body, pose and model are not those of the state.
    pub fn to_simulation(&self, model: &Model, body: &Body, pose: &RestPose) -> JointState<f64> {
        let (from, layout) = (self, CoordinateLayout::new(body));
        let mut state = JointState::rest(model);
        state.q[..3].copy_from_slice(&from.position.to_array());
        rotation(from.orientation).write(&mut state.q[3..7]);
        state.v[..3].copy_from_slice(&from.spin.to_array());
        state.v[3..6].copy_from_slice(&from.velocity.to_array());
        for (segment, joint) in body.joints() {
            let angles = layout.range(segment);
            let q = &mut state.q[model.coordinate_range(segment)];
            if let [angle] = q {
                *angle += from.deflections[angles.start];
            } else {
                let rest = joint.frame.conjugate() * pose.rotations[segment] * joint.frame;
                let deflection = DVec3::from_slice(&from.deflections[angles.clone()]);
                rotation(DQuat::from_scaled_axis(deflection) * rest).write(q);
            }
            state.v[model.freedom_range(segment)].copy_from_slice(&from.rates[angles]);
        }
        state
    }

    /// From the state of a simulation of the body's [`BodyModel`](andante_body::BodyModel).
    ///
    /// # Panics
    /// If body, pose and model are not those of the state.
    pub fn from_simulation(
        model: &Model,
        body: &Body,
        pose: &RestPose,
        from: &JointState<f64>,
    ) -> Self {
        let layout = CoordinateLayout::new(body);
        let dof = layout.dof();
        let mut state = BodyState {
            position: DVec3::from_slice(&from.q[..3]),
            orientation: dquat(Quat::read(&from.q[3..7])),
            spin: DVec3::from_slice(&from.v[..3]),
            velocity: DVec3::from_slice(&from.v[3..6]),
            deflections: vec![0.0; dof],
            rates: vec![0.0; dof],
        };
        for (segment, joint) in body.joints() {
            let angles = layout.range(segment);
            let coordinates = model.coordinate_range(segment);
            let q = &from.q[coordinates.clone()];
            if let [angle] = q {
                state.deflections[angles.start] = angle - model.rest()[coordinates.start];
            } else {
                let rest = joint.frame.conjugate() * pose.rotations[segment] * joint.frame;
                let turn = rotation_vector(dquat(Quat::read(q)) * rest.conjugate());
                turn.write_to_slice(&mut state.deflections[angles.clone()]);
            }
            state.rates[angles].copy_from_slice(&from.v[model.freedom_range(segment)]);
        }
        state
    }
}
