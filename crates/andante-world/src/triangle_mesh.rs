//! Triangles as files and screens have them.

use crate::outline::is_near;
use glam::{Affine3A, Mat3A, Vec2, Vec3, Vec3Swizzles};
use thiserror::Error;

/// A surface of triangles, to be drawn, written or stood on.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct TriangleMesh {
    /// Corners in metres.
    pub positions: Vec<Vec3>,
    /// One unit normal per position, or none at all for flat shading.
    pub normals: Vec<Vec3>,
    /// Three indices into `positions` each, counter-clockwise seen from above or outside.
    pub triangles: Vec<[u32; 3]>,
}

/// An error that keeps triangles from being ground or an obstacle, or ground from giving triangles.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MeshError {
    /// Nothing to stand on.
    #[error("the mesh has no triangles")]
    Empty,
    /// An index points nowhere.
    #[error("triangle {triangle} uses vertex {vertex}, and there are {count}")]
    Index {
        /// Which triangle, from 0.
        triangle: usize,
        /// The vertex it asks for.
        vertex: u32,
        /// Vertices of the mesh.
        count: usize,
    },
    /// A coordinate is not finite, or so far away that distances are not.
    #[error("vertex {0} is not at a finite position within 1 000 km")]
    Vertex(usize),
    /// Every triangle is a line or a point.
    #[error("no triangle of the mesh has an area")]
    NoArea,
    /// The area to be covered is not a finite rectangle, or the cells are not of a positive size.
    #[error("cannot cover {area} with cells of {cell} m")]
    Cover {
        /// Extent of the area.
        area: String,
        /// Size of a cell.
        cell: f32,
    },
    /// More vertices than fit a mesh.
    #[error("{0} vertices are too many for one mesh: take larger cells or a smaller area")]
    TooFine(f64),
}

impl TriangleMesh {
    /// Flat triangles, each with corners of its own.
    pub(crate) fn facets(triangles: impl IntoIterator<Item = [Vec3; 3]>) -> Self {
        let mut mesh = Self::default();
        for corners in triangles {
            let first = mesh.positions.len() as u32;
            let [a, b, c] = corners;
            mesh.positions.extend(corners);
            mesh.normals.extend([(b - a).cross(c - a).normalize_or(Vec3::Y); 3]);
            mesh.triangles.push([first, first + 1, first + 2]);
        }
        mesh
    }

    /// What stands upright on a convex outline of places `(x, z)`, between two heights. Corners run from x towards z,
    /// clockwise seen from above.
    pub(crate) fn prism(outline: &[Vec2], [bottom, top]: [f32; 2]) -> Self {
        let low = |corner: usize| outline[corner].extend(bottom).xzy();
        let high = |corner: usize| outline[corner].extend(top).xzy();
        Self::facets((0..outline.len()).flat_map(|here| {
            let next = (here + 1) % outline.len();
            let side = [[low(here), high(here), high(next)], [low(here), high(next), low(next)]];
            let ends = [[high(0), high(next), high(here)], [low(0), low(here), low(next)]];
            side.into_iter().chain(ends.into_iter().filter(move |_| here > 0 && next > 0))
        }))
    }

    /// Checks that all corners exist and are finite.
    pub fn validate(&self) -> Result<(), MeshError> {
        let near = |p: &Vec3| p.is_finite() && is_near(p.abs().max_element());
        if let Some(vertex) = self.positions.iter().position(|p| !near(p)) {
            return Err(MeshError::Vertex(vertex));
        }
        let count = self.positions.len();
        for (triangle, corners) in self.triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&vertex| vertex as usize >= count) {
                return Err(MeshError::Index { triangle, vertex, count });
            }
        }
        if self.triangles.is_empty() { Err(MeshError::Empty) } else { Ok(()) }
    }

    /// The corners of a triangle.
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|vertex| self.positions[vertex as usize])
    }

    /// One normal per position, the mean of the triangles around it by their area.
    pub fn smooth_normals(&self) -> Vec<Vec3> {
        let mut normals = vec![Vec3::ZERO; self.positions.len()];
        for triangle in 0..self.triangles.len() {
            let [a, b, c] = self.corners(triangle);
            for vertex in self.triangles[triangle] {
                normals[vertex as usize] += (b - a).cross(c - a);
            }
        }
        normals.iter().map(|normal| normal.normalize_or(Vec3::Y)).collect()
    }

    /// The mesh turned, scaled and moved.
    pub fn transformed(mut self, placement: &Affine3A) -> Self {
        let linear = placement.matrix3;
        // Cofactors turn normals as planes turn.
        let cofactors = Mat3A::from_cols(
            linear.y_axis.cross(linear.z_axis),
            linear.z_axis.cross(linear.x_axis),
            linear.x_axis.cross(linear.y_axis),
        );
        let mirrored = linear.determinant() < 0.0;
        let side = if mirrored { -1.0 } else { 1.0 };
        for position in &mut self.positions {
            *position = placement.transform_point3(*position);
        }
        for normal in &mut self.normals {
            *normal = (cofactors * *normal * side).normalize_or(Vec3::Y);
        }
        if mirrored {
            self.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        self
    }

    /// Adds the triangles of another mesh. Normals stay only if both have them.
    pub fn append(&mut self, other: &Self) {
        let first = self.positions.len() as u32;
        let smooth = |mesh: &Self| mesh.normals.len() == mesh.positions.len();
        if smooth(self) && smooth(other) {
            self.normals.extend(&other.normals);
        } else {
            self.normals.clear();
        }
        self.positions.extend(&other.positions);
        let moved = other.triangles.iter().map(|corners| corners.map(|vertex| first + vertex));
        self.triangles.extend(moved);
    }
}
