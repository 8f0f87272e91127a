//! Ground from heights at even distances: a height map.

use crate::lattice::{self, Cells, Lattice};
use crate::triangle::{self, Triangle};
use crate::{Area, Bounds, ClosestPoint, Ground, Hit, Ray, TriangleMesh};
use glam::{UVec2, Vec2, Vec3};
use thiserror::Error;

/// Heights at the corners of cells. A height that is not a number is a hole, as wide as the triangles
/// around it.
///
/// Each cell is two triangles, divided from the corner of the smallest x and z to the opposite one, and
/// questions are answered on those: a foot stands exactly on what is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    lattice: Lattice,
    bounds: Bounds,
    /// By row of equal z, each in order of x.
    heights: Vec<f32>,
}

/// An error that keeps heights from making a grid.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum GridError {
    /// Too few rows or columns, or too many.
    #[error(
        "a grid has at least 2 × 2 and at most 65 536 × 65 536 heights, not {columns} × {rows}"
    )]
    Size {
        /// Heights along x.
        columns: usize,
        /// Heights along z.
        rows: usize,
    },
    /// The number of heights is not that of the grid.
    #[error("{found} heights for {columns} × {rows} places")]
    Count {
        /// Heights given.
        found: usize,
        /// Heights along x.
        columns: usize,
        /// Heights along z.
        rows: usize,
    },
    /// A cell without a size, or a corner nowhere.
    #[error("cells of {cell} m from {origin}: both must be finite and the size positive")]
    Cell {
        /// Size of a cell in x and z.
        cell: Vec2,
        /// The lowest corner.
        origin: Vec2,
    },
    /// A height beyond any mountain; holes are NaN.
    #[error("height {0} m is out of range; a hole is NaN")]
    Height(f32),
    /// All holes.
    #[error("the grid has no height that is a number")]
    Empty,
}

impl Grid {
    /// Ground over `columns` × `rows` heights, the first at `origin` `(x, z)`, the others `cell` apart, each
    /// row along x.
    pub fn new(
        origin: Vec2,
        cell: Vec2,
        columns: usize,
        rows: usize,
        heights: Vec<f32>,
    ) -> Result<Self, GridError> {
        const MOST: usize = 1 << 16;
        if !((2..=MOST).contains(&columns) && (2..=MOST).contains(&rows)) {
            return Err(GridError::Size { columns, rows });
        }
        if heights.len() != columns * rows {
            return Err(GridError::Count { found: heights.len(), columns, rows });
        }
        let count = UVec2::new(columns as u32 - 1, rows as u32 - 1);
        let end = origin + cell * count.as_vec2();
        let near = |v: Vec2| v.is_finite() && v.abs().max_element() <= 1e6;
        if !(near(origin) && near(end) && cell.cmpge(Vec2::splat(1e-4)).all()) {
            return Err(GridError::Cell { cell, origin });
        }
        let is_wrong = |height: &&f32| height.abs() > 1e6;
        if let Some(&height) = heights.iter().find(is_wrong) {
            return Err(GridError::Height(height));
        }
        let solid = heights.iter().filter(|height| !height.is_nan());
        let (low, high) =
            solid.fold((f32::MAX, f32::MIN), |(low, high), &h| (low.min(h), high.max(h)));
        if low > high {
            return Err(GridError::Empty);
        }
        let bounds =
            Bounds { low: Vec3::new(origin.x, low, origin.y), high: Vec3::new(end.x, high, end.y) };
        Ok(Self { lattice: Lattice::new(origin, cell, count), bounds, heights })
    }

