//! What stands where at which time of a take, and what it looks like.

use super::{EventKind, Take};
use crate::SceneGround;
use andante_world::{MeshError, Obstacle, TriangleMesh};

/// An obstacle and when it is there.
#[derive(Clone, Debug, PartialEq)]
pub struct Presence {
    /// The thing.
    pub obstacle: Obstacle,
    /// First moment in seconds.
    pub from: f32,
    /// When it is gone or elsewhere; endless if it stays.
    pub until: f32,
}

/// Size of the triangles of uneven ground in pictures and files, in metres.
const CELL: f32 = 0.2;

impl Take {
    /// Every obstacle with the time it is there; one that moves is there several times.
    pub fn presences(&self) -> Vec<Presence> {
        let always = |obstacle: &Obstacle| Presence {
            obstacle: obstacle.clone(),
            from: 0.0,
            until: f32::INFINITY,
        };
        let mut found: Vec<Presence> = self.scene.obstacles.iter().map(always).collect();
        for event in &self.events {
            let name = match &event.kind {
                EventKind::Placed(obstacle) => &obstacle.name,
                EventKind::Removed(name) => name,
                _ => continue,
            };
            let mut there = found.iter_mut().filter(|presence| presence.until == f32::INFINITY);
            if let Some(old) = there.find(|presence| presence.obstacle.name == *name) {
                old.until = event.time;
            }
            if let EventKind::Placed(obstacle) = &event.kind {
                found.push(Presence { from: event.time, ..always(obstacle) });
            }
        }
        found.retain(|presence| presence.until > presence.from);
        found
    }

    /// The ground as triangles.
    pub fn ground_mesh(&self) -> Result<TriangleMesh, MeshError> {
        SceneGround::new(&self.scene).mesh(CELL)
    }
}
