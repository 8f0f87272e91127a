//! Obstacles of triangles.

use crate::{MeshError, TriangleMesh, hull};
use glam::{Vec2, Vec3};
use std::collections::HashMap;

/// Sheets are made this thick, in metres: what has no room inside cannot be run into.
const THIN: f32 = 1e-3;

/// A form of triangles that stands on the origin of its own frame.
///
/// It is drawn as it is, and walked around as the upright prism that fits around it: hollows are filled in. What has
/// ways through it is made of several pieces, as [`Obstacle::of_mesh`](crate::Obstacle::of_mesh) does.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshShape {
    mesh: TriangleMesh,
    /// Seen from above, as `(x, z)`.
    outline: Vec<Vec2>,
    /// From the underside to the top.
    heights: [f32; 2],
}

impl MeshShape {
    /// Refuses triangles that have no corners, no area or no place.
    pub fn new(mesh: TriangleMesh) -> Result<Self, MeshError> {
        mesh.validate()?;
        if !(0..mesh.triangles.len()).any(|triangle| has_area(mesh.corners(triangle))) {
            return Err(MeshError::NoArea);
        }
        let used =
            || mesh.triangles.iter().flatten().map(|&vertex| mesh.positions[vertex as usize]);
        let mut outline = hull::around(&used().map(|at| Vec2::new(at.x, at.z)).collect::<Vec<_>>());
        if hull::is_thin(&outline, THIN) {
            outline = hull::grown(&outline, THIN);
        }
        let low = used().map(|at| at.y).fold(f32::INFINITY, f32::min);
        let high = used().map(|at| at.y).fold(low + THIN, f32::max);
        Ok(Self { mesh, outline, heights: [low, high] })
    }

    /// The pieces that hang together, each with the middle of its underside as its origin, and where that is.
    pub(crate) fn pieces(mesh: &TriangleMesh) -> Result<Vec<(Vec3, Self)>, MeshError> {
        mesh.validate()?;
        let parts = connected(mesh).into_iter().map(|mut part| {
            let low = part.positions.iter().copied().fold(Vec3::INFINITY, Vec3::min);
            let high = part.positions.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
            let origin = low.midpoint(high).with_y(low.y);
            part.positions.iter_mut().for_each(|at| *at -= origin);
            Ok((origin, Self::new(part)?))
        });
        // What has no area is not there.
        let pieces: Vec<_> =
            parts.filter(|part| *part != Err(MeshError::NoArea)).collect::<Result<_, _>>()?;
        if pieces.is_empty() { Err(MeshError::NoArea) } else { Ok(pieces) }
    }

    /// The triangles it was made of.
    pub fn triangles(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// The triangles to be drawn: with normals, or flat ones with corners of their own.
    pub fn surface(&self) -> TriangleMesh {
        if self.mesh.normals.len() == self.mesh.positions.len() {
            return self.mesh.clone();
        }
        let corners = (0..self.mesh.triangles.len()).map(|triangle| self.mesh.corners(triangle));
        TriangleMesh::facets(corners)
    }

    /// The convex outline around it seen from above, as `(x, z)`, from x towards z.
    pub fn outline(&self) -> &[Vec2] {
        &self.outline
    }

    /// Height of its underside above the origin.
    pub fn bottom(&self) -> f32 {
        self.heights[0]
    }

    /// Height of its top above the origin.
    pub fn top(&self) -> f32 {
        self.heights[1]
    }

    /// The prism around it, wider all around.
    pub fn grown(&self, by: f32) -> Self {
        let outline = hull::grown(&self.outline, by);
        Self { mesh: TriangleMesh::prism(&outline, self.heights), outline, heights: self.heights }
    }
}

fn has_area([a, b, c]: [Vec3; 3]) -> bool {
    (b - a).cross(c - a).length_squared() > 0.0
}

/// Groups of triangles that share vertices, or places of vertices; each with vertices of its own.
fn connected(mesh: &TriangleMesh) -> Vec<TriangleMesh> {
    // Every vertex leads to one of its group, which leads to itself.
    let mut leads: Vec<usize> = Vec::with_capacity(mesh.positions.len());
    let mut known = HashMap::new();
    for (vertex, position) in mesh.positions.iter().enumerate() {
        // Zero has a sign.
        let place = (position + Vec3::ZERO).to_array().map(f32::to_bits);
        leads.push(*known.entry(place).or_insert(vertex));
    }
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|vertex| head(&mut leads, vertex as usize));
        leads[b] = a;
        let c = head(&mut leads, c);
        leads[c] = a;
    }
    let (mut parts, mut numbers) = (Vec::<TriangleMesh>::new(), HashMap::new());
    let mut moved: HashMap<u32, u32> = HashMap::new();
    let is_smooth = mesh.normals.len() == mesh.positions.len();
    for triangle in &mesh.triangles {
        let number = *numbers.entry(head(&mut leads, triangle[0] as usize)).or_insert(parts.len());
        if number == parts.len() {
            parts.push(TriangleMesh::default());
        }
        let part = &mut parts[number];
        let corners = triangle.map(|vertex| {
            *moved.entry(vertex).or_insert_with(|| {
                part.positions.push(mesh.positions[vertex as usize]);
                part.normals.extend(mesh.normals.get(vertex as usize).filter(|_| is_smooth));
                part.positions.len() as u32 - 1
            })
        });
        part.triangles.push(corners);
    }
    parts
}

/// The one of its group that leads to itself; the way there is shorter next time.
fn head(leads: &mut [usize], mut vertex: usize) -> usize {
    while leads[vertex] != vertex {
        leads[vertex] = leads[leads[vertex]];
        vertex = leads[vertex];
    }
    vertex
}
