//! A step of the stage, and what can be seen of it.

use crate::components::Told;
use crate::stage::refuse;
use crate::{
    AndanteActor, AndanteError, AndantePose, AndanteStage, AndanteViewer, Arrived, Blocked,
    Footfall, GoTo, Happened, Wait,
};
use andante_stage::{Actor, Event, EventKind};
use bevy::prelude::*;

/// Lets the time of the frame pass.
pub(crate) fn step(
    time: Res<Time>,
    mut stage: ResMut<AndanteStage>,
    viewers: Query<&GlobalTransform, With<AndanteViewer>>,
) {
    // A viewer who is nowhere does not look on.
    let _ = stage.stage_mut().set_viewer(viewers.iter().next().map(GlobalTransform::translation));
    stage.stage_mut().step(time.delta_secs());
}

/// Tells what happened in the step.
pub(crate) fn tell(
    mut commands: Commands,
    stage: Res<AndanteStage>,
    mut actors: Query<&mut AndanteActor>,
) {
    let on = stage.stage();
    for fall in on.footfalls() {
        let Some(entity) = stage.entity(fall.who) else { continue };
        let patch = fall.surface.and_then(|patch| on.ground().get(patch));
        commands.trigger(Footfall {
            entity,
            foot: fall.foot,
            place: fall.place,
            speed: fall.speed,
            normal: fall.normal,
            ground: patch.and_then(|patch| stage.lies(&patch.platform.name)),
        });
    }
    for event in on.events() {
        let actor = event.track.and_then(|track| on.actors().get(track));
        let Some(actor) = actor.filter(|actor| !actor.is_gone()) else { continue };
        let Some(entity) = stage.entity(actor.id()) else { continue };
        if let Ok(mut own) = actors.get_mut(entity) {
            tell_of(&mut commands, entity, &mut own, actor, event);
        }
    }
}

/// Tells one event, and removes the component that it ends.
fn tell_of(
    commands: &mut Commands,
    entity: Entity,
    own: &mut AndanteActor,
    actor: &Actor,
    event: &Event,
) {
    commands.trigger(Happened { entity, event: event.clone() });
    let mut end = |commands: &mut Commands, told: Told| {
        if own.told == told {
            own.told = Told::Nothing;
            match told {
                Told::Go => commands.entity(entity).remove::<GoTo>(),
                _ => commands.entity(entity).remove::<Wait>(),
            };
        }
    };
    let block = |commands: &mut Commands, reason: &str, gave_up: bool| {
        commands.trigger(Blocked { entity, reason: reason.into(), gave_up });
    };
    match &event.kind {
        EventKind::Arrived => {
            end(commands, Told::Go);
            commands.trigger(Arrived { entity });
        }
        EventKind::Done(_) if actor.is_idle() => end(commands, Told::Wait),
        EventKind::Blocked => block(commands, "something is in its way", false),
        EventKind::Waits(why) => block(commands, why, false),
        EventKind::Failed(why) if actor.is_idle() => {
            end(commands, Told::Go);
            end(commands, Told::Wait);
            block(commands, why, true);
        }
        EventKind::Failed(why) => refuse(commands, entity, AndanteError::Failed(why.clone())),
        _ => {}
    }
}

/// Writes where everybody is.
pub(crate) fn show(
    stage: Res<AndanteStage>,
    mut people: Query<(&mut AndanteActor, &mut Transform, &mut AndantePose)>,
) {
    for (mut own, mut transform, mut pose) in &mut people {
        let Ok(actor) = stage.stage().actor(own.id) else { continue };
        let (disc, models) = (actor.disc(), actor.models());
        let at = disc.place.position;
        transform.translation = Vec3::new(at.x, lowest(actor), at.y);
        transform.rotation = Quat::from_rotation_y(disc.place.heading);
        own.shown = *transform;
        let joint =
            |own: &andante_skeleton::Transform| Isometry3d::new(own.translation, own.rotation);
        pose.joints.clear();
        pose.joints.extend(models.iter().map(joint));
        let feet = actor.character().rig.feet.len();
        pose.contacts.clear();
        pose.contacts.extend((0..feet).map(|foot| actor.contact(foot)));
        pose.velocity = disc.velocity();
    }
}

/// Height of the lowest point of the soles, or of the joints of whoever has no feet.
fn lowest(actor: &Actor) -> f32 {
    let (models, feet) = (actor.models(), &actor.character().rig.feet);
    let soles = feet.iter().flat_map(|foot| [&foot.heel, &foot.ball, &foot.tip]);
    let sole = soles.map(|point| point.position(models).y).reduce(f32::min);
    let joint = || models.iter().map(|joint| joint.translation.y).reduce(f32::min);
    sole.or_else(joint).unwrap_or(0.0)
}
