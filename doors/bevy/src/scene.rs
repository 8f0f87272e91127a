//! Scenes of files, as assets that take the stage.

use crate::components::Told;
use crate::people::joints;
use crate::stage::refuse;
use crate::{
    AndanteActor, AndanteError, AndanteSkin, AndanteStage, Locomotion, PhysicalBody, Walks,
};
use andante_door::DoorError;
use andante_stage::{ActorId, BodyDrive, Scene, Stage, read_scene_in};
use andante_world::{SceneGround, TriangleMesh};
use bevy::asset::io::file::FileAssetReader;
use bevy::asset::io::{AssetSourceId, Reader};
use bevy::asset::{AssetLoader, LoadContext, LoadState, RenderAssetUsages};
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A scene of a file with everybody in it, ready to begin.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct AndanteScene {
    scene: Scene,
    stage: Stage,
}

impl AndanteScene {
    /// What the file says.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }
}

/// The scene that is played: it takes the stage when it is loaded. Its characters become entities with their names,
/// [`Locomotion`] and no parent, and do what the scene tells them; ground and obstacles of Bevy's are there beside those of the
/// scene, and who was on the stage before comes again. The stage is empty again when this is removed. Of several, the one that was
/// loaded last counts; the others are removed.
///
/// What the scene looks like are meshes of the same file: `Mesh3d(server.load("yard.scene.toml#ground"))` and `#obstacles`.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
pub struct AndanteSceneRoot(pub Handle<AndanteScene>);

/// The settings of a scene that is loaded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneSettings {
    /// Characters differ a little by it.
    pub seed: u64,
    /// The length of the sides of triangles in meshes of hills, in metres.
    pub cell: f32,
}

impl Default for SceneSettings {
    fn default() -> Self {
        Self { seed: 1, cell: 0.25 }
    }
}

/// The loader of scenes: files that end in `.scene.toml`, or any that are asked for as [`AndanteScene`].
///
/// Meshes and repertoires that a scene names are read from the folder it is in, which is one of the file system.
#[derive(Default, TypePath)]
pub struct SceneLoader {
    /// Where assets are.
    root: Option<PathBuf>,
}

impl SceneLoader {
    /// A loader of scenes in a folder of assets.
    pub(crate) fn of(app: &App) -> Self {
        let plugin = app.get_added_plugins::<AssetPlugin>();
        let root = plugin.first().map(|own| FileAssetReader::get_base_path().join(&own.file_path));
        Self { root }
    }
}

/// An error that keeps a scene from being loaded.
#[derive(Debug, Error)]
pub enum SceneLoadError {
    /// The file cannot be had.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// It is no scene.
    #[error(transparent)]
    Scene(#[from] DoorError),
}

impl AssetLoader for SceneLoader {
    type Asset = AndanteScene;
    type Settings = SceneSettings;
    type Error = SceneLoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        settings: &SceneSettings,
        context: &mut LoadContext<'_>,
    ) -> Result<AndanteScene, SceneLoadError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let path = context.path().path();
        let name = path.display().to_string();
        let read = |message: String| {
            DoorError::new(andante_door::DoorErrorKind::Read, format!("{name}: {message}"))
        };
        let text = String::from_utf8(bytes).map_err(|error| read(error.to_string()))?;
        let is_file = *context.path().source() == AssetSourceId::Default;
        // Other sources have no folder that could be looked into.
        let root = self.root.as_deref().filter(|_| is_file).unwrap_or(Path::new("assets:"));
        let folder = root.join(path.parent().unwrap_or(Path::new("")));
        let scene = read_scene_in(&folder, &text).map_err(|error| read(error.to_string()))?;
        let stage = Stage::new(&scene, settings.seed).map_err(DoorError::from)?;
        let ground = SceneGround::new(&scene.ground).mesh(settings.cell);
        let ground = ground.map_err(|error| read(error.to_string()))?;
        let mut things = TriangleMesh::default();
        scene.obstacles.iter().for_each(|thing| things.append(&thing.mesh()));
        for (label, own) in [("ground", ground), ("obstacles", things)] {
            context.add_labeled_asset(label.to_owned(), mesh(own));
        }
        Ok(AndanteScene { scene, stage })
    }

    fn extensions(&self) -> &[&str] {
        &["scene.toml"]
    }
}

/// Triangles as Bevy has them, each with corners of its own where it has no normals.
fn mesh(own: TriangleMesh) -> Mesh {
    let has_normals = own.normals.len() == own.positions.len();
    let positions: Vec<[f32; 3]> = own.positions.iter().map(Vec3::to_array).collect();
    let mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_indices(Indices::U32(own.triangles.as_flattened().to_vec()));
    if has_normals {
        let normals: Vec<[f32; 3]> = own.normals.iter().map(Vec3::to_array).collect();
        return mesh.with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals);
    }
    mesh.with_duplicated_vertices().with_computed_flat_normals()
}

