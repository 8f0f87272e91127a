//! Other rest poses, limits, strengths, and signs that suggest themselves.

use super::desk::{CreatureDesk, StepPhaseKind};
use andante_body::{Body, BodyJoint, JointLimits, RestPose, write_body};
use glam::{DQuat, DVec3};

/// A turn about the axes of a joint, in radians, as a rotation relative to its parent.
fn turn(joint: &BodyJoint, angles: [f64; 3]) -> DQuat {
    joint.frame * DQuat::from_scaled_axis(DVec3::from(angles)) * joint.frame.conjugate()
}

/// The mirror image in the plane x = 0.
fn mirrored(turn: DQuat) -> DQuat {
    DQuat::from_xyzw(turn.x, -turn.y, -turn.z, turn.w)
}

impl CreatureDesk {
    /// The segment, and its mirror image if that is another one.
    fn pair(&self, segment: usize) -> (usize, Option<usize>) {
        let partner = self.body.partners().map_or(segment, |partners| partners[segment]);
        (segment, (partner != segment).then_some(partner))
    }

    /// The rest angles of a joint about its axes, in radians.
    pub fn rest_angles(&self, segment: usize) -> Option<[f64; 3]> {
        let joint = self.body.segments()[segment].joint.as_ref()?;
        let turn = joint.frame.conjugate() * self.pose.rotations[segment] * joint.frame;
        Some(turn.to_scaled_axis().to_array())
    }

    /// The body with a joint turned otherwise in its rest pose, and its mirror image too, as text.
    pub fn with_rest(&self, segment: usize, mut angles: [f64; 3]) -> Result<String, String> {
        let joint = self.body.segments()[segment].joint.as_ref();
        let joint = joint.ok_or("the root has no joint")?;
        angles.iter_mut().skip(joint.dof()).for_each(|angle| *angle = 0.0);
        let own = turn(joint, angles);
        let mut parts = self.body.parts().clone();
        let named = |pose: &&mut RestPose| pose.name == self.pose.name;
        let pose = parts.poses.iter_mut().find(named).ok_or("there is no such pose")?;
        let (segment, partner) = self.pair(segment);
        pose.rotations[segment] = own;
        if let Some(partner) = partner {
            pose.rotations[partner] = mirrored(own);
        }
        Body::new(parts).map(|body| write_body(&body)).map_err(|error| error.to_string())
    }

    /// The body with other limits of a joint, and of its mirror image, in radians, as text.
    pub fn with_limits(
        &self,
        segment: usize,
        lower: [f64; 3],
        upper: [f64; 3],
    ) -> Result<String, String> {
        let mut parts = self.body.parts().clone();
        let (segment, partner) = self.pair(segment);
        let own = parts.segments[segment].joint.as_mut().and_then(|joint| joint.limits.as_mut());
        let own = own.ok_or("this joint has no limits")?;
        let before = *own;
        *own = JointLimits { lower, upper, ..before };
        let partner = partner.and_then(|other| parts.segments[other].joint.as_mut());
        if let Some(limits) = partner.and_then(|joint| joint.limits.as_mut()) {
            for axis in 0..3 {
                // Whether an axis points the same way on the other side shows in what its limits were.
                let same = limits.lower[axis] == before.lower[axis]
                    && limits.upper[axis] == before.upper[axis];
                (limits.lower[axis], limits.upper[axis]) = match same {
                    true => (lower[axis], upper[axis]),
                    false => (-upper[axis], -lower[axis]),
                };
            }
        }
        Body::new(parts).map(|body| write_body(&body)).map_err(|error| error.to_string())
    }

    /// The body with a joint so many times as strong, and its mirror image too, as text.
    pub fn with_strength(&self, segment: usize, torque: [f64; 3]) -> Result<String, String> {
        let mut parts = self.body.parts().clone();
        let (segment, partner) = self.pair(segment);
        for index in [Some(segment), partner].into_iter().flatten() {
            if let Some(joint) = &mut parts.segments[index].joint {
                joint.torque_limit = torque;
            }
        }
        Body::new(parts).map(|body| write_body(&body)).map_err(|error| error.to_string())
    }

