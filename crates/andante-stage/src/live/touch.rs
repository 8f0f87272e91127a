//! Who is touched: forces take over whom they can lead on, and whoever motion has to lead gives way.

use super::actor::Actor;
use super::behavior::ActorTask;
use super::floor::Surroundings;
use super::physics::velocity;
use super::stage::Stage;
use crate::physical::{PhysicalBody, StageProp, Touch};
use crate::{EventKind, PushOrder, StageSettings};
use andante_body::PropForm;
use glam::{DVec3, Vec2, Vec3};
use std::sync::Arc;

/// What forces could do with somebody as it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Handover {
    /// It stands, and they can keep it up.
    Stands,
    /// It walks straight ahead on level ground, so fast, and they can lead it on.
    Walks(f32),
    /// It runs, turns, climbs, sets off or arrives, or is too small: they would have to stop it first.
    Led,
}

/// What forces could do with somebody as it is.
pub(super) fn handover(
    actor: &Actor,
    flesh: Option<&PhysicalBody>,
    world: &Surroundings,
    settings: &StageSettings,
) -> Handover {
    let (task, walk) = (&actor.behavior.task, &settings.torque_walk);
    if actor.body.is_standing() {
        return if stands_whole(actor, world, settings) { Handover::Stands } else { Handover::Led };
    }
    let ahead = match task.going() {
        Some(going) => !going.run && going.way.is_straight(walk.onward, walk.aside),
        None => matches!(task, ActorTask::Steer(_)),
    };
    let straight = actor.body.running() < 0.3 && actor.body.curvature().abs() < walk.bent;
    let level = world.is_level() && actor.deck().is_none();
    let speed = actor.body.disc.speed;
    let kept = (walk.slowest_kept..=walk.fastest_kept).contains(&speed);
    let large = flesh.is_some_and(|flesh| is_large(flesh, settings));
    match ahead && straight && level && kept && large {
        true => Handover::Walks(speed),
        false => Handover::Led,
    }
}

/// Whether somebody is large enough for walks by torques.
pub(super) fn is_large(flesh: &PhysicalBody, settings: &StageSettings) -> bool {
    flesh.physique.height >= settings.torque_walk.smallest
}

/// Whether a touch lands on the trunk, at the chest or below: walks by torques make up for no others.
fn is_on_trunk(actor: &Actor, touch: &Touch) -> bool {
    let (rig, chest) = (&actor.character().rig, actor.body.chest());
    let trunk = touch.joint == rig.hips || rig.spine.contains(&touch.joint);
    trunk && touch.point.y < chest.y + 0.1
}

/// Whether there is ground under all of its soles, and no side of a step in them: forces keep nobody up who stands on an edge.
fn stands_whole(actor: &Actor, world: &Surroundings, settings: &StageSettings) -> bool {
    let (own, models) = (&settings.physical, actor.body.models());
    // On a platform that moves there are no edges but its own.
    actor.deck().is_some()
        || actor.character().rig.feet.iter().all(|foot| {
            let [heel, tip] = [foot.heel, foot.tip].map(|point| point.position(models));
            let across = (tip - heel).cross(Vec3::Y).normalize_or_zero();
            let half = 0.5 * own.foot_width as f32 * across;
            [heel - half, heel + half, tip - half, tip + half].iter().all(|at| {
                let above = at.y + own.sole_reach as f32;
                let ground = world.height(Vec2::new(at.x, at.z), above);
                ground.is_some_and(|height| (height - at.y).abs() < own.whole)
            })
        })
}

/// A place of a body that something has come to.
struct BodyContact {
    joint: usize,
    point: Vec3,
    /// From the body to what touches it.
    normal: Vec3,
}

/// What forces could do with somebody of a stage as it is.
fn handover_of(stage: &Stage, who: usize) -> Handover {
    let Stage { actors, physics, world, .. } = stage;
    let flesh = physics.fleshes.get(actors[who].kind).and_then(Option::as_deref);
    handover(&actors[who], flesh, world, &physics.settings)
}

