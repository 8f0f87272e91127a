//! The same body as solid pieces, for whoever asks what it touches.

use super::anatomy::Anatomy;
use super::surface::Ball;
use crate::{BodyPoint, Skeleton};

/// Parts of more balls than this are spanned from their first ball only.
const MOST_PAIRED: usize = 16;

/// A tapered capsule: everything between two balls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyCapsule {
    /// The middles of the balls, carried by their joints.
    pub ends: [BodyPoint; 2],
    /// The radii of the balls.
    pub radii: [f32; 2],
}

/// The body of [`capsule_body`](crate::capsule_body) as capsules: one between any two balls of each part.
pub fn body_capsules(skeleton: &Skeleton) -> Vec<BodyCapsule> {
    let rest = skeleton.rest_models();
    let point = |ball: &Ball| BodyPoint {
        joint: ball.joint,
        offset: rest[ball.joint].inverse().transform_point(ball.center),
    };
    let capsule = |a: &Ball, b: &Ball| BodyCapsule {
        ends: [point(a), point(b)],
        radii: [a.radius, b.radius],
    };
    let mut capsules = Vec::new();
    for part in Anatomy::new(skeleton).parts() {
        let balls = &part.balls;
        if let [only] = balls[..] {
            capsules.push(capsule(&only, &only));
        }
        let firsts = if balls.len() > MOST_PAIRED { 1 } else { balls.len() };
        for (index, a) in balls.iter().enumerate().take(firsts) {
            capsules.extend(balls[index + 1..].iter().map(|b| capsule(a, b)));
        }
    }
    capsules
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Transform, capsule_body, humanoid};
    use glam::Vec3;

    /// Depth of a point in a tapered capsule, by looking along it.
    fn depth(capsule: &BodyCapsule, models: &[Transform], point: Vec3) -> f32 {
        let [a, b] = capsule.ends.map(|end| end.position(models));
        let at = |part: f32| {
            capsule.radii[0] + part * (capsule.radii[1] - capsule.radii[0])
                - point.distance(a.lerp(b, part))
        };
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
                let deepest =
                    capsules.iter().map(|c| depth(c, &models, point)).fold(f32::MIN, f32::max);
                off.push(-deepest);
            }
        }
        off.sort_by(f32::total_cmp);
        // Flat sides between three and more balls stand out a little between the capsules.
        assert!(off[off.len() / 2] < 1e-3, "{}", off[off.len() / 2]);
        assert!(off[off.len() - 1] < 0.03, "{}", off[off.len() - 1]);
    }
}
