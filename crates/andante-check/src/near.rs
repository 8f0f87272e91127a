//! What of the world a body can touch, found once for as long as it stays near.

use crate::clearance::PlacedBody;
use crate::distance::{around, is_beside, segment_to_triangle};
use crate::world::{Depth, Moment, Solidity, World};
use glam::Vec3;
use parry3d::bounding_volume::{Aabb, BoundingVolume};

/// What is within a box around a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct NearWorld {
    /// Whether everything is looked at, however high it is.
    looks_at_all: bool,
    within: Option<Aabb>,
    /// The highest of the ground there, and of the edges of ground.
    top: f32,
    /// Obstacles that are there at some time.
    standing: Vec<usize>,
}

impl NearWorld {
    pub fn new(looks_at_all: bool) -> Self {
        Self { looks_at_all, ..Self::default() }
    }

    /// Looks again in the next frame.
    pub fn forget(&mut self) {
        self.within = None;
    }

    /// The part of the world near a body in a frame.
    pub fn at<'a>(
        &'a mut self,
        world: &'a World,
        placed: &PlacedBody,
        moment: Moment,
    ) -> NearMoment<'a> {
        let body = Aabb::new(placed.low, placed.high);
        // A body of one joint has no bones that could touch anything.
        if !placed.ends.is_empty() && !self.within.is_some_and(|within| within.contains(&body)) {
            // It is looked for again once the body has gone a part of its own size.
            let within = body.loosened(0.2 * body.extents().max_element());
            self.top = if self.looks_at_all { f32::INFINITY } else { world.top(&within) };
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
    /// True if what is nowhere lower than a height touches nothing.
    #[inline]
    pub fn is_clear(&self, lowest: f32) -> bool {
        lowest > self.near.top && self.near.standing.is_empty() && !self.world.has_decks()
    }

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
                if near.looks_at_all || !is_beside(ends, &triangle, far) {
                    note(radius - segment_to_triangle(ends, &triangle), of);
                }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface;
    use andante_take::{Take, TakeHead};
    use andante_world::{GroundPatch, Obstacle, ObstacleShape, Platform};
    use glam::Vec2;
    use parry3d::shape::Triangle;

    /// Every triangle of the ground and many points of the line against the box, as an oracle.
    #[test]
    fn what_is_deeper_than_the_least_is_told_as_if_everything_was_looked_at() {
        let mut seed = 7u32;
        let mut number = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1u32 << 24) as f32 * 2.0 - 1.0
        };
        let corners = [[-4.0, -4.0], [4.0, -4.0], [4.0, 4.0], [-4.0, 4.0]].map(Vec2::from);
        let platform = Platform::level("ground", corners.to_vec(), 0.0);
        let half = Vec3::new(0.4, 0.3, 0.5);
        let mut told = 0;
        for terrain in [None, Some("hills:0.2:2".parse().unwrap())] {
            let patch = GroundPatch { platform: platform.clone(), terrain };
            let ground = surface::triangles(&patch, surface::area(&patch), 0.1);
            let stone = Obstacle {
                name: "stone".into(),
                shape: ObstacleShape::Box(2.0 * half),
                at: Vec3::new(0.5, 0.4, 0.0),
                heading: 0.0,
            };
            let head = TakeHead {
                ground: vec![patch],
                obstacles: vec![stone.clone()],
                ..TakeHead::default()
            };
            let take = Take { head, tracks: Vec::new(), things: Vec::new(), events: Vec::new() };
            let mut world = World::new(&take, None);
            world.prepare(Vec2::ZERO, 4.0);
            let mut near = NearWorld::default();
            for _ in 0..300 {
                let from = Vec3::new(number(), 0.7 + 0.8 * number(), number());
                let ends = [from, from + 0.4 * Vec3::new(number(), number(), number())];
                let (radius, least) = (0.1 + 0.05 * number(), 0.03);
                let deep = ground
                    .iter()
                    .map(|&[a, b, c]| radius - segment_to_triangle(ends, &Triangle::new(a, b, c)));
                let middle = stone.at + Vec3::Y * half.y;
                let inside = (0..=400).map(|step| {
                    let off = (ends[0].lerp(ends[1], step as f32 / 400.0) - middle).abs() - half;
                    radius - off.max(Vec3::ZERO).length() - off.max_element().min(0.0)
                });
                let wanted = deep.chain(inside).fold(f32::NEG_INFINITY, f32::max);
                let low = ends[0].min(ends[1]) - radius;
                let placed =
                    PlacedBody { ends: vec![ends], low, high: ends[0].max(ends[1]) + radius };
                let moment = Moment { frame: 0, time: 0.0 };
                let found = near.at(&world, &placed, moment).deepest(ends, radius, least);
                let found = found.map_or(f32::NEG_INFINITY, |found| found.depth);
                if wanted > least + 2e-3 {
                    told += 1;
                    assert!((found - wanted).abs() < 2e-3, "{found} {wanted}");
                }
                assert!(found <= wanted + 2e-3, "{found} {wanted}");
            }
        }
        assert!(told > 100, "{told}");
    }
}
