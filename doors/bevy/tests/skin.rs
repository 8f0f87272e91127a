//! The joints of a character's own scene.
#![allow(clippy::unwrap_used)]

mod common;

use bevy::mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy::prelude::*;
use bevy_andante::{AndanteActor, AndanteCharacter, AndanteSkin, GoTo, Locomotion};
use common::{ground, has, heard, models, pass, place, until, until_loaded, world};
use serde_json::{Value, json};
use std::path::Path;

/// A world with a floor and the character of a file, in its own scene.
fn walker(folder: &Path, file: &str) -> (App, Entity) {
    let mut app = world(folder);
    ground(&mut app, Plane3d::default().mesh().size(30.0, 30.0).into(), 0.5);
    let server = app.world().resource::<AssetServer>().clone();
    let character = server.load::<AndanteCharacter>(file.to_owned());
    let scene = server.load(GltfAssetLabel::Scene(0).from_asset(file.to_owned()));
    let at = Transform::from_xyz(1.0, 0.5, -2.0).with_rotation(Quat::from_rotation_y(0.7));
    let parts = (Locomotion::file(character), WorldAssetRoot(scene), at);
    let entity = app.world_mut().spawn(parts).id();
    until_loaded(&mut app, file, |app| {
        assert!(heard(app).refused.is_empty(), "{:?}", heard(app).refused);
        has::<AndanteActor>(app, entity) && has::<AndanteSkin>(app, entity)
    });
    (app, entity)
}

/// How far the joints of the scene are from those of the stage: the largest distance in metres, and angle in radians.
fn apart(app: &App, entity: Entity) -> (f32, f32) {
    let models = models(app, entity);
    let skin = app.world().get::<AndanteSkin>(entity).unwrap();
    skin.joints().fold((0.0, 0.0), |(far, turned), (joint, index)| {
        let place = app.world().get::<GlobalTransform>(joint).unwrap();
        let (_, rotation, at) = place.to_scale_rotation_translation();
        let (own, facing) = models[index];
        (far.max(at.distance(own)), turned.max(rotation.angle_between(facing)))
    })
}

/// Matrices by which the corners of the skin are moved into the world, joint by joint.
fn skinning(app: &mut App) -> Vec<Mat4> {
    let mut skins = app.world_mut().query::<&SkinnedMesh>();
    let skin = skins.iter(app.world()).next().unwrap().clone();
    let poses = app.world().resource::<Assets<SkinnedMeshInverseBindposes>>();
    let poses = poses.get(&skin.inverse_bindposes).unwrap();
    let place = |joint: &Entity| app.world().get::<GlobalTransform>(*joint).unwrap().to_matrix();
    skin.joints.iter().zip(poses.iter()).map(|(joint, pose)| place(joint) * *pose).collect()
}

