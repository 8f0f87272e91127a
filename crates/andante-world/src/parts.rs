//! Terrains taken apart, to be kept in files.

use crate::outline::OutlinePath;
use crate::{
    Area, Bumps, EndlessStairs, Grid, Hills, MeshGround, ProfileGround, Slope, Terrain,
    TerrainError, TriangleMesh,
};
use andante_skeleton::check_setting;
use glam::{Vec2, Vec3};

/// The numbers a [`Terrain`] is made of. Put together again they are the same terrain, to the bit.
#[derive(Clone, Debug, PartialEq)]
pub enum TerrainParts {
    /// A plane.
    Slope {
        /// Rise per metre along x and z.
        gradient: Vec2,
    },
    /// Steps along +Z.
    Stairs {
        /// Height of a step, depth of a step, and where the first one begins.
        rise_run_start: [f32; 3],
    },
    /// Waves along x and z.
    Hills {
        /// Half the height of a hill.
        amplitude: f32,
        /// Radians per metre along x and z.
        wave: Vec2,
    },
    /// Gaussian bumps.
    Bumps {
        /// Stretch along the axes.
        scale: Vec3,
        /// No place is steeper.
        steepest: f32,
        /// Place, height, sharpness and square of the reach of each.
        bumps: Vec<[f32; 5]>,
    },
    /// A line of heights along a way.
    Profile {
        /// The way.
        direction: Vec2,
        /// Where along it distances begin.
        offset: f32,
        /// Distances and heights.
        knots: Vec<Vec2>,
        /// Rise per metre at each knot, or nothing for straight lines.
        tangents: Vec<f32>,
    },
    /// Heights over a rectangle; a hole is NaN.
    Grid {
        /// Place of the first height.
        origin: Vec2,
        /// How far heights lie apart.
        cell: Vec2,
        /// Heights in a row.
        columns: usize,
        /// By row.
        heights: Vec<f32>,
    },
    /// Triangles.
    Mesh(TriangleMesh),
}

/// Distance between the heights of a formula that is kept as a grid, in metres.
const FORMULA_CELL: f32 = 0.05;

impl Terrain {
    /// Takes a terrain apart. A formula has no parts: it becomes a grid of its heights over `area`.
    pub fn to_parts(&self, area: Area) -> Result<TerrainParts, TerrainError> {
        Ok(match self {
            Self::Slope(slope) => TerrainParts::Slope { gradient: slope.gradient },
            &Self::Stairs(EndlessStairs { rise, run, start }) => {
                TerrainParts::Stairs { rise_run_start: [rise, run, start] }
            }
            &Self::Hills(Hills { amplitude, wave }) => TerrainParts::Hills { amplitude, wave },
            Self::Bumps(bumps) => {
                let (scale, steepest, bumps) = bumps.numbers();
                TerrainParts::Bumps { scale, steepest, bumps }
            }
            Self::Profile(profile) => {
                let (way, knots, tangents) = profile.numbers();
                TerrainParts::Profile {
                    direction: way.direction,
                    offset: way.offset,
                    knots: knots.to_vec(),
                    tangents: tangents.to_vec(),
                }
            }
            Self::Grid(grid) => {
                let (origin, cell, columns, heights) = grid.numbers();
                TerrainParts::Grid { origin, cell, columns, heights: heights.to_vec() }
            }
            Self::Mesh(mesh) => TerrainParts::Mesh(mesh.mesh().clone()),
            Self::Formula(_) | Self::Own(_) => {
                return self.sampled(area, FORMULA_CELL)?.to_parts(area);
            }
        })
    }