    /// The heights of a function over an area, at most `cell` apart. Where the function is not finite, the
    /// grid has a hole.
    pub fn sample(
        area: Area,
        cell: f32,
        mut height: impl FnMut(Vec2) -> f32,
    ) -> Result<Self, GridError> {
        let size = area.size();
        let cells = (size / cell).ceil();
        let fits = cells.cmpge(Vec2::ONE).all() && cells.max_element() < 65_536.0;
        if !(fits && cell > 0.0 && cells.x * cells.y < MOST_SAMPLES) {
            return Err(GridError::Cell { cell: Vec2::splat(cell), origin: area.low });
        }
        let step = size / cells;
        let (columns, rows) = (cells.x as usize + 1, cells.y as usize + 1);
        let mut heights = Vec::with_capacity(columns * rows);
        for row in 0..rows {
            for column in 0..columns {
                let found = height(area.low + Vec2::new(column as f32, row as f32) * step);
                heights.push(if found.is_finite() { found } else { f32::NAN });
            }
        }
        Self::new(area.low, step, columns, rows, heights)
    }

    /// Origin, cell, columns and heights.
    pub(crate) fn numbers(&self) -> (Vec2, Vec2, usize, &[f32]) {
        let Lattice { origin, cell, count, .. } = self.lattice;
        (origin, cell, count.x as usize + 1, &self.heights)
    }

    /// Exactly the triangles that are stood on.
    pub fn mesh(&self) -> TriangleMesh {
        let mut mesh = self.surface();
        mesh.normals = vec![Vec3::ZERO; mesh.positions.len()];
        for triangle in 0..mesh.triangles.len() {
            let [a, b, c] = mesh.corners(triangle);
            let weighted = (b - a).cross(c - a);
            for vertex in mesh.triangles[triangle] {
                mesh.normals[vertex as usize] += weighted;
            }
        }
        mesh.normals.iter_mut().for_each(|normal| *normal = normal.normalize_or(Vec3::Y));
        mesh
    }

    /// The same without normals.
    pub(crate) fn surface(&self) -> TriangleMesh {
        let count = self.lattice.count;
        let corners = (0..=count.y).flat_map(|z| (0..=count.x).map(move |x| UVec2::new(x, z)));
        // Holes leave no vertices behind.
        let mut numbers = vec![u32::MAX; self.heights.len()];
        let mut mesh = TriangleMesh::default();
        mesh.positions.reserve(self.heights.len());
        for (index, corner) in corners.enumerate() {
            if !self.heights[index].is_nan() {
                numbers[index] = mesh.positions.len() as u32;
                mesh.positions.push(self.corner(corner));
            }
        }
        mesh.triangles.reserve(2 * self.lattice.len());
        for z in 0..count.y {
            for x in 0..count.x {
                for corners in halves(UVec2::new(x, z)) {
                    let vertices = corners.map(|corner| numbers[self.number(corner)]);
                    if !vertices.contains(&u32::MAX) {
                        mesh.triangles.push(vertices);
                    }
                }
            }
        }
        mesh
    }

    /// The grid stretched along each axis.
    pub(crate) fn scaled(&self, scale: Vec3) -> Result<Self, GridError> {
        let flat = Vec2::new(scale.x, scale.z);
        let Lattice { origin, cell, count, .. } = self.lattice;
        let heights = self.heights.iter().map(|height| height * scale.y).collect();
        let (columns, rows) = (count.x as usize + 1, count.y as usize + 1);
        Self::new(origin * flat, cell * flat, columns, rows, heights)
    }

    fn number(&self, corner: UVec2) -> usize {
        corner.y as usize * (self.lattice.count.x as usize + 1) + corner.x as usize
    }

    fn corner(&self, corner: UVec2) -> Vec3 {
        let place = self.lattice.origin + corner.as_vec2() * self.lattice.cell;
        Vec3::new(place.x, self.heights[self.number(corner)], place.y)
    }
}

/// Samples of one grid: a quarter of a gigabyte.
const MOST_SAMPLES: f32 = (1 << 26) as f32;

/// The corners of the two triangles of a cell, counter-clockwise from above; the one of larger z first.
fn halves(cell: UVec2) -> [[UVec2; 3]; 2] {
    let (low, high) = (cell, cell + 1);
    let (along_x, along_z) = (UVec2::new(high.x, low.y), UVec2::new(low.x, high.y));
    [[low, along_z, high], [low, high, along_x]]
}

