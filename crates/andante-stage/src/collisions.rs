//! Whether a body runs into what stands or hangs in a scene.

use andante_skeleton::{BodyCapsules, BodyPoint, Clip, Skeleton, body_capsules};
use andante_world::{Obstacle, Solid};
use glam::{Vec2, Vec3};
use std::ops::Range;

/// No part of a body moves faster than this, in m/s: what is far away is not looked at in every frame.
const FASTEST: f32 = 12.0;

/// Farther from the body than this, in metres, no obstacle is looked for.
const FAR: f32 = 0.5;

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
    Envelope::new(skeleton).touches(clip, 0..clip.frame_count(), obstacles, |_| true).all
}

/// The room a body takes, however it is posed.
#[derive(Clone, Debug)]
pub(crate) struct Envelope {
    skeleton: Skeleton,
    body: BodyCapsules,
    /// The body is within this of its root, in metres.
    reach: f32,
}

/// What a motion runs into, obstacle by obstacle.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Touches {
    /// How deep at worst, in metres, and in which frame; 0 where it does not.
    pub worst: Vec<(f32, usize)>,
    /// The first and the last frame in which something is touched.
    pub frames: Option<[usize; 2]>,
    pub all: Collisions,
}

impl Envelope {
    pub fn new(skeleton: &Skeleton) -> Self {
        let body = body_capsules(skeleton);
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
        Self { skeleton: skeleton.clone(), body, reach }
    }

    /// What the body touches in some frames, of the obstacles that count.
    pub fn touches(
        &self,
        clip: &Clip,
        frames: Range<usize>,
        obstacles: &[Obstacle],
        counts: impl Fn(usize) -> bool,
    ) -> Touches {
        let Self { skeleton, body, reach } = self;
        // Circles around the obstacles that the root must come into.
        let around: Vec<(usize, Vec2, f32, Solid)> = (0..obstacles.len())
            .filter(|&index| counts(index))
            .map(|index| {
                let Obstacle { at, shape, .. } = &obstacles[index];
                let within = (shape.reach() + reach + FAR).powi(2);
                (index, Vec2::new(at.x, at.z), within, obstacles[index].solid())
            })
            .collect();
        let mut models = skeleton.rest_models();
        let mut placed: Vec<(Vec3, f32)> = Vec::with_capacity(body.balls.len());
        let mut near: Vec<(usize, &Solid)> = Vec::new();
        let mut found = Touches {
            worst: vec![(0.0, 0); obstacles.len()],
            frames: None,
            all: Collisions::default(),
        };
        // Nothing is near enough to be touched before this frame.
        let mut next = 0;
        for frame in frames {
            if frame < next {
                continue;
            }
            let pose = clip.frame(frame);
            let root = pose[0].translation;
            let place = Vec2::new(root.x, root.z);
            near.clear();
            let is_near = |&&(_, at, within, ref solid): &&(usize, Vec2, f32, Solid)| {
                at.distance_squared(place) < within && solid.distance(root) < reach + FAR
            };
            near.extend(around.iter().filter(is_near).map(|(index, .., solid)| (*index, solid)));
            let frames_for = |room: f32| 1 + (room / (FASTEST / clip.fps())).max(0.0) as usize;
            if near.is_empty() {
                next = frame + frames_for(FAR);
                continue;
            }
            skeleton.local_to_model(pose, &mut models);
            placed.clear();
            let ball = |(point, radius): &(BodyPoint, f32)| (point.position(&models), *radius);
            placed.extend(body.balls.iter().map(ball));
            // Most of what is near the body is outside an upright cylinder around it.
            let width = |(at, radius): &(Vec3, f32)| Vec2::new(at.x, at.z).distance(place) + radius;
            let width = placed.iter().map(width).fold(0.0, f32::max);
            let mut touches = false;
            let mut room = FAR;
            for &(index, solid) in &near {
                let apart = solid.distance_beside(place) - width;
                if apart > 0.0 {
                    room = room.min(apart);
                    continue;
                }
                for &[a, b] in &body.capsules {
                    let ((a, thick), (b, thin)) = (placed[a], placed[b]);
                    let around = 0.5 * a.distance(b) + thick.max(thin);
                    let apart = solid.distance(a.midpoint(b)) - around;
                    room = room.min(apart);
                    if apart > 0.0 {
                        continue;
                    }
                    let depth = -solid.distance_to_capsule([a, b], [thick, thin]);
                    touches |= depth > 0.0;
                    if depth > found.worst[index].0 {
                        found.worst[index] = (depth, frame);
                    }
                    if depth > found.all.depth {
                        (found.all.depth, found.all.worst) = (depth, Some((frame, index)));
                    }
                }
            }
            next = frame + frames_for(room);
            if touches {
                found.all.frames += 1;
                found.frames = Some([found.frames.map_or(frame, |[first, _]| first), frame]);
            }
        }
        found
    }
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