/// Lets somebody give way to a touch while motion leads it on, and tells of it; whether it is light enough.
pub(super) fn give_way(stage: &mut Stage, who: usize, touch: &Touch) -> bool {
    let gives = yields(stage, who, touch);
    if gives {
        stage.note(who, EventKind::GaveWay);
    }
    gives
}

/// Lets somebody give way to a touch while motion leads it on; whether it is light enough.
fn yields(stage: &mut Stage, who: usize, touch: &Touch) -> bool {
    if stage.actors[who].body.is_physical() {
        return false;
    }
    let Some(flesh) = flesh(stage, who) else { return false };
    let settings = &stage.physics.settings.compliance;
    let led = match handover_of(stage, who) {
        Handover::Stands => false,
        Handover::Walks(_) => !is_on_trunk(&stage.actors[who], touch),
        Handover::Led => true,
    };
    let most = if led { settings.led } else { settings.light };
    stage.actors[who].body.give_way(flesh.touched, touch, most)
}

pub(super) fn flesh(stage: &Stage, who: usize) -> Option<Arc<PhysicalBody>> {
    stage.physics.fleshes.get(stage.actors[who].kind)?.clone()
}

/// Where a shove lands, as if the platform that carries somebody had stayed.
pub(super) fn shoved(stage: &Stage, who: usize, shove: &PushOrder) -> Result<Touch, String> {
    let actor = &stage.actors[who];
    let (skeleton, models) = (&actor.character().skeleton, actor.body.models());
    let chest = actor.body.chest();
    let rig = &actor.character().rig;
    let (joint, point) = match &shove.bone {
        Some(name) => {
            let none = || format!("{} has no bone `{name}`", actor.name());
            let joint = skeleton.find(name).ok_or_else(none)?;
            let ends = skeleton.children(joint).next().unwrap_or(joint);
            (joint, models[joint].translation.midpoint(models[ends].translation))
        }
        None => {
            let y = shove.height.map_or(chest.y, |height| actor.body.floor() + height);
            (rig.spine.last().copied().unwrap_or(rig.hips), chest.with_y(y))
        }
    };
    let turned = actor.carriage(stage.time).map_or(0.0, |own| own.turned as f32);
    let (sin, cos) = libm::sincosf(shove.direction - turned);
    let impulse = shove.impulse * Vec3::new(sin, 0.0, cos);
    Ok(Touch { joint, point, impulse, seconds: shove.seconds })
}

/// Pushes somebody.
pub(super) fn push(stage: &mut Stage, who: usize, shove: &PushOrder) -> Result<(), String> {
    if let Some(problem) = shove.problem() {
        return Err(problem);
    }
    stage.may_be_touched(who)?;
    let touch = shoved(stage, who, shove)?;
    let gives = yields(stage, who, &touch);
    if !gives {
        stage.begin(who, stage.time)?;
    }
    stage.note(who, EventKind::Pushed(shove.impulse));
    if gives {
        stage.note(who, EventKind::GaveWay);
        return Ok(());
    }
    let actor = &mut stage.actors[who];
    let kind = Arc::clone(&actor.body.kind);
    if let Some(episode) = actor.body.episode_mut() {
        let place = shove.bone.as_ref().map(|_| (touch.joint, touch.point));
        episode.push(shove, place, kind.character());
    }
    Ok(())
}

/// Whether motion leads somebody where forces could not.
pub(super) fn is_led(stage: &Stage, who: usize) -> bool {
    !stage.actors[who].body.is_physical() && handover_of(stage, who) == Handover::Led
}

