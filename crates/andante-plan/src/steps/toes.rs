//! Toes: the ground bends them, and lets them go.

use super::StepGround;
use super::feet::Feet;
use andante_play::feet::bend_toes;
use andante_skeleton::{Character, Transform, rotation};
use glam::Vec3;

/// Ground below a tip that is this much lower than below the joint of the toes is beyond an edge, in metres.
const EDGE: f32 = 5e-3;
/// Looks at the ground from the joint to a tip beyond an edge.
const LOOKS: usize = 10;

impl Feet<'_> {
    /// Bends toes whose tip would be in the ground, below an ankle that is placed; says by how much that has moved the
    /// ball.
    pub fn bend_toes(
        &self,
        index: usize,
        world: &StepGround,
        pose: &mut [Transform],
        ankle: &Transform,
    ) -> Option<Vec3> {
        let Character { skeleton, rig, .. } = self.vocabulary.character();
        let below = self.vocabulary.rest.shapes[index].below;
        let foot = &rig.feet[index];
        let thick = foot.toes.filter(|&toes| foot.ball.joint == toes);
        let thick = thick.map_or(0.0, |_| foot.ball.offset.length());
        let ground = |place: Vec3, joint: Vec3| {
            let from = Vec3::new(place.x, joint.y + 0.3, place.z);
            world.ground.height_below(from, 0.6).map(|height| height - below)
        };
        let height = |joint: Vec3, tip: Vec3| {
            let under_tip = ground(tip, joint);
            let under_joint = ground(joint, joint)?;
            if under_tip.is_some_and(|height| height > under_joint - EDGE) {
                return under_tip;
            }
            // Toes beyond an edge are above it from their ball to their tip.
            let ball = joint.y - thick;
            let lifted = (1..LOOKS).filter_map(|look| {
                let part = look as f32 / LOOKS as f32;
                let height = ground(joint.lerp(tip, part), joint)?;
                let on_edge = height > under_joint - EDGE && ball > height;
                on_edge.then(|| ball - (ball - height) / part)
            });
            lifted.chain(under_tip).max_by(f32::total_cmp)
        };
        let most = self.settings.toes_bent;
        bend_toes(skeleton, foot, ankle, most, height, pose)
    }

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
            let mut ease = |from: usize, frame: usize| {
                let before = poses[from * joints + toes].rotation;
                let pose = &mut poses[frame * joints..][..joints];
                let own = pose[toes].rotation;
                if !free[frame] || rotation::angle_between(before, own) <= most {
                    return;
                }
                pose[toes].rotation = before.rotate_towards(own, most);
                models.resize(joints, Transform::IDENTITY);
                skeleton.local_to_model_but(&self.vocabulary.upper_body, pose, &mut models);
                self.bend_toes(index, world, pose, &models[foot.ankle()]);
            };
            (1..count).for_each(|frame| ease(frame - 1, frame));
            (1..count).rev().for_each(|frame| ease(frame, frame - 1));
        }
    }
}
