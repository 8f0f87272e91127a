//! Ground of somebody else's world.

use crate::heights::Heights;
use crate::{ClosestPoint, Ground, Hit, Ray};
use glam::{Vec2, Vec3};
use std::fmt;
use std::sync::Arc;

/// Ground that answers questions by itself, as a [`Terrain`](crate::Terrain). Cheap to clone.
#[derive(Clone)]
pub struct OwnGround {
    ground: Arc<dyn Ground>,
    scale: Vec3,
}

impl OwnGround {
    /// As the ground answers.
    pub fn new(ground: Arc<dyn Ground>) -> Self {
        Self { ground, scale: Vec3::ONE }
    }

    pub(crate) fn scaled(&self, scale: Vec3) -> Self {
        Self { ground: Arc::clone(&self.ground), scale: self.scale * scale }
    }

    /// A normal of the ground as it is here.
    fn normal(&self, normal: Vec3) -> Option<Vec3> {
        (normal / self.scale).try_normalize()
    }

    /// How far away a point of the ground is from where the question was asked, if it makes sense.
    fn found(&self, found: ClosestPoint, from: Vec3, within: f32) -> Option<ClosestPoint> {
        let (point, normal) = (found.point * self.scale, self.normal(found.normal)?);
        let distance = point.distance(from);
        // Also false for what is not a number.
        (distance <= within).then_some(ClosestPoint { point, normal, distance })
    }
}

impl Heights for OwnGround {
    fn height(&self, place: Vec2) -> f32 {
        let from = Vec3::new(place.x, f32::MAX, place.y);
        self.height_below(from, f32::INFINITY).unwrap_or(f32::NAN)
    }

    fn gradient(&self, place: Vec2) -> Vec2 {
        let from = Vec3::new(place.x, f32::MAX, place.y);
        let up = self.probe(from, f32::INFINITY).map_or(Vec3::Y, |hit| hit.normal);
        -Vec2::new(up.x, up.z) / up.y.max(1e-3)
    }

    fn steepest(&self) -> f32 {
        f32::INFINITY
    }
}

impl fmt::Debug for OwnGround {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnGround").field("scale", &self.scale).finish_non_exhaustive()
    }
}

impl Ground for OwnGround {
    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
        let hit = self.ground.probe(from / self.scale, depth / self.scale.y)?;
        let (height, normal) = (hit.point.y * self.scale.y, self.normal(hit.normal)?);
        let met = height.is_finite() && height <= from.y && height >= from.y - depth;
        (met && normal.y > 0.0).then(|| Hit { point: from.with_y(height), normal })
    }

    fn height_below(&self, from: Vec3, depth: f32) -> Option<f32> {
        let height = self.ground.height_below(from / self.scale, depth / self.scale.y)?;
        let height = height * self.scale.y;
        (height.is_finite() && height <= from.y && height >= from.y - depth).then_some(height)
    }

    fn ray(&self, ray: &Ray) -> Option<ClosestPoint> {
        let own = Ray::new(
            ray.origin() / self.scale,
            ray.direction() / self.scale,
            (ray.direction() * ray.length() / self.scale).length(),
        )?;
        self.found(self.ground.ray(&own)?, ray.origin(), ray.length() * 1.001)
    }

    fn closest(&self, point: Vec3, within: f32) -> Option<ClosestPoint> {
        let least = self.scale.min_element();
        self.found(self.ground.closest(point / self.scale, within / least)?, point, within)
    }

    fn velocity(&self, at: Vec3) -> Vec3 {
        let velocity = self.ground.velocity(at / self.scale) * self.scale;
        if velocity.is_finite() { velocity } else { Vec3::ZERO }
    }

    fn friction(&self, at: Vec3) -> Option<f32> {
        self.ground.friction(at / self.scale).filter(|own| own.is_finite() && *own >= 0.0)
    }
}
