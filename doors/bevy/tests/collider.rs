//! Ground and obstacles from the colliders of physics engines, without their meshes.
#![allow(clippy::unwrap_used)]

mod common;

use avian3d::prelude::Collider as Avian;
use bevy::app::Propagate;
use bevy::prelude::*;
use bevy_andante::{
    AndanteCollider, AndanteColliderPlugin, AndanteGround, AndanteObstacle, AndanteShape, GoTo,
};
use bevy_rapier3d::prelude::{Collider as Rapier, ColliderScale};
use common::{heard, human, pass, place, until, world_with};
use std::path::Path;

/// A world whose colliders are those of an engine, which itself does not run: shapes alone count.
fn solid<C: AndanteCollider>() -> App {
    world_with(Path::new("."), |app| {
        app.add_plugins(AndanteColliderPlugin::<C>::default());
    })
}

/// Heights at which people stand on things, one after the other.
fn stands<C: AndanteCollider>(shapes: Vec<(&str, C, Transform, f32)>) {
    for (what, collider, at, top) in shapes {
        let mut app = solid::<C>();
        app.world_mut().spawn((AndanteGround, collider, at));
        let ann = human(&mut app, vec3(at.translation.x, 20.0, at.translation.z));
        pass(&mut app, 0.1);
        assert!(heard(&app).refused.is_empty(), "{what}: {:?}", heard(&app).refused);
        let off = place(&app, ann).y - top;
        assert!(off.abs() < 0.03, "{what}: {off} m above {top}");
    }
}

fn hill(x: usize, z: usize) -> f32 {
    0.1 * (x as f32 - z as f32)
}

#[test]
fn people_stand_on_colliders_of_avian() {
    let up = Transform::from_xyz(1.0, 0.5, -2.0);
    let heights: Vec<Vec<f32>> = (0..9).map(|x| (0..9).map(|z| hill(x, z)).collect()).collect();
    let square = [vec3(-3., 0., -3.), vec3(-3., 0., 3.), vec3(3., 0., 3.), vec3(3., 0., -3.)];
    let square = Avian::trimesh(square.to_vec(), vec![[0, 1, 2], [0, 2, 3]]);
    let two = vec![
        (vec3(0.0, 0.0, 0.0), Quat::IDENTITY, Avian::cuboid(6.0, 0.2, 6.0)),
        (vec3(0.0, 0.3, 0.0), Quat::IDENTITY, Avian::cuboid(2.0, 0.6, 2.0)),
    ];
    stands(vec![
        ("box", Avian::cuboid(6.0, 1.0, 6.0), up, 1.0),
        ("scaled box", Avian::cuboid(6.0, 1.0, 6.0), up.with_scale(vec3(1.0, 3.0, 1.0)), 2.0),
        ("rounded box", Avian::round_cuboid(6.0, 1.0, 6.0, 0.25), up, 1.25),
        ("cylinder", Avian::cylinder(3.0, 1.0), up, 1.0),
        ("plane without end", Avian::half_space(Vec3::Y), up, 0.5),
        ("heights", Avian::heightfield(heights, vec3(8.0, 1.0, 8.0)), up, 0.5),
        ("triangles", square, up, 0.5),
        ("several", Avian::compound(two), up, 1.1),
    ]);
}

#[test]
fn people_stand_on_colliders_of_rapier() {
    let up = Transform::from_xyz(1.0, 0.5, -2.0);
    let heights: Vec<f32> = (0..81).map(|at| hill(at % 9, at / 9)).collect();
    stands(vec![
        ("box", Rapier::cuboid(3.0, 0.5, 3.0), up, 1.0),
        ("scaled box", Rapier::cuboid(3.0, 0.5, 3.0), up.with_scale(vec3(1.0, 3.0, 1.0)), 2.0),
        ("rounded cylinder", Rapier::round_cylinder(0.5, 3.0, 0.25), up, 1.25),
        ("plane without end", Rapier::halfspace(Vec3::Y).unwrap(), up, 0.5),
        ("heights", Rapier::heightfield(heights, 9, 9, vec3(8.0, 1.0, 8.0)), up, 0.5),
    ]);
}

