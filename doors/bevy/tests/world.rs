//! Ground and obstacles from Bevy's meshes.
#![allow(clippy::unwrap_used)]

mod common;

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy_andante::andante_world::{Area, Terrain};
use bevy_andante::{AndanteGround, AndanteObstacle, AndanteStage, GoTo};
use common::{ground, heard, human, pass, place, until, world, yard};
use std::path::Path;

/// A mesh of triangles as Bevy has them.
fn mesh(positions: &[Vec3], triangles: &[[u32; 3]]) -> Mesh {
    let positions: Vec<[f32; 3]> = positions.iter().map(|at| at.to_array()).collect();
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_indices(Indices::U32(triangles.as_flattened().to_vec()))
}

/// Terrain of ours as a mesh of Bevy's.
fn terrain(words: &str, size: f32, cell: f32) -> (Terrain, Mesh) {
    let terrain: Terrain = words.parse().unwrap();
    let area = Area::new(Vec2::splat(-0.5 * size), Vec2::splat(0.5 * size));
    let triangles = terrain.mesh(area, cell).unwrap();
    (terrain, mesh(&triangles.positions, &triangles.triangles))
}

fn patches(app: &App) -> usize {
    app.world().resource::<AndanteStage>().stage().ground().len()
}

#[test]
fn ground_of_a_mesh_is_stood_on_where_it_is() {
    for height in [-1.5, 0.0, 2.25] {
        let (mut app, _) = yard(height);
        let ann = human(&mut app, vec3(1.0, height + 3.0, -2.0));
        pass(&mut app, 0.2);
        let at = place(&app, ann);
        assert!(at.distance(vec3(1.0, height, -2.0)) < 0.02, "{at} on {height}");
    }
}

#[test]
fn the_upper_face_of_a_box_is_ground_and_flat_faces_are_platforms() {
    let mut app = world(Path::new("."));
    ground(&mut app, Cuboid::new(12.0, 1.0, 8.0).into(), -0.5);
    let ann = human(&mut app, Vec3::ZERO);
    let stage = app.world().resource::<AndanteStage>().stage();
    let patch = &stage.ground()[0];
    assert!(patch.terrain.is_none(), "one flat face needs no triangles");
    assert_eq!((patch.platform.height, patch.platform.outline.len()), (0.0, 4));
    assert!(place(&app, ann).y.abs() < 0.02);
}

#[test]
fn a_face_that_is_not_convex_stays_what_it_is() {
    // Three quarters of a square: the fourth is no ground.
    let quad = |x: f32, z: f32, first: u32| {
        let corners = [[0.0, 0.0], [0.0, 4.0], [4.0, 4.0], [4.0, 0.0]];
        let corners = corners.map(|[dx, dz]| vec3(x + dx, 0.0, z + dz));
        (corners, [[first, first + 1, first + 2], [first, first + 2, first + 3]])
    };
    let quads = [quad(0.0, 0.0, 0), quad(-4.0, 0.0, 4), quad(-4.0, -4.0, 8)];
    let positions: Vec<Vec3> = quads.iter().flat_map(|own| own.0).collect();
    let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|own| own.1).collect();
    let mut app = world(Path::new("."));
    ground(&mut app, mesh(&positions, &triangles), 0.0);
    let ann = human(&mut app, vec3(2.0, 0.0, 2.0));
    let out = human(&mut app, vec3(2.0, 0.0, -2.0));
    assert_eq!(heard(&app).refused, [(out, "there is no ground at [2, -2]".to_string())]);
    app.world_mut().entity_mut(ann).insert(GoTo::place(vec2(-2.0, -2.0)));
    until(&mut app, 30.0, "around the corner", |app| !heard(app).arrived.is_empty());
    assert!(place(&app, ann).xz().distance(vec2(-2.0, -2.0)) < 0.05);
}

#[test]
fn hills_of_triangles_are_walked_over_on_their_surface() {
    let (hills, mesh) = terrain("hills:0.3:4", 12.0, 0.5);
    let mut app = world(Path::new("."));
    ground(&mut app, mesh, 0.0);
    let ann = human(&mut app, vec3(-4.0, 5.0, -4.0));
    app.world_mut().entity_mut(ann).insert(GoTo::place(vec2(3.0, 3.5)));
    let (mut lowest, mut highest) = (f32::MAX, f32::MIN);
    until(&mut app, 60.0, "over the hills", |app| {
        let at = place(app, ann);
        (lowest, highest) = (lowest.min(at.y), highest.max(at.y));
        let ground = hills.height_at(at.xz()).unwrap();
        // Under the lowest sole is a step more or less than under the middle.
        assert!((at.y - ground).abs() < 0.25, "{at}, the ground is at {ground}");
        !heard(app).arrived.is_empty()
    });
    assert!(highest - lowest > 0.2, "up and down: {lowest} to {highest}");
    for fall in &heard(&app).footfalls {
        let ground = hills.height_at(fall.place.xz()).unwrap();
        assert!((fall.place.y - ground).abs() < 0.04, "{} on {ground}", fall.place);
    }
}