    /// The sign with which a mode leads ahead: with a toe on the ground it takes the body along, in the air it brings the
    /// next foot forward. None where it does neither.
    pub fn suggested_sign(&self, step: usize, phase: StepPhaseKind, mode: usize) -> Option<f64> {
        let modes = self.modes(phase);
        let shape = &modes.modes.get(mode)?.shape;
        let largest = shape.iter().fold(0.0f64, |most, part| most.max(part.abs()));
        let ahead = |sign: f64| {
            let mut amplitudes = vec![0.0; modes.modes.len()];
            amplitudes[mode] = sign * 0.2 / largest.max(1e-6);
            let placed = modes.displace(&self.body, &self.pose, self.root(), &amplitudes);
            let feet = self.sketch.steps.get(step).map(|step| &step.feet);
            let lands =
                |foot: &&andante_body::BodyFoot| feet.is_some_and(|feet| feet.contains(&foot.name));
            let toes: Vec<f64> = self
                .body
                .feet()
                .iter()
                .filter(lands)
                .map(|foot| placed[foot.segment].transform_point(foot.toe).z)
                .collect();
            let toe = toes.iter().sum::<f64>() / toes.len().max(1) as f64;
            let body = self.body.center_of_mass(&placed).z;
            match phase {
                StepPhaseKind::Air => toe - body,
                StepPhaseKind::Ground => body - toe,
            }
        };
        let leads = ahead(1.0) - ahead(-1.0);
        (leads.abs() > 2e-3).then(|| leads.signum())
    }

    /// The sketch with the signs of all modes that make its style as they suggest themselves, as text.
    pub fn with_suggested_signs(&self, step: usize) -> String {
        let mut sketch = self.sketch.clone();
        if let Some(own) = sketch.steps.get_mut(step) {
            for (phase, part) in
                [(StepPhaseKind::Air, &mut own.air), (StepPhaseKind::Ground, &mut own.ground)]
            {
                for (mode, amplitude) in &mut part.priority {
                    if let Some(sign) = self.suggested_sign(step, phase, *mode) {
                        *amplitude = sign * amplitude.abs();
                    }
                }
            }
        }
        sketch.to_toml()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{body_text, sketch_text};

    fn desk() -> CreatureDesk {
        CreatureDesk::new(&body_text("humanoid").unwrap(), &sketch_text("basic-run").unwrap(), 0)
            .unwrap()
    }

    #[test]
    fn a_rest_pose_is_turned_on_both_sides_and_read_back() {
        let desk = desk();
        for (segment, joint) in desk.body.joints() {
            let mut angles = desk.rest_angles(segment).unwrap();
            angles[0] += 0.2;
            let text = desk.with_rest(segment, angles).unwrap();
            let turned = CreatureDesk::new(&text, &desk.texts[1], 0).unwrap();
            let back = turned.rest_angles(segment).unwrap();
            for axis in 0..joint.dof() {
                assert!((back[axis] - angles[axis]).abs() < 1e-6, "{back:?} {angles:?}");
            }
        }
    }

    #[test]
    fn limits_and_strength_change_on_both_sides() {
        let desk = desk();
        let knee = desk.body.find("left shin").or(desk.body.find("left shank"));
        let knee = knee.unwrap_or_else(|| {
            let hinge = |(segment, joint): &(usize, &BodyJoint)| {
                joint.dof() == 1 && desk.pair(*segment).1.is_some()
            };
            desk.body.joints().find(hinge).unwrap().0
        });
        let limits = desk.body.segments()[knee].joint.as_ref().unwrap().limits.unwrap();
        let mut upper = limits.upper;
        upper[0] -= 0.1;
        let text = desk.with_limits(knee, limits.lower, upper).unwrap();
        let changed = CreatureDesk::new(&text, &desk.texts[1], 0).unwrap();
        for segment in [knee, desk.pair(knee).1.unwrap()] {
            let own = changed.body.segments()[segment].joint.as_ref().unwrap().limits.unwrap();
            let old = desk.body.segments()[segment].joint.as_ref().unwrap().limits.unwrap();
            let less = (old.upper[0] - old.lower[0]) - (own.upper[0] - own.lower[0]);
            assert!((less - 0.1).abs() < 1e-6, "{less}");
        }
        let text = desk.with_strength(knee, [20.0; 3]).unwrap();
        let weak = CreatureDesk::new(&text, &desk.texts[1], 0).unwrap();
        assert_eq!(weak.body.segments()[knee].joint.as_ref().unwrap().torque_limit[0], 20.0);
    }

    /// Turned round, what leads ahead leads back: a suggestion is about the motion, not about a convention.
    #[test]
    fn suggested_signs_lead_ahead() {
        let desk = desk();
        let text = desk.with_suggested_signs(0);
        let told = CreatureDesk::new(&desk.texts[0], &text, 0).unwrap();
        let mut some = 0;
        for phase in StepPhaseKind::BOTH {
            for mode in 0..30 {
                let sign = desk.suggested_sign(0, phase, mode);
                if let super::super::ModeRole::Priority(amplitude) = told.role(0, phase, mode)
                    && let Some(sign) = sign
                {
                    assert_eq!(amplitude.signum(), sign);
                    some += 1;
                }
            }
        }
        assert!(some > 0);
    }
}
