//! Ground given by a formula of one's own.

use crate::heights::Heights;
use andante_skeleton::HeightFunction;
use glam::{Vec2, Vec3};
use std::fmt;
use std::sync::Arc;

/// A height function as a [`Terrain`](crate::Terrain).
#[derive(Clone)]
pub struct Formula {
    height: Arc<dyn Fn(Vec2) -> f32 + Send + Sync>,
    steepest: f32,
    scale: Vec3,
}

impl Formula {
    /// Ground at `height((x, z))`. Where the function is not finite, there is none.
    ///
    /// `steepest` is the largest rise per metre anywhere: rays step by it. If it is too small they may pass through
    /// hills, if it is too large they take longer.
    pub fn new(height: impl Fn(Vec2) -> f32 + Send + Sync + 'static, steepest: f32) -> Self {
        let steepest = if steepest >= 0.0 { steepest } else { f32::INFINITY };
        Self { height: Arc::new(height), steepest, scale: Vec3::ONE }
    }

    pub(crate) fn scaled(&self, scale: Vec3) -> Self {
        let steeper = scale.y / scale.x.min(scale.z);
        let steepest = self.steepest * steeper;
        Self { height: self.height.clone(), steepest, scale: self.scale * scale }
    }
}

impl fmt::Debug for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Formula").field("steepest", &self.steepest).finish_non_exhaustive()
    }
}

impl Heights for Formula {
    fn height(&self, place: Vec2) -> f32 {
        (self.height)(place / Vec2::new(self.scale.x, self.scale.z)) * self.scale.y
    }

    fn gradient(&self, place: Vec2) -> Vec2 {
        HeightFunction::new(|place| self.height(place)).gradient(place)
    }

    fn steepest(&self) -> f32 {
        self.steepest
    }
}
