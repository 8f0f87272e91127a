//! Ground made of triangles.

use parry3d_f64::math::Vector;
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::{TriMesh, TriMeshFlags};

use super::terrain::{ContactTerrainError, Surface, SurfacePoint};
use crate::math::{Vec3, vec3};

/// Ground given by triangles, wound so that their normals point out of it.
pub struct MeshSurface(TriMesh);

impl MeshSurface {
    /// A mesh of vertices and triangles between them.
    pub fn new(
        vertices: &[Vec3<f64>],
        triangles: &[[u32; 3]],
    ) -> Result<Self, ContactTerrainError> {
        let count = vertices.len();
        let sound = triangles.iter().flatten().all(|&i| (i as usize) < count)
            && vertices.iter().all(|v| v.is_finite())
            && !triangles.is_empty();
        if !sound {
            return Err(ContactTerrainError::Mesh);
        }
        let vertices = vertices.iter().map(|v| Vector::new(v.x, v.y, v.z)).collect();
        let flags = TriMeshFlags::ORIENTED | TriMeshFlags::MERGE_DUPLICATE_VERTICES;
        let mesh = TriMesh::with_flags(vertices, triangles.to_vec(), flags)
            .map_err(|_| ContactTerrainError::Mesh)?;
        Ok(MeshSurface(mesh))
    }

    /// Unit normal of a triangle, unless it has none.
    fn face(&self, triangle: u32) -> Option<Vec3<f64>> {
        let corners = self.0.indices().get(triangle as usize)?;
        let [a, b, c] = corners.map(|i| self.0.vertices().get(i as usize));
        let (a, b, c) = (a?, b?, c?);
        let vector = |v: Vector| vec3(v.x, v.y, v.z);
        vector(*b - *a).cross(vector(*c - *a)).normalized()
    }
}

impl Surface for MeshSurface {
    fn nearest(&self, p: Vec3<f64>, reach: f64) -> Option<SurfacePoint> {
        if !p.is_finite() {
            return None;
        }
        let point = Vector::new(p.x, p.y, p.z);
        let found = self.0.project_local_point_with_max_dist(point, false, reach.max(1.0))?;
        let off = vec3(p.x - found.point.x, p.y - found.point.y, p.z - found.point.z);
        let length = off.length();
        // Close to the surface the way to it has no digits left: take the triangle's normal.
        if length < 1e-4
            && let Some(face) = self.face(found.subshape)
        {
            return Some(SurfacePoint { distance: off.dot(face), normal: face });
        }
        let side = if found.is_inside { -1.0 } else { 1.0 };
        let normal = off * (side / length);
        let distance = side * length;
        if !normal.is_finite() {
            return None;
        }
        (distance <= reach).then_some(SurfacePoint { distance, normal })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mesh_knows_its_inside() {
        let vertices = [
            vec3(-5.0, 0.0, -5.0),
            vec3(5.0, 0.0, -5.0),
            vec3(5.0, 0.0, 5.0),
            vec3(-5.0, 0.0, 5.0),
        ];
        let mesh = MeshSurface::new(&vertices, &[[0, 2, 1], [0, 3, 2]]).unwrap();
        for (y, x) in [(0.3, 0.1), (-0.2, 0.1), (0.4, 0.0), (-0.1, 0.0)] {
            let found = mesh.nearest(vec3(x, y, 0.0), 1.0).unwrap();
            assert!((found.distance - y).abs() < 1e-12, "{y} {x}: {found:?}");
            assert!((found.normal - vec3(0.0, 1.0, 0.0)).length() < 1e-12);
        }
        assert!(mesh.nearest(vec3(0.0, 3.0, 0.0), 1.0).is_none());
        assert_eq!(
            MeshSurface::new(&vertices, &[[0, 1, 9]]).err(),
            Some(ContactTerrainError::Mesh)
        );
        assert_eq!(MeshSurface::new(&vertices, &[]).err(), Some(ContactTerrainError::Mesh));
    }
}
