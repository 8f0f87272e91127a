#![doc = include_str!("../README.md")]

mod character;
mod collider;
mod components;
mod error;
mod events;
#[cfg(feature = "gizmos")]
mod gizmos;
mod orders;
mod people;
mod scene;
mod show;
mod skin;
mod stage;
mod world;

pub use character::{
    AndanteCharacter, CharacterLoadError, CharacterLoader, CharacterSettings, embed_human,
};
pub use collider::{AndanteCollider, AndanteColliderPlugin, ColliderDetail};
pub use components::{
    AndanteActor, AndanteGround, AndanteObstacle, AndantePose, AndanteShape, AndanteViewer, GoTo,
    Locomotion, PhysicalBody, Steer, Wait, Walks,
};
pub use error::AndanteError;
pub use events::{Arrived, Blocked, Footfall, Happened, Order, Push, Refused};
#[cfg(feature = "gizmos")]
pub use gizmos::{AndanteGizmos, AndanteGizmosPlugin};
pub use scene::{AndanteScene, AndanteSceneRoot, SceneLoadError, SceneLoader, SceneSettings};
pub use skin::AndanteSkin;
pub use stage::AndanteStage;
/// The stage, for all that has no component here.
pub use {andante_door, andante_stage, andante_world};

use andante_stage::{Scene, Stage, StageError};
use bevy::app::{HierarchyPropagatePlugin, PropagateSet};
use bevy::prelude::*;
use bevy::transform::TransformSystems;
use tracing::error;

/// A stage in Bevy's world: entities with [`Locomotion`] walk on entities with [`AndanteGround`].
#[derive(Clone, Debug, Default)]
pub struct AndantePlugin {
    scene: Scene,
    stage: Option<Stage>,
}

impl AndantePlugin {
    /// A stage that begins with a scene, with its ground, its obstacles and its settings. Characters differ a little by the
    /// seed. Without it, the stage is empty.
    pub fn new(scene: Scene, seed: u64) -> Result<Self, StageError> {
        let stage = Stage::new(&scene, seed)?;
        Ok(Self { scene, stage: Some(stage) })
    }
}

/// What is done in each frame, in `PostUpdate` and in this order, before Bevy propagates transforms.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AndanteSystems {
    /// Scenes take the stage, and colliders are read.
    Shapes,
    /// Ground and obstacles are placed.
    World,
    /// Characters come on the stage.
    People,
    /// They are told what their components say.
    Orders,
    /// The time of the frame passes.
    Step,
    /// Transforms and joints are written, then events triggered.
    Show,
}

impl Plugin for AndantePlugin {
    fn build(&self, app: &mut App) {
        use AndanteSystems::{Orders, People, Shapes, Show, Step, World};
        let stage = match &self.stage {
            Some(stage) => Ok(stage.clone()),
            None => Stage::new(&self.scene, 1),
        };
        let stage = match stage {
            Ok(stage) => stage,
            Err(error) => return error!("there is no stage: {error}"),
        };
        let step_up = self.scene.settings.behavior.step_up;
        app.insert_resource(AndanteStage::new(stage, step_up));
        if app.world().contains_resource::<AssetServer>() {
            let scenes = SceneLoader::of(app);
            app.init_asset::<AndanteCharacter>()
                .register_asset_loader(CharacterLoader)
                .init_asset::<AndanteScene>()
                .register_asset_loader(scenes);
        }
        register(app);
        app.add_plugins((
            HierarchyPropagatePlugin::<AndanteGround>::new(PostUpdate),
            HierarchyPropagatePlugin::<AndanteObstacle>::new(PostUpdate),
        ));
        app.configure_sets(
            PostUpdate,
            (PropagateSet::<AndanteGround>::default(), PropagateSet::<AndanteObstacle>::default())
                .before(Shapes),
        );
        let sets = (Shapes, World, People, Orders, Step, Show).chain();
        app.configure_sets(PostUpdate, sets.before(TransformSystems::Propagate))
            .add_systems(
                PostUpdate,
                (
                    scene::open.in_set(Shapes),
                    (world::lay, world::stand)
                        .chain()
                        .run_if(resource_exists::<Assets<Mesh>>)
                        .in_set(World),
                    (people::change, people::come).chain().in_set(People),
                    (orders::embody, orders::give).chain().in_set(Orders),
                    show::step.in_set(Step),
                    (show::show, skin::bind, skin::drive, show::tell).chain().in_set(Show),
                ),
            )
            .add_observer(scene::close)
            .add_observer(people::leave)
            .add_observer(people::rest)
            .add_observer(orders::disembody)
            .add_observer(orders::push)
            .add_observer(orders::order);
    }
}

/// Makes everything known to inspectors and scenes.
fn register(app: &mut App) {
    app.register_type::<Locomotion>()
        .register_type::<GoTo>()
        .register_type::<Steer>()
        .register_type::<Wait>()
        .register_type::<PhysicalBody>()
        .register_type::<AndantePose>()
        .register_type::<AndanteActor>()
        .register_type::<AndanteSkin>()
        .register_type::<AndanteGround>()
        .register_type::<AndanteObstacle>()
        .register_type::<AndanteShape>()
        .register_type::<AndanteSceneRoot>()
        .register_type::<AndanteViewer>()
        .register_type::<Footfall>()
        .register_type::<Arrived>()
        .register_type::<Blocked>()
        .register_type::<Push>();
}
