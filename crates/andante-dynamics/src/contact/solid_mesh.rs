//! Things of triangles that lie about: solid if they are closed, sheets otherwise.

use std::collections::HashSet;

use super::mesh_surface::MeshSurface;
use super::terrain::{ContactTerrainError, Surface, SurfacePoint};
use crate::math::{Vec3, vec3};

/// Half the thickness of a sheet, in metres: more than contacts overlap.
const SHEET: f64 = 0.004;

/// A thing of triangles that nothing gets into. Triangles that close it may be wound either way round. What has a rim, or
/// triangles wound this way and that, is a sheet: eight millimetres thick, and the same from both sides.
pub struct SolidMesh {
    mesh: MeshSurface,
    closed: bool,
}

impl SolidMesh {
    /// A thing of vertices and triangles between them.
    pub fn new(
        vertices: &[Vec3<f64>],
        triangles: &[[u32; 3]],
    ) -> Result<Self, ContactTerrainError> {
        // Checks them first.
        let mesh = MeshSurface::new(vertices, triangles)?;
        let closed = is_closed(vertices, triangles);
        if closed && volume(vertices, triangles) < 0.0 {
            let turned: Vec<_> = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
            return Ok(Self { mesh: MeshSurface::new(vertices, &turned)?, closed });
        }
        Ok(Self { mesh, closed })
    }

    /// True if it has an inside.
    pub fn is_closed(&self) -> bool {
        self.closed
    }
}

impl Surface for SolidMesh {
    fn nearest(&self, point: Vec3<f64>, reach: f64) -> Option<SurfacePoint> {
        if self.closed {
            return self.mesh.nearest(point, reach);
        }
        let found = self.mesh.nearest(point, reach + SHEET)?;
        let side = if found.distance < 0.0 { -1.0 } else { 1.0 };
        let distance = side * found.distance - SHEET;
        (distance <= reach).then_some(SurfacePoint { distance, normal: found.normal * side })
    }
}

/// Whether every edge has a triangle on either side, wound alike. Vertices at one place are one.
fn is_closed(vertices: &[Vec3<f64>], triangles: &[[u32; 3]]) -> bool {
    // Adding zero makes both zeros one.
    let key = |v: Vec3<f64>| [v.x + 0.0, v.y + 0.0, v.z + 0.0].map(f64::to_bits);
    let at = |index: u32| vertices.get(index as usize).map(|v| key(*v));
    let mut edges = HashSet::new();
    for triangle in triangles {
        let [a, b, c] = triangle.map(at);
        if a == b || b == c || c == a {
            continue;
        }
        for edge in [(a, b), (b, c), (c, a)] {
            if !edges.insert(edge) {
                return false;
            }
        }
    }
    edges.iter().all(|&(a, b)| edges.contains(&(b, a)))
}

/// Six times the volume inside, negative if it is wound inside out.
fn volume(vertices: &[Vec3<f64>], triangles: &[[u32; 3]]) -> f64 {
    let middle = vertices.first().copied().unwrap_or_default();
    let at = |index: u32| vertices.get(index as usize).map_or(vec3(0.0, 0.0, 0.0), |v| *v - middle);
    triangles.iter().map(|&[a, b, c]| at(a).dot(at(b).cross(at(c)))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HALF: [f64; 3] = [1.0, 0.6, 0.3];

    /// A box, with its lid or without.
    fn chest(lid: bool) -> (Vec<Vec3<f64>>, Vec<[u32; 3]>) {
        let corner = |k: usize| {
            let sign = |bit: usize| if k & bit == 0 { -1.0 } else { 1.0 };
            vec3(HALF[0] * sign(1), HALF[1] * sign(2), HALF[2] * sign(4))
        };
        let quads: [[u32; 4]; 6] =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [0, 2, 3, 1], [4, 5, 7, 6], [2, 6, 7, 3]];
        let count = if lid { 6 } else { 5 };
        let triangles =
            quads[..count].iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        ((0..8).map(corner).collect(), triangles)
    }

    fn inside_out(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
        triangles.iter().map(|&[a, b, c]| [a, c, b]).collect()
    }

    /// Distance from a box.
    fn oracle(p: Vec3<f64>) -> f64 {
        let over = [p.x.abs() - HALF[0], p.y.abs() - HALF[1], p.z.abs() - HALF[2]];
        let out = over.map(|o| o.max(0.0)).iter().map(|o| o * o).sum::<f64>().sqrt();
        out + over.into_iter().fold(f64::NEG_INFINITY, f64::max).min(0.0)
    }

    proptest! {
        #[test]
        fn a_closed_mesh_is_solid_whichever_way_it_is_wound(
            x in -2.0f64..2.0, y in -2.0f64..2.0, z in -2.0f64..2.0, wrong in any::<bool>(),
        ) {
            let (vertices, mut triangles) = chest(true);
            if wrong {
                triangles = inside_out(&triangles);
            }
            let mesh = SolidMesh::new(&vertices, &triangles).unwrap();
            prop_assert!(mesh.is_closed());
            let p = vec3(x, y, z);
            let found = mesh.nearest(p, 10.0).unwrap();
            prop_assert!((found.distance - oracle(p)).abs() < 1e-9, "{found:?} {}", oracle(p));
            // The way out leads to the surface.
            prop_assert!(oracle(p - found.normal * found.distance).abs() < 1e-9);
        }

        #[test]
        fn an_open_mesh_keeps_things_on_the_side_they_are(
            x in -0.9f64..0.9, y in -0.5f64..0.5, z in -0.25f64..0.25, wrong in any::<bool>(),
        ) {
            let (vertices, mut triangles) = chest(false);
            if wrong {
                triangles = inside_out(&triangles);
            }
            let mesh = SolidMesh::new(&vertices, &triangles).unwrap();
            prop_assert!(!mesh.is_closed());
            let found = mesh.nearest(vec3(x, y, z), 10.0).unwrap();
            // Inside of the chest there is room.
            prop_assert!(found.distance > 0.0);
            prop_assert!(found.normal.dot(vec3(x, y, z)) <= 1e-9, "towards the middle");
        }
    }

    #[test]
    fn what_makes_no_mesh_is_refused_and_wild_winding_makes_a_sheet() {
        let (vertices, mut triangles) = chest(true);
        assert_eq!(SolidMesh::new(&vertices, &[[0, 1, 9]]).err(), Some(ContactTerrainError::Mesh));
        triangles[0].swap(0, 1);
        assert!(!SolidMesh::new(&vertices, &triangles).unwrap().is_closed());
    }
}
