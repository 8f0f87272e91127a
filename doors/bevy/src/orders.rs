//! What characters are told, by components and by events.

use crate::components::Told;
use crate::people::drive;
use crate::stage::refuse;
use crate::{
    AndanteActor, AndanteError, AndanteStage, GoTo, Order, PhysicalBody, Push, Steer, Wait,
};
use andante_stage::{Command, PushOrder};
use bevy::prelude::*;

/// Somebody with all that it can be told.
type Listener = (
    Entity,
    &'static mut AndanteActor,
    &'static Transform,
    Option<Ref<'static, GoTo>>,
    Option<Ref<'static, Steer>>,
    Option<Ref<'static, Wait>>,
);

/// Tells everybody what their components say: the one that changed last counts, and takes the place of the others.
pub(crate) fn give(
    mut commands: Commands,
    mut stage: ResMut<AndanteStage>,
    mut people: Query<Listener>,
) {
    for (entity, mut actor, transform, go, steer, wait) in &mut people {
        let (id, told) = (actor.id, actor.told);
        if (transform.translation, transform.rotation)
            != (actor.shown.translation, actor.shown.rotation)
        {
            actor.shown = *transform;
            let post = stage.post(transform);
            if let Err(error) = stage.stage_mut().teleport(id, post) {
                refuse(&mut commands, entity, error);
            }
        }
        let all = [
            (Told::Steer, steer.as_ref().map(|own| own.is_changed())),
            (Told::Go, go.as_ref().map(|own| own.is_changed())),
            (Told::Wait, wait.as_ref().map(|own| own.is_changed())),
        ];
        let fresh = all.iter().find(|(_, is)| *is == Some(true));
        let waiting = || {
            all.iter().find(|(which, is)| told == Told::Nothing && is.is_some() && *which != told)
        };
        let Some(&(wish, _)) = fresh.or_else(waiting) else {
            if told != Told::Nothing && all.iter().any(|own| *own == (told, None)) {
                // Whoever is gone cannot be stopped.
                let _ = stage.stage_mut().command(id, Command::Stop);
                actor.told = Told::Nothing;
            }
            continue;
        };
        let on = stage.stage_mut();
        let done = match (wish, &go, &steer, &wait) {
            (Told::Steer, _, Some(steer), _) => on.steer(id, steer.speed, steer.turn_rate),
            (Told::Go, Some(go), ..) if go.run => on.command(id, Command::RunTo(go.waypoint())),
            (Told::Go, Some(go), ..) => on.command(id, Command::WalkTo(go.waypoint())),
            (Told::Wait, .., Some(wait)) => on.command(id, Command::Wait(wait.0)),
            _ => Ok(()),
        };
        let mut entity_commands = commands.entity(entity);
        match done {
            Ok(()) => {
                actor.told = wish;
                forget(&mut entity_commands, wish);
            }
            Err(error) => {
                // Refused orders change nothing: what it was told before it goes on with.
                match wish {
                    Told::Go => entity_commands.remove::<GoTo>(),
                    Told::Steer => entity_commands.remove::<Steer>(),
                    _ => entity_commands.remove::<Wait>(),
                };
                if told == wish {
                    actor.told = Told::Nothing;
                }
                refuse(&mut commands, entity, error);
            }
        }
    }
}

/// Removes what does not count any more.
fn forget(entity: &mut EntityCommands, wish: Told) {
    if wish != Told::Go {
        entity.remove::<GoTo>();
    }
    if wish != Told::Steer {
        entity.remove::<Steer>();
    }
    if wish != Told::Wait {
        entity.remove::<Wait>();
    }
}

/// Lets forces move those who have a body, from now on.
pub(crate) fn embody(
    mut commands: Commands,
    mut stage: ResMut<AndanteStage>,
    bodies: Query<(Entity, &AndanteActor, &PhysicalBody), Changed<PhysicalBody>>,
) {
    for (entity, actor, body) in &bodies {
        if let Err(error) = stage.stage_mut().set_drive(actor.id, drive(Some(body))) {
            refuse(&mut commands, entity, error);
        }
    }
}

/// Whose body is taken away is moved by motion alone.
pub(crate) fn disembody(
    left: On<Remove<PhysicalBody>>,
    actors: Query<&AndanteActor>,
    mut stage: ResMut<AndanteStage>,
) {
    if let Ok(actor) = actors.get(left.entity) {
        // Whoever is gone needs no change.
        let _ = stage.stage_mut().set_drive(actor.id, drive(None));
    }
}

/// Pushes somebody.
pub(crate) fn push(
    push: On<Push>,
    mut commands: Commands,
    mut stage: ResMut<AndanteStage>,
    actors: Query<&AndanteActor>,
) {
    let direction = push.impulse.x.atan2(push.impulse.y);
    let order = PushOrder {
        height: push.height,
        seconds: push.seconds,
        ..PushOrder::new(push.impulse.length(), direction)
    };
    let done = match actors.get(push.entity) {
        Ok(actor) => stage.stage_mut().command(actor.id, Command::Push(order)).map_err(Into::into),
        Err(_) => Err(AndanteError::Absent(push.entity)),
    };
    if let Err(error) = done {
        refuse(&mut commands, push.entity, error);
    }
}

/// Tells somebody anything else.
pub(crate) fn order(
    order: On<Order>,
    mut commands: Commands,
    mut stage: ResMut<AndanteStage>,
    mut actors: Query<&mut AndanteActor>,
) {
    let Ok(mut actor) = actors.get_mut(order.entity) else {
        return refuse(&mut commands, order.entity, AndanteError::Absent(order.entity));
    };
    if let Err(error) = stage.stage_mut().command(actor.id, order.command.clone()) {
        return refuse(&mut commands, order.entity, error);
    }
    let beside = matches!(order.command, Command::LookAt(_) | Command::Speed(_));
    if !(beside || order.command.is_suffered()) {
        actor.told = Told::Nothing;
        forget(&mut commands.entity(order.entity), Told::Nothing);
    }
}