/// A scene that has taken the stage, and who came with it.
#[derive(Component, Clone, Debug)]
pub(crate) struct PlayedScene {
    scene: AssetId<AndanteScene>,
    characters: Vec<Entity>,
}

/// Lets scenes take the stage that are loaded.
pub(crate) fn open(
    mut commands: Commands,
    scenes: Option<Res<Assets<AndanteScene>>>,
    server: Option<Res<AssetServer>>,
    roots: Query<(Entity, Ref<AndanteSceneRoot>, Option<&PlayedScene>)>,
    mut refused: Local<bevy::ecs::entity::EntityHashSet>,
) {
    let (Some(scenes), Some(server)) = (scenes, server) else { return };
    refused.retain(|entity| roots.contains(*entity));
    for (entity, root, played) in &roots {
        if root.is_changed() {
            refused.remove(&entity);
        }
        if refused.contains(&entity) || played.is_some_and(|own| own.scene == root.0.id()) {
            continue;
        }
        if let Some(own) = scenes.get(&root.0) {
            let (own, scene) = (own.clone(), root.0.id());
            commands.queue(move |world: &mut World| begin(world, entity, own, scene));
        } else if let LoadState::Failed(error) = server.load_state(&root.0) {
            refused.insert(entity);
            refuse(&mut commands, entity, AndanteError::of_asset(&error));
        }
    }
}

/// Puts a scene on the stage.
fn begin(world: &mut World, root: Entity, own: AndanteScene, scene: AssetId<AndanteScene>) {
    clear(world, Some(root));
    let Some(mut stage) = world.get_resource_mut::<AndanteStage>() else { return };
    stage.open(own.stage, own.scene.settings.behavior.step_up);
    let people: Vec<(ActorId, String, BodyDrive)> = {
        let present = stage.stage().present().zip(&own.scene.characters);
        present.map(|(actor, part)| (actor.id(), actor.name().to_owned(), part.nature)).collect()
    };
    let mut characters = Vec::new();
    for (id, name, nature) in people {
        let pose = joints(world.resource::<AndanteStage>(), id);
        let actor = AndanteActor { id, told: Told::Nothing, shown: Transform::IDENTITY };
        let locomotion = Locomotion { character: Walks::Scene, jumps: false };
        let entity = world.spawn((Name::new(name), locomotion, actor, pose)).id();
        match nature {
            BodyDrive::Kinematic => {}
            BodyDrive::WhenTouched => {
                world.entity_mut(entity).insert(PhysicalBody::WhenTouched);
            }
            BodyDrive::Physical => {
                world.entity_mut(entity).insert(PhysicalBody::Always);
            }
        }
        world.resource_mut::<AndanteStage>().admit(id, entity);
        characters.push(entity);
    }
    if let Ok(mut root) = world.get_entity_mut(root) {
        root.insert(PlayedScene { scene, characters });
    }
}

/// Takes everybody off the stage, those of scenes for good; of scenes only that of `stays` may be played from now on.
fn clear(world: &mut World, stays: Option<Entity>) {
    let mut played = world.query::<(Entity, &PlayedScene)>();
    let played: Vec<(Entity, Vec<Entity>)> =
        played.iter(world).map(|(root, own)| (root, own.characters.clone())).collect();
    for (root, characters) in played {
        characters.into_iter().for_each(|own| _ = world.try_despawn(own));
        world.entity_mut(root).remove::<PlayedScene>();
        if Some(root) != stays {
            world.entity_mut(root).remove::<AndanteSceneRoot>();
        }
    }
    let mut actors = world.query_filtered::<Entity, With<AndanteActor>>();
    let actors: Vec<Entity> = actors.iter(world).collect();
    for actor in actors {
        world.entity_mut(actor).remove::<(AndanteActor, AndanteSkin)>();
    }
}

/// The stage of a scene that goes is empty.
pub(crate) fn close(
    gone: On<Remove<AndanteSceneRoot>>,
    played: Query<&PlayedScene>,
    mut commands: Commands,
) {
    let Ok(played) = played.get(gone.entity) else { return };
    let (root, characters) = (gone.entity, played.characters.clone());
    commands.queue(move |world: &mut World| {
        characters.into_iter().for_each(|own| _ = world.try_despawn(own));
        clear(world, None);
        let scene = Scene::default();
        match Stage::new(&scene, 1) {
            Ok(stage) => {
                if let Some(mut own) = world.get_resource_mut::<AndanteStage>() {
                    own.open(stage, scene.settings.behavior.step_up);
                }
            }
            Err(error) => refuse(&mut world.commands(), root, error),
        }
    });
}
