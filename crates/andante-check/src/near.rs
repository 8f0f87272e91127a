//! What of the world a body can touch, found once for as long as it stays near.

use crate::clearance::PlacedBody;
use crate::distance::{around, segment_to_triangle};
use crate::world::{Depth, Moment, Solidity, World};
use glam::Vec3;
use parry3d::bounding_volume::{Aabb, BoundingVolume};

/// How far a body goes before what is near it is looked for again, in metres.
const MARGIN: f32 = 0.4;

/// What is within a box around a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct NearWorld {
    within: Option<Aabb>,
    /// The highest of the ground there, and of the edges of ground.
    top: f32,
    /// Obstacles that are there at some time.
    standing: Vec<usize>,
}

impl NearWorld {
    /// Looks again in the next frame.
    pub fn forget(&mut self) {
        self.within = None;
    }

    /// What is near a body in a frame.
    pub fn at<'a>(
        &'a mut self,
        world: &'a World,
        placed: &PlacedBody,
        moment: Moment,
    ) -> NearMoment<'a> {
        let body = Aabb::new(placed.low, placed.high);
        if !self.within.is_some_and(|within| within.contains(&body)) {
            let within = body.loosened(MARGIN);
            self.top = world.top(&within);
            self.standing.clear();
            self.standing.extend(world.standing_in(&within));
            self.within = Some(within);
        }
        NearMoment { world, moment, near: self }
    }
}

/// What is near a body at a moment.
#[derive(Clone, Copy)]
pub(crate) struct NearMoment<'a> {
    pub world: &'a World,
    pub moment: Moment,
    near: &'a NearWorld,
}

impl NearMoment<'_> {
    /// The deepest penetration of a capsule of the body into the world; `least` and less is not told.
    pub fn deepest(&self, ends: [Vec3; 2], radius: f32, least: f32) -> Option<Depth> {
        let Self { world, moment, near } = self;
        let mut worst: Option<Depth> = None;
        let mut note = |depth: f32, of: Solidity| {
            if depth > 0.0 && worst.is_none_or(|worst| depth > worst.depth) {
                worst = Some(Depth { depth, of });
            }
        };
        // What is farther from the line than this is not deep enough to be told.
        let far = (radius - least).max(0.0);
        let reach = around(ends, far);
        if reach.mins.y <= near.top {
            for (triangle, of) in world.solid_triangles(&reach) {
                note(radius - segment_to_triangle(ends, &triangle), of);
            }
        }
        for (index, triangle, ends) in world.deck_triangles(ends, far, *moment) {
            note(radius - segment_to_triangle(ends, &triangle), Solidity::Platform(index));
        }
        for &id in &near.standing {
            if let Some(distance) = world.distance_to_standing(id, ends, far, moment.time) {
                note(radius - distance, Solidity::Obstacle(id));
            }
        }
        worst
    }
}
