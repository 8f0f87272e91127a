//! The stage as a resource.

use crate::{AndanteError, Refused};
use andante_stage::{ActorId, Stage};
use andante_world::SceneGround;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use tracing::warn;

/// The stage that everybody is on, and who of Bevy's entities is who there.
#[derive(Resource)]
pub struct AndanteStage {
    stage: Stage,
    entities: HashMap<ActorId, Entity>,
    pub(crate) ground: SceneGround,
    /// How often the ground has changed.
    pub(crate) changes: u64,
    /// How high a step characters come on by.
    pub(crate) step_up: f32,
    /// How often another stage took its place.
    pub(crate) generation: u64,
    /// The entities that are ground, by the names of their patches.
    pub(crate) grounds: HashMap<String, Entity>,
}

impl AndanteStage {
    pub(crate) fn new(stage: Stage, step_up: f32) -> Self {
        let ground = SceneGround::new(stage.ground());
        let (entities, grounds) = Default::default();
        Self { stage, entities, ground, changes: 0, step_up, generation: 0, grounds }
    }

    /// Another stage takes the place of this one, on which nobody is any more.
    pub(crate) fn open(&mut self, stage: Stage, step_up: f32) {
        let (changes, generation) = (self.changes + 1, self.generation + 1);
        *self = Self { changes, generation, ..Self::new(stage, step_up) };
    }

    /// The entity whose mesh is a patch of ground.
    pub(crate) fn lies(&self, patch: &str) -> Option<Entity> {
        self.grounds.get(patch).copied()
    }

    /// The stage itself.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// The stage itself, for all that has no component. Those who have an entity come and go with it.
    pub fn stage_mut(&mut self) -> &mut Stage {
        &mut self.stage
    }

    /// The entity of an actor; none if it is not one of Bevy's.
    pub fn entity(&self, actor: ActorId) -> Option<Entity> {
        self.entities.get(&actor).copied()
    }

    /// The ground of all patches has changed.
    pub(crate) fn ground_changed(&mut self) {
        self.ground = SceneGround::new(self.stage.ground());
        self.changes += 1;
    }

    pub(crate) fn admit(&mut self, actor: ActorId, entity: Entity) {
        self.entities.insert(actor, entity);
    }

    pub(crate) fn dismiss(&mut self, actor: ActorId) {
        self.entities.remove(&actor);
        // Whoever took it away by hand has done the same.
        let _ = self.stage.despawn(actor);
    }
}

/// Tells that something is not done, and why.
pub(crate) fn refuse(commands: &mut Commands, entity: Entity, error: impl Into<AndanteError>) {
    let error = error.into();
    warn!("{entity}: {error}");
    commands.trigger(Refused { entity, error });
}