impl Ground for Grid {
    #[inline]
    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
        let at = self.lattice.in_cells(Vec2::new(from.x, from.z));
        let last = self.lattice.count.as_vec2();
        if !(at.cmpge(Vec2::ZERO).all() && at.cmple(last).all()) {
            return None;
        }
        let cell = UVec2::new(at.x as u32, at.y as u32).min(self.lattice.count - 1);
        let part = at - cell.as_vec2();
        let height = |x: u32, z: u32| self.heights[self.number(cell + UVec2::new(x, z))];
        let (low, high) = (height(0, 0), height(1, 1));
        // Rise over the cell along x and z, in the half of the cell that the place is in.
        let rise = if part.y >= part.x {
            let side = height(0, 1);
            Vec2::new(high - side, side - low)
        } else {
            let side = height(1, 0);
            Vec2::new(side - low, high - side)
        };
        let height = low + rise.dot(part);
        // Also false in a hole.
        if !(height <= from.y && height >= from.y - depth) {
            return None;
        }
        let slope = rise / self.lattice.cell;
        let normal = Vec3::new(-slope.x, 1.0, -slope.y).normalize();
        Some(Hit { point: Vec3::new(from.x, height, from.z), normal })
    }

    fn ray(&self, ray: &Ray) -> Option<ClosestPoint> {
        lattice::ray(self, ray)
    }

    fn closest(&self, point: Vec3, within: f32) -> Option<ClosestPoint> {
        lattice::closest(self, point, within)
    }
}

impl Cells for Grid {
    fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    fn triangles_in(&self, cell: UVec2) -> impl Iterator<Item = Triangle> {
        let triangles = halves(cell).map(|corners| corners.map(|corner| self.corner(corner)));
        triangles.into_iter().filter(|triangle| triangle::normal(*triangle).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hole() -> Grid {
        let mut heights = vec![1.0; 16];
        heights[5] = f32::NAN;
        Grid::new(Vec2::ZERO, Vec2::ONE, 4, 4, heights).unwrap()
    }

    #[test]
    fn around_a_height_that_is_no_number_there_is_no_ground() {
        let grid = hole();
        let stands = |x: f32, z: f32| grid.probe(Vec3::new(x, 2.0, z), 5.0).is_some();
        assert!(!stands(1.0, 1.0) && !stands(0.9, 1.2) && !stands(1.4, 1.2));
        assert!(stands(2.5, 2.5) && stands(0.3, 0.1) == stands(0.1, 0.3));
        // Six of eighteen triangles meet there.
        assert_eq!(grid.mesh().triangles.len(), 12);
        assert_eq!(grid.mesh().positions.len(), 15);
    }

    #[test]
    fn beyond_its_edges_there_is_no_ground() {
        let grid = hole();
        for (x, z) in [(-0.01, 2.0), (3.01, 2.0), (2.0, -0.01), (2.0, 3.01), (f32::NAN, 2.0)] {
            assert_eq!(grid.probe(Vec3::new(x, 2.0, z), 5.0), None);
        }
        assert!(grid.probe(Vec3::new(3.0, 2.0, 3.0), 5.0).is_some());
    }

    #[test]
    fn heights_that_make_no_grid_are_refused() {
        let make = |cell: f32, columns, heights: &[f32]| {
            Grid::new(Vec2::ZERO, Vec2::splat(cell), columns, 2, heights.to_vec()).unwrap_err()
        };
        assert!(matches!(make(1.0, 1, &[0.0; 2]), GridError::Size { .. }));
        assert!(matches!(make(1.0, 2, &[0.0; 3]), GridError::Count { .. }));
        assert!(matches!(make(0.0, 2, &[0.0; 4]), GridError::Cell { .. }));
        assert!(matches!(make(f32::NAN, 2, &[0.0; 4]), GridError::Cell { .. }));
        assert!(matches!(make(1.0, 2, &[f32::INFINITY; 4]), GridError::Height(_)));
        assert_eq!(make(1.0, 2, &[f32::NAN; 4]), GridError::Empty);
    }
}
