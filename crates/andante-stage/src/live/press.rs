//! People who touch each other while forces move one of them.
//!
//! Everybody is simulated by itself. Where bodies are in each other, both get the same impulse, one the one way and one the
//! other, over the next frame: what takes the speed with which they meet, leads them out of each other, and rubs. Who is not
//! moved by forces feels it as any other touch; who cannot be is a wall that goes where it is led.

use super::actor::Actor;
use super::stage::Stage;
use super::touch::{flesh, give_way};
use crate::physical::Touch;
use crate::{BodyDrive, EventKind, PhysicalSettings};
use andante_skeleton::{BodyCapsules, body_capsules};
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// A capsule of somebody: its ends, how fast they go, their radii, and the joint that carries the first of them.
struct MovingCapsule {
    ends: [Vec3; 2],
    velocities: [Vec3; 2],
    radii: [f32; 2],
    joint: usize,
}

/// A place where two bodies are in each other: how deep, and the way the second one gets out.
#[derive(Clone, Copy, Debug)]
struct BodyOverlap {
    joints: [usize; 2],
    point: Vec3,
    normal: Vec3,
    depth: f32,
    /// Of the second one as the first one sees it.
    velocity: Vec3,
}

/// Two who are in touch, and since when that has been told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Acquaintance {
    pair: [usize; 2],
    time: f64,
    /// Of whom it has been told that they do not feel it.
    unfelt: [bool; 2],
}

impl MovingCapsule {
    /// The box around it.
    fn room(&self) -> [Vec3; 2] {
        let [a, b] = self.ends;
        let radius = self.radii[0].max(self.radii[1]);
        [a.min(b) - radius, a.max(b) + radius]
    }

    fn meets(&self, [low, high]: [Vec3; 2]) -> bool {
        let [own_low, own_high] = self.room();
        own_low.cmple(high).all() && own_high.cmpge(low).all()
    }
}

/// The box around a body.
fn room_of(body: &[MovingCapsule]) -> [Vec3; 2] {
    let none = [Vec3::INFINITY, Vec3::NEG_INFINITY];
    body.iter().map(MovingCapsule::room).fold(none, |[low, high], [a, b]| [low.min(a), high.max(b)])
}

fn capsules_of(actor: &Actor, body: &BodyCapsules) -> Vec<MovingCapsule> {
    let models = actor.body.models();
    let earlier = actor.body.shown_earlier();
    let shown = actor.body.shown();
    let moving = |ends: &[usize; 2]| {
        let balls = ends.map(|ball| body.balls[ball]);
        let velocity = |ball: usize| {
            let at = balls[ball].0;
            earlier.map_or(Vec3::ZERO, |(before, seconds)| {
                (at.position(shown) - at.position(before)) / seconds.max(1e-4)
            })
        };
        MovingCapsule {
            ends: balls.map(|(at, _)| at.position(models)),
            velocities: [velocity(0), velocity(1)],
            radii: balls.map(|(_, radius)| radius),
            joint: balls[0].0.joint,
        }
    };
    body.capsules.iter().map(moving).collect()
}

/// Shares of two segments at which they are closest (Ericson, Real-Time Collision Detection, 5.1.9).
fn closest(a: [Vec3; 2], b: [Vec3; 2]) -> [f32; 2] {
    let (u, v, w) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
    let (uw, vw) = (u.dot(w), v.dot(w));
    let part =
        |above: f32, below: f32| if below > 1e-9 { (above / below).clamp(0.0, 1.0) } else { 0.0 };
    let s = part(uv * vw - vv * uw, uu * vv - uv * uv);
    let t = part(uv * s + vw, vv);
    [part(uv * t - uw, uu), t]
}

fn overlap(a: &MovingCapsule, b: &MovingCapsule) -> Option<BodyOverlap> {
    let parts = closest(a.ends, b.ends);
    let at = |own: &MovingCapsule, part: f32| own.ends[0].lerp(own.ends[1], part);
    let radius =
        |own: &MovingCapsule, part: f32| own.radii[0] + part * (own.radii[1] - own.radii[0]);
    let rate = |own: &MovingCapsule, part: f32| own.velocities[0].lerp(own.velocities[1], part);
    let (from, to) = (at(a, parts[0]), at(b, parts[1]));
    let depth = radius(a, parts[0]) + radius(b, parts[1]) - from.distance(to);
    let normal = (to - from).try_normalize()?;
    (depth > 0.0).then(|| BodyOverlap {
        joints: [a.joint, b.joint],
        point: from + normal * (radius(a, parts[0]) - 0.5 * depth),
        normal,
        depth,
        velocity: rate(b, parts[1]) - rate(a, parts[0]),
    })
}

