//! Walks during which the world changes near the way ahead.
#![allow(dead_code)]

use super::sweep::Random;
use andante_plan::steps::PlannedMotion;
use andante_world::{Obstacle, ObstacleShape};
use glam::{Vec2, Vec3};

/// A moment of a walk and what stands in the way from then on.
pub struct Change {
    pub time: f32,
    pub what: &'static str,
    pub obstacles: Vec<Obstacle>,
}

/// Something is added, moved or removed in the next 4 m beyond what it takes to stop.
pub fn change(random: &mut Random, performance: &PlannedMotion, obstacles: &[Obstacle]) -> Change {
    let body = &performance.body;
    let fps = performance.clip.fps();
    let time = random.between(0.05, 0.75) * performance.seconds();
    let first = (time * fps) as usize;
    // The place ahead, and a place beside it.
    let speed = performance.speed[first];
    let ahead = 1.2 + speed * (0.5 + speed / 4.0) + random.between(0.0, 4.0);
    let mut walked = 0.0;
    let at = (first + 1..body.len()).find(|&frame| {
        walked += body[frame].position.distance(body[frame - 1].position);
        walked > ahead
    });
    let at = body[at.unwrap_or(body.len() - 1)];
    let beside = Vec2::new(at.heading.cos(), -at.heading.sin()) * random.between(-0.5, 0.5);
    let place = at.position + beside;
    let there = Vec3::new(place.x, 0.0, place.y);
    let mut obstacles = obstacles.to_vec();
    let standing = (0..obstacles.len()).filter(|&index| {
        // Walls and fences stay.
        let size = match &obstacles[index].shape {
            ObstacleShape::Box(size) => size.x.max(size.z),
            ObstacleShape::Cylinder { radius, .. } => *radius,
            ObstacleShape::Mesh(_) => obstacles[index].shape.reach(),
        };
        obstacles[index].bottom() < 0.5 && size < 5.0
    });
    let nearest = standing.min_by(|&a, &b| {
        obstacles[a].at.distance(there).total_cmp(&obstacles[b].at.distance(there))
    });
    let choice = (3.0 * random.next()) as usize;
    let what = match (choice, nearest) {
        (1, Some(index)) => {
            obstacles[index].at = there;
            obstacles[index].heading += random.between(-1.0, 1.0);
            "moved"
        }
        (2, Some(index)) => {
            obstacles.remove(index);
            "removed"
        }
        _ => {
            let side = || Vec3::new(0.6, 1.0, 0.6);
            let shape = if random.next() < 0.5 {
                ObstacleShape::Box(side() * random.between(0.5, 1.5))
            } else {
                ObstacleShape::Cylinder { radius: random.between(0.1, 0.5), height: 1.2 }
            };
            let heading = random.between(0.0, 3.0);
            obstacles.push(Obstacle { name: "new".into(), shape, at: there, heading });
            "added"
        }
    };
    Change { time, what, obstacles }
}
