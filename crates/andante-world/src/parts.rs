//! Terrains taken apart, to be kept in files.

use crate::outline::OutlinePath;
use crate::{
    Area, Bumps, EndlessStairs, Grid, Hills, MeshGround, ProfileGround, Slope, Terrain,
    TerrainError, TriangleMesh,
};
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
            Self::Slope(slope) => TerrainParts::Slope { gradient: slope.gradient() },
            Self::Stairs(stairs) => TerrainParts::Stairs { rise_run_start: stairs.numbers() },
            Self::Hills(hills) => {
                let (amplitude, wave) = hills.numbers();
                TerrainParts::Hills { amplitude, wave }
            }
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
        use crate::terrain_error::within;
        Ok(match parts {
            TerrainParts::Slope { gradient } => {
                for part in gradient.to_array() {
                    within("a slope", part, -1e4..=1e4, "metres per metre")?;
                }
                Self::Slope(Slope::from_gradient(gradient))
            }
            TerrainParts::Stairs { rise_run_start: [rise, run, start] } => {
                within("RISE", rise, -1e3..=1e3, "metres")?;
                within("RUN", run, 1e-3..=1e4, "metres")?;
                within("START", start, -1e6..=1e6, "metres")?;
                Self::Stairs(EndlessStairs::from_numbers(rise, run, start))
            }
            TerrainParts::Hills { amplitude, wave } => {
                for part in wave.to_array() {
                    within("a wave", part, 1e-7..=1e5, "radians per metre")?;
                }
                within("AMPLITUDE", amplitude, -1e6..=1e6, "metres")?;
                Self::Hills(Hills::from_numbers(amplitude, wave))
            }
            TerrainParts::Bumps { scale, steepest, bumps } => {
                within("the steepest place", steepest, 0.0..=1e9, "metres per metre")?;
                for factor in scale.to_array() {
                    within("a scale", factor, 1e-6..=1e6, "times")?;
                }
                for [x, z, height, sharpness, reach] in bumps.iter().copied() {
                    within("a bump", x, -1e6..=1e6, "metres")?;
                    within("a bump", z, -1e6..=1e6, "metres")?;
                    within("a bump", height, -1e6..=1e6, "metres")?;
                    within("a bump's sharpness", sharpness, 1e-10..=1e4, "per square metre")?;
                    within("a bump's reach", reach, 0.0..=1e12, "square metres")?;
                }
                Self::Bumps(Bumps::from_numbers(scale, steepest, &bumps))
            }
            TerrainParts::Profile { direction, offset, knots, tangents } => {
                within("the way of a profile", direction.length(), 0.99..=1.01, "metres")?;
                within("the start of a profile", offset, -1e6..=1e6, "metres")?;
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
