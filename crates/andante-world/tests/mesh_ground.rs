//! Ground of triangles.

#![allow(clippy::unwrap_used)]

use andante_world::{Ground, MeshGround, TriangleMesh};
use glam::Vec3;

#[test]
fn winding_does_not_matter_to_feet() {
    let corners = [Vec3::ZERO, Vec3::Z, Vec3::X].to_vec();
    for triangle in [[0, 1, 2], [0, 2, 1]] {
        let mesh =
            TriangleMesh { positions: corners.clone(), normals: vec![], triangles: vec![triangle] };
        let hit = MeshGround::new(mesh).unwrap().probe(Vec3::new(0.2, 1.0, 0.2), 2.0).unwrap();
        assert_eq!(hit.normal, Vec3::Y);
    }
}

#[test]
fn meshes_that_are_none_are_refused() {
    let of = |positions: Vec<Vec3>, triangles: Vec<[u32; 3]>| {
        MeshGround::new(TriangleMesh { positions, normals: vec![], triangles })
            .unwrap_err()
            .to_string()
    };
    assert_eq!(of(vec![Vec3::ZERO], vec![]), "the mesh has no triangles");
    assert_eq!(of(vec![Vec3::ZERO], vec![[0, 0, 1]]), "triangle 0 uses vertex 1, and there are 1");
    assert!(of(vec![Vec3::NAN], vec![[0, 0, 0]]).starts_with("vertex 0 is not"));
    // A triangle without area is no ground, and no trouble.
    let mesh =
        TriangleMesh { positions: vec![Vec3::ZERO], normals: vec![], triangles: vec![[0, 0, 0]] };
    assert_eq!(MeshGround::new(mesh).unwrap().probe(Vec3::Y, 2.0), None);
}
