//! Files of ours as assets: scenes, repertoires, motions.
#![allow(clippy::unwrap_used)]

mod common;

use bevy::prelude::*;
use bevy_andante::andante_door::SharedCharacter;
use bevy_andante::{
    AndanteActor, AndanteCharacter, AndanteScene, AndanteSceneRoot, AndanteStage,
    CharacterSettings, GoTo, Locomotion, Walks,
};
use common::{ground, has, heard, pass, place, present, until, until_loaded, world};

const YARD: &str = r#"
version = 1
name = "yard"
[[platform]]
outline = [[-9, -9], [9, -9], [9, 9], [-9, 9]]
height = 0.5
[[obstacle]]
box = [1, 1, 1]
at = [3, 0.5, 3]
[[character]]
name = "ann"
start = { at = [0, 0] }
goal = { at = [0, 4] }
[[character]]
name = "bob"
start = { at = [-3, 0] }
"#;

/// The entity of a name.
fn named(app: &mut App, name: &str) -> Entity {
    let mut all = app.world_mut().query::<(Entity, &Name)>();
    let found = all.iter(app.world()).find(|(_, own)| own.as_str() == name);
    found.map(|(entity, _)| entity).unwrap()
}

#[test]
fn a_scene_takes_the_stage_and_leaves_it_with_everybody() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("yard.scene.toml"), YARD).unwrap();
    let mut app = world(folder.path());
    ground(&mut app, Plane3d::default().mesh().size(2.0, 2.0).into(), 3.0);
    let guest = app.world_mut().spawn((Locomotion::human(1.6), Transform::from_xyz(0., 4., 0.)));
    let guest = guest.id();
    app.update();
    assert_eq!(present(&app), 1);
    let server = app.world().resource::<AssetServer>().clone();
    let scene = server.load::<AndanteScene>("yard.scene.toml");
    let floor: Handle<Mesh> = server.load("yard.scene.toml#ground");
    let things: Handle<Mesh> = server.load("yard.scene.toml#obstacles");
    let root = app.world_mut().spawn(AndanteSceneRoot(scene)).id();
    until_loaded(&mut app, "the scene", |app| present(app) == 3);
    let [ann, bob] = ["ann", "bob"].map(|name| named(&mut app, name));
    assert!(has::<AndanteActor>(&app, ann) && has::<AndanteActor>(&app, guest));
    assert!((place(&app, bob) - vec3(-3.0, 0.5, 0.0)).length() < 0.02, "{}", place(&app, bob));
    assert!((place(&app, guest).y - 3.0).abs() < 0.02, "it comes again on ground of Bevy's");
    until(&mut app, 30.0, "the goal of the scene", |app| heard(app).arrived == [ann]);
    assert!(place(&app, ann).distance(vec3(0.0, 0.5, 4.0)) < 0.05);
    // Those of the scene obey like all others.
    app.world_mut().entity_mut(bob).insert(GoTo::place(vec2(-3.0, 3.0)));
    until(&mut app, 30.0, "the goal of the game", |app| heard(app).arrived == [ann, bob]);
    let meshes = app.world().resource::<Assets<Mesh>>();
    let high = |mesh: &Handle<Mesh>| {
        let corners = meshes.get(mesh).unwrap().attribute(Mesh::ATTRIBUTE_POSITION).unwrap();
        corners.as_float3().unwrap().iter().map(|at| at[1]).fold(f32::MIN, f32::max)
    };
    assert!((high(&floor) - 0.5).abs() < 1e-3 && (high(&things) - 1.5).abs() < 1e-3);
    app.world_mut().entity_mut(root).despawn();
    pass(&mut app, 0.1);
    assert_eq!(present(&app), 1, "the guest stays");
    assert!(app.world().get_entity(ann).is_err() && app.world().get_entity(bob).is_err());
    let stage = app.world().resource::<AndanteStage>().stage();
    assert!(stage.obstacles().is_empty() && stage.ground().len() == 1);
    assert!(heard(&app).refused.is_empty(), "{:?}", heard(&app).refused);
}

#[test]
fn of_two_scenes_the_newest_is_played() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("yard.scene.toml"), YARD).unwrap();
    let other = YARD.replace("ann", "cat").replace("bob", "dan");
    std::fs::write(folder.path().join("other.scene.toml"), other).unwrap();
    let mut app = world(folder.path());
    let server = app.world().resource::<AssetServer>().clone();
    let one = app.world_mut().spawn(AndanteSceneRoot(server.load("yard.scene.toml"))).id();
    until_loaded(&mut app, "the first", |app| present(app) == 2);
    let [ann, _] = ["ann", "bob"].map(|name| named(&mut app, name));
    let two = app.world_mut().spawn(AndanteSceneRoot(server.load("other.scene.toml"))).id();
    until_loaded(&mut app, "the second", |app| app.world().get_entity(ann).is_err());
    let [cat, _] = ["cat", "dan"].map(|name| named(&mut app, name));
    pass(&mut app, 0.2);
    assert_eq!(present(&app), 2);
    assert!(!has::<AndanteSceneRoot>(&app, one) && has::<AndanteSceneRoot>(&app, two));
    until(&mut app, 30.0, "its goal", |app| heard(app).arrived == [cat]);
}

