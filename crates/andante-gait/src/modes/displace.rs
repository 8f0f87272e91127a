//! What modes look like, without simulating anything.

use crate::{CoordinateLayout, Modes, VibrationMode};
use andante_body::{Body, RestPose, RigidPlacement};
use glam::{DQuat, DVec3};

impl Modes {
    /// The placement of every segment when modes are displaced from a rest pose in which the root is at `root`. Joints
    /// turn by the whole angle, so that limbs stay as long as they are however far they swing.
    ///
    /// # Panics
    /// If body or pose are not those of the modes.
    pub fn displace(
        &self,
        body: &Body,
        pose: &RestPose,
        root: DVec3,
        amplitudes: &[f64],
    ) -> Vec<RigidPlacement> {
        let sum = |value: fn(&VibrationMode, usize) -> f64, index: usize| -> f64 {
            self.modes.iter().zip(amplitudes).map(|(mode, a)| a * value(mode, index)).sum()
        };
        let root_part = |index: usize| sum(|mode, index| mode.root[index], index);
        let turn = DVec3::new(root_part(0), root_part(1), root_part(2));
        let shift = DVec3::new(root_part(3), root_part(4), root_part(5));
        let layout = CoordinateLayout::new(body);
        let mut rotations = pose.rotations.clone();
        rotations[0] = DQuat::from_scaled_axis(turn) * rotations[0];
        for (segment, joint) in body.joints() {
            let mut deflection = DVec3::ZERO;
            for (axis, index) in layout.range(segment).enumerate() {
                deflection[axis] = sum(|mode, index| mode.shape[index], index);
            }
            let turn = joint.frame * DQuat::from_scaled_axis(deflection) * joint.frame.conjugate();
            rotations[segment] = turn * rotations[segment];
        }
        body.place(root + shift, &rotations)
    }
}
