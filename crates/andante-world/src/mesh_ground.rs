//! Ground made of triangles: stairs, bridges, caves, anything.

use crate::lattice::{self, Cells, Lattice};
use crate::triangle::{self, EDGE, Triangle};
use crate::{Bounds, ClosestPoint, Ground, Hit, MeshError, Ray, TriangleMesh};
use glam::{UVec2, Vec2, Vec3};

/// Triangles that can be stood on, from whichever side they are seen: the winding of files is not to be
/// trusted. Walls have no height, so probes pass them; rays and sweeps do not.
///
/// Triangles are sorted into columns over a lattice in the horizontal plane, because nearly every question
/// goes straight down: that takes a fifth of the time that a tree of boxes takes, and a third of its construction.
/// Slanted rays and nearest points take longer than with a tree.
#[derive(Clone, Debug)]
pub struct MeshGround {
    mesh: TriangleMesh,
    bounds: Bounds,
    lattice: Lattice,
    /// Where each cell's triangles begin in `entries`, and the end of the last.
    starts: Vec<u32>,
    entries: Vec<u32>,
    floors: Vec<FloorTriangle>,
}

/// A triangle seen from above, with what a probe needs of it.
#[derive(Clone, Copy, Debug)]
struct FloorTriangle {
    corner: Vec3,
    /// Maps an offset from the corner to parts of the two edges.
    to_u: Vec2,
    to_v: Vec2,
    /// Rise along the two edges.
    rise: Vec2,
}

impl FloorTriangle {
    /// Walls, and triangles without area, become floors that nothing is above.
    fn new([a, b, c]: Triangle) -> Self {
        let flat = |v: Vec3| Vec2::new(v.x, v.z);
        let (ab, ac) = (flat(b - a), flat(c - a));
        let scale = ab.perp_dot(ac).recip();
        Self {
            corner: a,
            to_u: Vec2::new(ac.y, -ac.x) * scale,
            to_v: Vec2::new(-ab.y, ab.x) * scale,
            rise: Vec2::new(b.y - a.y, c.y - a.y),
        }
    }

    #[inline]
    fn height(&self, place: Vec2) -> Option<f32> {
        let offset = place - Vec2::new(self.corner.x, self.corner.z);
        let (u, v) = (self.to_u.dot(offset), self.to_v.dot(offset));
        // False for a wall, whose numbers are not numbers.
        let inside = u >= -EDGE && v >= -EDGE && u + v <= 1.0 + EDGE;
        inside.then_some(self.corner.y + u * self.rise.x + v * self.rise.y)
    }
}

impl MeshGround {
    /// Checks the triangles and sorts them into columns.
    pub fn new(mesh: TriangleMesh) -> Result<Self, MeshError> {
        mesh.validate()?;
        let used = mesh.triangles.as_flattened().iter().map(|&v| mesh.positions[v as usize]);
        let bounds = Bounds::around(used).ok_or(MeshError::Empty)?;
        let count = mesh.triangles.len();
        let lattice = fitting(&mesh, &bounds);
        let mut starts = vec![0u32; lattice.len() + 1];
        for triangle in 0..count {
            for cell in lattice.under(&footprint(&mesh, &lattice, triangle)) {
                starts[lattice.number(cell) + 1] += 1;
            }
        }
        for cell in 1..starts.len() {
            starts[cell] += starts[cell - 1];
        }
        let mut next = starts.clone();
        let mut entries = vec![0u32; starts[lattice.len()] as usize];
        for triangle in 0..count {
            for cell in lattice.under(&footprint(&mesh, &lattice, triangle)) {
                let slot = &mut next[lattice.number(cell)];
                entries[*slot as usize] = triangle as u32;
                *slot += 1;
            }
        }
        let floors =
            (0..count).map(|triangle| FloorTriangle::new(mesh.corners(triangle))).collect();
        Ok(Self { mesh, bounds, lattice, starts, entries, floors })
    }

    /// The triangles.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    #[inline]
    fn cell(&self, number: usize) -> &[u32] {
        let range = self.starts[number] as usize..self.starts[number + 1] as usize;
        &self.entries[range]
    }
}

/// The rectangle under a triangle. A little larger, so that rounding at cell borders loses nothing.
fn footprint(mesh: &TriangleMesh, lattice: &Lattice, triangle: usize) -> crate::Area {
    let mut area = Bounds::of(mesh.corners(triangle)).area();
    area.low -= 1e-3 * lattice.cell;
    area.high += 1e-3 * lattice.cell;
    area
}

/// As many cells as triangles, or fewer where large triangles would fill too many of them: memory stays in
/// proportion to the mesh.
fn fitting(mesh: &TriangleMesh, bounds: &Bounds) -> Lattice {
    const ENTRIES_PER_TRIANGLE: u64 = 8;
    let area = bounds.area();
    let size = area.size().max(Vec2::splat(1e-3));
    let count = mesh.triangles.len();
    let mut cell = (size.x * size.y / count as f32).sqrt();
    loop {
        // Never more cells than triangles, even for a strip.
        let most = count as f32;
        let cells = (size / cell).ceil().clamp(Vec2::ONE, Vec2::splat(most));
        let cells = UVec2::new(cells.x as u32, cells.y as u32);
        let lattice = Lattice::new(area.low, size / cells.as_vec2(), cells);
        let entries: u64 = (0..count)
            .map(|triangle| {
                let under = footprint(mesh, &lattice, triangle);
                let span = lattice.nearest(under.high) - lattice.nearest(under.low) + 1;
                u64::from(span.x) * u64::from(span.y)
            })
            .sum();
        let fits = entries <= ENTRIES_PER_TRIANGLE * count as u64 && lattice.len() <= 4 * count;
        if fits || cells == UVec2::ONE {
            return lattice;
        }
        cell *= 1.5;
    }
}

impl Ground for MeshGround {
    #[inline]
    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
        let place = Vec2::new(from.x, from.z);
        let at = self.lattice.in_cells(place);
        let last = self.lattice.count.as_vec2();
        // Also false for what is not a number. The margin is the one of the triangles' edges.
        if !(at.cmpge(Vec2::splat(-1e-4)).all() && at.cmple(last + 1e-4).all()) {
            return None;
        }
        let cell = UVec2::new(at.x as u32, at.y as u32).min(self.lattice.count - 1);
        let mut best = (f32::NEG_INFINITY, 0);
        for &triangle in self.cell(self.lattice.number(cell)) {
            match self.floors[triangle as usize].height(place) {
                Some(height) if height <= from.y && height > best.0 => best = (height, triangle),
                _ => {}
            }
        }
        let (height, triangle) = best;
        if !(height.is_finite() && height >= from.y - depth) {
            return None;
        }
        let normal = triangle::normal(self.mesh.corners(triangle as usize)).unwrap_or(Vec3::Y);
        let normal = triangle::against(normal, Vec3::NEG_Y);
        Some(Hit { point: Vec3::new(from.x, height, from.z), normal })
    }

    fn ray(&self, ray: &Ray) -> Option<ClosestPoint> {
        lattice::ray(self, ray)
    }

    fn closest(&self, point: Vec3, within: f32) -> Option<ClosestPoint> {
        lattice::closest(self, point, within)
    }
}

impl Cells for MeshGround {
    fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    fn triangles_in(&self, cell: UVec2) -> impl Iterator<Item = Triangle> {
        let entries = self.cell(self.lattice.number(cell));
        entries.iter().map(|&triangle| self.mesh.corners(triangle as usize))
    }
}
