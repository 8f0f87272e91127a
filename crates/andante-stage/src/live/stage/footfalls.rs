//! Feet that come down.

use super::Stage;
use crate::ActorId;
use crate::live::actor::Actor;
use glam::Vec3;

/// A foot that came down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footfall {
    /// Whose it is.
    pub who: ActorId,
    /// Its number in the rig.
    pub foot: usize,
    /// Where its sole met the ground.
    pub place: Vec3,
    /// How fast the sole was in the step that brought it down, in m/s.
    pub speed: f32,
    /// The way up from the ground there.
    pub normal: Vec3,
    /// The number of the patch of ground in [`Stage::ground`]; none on a moving platform or where there is no ground.
    pub surface: Option<usize>,
}

/// A foot as it was seen last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WatchedFoot {
    /// Where its sole was.
    at: Vec3,
    /// When it was last down; not before the end of time, if it has not been yet.
    down: f64,
    /// How fast it came down in the last step, if it did, in m/s.
    pub(super) fell: Option<f32>,
}

impl Default for WatchedFoot {
    fn default() -> Self {
        Self { at: Vec3::ZERO, down: f64::INFINITY, fell: None }
    }
}

/// Looks at somebody's feet at the end of a step.
pub(super) fn watch(actor: &mut Actor, time: f64, dt: f32) {
    for foot in 0..actor.watched.len() {
        let sole = &actor.character().rig.feet[foot];
        let at = sole.heel.position(actor.models()).midpoint(sole.ball.position(actor.models()));
        let is_down = actor.contact(foot).contains(&true);
        let WatchedFoot { at: before, down, .. } = actor.watched[foot];
        let fell = is_down && time - down > actor.settings().behavior.lifted + f64::from(dt);
        let down = if is_down { time } else { down };
        actor.watched[foot] =
            WatchedFoot { at, down, fell: fell.then(|| at.distance(before) / dt) };
    }
}

/// Notes whose feet have come down.
pub(super) fn notice(stage: &mut Stage) {
    let Stage { actors, notes, footfalls, world, .. } = stage;
    let down = actors.iter().zip(notes.iter()).filter(|(_, note)| !note.gone && note.steps);
    for (actor, _) in down {
        for (foot, &WatchedFoot { at, fell, .. }) in actor.watched.iter().enumerate() {
            let Some(speed) = fell else { continue };
            let on_ground = actor.deck().is_none();
            let above = at + 0.3 * Vec3::Y;
            let met = world.ground.patch_below(above, 1.0).filter(|_| on_ground);
            footfalls.push(Footfall {
                who: actor.id,
                foot,
                place: met.map_or(at, |(_, hit)| hit.point),
                speed,
                normal: met.map_or(Vec3::Y, |(_, hit)| hit.normal),
                surface: met.map(|(patch, _)| patch),
            });
        }
    }
}
