//! Ground that is made of patches, as feet meet it.

use crate::lattice::Lattice;
use crate::rim::Rim;
use crate::{Area, MeshError, Platform, Terrain, TriangleMesh};
use andante_skeleton::{ClosestPoint, Ground, Hit, Ray};
use glam::{UVec2, Vec2, Vec3};

/// A piece of ground.
#[derive(Clone, Debug)]
pub struct GroundPatch {
    /// Its outline, and the plane it lies in.
    pub platform: Platform,
    /// Ground on top of that plane, if it is not flat.
    pub terrain: Option<Terrain>,
}

impl GroundPatch {
    /// True if two are the same for certain ([`Terrain::is_same`]).
    pub fn is_same(&self, other: &Self) -> bool {
        let is_same = match (&self.terrain, &other.terrain) {
            (Some(own), Some(other)) => own.is_same(other),
            (own, other) => own.is_none() && other.is_none(),
        };
        is_same && self.platform == other.platform
    }
}

impl From<Platform> for GroundPatch {
    fn from(platform: Platform) -> Self {
        Self { platform, terrain: None }
    }
}

/// Every patch of a scene at once: the highest surface below the question counts.
#[derive(Clone, Debug)]
pub struct SceneGround {
    patches: Vec<BoundedPatch>,
    /// The patches over each square of a lattice, where there are many.
    lattice: Option<(Lattice, Vec<Vec<u32>>)>,
}

/// A patch and where it can be.
#[derive(Clone, Debug)]
struct BoundedPatch {
    low: Vec2,
    high: Vec2,
    patch: GroundPatch,
    /// Its rim, where it has many corners.
    rim: Option<Rim>,
}

impl BoundedPatch {
    fn contains(&self, place: Vec2) -> bool {
        match &self.rim {
            Some(rim) => rim.contains(place),
            None => self.patch.platform.contains(place),
        }
    }

    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
        self.patch.probe_within(from, depth, |place| self.contains(place))
    }

    fn height_below(&self, from: Vec3, depth: f32) -> Option<f32> {
        self.patch.height_within(from, depth, |place| self.contains(place))
    }
}

/// So many patches are looked at one by one.
const FEW: usize = 16;

impl SceneGround {
    /// The ground that these patches are together.
    pub fn new(patches: &[GroundPatch]) -> Self {
        let bounded = |patch: &GroundPatch| {
            let corners = &patch.platform.outline;
            BoundedPatch {
                low: corners.iter().copied().fold(Vec2::INFINITY, Vec2::min),
                high: corners.iter().copied().fold(Vec2::NEG_INFINITY, Vec2::max),
                rim: Rim::new(corners),
                patch: patch.clone(),
            }
        };
        let patches: Vec<BoundedPatch> = patches.iter().map(bounded).collect();
        let lattice = (patches.len() > FEW).then(|| sorted(&patches)).flatten();
        Self { patches, lattice }
    }

    /// Height of the highest ground at a place.
    pub fn height_at(&self, place: Vec2) -> Option<f32> {
        self.probe(Vec3::new(place.x, 1e6, place.y), f32::INFINITY).map(|hit| hit.point.y)
    }

    /// Height of the lowest surface, more or less where it is not flat; none without any ground.
    pub fn lowest(&self) -> Option<f32> {
        const CELLS: usize = 32;
        let mut lowest: Option<f32> = None;
        for BoundedPatch { low, high, patch, .. } in &self.patches {
            let cells = if patch.terrain.is_some() { CELLS } else { 0 };
            let grid = (0..cells * cells).map(|cell| {
                let at = Vec2::new((cell % cells) as f32, (cell / cells) as f32) + 0.5;
                *low + (*high - *low) * at / cells as f32
            });
            for place in patch.platform.outline.iter().copied().chain(grid) {
                let top = patch.platform.height_at(place);
                let above = patch.terrain.as_ref().and_then(|terrain| terrain.height_at(place));
                let height = top + above.unwrap_or(0.0);
                lowest = Some(lowest.map_or(height, |least| least.min(height)));
            }
        }
        lowest
    }

