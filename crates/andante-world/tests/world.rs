//! Worlds of several terrains.

#![allow(clippy::unwrap_used)]

use andante_world::{
    Area, Ground, MeshGround, Pill, PlaceError, Ray, Terrain, TerrainPlacement, TerrainWorld,
    TriangleMesh,
};
use glam::{Quat, Vec2, Vec3};

/// A square plate at height 0.
fn plate(half: f32) -> Terrain {
    let mesh = Terrain::FLAT.mesh(Area::around(Vec2::ZERO, half), 1.0).unwrap();
    MeshGround::new(mesh).unwrap().into()
}

fn height(world: &TerrainWorld, x: f32, y: f32, z: f32) -> Option<f32> {
    world.probe(Vec3::new(x, y, z), 100.0).map(|hit| hit.point.y)
}

#[test]
fn under_a_bridge_stands_on_the_road_and_on_it_on_the_bridge() {
    let mut world = TerrainWorld::new();
    world.add(Terrain::FLAT, TerrainPlacement::IDENTITY).unwrap();
    world.add(plate(2.0), TerrainPlacement::at(Vec3::Y * 4.0)).unwrap();
    assert_eq!(height(&world, 0.0, 9.0, 0.0), Some(4.0));
    assert_eq!(height(&world, 0.0, 3.0, 0.0), Some(0.0));
    assert_eq!(height(&world, 5.0, 9.0, 0.0), Some(0.0));
    assert_eq!(world.height_at(Vec2::ZERO), Some(4.0));
    assert_eq!(world.normal_at(Vec2::ZERO), Some(Vec3::Y));
}

#[test]
fn terrains_come_go_and_move_by_their_ids() {
    let mut world = TerrainWorld::new();
    let low = world.add(plate(1.0), TerrainPlacement::IDENTITY).unwrap();
    let lift = world.add(plate(1.0), TerrainPlacement::at(Vec3::new(5.0, 1.0, 0.0))).unwrap();
    assert_eq!(world.probe_terrain(Vec3::Y, 2.0).unwrap().0, low);
    for frame in 0..10 {
        let up = 1.0 + 0.1 * frame as f32;
        world.place(lift, TerrainPlacement::at(Vec3::new(0.0, up, 0.0))).unwrap();
        assert_eq!(height(&world, 0.5, 9.0, 0.5), Some(up));
    }
    assert!(world.remove(lift).is_some() && world.remove(lift).is_none());
    assert!(matches!(world.place(lift, TerrainPlacement::IDENTITY), Err(PlaceError::Gone)));
    assert_eq!(height(&world, 0.5, 9.0, 0.5), Some(0.0));
    let again = world.add(plate(1.0), TerrainPlacement::IDENTITY).unwrap();
    assert!(again != lift && world.terrains().len() == 2);
    // A larger one after all.
    let large = TerrainPlacement { scale: Vec3::new(3.0, 1.0, 1.0), ..TerrainPlacement::IDENTITY };
    world.place(low, large).unwrap();
    assert_eq!(world.placement(low), Some(large));
    assert_eq!((height(&world, 2.5, 9.0, 0.0), height(&world, 0.0, 9.0, 2.5)), (Some(0.0), None));
}

#[test]
fn places_that_are_none_are_refused_and_change_nothing() {
    let mut world = TerrainWorld::new();
    let id = world.add(plate(1.0), TerrainPlacement::IDENTITY).unwrap();
    for wrong in [
        TerrainPlacement::at(Vec3::NAN),
        TerrainPlacement::at(Vec3::X * 1e9),
        TerrainPlacement {
            rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
            ..TerrainPlacement::IDENTITY
        },
        TerrainPlacement { scale: Vec3::new(1.0, 0.0, 1.0), ..TerrainPlacement::IDENTITY },
        TerrainPlacement { scale: Vec3::new(1.0, -1.0, 1.0), ..TerrainPlacement::IDENTITY },
    ] {
        assert!(world.place(id, wrong).is_err() && world.add(plate(1.0), wrong).is_err());
    }
    assert_eq!(
        (world.terrains().len(), world.placement(id)),
        (1, Some(TerrainPlacement::IDENTITY))
    );
}

#[test]
fn a_tilted_plate_is_a_ramp() {
    let mut world = TerrainWorld::new();
    // Turned about −X, the far end goes up.
    let rotation = Quat::from_rotation_x(-30f32.to_radians());
    world.add(plate(2.0), TerrainPlacement { rotation, ..TerrainPlacement::IDENTITY }).unwrap();
    let hit = world.probe(Vec3::new(0.0, 9.0, 1.0), 20.0).unwrap();
    assert!((hit.point.y - 30f32.to_radians().tan()).abs() < 1e-5);
    assert!(hit.normal.distance(rotation * Vec3::Y) < 1e-5);
    // Shorter seen from above.
    assert_eq!(height(&world, 0.0, 9.0, 1.9), None);
}

