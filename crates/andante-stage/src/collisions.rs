//! Whether a body runs into what stands or hangs in a scene.

use andante_skeleton::{BodyCapsules, BodyPoint, Clip, Skeleton, Transform, body_capsules};
use andante_world::Obstacle;

/// What a motion runs into.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Collisions {
    /// Frames in which some part of the body is inside an obstacle.
    pub frames: usize,
    /// How deep at worst, in metres.
    pub depth: f32,
    /// The worst frame, and the number of the obstacle.
    pub worst: Option<(usize, usize)>,
}

/// Looks at every frame: the capsules of the body against every obstacle.
pub fn collisions(skeleton: &Skeleton, clip: &Clip, obstacles: &[Obstacle]) -> Collisions {
    found_in(skeleton, &body_capsules(skeleton), clip.frames(), obstacles)
}

/// The same for a body that is known already, and some frames.
pub(crate) fn found_in<'a>(
    skeleton: &Skeleton,
    body: &BodyCapsules,
    poses: impl Iterator<Item = &'a [Transform]>,
    obstacles: &[Obstacle],
) -> Collisions {
    let mut models = skeleton.rest_models();
    // However it is posed the body is within its stretched length of its root.
    let far = |joint: usize| {
        let chain = std::iter::successors(Some(joint), |&joint| skeleton.parent(joint));
        chain
            .filter(|&joint| joint > 0)
            .map(|joint| skeleton.joint(joint).rest.translation.length())
    };
    let reach = |(point, radius): &(BodyPoint, f32)| {
        far(point.joint).sum::<f32>() + point.offset.length() + radius
    };
    let reach = body.balls.iter().map(reach).fold(0.0, f32::max);
    let (mut placed, mut near) = (Vec::with_capacity(body.balls.len()), Vec::new());
    let mut found = Collisions::default();
    for (frame, pose) in poses.enumerate() {
        let root = pose[0].translation;
        near.clear();
        near.extend((0..obstacles.len()).filter(|&index| obstacles[index].distance(root) < reach));
        if near.is_empty() {
            continue;
        }
        skeleton.local_to_model(pose, &mut models);
        placed.clear();
        placed.extend(body.balls.iter().map(|(point, radius)| (point.position(&models), *radius)));
        let mut touches = false;
        for &index in &near {
            let obstacle = &obstacles[index];
            for &[a, b] in &body.capsules {
                let ((a, thick), (b, thin)) = (placed[a], placed[b]);
                let around = 0.5 * a.distance(b) + thick.max(thin);
                if obstacle.distance(a.midpoint(b)) > around {
                    continue;
                }
                let depth = -obstacle.distance_to_capsule([a, b], [thick, thin]);
                touches |= depth > 0.0;
                if depth > found.depth {
                    (found.depth, found.worst) = (depth, Some((frame, index)));
                }
            }
        }
        found.frames += usize::from(touches);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::{Transform, humanoid};
    use andante_world::Shape;
    use glam::Vec3;

    #[test]
    fn a_body_that_glides_through_a_post_and_under_a_bar_meets_both() {
        let human = humanoid();
        let skeleton = &human.skeleton;
        let rest: Vec<Transform> =
            (0..skeleton.len()).map(|joint| skeleton.joints()[joint].rest).collect();
        let frames = 101;
        let mut transforms = Vec::new();
        for frame in 0..frames {
            let mut pose = rest.clone();
            pose[0].translation.z += 0.1 * frame as f32;
            transforms.extend(pose);
        }
        let clip = Clip::new("glide", skeleton, 60.0, transforms).unwrap();
        let post = |x: f32| Obstacle {
            name: "post".into(),
            shape: Shape::Cylinder { radius: 0.1, height: 2.0 },
            at: Vec3::new(x, 0.0, 5.0),
            heading: 0.0,
        };
        let bar = |height: f32| Obstacle {
            name: "bar".into(),
            shape: Shape::Box(Vec3::new(4.0, 0.1, 0.1)),
            at: Vec3::new(0.0, height, 8.0),
            heading: 0.0,
        };
        let met = |obstacles: &[Obstacle]| collisions(skeleton, &clip, obstacles);
        let hit = met(&[bar(2.5), post(0.0)]);
        assert!(hit.frames > 2 && hit.depth > 0.1, "{hit:?}");
        assert_eq!(hit.worst.map(|(_, obstacle)| obstacle), Some(1));
        assert_eq!(met(&[post(3.0), bar(2.5)]), Collisions::default());
        assert!(met(&[bar(1.6)]).frames > 0);
    }
}
