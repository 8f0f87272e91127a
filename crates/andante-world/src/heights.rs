//! Smooth ground given by formulas.

use crate::triangle::against;
use crate::{Area, ClosestPoint, Grid, GridError, Hit, MeshError, Ray, TriangleMesh};
use glam::{Vec2, Vec3};

/// A height for every place.
pub(crate) trait Heights {
    fn height(&self, place: Vec2) -> f32;

    /// Rise per metre along x and z.
    fn gradient(&self, place: Vec2) -> Vec2;

    /// No slope is steeper, as rise per metre.
    fn steepest(&self) -> f32;
}

fn normal(heights: &impl Heights, place: Vec2) -> Vec3 {
    let gradient = heights.gradient(place);
    let normal = Vec3::new(-gradient.x, 1.0, -gradient.y);
    normal.try_normalize().unwrap_or(Vec3::Y)
}

pub(crate) fn probe(heights: &impl Heights, from: Vec3, depth: f32) -> Option<Hit> {
    let height = height(heights, from, depth)?;
    let normal = normal(heights, Vec2::new(from.x, from.z));
    Some(Hit { point: Vec3::new(from.x, height, from.z), normal })
}

#[inline]
pub(crate) fn height(heights: &impl Heights, from: Vec3, depth: f32) -> Option<f32> {
    let height = heights.height(Vec2::new(from.x, from.z));
    // Also false for what is not a number.
    (height.is_finite() && height <= from.y && height >= from.y - depth).then_some(height)
}

/// Steps along the ray as far as the steepest slope lets be safe, then halves the last step.
///
/// Steps are never shorter than a millimetre, so that a ray along the ground comes to an end.
pub(crate) fn ray(heights: &impl Heights, ray: &Ray) -> Option<ClosestPoint> {
    const SHORTEST: f32 = 1e-3;
    const IN_HOLES: f32 = 1e-2;
    const MOST_STEPS: usize = 200_000;
    let flat = |point: Vec3| Vec2::new(point.x, point.z);
    let above = |distance: f32| {
        let point = ray.at(distance);
        point.y - heights.height(flat(point))
    };
    let fall = ray.direction().y.abs() + heights.steepest() * flat(ray.direction()).length();
    let mut from = 0.0;
    let mut here = above(from);
    for _ in 0..MOST_STEPS {
        if here == 0.0 || from >= ray.length() {
            break;
        }
        let safe = if here.is_finite() { (here.abs() / fall).max(SHORTEST) } else { IN_HOLES };
        let to = (from + safe).min(ray.length());
        let next = above(to);
        if (here > 0.0) != (next > 0.0) && here.is_finite() && next.is_finite() {
            let (mut low, mut high) = (from, to);
            for _ in 0..40 {
                let middle = 0.5 * (low + high);
                if (above(middle) > 0.0) == (here > 0.0) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            return Some(touch(heights, ray, high));
        }
        (from, here) = (to, next);
    }
    (here == 0.0).then(|| touch(heights, ray, from))
}

fn touch(heights: &impl Heights, ray: &Ray, distance: f32) -> ClosestPoint {
    let point = ray.at(distance);
    let normal = against(normal(heights, Vec2::new(point.x, point.z)), ray.direction());
    ClosestPoint { point, normal, distance }
}

/// Two triangles per cell with the formula's own normals.
pub(crate) fn mesh(
    heights: &impl Heights,
    area: &Area,
    cell: f32,
) -> Result<TriangleMesh, MeshError> {
    let size = area.size();
    let grid =
        Grid::sample(*area, cell, |place| heights.height(place)).map_err(|error| match error {
            GridError::Empty => MeshError::Empty,
            _ => MeshError::TooFine(f64::from(size.x / cell) * f64::from(size.y / cell)),
        })?;
    let mut mesh = grid.surface();
    let normal = |at: &Vec3| normal(heights, Vec2::new(at.x, at.z));
    mesh.normals = mesh.positions.iter().map(normal).collect();
    Ok(mesh)
}
