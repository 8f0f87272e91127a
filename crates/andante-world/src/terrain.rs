//! Any ground.

use crate::footfalls;
use crate::heights;
use crate::outline;
use crate::{
    Area, BumpOptions, Bumps, ClosestPoint, EndlessStairs, FootfallSettings, Formula, Grid, Ground,
    Hills, Hit, MeshError, MeshGround, OwnGround, ProfileGround, Ray, Slope, TerrainError,
    TriangleMesh,
};
use andante_skeleton::{check_setting, closest_on_sheet};
use glam::{Affine3A, Vec2, Vec3};
use std::sync::Arc;

/// Ground of any kind. Cheap to clone.
///
/// Rays and nearest points are exact on planes, steps and triangles; on curved ground within a millimetre, unless two
/// hills are equally near.
#[derive(Clone, Debug)]
pub enum Terrain {
    /// A plane.
    Slope(Slope),
    /// Steps.
    Stairs(EndlessStairs),
    /// Even hills.
    Hills(Hills),
    /// Random bumps.
    Bumps(Bumps),
    /// Heights along a way.
    Profile(Arc<ProfileGround>),
    /// A height map.
    Grid(Arc<Grid>),
    /// Triangles.
    Mesh(Arc<MeshGround>),
    /// A height function.
    Formula(Formula),
    /// Ground of one's own: an engine's terrain or colliders, say.
    Own(OwnGround),
}

impl Terrain {
    /// True if two are the same for certain: equal, or one and the same triangles. Of functions that is not known.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Slope(own), Self::Slope(other)) => own == other,
            (Self::Stairs(own), Self::Stairs(other)) => own == other,
            (Self::Hills(own), Self::Hills(other)) => own == other,
            (Self::Bumps(own), Self::Bumps(other)) => own == other,
            (Self::Profile(own), Self::Profile(other)) => own == other,
            (Self::Grid(own), Self::Grid(other)) => own == other,
            (Self::Mesh(own), Self::Mesh(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }

    /// Level ground at height 0, without end.
    pub const FLAT: Self = Self::Slope(Slope::FLAT);

    /// Ground of one's own, through the questions it answers. What makes no sense of the answers is left out: a height or
    /// a normal that is not a number is a hole.
    ///
    /// ```
    /// use andante_world::{Ground, Hit, Terrain};
    /// use glam::{Vec2, Vec3};
    ///
    /// struct Crater;
    ///
    /// impl Ground for Crater {
    ///     fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
    ///         let height = if from.x.hypot(from.z) < 2.0 { -0.5 } else { 0.0 };
    ///         let met = height <= from.y && height >= from.y - depth;
    ///         met.then(|| Hit { point: from.with_y(height), normal: Vec3::Y })
    ///     }
    /// }
    ///
    /// let ground = Terrain::own(Crater);
    /// assert_eq!(ground.height_at(Vec2::new(1.0, 0.0)), Some(-0.5));
    /// assert_eq!(ground.height_at(Vec2::new(5.0, 0.0)), Some(0.0));
    /// ```
    pub fn own(ground: impl Ground + 'static) -> Self {
        Self::Own(OwnGround::new(Arc::new(ground)))
    }

    /// Random bumps that a human can walk on.
    pub fn random(seed: u64) -> Result<Self, TerrainError> {
        Ok(Self::Bumps(Bumps::new(&BumpOptions { seed, ..Default::default() })?))
    }

    /// The ground under a recorded walk, from where heels and toes rested, in order of time.
    ///
    /// A straight walk gives a profile: see [`ProfileGround::from_footfalls`]. One that wanders about gives a height
    /// map of its field and a metre around it, in which the nearest footfalls count most.
    pub fn from_footfalls(
        points: &[Vec3],
        settings: &FootfallSettings,
    ) -> Result<Self, TerrainError> {
        footfalls::terrain(points, settings)
    }

    /// A height map of this ground, on which questions are answered exactly as it is drawn.
    pub fn sampled(&self, area: Area, cell: f32) -> Result<Self, TerrainError> {
        let grid = Grid::sample(area, cell, |place| self.height_at(place).unwrap_or(f32::NAN));
        Ok(grid?.into())
    }

    /// The highest point at `(x, z)`; `None` is a hole.
    pub fn height_at(&self, place: Vec2) -> Option<f32> {
        let from = Vec3::new(place.x, f32::MAX, place.y);
        self.probe(from, f32::INFINITY).map(|hit| hit.point.y)
    }

    /// Triangles over an area, to be drawn or written; curves in cells of at most `cell` metres.
    ///
    /// Planes and steps are exact and take few triangles, steps with vertical risers. Grids and meshes give all
    /// of their own, whatever the area.
    pub fn mesh(&self, area: Area, cell: f32) -> Result<TriangleMesh, MeshError> {
        let size = area.size();
        let fits = size.is_finite() && size.cmpgt(Vec2::ZERO).all() && size.max_element() <= 1e6;
        if !(fits && area.low.abs().max_element() <= 1e6 && cell > 0.0) {
            let area = format!("{} × {} m", size.x, size.y);
            return Err(MeshError::Cover { area, cell });
        }
        match self {
            Self::Slope(slope) => Ok(slope.mesh(&area)),
            Self::Stairs(stairs) => outline::mesh(stairs, &area, cell),
            Self::Profile(profile) => outline::mesh(&**profile, &area, cell),
            Self::Hills(hills) => heights::mesh(hills, &area, cell),
            Self::Bumps(bumps) => heights::mesh(bumps, &area, cell),
            Self::Formula(formula) => heights::mesh(formula, &area, cell),
            Self::Own(own) => heights::mesh(own, &area, cell),
            Self::Grid(grid) => Ok(grid.mesh()),
            Self::Mesh(mesh) => Ok(mesh.mesh().clone()),
        }
    }

    /// The ground stretched along each axis by positive factors.
    pub fn scaled(&self, scale: Vec3) -> Result<Self, TerrainError> {
        check_setting("a scale", &scale.to_array(), 1e-3..=1e3)?;
        if scale == Vec3::ONE {
            return Ok(self.clone());
        }
        Ok(match self {
            Self::Slope(slope) => Self::Slope(slope.scaled(scale)),
            Self::Stairs(stairs) => Self::Stairs(stairs.scaled(scale.y, scale.z)),
            Self::Hills(hills) => Self::Hills(hills.scaled(scale)),
            Self::Bumps(bumps) => Self::Bumps(bumps.scaled(scale)),
            Self::Formula(formula) => Self::Formula(formula.scaled(scale)),
            Self::Own(own) => Self::Own(own.scaled(scale)),
            Self::Profile(profile) => profile.scaled(scale).into(),
            Self::Grid(grid) => grid.scaled(scale)?.into(),
            Self::Mesh(mesh) => {
                let placement = Affine3A::from_scale(scale);
                MeshGround::new(mesh.mesh().clone().transformed(&placement))?.into()
            }
        })
    }
}

impl Ground for Terrain {
    #[inline]
    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
        match self {
            Self::Slope(slope) => slope.probe(from, depth),
            Self::Stairs(stairs) => outline::probe(stairs, from, depth),
            Self::Profile(profile) => outline::probe(&**profile, from, depth),
            Self::Hills(hills) => heights::probe(hills, from, depth),
            Self::Bumps(bumps) => heights::probe(bumps, from, depth),
            Self::Formula(formula) => heights::probe(formula, from, depth),
            Self::Own(own) => own.probe(from, depth),
            Self::Grid(grid) => grid.probe(from, depth),
            Self::Mesh(mesh) => mesh.probe(from, depth),
        }
    }