    /// The patch that is met first straight below a point, by its number, and where.
    pub fn patch_below(&self, from: Vec3, depth: f32) -> Option<(usize, Hit)> {
        let met = |(number, patch): (usize, &BoundedPatch)| {
            patch.probe(from, depth).map(|hit| (number, hit))
        };
        let met = self.patches.iter().enumerate().filter_map(met);
        met.max_by(|a, b| a.1.point.y.total_cmp(&b.1.point.y))
    }

    /// Patches that may be below a place.
    fn around(&self, at: Vec3) -> impl Iterator<Item = &BoundedPatch> {
        let place = Vec2::new(at.x, at.z);
        let is_around = move |patch: &&BoundedPatch| {
            place.cmpge(patch.low).all() && place.cmple(patch.high).all()
        };
        let near: &[u32] = match &self.lattice {
            Some((lattice, cells)) => cells
                .get(lattice.number(lattice.nearest(place)))
                .map_or(&[], |numbers| &numbers[..]),
            None => &[],
        };
        let all = if self.lattice.is_some() { &[][..] } else { &self.patches[..] };
        let near = near.iter().filter_map(|&number| self.patches.get(number as usize));
        near.chain(all).filter(is_around)
    }

    /// Triangles of every patch, for files and pictures.
    pub fn mesh(&self, cell: f32) -> Result<TriangleMesh, MeshError> {
        let mut whole = TriangleMesh::default();
        for BoundedPatch { low, high, patch, .. } in &self.patches {
            whole.append(&patch.mesh(Area::new(*low, *high), cell)?);
        }
        Ok(whole)
    }
}

/// The patches over each square of a lattice with about as many squares as there are patches.
fn sorted(patches: &[BoundedPatch]) -> Option<(Lattice, Vec<Vec<u32>>)> {
    let low = patches.iter().map(|patch| patch.low).reduce(Vec2::min)?;
    let high = patches.iter().map(|patch| patch.high).reduce(Vec2::max)?;
    let size = (high - low).max(Vec2::splat(1e-3));
    let side = (size.x * size.y / patches.len() as f32).sqrt().max(0.1);
    let count = (size / side).ceil().clamp(Vec2::ONE, Vec2::splat(1000.0));
    let lattice = Lattice::new(low, size / count, UVec2::new(count.x as u32, count.y as u32));
    let mut cells = vec![Vec::new(); lattice.len()];
    for (number, BoundedPatch { low, high, .. }) in patches.iter().enumerate() {
        for cell in lattice.under(&Area::new(*low - 1e-3 * side, *high + 1e-3 * side)) {
            cells[lattice.number(cell)].push(number as u32);
        }
    }
    Some((lattice, cells))
}

impl Ground for SceneGround {
    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
        let hits = self.around(from).filter_map(|patch| patch.probe(from, depth));
        hits.max_by(|a, b| a.point.y.total_cmp(&b.point.y))
    }

    fn height_below(&self, from: Vec3, depth: f32) -> Option<f32> {
        self.around(from).filter_map(|patch| patch.height_below(from, depth)).reduce(f32::max)
    }

    fn ray(&self, ray: &Ray) -> Option<ClosestPoint> {
        let met = self.patches.iter().filter_map(|bounded| bounded.patch.ray(ray));
        met.reduce(|a, b| a.nearer(Some(b)))
    }

    fn closest(&self, point: Vec3, within: f32) -> Option<ClosestPoint> {
        let near = self.patches.iter().filter_map(|bounded| bounded.patch.closest(point, within));
        near.reduce(|a, b| a.nearer(Some(b)))
    }
}

impl Ground for GroundPatch {
    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
        self.probe_within(from, depth, |place| self.platform.contains(place))
    }

    fn height_below(&self, from: Vec3, depth: f32) -> Option<f32> {
        self.height_within(from, depth, |place| self.platform.contains(place))
    }
}

