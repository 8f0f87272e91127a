//! Several terrains at once, each somewhere, some of them moving.

use crate::{Bounds, ClosestPoint, Ground, Hit, Ray, Terrain, TerrainError, TriangleMesh};
use glam::{Affine3A, Quat, Vec2, Vec3};
use parry3d::math::Pose3;
use parry3d::query::{ShapeCastOptions, cast_shapes, contact};
use parry3d::shape;
use thiserror::Error;

/// Where a terrain is: scaled, then turned, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TerrainPlacement {
    /// Where its origin goes.
    pub translation: Vec3,
    /// How it is turned, about any axis.
    pub rotation: Quat,
    /// How much larger it is along its own axes; positive.
    pub scale: Vec3,
}

impl TerrainPlacement {
    /// As it is.
    pub const IDENTITY: Self =
        Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// Moved, and nothing else.
    pub fn at(translation: Vec3) -> Self {
        Self { translation, ..Self::IDENTITY }
    }
}

impl Default for TerrainPlacement {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Names a terrain of a [`TerrainWorld`] for as long as it is part of it. Never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TerrainId(u64);

/// Why a terrain cannot be placed.
#[derive(Debug, Error)]
pub enum PlaceError {
    /// A number that is not finite, or no rotation.
    #[error("the terrain cannot be placed there: translation {translation}, rotation {rotation}")]
    Placement {
        /// Where it should go.
        translation: Vec3,
        /// How it should be turned.
        rotation: Quat,
    },
    /// The terrain cannot be scaled like that.
    #[error(transparent)]
    Scale(#[from] TerrainError),
    /// It was removed, or belongs to another world.
    #[error("the world has no such terrain any more")]
    Gone,
}

/// Several terrains at once. Where they overlap, the highest surface below the question counts.
///
/// ```
/// use andante_world::{Ground, TerrainPlacement, Terrain, TerrainWorld};
/// use glam::Vec3;
///
/// let mut world = TerrainWorld::new();
/// world.add(Terrain::FLAT, TerrainPlacement::IDENTITY)?;
/// let ramp = world.add("slope:10".parse()?, TerrainPlacement::at(Vec3::new(0.0, -1.0, 0.0)))?;
/// let below = |world: &TerrainWorld| world.probe(Vec3::new(0.0, 5.0, 10.0), 9.0).map(|hit| hit.point.y);
/// assert!(below(&world).is_some_and(|height| height > 0.7));
/// world.remove(ramp);
/// assert_eq!(below(&world), Some(0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct TerrainWorld {
    placed: Vec<PlacedTerrain>,
    next: u64,
}

#[derive(Clone, Debug)]
struct PlacedTerrain {
    id: TerrainId,
    original: Terrain,
    /// Scaled, so that the rest of the placement is rigid and distances are true.
    terrain: Terrain,
    placement: TerrainPlacement,
    /// Whether its up is the world's, so that a probe stays one.
    upright: bool,
    bounds: Bounds,
}

impl PlacedTerrain {
    fn new(
        id: TerrainId,
        original: Terrain,
        placement: TerrainPlacement,
    ) -> Result<Self, PlaceError> {
        let placement = checked(placement)?;
        let terrain = original.scaled(placement.scale)?;
        let mut placed =
            Self { id, original, terrain, placement, upright: true, bounds: Bounds::EVERYWHERE };
        placed.settle();
        Ok(placed)
    }

    /// Brings up to date what follows from the placement.
    fn settle(&mut self) {
        let TerrainPlacement { translation, rotation, .. } = self.placement;
        self.upright = rotation.x == 0.0 && rotation.z == 0.0;
        let local = self.terrain.bounds();
        let bounds = if local.is_finite() {
            Bounds::around(local.corners().map(|corner| rotation * corner + translation))
                .unwrap_or(Bounds::EVERYWHERE)
        } else if self.upright {
            Bounds::layer(local.low.y + translation.y, local.high.y + translation.y)
        } else {
            Bounds::EVERYWHERE
        };
        let size = bounds.low.abs().max(bounds.high.abs()).max_element();
        let rounding = if size.is_finite() { 1e-4 + 1e-6 * size } else { 1e-3 };
        self.bounds = bounds.grown(rounding);
    }

    fn to_local(&self, point: Vec3) -> Vec3 {
        self.placement.rotation.conjugate() * (point - self.placement.translation)
    }

    fn to_world(&self, point: Vec3) -> Vec3 {
        self.placement.rotation * point + self.placement.translation
    }

    fn touch_to_world(&self, touch: ClosestPoint) -> ClosestPoint {
        let normal = self.placement.rotation * touch.normal;
        ClosestPoint { point: self.to_world(touch.point), normal, distance: touch.distance }
    }

