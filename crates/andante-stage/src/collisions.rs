//! Whether a body runs into what stands or hangs in a scene.

use andante_skeleton::{BodyCapsule, Clip, Skeleton, Transform, body_capsules};
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
    capsules: &[BodyCapsule],
    poses: impl Iterator<Item = &'a [Transform]>,
    obstacles: &[Obstacle],
) -> Collisions {
    let mut models = skeleton.rest_models();
    let mut placed = Vec::with_capacity(capsules.len());
    let mut found = Collisions::default();
    for (frame, pose) in poses.enumerate() {
        skeleton.local_to_model(pose, &mut models);
        let middle = models[0].translation;
        placed.clear();
        placed.extend(capsules.iter().map(|capsule| {
            (capsule.ends.map(|end| end.position(&models)), capsule.radii)
        }));
        let reach = placed.iter().flat_map(|(ends, radii)| ends.iter().zip(radii));
        let reach = reach.map(|(end, radius)| end.distance(middle) + radius).fold(0.0, f32::max);
        let mut deepest = 0.0;
        for (index, obstacle) in obstacles.iter().enumerate() {
            if obstacle.distance(middle) > reach {
                continue;
            }
            for &(ends, radii) in &placed {
                let around = 0.5 * ends[0].distance(ends[1]) + radii[0].max(radii[1]);
                if obstacle.distance(ends[0].midpoint(ends[1])) > around {
                    continue;
                }
                let depth = -obstacle.distance_to_capsule(ends, radii);
                if depth > deepest {
                    deepest = depth;
                    if depth > found.depth {
                        (found.depth, found.worst) = (depth, Some((frame, index)));
                    }
                }
            }
        }
        found.frames += usize::from(deepest > 0.0);
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