impl GroundPatch {
    /// What is met below, given where there is ground.
    fn probe_within(
        &self,
        from: Vec3,
        depth: f32,
        contains: impl FnOnce(Vec2) -> bool,
    ) -> Option<Hit> {
        let Some(terrain) = &self.terrain else {
            let height = self.height_within(from, depth, contains)?;
            let point = Vec3::new(from.x, height, from.z);
            return Some(Hit { point, normal: self.platform.normal() });
        };
        let place = Vec2::new(from.x, from.z);
        if !contains(place) {
            return None;
        }
        let plane = self.platform.height_at(place);
        let above = terrain.probe(Vec3::new(from.x, from.y - plane, from.z), depth)?;
        // Two slopes add up as gradients do.
        let gradient = |normal: Vec3| Vec2::new(-normal.x, -normal.z) / normal.y.max(1e-3);
        let slope = gradient(above.normal) + self.platform.slope;
        let normal = Vec3::new(-slope.x, 1.0, -slope.y).normalize();
        Some(Hit { point: above.point + Vec3::Y * plane, normal })
    }

    /// The height of what is met below, given where there is ground.
    fn height_within(
        &self,
        from: Vec3,
        depth: f32,
        contains: impl FnOnce(Vec2) -> bool,
    ) -> Option<f32> {
        let place = Vec2::new(from.x, from.z);
        let Some(terrain) = &self.terrain else {
            return self.platform.plane_below(from, depth).filter(|_| contains(place));
        };
        if !contains(place) {
            return None;
        }
        let plane = self.platform.height_at(place);
        let above = terrain.height_below(Vec3::new(from.x, from.y - plane, from.z), depth)?;
        Some(above + plane)
    }

    /// Its surface as triangles, with walls down from its rim.
    fn mesh(&self, area: Area, cell: f32) -> Result<TriangleMesh, MeshError> {
        let outline = &self.platform.outline;
        let mut mesh = TriangleMesh::default();
        let height = |place: Vec2| {
            let from = Vec3::new(place.x, 1e6, place.y);
            let top = self.terrain.as_ref().and_then(|terrain| terrain.probe(from, f32::INFINITY));
            self.platform.height_at(place) + top.map_or(0.0, |hit| hit.point.y)
        };
        let at = |place: Vec2, down: f32| Vec3::new(place.x, height(place) - down, place.y);
        match &self.terrain {
            None => {
                for [a, b, c] in ears(outline) {
                    push(&mut mesh, [a, b, c].map(|corner| at(outline[corner], 0.0)), Vec3::Y);
                }
            }
            Some(terrain) => {
                mesh = terrain.mesh(area, cell)?;
                for at in &mut mesh.positions {
                    at.y += self.platform.height_at(Vec2::new(at.x, at.z));
                }
                cut(&mut mesh, &self.platform);
            }
        }
        for index in 0..outline.len() {
            let (a, b) = (outline[index], outline[(index + 1) % outline.len()]);
            let out = Vec3::new(b.y - a.y, 0.0, a.x - b.x) * signed_area(outline).signum();
            let pieces = match self.terrain {
                Some(_) => ((a.distance(b) / cell).ceil() as usize).clamp(1, 10_000),
                None => 1,
            };
            for piece in 0..pieces {
                let [from, to] =
                    [piece, piece + 1].map(|piece| a.lerp(b, piece as f32 / pieces as f32));
                push(&mut mesh, [at(from, 0.0), at(to, 0.0), at(to, THICKNESS)], out);
                push(&mut mesh, [at(from, 0.0), at(to, THICKNESS), at(from, THICKNESS)], out);
            }
        }
        Ok(mesh)
    }
}

/// How far walls lead down from a rim, in metres.
const THICKNESS: f32 = 0.3;