/// Lets what flies touch somebody whom motion leads, when it is there and no earlier. It bounces off whom forces cannot take
/// over.
pub(super) fn meet_things(stage: &mut Stage, who: usize, dt: f32) {
    let Some(flesh) = flesh(stage, who) else { return };
    for index in 0..stage.physics.things.all.len() {
        let thing = &stage.physics.things.all[index];
        let Some(contact) = contact(stage, who, &flesh, thing, dt) else { continue };
        let own = velocity(&stage.actors[who], stage.time);
        let comes = (thing.velocity() - own).dot(contact.normal);
        if comes >= 0.0 {
            continue;
        }
        // Two masses that meet head on; that one of them is a limb is left out.
        let mass = thing.prop.mass as f32;
        let both = mass * flesh.touched.mass() / (mass + flesh.touched.mass());
        let body = stage.physics.settings.physics.restitution;
        let bounce = 1.0 + body.max(thing.prop.restitution) as f32;
        let impulse = -bounce * both * comes * contact.normal;
        // As the body sees it, which may be carried.
        let carriage = stage.actors[who].carriage(stage.time);
        let back = |v: Vec3| carriage.map_or(v, |own| own.direction_back(v.as_dvec3()).as_vec3());
        let home = |p: Vec3| carriage.map_or(p, |own| own.back(p.as_dvec3()).as_vec3());
        let touch = Touch {
            joint: contact.joint,
            point: home(contact.point),
            impulse: -back(impulse),
            seconds: dt,
        };
        let name = thing.prop.name.clone();
        if give_way(stage, who, &touch) {
            stage.note(who, EventKind::Struck(name));
            strike(stage, index, impulse / mass);
            continue;
        }
        // Forces take both over as they were before.
        let thing = &mut stage.physics.things.all[index];
        let step = thing.prop.velocity * f64::from(dt);
        thing.prop.place -= step;
        if let Err(why) = stage.begin(who, stage.time - f64::from(dt)) {
            // Nothing moves whoever goes on as if nothing had been.
            strike(stage, index, -bounce * comes * contact.normal);
            stage.note(who, EventKind::Struck(name));
            stage.fail_throw(who, index, &why);
            continue;
        }
        stage.physics.things.all[index].owner = Some(who);
        stage.hand_over(who);
        return;
    }
}

/// Lets something bounce off somebody.
fn strike(stage: &mut Stage, index: usize, faster: Vec3) {
    let thing = &mut stage.physics.things.all[index];
    let v = DVec3::from(thing.velocity()) + faster.as_dvec3();
    thing.prop.velocity = andante_dynamics::vec3(v.x, v.y, v.z);
    thing.struck = true;
    stage.physics.things.changed();
}

/// Where something has come to somebody in the last frame, whose body is shown as it was before.
fn contact(
    stage: &Stage,
    who: usize,
    flesh: &PhysicalBody,
    thing: &StageProp,
    dt: f32,
) -> Option<BodyContact> {
    let actor = &stage.actors[who];
    let models = actor.models();
    let radius = match thing.prop.form {
        PropForm::Ball { radius } => radius,
        PropForm::Cube { side } => 0.5 * side,
    } as f32;
    let from = thing.place() - thing.velocity() * dt;
    let to = thing.place() - velocity(actor, stage.time) * dt;
    let far = from.distance(to);
    let hips = models[actor.character().rig.hips].translation;
    let reach = 2.0 * flesh.physique.top as f32;
    if thing.owner.is_some() || to.distance(hips) > reach + radius + far {
        return None;
    }
    let body = &flesh.capsules;
    let pieces = (far / 0.01).ceil().clamp(1.0, 200.0) as usize;
    (0..=pieces).find_map(|piece| {
        let at = from.lerp(to, piece as f32 / pieces as f32);
        body.capsules.iter().find_map(|ends| {
            let [(a, thick), (b, thin)] = ends.map(|ball| body.balls[ball]);
            let joint = a.joint;
            let [a, b] = [a, b].map(|end| end.position(models));
            let part = (at - a).dot(b - a) / (b - a).length_squared().max(1e-9);
            let part = part.clamp(0.0, 1.0);
            let (middle, own) = (a.lerp(b, part), thick + part * (thin - thick));
            let normal = (at - middle).try_normalize()?;
            let touches = at.distance(middle) < own + radius;
            touches.then(|| BodyContact { joint, point: middle + own * normal, normal })
        })
    })
}
