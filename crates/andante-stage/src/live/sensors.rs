//! What a character notices of what is around and above it.

use super::avoid::{Other, Own};
use super::disc::ahead;
use crate::AvoidanceSettings;
use andante_plan::route::Walls;
use andante_world::{Obstacle, ObstacleOutline};
use glam::Vec2;
use std::f32::consts::TAU;

/// Rays around the body (mocap-tool 7.2).
pub const RAYS: usize = 16;

/// The perception of a character: what is around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Perception {
    /// Free metres from the rim of the body outwards: straight ahead first, then on to the left.
    pub free: [f32; RAYS],
    /// How far the rays reach.
    pub reach: f32,
}

impl Perception {
    /// Looks around. `walls` are those the middle of the body keeps clear of.
    pub(crate) fn new(
        own: &Own,
        walls: Option<&Walls>,
        others: &[Other],
        settings: &AvoidanceSettings,
    ) -> Self {
        let Own { place, heading, speed, radius, .. } = *own;
        let reach = settings.sense_reach + settings.sense_seconds * speed.abs();
        let mut free = [reach; RAYS];
        for (ray, free) in free.iter_mut().enumerate() {
            let direction = ahead(heading + TAU * ray as f32 / RAYS as f32);
            if let Some(walls) = walls {
                *free = walls.free_fraction(place, place + direction * reach) * reach;
            }
            for other in others {
                *free = free.min(until(place, direction, other.place, radius + other.radius));
            }
        }
        Self { free, reach }
    }

    /// The share of the zone around the body that others have entered, from 0 to 1 (mocap-tool 7.2).
    pub fn intrusion(&self) -> f32 {
        self.free.iter().map(|free| 1.0 - free / self.reach).sum::<f32>() / RAYS as f32
    }

    /// Free metres ahead, within 30° to both sides.
    pub fn ahead(&self) -> f32 {
        self.free[0].min(self.free[1]).min(self.free[RAYS - 1])
    }
}

/// Metres until a point that goes in a direction comes within `reach` of another.
fn until(place: Vec2, direction: Vec2, other: Vec2, reach: f32) -> f32 {
    let between = other - place;
    let along = between.dot(direction);
    let across = between.length_squared() - along * along;
    if along <= 0.0 || across >= reach * reach {
        return f32::INFINITY;
    }
    (along - (reach * reach - across).sqrt()).max(0.0)
}

/// The lowest that anything hangs above a stretch of way as wide as a body, in metres.
pub(crate) fn overhead(
    obstacles: &[Obstacle],
    from: Vec2,
    to: Vec2,
    radius: f32,
    above: f32,
) -> f32 {
    let hangs = obstacles.iter().filter(|obstacle| obstacle.bottom() > above);
    hangs
        .filter(|obstacle| covers(&obstacle.footprint(), from, to, radius))
        .map(Obstacle::bottom)
        .fold(f32::INFINITY, f32::min)
}

/// Whether a footprint comes within `radius` of the straight line between two places.
pub(crate) fn covers(footprint: &ObstacleOutline, from: Vec2, to: Vec2, radius: f32) -> bool {
    match footprint {
        ObstacleOutline::Disc { at, radius: own } => {
            nearest(*at, from, to).distance(*at) < own + radius
        }
        ObstacleOutline::Outline(corners) => {
            let count = corners.len();
            let sides = || (0..count).map(|index| (corners[index], corners[(index + 1) % count]));
            let inside = |place: Vec2| {
                let turns = || sides().map(|(a, b)| (b - a).perp_dot(place - a));
                turns().all(|turn| turn >= 0.0) || turns().all(|turn| turn <= 0.0)
            };
            let near = |(a, b): (Vec2, Vec2)| {
                let gaps = [
                    nearest(a, from, to).distance(a),
                    nearest(b, from, to).distance(b),
                    nearest(from, a, b).distance(from),
                    nearest(to, a, b).distance(to),
                ];
                gaps.iter().any(|gap| *gap < radius) || cross(a, b, from, to)
            };
            inside(from) || inside(to) || sides().any(near)
        }
    }
}

fn cross(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> bool {
    let side = |a: Vec2, b: Vec2, p: Vec2| (b - a).perp_dot(p - a);
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

pub(crate) fn nearest(place: Vec2, from: Vec2, to: Vec2) -> Vec2 {
    let along = to - from;
    let part = (place - from).dot(along) / along.length_squared().max(1e-9);
    from + along * part.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_plan::route::WalkableFloor;
    use andante_world::ObstacleShape;
    use glam::{Vec3, vec2};

    #[test]
    fn rays_find_walls_and_people() {
        let room = vec![vec2(-3.0, -3.0), vec2(3.0, -3.0), vec2(3.0, 3.0), vec2(-3.0, 3.0)];
        let walls = WalkableFloor::new(&[room], &[], &[]).unwrap().walls(0.3);
        let other = Other {
            who: 1,
            place: vec2(1.2, 2.0),
            velocity: Vec2::ZERO,
            radius: 0.3,
            share: 0.0,
            goes: false,
        };
        let own = Own {
            place: vec2(0.0, 2.0),
            heading: 0.0,
            speed: 0.0,
            radius: 0.3,
            wanted: Vec2::ZERO,
        };
        let settings = AvoidanceSettings::default();
        let senses = Perception::new(&own, Some(&walls), &[other], &settings);
        assert!((senses.ahead() - 0.7).abs() < 1e-3, "{senses:?}");
        // The quarter to the left, which is +x for somebody who faces +z.
        assert!((senses.free[RAYS / 4] - 0.6).abs() < 1e-3, "{senses:?}");
        assert_eq!(senses.free[RAYS / 2], 1.0);
        assert!((0.05..0.5).contains(&senses.intrusion()));
    }

    #[test]
    fn what_hangs_over_the_way_is_noticed_and_what_hangs_beside_it_is_not() {
        let bar = Obstacle {
            name: "bar".into(),
            shape: ObstacleShape::Box(Vec3::new(4.0, 0.1, 0.1)),
            at: Vec3::new(0.0, 1.5, 3.0),
            heading: 0.3,
        };
        let low = |to: Vec2| overhead(std::slice::from_ref(&bar), Vec2::ZERO, to, 0.3, 1.0);
        assert_eq!(low(vec2(0.0, 2.0)), f32::INFINITY);
        assert_eq!(low(vec2(0.0, 2.8)), 1.5);
        assert_eq!(low(vec2(0.0, 9.0)), 1.5);
        assert_eq!(low(vec2(5.0, 0.0)), f32::INFINITY);
        assert_eq!(overhead(&[bar], Vec2::ZERO, vec2(0.0, 9.0), 0.3, 1.6), f32::INFINITY);
    }
}
