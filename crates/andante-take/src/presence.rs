//! What stands where at which time of a take, and what it looks like.

use crate::{EventKind, TakeSource};
use andante_world::Obstacle;

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

/// Every obstacle of a take with the time it is there; one that moves is there several times.
pub fn presences(take: &dyn TakeSource) -> Vec<Presence> {
    let always = |obstacle: &Obstacle| Presence {
        obstacle: obstacle.clone(),
        from: 0.0,
        until: f32::INFINITY,
    };
    let mut found: Vec<Presence> = take.head().obstacles.iter().map(always).collect();
    for event in take.events() {
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
