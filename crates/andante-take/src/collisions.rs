//! Whether a body runs into what stands or hangs in a scene.

use andante_skeleton::{BodyCapsules, BodyPoint, Clip, Skeleton, Transform, body_capsules};
use andante_world::{Obstacle, Solid};
use glam::{Vec2, Vec3};
use std::ops::Range;

/// No part of a body moves faster than this, in m/s: what is far away is not looked at in every frame.
const FASTEST: f32 = 12.0;

/// Farther from the body than this, in metres, no obstacle is looked for.
const FAR: f32 = 0.5;

/// Frames that are looked at together to find out what is near.
const BLOCK: usize = 16;

/// Fewer frames than these are looked at one after the other.
const SHORT: usize = 96;

/// How often a capsule is halved before its exact distance is looked for.
const HALVINGS: usize = 3;

/// The collisions of a motion.
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
    BodyEnvelope::new(skeleton).touches(clip, 0..clip.frame_count(), obstacles, |_| true).all
}

/// The room a body takes, however it is posed.
#[derive(Clone, Debug)]
pub struct BodyEnvelope {
    skeleton: Skeleton,
    body: BodyCapsules,
    /// The body is within this of its root, in metres.
    reach: f32,
}

/// The touches of a motion, obstacle by obstacle.
#[derive(Clone, Debug, PartialEq)]
pub struct ObstacleTouches {
    /// How deep at worst, in metres, and in which frame; 0 where it does not.
    pub worst: Vec<(f32, usize)>,
    /// The first and the last frame in which something is touched.
    pub frames: Option<[usize; 2]>,
    /// All of them together.
    pub all: Collisions,
}

impl ObstacleTouches {
    /// These, and those of later frames.
    fn and(mut self, later: Self) -> Self {
        for (own, later) in self.worst.iter_mut().zip(later.worst) {
            if later.0 > own.0 {
                *own = later;
            }
        }
        if later.all.depth > self.all.depth {
            (self.all.depth, self.all.worst) = (later.all.depth, later.all.worst);
        }
        self.all.frames += later.all.frames;
        self.frames = match (self.frames, later.frames) {
            (Some([first, _]), Some([_, last])) => Some([first, last]),
            (own, later) => own.or(later),
        };
        self
    }
}

impl BodyEnvelope {
    /// The room a body of this skeleton takes.
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

    /// The touches of the body in some frames, with the obstacles that count.
    pub fn touches(
        &self,
        clip: &Clip,
        frames: Range<usize>,
        obstacles: &[Obstacle],
        counts: impl Fn(usize) -> bool + Sync,
    ) -> ObstacleTouches {
        // Two halves at once; where they are parted does not depend on the machine.
        let middle = frames.start.midpoint(frames.end);
        let of = |frames: Range<usize>| {
            let sweep = Sweep::new(self, clip, obstacles, &counts);
            sweep.touches(frames, obstacles.len())
        };
        if frames.len() < SHORT {
            return of(frames);
        }
        let (first, second) = andante_skeleton::parallel::join(
            || of(frames.start..middle),
            || of(middle..frames.end),
        );
        first.and(second)
    }

    /// The first and the last of some frames in which the body touches an obstacle that counts. What is between them is not
    /// looked at.
    pub fn span(
        &self,
        clip: &Clip,
        frames: Range<usize>,
        obstacles: &[Obstacle],
        counts: impl Fn(usize) -> bool + Sync,
    ) -> Option<[usize; 2]> {
        let ends = |frames: Range<usize>| {
            let mut sweep = Sweep::new(self, clip, obstacles, &counts);
            let first = sweep.first(frames.clone())?;
            let last = sweep.first((first..frames.end).rev())?;
            Some([first, last])
        };
        let middle = frames.start.midpoint(frames.end);
        match andante_skeleton::parallel::join(
            || ends(frames.start..middle),
            || ends(middle..frames.end),
        ) {
            (Some([first, _]), Some([_, last])) => Some([first, last]),
            (early, late) => early.or(late),
        }
    }
}

