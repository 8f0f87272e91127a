//! Where a body is in every frame: the evidence of what it has done.

use glam::{Vec2, Vec3};
use std::ops::RangeInclusive;

/// A body in a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrailPoint {
    /// Its hips.
    pub at: Vec3,
    /// Heights of its lowest and its highest sole, if they bear it.
    pub soles: Option<[f32; 2]>,
    pub heading: f32,
    /// Whether forces move it.
    pub forced: bool,
    /// Whether a foot is said to be down.
    pub down: bool,
}

impl TrailPoint {
    pub fn place(&self) -> Vec2 {
        Vec2::new(self.at.x, self.at.z)
    }
}

/// A whole sole that came to stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SoleStand {
    pub foot: usize,
    pub frame: usize,
    /// Between heel and ball, and the way it points.
    pub place: Vec2,
    pub heading: f32,
}

/// All frames of a body: some twenty bytes for each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trail {
    pub points: Vec<TrailPoint>,
    pub stands: Vec<SoleStand>,
    /// Height of its hips above its soles at rest; endless for who has not two legs.
    pub hips: f32,
}

impl Trail {
    /// The body in a frame; in the last one if that is later.
    pub fn at(&self, frame: usize) -> Option<&TrailPoint> {
        self.points.get(frame).or(self.points.last())
    }

    /// The bodies of some frames, as far as there are any.
    pub fn among(&self, frames: RangeInclusive<usize>) -> &[TrailPoint] {
        let last = self.points.len().min(frames.end().saturating_add(1));
        self.points.get((*frames.start()).min(last)..last).unwrap_or(&[])
    }

    /// True if forces move it in any of some frames.
    pub fn is_forced(&self, frames: RangeInclusive<usize>) -> bool {
        self.among(frames).iter().any(|point| point.forced)
    }
}