    #[inline]
    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
        let hit = if !self.upright {
            let ray = Ray::new(from, Vec3::NEG_Y, depth)?;
            let touch = self.ray(&ray)?;
            Hit { point: touch.point, normal: touch.normal }
        } else if self.placement.rotation == Quat::IDENTITY {
            let hit = self.terrain.probe(from - self.placement.translation, depth)?;
            Hit { point: hit.point + self.placement.translation, normal: hit.normal }
        } else {
            let hit = self.terrain.probe(self.to_local(from), depth)?;
            let normal = self.placement.rotation * hit.normal;
            Hit { point: self.to_world(hit.point), normal }
        };
        // Rounding must neither move a foot sideways nor lift the ground above it.
        let height = hit.point.y.min(from.y);
        let point = Vec3::new(from.x, height, from.z);
        (height.is_finite() && hit.normal.is_finite()).then_some(Hit { point, normal: hit.normal })
    }

    fn ray(&self, ray: &Ray) -> Option<ClosestPoint> {
        let local = ray.into_frame(self.placement.rotation, self.placement.translation);
        self.terrain.ray(&local).map(|touch| self.touch_to_world(touch))
    }
}

fn checked(placement: TerrainPlacement) -> Result<TerrainPlacement, PlaceError> {
    let TerrainPlacement { translation, rotation, .. } = placement;
    let near = translation.is_finite() && translation.abs().max_element() <= 1e6;
    let length = rotation.length();
    if !(near && length.is_finite() && length > 1e-6) {
        return Err(PlaceError::Placement { translation, rotation });
    }
    Ok(TerrainPlacement { rotation: rotation.normalize(), ..placement })
}

/// A pill: all points within `radius` of the line from `a` to `b`. A sphere if those are the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pill {
    /// One end of the line.
    pub a: Vec3,
    /// The other end.
    pub b: Vec3,
    /// Thickness around the line.
    pub radius: f32,
}

impl TerrainWorld {
    /// A world of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a terrain. Scaling triangles and height maps copies them; turning and moving does not.
    pub fn add(
        &mut self,
        terrain: Terrain,
        placement: TerrainPlacement,
    ) -> Result<TerrainId, PlaceError> {
        let id = TerrainId(self.next);
        self.placed.push(PlacedTerrain::new(id, terrain, placement)?);
        self.next += 1;
        Ok(id)
    }

    /// Takes a terrain away and returns it as it was given.
    pub fn remove(&mut self, id: TerrainId) -> Option<Terrain> {
        let index = self.index(id)?;
        Some(self.placed.remove(index).original)
    }

    /// Puts a terrain elsewhere. Cheap as long as the scale stays the same, so that platforms can move in every
    /// frame.
    pub fn place(&mut self, id: TerrainId, placement: TerrainPlacement) -> Result<(), PlaceError> {
        let index = self.index(id).ok_or(PlaceError::Gone)?;
        let placed = &mut self.placed[index];
        if placed.placement.scale == placement.scale {
            placed.placement = checked(placement)?;
            placed.settle();
        } else {
            *placed = PlacedTerrain::new(id, placed.original.clone(), placement)?;
        }
        Ok(())
    }

    /// Where a terrain is.
    pub fn placement(&self, id: TerrainId) -> Option<TerrainPlacement> {
        Some(self.placed[self.index(id)?].placement)
    }

    /// All terrains in the order they were added.
    pub fn terrains(
        &self,
    ) -> impl ExactSizeIterator<Item = (TerrainId, &Terrain, TerrainPlacement)> {
        self.placed.iter().map(|placed| (placed.id, &placed.original, placed.placement))
    }

    /// As [`Ground::probe`], with the terrain that was met.
    pub fn probe_terrain(&self, from: Vec3, depth: f32) -> Option<(TerrainId, Hit)> {
        let mut best: Option<(TerrainId, Hit)> = None;
        let mut depth = depth;
        for placed in &self.placed {
            let Bounds { low, high } = placed.bounds;
            let beside = from.x < low.x || from.x > high.x || from.z < low.z || from.z > high.z;
            if beside || from.y < low.y || from.y - depth > high.y {
                continue;
            }
            if let Some(hit) = placed.probe(from, depth)
                && best.is_none_or(|(_, best)| hit.point.y > best.point.y)
            {
                // Nothing lower is of interest any more.
                depth = from.y - hit.point.y;
                best = Some((placed.id, hit));
            }
        }
        best
    }

    /// The highest point of all at `(x, z)`; `None` is a hole.
    pub fn height_at(&self, place: Vec2) -> Option<f32> {
        // High enough for anything, and low enough for arithmetic.
        self.probe(Vec3::new(place.x, SKY, place.y), 2.0 * SKY).map(|hit| hit.point.y)
    }