/// Frames of a clip, one after the other, and what is near the body in them.
struct Sweep<'a> {
    envelope: &'a BodyEnvelope,
    clip: &'a Clip,
    /// Numbers of obstacles with circles that the root must come into to touch them.
    solids: Vec<(usize, Vec2, f32, Solid)>,
    /// Frames for which it is known which of these are near.
    block: Range<usize>,
    nearby: Vec<usize>,
    models: Vec<Transform>,
    placed: Vec<(Vec3, f32)>,
    /// Half the lengths of capsules, once they are asked for.
    halves: Vec<f32>,
}

impl<'a> Sweep<'a> {
    fn new(
        envelope: &'a BodyEnvelope,
        clip: &'a Clip,
        obstacles: &[Obstacle],
        counts: impl Fn(usize) -> bool,
    ) -> Self {
        let solid = |index: usize| {
            let Obstacle { at, shape, .. } = &obstacles[index];
            let within = shape.reach() + envelope.reach + FAR;
            (index, Vec2::new(at.x, at.z), within, obstacles[index].solid())
        };
        Self {
            envelope,
            clip,
            solids: (0..obstacles.len()).filter(|&index| counts(index)).map(solid).collect(),
            block: 0..0,
            nearby: Vec::new(),
            models: envelope.skeleton.rest_models(),
            placed: Vec::with_capacity(envelope.body.balls.len()),
            halves: Vec::with_capacity(envelope.body.capsules.len()),
        }
    }

    /// What is touched in some frames.
    fn touches(mut self, frames: Range<usize>, obstacles: usize) -> ObstacleTouches {
        let mut found = ObstacleTouches {
            worst: vec![(0.0, 0); obstacles],
            frames: None,
            all: Collisions::default(),
        };
        let mut next = frames.start;
        while next < frames.end {
            let frame = next;
            let mut touches = false;
            let room = self.look(frame, |index, depth| {
                touches = true;
                if depth > found.worst[index].0 {
                    found.worst[index] = (depth, frame);
                }
                if depth > found.all.depth {
                    (found.all.depth, found.all.worst) = (depth, Some((frame, index)));
                }
                true
            });
            if touches {
                found.all.frames += 1;
                found.frames = Some([found.frames.map_or(frame, |[first, _]| first), frame]);
            }
            next = frame + self.frames_for(room);
        }
        found
    }

    /// Frames in which nothing can be touched that is so far away.
    fn frames_for(&self, room: f32) -> usize {
        1 + (room / (FASTEST / self.clip.fps())).max(0.0) as usize
    }

    /// The first of some frames in which something is touched.
    fn first(&mut self, frames: impl Iterator<Item = usize>) -> Option<usize> {
        let mut skipped = 0;
        for frame in frames {
            if skipped > 0 {
                skipped -= 1;
                continue;
            }
            let mut touches = false;
            let room = self.look(frame, |_, _| {
                touches = true;
                false
            });
            if touches {
                return Some(frame);
            }
            skipped = self.frames_for(room) - 1;
        }
        None
    }

    /// Finds what is near in a frame and its neighbours.
    fn enter(&mut self, frame: usize) {
        if self.block.contains(&frame) {
            return;
        }
        let first = frame - frame % BLOCK;
        self.block = first..(first + BLOCK).min(self.clip.frame_count());
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for frame in self.block.clone() {
            let root = self.clip.frame(frame)[0].translation;
            let place = Vec2::new(root.x, root.z);
            (low, high) = (low.min(place), high.max(place));
        }
        self.nearby.clear();
        let is_near = |&index: &usize| {
            let (_, at, within, _) = &self.solids[index];
            at.distance_squared(at.clamp(low, high)) < within * within
        };
        self.nearby.extend((0..self.solids.len()).filter(is_near));
    }

