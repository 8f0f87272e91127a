//! A square of curved ground: many small triangles, found by where they are.

use crate::world::has_area;
use andante_world::TriangleMesh;
use glam::{UVec2, Vec2, Vec3};
use parry3d::bounding_volume::Aabb;
use parry3d::shape::Triangle;

/// Side of the tiles in which curved ground is made, and of the cells of one, in metres.
pub(crate) const TILE: f32 = 2.0;
pub(crate) const CELL: f32 = 0.1;

/// Cells along a side.
pub(crate) const fn across() -> usize {
    (TILE / CELL + 0.5) as usize
}

/// Triangles by the cells they are in.
#[derive(Debug)]
pub(crate) struct Tile {
    low: Vec2,
    /// How far a triangle reaches from the middle of its box at most, seen from above.
    reach: f32,
    /// Where the triangles of each cell begin, row by row; empty if each has two.
    starts: Vec<u32>,
    /// Triangles with their boxes, in the cells in which the middles of these are.
    triangles: Vec<(Triangle, Aabb)>,
    /// Triangles of which each cell has two.
    even: TriangleMesh,
    /// How low and how high each of these cells is.
    levels: Vec<[f32; 2]>,
}

impl Tile {
    /// Ground that is everywhere, with two triangles in each cell, row by row.
    pub fn even(low: Vec2, even: TriangleMesh) -> Self {
        let at = |corner: u32| even.positions[corner as usize].y;
        let level = |cell: &[[u32; 3]]| {
            let heights = || cell.iter().flatten().map(|&corner| at(corner));
            [heights().fold(f32::INFINITY, f32::min), heights().fold(f32::NEG_INFINITY, f32::max)]
        };
        Self {
            low,
            reach: (0.5 + 1e-3) * CELL,
            starts: Vec::new(),
            triangles: Vec::new(),
            levels: even.triangles.chunks(2).map(level).collect(),
            even,
        }
    }

    /// None if there are no triangles.
    pub fn new(low: Vec2, corners: &[[Vec3; 3]]) -> Option<Self> {
        let boxed = |&[a, b, c]: &[Vec3; 3]| {
            let bounds = Aabb::new(a.min(b).min(c), a.max(b).max(c));
            (Triangle::new(a, b, c), bounds)
        };
        let made: Vec<(Triangle, Aabb)> = corners.iter().filter(has_area).map(boxed).collect();
        let mut tile = Self {
            low,
            reach: made.iter().map(|(_, bounds)| extent(bounds)).fold(0.0, f32::max),
            starts: vec![0; across() * across() + 1],
            triangles: Vec::new(),
            even: TriangleMesh::default(),
            levels: Vec::new(),
        };
        let (first, _) = *made.first()?;
        let cells: Vec<usize> = made
            .iter()
            .map(|(_, bounds)| {
                let UVec2 { x, y } = tile.cell(flat(bounds.center()));
                y as usize * across() + x as usize
            })
            .collect();
        for &cell in &cells {
            tile.starts[cell + 1] += 1;
        }
        for cell in 0..across() * across() {
            tile.starts[cell + 1] += tile.starts[cell];
        }
        let mut next = tile.starts.clone();
        tile.triangles = vec![(first, Aabb::new_invalid()); made.len()];
        for (triangle, cell) in made.into_iter().zip(cells) {
            tile.triangles[next[cell] as usize] = triangle;
            next[cell] += 1;
        }
        Some(tile)
    }

    fn cell(&self, at: Vec2) -> UVec2 {
        // What is below zero becomes zero, and the rest is rounded down.
        ((at - self.low) / CELL).as_uvec2().min(UVec2::splat(across() as u32 - 1))
    }