/// What brings two out of each other: on the second one, N·s.
fn impulse(own: &BodyOverlap, mass: f32, settings: &PhysicalSettings, dt: f32) -> Vec3 {
    let apart = own.velocity.dot(own.normal);
    let out = (settings.parts * own.depth / dt).min(settings.parts_fastest);
    let along = mass * (out - apart).max(0.0);
    let slides = own.velocity - apart * own.normal;
    let most = settings.rubs * along;
    along * own.normal - (mass * slides).clamp_length_max(most)
}

/// Lets those whom forces move, and whoever they run into, feel each other in the next frame.
pub(super) fn press(stage: &mut Stage, dt: f32) {
    let moved = |actor: &Actor| !actor.gone && actor.body.is_physical();
    for a in 0..stage.actors.len() {
        let is_fixed = stage.physics.natures[a] == BodyDrive::Kinematic;
        if is_fixed || !moved(&stage.actors[a]) {
            continue;
        }
        for b in 0..stage.actors.len() {
            let [one, other] = [&stage.actors[a], &stage.actors[b]];
            // Every pair once, who is moved by forces first.
            let counts = a != b && !other.gone && (!moved(other) || a < b);
            let near = |own: &Actor| own.body.disc.place.position;
            let (place, tall) =
                (near(one), one.body.kind.stoop.tall() + other.body.kind.stoop.tall());
            if counts && one.deck() == other.deck() && Vec2::distance(place, near(other)) < tall {
                press_pair(stage, [a, b], dt);
            }
        }
    }
}

fn press_pair(stage: &mut Stage, pair: [usize; 2], dt: f32) {
    let bodies = pair.map(|who| capsules(stage, who));
    let [mut one, mut other] =
        [0, 1].map(|side| capsules_of(&stage.actors[pair[side]], &bodies[side]));
    // Only what is in the box around the other.
    let boxes = [room_of(&one), room_of(&other)];
    one.retain(|own| own.meets(boxes[1]));
    other.retain(|own| own.meets(boxes[0]));
    // The deepest place of each two joints.
    let mut found: Vec<BodyOverlap> = Vec::new();
    for a in &one {
        for b in &other {
            let Some(own) = overlap(a, b) else { continue };
            match found.iter_mut().find(|known| known.joints == own.joints) {
                Some(known) if known.depth < own.depth => *known = own,
                Some(_) => {}
                None => found.push(own),
            }
        }
    }
    if found.is_empty() {
        return;
    }
    let settings = stage.physics.settings.physical;
    let shared = 1.0 / found.len() as f32;
    let mut touches: [Vec<Touch>; 2] = Default::default();
    for own in &found {
        let masses = [0, 1].map(|side| touched_mass(stage, pair[side], own.joints[side]));
        let both = masses.map(|mass| mass.map_or(0.0, f32::recip));
        let mass = shared / (both[0] + both[1]).max(1e-6);
        let impulse = impulse(own, mass, &settings, dt);
        for (side, sign) in [-1.0, 1.0].into_iter().enumerate() {
            let (joint, point) = (own.joints[side], own.point);
            touches[side].push(Touch { joint, point, impulse: sign * impulse, seconds: dt });
        }
    }
    let felt = [0, 1].map(|side| be_pressed(stage, pair[side], &touches[side], dt));
    tell_touch(stage, pair, felt);
}