    /// Tells of every capsule of the body that is inside an obstacle, and how deep, as long as it is asked to go on.
    /// Returns how far the body is from everything at least.
    fn look(&mut self, frame: usize, mut met: impl FnMut(usize, f32) -> bool) -> f32 {
        self.enter(frame);
        let BodyEnvelope { skeleton, body, reach } = self.envelope;
        let pose = self.clip.frame(frame);
        let place = Vec2::new(pose[0].translation.x, pose[0].translation.z);
        let mut width = None;
        let mut room = FAR;
        for &near in &self.nearby {
            let (index, _, _, solid) = &self.solids[near];
            let beside = solid.distance_beside(place);
            if beside >= reach + FAR {
                continue;
            }
            // Most of what is near the body is outside an upright cylinder around it.
            let width = *width.get_or_insert_with(|| {
                skeleton.local_to_model(pose, &mut self.models);
                let ball =
                    |(point, radius): &(BodyPoint, f32)| (point.position(&self.models), *radius);
                self.halves.clear();
                self.placed.clear();
                self.placed.extend(body.balls.iter().map(ball));
                let far =
                    |(at, radius): &(Vec3, f32)| Vec2::new(at.x, at.z).distance(place) + radius;
                self.placed.iter().map(far).fold(0.0, f32::max)
            });
            if beside > width {
                room = room.min(beside - width);
                continue;
            }
            if self.halves.is_empty() {
                let half = |&[a, b]: &[usize; 2]| 0.5 * self.placed[a].0.distance(self.placed[b].0);
                self.halves.extend(body.capsules.iter().map(half));
            }
            for (&[a, b], &half) in body.capsules.iter().zip(&self.halves) {
                let ((a, thick), (b, thin)) = (self.placed[a], self.placed[b]);
                let apart = at_least(solid, [a, b], half, thick.max(thin), HALVINGS);
                room = room.min(apart);
                if apart > 0.0 {
                    continue;
                }
                let depth = -solid.distance_to_capsule([a, b], [thick, thin]);
                if depth > 0.0 && !met(*index, depth) {
                    return 0.0;
                }
            }
        }
        room
    }
}

/// How far a capsule is from a solid at least, by balls around it and its halves; exact distances cost much more.
fn at_least(solid: &Solid, [a, b]: [Vec3; 2], half: f32, thick: f32, halvings: usize) -> f32 {
    let middle = a.midpoint(b);
    let whole = solid.distance(middle) - half - thick;
    if whole > 0.0 || halvings == 0 {
        return whole;
    }
    let parts = [[a, middle], [middle, b]];
    let [first, second] = parts.map(|part| at_least(solid, part, 0.5 * half, thick, halvings - 1));
    whole.max(first.min(second))
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::humanoid;
    use andante_world::ObstacleShape;
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
            shape: ObstacleShape::Cylinder { radius: 0.1, height: 2.0 },
            at: Vec3::new(x, 0.0, 5.0),
            heading: 0.0,
        };
        let bar = |height: f32| Obstacle {
            name: "bar".into(),
            shape: ObstacleShape::Box(Vec3::new(4.0, 0.1, 0.1)),
            at: Vec3::new(0.0, height, 8.0),
            heading: 0.0,
        };
        let met = |obstacles: &[Obstacle]| collisions(skeleton, &clip, obstacles);
        let hit = met(&[bar(2.5), post(0.0)]);
        assert!(hit.frames > 2 && hit.depth > 0.1, "{hit:?}");
        assert_eq!(hit.worst.map(|(_, obstacle)| obstacle), Some(1));
        assert_eq!(met(&[post(3.0), bar(2.5)]), Collisions::default());
        assert!(met(&[bar(1.6)]).frames > 0);
        // The ends of what is touched are found without looking at the rest.
        let envelope = BodyEnvelope::new(skeleton);
        for obstacles in [&[bar(1.6), post(0.0)][..], &[post(3.0)]] {
            let all = envelope.touches(&clip, 0..frames, obstacles, |_| true);
            assert_eq!(envelope.span(&clip, 0..frames, obstacles, |_| true), all.frames);
        }
    }
}
