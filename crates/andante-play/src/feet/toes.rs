//! Toes that the ground bends.

use andante_skeleton::{Foot, Skeleton, Transform};
use glam::{Quat, Vec3};

/// The turn of toes that brings their tip to a height above their joint: `toe` leads from the joint to the tip. They
/// are not turned up by more than `most` radians; toes that point straight up or down cannot be turned.
pub(crate) fn toe_lift(toe: Vec3, height: f32, most: f32) -> Option<Quat> {
    let level = toe.with_y(0.0);
    let axis = level.cross(Vec3::Y).try_normalize()?;
    let wanted = libm::asinf((height / toe.length()).clamp(-1.0, libm::sinf(most)));
    Some(Quat::from_axis_angle(axis, wanted - libm::atan2f(toe.y, level.length())))
}

/// How far the ground bends toes beyond the limit of their joint at most, in radians: flesh gives way.
const GIVES: f32 = 0.12;

/// Bends toes whose tip would be in the ground, below an ankle that is placed, up to an angle and to what their joint
/// allows. `height` tells how high the tip has to be, given the joint of the toes and the tip. Returns by how much that has
/// moved the ball.
pub fn bend_toes(
    skeleton: &Skeleton,
    foot: &Foot,
    ankle: &Transform,
    most: f32,
    height: impl Fn(Vec3, Vec3) -> Option<f32>,
    pose: &mut [Transform],
) -> Option<Vec3> {
    let hinged =
        |&toes: &usize| skeleton.parent(toes) == Some(foot.ankle()) && foot.tip.joint == toes;
    let toes = foot.toes.filter(hinged)?;
    let placed = *ankle * pose[toes];
    let joint = placed.translation;
    let mut lift = Quat::IDENTITY;
    // On a slope the tip is above another place once it is lifted.
    for rounding in [0.0, 1e-6] {
        let toe = lift * (placed.rotation * foot.tip.offset);
        let tip = joint + toe;
        let Some(height) = height(joint, tip).filter(|height| tip.y < height - rounding) else {
            break;
        };
        let Some(more) = toe_lift(toe, height - joint.y, most) else { break };
        lift = more * lift;
    }
    if lift == Quat::IDENTITY {
        return None;
    }
    let bent = ankle.rotation.conjugate() * lift * placed.rotation;
    let own = skeleton.joint(toes);
    let held = own.limit.clamp(own.rest.rotation, bent);
    pose[toes].rotation = held.rotate_towards(bent, GIVES);
    if foot.ball.joint != toes {
        return Some(Vec3::ZERO);
    }
    let ball = |rotation: Quat| rotation * foot.ball.offset;
    Some(ball(ankle.rotation * pose[toes].rotation) - ball(placed.rotation))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toes_are_not_bent_beyond_what_their_joint_allows_and_flesh_gives() {
        let human = andante_skeleton::humanoid();
        let (skeleton, foot) = (&human.skeleton, &human.rig.feet[0]);
        let toes = foot.toes.unwrap_or_default();
        let joint = skeleton.joint(toes);
        let mut most = 0.0f32;
        for step in 0..30 {
            // The heel rises while the tip is held up.
            let pitch = Quat::from_rotation_x(0.05 * step as f32);
            let ankle = Transform::new(pitch, Vec3::Y);
            let mut pose: Vec<Transform> = skeleton.joints().iter().map(|own| own.rest).collect();
            let raised = |joint: Vec3, _: Vec3| Some(joint.y + 0.05);
            bend_toes(skeleton, foot, &ankle, 1.2, raised, &mut pose);
            let bent = pose[toes].rotation;
            let held = joint.limit.clamp(joint.rest.rotation, bent);
            most = most.max(andante_skeleton::rotation::angle_between(held, bent));
        }
        assert!(most > 0.5 * GIVES && most < GIVES + 1e-3, "{most}");
    }

    #[test]
    fn tips_come_to_the_height_that_is_wanted_and_no_farther_up_than_toes_bend() {
        let toe = Vec3::new(0.01, -0.03, 0.06);
        let lifted = toe_lift(toe, 0.02, 1.0).map(|turn| turn * toe).unwrap_or_default();
        assert!((lifted.y - 0.02).abs() < 1e-6 && (lifted.length() - toe.length()).abs() < 1e-6);
        let most = toe_lift(toe, 1.0, 0.5).map(|turn| turn * toe).unwrap_or_default();
        assert!((most.y - toe.length() * 0.5f32.sin()).abs() < 1e-6);
        assert_eq!(toe_lift(Vec3::Y, 0.0, 1.0), None);
    }
}