    #[inline]
    fn height_below(&self, from: Vec3, depth: f32) -> Option<f32> {
        match self {
            Self::Stairs(stairs) => outline::height(stairs, from, depth),
            Self::Profile(profile) => outline::height(&**profile, from, depth),
            Self::Hills(hills) => heights::height(hills, from, depth),
            Self::Bumps(bumps) => heights::height(bumps, from, depth),
            Self::Formula(formula) => heights::height(formula, from, depth),
            Self::Own(own) => own.height_below(from, depth),
            _ => self.probe(from, depth).map(|hit| hit.point.y),
        }
    }

    fn ray(&self, ray: &Ray) -> Option<ClosestPoint> {
        match self {
            Self::Slope(slope) => slope.ray(ray),
            Self::Stairs(stairs) => outline::ray(stairs, ray),
            Self::Profile(profile) => outline::ray(&**profile, ray),
            Self::Hills(hills) => heights::ray(hills, ray),
            Self::Bumps(bumps) => heights::ray(bumps, ray),
            Self::Formula(formula) => heights::ray(formula, ray),
            Self::Own(own) => own.ray(ray),
            Self::Grid(grid) => grid.ray(ray),
            Self::Mesh(mesh) => mesh.ray(ray),
        }
    }

    fn closest(&self, point: Vec3, within: f32) -> Option<ClosestPoint> {
        if !point.is_finite() {
            return None;
        }
        match self {
            Self::Slope(slope) => slope.closest(point, within),
            Self::Stairs(stairs) => outline::closest(stairs, point, within),
            Self::Profile(profile) => outline::closest(&**profile, point, within),
            Self::Hills(_) | Self::Bumps(_) | Self::Formula(_) => {
                closest_on_sheet(self, point, within)
            }
            Self::Own(own) => own.closest(point, within),
            Self::Grid(grid) => grid.closest(point, within),
            Self::Mesh(mesh) => mesh.closest(point, within),
        }
    }
}

impl From<Grid> for Terrain {
    fn from(grid: Grid) -> Self {
        Self::Grid(Arc::new(grid))
    }
}

impl From<MeshGround> for Terrain {
    fn from(mesh: MeshGround) -> Self {
        Self::Mesh(Arc::new(mesh))
    }
}

impl From<ProfileGround> for Terrain {
    fn from(profile: ProfileGround) -> Self {
        Self::Profile(Arc::new(profile))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HeightFunction;

    #[test]
    fn the_height_alone_is_that_of_the_whole_answer() {
        let words = ["flat", "slope:20:30", "stairs:0.17:0.29", "hills:0.25:2", "random:7"];
        let mut grounds: Vec<Box<dyn Ground>> = vec![Box::new(HeightFunction::new(|place| {
            if place.x > 1.0 { f32::NAN } else { 0.3 * place.y.sin() }
        }))];
        grounds.extend(
            words.map(|word| Box::new(word.parse::<Terrain>().unwrap()) as Box<dyn Ground>),
        );
        for (number, ground) in grounds.iter().enumerate() {
            for step in 0..400 {
                let t = step as f32;
                let from = Vec3::new(3.0 * (0.7 * t).sin(), 0.6 * (1.1 * t).cos(), 0.02 * t);
                for depth in [0.0, 0.4, f32::INFINITY] {
                    let whole = ground.probe(from, depth).map(|hit| hit.point.y);
                    assert_eq!(ground.height_below(from, depth), whole, "{number} from {from}");
                }
            }
        }
    }
}
