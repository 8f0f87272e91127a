//! The same body as solid pieces, for whoever asks what it touches.

use super::CapsuleSettings;
use super::anatomy::Anatomy;
use super::surface::Ball;
use crate::{BodyPoint, Skeleton};

/// Parts of more balls than this are spanned from their first ball only.
const MOST_PAIRED: usize = 16;

/// A body as tapered capsules, each everything between two balls.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyCapsules {
    /// Balls: middles, carried by their joints, and radii.
    pub balls: Vec<(BodyPoint, f32)>,
    /// The balls that capsules lead between.
    pub capsules: Vec<[usize; 2]>,
}

/// The body of [`capsule_body`](crate::capsule_body) as capsules: one between any two balls of each part.
pub fn body_capsules(skeleton: &Skeleton) -> BodyCapsules {
    let rest = skeleton.rest_models();
    let mut body = BodyCapsules { balls: Vec::new(), capsules: Vec::new() };
    for part in Anatomy::new(skeleton, &CapsuleSettings::default()).parts() {
        let first = body.balls.len();
        body.balls.extend(part.balls.iter().map(|ball: &Ball| {
            let offset = rest[ball.joint].inverse().transform_point(ball.center);
            (BodyPoint { joint: ball.joint, offset }, ball.radius)
        }));
        let end = body.balls.len();
        if end == first + 1 {
            body.capsules.push([first, first]);
        }
        let firsts = if part.balls.len() > MOST_PAIRED { first..first + 1 } else { first..end };
        for a in firsts {
            body.capsules.extend((a + 1..end).map(|b| [a, b]));
        }
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Transform, capsule_body, humanoid};
    use glam::Vec3;

    /// Depth of a point in a tapered capsule, by looking along it.
    fn depth(ends: [(BodyPoint, f32); 2], models: &[Transform], point: Vec3) -> f32 {
        let [(a, thick), (b, thin)] = ends.map(|(end, radius)| (end.position(models), radius));
        let at = |part: f32| thick + part * (thin - thick) - point.distance(a.lerp(b, part));
        (0..=100).map(|step| at(step as f32 / 100.0)).fold(f32::MIN, f32::max)
    }

    #[test]
    fn capsules_fill_the_drawn_body_in_any_pose() {
        let human = humanoid();
        let skeleton = &human.skeleton;
        let (body, capsules) = (capsule_body(skeleton), body_capsules(skeleton));
        let mut pose = crate::Pose::rest(skeleton);
        for (index, joint) in pose.iter_mut().enumerate().skip(1) {
            let turn = 0.3 * (index as f32).sin();
            joint.rotation *= glam::Quat::from_rotation_x(turn);
        }
        let mut models = skeleton.rest_models();
        skeleton.local_to_model(&pose, &mut models);
        let mut off = Vec::new();
        for part in &body.primitives {
            for vertex in (0..part.vertices.positions.len()).step_by(7) {
                let point = body.skin(&part.vertices, vertex, &models);
                let depths = capsules
                    .capsules
                    .iter()
                    .map(|ends| depth(ends.map(|ball| capsules.balls[ball]), &models, point));
                let deepest = depths.fold(f32::MIN, f32::max);
                off.push(-deepest);
            }
        }
        off.sort_by(f32::total_cmp);
        // Flat sides between three and more balls stand out a little between the capsules.
        assert!(off[off.len() / 2] < 1e-3, "{}", off[off.len() / 2]);
        assert!(off[off.len() - 1] < 0.03, "{}", off[off.len() - 1]);
    }
}
