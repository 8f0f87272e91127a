//! Everything above the legs, as a handful of angles that can be mixed.

use super::figure::BipedMeasures;
use super::stance::SynthFootPose;
use andante_skeleton::TwoBoneOptions;
use andante_skeleton::{Planar, Transform, rotation};
use glam::{Quat, Vec3};

/// The posture of pelvis, trunk, head and arms relative to a moving frame on the ground that faces
/// the way the body goes.
///
/// Turns are (forward tilt, heading, roll) in radians: positive tilt bows, positive heading turns
/// left, positive roll lifts the left side.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct BodyPosture {
    /// The root joint: to the left, height, ahead.
    pub place: Vec3,
    pub pelvis: Vec3,
    pub chest: Vec3,
    pub head: Vec3,
    /// Left, right.
    pub arms: [ArmPose; 2],
}

/// The posture of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct ArmPose {
    /// Forward from hanging, against the vertical.
    pub swing: f32,
    /// Away from the body.
    pub spread: f32,
    /// About the upper arm; positive brings a bent forearm in front of the body.
    pub turn: f32,
    pub elbow: f32,
}

impl ArmPose {
    fn lerp(&self, other: &Self, t: f32) -> Self {
        let mix = |a: f32, b: f32| a + (b - a) * t;
        Self {
            swing: mix(self.swing, other.swing),
            spread: mix(self.spread, other.spread),
            turn: mix(self.turn, other.turn),
            elbow: mix(self.elbow, other.elbow),
        }
    }
}

impl BodyPosture {
    pub fn lerp(&self, other: &Self, t: f32) -> Self {
        Self {
            place: self.place.lerp(other.place, t),
            pelvis: self.pelvis.lerp(other.pelvis, t),
            chest: self.chest.lerp(other.chest, t),
            head: self.head.lerp(other.head, t),
            arms: std::array::from_fn(|i| self.arms[i].lerp(&other.arms[i], t)),
        }
    }

    /// The root joint in the world.
    pub fn root(&self, path: &Planar) -> Transform {
        path.to_transform() * Transform::new(turn(self.pelvis), self.place)
    }
}

fn turn(angles: Vec3) -> Quat {
    Quat::from_rotation_y(angles.y)
        * Quat::from_rotation_x(angles.x)
        * Quat::from_rotation_z(angles.z)
}

/// Writes the pose of a body on its path with its feet where they are asked to be.
pub(super) fn pose(
    figure: &BipedMeasures,
    path: &Planar,
    body: &BodyPosture,
    feet: &[SynthFootPose; 2],
    locals: &mut [Transform],
    models: &mut [Transform],
) {
    let skeleton = &figure.character.skeleton;
    for (local, joint) in locals.iter_mut().zip(skeleton.joints()) {
        *local = joint.rest;
    }
    let (pelvis, chest) = (turn(body.pelvis), turn(body.chest));
    locals[0] = path.to_transform() * Transform::new(pelvis, body.place);
    let rig = &figure.character.rig;
    let (neck, trunk) = match rig.spine.split_last() {
        Some((neck, trunk)) if rig.head.is_some() => (Some(*neck), trunk),
        _ => (None, rig.spine.as_slice()),
    };
    let bend = rotation::log(pelvis.conjugate() * chest);
    let settings = figure.settings;
    let total: f32 = settings.spine_shares.iter().take(trunk.len()).sum();
    for (joint, share) in trunk.iter().zip(settings.spine_shares) {
        locals[*joint].rotation = rotation::exp(bend * (share / total));
    }
    let bend = rotation::log(chest.conjugate() * turn(body.head));
    if let (Some(neck), Some(head)) = (neck, rig.head) {
        locals[neck].rotation = rotation::exp(bend * settings.neck_share);
        locals[head].rotation = rotation::exp(bend * (1.0 - settings.neck_share));
    }
    for (arm, joints) in body.arms.iter().zip(&figure.arms) {
        let Some(joints) = joints else { continue };
        let sign = joints.sign;
        let down = std::f32::consts::FRAC_PI_2 - arm.spread;
        locals[joints.upper].rotation = Quat::from_rotation_x(-(arm.swing + body.chest.x))
            * Quat::from_rotation_z(-sign * down)
            * Quat::from_rotation_x(arm.turn);
        locals[joints.lower].rotation = Quat::from_rotation_y(-sign * arm.elbow);
        for digit in &joints.digits {
            locals[*digit].rotation = joints.curl;
        }
        locals[joints.hand].rotation = joints.wrist;
    }
    skeleton.local_to_model(locals, models);
    let knees_over_toes =
        TwoBoneOptions { root_weight: settings.hip_weight, ..TwoBoneOptions::default() };
    for (leg, foot) in figure.legs.iter().zip(feet) {
        leg.solver.solve(&foot.transform(), &knees_over_toes, locals, models);
        if let Some(toes) = leg.toes {
            locals[toes].rotation = Quat::from_rotation_x(-foot.toes);
        }
    }
}
