//! Joint angles as clinics report them, from the placement of joints in the model.

use andante_skeleton::{Foot, Rig, Transform};
use glam::Vec3;

/// The sagittal angles of one leg in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegAngles {
    /// Flexion of the thigh against the pelvis; extension is negative.
    pub hip: f32,
    /// Flexion of the knee; 0 is straight.
    pub knee: f32,
    /// Dorsiflexion of the ankle; plantar flexion is negative.
    pub ankle: f32,
    /// Pitch of the foot against the ground; toes up is positive.
    pub foot: f32,
}

/// The angles of a leg of hip, knee and ankle, for a skeleton that stands upright and faces +Z at
/// rest.
pub fn leg_angles(rig: &Rig, foot: &Foot, models: &[Transform]) -> LegAngles {
    let at = |joint: usize| models[joint].translation;
    let knee = at(foot.leg[foot.leg.len() / 2]);
    let (thigh, shank) = (knee - at(foot.hip()), at(foot.ankle()) - knee);
    let in_pelvis = models[rig.hips].rotation.conjugate() * thigh;
    let toes = models[foot.ankle()].rotation * Vec3::Z;
    LegAngles {
        hip: libm::atan2f(in_pelvis.z, -in_pelvis.y),
        knee: thigh.angle_between(shank),
        ankle: -libm::asinf(toes.dot(shank.normalize_or_zero()).clamp(-1.0, 1.0)),
        foot: libm::asinf(toes.y.clamp(-1.0, 1.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::{Pose, humanoid};
    use glam::Quat;

    #[test]
    fn angles_are_what_the_joints_were_turned_by() {
        let human = humanoid();
        let foot = &human.rig.feet[0];
        let mut pose = Pose::rest(&human.skeleton);
        pose[0].rotation = Quat::from_rotation_y(1.0) * Quat::from_rotation_x(0.1);
        pose[foot.leg[0]].rotation = Quat::from_rotation_x(-0.5);
        pose[foot.leg[1]].rotation = Quat::from_rotation_x(0.9);
        pose[foot.leg[2]].rotation = Quat::from_rotation_x(-0.2);
        let mut models = human.skeleton.rest_models();
        human.skeleton.local_to_model(&pose, &mut models);
        let angles = leg_angles(&human.rig, foot, &models);
        let wanted = LegAngles { hip: 0.5, knee: 0.9, ankle: 0.2, foot: -0.3 };
        for (a, b) in [
            (angles.hip, wanted.hip),
            (angles.knee, wanted.knee),
            (angles.ankle, wanted.ankle),
            (angles.foot, wanted.foot),
        ] {
            assert!((a - b).abs() < 1e-4, "{angles:?}");
        }
    }
}