/// A file of ours whose bones hang on a node that is turned and a hundred times smaller, as some exporters have it. What it looks
/// like is the same.
fn on_an_armature(bytes: &[u8]) -> Vec<u8> {
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let end = 20 + number(12);
    let mut root: Value = serde_json::from_slice(&bytes[20..end]).unwrap();
    let mut binary = bytes[end + 8..].to_vec();
    let joints: Vec<usize> = serde_json::from_value(root["skins"][0]["joints"].clone()).unwrap();
    let turn = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    let top = root["scenes"][0]["nodes"][0].as_u64().unwrap() as usize;
    assert_eq!(top, joints[0], "the first joint is the root of the scene");
    for &joint in &joints {
        let node = &mut root["nodes"][joint];
        let at: [f32; 3] = serde_json::from_value(node["translation"].clone()).unwrap_or_default();
        let mut at = 100.0 * Vec3::from(at);
        if joint == top {
            let own: Option<[f32; 4]> = serde_json::from_value(node["rotation"].clone()).ok();
            let own = own.map_or(Quat::IDENTITY, Quat::from_array);
            node["rotation"] = json!((turn.inverse() * own).to_array());
            at = turn.inverse() * at;
        }
        node["translation"] = json!(at.to_array());
    }
    let nodes = root["nodes"].as_array_mut().unwrap();
    let armature = nodes.len();
    nodes.push(json!({
        "name": "Armature", "children": [top], "scale": [0.01, 0.01, 0.01], "rotation": turn.to_array(),
    }));
    for own in root["scenes"][0]["nodes"].as_array_mut().unwrap() {
        if own.as_u64() == Some(top as u64) {
            *own = json!(armature);
        }
    }
    root["animations"] = json!([]);
    root.as_object_mut().unwrap().remove("animations");
    // A matrix that ends at a joint which is a hundred times smaller begins a hundred times larger.
    let accessor =
        &root["accessors"][root["skins"][0]["inverseBindMatrices"].as_u64().unwrap() as usize];
    let view = &root["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let offset = |of: &Value| of["byteOffset"].as_u64().unwrap_or(0) as usize;
    let first = offset(accessor) + offset(view);
    for element in (0..16 * joints.len()).filter(|element| element % 4 != 3) {
        let at = first + 4 * element;
        let value = f32::from_le_bytes(binary[at..at + 4].try_into().unwrap());
        binary[at..at + 4].copy_from_slice(&(100.0 * value).to_le_bytes());
    }
    let mut text = serde_json::to_vec(&root).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut out = b"glTF\x02\0\0\0".to_vec();
    out.extend((28 + text.len() as u32 + binary.len() as u32).to_le_bytes());
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(b"JSON");
    out.extend(text);
    out.extend((binary.len() as u32).to_le_bytes());
    out.extend(b"BIN\0");
    out.extend(binary);
    out
}

/// Walks somebody to a place, and checks all the way that the scene's joints are those of the stage.
fn walks(app: &mut App, entity: Entity, file: &str) {
    let goal = vec2(-1.5, 2.0);
    app.world_mut().entity_mut(entity).insert(GoTo::place(goal));
    let mut moved = 0.0_f32;
    let before = skinning(app);
    until(app, 40.0, file, |app| {
        let (far, turned) = apart(app, entity);
        assert!(far < 1e-3 && turned < 5e-3, "{file}: {far} m and {turned} rad apart");
        let now = skinning(app);
        let change = now.iter().zip(&before).map(|(now, before)| (*now - *before).w_axis.length());
        moved = moved.max(change.fold(0.0, f32::max));
        !heard(app).arrived.is_empty()
    });
    assert!(moved > 2.0, "{file}: the skin moved by {moved} m");
    assert!(place(app, entity).xz().distance(goal) < 0.05);
}

#[test]
fn the_joints_of_its_own_scene_are_where_the_stage_has_them() {
    let folder = andante_testdata::own("walker.glb");
    let (mut app, walker) = walker(folder.parent().unwrap(), "walker.glb");
    assert_eq!(app.world().get::<AndanteSkin>(walker).unwrap().joints().count(), 26);
    walks(&mut app, walker, "walker.glb");
}

#[test]
fn an_armature_with_scale_and_rotation_changes_nothing_of_what_is_seen() {
    let own = andante_testdata::own("walker.glb");
    let folder = tempfile::tempdir().unwrap();
    let bytes = std::fs::read(&own).unwrap();
    std::fs::write(folder.path().join("small.glb"), on_an_armature(&bytes)).unwrap();
    let (mut small, entity) = walker(folder.path(), "small.glb");
    walks(&mut small, entity, "small.glb");
    // At rest the skin is where that of the file without an armature is: it stands on the ground, as tall as that.
    let (mut plain, _) = walker(own.parent().unwrap(), "walker.glb");
    let (mut small, _) = walker(folder.path(), "small.glb");
    pass(&mut small, 0.1);
    pass(&mut plain, 0.1);
    let sizes =
        |app: &mut App| skinning(app).iter().map(|own| own.determinant()).collect::<Vec<_>>();
    for (one, other) in sizes(&mut small).into_iter().zip(sizes(&mut plain)) {
        assert!((one - 1.0).abs() < 1e-2 && (other - 1.0).abs() < 1e-2, "{one} and {other}");
    }
}

#[test]
fn characters_of_other_people_are_driven_in_their_own_skin() {
    for name in ["CesiumMan.glb", "RiggedFigure.glb", "human-male.glb"] {
        let Some(path) = andante_testdata::gltf(name) else { continue };
        let (mut app, entity) = walker(path.parent().unwrap(), name);
        walks(&mut app, entity, name);
        for matrix in skinning(&mut app) {
            let size = matrix.determinant();
            assert!((size - 1.0).abs() < 0.02, "{name}: a corner is made {size} times as large");
        }
    }
}

#[test]
fn a_file_in_which_nobody_walks_is_refused_in_the_words_of_the_library() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.glb"), b"glTF but not quite").unwrap();
    let mut app = world(folder.path());
    ground(&mut app, Plane3d::default().mesh().size(30.0, 30.0).into(), 0.0);
    let server = app.world().resource::<AssetServer>().clone();
    for (file, own) in [("bad.glb", true), ("missing.glb", false)] {
        let character = server.load::<AndanteCharacter>(file);
        let entity = app.world_mut().spawn(Locomotion::file(character)).id();
        until_loaded(&mut app, file, |app| !heard(app).refused.is_empty());
        let words = app.world_mut().resource_mut::<common::Heard>().refused.pop().unwrap();
        assert_eq!(words.0, entity);
        let same = AndanteCharacter::read(&folder.path().join(file), None).unwrap_err().to_string();
        if own {
            let end = same.rsplit("bad.glb").next().unwrap();
            assert!(words.1.ends_with(end), "{} and {same}", words.1);
        }
        pass(&mut app, 0.5);
        assert!(heard(&app).refused.is_empty(), "told once");
    }
}

#[test]
fn a_scene_with_only_some_of_the_joints_is_refused() {
    let mut app = world(Path::new("."));
    ground(&mut app, Plane3d::default().mesh().size(30.0, 30.0).into(), 0.0);
    let ann = common::human(&mut app, Vec3::ZERO);
    app.world_mut().spawn((Transform::default(), Name::new("Hips"), ChildOf(ann)));
    pass(&mut app, 0.1);
    assert!(!has::<AndanteSkin>(&app, ann));
    let words = &heard(&app).refused[0].1;
    assert!(words.contains("joints are not in its scene"), "{words}");
}