/// Lets somebody feel what presses it, if it can.
///
/// # Errors
///
/// Says why forces cannot take it over.
fn be_pressed(stage: &mut Stage, who: usize, touches: &[Touch], dt: f32) -> Result<(), String> {
    let whole: Vec3 = touches.iter().map(|touch| touch.impulse).sum();
    if stage.physics.natures[who] == BodyDrive::Kinematic || whole.length() < 1e-4 {
        return Ok(());
    }
    if !stage.actors[who].body.is_physical() {
        let strongest =
            touches.iter().max_by(|a, b| a.impulse.length().total_cmp(&b.impulse.length()));
        let Some(strongest) = strongest else { return Ok(()) };
        let touch = Touch { impulse: whole, ..*strongest };
        if give_way(stage, who, &touch) {
            return Ok(());
        }
        stage.begin(who, stage.time - f64::from(dt))?;
    }
    let actor = &mut stage.actors[who];
    let kind = Arc::clone(&actor.body.kind);
    if let Some(episode) = actor.body.episode_mut() {
        touches.iter().for_each(|touch| episode.press(touch, kind.character()));
    }
    Ok(())
}

/// Tells of those who have just come to touch each other, and why whoever does not feel it does not.
fn tell_touch(stage: &mut Stage, pair: [usize; 2], felt: [Result<(), String>; 2]) {
    let (time, quiet) = (stage.time, stage.physics.settings.physical.parted);
    let known = &mut stage.physics.acquainted;
    known.retain(|own| time - own.time < quiet);
    let met = known.iter().position(|own| own.pair == pair || own.pair == [pair[1], pair[0]]);
    let own = met.unwrap_or_else(|| {
        known.push(Acquaintance { pair, time, unfelt: [false; 2] });
        known.len() - 1
    });
    known[own].time = time;
    for ([who, other], felt) in [pair, [pair[1], pair[0]]].into_iter().zip(felt) {
        if met.is_none() {
            let name = stage.actors[other].name().to_string();
            stage.note(who, EventKind::Struck(name));
        }
        let acquainted = &mut stage.physics.acquainted[own];
        let side = usize::from(acquainted.pair[1] == who);
        if let Err(why) = felt
            && !std::mem::replace(&mut acquainted.unfelt[side], true)
        {
            let name = stage.actors[other].name();
            let failed = EventKind::Failed(format!("give way to {name}: {why}"));
            stage.note(who, failed);
        }
    }
}

/// The mass of the part that a joint belongs to; none for who cannot be moved.
fn touched_mass(stage: &Stage, who: usize, joint: usize) -> Option<f32> {
    if stage.physics.natures[who] == BodyDrive::Kinematic {
        return None;
    }
    let flesh = flesh(stage, who)?;
    let link = flesh.link_of(stage.actors[who].character(), joint);
    Some(flesh.model().links()[link].mass as f32)
}

/// What somebody is made of.
fn capsules(stage: &mut Stage, who: usize) -> Arc<BodyCapsules> {
    let (kind, skeleton) = (stage.actors[who].kind, &stage.actors[who].character().skeleton);
    let known = &mut stage.physics.capsules;
    if known.len() <= kind {
        known.resize(kind + 1, None);
    }
    Arc::clone(known[kind].get_or_insert_with(|| Arc::new(body_capsules(skeleton))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec3;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = Vec3> {
        (-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0).prop_map(|(x, y, z)| vec3(x, y, z))
    }

    proptest! {
        /// Nothing that is tried is closer than what is found.
        #[test]
        fn segments_are_nowhere_closer(a in point(), b in point(), c in point(), d in point()) {
            let [s, t] = closest([a, b], [c, d]);
            let found = a.lerp(b, s).distance(c.lerp(d, t));
            for i in 0..=20 {
                for j in 0..=20 {
                    let tried = a.lerp(b, i as f32 / 20.0).distance(c.lerp(d, j as f32 / 20.0));
                    prop_assert!(found < tried + 1e-3, "{found} {tried}");
                }
            }
        }

        /// Both get the same, and nobody is pulled.
        #[test]
        fn bodies_are_pushed_and_never_pulled(v in point(), depth in 0.001f32..0.1, mass in 0.1f32..80.0) {
            let own = BodyOverlap { joints: [0, 0], point: Vec3::ZERO, normal: Vec3::X, depth, velocity: v };
            let given = impulse(&own, mass, &PhysicalSettings::default(), 1.0 / 60.0);
            prop_assert!(given.x >= 0.0);
            let across = given.with_x(0.0);
            prop_assert!(across.length() <= PhysicalSettings::default().rubs * given.x + 1e-5);
            prop_assert!(across.dot(v) <= 1e-6);
        }
    }
}
