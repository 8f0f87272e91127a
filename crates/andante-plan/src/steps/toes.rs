//! Toes: the ground bends them, and lets them go.

use super::StepGround;
use super::feet::Feet;
use andante_play::feet::toe_lift;
use andante_skeleton::{Character, Foot, Skeleton, Transform, rotation};
use glam::{Quat, Vec3};

impl Feet<'_> {
    /// Lets toes that the ground has bent spring back as fast as toes do, and bend in time for where they land. A foot
    /// that leaves quickly would have them straight in a frame or two.
    pub fn ease_toes(&self, world: &StepGround, poses: &mut [Transform]) {
        let Character { skeleton, rig, .. } = self.vocabulary.character();
        let (joints, count) = (skeleton.len(), self.frames.len());
        let mut models = Vec::new();
        for (index, foot) in rig.feet.iter().enumerate().take(2) {
            let Some(toes) = foot.toes else { continue };
            let mut free = vec![true; count];
            for stance in self.stances.iter().filter(|stance| stance.foot == index) {
                free[stance.frames[0]..=stance.frames[1]].fill(false);
            }
            let most = self.settings.toe_speed;
            let bent = self.settings.toes_bent;
            let below = self.vocabulary.rest.shapes[index].below;
            let mut ease = |from: usize, frame: usize| {
                let before = poses[from * joints + toes].rotation;
                let pose = &mut poses[frame * joints..][..joints];
                let own = pose[toes].rotation;
                if !free[frame] || rotation::angle_between(before, own) <= most {
                    return;
                }
                pose[toes].rotation = before.rotate_towards(own, most);
                models.resize(joints, Transform::IDENTITY);
                skeleton.local_to_model(pose, &mut models);
                bend_toes(skeleton, foot, world, [below, bent], pose, &models);
            };
            (1..count).for_each(|frame| ease(frame - 1, frame));
            (1..count).rev().for_each(|frame| ease(frame, frame - 1));
        }
    }
}

/// Bends toes whose tip would be in the ground, up to an angle, and says by how much that has moved the ball.
pub(super) fn bend_toes(
    skeleton: &Skeleton,
    foot: &Foot,
    world: &StepGround,
    [below, bent]: [f32; 2],
    pose: &mut [Transform],
    models: &[Transform],
) -> Option<Vec3> {
    let ankle = foot.ankle();
    let hinged = |&toes: &usize| skeleton.parent(toes) == Some(ankle) && foot.tip.joint == toes;
    let toes = foot.toes.filter(hinged)?;
    let placed = models[ankle] * pose[toes];
    let joint = placed.translation;
    let mut lift = Quat::IDENTITY;
    // On a slope the tip is above another place once it is lifted.
    for _ in 0..2 {
        let toe = lift * (placed.rotation * foot.tip.offset);
        let tip = joint + toe;
        let Some(hit) = world.ground.probe(Vec3::new(tip.x, joint.y + 0.3, tip.z), 0.6) else {
            break;
        };
        let height = hit.point.y - below;
        if tip.y >= height {
            break;
        }
        let Some(more) = toe_lift(toe, height - joint.y, bent) else { break };
        lift = more * lift;
    }
    if lift == Quat::IDENTITY {
        return None;
    }
    pose[toes].rotation = models[ankle].rotation.conjugate() * lift * placed.rotation;
    if foot.ball.joint != toes {
        return Some(Vec3::ZERO);
    }
    let ball = placed.rotation * foot.ball.offset;
    Some(lift * ball - ball)
}