#[test]
fn a_collider_that_the_engine_has_scaled_is_not_scaled_twice() {
    let mut collider = Rapier::cuboid(3.0, 0.5, 3.0);
    collider.set_scale(vec3(1.0, 3.0, 1.0), 8);
    let at = Transform::from_xyz(0.0, 0.5, 0.0).with_scale(vec3(1.0, 3.0, 1.0));
    stands(vec![("scaled box", collider, at, 2.0)]);
    let mut app = solid::<Rapier>();
    let own = (AndanteGround, Rapier::cuboid(3.0, 0.5, 3.0), Transform::default());
    app.world_mut().spawn((own, ColliderScale::Relative(vec3(1.0, 4.0, 1.0))));
    let ann = human(&mut app, vec3(0.0, 9.0, 0.0));
    assert!((place(&app, ann).y - 2.0).abs() < 0.03, "{}", place(&app, ann));
}

#[test]
fn stairs_and_a_wall_of_colliders_lead_to_the_top() {
    let mut app = solid::<Avian>();
    app.world_mut().spawn((AndanteGround, Avian::half_space(Vec3::Y), Transform::default()));
    // A level as a file has it: what is below the entity is what the entity is.
    let level = app.world_mut().spawn((Propagate(AndanteGround), Transform::default())).id();
    for step in 0..6 {
        let (top, length) = (0.16 * (step + 1) as f32, if step == 5 { 3.0 } else { 0.3 });
        let at = Transform::from_xyz(0.0, top - 0.08, 3.0 + 0.3 * step as f32 + 0.5 * length);
        app.world_mut().spawn((Avian::cuboid(3.0, 0.16, length), at, ChildOf(level)));
    }
    let wall = (AndanteObstacle, Avian::cuboid(3.0, 2.0, 0.3), Transform::from_xyz(0.0, 1.0, 0.5));
    app.world_mut().spawn(wall);
    let ann = human(&mut app, vec3(0.0, 0.0, -2.0));
    app.world_mut().entity_mut(ann).insert(GoTo::point(vec3(0.0, 0.96, 6.5)));
    let mut aside = 0.0_f32;
    until(&mut app, 60.0, "the top", |app| {
        aside = aside.max(place(app, ann).x.abs());
        !heard(app).arrived.is_empty()
    });
    let at = place(&app, ann);
    assert!(at.distance(vec3(0.0, 0.96, 6.5)) < 0.06, "{at}");
    assert!(aside > 1.5, "around the wall: {aside} m aside");
}

#[test]
fn a_collider_that_changes_or_goes_is_other_ground() {
    let mut app = solid::<Avian>();
    let own = (AndanteGround, Avian::cuboid(6.0, 1.0, 6.0), Transform::default());
    let floor = app.world_mut().spawn(own).id();
    let ann = human(&mut app, vec3(0.0, 3.0, 0.0));
    assert!((place(&app, ann).y - 0.5).abs() < 0.02);
    *app.world_mut().get_mut::<Avian>(floor).unwrap() = Avian::cuboid(6.0, 2.0, 6.0);
    pass(&mut app, 0.1);
    let bob = human(&mut app, vec3(1.0, 3.0, 1.0));
    assert!((place(&app, bob).y - 1.0).abs() < 0.02, "{}", place(&app, bob));
    app.world_mut().entity_mut(floor).remove::<Avian>();
    pass(&mut app, 0.1);
    assert!(app.world().get::<AndanteShape>(floor).is_none());
    let nobody = human(&mut app, vec3(-1.0, 3.0, 1.0));
    assert_eq!(heard(&app).refused, [(nobody, "there is no ground at [-1, 1]".to_string())]);
}

#[test]
fn colliders_without_triangles_are_refused_in_words() {
    let mut app = world_with(Path::new("."), |app| {
        app.add_plugins(AndanteColliderPlugin::<Avian>::default());
        app.add_plugins(AndanteColliderPlugin::<Rapier>::default());
    });
    let line = app.world_mut().spawn((AndanteGround, Avian::segment(Vec3::ZERO, Vec3::X))).id();
    let own = (AndanteGround, Rapier::cuboid(1.0, 1.0, 1.0), ColliderScale::Absolute(Vec3::ONE));
    let absolute = app.world_mut().spawn((own, Transform::default())).id();
    pass(&mut app, 0.1);
    let mut words = heard(&app).refused.clone();
    words.sort_by_key(|(entity, _)| *entity);
    let mut expected = [
        (line, "the collider is a line, which has no triangles here".to_string()),
        (
            absolute,
            "the collider is one whose scale is not its entity's, which has no triangles here"
                .to_string(),
        ),
    ];
    expected.sort_by_key(|(entity, _)| *entity);
    assert_eq!(words, expected);
}