    /// The normal of the highest surface at `(x, z)`.
    pub fn normal_at(&self, place: Vec2) -> Option<Vec3> {
        self.probe(Vec3::new(place.x, SKY, place.y), 2.0 * SKY).map(|hit| hit.normal)
    }

    /// The first surface that a ray meets, from either side.
    pub fn ray(&self, ray: &Ray) -> Option<(TerrainId, ClosestPoint)> {
        let mut left = *ray;
        let mut best = None;
        for placed in &self.placed {
            if left.clip(&placed.bounds).is_none() {
                continue;
            }
            if let Some(touch) = placed.ray(&left) {
                left.length = touch.distance;
                best = Some((placed.id, touch));
            }
        }
        best
    }

    /// The nearest point of all surfaces, if there is one within a distance.
    pub fn closest(&self, point: Vec3, within: f32) -> Option<(TerrainId, ClosestPoint)> {
        let mut reach = within;
        let mut best = None;
        for placed in &self.placed {
            let is_close = placed.bounds.distance(point) <= reach;
            if !is_close {
                continue;
            }
            if let Some(touch) = placed.terrain.closest(placed.to_local(point), reach) {
                reach = touch.distance;
                best = Some((placed.id, placed.touch_to_world(touch)));
            }
        }
        best
    }

    /// Whether a capsule touches a surface.
    pub fn overlaps(&self, capsule: &Pill) -> bool {
        self.sweep(capsule, Vec3::ZERO).is_some()
    }

    /// Where a capsule that moves straight by `motion` first touches a surface. Curved ground counts as triangles
    /// of 5 cm, larger where more than 5 m are swept.
    pub fn sweep(&self, capsule: &Pill, motion: Vec3) -> Option<(TerrainId, ClosestPoint)> {
        let Pill { a, b, radius } = *capsule;
        let numbers = [a, b, motion, Vec3::splat(radius)];
        if !(numbers.iter().all(|n| n.is_finite() && n.abs().max_element() <= 1e6) && radius > 0.0)
        {
            return None;
        }
        let length = motion.length();
        let mut options = ShapeCastOptions { max_time_of_impact: 1.0, ..Default::default() };
        let mut best = None;
        for placed in &self.placed {
            let [a, b] = [a, b].map(|end| placed.to_local(end));
            let motion = placed.placement.rotation.conjugate() * motion;
            let Some(swept) = Bounds::around([a, b, a + motion, b + motion]) else { continue };
            let swept = swept.grown(radius);
            if !swept.overlaps(&placed.terrain.bounds().grown(1e-3)) {
                continue;
            }
            let pill = shape::Capsule::new(a, b, radius);
            placed.terrain.triangles_in(&swept, &mut |[p, q, r]| {
                let triangle = shape::Triangle::new(p, q, r);
                let here = Pose3::IDENTITY;
                // A cast does not tell of what it starts in.
                let touch = match contact(&here, &pill, &here, &triangle, 0.0) {
                    Ok(Some(contact)) => Some((0.0, contact.point2, -contact.normal1)),
                    _ => cast_shapes(&here, motion, &pill, &here, Vec3::ZERO, &triangle, options)
                        .ok()
                        .flatten()
                        .map(|hit| (hit.time_of_impact, hit.witness2, -hit.normal1)),
                };
                if let Some((time, point, normal)) = touch
                    && (best.is_none() || time < options.max_time_of_impact)
                {
                    options.max_time_of_impact = time;
                    let touch = ClosestPoint { point, normal, distance: time * length };
                    best = Some((placed.id, placed.touch_to_world(touch)));
                }
            });
        }
        best
    }

    /// All terrains as one mesh over an area, for pictures and files: each is cut to the area as far as its
    /// kind allows. A terrain that has no mesh there is left out.
    pub fn mesh(&self, area: crate::Area, cell: f32) -> TriangleMesh {
        let mut all = TriangleMesh::default();
        for placed in &self.placed {
            let TerrainPlacement { translation, rotation, .. } = placed.placement;
            let corners = area.corners().map(|place| {
                let height = Vec3::new(place.x, translation.y, place.y);
                placed.to_local(height)
            });
            let Some(local) = Bounds::around(corners) else { continue };
            if let Ok(mesh) = placed.terrain.mesh(local.area(), cell) {
                let rigid = Affine3A::from_rotation_translation(rotation, translation);
                all.append(&mesh.transformed(&rigid));
            }
        }
        all
    }

    fn index(&self, id: TerrainId) -> Option<usize> {
        // Ids grow, and removing keeps the order.
        self.placed.binary_search_by_key(&id, |placed| placed.id).ok()
    }
}

/// Above everything.
const SKY: f32 = 1e5;

impl Ground for TerrainWorld {
    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
        self.probe_terrain(from, depth).map(|(_, hit)| hit)
    }
}