#[test]
fn the_nearest_and_the_first_of_several_terrains_count() {
    let mut world = TerrainWorld::new();
    let floor = world.add(Terrain::FLAT, TerrainPlacement::IDENTITY).unwrap();
    let wall = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    let place = TerrainPlacement { translation: Vec3::Z * 5.0, rotation: wall, scale: Vec3::ONE };
    let wall = world.add(plate(2.0), place).unwrap();
    let eye = Vec3::new(0.0, 1.0, 0.0);
    let (met, touch) = world.ray(&Ray::new(eye, Vec3::Z, 50.0).unwrap()).unwrap();
    assert_eq!(met, wall);
    assert!((touch.distance - 5.0).abs() < 1e-4 && touch.normal.distance(Vec3::NEG_Z) < 1e-4);
    let (met, touch) = world.ray(&Ray::new(eye, Vec3::new(0.0, -1.0, 1.0), 50.0).unwrap()).unwrap();
    assert_eq!(met, floor);
    assert!(touch.point.distance(Vec3::Z) < 1e-4);
    assert_eq!(world.ray(&Ray::new(eye, Vec3::Y, 50.0).unwrap()), None);
    let nearest = |point| world.closest(point, 10.0).unwrap();
    assert_eq!(nearest(eye).0, floor);
    let (met, touch) = nearest(Vec3::new(0.0, 1.5, 4.5));
    assert_eq!(met, wall);
    assert!((touch.distance - 0.5).abs() < 1e-4 && touch.normal.distance(Vec3::NEG_Z) < 1e-4);
    assert_eq!(world.closest(Vec3::Y * 20.0, 10.0), None);
}

#[test]
fn a_capsule_stops_at_a_wall_and_at_a_step() {
    let mut world = TerrainWorld::new();
    let stairs = world.add("stairs:0.2:0.3".parse().unwrap(), TerrainPlacement::IDENTITY).unwrap();
    let body = Pill { a: Vec3::Y * 0.35, b: Vec3::Y * 1.5, radius: 0.3 };
    let (met, touch) = world.sweep(&body, Vec3::Z * 3.0).unwrap();
    assert_eq!(met, stairs);
    // The edge of the first step, at z = 2 and y = 0.2, meets the round lower end of the capsule.
    let expected = 2.0 - (0.3f32.powi(2) - 0.15f32.powi(2)).sqrt();
    assert!((touch.distance - expected).abs() < 1e-3, "{} {expected}", touch.distance);
    assert!(touch.point.distance(Vec3::new(touch.point.x, 0.2, 2.0)) < 1e-3);
    assert!(world.sweep(&body, Vec3::NEG_Z * 3.0).is_none());
    assert!(!world.overlaps(&body));
    assert!(world.overlaps(&Pill { radius: 0.36, ..body }));
    // On hills as on anything.
    let mut hills = TerrainWorld::new();
    hills.add("hills:0.5:6".parse().unwrap(), TerrainPlacement::IDENTITY).unwrap();
    let ball = Pill { a: Vec3::Y * 3.0, b: Vec3::Y * 3.0, radius: 0.25 };
    let (_, touch) = hills.sweep(&ball, Vec3::NEG_Y * 5.0).unwrap();
    assert!((touch.distance - 2.75).abs() < 2e-3, "{}", touch.distance);
    assert!(touch.normal.distance(Vec3::Y) < 0.05);
}

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

#[test]
fn a_world_is_drawn_as_it_stands() {
    let mut world = TerrainWorld::new();
    world.add(Terrain::FLAT, TerrainPlacement::IDENTITY).unwrap();
    let rotation = Quat::from_rotation_y(0.5);
    let place = TerrainPlacement {
        translation: Vec3::new(1.0, 0.5, 0.0),
        rotation,
        ..TerrainPlacement::IDENTITY
    };
    world.add(plate(1.0), place).unwrap();
    let mesh = world.mesh(Area::around(Vec2::ZERO, 4.0), 0.5);
    let drawn = MeshGround::new(mesh.clone()).unwrap();
    for step in 0..500 {
        let from = Vec3::new(-3.9 + 0.0153 * step as f32, 5.0, (0.7 * step as f32).sin() * 3.9);
        assert_eq!(
            drawn.probe(from, 9.0).map(|hit| hit.point.y),
            world.probe(from, 9.0).map(|hit| hit.point.y)
        );
    }
    assert_eq!(mesh.normals.len(), mesh.positions.len());
    assert_eq!(mesh.to_static("ground", [0.5; 4]).indices.len(), 3 * mesh.triangles.len());
}
