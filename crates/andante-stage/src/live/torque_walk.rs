//! Ways that somebody walks by its own torques from beginning to end.

use super::actor::Actor;
use super::behavior::{ActorTask, Decision, Destination, Travelling, is_alone};
use super::floor::walls_at;
use super::physics::{ground_around, site};
use super::record::BY_FORCES;
use super::sensors::overhead;
use super::stage::Stage;
use super::touch::{flesh, is_large};
use crate::physical::PhysicsEpisode;
use crate::{BodyDrive, EventKind};
use andante_skeleton::rotation;
use std::sync::Arc;

/// Stops those who walk by torques where they should not any more: they were told otherwise, the world has changed, or
/// somebody comes near.
pub(super) fn mind_errand(stage: &mut Stage, who: usize) {
    let Some(place) = stage.actors[who].body.episode().and_then(PhysicsEpisode::goes_to) else {
        return;
    };
    stage.with(who, |own| {
        let goes_on = match &own.behavior.task {
            ActorTask::Go(going) => {
                going.goal.position == place && going.stale.is_none() && is_alone(own, going)
            }
            _ => false,
        };
        if !goes_on && let Some(episode) = own.body.episode_mut() {
            episode.stop();
        }
    });
}

/// Leads those who walk on by torques since something touched them along their way, as long as it is straight.
pub(super) fn mind_way(stage: &mut Stage, who: usize) {
    if !stage.actors[who].body.episode().is_some_and(PhysicsEpisode::walks_on) {
        return;
    }
    stage.with(who, |own| {
        let settings = own.settings().torque_walk;
        let place = own.body.hips().position;
        let Some(going) = own.behavior.task.going_mut() else { return };
        going.way.follow(place);
        let to = going.way.place((going.way.at() + settings.onward).min(going.way.length()));
        let ends = !going.way.is_straight(settings.ends, settings.aside);
        if let Some(episode) = own.body.episode_mut() {
            episode.lead_on(to, ends);
        }
    });
}

/// Whether somebody who is safe goes to its goal by its own torques, or has got there.
pub(super) fn goes_by_torques(stage: &mut Stage, who: usize) -> bool {
    let carried = stage.actors[who].deck().is_some();
    if stage.physics.natures[who] != BodyDrive::Physical || !stage.world.is_level() || carried {
        return false;
    }
    let actor = &stage.actors[who];
    let Some(episode) = actor.body.episode() else { return false };
    let settings = &stage.physics.settings;
    if !flesh(stage, who).is_some_and(|flesh| is_large(&flesh, settings)) {
        return false;
    }
    if episode.goes_to().is_some() {
        return true;
    }
    let ActorTask::Go(going) = &actor.behavior.task else { return false };
    if episode.went_to(going.goal.position) && is_there(actor, going) {
        stage.with(who, arrive);
        return true;
    }
    let mut free = false;
    stage.with(who, |own| free = may_go_straight(own));
    let Stage { physics, actors, world, decks, .. } = stage;
    let actor = &mut actors[who];
    let (ActorTask::Go(going), true) = (&actor.behavior.task, free) else { return false };
    let settings = &physics.settings.torque_walk;
    let (to, speed, floor) =
        (going.goal.position, actor.behavior.speed.unwrap_or(settings.pace), actor.body.floor());
    let cycles = &mut physics.cycles[actor.kind];
    let site = site(world, decks, &physics.solids);
    let ground = |frame| ground_around(site, &physics.settings, world, (floor, None), frame, to);
    actor.body.episode_mut().is_some_and(|own| own.set_off(cycles, to, speed, ground))
}

/// Whether it is near enough to its goal for one that is moved by forces.
fn is_there(actor: &Actor, going: &Travelling) -> bool {
    let (goal, place) = (going.goal, actor.body.hips());
    let turned = rotation::wrap_angle(goal.heading - place.heading).abs().to_degrees();
    goal.position.distance(place.position) < BY_FORCES.0 && (!going.faces() || turned < BY_FORCES.1)
}

/// Whether it may walk straight to where it was sent, at a pace for that: nothing and nobody is in the way.
fn may_go_straight(own: &mut Decision) -> bool {
    let ActorTask::Go(going) = &own.behavior.task else { return false };
    let settings = &own.settings().torque_walk;
    let pace = own.behavior.speed.unwrap_or(settings.pace);
    // Motion looks for another way, if the world has changed.
    let known = !(going.run || going.planned || going.stale.is_some());
    let walks = known && (settings.slowest_pace..=settings.fastest_pace).contains(&pace);
    if !(walks && matches!(going.to, Destination::Post(_)) && is_alone(own, going)) {
        return false;
    }
    let (from, to) = (own.body.disc.place.position, going.goal.position);
    let (kind, floor) = (Arc::clone(&own.body.kind), own.body.floor());
    let above = floor + 0.5 * kind.stoop.tall();
    let low = overhead(&own.world.obstacles, from, to, kind.radius, above);
    let network = own.network();
    let walls = network.as_ref().and_then(|network| walls_at(network, from, floor));
    low > floor + kind.stoop.tall()
        && walls.is_some_and(|walls| walls.is_free(from) && walls.edge_is_free(from, to))
}

/// It stands where it was sent to, by forces.
fn arrive(own: &mut Decision) {
    let heading = own.body.hips().heading;
    if own.behavior.task.going().is_some_and(|going| !going.faces())
        && let Some(goal) = &mut own.behavior.goal
    {
        goal.heading = heading;
    }
    if let Some(episode) = own.body.episode_mut() {
        episode.arrive();
    }
    own.tell(EventKind::Arrived);
    own.done();
}
