//! A world without a window, whose time passes frame by frame.
#![allow(dead_code, clippy::unwrap_used, reason = "tests use what they need, and may fail loudly")]

use bevy::asset::AssetPlugin;
use bevy::gltf::GltfPlugin;
use bevy::mesh::MeshPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::world_serialization::WorldSerializationPlugin;
use bevy_andante::{
    AndanteActor, AndanteGround, AndantePlugin, AndanteStage, Arrived, Blocked, Footfall, Happened,
    Locomotion, Refused,
};
use std::path::Path;
use std::time::Duration;

/// What was told, in the order in which it was.
#[derive(Resource, Default)]
pub struct Heard {
    pub arrived: Vec<Entity>,
    pub blocked: Vec<Blocked>,
    pub footfalls: Vec<Footfall>,
    pub refused: Vec<(Entity, String)>,
    pub words: Vec<(Entity, &'static str)>,
}

/// An empty world with assets of a folder.
pub fn world(folder: &Path) -> App {
    world_with(folder, |_| {})
}

/// The same with more plugins.
pub fn world_with(folder: &Path, more: impl FnOnce(&mut App)) -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        AssetPlugin { file_path: folder.to_string_lossy().into(), ..default() },
        WorldSerializationPlugin,
        MeshPlugin,
        GltfPlugin::default(),
        AndantePlugin::default(),
    ))
    .init_asset::<bevy::image::Image>()
    .init_resource::<Heard>()
    .add_observer(|own: On<Arrived>, mut heard: ResMut<Heard>| heard.arrived.push(own.entity))
    .add_observer(|own: On<Blocked>, mut heard: ResMut<Heard>| heard.blocked.push(own.clone()))
    .add_observer(|own: On<Footfall>, mut heard: ResMut<Heard>| heard.footfalls.push(*own))
    .add_observer(|own: On<Refused>, mut heard: ResMut<Heard>| {
        heard.refused.push((own.entity, own.error.to_string()));
    })
    .add_observer(|own: On<Happened>, mut heard: ResMut<Heard>| {
        heard.words.push((own.entity, own.event.word()));
    });
    more(&mut app);
    frame_time(&mut app, 1.0 / 60.0);
    app.finish();
    app.cleanup();
    app
}

/// How long a frame lasts from now on.
pub fn frame_time(app: &mut App, seconds: f32) {
    let time = TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(seconds));
    app.insert_resource(time);
}

/// A world with a level floor of 40 m at a height, and the entity of the floor.
pub fn yard(height: f32) -> (App, Entity) {
    let mut app = world(Path::new("."));
    let floor = ground(&mut app, Plane3d::default().mesh().size(40.0, 40.0).into(), height);
    app.update();
    (app, floor)
}

/// Ground of a mesh at a height.
pub fn ground(app: &mut App, mesh: Mesh, height: f32) -> Entity {
    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(mesh);
    let at = Transform::from_xyz(0.0, height, 0.0);
    app.world_mut().spawn((AndanteGround, Mesh3d(mesh), at)).id()
}

/// The built-in human at a place.
pub fn human(app: &mut App, at: Vec3) -> Entity {
    let entity =
        app.world_mut().spawn((Locomotion::default(), Transform::from_translation(at))).id();
    app.update();
    entity
}

/// Lets frames pass.
pub fn pass(app: &mut App, seconds: f32) {
    for _ in 0..(seconds * 60.0).round() as usize {
        app.update();
    }
}

/// Lets frames pass until something is so; fails after so many seconds of the game.
pub fn until(app: &mut App, seconds: f32, what: &str, mut so: impl FnMut(&mut App) -> bool) {
    for _ in 0..(seconds * 60.0) as usize {
        app.update();
        if so(app) {
            return;
        }
    }
    let heard = app.world().resource::<Heard>();
    panic!("not within {seconds} s: {what}; {:?} {:?}", heard.refused, heard.blocked);
}

/// The same with waiting for what is loaded beside the frame.
pub fn until_loaded(app: &mut App, what: &str, mut so: impl FnMut(&mut App) -> bool) {
    for _ in 0..100_000 {
        app.update();
        if so(app) {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("never loaded: {what}; {:?}", app.world().resource::<Heard>().refused);
}

pub fn place(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<Transform>(entity).unwrap().translation
}

pub fn has<C: Component>(app: &App, entity: Entity) -> bool {
    app.world().get::<C>(entity).is_some()
}

pub fn heard(app: &App) -> &Heard {
    app.world().resource::<Heard>()
}

/// Number of those who are on the stage.
pub fn present(app: &App) -> usize {
    app.world().resource::<AndanteStage>().stage().present().count()
}

/// Every joint of somebody on the stage, in the world.
pub fn models(app: &App, entity: Entity) -> Vec<(Vec3, Quat)> {
    let id = app.world().get::<AndanteActor>(entity).unwrap().id();
    let actor = app.world().resource::<AndanteStage>().stage().actor(id).unwrap();
    actor.models().iter().map(|own| (own.translation, own.rotation)).collect()
}