#[test]
fn a_scene_that_is_wrong_is_refused_with_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = YARD.replace("goal = ", "gaol = ");
    std::fs::write(folder.path().join("bad.scene.toml"), &wrong).unwrap();
    let mut app = world(folder.path());
    let server = app.world().resource::<AssetServer>().clone();
    let scene = server.load::<AndanteScene>("bad.scene.toml");
    let root = app.world_mut().spawn(AndanteSceneRoot(scene)).id();
    until_loaded(&mut app, "the refusal", |app| !heard(app).refused.is_empty());
    pass(&mut app, 0.2);
    let same = bevy_andante::andante_stage::read_scene(&wrong).unwrap_err().to_string();
    assert_eq!(heard(&app).refused, [(root, format!("bad.scene.toml: {same}"))]);
}

#[test]
fn a_repertoire_is_a_character() {
    let folder = tempfile::tempdir().unwrap();
    let small = SharedCharacter::humanoid(Some(1.3)).unwrap();
    std::fs::write(folder.path().join("small.rep"), small.repertoire().to_bytes()).unwrap();
    std::fs::write(folder.path().join("cut.rep"), &small.repertoire().to_bytes()[..99]).unwrap();
    let mut app = world(folder.path());
    ground(&mut app, Plane3d::default().mesh().size(20.0, 20.0).into(), 0.0);
    let server = app.world().resource::<AssetServer>().clone();
    let walker = app.world_mut().spawn(Locomotion::file(server.load("small.rep"))).id();
    until_loaded(&mut app, "small.rep", |app| has::<AndanteActor>(app, walker));
    app.world_mut().entity_mut(walker).insert(GoTo::place(vec2(1.0, 3.0)));
    until(&mut app, 40.0, "arrival", |app| !heard(app).arrived.is_empty());
    let cut = app.world_mut().spawn(Locomotion::file(server.load("cut.rep"))).id();
    until_loaded(&mut app, "the refusal", |app| !heard(app).refused.is_empty());
    let same = SharedCharacter::read(&folder.path().join("cut.rep"), None).unwrap_err().to_string();
    let (who, words) = &heard(&app).refused[0];
    let end = same.rsplit("cut.rep").next().unwrap();
    assert!(*who == cut && words.ends_with(end), "{words} and {same}");
}

#[test]
fn clips_of_another_file_are_moved_by() {
    let own = andante_testdata::own("walker.glb");
    let folder = own.parent().unwrap();
    let mut app = world(folder);
    let server = app.world().resource::<AssetServer>().clone();
    let load = |motions: Vec<String>| {
        let settings = move |own: &mut CharacterSettings| own.motions = motions.clone();
        server.load_builder().with_settings(settings).load::<AndanteCharacter>("walker.glb")
    };
    let learned = load(vec!["walk_metres.bvh".into()]);
    let names = |app: &App| -> Option<Vec<String>> {
        let all = app.world().resource::<Assets<AndanteCharacter>>();
        let clips = all.get(&learned)?.shared().repertoire().clips();
        Some(clips.iter().map(|clip| clip.name().to_owned()).collect())
    };
    until_loaded(&mut app, "walker.glb", |app| names(app).is_some());
    let plain = AndanteCharacter::read(&own, None).unwrap();
    let has_new =
        names(&app).unwrap().iter().any(|name| plain.shared().repertoire().find(name).is_none());
    assert!(has_new, "{:?}", names(&app));
    let walker = (Locomotion::file(learned.clone()), Transform::default());
    ground(&mut app, Plane3d::default().mesh().size(20.0, 20.0).into(), 0.0);
    let walker = app.world_mut().spawn(walker).id();
    app.update();
    app.world_mut().entity_mut(walker).insert(GoTo::place(vec2(1.0, 3.0)));
    until(&mut app, 40.0, "arrival", |app| !heard(app).arrived.is_empty());
}

#[test]
fn whoever_is_of_no_scene_is_told_so() {
    let (mut app, _) = common::yard(0.0);
    let locomotion = Locomotion { character: Walks::Scene, jumps: false };
    let nobody = app.world_mut().spawn(locomotion).id();
    pass(&mut app, 0.1);
    assert_eq!(heard(&app).refused, [(nobody, "its scene is not on the stage".to_string())]);
}
