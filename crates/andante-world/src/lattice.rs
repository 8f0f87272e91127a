//! Rectangular cells in the horizontal plane, and questions to what lies in them.

use crate::triangle::{self, Triangle};
use crate::{Area, Bounds, ClosestPoint, Ray};
use glam::{UVec2, Vec2, Vec3};

/// Cells beside each other: `count.x` along x and `count.y` along z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lattice {
    pub origin: Vec2,
    pub cell: Vec2,
    pub count: UVec2,
    per_metre: Vec2,
}

/// Triangles, sorted into the cells of a lattice.
pub(crate) trait Cells {
    fn lattice(&self) -> &Lattice;
    fn bounds(&self) -> &Bounds;
    fn triangles_in(&self, cell: UVec2) -> impl Iterator<Item = Triangle>;
}

impl Lattice {
    /// `cell` must be positive and `count` at least one.
    pub fn new(origin: Vec2, cell: Vec2, count: UVec2) -> Self {
        Self { origin, cell, count, per_metre: cell.recip() }
    }

    /// Position in cells, from the lowest corner.
    #[inline]
    pub fn in_cells(&self, place: Vec2) -> Vec2 {
        (place - self.origin) * self.per_metre
    }

    pub fn number(&self, cell: UVec2) -> usize {
        cell.y as usize * self.count.x as usize + cell.x as usize
    }

    pub fn len(&self) -> usize {
        self.count.x as usize * self.count.y as usize
    }

    /// The cell of a place, or the nearest one.
    pub fn nearest(&self, place: Vec2) -> UVec2 {
        // Numbers that are too large, too small or not numbers saturate.
        let at = self.in_cells(place);
        UVec2::new(at.x as u32, at.y as u32).min(self.count - 1)
    }

    /// The cells under an area, by row.
    pub fn under(&self, area: &Area) -> impl Iterator<Item = UVec2> + use<> {
        let (first, last) = (self.nearest(area.low), self.nearest(area.high));
        (first.y..=last.y).flat_map(move |y| (first.x..=last.x).map(move |x| UVec2::new(x, y)))
    }

    fn area_of(&self, cell: UVec2) -> Area {
        let low = self.origin + cell.as_vec2() * self.cell;
        Area { low, high: low + self.cell }
    }
}

/// The first triangle that a ray meets. Walks from cell to cell (Amanatides and Woo 1987).
pub(crate) fn ray(cells: &impl Cells, ray: &Ray) -> Option<ClosestPoint> {
    let lattice = cells.lattice();
    // The margin keeps what lies in the box's own sides.
    let bounds = cells.bounds().grown(1e-3);
    let [start, end] = bounds.clip(ray)?;
    let place = |point: Vec3| Vec2::new(point.x, point.z);
    let first = place(ray.at(start));
    let mut cell = lattice.nearest(first);
    let speed = place(ray.direction());
    let mut best: Option<ClosestPoint> = None;
    loop {
        for triangle in cells.triangles_in(cell) {
            if let Some(found) = triangle::ray(ray, triangle) {
                best = Some(found.nearer(best));
            }
        }
        // Distance at which the ray leaves the cell, and through which side.
        let area = lattice.area_of(cell);
        let leave = |axis: usize| {
            let side = if speed[axis] > 0.0 { area.high[axis] } else { area.low[axis] };
            let distance = (side - place(ray.origin())[axis]) / speed[axis];
            if distance.is_nan() { f32::INFINITY } else { distance }
        };
        let exits = [0, 1].map(|axis| if speed[axis] == 0.0 { f32::INFINITY } else { leave(axis) });
        let axis = usize::from(exits[1] < exits[0]);
        if best.is_some_and(|best| best.distance <= exits[axis]) || exits[axis] > end {
            return best;
        }
        let next = if speed[axis] > 0.0 {
            Some(cell[axis] + 1).filter(|&next| next < lattice.count[axis])
        } else {
            cell[axis].checked_sub(1)
        };
        match next {
            Some(next) => cell[axis] = next,
            None => return best,
        }
    }
}

/// The nearest point of all triangles, if there is one within a distance.
pub(crate) fn closest(cells: &impl Cells, point: Vec3, within: f32) -> Option<ClosestPoint> {
    let lattice = cells.lattice();
    let place = Vec2::new(point.x, point.z);
    let mut best: Option<ClosestPoint> = None;
    let mut look = |cell: UVec2| {
        let reach = best.map_or(within, |best| best.distance);
        let area = lattice.area_of(cell);
        let gap = (area.low - place).max(place - area.high).max(Vec2::ZERO).length();
        if gap <= reach {
            for triangle in cells.triangles_in(cell) {
                if let Some(found) = triangle::touch(point, triangle, reach) {
                    best = Some(found.nearer(best));
                }
            }
        }
        best.map_or(within, |best| best.distance)
    };
    // The cell below first: what it finds leaves little for the others to do.
    let reach = look(lattice.nearest(place));
    for cell in lattice.under(&Area::around(place, reach)) {
        look(cell);
    }
    best
}
