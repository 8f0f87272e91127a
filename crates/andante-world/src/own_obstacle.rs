//! Obstacles of somebody else's world.

use crate::{Ground, Obstacle, ObstacleShape};
use glam::{IVec3, Vec3};
use thiserror::Error;

/// Cells that are looked at, at most.
const MOST_CELLS: f32 = 4e6;

/// An error that keeps a part of somebody else's world from being looked at.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum ColliderError {
    /// The cells are too small, or no size.
    #[error("cell is {0} m; it is 0.01 m or more, and there are four million cells at most")]
    Cell(f32),
    /// The corners are not one below the other.
    #[error("corners are {0} and {1}; the first is below the second in x, y and z")]
    Corners(Vec3, Vec3),
}

impl Obstacle {
    /// The obstacles in the part of a world between two corners, as boxes: an engine's own colliders are asked for the
    /// point closest to the middle of every cell, and a cell that it may be in is full. So boxes reach beyond what they
    /// stand for by less than a cell, never within it. They are numbered after the name.
    ///
    /// ```
    /// use andante_world::{ClosestPoint, Ground, Hit, Obstacle};
    /// use glam::Vec3;
    ///
    /// /// A ball; a real engine would ask its colliders.
    /// struct Ball;
    ///
    /// impl Ground for Ball {
    ///     fn probe(&self, _: Vec3, _: f32) -> Option<Hit> {
    ///         None
    ///     }
    ///     fn closest(&self, point: Vec3, within: f32) -> Option<ClosestPoint> {
    ///         let normal = (point - Vec3::Y).normalize_or(Vec3::Y);
    ///         let found = Vec3::Y + normal;
    ///         let distance = found.distance(point);
    ///         (distance < within).then_some(ClosestPoint { point: found, normal, distance })
    ///     }
    /// }
    ///
    /// let boxes = Obstacle::of_colliders("ball", &Ball, [Vec3::splat(-2.0), Vec3::splat(3.0)], 0.1)?;
    /// let closest = |point: Vec3| boxes.iter().map(|own| own.distance(point)).fold(f32::MAX, f32::min);
    /// assert!(closest(Vec3::new(0.0, 1.0, 1.0)) <= 0.0);
    /// assert!(closest(Vec3::new(0.0, 1.0, 1.3)) > 0.0);
    /// # Ok::<(), andante_world::ColliderError>(())
    /// ```
    pub fn of_colliders(
        name: &str,
        colliders: &dyn Ground,
        [low, high]: [Vec3; 2],
        cell: f32,
    ) -> Result<Vec<Self>, ColliderError> {
        if !(low.is_finite() && high.is_finite() && low.cmplt(high).all()) {
            return Err(ColliderError::Corners(low, high));
        }
        let count = ((high - low) / cell).ceil();
        // Also so for what is no number.
        if !(cell >= 0.01 && count.element_product() <= MOST_CELLS) {
            return Err(ColliderError::Cell(cell));
        }
        let count = count.as_ivec3();
        let reach = 0.5 * 3f32.sqrt() * cell;
        let is_full = |at: IVec3| {
            let middle = low + (at.as_vec3() + 0.5) * cell;
            colliders.closest(middle, reach * 1.001).is_some()
        };
        // Runs along z, which grow along x and then along y where the next are the same.
        let mut boxes: Vec<[IVec3; 2]> = Vec::new();
        for y in 0..count.y {
            let mut layer: Vec<[IVec3; 2]> = Vec::new();
            for x in 0..count.x {
                for [from, to] in runs(count.z, |z| is_full(IVec3::new(x, y, z))) {
                    let grows = layer
                        .iter_mut()
                        .find(|own| own[1].x == x && (own[0].z, own[1].z) == (from, to));
                    match grows {
                        Some(own) => own[1].x = x + 1,
                        None => layer.push([IVec3::new(x, y, from), IVec3::new(x + 1, y + 1, to)]),
                    }
                }
            }
            for [from, to] in layer {
                let grows = boxes.iter_mut().find(|own| {
                    own[1].y == y
                        && (own[0].x, own[0].z, own[1].x, own[1].z) == (from.x, from.z, to.x, to.z)
                });
                match grows {
                    Some(own) => own[1].y = y + 1,
                    None => boxes.push([from, to]),
                }
            }
        }
        let made = boxes.iter().enumerate().map(|(number, [from, to])| {
            let [from, to] = [from, to].map(|at| low + at.as_vec3() * cell);
            Self {
                name: format!("{name} {}", number + 1),
                shape: ObstacleShape::Box(to - from),
                at: from.midpoint(to).with_y(from.y),
                heading: 0.0,
            }
        });
        Ok(made.collect())
    }
}

/// From where to where cells of a row are full.
fn runs(count: i32, is_full: impl Fn(i32) -> bool) -> Vec<[i32; 2]> {
    let mut found: Vec<[i32; 2]> = Vec::new();
    for at in (0..count).filter(|&at| is_full(at)) {
        match found.last_mut().filter(|last| last[1] == at) {
            Some(last) => last[1] = at + 1,
            None => found.push([at, at + 1]),
        }
    }
    found
}