    /// Triangles whose boxes touch a box.
    pub fn near<'a>(&'a self, within: &Aabb) -> impl Iterator<Item = Triangle> + use<'a> {
        let within = *within;
        let [low, high] = [flat(within.mins) - self.reach, flat(within.maxs) + self.reach]
            .map(|corner| self.cell(corner).as_usizevec2());
        let touches = move |bounds: &Aabb| {
            bounds.mins.cmple(within.maxs).all() && bounds.maxs.cmpge(within.mins).all()
        };
        let (sorted, even) = match self.starts.is_empty() {
            true => (0..0, low.y..high.y + 1),
            false => (low.y..high.y + 1, 0..0),
        };
        let sorted = sorted.flat_map(move |row| {
            let cells = [low.x, high.x + 1].map(|column| self.starts[row * across() + column]);
            &self.triangles[cells[0] as usize..cells[1] as usize]
        });
        let sorted = sorted.filter(move |(_, bounds)| touches(bounds)).map(|(found, _)| *found);
        let even = even.flat_map(move |row| {
            let cells = row * across() + low.x..=row * across() + high.x;
            let is_level = move |&cell: &usize| {
                let [lowest, highest] = self.levels[cell];
                lowest <= within.maxs.y && highest >= within.mins.y
            };
            let both = |cell: usize| [2 * cell, 2 * cell + 1];
            let made = cells.filter(is_level).flat_map(both).map(|index| {
                let [a, b, c] = self.even.corners(index);
                (Triangle::new(a, b, c), Aabb::new(a.min(b).min(c), a.max(b).max(c)))
            });
            made.filter(move |(_, bounds)| touches(bounds)).map(|(found, _)| found)
        });
        sorted.chain(even)
    }
}

fn flat(at: Vec3) -> Vec2 {
    Vec2::new(at.x, at.z)
}

/// Half of the longer side of a box seen from above, and a hair for rounding.
fn extent(bounds: &Aabb) -> f32 {
    0.5 * flat(bounds.extents()).max_element() + 1e-3 * CELL
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface;
    use andante_world::{Area, GroundPatch, Platform};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn even_ground_is_the_same_as_its_triangles_one_by_one(
            seed in 0u32..1000,
            at in (-3.0f32..5.0, -1.0f32..1.0, -3.0f32..5.0),
            size in (0.0f32..1.0, 0.0f32..1.0, 0.0f32..1.0),
        ) {
            let outline = [[-9.0, -9.0], [9.0, -9.0], [9.0, 9.0], [-9.0, 9.0]].map(Vec2::from);
            let patch = GroundPatch {
                platform: Platform::level("hills", outline.to_vec(), 0.3),
                terrain: Some(format!("random:{seed}").parse().unwrap()),
            };
            // Not on the line between the two ears.
            let low = Vec2::new(2.0, 4.0);
            let area = Area::new(low, low + TILE);
            let even = Tile::even(low, surface::whole(&patch, area, across()).unwrap());
            let sorted = Tile::new(low, &surface::triangles(&patch, area, CELL)).unwrap();
            let at = Vec3::new(at.0 + low.x, at.1, at.2 + low.y);
            let within = Aabb::new(at, at + Vec3::new(size.0, size.1, size.2));
            let corners = |tile: &Tile| -> Vec<[Vec3; 3]> {
                tile.near(&within).map(|found| [found.a, found.b, found.c]).collect()
            };
            prop_assert_eq!(corners(&even), corners(&sorted));
        }

        #[test]
        fn every_triangle_whose_box_is_touched_is_found_once(
            seed in 0u32..1000,
            at in (-3.0f32..5.0, -1.0f32..1.0, -3.0f32..5.0),
            size in (0.0f32..1.0, 0.0f32..1.0, 0.0f32..1.0),
        ) {
            let mut seed = seed;
            let mut number = || {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (seed >> 8) as f32 / (1u32 << 24) as f32
            };
            let corners: Vec<[Vec3; 3]> = (0..200)
                .map(|_| {
                    let at = 2.0 * Vec3::new(number(), number() - 0.5, number());
                    [(); 3].map(|()| at + 0.3 * Vec3::new(number(), number(), number()))
                })
                .collect();
            let low = Vec2::new(1.0, -1.0);
            let moved = |corner: Vec3| corner + Vec3::new(low.x, 0.0, low.y);
            let corners: Vec<[Vec3; 3]> = corners.iter().map(|three| three.map(moved)).collect();
            let tile = Tile::new(low, &corners).unwrap();
            let at = Vec3::new(at.0, at.1, at.2);
            let within = Aabb::new(at, at + Vec3::new(size.0, size.1, size.2));
            let touched = |[a, b, c]: &&[Vec3; 3]| {
                let (low, high) = (a.min(*b).min(*c), a.max(*b).max(*c));
                low.cmple(within.maxs).all() && high.cmpge(within.mins).all()
            };
            let sorted = |mut all: Vec<Vec3>| {
                all.sort_by(|a, b| a.x.total_cmp(&b.x));
                all
            };
            let wanted = corners.iter().filter(touched).map(|three| three[0]).collect();
            let found = tile.near(&within).map(|triangle| triangle.a).collect();
            prop_assert_eq!(sorted(found), sorted(wanted));
        }
    }
}