    /// Puts a terrain together. Numbers that make no terrain are refused.
    pub fn from_parts(parts: TerrainParts) -> Result<Self, TerrainError> {
        Ok(match parts {
            TerrainParts::Slope { gradient } => {
                check_setting("a slope", &gradient.to_array(), -1e4..=1e4)?;
                Self::Slope(Slope { gradient })
            }
            TerrainParts::Stairs { rise_run_start: [rise, run, start] } => {
                check_setting("RISE (metres)", &rise, -1e3..=1e3)?;
                check_setting("RUN (metres)", &run, 1e-3..=1e4)?;
                check_setting("START (metres)", &start, -1e6..=1e6)?;
                Self::Stairs(EndlessStairs { rise, run, start })
            }
            TerrainParts::Hills { amplitude, wave } => {
                check_setting("a wave (radians per metre)", &wave.to_array(), 1e-7..=1e5)?;
                check_setting("AMPLITUDE (metres)", &amplitude, -1e6..=1e6)?;
                Self::Hills(Hills { amplitude, wave })
            }
            TerrainParts::Bumps { scale, steepest, bumps } => {
                check_setting("the steepest place", &steepest, 0.0..=1e9)?;
                check_setting("a scale", &scale.to_array(), 1e-6..=1e6)?;
                for [x, z, height, sharpness, reach] in bumps.iter().copied() {
                    check_setting("a bump (metres)", &[x, z, height], -1e6..=1e6)?;
                    check_setting("a bump's sharpness", &sharpness, 1e-10..=1e4)?;
                    check_setting("a bump's reach (square metres)", &reach, 0.0..=1e12)?;
                }
                Self::Bumps(Bumps::from_numbers(scale, steepest, &bumps))
            }
            TerrainParts::Profile { direction, offset, knots, tangents } => {
                check_setting("the way of a profile", &direction.length(), 0.99..=1.01)?;
                check_setting("the start of a profile (metres)", &offset, -1e6..=1e6)?;
                ProfileGround::from_numbers(OutlinePath { direction, offset }, &knots, tangents)?
                    .into()
            }
            TerrainParts::Grid { origin, cell, columns, heights } => {
                let rows = heights.len() / columns.max(1);
                Grid::new(origin, cell, columns, rows, heights)?.into()
            }
            TerrainParts::Mesh(mesh) => MeshGround::new(mesh)?.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Formula, Ground};

    #[test]
    fn a_terrain_taken_apart_and_put_together_is_the_same_to_the_bit() {
        let area = Area::new(Vec2::splat(-3.0), Vec2::splat(3.0));
        let profile = [Vec2::ZERO, Vec2::new(1.0, 0.3), Vec2::new(2.5, 0.1)];
        let mut terrains: Vec<Terrain> = vec![
            "slope:8:30".parse().unwrap(),
            "stairs:0.17:0.28".parse().unwrap(),
            "hills:0.2:3".parse().unwrap(),
            "random:7".parse().unwrap(),
            ProfileGround::straight(&profile).unwrap().into(),
            ProfileGround::smooth(&profile).unwrap().into(),
        ];
        terrains.push(terrains[2].sampled(area, 0.3).unwrap());
        terrains.push(MeshGround::new(terrains[2].mesh(area, 0.4).unwrap()).unwrap().into());
        terrains.push(terrains[3].scaled(Vec3::new(1.0, 2.0, 1.5)).unwrap());
        for terrain in terrains {
            let parts = terrain.to_parts(area).unwrap();
            let again = Terrain::from_parts(parts.clone()).unwrap();
            for index in 0..400 {
                let place = Vec2::new(index as f32 * 0.37 % 5.8, index as f32 * 0.83 % 5.8) - 2.9;
                let from = Vec3::new(place.x, 50.0, place.y);
                assert_eq!(again.probe(from, 99.0), terrain.probe(from, 99.0), "{terrain:?}");
            }
            assert_eq!(again.to_parts(area).unwrap(), parts);
        }
    }

    #[test]
    fn a_formula_is_kept_as_its_heights() {
        let area = Area::new(Vec2::splat(-1.0), Vec2::splat(1.0));
        let wave = Terrain::Formula(Formula::new(|place| 0.1 * (place.x + place.y), 0.2));
        let again = Terrain::from_parts(wave.to_parts(area).unwrap()).unwrap();
        let place = Vec2::new(0.33, -0.41);
        let (kept, asked) = (again.height_at(place).unwrap(), wave.height_at(place).unwrap());
        assert!((kept - asked).abs() < 1e-5);
    }
}
