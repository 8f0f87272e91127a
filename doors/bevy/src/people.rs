//! Who comes on the stage, and who leaves it.

use crate::components::Told;
use crate::stage::refuse;
use crate::{
    AndanteActor, AndanteCharacter, AndanteError, AndantePose, AndanteSkin, AndanteStage,
    Locomotion, PhysicalBody, Walks,
};
use andante_stage::{ActorId, BodyDrive, CharacterSpec, Waypoint};
use andante_world::Ground;
use bevy::asset::LoadState;
use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;

/// Whoever is another now leaves, and comes again as that.
pub(crate) fn change(
    mut commands: Commands,
    changed: Query<(Entity, &Locomotion), (Changed<Locomotion>, With<AndanteActor>)>,
) {
    for (entity, _) in changed.iter().filter(|(_, own)| own.character != Walks::Scene) {
        commands.entity(entity).remove::<(AndanteActor, AndanteSkin)>();
    }
}

/// An entity that is to come on the stage.
type Newcomer = (
    Entity,
    Ref<'static, Locomotion>,
    &'static Transform,
    Option<&'static PhysicalBody>,
    Option<&'static Name>,
    Has<ChildOf>,
);

/// Lets those come on who are not there yet. Whoever was refused is tried again when the ground is another.
pub(crate) fn come(
    mut commands: Commands,
    mut stage: ResMut<AndanteStage>,
    characters: Option<Res<Assets<AndanteCharacter>>>,
    server: Option<Res<AssetServer>>,
    mut refused: Local<EntityHashMap<u64>>,
    newcomers: Query<Newcomer, Without<AndanteActor>>,
) {
    refused.retain(|entity, _| newcomers.contains(*entity));
    for (entity, locomotion, transform, body, name, is_child) in &newcomers {
        if !locomotion.is_changed() && refused.get(&entity) == Some(&stage.changes) {
            continue;
        }
        let known = match &locomotion.character {
            Walks::Human { .. } => Ok(None),
            Walks::Scene => Err(AndanteError::Scene),
            Walks::File(handle) => {
                let loaded = characters.as_ref().and_then(|all| all.get(handle));
                match loaded {
                    Some(character) => Ok(Some(character)),
                    None => match failure(server.as_deref(), handle) {
                        Some(error) => Err(error),
                        None => continue,
                    },
                }
            }
        };
        let part = CharacterSpec {
            height: match locomotion.character {
                Walks::Human { height } => height,
                Walks::File(_) | Walks::Scene => None,
            },
            run: true,
            jump: locomotion.jumps,
            nature: drive(body),
            ..CharacterSpec::new(
                name.map_or_else(|| entity.to_string(), ToString::to_string),
                stage.post(transform),
            )
        };
        let came = match (is_child, known) {
            (true, _) => Err(AndanteError::Child(entity)),
            (_, Err(error)) => Err(error),
            (_, Ok(Some(character))) => {
                let repertoire = character.shared().repertoire();
                stage.stage_mut().spawn_with(&part, repertoire).map_err(Into::into)
            }
            (_, Ok(None)) => stage.stage_mut().spawn(&part).map_err(Into::into),
        };
        match came {
            Ok(id) => {
                refused.remove(&entity);
                stage.admit(id, entity);
                let actor = AndanteActor { id, told: Told::Nothing, shown: *transform };
                commands.entity(entity).insert((actor, joints(&stage, id)));
            }
            Err(error) => {
                refused.insert(entity, stage.changes);
                refuse(&mut commands, entity, error);
            }
        }
    }
}

/// What moves somebody.
pub(crate) fn drive(body: Option<&PhysicalBody>) -> BodyDrive {
    match body {
        None => BodyDrive::Kinematic,
        Some(PhysicalBody::WhenTouched) => BodyDrive::WhenTouched,
        Some(PhysicalBody::Always) => BodyDrive::Physical,
    }
}

/// Why a character will never be loaded, if that is so.
fn failure(
    server: Option<&AssetServer>,
    handle: &Handle<AndanteCharacter>,
) -> Option<AndanteError> {
    match server?.load_state(handle.id()) {
        LoadState::Failed(error) => Some(AndanteError::of_asset(&error)),
        _ => None,
    }
}

/// The joints of somebody by name, nowhere yet.
pub(crate) fn joints(stage: &AndanteStage, id: ActorId) -> AndantePose {
    let Ok(actor) = stage.stage().actor(id) else { return AndantePose::default() };
    let joints = actor.character().skeleton.joints();
    AndantePose {
        names: joints.iter().map(|joint| joint.name.clone()).collect(),
        parents: joints.iter().map(|joint| joint.parent).collect(),
        ..AndantePose::default()
    }
}

impl AndanteStage {
    /// The ground below a transform, or the highest there is where it is below all ground, and the way it faces.
    pub(crate) fn post(&self, transform: &Transform) -> Waypoint {
        let (at, ahead) = (transform.translation, transform.rotation * Vec3::Z);
        let height = self.ground.height_below(at + self.step_up * Vec3::Y, f32::INFINITY);
        let heading = Some(ahead.x.atan2(ahead.z));
        Waypoint { place: Vec2::new(at.x, at.z), height, heading }
    }
}

/// Takes those off the stage whose entity is no actor any more.
pub(crate) fn leave(
    left: On<Remove<AndanteActor>>,
    actors: Query<&AndanteActor>,
    mut stage: ResMut<AndanteStage>,
) {
    if let Ok(actor) = actors.get(left.entity) {
        stage.dismiss(actor.id);
    }
}

/// Whoever does not walk any more is no actor.
pub(crate) fn rest(left: On<Remove<Locomotion>>, mut commands: Commands) {
    if let Ok(mut entity) = commands.get_entity(left.entity) {
        entity.try_remove::<(AndanteActor, AndanteSkin)>();
    }
}
