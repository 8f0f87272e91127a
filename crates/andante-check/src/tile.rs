//! A square of curved ground: many small triangles, found by where they are.

use crate::world::has_area;
use glam::{UVec2, Vec2, Vec3};
use parry3d::bounding_volume::Aabb;
use parry3d::shape::Triangle;

/// Side of the tiles in which curved ground is made, and of the cells of one, in metres.
pub(crate) const TILE: f32 = 2.0;
pub(crate) const CELL: f32 = 0.1;

/// Cells along a side.
const fn across() -> usize {
    (TILE / CELL + 0.5) as usize
}

/// Triangles, each with its box and in the cell in which the middle of that is.
#[derive(Debug)]
pub(crate) struct Tile {
    low: Vec2,
    /// How far a triangle reaches from the middle of its box at most, seen from above.
    reach: f32,
    /// Where the triangles of each cell begin, row by row.
    starts: Vec<u32>,
    triangles: Vec<(Triangle, Aabb)>,
}

impl Tile {
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
        let most = Vec2::splat(across() as f32 - 1.0);
        ((at - self.low) / CELL).floor().clamp(Vec2::ZERO, most).as_uvec2()
    }

    /// Triangles whose boxes touch a box.
    pub fn near<'a>(&'a self, within: &Aabb) -> impl Iterator<Item = Triangle> + use<'a> {
        let within = *within;
        let [low, high] = [flat(within.mins) - self.reach, flat(within.maxs) + self.reach]
            .map(|corner| self.cell(corner).as_usizevec2());
        let rows = (low.y..=high.y).flat_map(move |row| {
            let cells = [low.x, high.x + 1].map(|column| self.starts[row * across() + column]);
            &self.triangles[cells[0] as usize..cells[1] as usize]
        });
        let touches = move |bounds: &Aabb| {
            bounds.mins.cmple(within.maxs).all() && bounds.maxs.cmpge(within.mins).all()
        };
        rows.filter(move |(_, bounds)| touches(bounds)).map(|(triangle, _)| *triangle)
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
    use proptest::prelude::*;

    proptest! {
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