/// Cuts a surface along the rim of a platform.
fn cut(mesh: &mut TriangleMesh, platform: &Platform) {
    let ears: Vec<[Vec2; 3]> = ears(&platform.outline)
        .iter()
        .map(|ear| ear.map(|corner| platform.outline[corner]))
        .collect();
    let flat = |at: Vec3| Vec2::new(at.x, at.z);
    for corners in std::mem::take(&mut mesh.triangles) {
        let places = corners.map(|corner| mesh.positions[corner as usize]);
        let middle = flat(places[0] + places[1] + places[2]) / 3.0;
        let inside = places.iter().filter(|at| platform.contains(flat(**at))).count();
        let inside = inside + usize::from(platform.contains(middle));
        match inside {
            4 => mesh.triangles.push(corners),
            0 => {}
            _ => {
                for ear in &ears {
                    let rest = clipped(&places, ear);
                    for last in 2..rest.len() {
                        push(mesh, [rest[0], rest[last - 1], rest[last]], Vec3::Y);
                    }
                }
            }
        }
    }
}

/// The part of a triangle above a triangle of the plane (Sutherland and Hodgman 1974).
fn clipped(triangle: &[Vec3; 3], ear: &[Vec2; 3]) -> Vec<Vec3> {
    let side = signed_area(ear).signum();
    let mut rest = triangle.to_vec();
    for index in 0..3 {
        let (from, to) = (ear[index], ear[(index + 1) % 3]);
        let inner = |at: &Vec3| side * (to - from).perp_dot(Vec2::new(at.x, at.z) - from);
        let mut next = Vec::with_capacity(rest.len() + 1);
        for here in 0..rest.len() {
            let (a, b) = (rest[here], rest[(here + 1) % rest.len()]);
            let (p, q) = (inner(&a), inner(&b));
            if p >= 0.0 {
                next.push(a);
            }
            if (p >= 0.0) != (q >= 0.0) {
                next.push(a.lerp(b, p / (p - q)));
            }
        }
        rest = next;
    }
    rest
}

/// Area of a polygon, negative where its corners run from z to x.
fn signed_area(outline: &[Vec2]) -> f32 {
    let side = |index: usize| outline[index].perp_dot(outline[(index + 1) % outline.len()]);
    0.5 * (0..outline.len()).map(side).sum::<f32>()
}

/// Adds a triangle so that it faces a direction.
fn push(mesh: &mut TriangleMesh, corners: [Vec3; 3], facing: Vec3) {
    let [a, b, c] = corners;
    let flipped = (b - a).cross(c - a).dot(facing) < 0.0;
    let first = mesh.positions.len() as u32;
    let corners = if flipped { [a, c, b] } else { [a, b, c] };
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or(Vec3::Y);
    // A mesh has normals everywhere or nowhere.
    if mesh.normals.len() == mesh.positions.len() {
        mesh.normals.extend([normal; 3]);
    }
    mesh.positions.extend(corners);
    mesh.triangles.push([first, first + 1, first + 2]);
}

/// Triangles of a simple polygon, by cutting off its ears.
fn ears(outline: &[Vec2]) -> Vec<[usize; 3]> {
    let mut rest: Vec<usize> = (0..outline.len()).collect();
    if signed_area(outline) < 0.0 {
        rest.reverse();
    }
    let mut found = Vec::new();
    while rest.len() > 3 {
        let count = rest.len();
        let ear = (0..count).find(|&index| {
            let [a, b, c] = [(index + count - 1) % count, index, (index + 1) % count]
                .map(|index| outline[rest[index]]);
            let outside = |place: Vec2| {
                let sides = [(a, b), (b, c), (c, a)];
                sides.iter().any(|&(from, to)| (to - from).perp_dot(place - from) < 0.0)
            };
            let others = rest
                .iter()
                .map(|&index| outline[index])
                .filter(|&place| place != a && place != b && place != c);
            (b - a).perp_dot(c - b) > 0.0 && others.clone().all(outside)
        });
        // An outline that crosses itself has no ear at some point: what is left is drawn as a fan.
        let index = ear.unwrap_or(1);
        found.push([rest[(index + count - 1) % count], rest[index], rest[(index + 1) % count]]);
        rest.remove(index);
    }
    if let [a, b, c] = rest[..] {
        found.push([a, b, c]);
    }
    found
}
