//! How somebody stands.

use super::mix::hips_placement;
use crate::steps::{StepError, StepSettings};
use andante_play::repertoire::{ClipClass, PHASES, Repertoire, SolePhase};
use andante_skeleton::{Character, Planar, Transform, rotation};
use andante_skeleton::{TwoBone, TwoBoneOptions};
use glam::{Quat, Vec2, Vec3};

/// The sole of a foot that is flat on the ground, seen from its footprint: the middle between heel and
/// ball, ahead along the line through both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::steps) struct FootShape {
    /// How far ahead heel, ball and tip are.
    pub heel: f32,
    pub ball: f32,
    pub tip: f32,
    /// How far the tip is below heel and ball: feet of captured rigs are not quite even.
    pub below: f32,
}

/// Standing: with the hips at the origin, facing +Z, on ground at height 0.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::steps) struct Rest {
    pub pose: Vec<Transform>,
    /// The footprints.
    pub stance: [Planar; 2],
    pub soles: [SolePhase; 2],
    pub shapes: [FootShape; 2],
}

impl Rest {
    /// The first frame of a clip of standing. Without one, the mean posture of a gait with its
    /// feet put side by side.
    pub fn new(
        repertoire: &Repertoire,
        gait: usize,
        settings: &StepSettings,
    ) -> Result<Self, StepError> {
        let character = repertoire.character();
        let skeleton = &character.skeleton;
        let mut pose = vec![Transform::IDENTITY; skeleton.len()];
        match repertoire.of_class(ClipClass::Stand).next() {
            Some(stand) => stand.sample(0.0, &mut pose),
            None => mean_posture(repertoire, gait, settings.mix.extension, &mut pose),
        }
        let own = hips_placement(character, &pose);
        pose[0] = own.to_transform().inverse() * pose[0];
        let mut models = pose.clone();
        skeleton.local_to_model(&pose, &mut models);
        let soles = [0, 1].map(|foot| sole(character, foot, &models));
        let prints = soles.map(|sole| print_of(flat(sole.heel), flat(sole.ball)));
        let shape = |foot: usize| {
            let ahead =
                Vec2::new(libm::sinf(prints[foot].heading), libm::cosf(prints[foot].heading));
            let along = |point: Vec3| (flat(point) - prints[foot].position).dot(ahead);
            let tip = character.rig.feet[foot].tip.position(&models);
            // As long as it is when it is quite flat.
            let half = 0.5 * soles[foot].heel.distance(soles[foot].ball);
            let ahead = along(tip).max(half);
            // The line through heel and ball, continued to the tip.
            let slope = (soles[foot].ball.y - soles[foot].heel.y) / (2.0 * half).max(1e-3);
            let level = soles[foot].heel.y + slope * (ahead + half);
            let below = (level - tip.y).clamp(0.0, 0.02);
            FootShape { heel: -half, ball: half, tip: ahead, below }
        };
        Ok(Self { shapes: [shape(0), shape(1)], stance: prints, soles, pose })
    }
}

/// The footprint of a sole.
pub(in crate::steps) fn print_of(heel: Vec2, ball: Vec2) -> Planar {
    let along = ball - heel;
    Planar::new(0.5 * (heel + ball), libm::atan2f(along.x, along.y))
}

pub(in crate::steps) fn flat(point: Vec3) -> Vec2 {
    Vec2::new(point.x, point.z)
}

fn sole(character: &Character, foot: usize, models: &[Transform]) -> SolePhase {
    let foot = &character.rig.feet[foot];
    SolePhase {
        rotation: models[foot.ankle()].rotation,
        heel: foot.heel.position(models),
        ball: foot.ball.position(models),
    }
}

/// The mean of all phases of a gait, standing on both feet.
fn mean_posture(repertoire: &Repertoire, gait: usize, extension: f32, pose: &mut [Transform]) {
    let character = repertoire.character();
    let clip = &repertoire.clips()[gait];
    let mut sample = pose.to_vec();
    clip.sample(0.0, pose);
    let first = pose.to_vec();
    for step in 1..PHASES {
        clip.sample(step as f32 / PHASES as f32, &mut sample);
        for ((sum, from), first) in pose.iter_mut().zip(&sample).zip(&first) {
            sum.translation += from.translation;
            sum.rotation += rotation::nearest_sign(from.rotation, first.rotation);
        }
    }
    for sum in pose.iter_mut() {
        sum.translation /= PHASES as f32;
        sum.rotation = sum.rotation.normalize();
    }
    let own = hips_placement(character, pose);
    pose[0] = own.to_transform().inverse() * pose[0];
    let mut models = pose.to_vec();
    character.skeleton.local_to_model(pose, &mut models);
    let mut ankles = Vec::with_capacity(2);
    for (index, foot) in character.rig.feet.iter().enumerate() {
        let Some((mut ankle, straight)) = flat_foot(repertoire, gait, index) else { return };
        if let (Some(toes), Some(straight)) = (foot.toes, straight) {
            pose[toes].rotation = straight;
        }
        // Hip width, as people stand.
        ankle.translation.x = models[foot.hip()].translation.x;
        let turn = rotation::heading(ankle.rotation * models[foot.ankle()].rotation.conjugate());
        let turn = Quat::from_rotation_y(turn.clamp(-0.2, 0.2) - turn);
        ankle.rotation = turn * ankle.rotation;
        ankles.push(ankle);
    }
    // As high as the legs reach.
    let legs = || repertoire.legs().iter().flatten().zip(&ankles);
    let rise = |(leg, ankle): (&TwoBone, &Transform)| {
        let [hip, knee, end] = leg.joints();
        let bone = |joint: usize| character.skeleton.joint(joint).rest.translation.length();
        let reach = extension * (bone(knee) + bone(end));
        let offset = models[hip].translation - ankle.translation;
        let across = offset.x * offset.x + offset.z * offset.z;
        (reach * reach - across).max(0.0).sqrt() - offset.y
    };
    let rise = legs().map(rise).fold(f32::INFINITY, f32::min);
    if rise.is_finite() {
        pose[0].translation.y += rise;
    }
    character.skeleton.local_to_model(pose, &mut models);
    for (leg, ankle) in legs() {
        leg.solve(ankle, &TwoBoneOptions::default(), pose, &mut models);
    }
}

/// A foot of a gait when it is flat with the body above it: the ankle over the origin, and the toes.
fn flat_foot(
    repertoire: &Repertoire,
    gait: usize,
    index: usize,
) -> Option<(Transform, Option<Quat>)> {
    let character = repertoire.character();
    let clip = &repertoire.clips()[gait];
    let foot = &character.rig.feet[index];
    let mut sample = vec![Transform::IDENTITY; character.skeleton.len()];
    let mut models = sample.clone();
    let mut best: Option<(f32, Transform, Option<Quat>)> = None;
    for step in 0..PHASES {
        let phase = step as f32 / PHASES as f32;
        if clip.feet()[index].down(phase) != [true; 2] {
            continue;
        }
        clip.sample(phase, &mut sample);
        character.skeleton.local_to_model(&sample, &mut models);
        let found = sole(character, index, &models);
        let middle = 0.5 * (found.heel + found.ball);
        let unlike = (found.heel.y - found.ball.y).abs() + 0.1 * middle.z.abs();
        if best.is_none_or(|(least, ..)| unlike < least) {
            let mut ankle = models[foot.ankle()];
            ankle.translation -= Vec3::new(0.0, middle.y, middle.z);
            best = Some((unlike, ankle, foot.toes.map(|toes| sample[toes].rotation)));
        }
    }
    best.map(|(_, ankle, toes)| (ankle, toes))
}