#[test]
fn stairs_of_boxes_are_climbed() {
    let mut app = world(Path::new("."));
    ground(&mut app, Plane3d::default().mesh().size(6.0, 6.0).into(), 0.0);
    for step in 0..6 {
        let (top, z) = (0.16 * (step + 1) as f32, 3.0 + 0.3 * step as f32);
        let length = if step == 5 { 3.0 } else { 0.3 };
        let shape = Cuboid::new(3.0, 0.16, length);
        let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(shape);
        let at = Transform::from_xyz(0.0, top - 0.08, z + 0.5 * length);
        app.world_mut().spawn((AndanteGround, Mesh3d(mesh), at));
    }
    let ann = human(&mut app, vec3(0.0, 0.0, -1.0));
    app.world_mut().entity_mut(ann).insert(GoTo::point(vec3(0.0, 0.96, 6.5)));
    until(&mut app, 60.0, "the top", |app| !heard(app).arrived.is_empty());
    let at = place(&app, ann);
    assert!(at.distance(vec3(0.0, 0.96, 6.5)) < 0.06, "{at}");
}

#[test]
fn ground_that_moves_appears_and_disappears_is_where_it_is_seen() {
    let (mut app, floor) = yard(0.0);
    assert_eq!(patches(&app), 1);
    app.world_mut().get_mut::<Transform>(floor).unwrap().translation.y = 1.0;
    app.update();
    let ann = human(&mut app, Vec3::ZERO);
    assert!((place(&app, ann).y - 1.0).abs() < 0.02);
    // A parent moves it, too.
    let parent = app.world_mut().spawn(Transform::from_xyz(0.0, -3.0, 0.0)).id();
    app.world_mut().entity_mut(floor).insert(ChildOf(parent));
    app.update();
    let bob = human(&mut app, vec3(3.0, 0.0, 0.0));
    assert!((place(&app, bob).y + 2.0).abs() < 0.02, "{}", place(&app, bob));
    app.world_mut().entity_mut(floor).despawn();
    app.update();
    assert_eq!(patches(&app), 0);
    let nobody = human(&mut app, Vec3::ZERO);
    assert_eq!(heard(&app).refused, [(nobody, "there is no ground at [0, 0]".to_string())]);
}

#[test]
fn a_mesh_that_changes_is_other_ground() {
    let (mut app, floor) = yard(0.0);
    let handle = app.world().get::<Mesh3d>(floor).unwrap().0.clone();
    let raised: Mesh = Plane3d::default().mesh().size(8.0, 8.0).build().translated_by(Vec3::Y);
    let _ = app.world_mut().resource_mut::<Assets<Mesh>>().insert(&handle, raised);
    pass(&mut app, 0.1);
    let ann = human(&mut app, Vec3::ZERO);
    assert!((place(&app, ann).y - 1.0).abs() < 0.02);
}

#[test]
fn obstacles_are_walked_around_wherever_they_are_put() {
    let (mut app, _) = yard(0.0);
    let ann = human(&mut app, vec3(0.0, 0.0, -4.0));
    let wall = app.world_mut().resource_mut::<Assets<Mesh>>().add(Cuboid::new(4.0, 2.0, 0.4));
    let wall =
        app.world_mut().spawn((AndanteObstacle, Mesh3d(wall), Transform::from_xyz(30.0, 1.0, 0.0)));
    let wall = wall.id();
    app.update();
    app.world_mut().get_mut::<Transform>(wall).unwrap().translation.x = 0.0;
    app.world_mut().entity_mut(ann).insert(GoTo::place(vec2(0.0, 4.0)));
    let mut nearest = f32::MAX;
    until(&mut app, 40.0, "the other side", |app| {
        let at = place(app, ann).xz();
        nearest = nearest.min((at.abs() - vec2(2.0, 0.2)).max(Vec2::ZERO).length());
        !heard(app).arrived.is_empty()
    });
    assert!(nearest > 0.1, "{nearest} m from the wall");
    app.world_mut().entity_mut(wall).despawn();
    app.update();
    assert!(app.world().resource::<AndanteStage>().stage().obstacles().is_empty());
    app.world_mut().entity_mut(ann).insert(GoTo::place(vec2(0.0, -4.0)));
    let mut aside = 0.0_f32;
    until(&mut app, 40.0, "straight back", |app| {
        aside = aside.max(place(app, ann).x.abs());
        heard(app).arrived.len() == 2
    });
    assert!(aside < 0.5, "{aside} m aside where nothing stands any more");
}

#[test]
fn meshes_that_are_no_ground_are_refused_in_words() {
    let mut app = world(Path::new("."));
    let lines = Mesh::new(PrimitiveTopology::LineList, RenderAssetUsages::default());
    let lines = ground(&mut app, lines, 0.0);
    let up = [Vec3::ZERO, Vec3::X, Vec3::Z];
    let ceiling = ground(&mut app, mesh(&up, &[[0, 1, 2]]), 0.0);
    let loose = ground(&mut app, mesh(&up, &[[0, 2, 7]]), 0.0);
    let nowhere = ground(&mut app, mesh(&[Vec3::NAN, Vec3::X, Vec3::Z], &[[0, 2, 1]]), 0.0);
    pass(&mut app, 0.1);
    let words = [
        (lines, format!("the mesh of {lines} has no list of triangles with positions in memory")),
        (ceiling, "no triangle of the mesh faces up".into()),
        (loose, "triangle 0 uses vertex 7, and there are 3".into()),
        (nowhere, "vertex 0 is not at a finite position within 1 000 km".into()),
    ];
    assert_eq!(heard(&app).refused.len(), words.len(), "{:?}", heard(&app).refused);
    for own in &words {
        assert!(heard(&app).refused.contains(own), "{own:?} in {:?}", heard(&app).refused);
    }
    assert_eq!(patches(&app), 0);
}
